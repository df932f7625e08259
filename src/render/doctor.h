/* SPDX-License-Identifier: Apache-2.0
 *
 * A diagnosis of the host, for people and as JSON (contract 03 §14 and additive keys). Judges
 * nothing.
 */
#ifndef KS_RENDER_DOCTOR_H
#define KS_RENDER_DOCTOR_H

#include "render/render.h"
#include "verdict/diagnosis.h"

enum ks_status ks_doctor_text(const struct ks_ctx *ctx, const struct ks_diagnosis *d,
			      const struct ks_view *v, struct ks_out *out, struct ks_err *err);
enum ks_status ks_doctor_json(const struct ks_ctx *ctx, const struct ks_diagnosis *d,
			      struct ks_out *out, struct ks_err *err);

#endif
