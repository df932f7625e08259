/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a diagnosis. All append to lists with a fixed ceiling that holds every row there is.
 */
#ifndef KS_VERDICT_DIAGNOSIS_INTERNAL_H
#define KS_VERDICT_DIAGNOSIS_INTERNAL_H

#include "verdict/diagnosis.h"

enum { KS_DIAGNOSIS_CHECKS = 40, KS_DIAGNOSIS_STEPS = 24, KS_DIAGNOSIS_LINES = 16 };

struct ks_desk {
	struct ks_arena *a;
	const struct ks_host *h;
	struct ks_diagnosis *d;
	struct ks_checkup *check;
	struct ks_todo *step;
	bool cap_now, cap_in_bounds; /* SYS_ADMIN or PERFMON, effective or in the bounding set */
};

struct ks_msg ks_desk_say(const struct ks_desk *k, enum ks_text id, unsigned n, const ks_str *arg);
#define KS_DESK_SAY(k, id, ...)                                                                    \
	ks_desk_say((k), (id), (unsigned)KS_ARRAY_LEN(((const ks_str[]){ __VA_ARGS__ })),          \
		    (const ks_str[]){ __VA_ARGS__ })
#define KS_DESK_WORD(k, id) ks_desk_say((k), (id), 0, NULL)
ks_str ks_desk_i64(const struct ks_desk *k, int64_t v);

void ks_desk_checks(struct ks_desk *k);	     /* diagnosis_checks.c */
void ks_desk_tool_checks(struct ks_desk *k); /* diagnosis_tools.c: toolchain, optional, counters */
void ks_desk_check(struct ks_desk *k, const struct ks_checkup *c);
void ks_desk_steps(struct ks_desk *k);	/* diagnosis_steps.c: steps and letter */
void ks_desk_offers(struct ks_desk *k); /* diagnosis_offers.c: offers and plan */

#endif
