/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside advice*.c only: what a direction is put together from.
 */
#ifndef KS_VERDICT_ADVICE_INTERNAL_H
#define KS_VERDICT_ADVICE_INTERNAL_H

#include "verdict/advice.h"

#define KS_ADVICE_FOUND 16 /* directions before the best are chosen */

struct ks_advise { /* one run of ks_advice_make */
	struct ks_arena *arena;
	const struct ks_report *r;
	const struct ks_kernel *k;
	struct ks_advice *item; /* KS_ADVICE_FOUND */
	size_t n;
};

/* A fresh direction without a bound, or NULL when there is no room. */
struct ks_advice *ks_advice_add(struct ks_advise *a, enum ks_text title, enum ks_text how);
/* The row of that name when it has a value, else NULL; of the kernel, and of the whole run. */
const struct ks_ev *ks_advice_row(const struct ks_advise *a, enum ks_metric metric);
const struct ks_ev *ks_advice_run_row(const struct ks_advise *a, const char *name);
/* Adds it to the evidence unless it is NULL or has no value. */
void ks_advice_rests(struct ks_advise *a, struct ks_advice *on, const struct ks_ev *row);
/* The number of a row, negative when it is NULL or none. */
double ks_advice_number(const struct ks_ev *row);
struct ks_msg ks_advice_say(struct ks_advise *a, enum ks_text id, unsigned n, const ks_str *arg);
ks_str ks_advice_real(struct ks_advise *a, double v); /* %.6g */
/* Sets the bound and the sentence {0} ms, {1} % of `of_ms`. */
void ks_advice_bound(struct ks_advise *a, struct ks_advice *on, double ms, enum ks_text sentence,
		     double of_ms);

/* advice_kernel.c: occupancy, waves, configurations, local memory, distance to the roofline. */
void ks_advice_kernel(struct ks_advise *a);
/* advice_run.c: idle device, exposed communication, copies that nothing hides. */
void ks_advice_run(struct ks_advise *a);

#endif
