/* SPDX-License-Identifier: Apache-2.0
 *
 * How many launches come before one, as ncu counts: of the same function name, inside the same NVTX
 * range where one is known, in the order of their calls. One reading of the file; counts per place
 * and name, and keeps of each call three words and of each range its ends.
 */
#ifndef KS_ANALYZE_NCU_COUNT_H
#define KS_ANALYZE_NCU_COUNT_H

#include "base/ctx.h"
#include "evidence/ncu_line.h"
#include "evidence/shown.h"
#include "model/trace.h"

struct ks_ncu_count;

/* shown: a kernel, as ks_show_answer tells of it; borrowed, and so are its strings. */
enum ks_status ks_ncu_open(const struct ks_ctx *ctx, const struct ks_shown *shown,
			   struct ks_ncu_count **n, struct ks_err *err);
void ks_ncu_close(struct ks_ncu_count *n);
const struct ks_sink *ks_ncu_sink(struct ks_ncu_count *n);
/* After the reading; lives until close. KS_E_INPUT for a name that no command line can hold. */
enum ks_status ks_ncu_finish(struct ks_ncu_count *n, const struct ks_ncu_line **line,
			     struct ks_err *err);

#endif
