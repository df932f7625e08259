/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether hardware counters can be read, from what was seen of the host (contract 06 §22). Pure: it
 * probes nothing. "Not installed" and "unknown" are never turned into "denied".
 */
#ifndef KS_VERDICT_COUNTERS_H
#define KS_VERDICT_COUNTERS_H

#include "evidence/host.h"

struct ks_counter_reading {
	bool ncu_found, ncu_in_path;
	enum ks_known policy_allows; /* RmProfilingAdminOnly is 0 */
	enum ks_known probe;	     /* the driver answered; UNREAD: no probe, or it said neither */
	bool static_only;	     /* no probe was made */
	bool may_override; /* CAP_SYS_ADMIN or CAP_PERFMON is effective, or that could not be read
			    */
};

void ks_counters_reading(const struct ks_host *h, struct ks_counter_reading *r);
enum ks_counter_state ks_counters_state(const struct ks_counter_reading *r);
bool ks_cap_has(uint64_t mask, unsigned cap);

/* Why it is that state, and which probe was made and how strong it is. Arguments point into `h` and
 * `a`. */
struct ks_counter_note {
	struct ks_msg why, probe;
};
void ks_counters_note(const struct ks_host *h, enum ks_counter_state s, struct ks_arena *a,
		      struct ks_counter_note *note);

#endif
