/* SPDX-License-Identifier: Apache-2.0
 *
 * One event and what surrounds it. The file is read up to three times: for the event, for its call
 * and its neighbours, and for the ranges around that. Nothing is kept but what is shown, and the
 * ranges for the steps.
 */
#ifndef KS_ANALYZE_SHOW_H
#define KS_ANALYZE_SHOW_H

#include "base/ctx.h"
#include "evidence/shown.h"
#include "model/trace.h"

struct ks_show;

/* KS_E_USAGE for what is no id. */
enum ks_status ks_show_open(const struct ks_ctx *ctx, const char *id, struct ks_show **s,
			    struct ks_err *err);
void ks_show_close(struct ks_show *s);
/* For the next reading of the file. */
const struct ks_sink *ks_show_sink(struct ks_show *s);
/* After each reading: *more asks for another. KS_E_NOMATCH where the file has no such event. */
enum ks_status ks_show_read(struct ks_show *s, bool *more, struct ks_err *err);
/* After the last; lives until close. */
const struct ks_shown *ks_show_answer(const struct ks_show *s);

#endif
