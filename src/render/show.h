/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer of `show` in words, and as JSON (contract 03 §23). Computes nothing.
 */
#ifndef KS_RENDER_SHOW_H
#define KS_RENDER_SHOW_H

#include "evidence/shown.h"
#include "render/render.h"

enum ks_status ks_show_text_out(const struct ks_shown *s, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err);
enum ks_status ks_show_json_out(const struct ks_shown *s, struct ks_out *out, struct ks_err *err);

#endif
