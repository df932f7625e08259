/* SPDX-License-Identifier: Apache-2.0
 *
 * Single events that fit a choice: a sink of its own, because nothing is added up. Every event of
 * the kind becomes one fixed-width record in a sorter, which spills; its name is looked at once all
 * names are known, each name once. Memory grows with names, places and what is listed.
 */
#ifndef KS_ANALYZE_FIND_H
#define KS_ANALYZE_FIND_H

#include "base/ctx.h"
#include "evidence/found.h"
#include "model/trace.h"

struct ks_find;

/* KS_E_USAGE for a bad pattern. The choice is borrowed. */
enum ks_status ks_find_open(const struct ks_ctx *ctx, const struct ks_find_choice *choice,
			    struct ks_find **f, struct ks_err *err);
void ks_find_close(struct ks_find *f);
/* Valid until close; asks for the rows of the kind and no others. */
const struct ks_sink *ks_find_sink(struct ks_find *f);
/* After the stream. *out lives until close. */
enum ks_status ks_find_finish(struct ks_find *f, const struct ks_found **out, struct ks_err *err);

#endif
