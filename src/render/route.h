/* SPDX-License-Identifier: Apache-2.0
 *
 * Which command answers a question, as text and JSON (contract 03 §15). Chooses nothing.
 */
#ifndef KS_RENDER_ROUTE_H
#define KS_RENDER_ROUTE_H

#include "render/render.h"
#include "verdict/capability.h"
#include "verdict/route.h"

struct ks_route_page {
	ks_str question;
	struct ks_routes routes;
	const struct ks_capability *c; /* of this machine, for the first route */
};

enum ks_status ks_route_text(const struct ks_ctx *ctx, const struct ks_route_page *p,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err);
enum ks_status ks_route_json(const struct ks_ctx *ctx, const struct ks_route_page *p,
			     struct ks_out *out, struct ks_err *err);
/* Everything that can be asked. */
enum ks_status ks_route_list_text(const struct ks_ctx *ctx, const struct ks_view *v,
				  struct ks_out *out, struct ks_err *err);
enum ks_status ks_route_list_json(const struct ks_ctx *ctx, struct ks_out *out, struct ks_err *err);
/* {"error","hint","rc"}: there was no question. */
void ks_route_empty_json(const struct ks_ctx *ctx, int rc, struct ks_out *out);

#endif
