/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer of `ncu-command`: one line for a shell with what it means behind #, and as JSON.
 * Computes nothing.
 */
#ifndef KS_RENDER_NCU_LINE_H
#define KS_RENDER_NCU_LINE_H

#include "evidence/ncu_line.h"
#include "render/render.h"

enum ks_status ks_ncu_line_text(const struct ks_ncu_line *l, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err);
enum ks_status ks_ncu_line_json(const struct ks_ncu_line *l, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err);

#endif
