/* SPDX-License-Identifier: Apache-2.0
 *
 * One value walked back to where it came from, as a tree for people or as JSON (contract 03 §23).
 * Both forms show the same steps; neither computes anything.
 */
#ifndef KS_RENDER_EXPLAIN_H
#define KS_RENDER_EXPLAIN_H

#include "render/render.h"

struct ks_explain {
	const struct ks_report *report;
	ks_id id;    /* the value that was asked for */
	ks_str file; /* as given; "" for the synthetic trace */
};

enum ks_status ks_explain_text(const struct ks_ctx *ctx, const struct ks_explain *e,
			       const struct ks_view *v, struct ks_out *out, struct ks_err *err);
enum ks_status ks_explain_json(const struct ks_ctx *ctx, const struct ks_explain *e,
			       struct ks_out *out, struct ks_err *err);

#endif
