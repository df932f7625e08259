/* SPDX-License-Identifier: Apache-2.0
 *
 * What a refusal code means and what to do, from its rows; one code or all by group.
 */
#ifndef KS_RENDER_REMEDY_H
#define KS_RENDER_REMEDY_H

#include "render/render.h"
#include "verdict/remedy.h"

enum ks_status ks_remedy_text(const struct ks_ctx *ctx, enum ks_refusal code,
			      const struct ks_view *v, struct ks_out *out, struct ks_err *err);
enum ks_status ks_remedy_list_text(const struct ks_ctx *ctx, const struct ks_view *v,
				   struct ks_out *out, struct ks_err *err);
/* One object; KS_REFUSAL_NONE: {"schema_version","refusals":[objects]}. */
void ks_remedy_json(const struct ks_ctx *ctx, enum ks_refusal code, struct ks_out *out);

#endif
