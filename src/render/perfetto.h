/* SPDX-License-Identifier: Apache-2.0
 *
 * What both forms of the Perfetto timeline share: the process a device is shown as, and the check
 * that slices were kept.
 */
#ifndef KS_RENDER_PERFETTO_H
#define KS_RENDER_PERFETTO_H

#include "render/render.h"

/* A process id that no process of Linux has (its ceiling is 2^22, kernel.pid_max); serialized ids
 * have 24 bits. */
#define KS_PERFETTO_GPU_PID (INT64_C(1) << 30)

/* The log, or NULL with *err set (KS_E_INPUT) when slices were not kept. */
const struct ks_slice_log *ks_perfetto_log(const struct ks_report *r, struct ks_err *err);
/* What is said in the file where slices were left out; in the arena. */
ks_str ks_perfetto_cut(const struct ks_ctx *ctx, const struct ks_slice_log *log,
		       struct ks_arena *a);
bool ks_perfetto_is_host(const struct ks_lane *lane);

#endif
