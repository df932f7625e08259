/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the hardware counters, and the words for it. Runs nothing.
 */
#include "verdict/counters.h"

bool ks_cap_has(uint64_t mask, unsigned cap)
{
	return cap < 64 && ((mask >> cap) & 1) != 0;
}

static enum ks_known probed(enum ks_probe p)
{
	if (p == KS_PROBE_ALLOWED)
		return KS_KNOWN_YES;
	return p == KS_PROBE_DENIED ? KS_KNOWN_NO : KS_KNOWN_UNREAD;
}

void ks_counters_reading(const struct ks_host *h, struct ks_counter_reading *r)
{
	const struct ks_tool_place *ncu = &h->tool[KS_TOOL_NCU];

	*r = (struct ks_counter_reading){
		.ncu_found = ncu->path.n > 0,
		.ncu_in_path = ncu->in_path,
		.policy_allows = h->admin_only == KS_KNOWN_UNREAD ? KS_KNOWN_UNREAD
				 : h->admin_only == KS_KNOWN_NO	  ? KS_KNOWN_YES
								  : KS_KNOWN_NO,
		.probe = probed(h->probe),
		.static_only = h->probe == KS_PROBE_NOT_RUN,
		.may_override = !h->caps_read || ks_cap_has(h->cap_eff, KS_CAP_SYS_ADMIN) ||
				ks_cap_has(h->cap_eff, KS_CAP_PERFMON),
	};
}

enum ks_counter_state ks_counters_state(const struct ks_counter_reading *r)
{
	if (!r->ncu_found)
		return KS_COUNTER_STATE_NOT_INSTALLED;
	if (r->probe == KS_KNOWN_YES)
		return KS_COUNTER_STATE_AVAILABLE;
	if (r->probe == KS_KNOWN_NO)
		return KS_COUNTER_STATE_DENIED;
	if (r->static_only && r->policy_allows == KS_KNOWN_NO && !r->may_override)
		return KS_COUNTER_STATE_DENIED;
	return r->ncu_in_path ? KS_COUNTER_STATE_UNKNOWN : KS_COUNTER_STATE_NOT_IN_PATH;
}

static struct ks_msg say(struct ks_arena *a, enum ks_text id, unsigned n, const ks_str *arg)
{
	ks_str *kept = KS_ARENA_NEWS(a, ks_str, n);

	if (kept == NULL)
		return (struct ks_msg){ id, 0, NULL };
	if (n > 0)
		memcpy(kept, arg, n * sizeof(*kept));
	return (struct ks_msg){ id, n, kept };
}

static struct ks_msg why(const struct ks_host *h, enum ks_counter_state s, struct ks_arena *a)
{
	const struct ks_tool_place *ncu = &h->tool[KS_TOOL_NCU];
	const ks_str searched = ks_arena_fmt(a, "%zu", ncu->n_searched);
	struct ks_counter_reading r;

	ks_counters_reading(h, &r);
	switch (s) {
	case KS_COUNTER_STATE_NOT_INSTALLED:
		return say(a, KS_TEXT_COUNTERS_NOT_INSTALLED, 1, &searched);
	case KS_COUNTER_STATE_NOT_IN_PATH:
		return say(a, KS_TEXT_COUNTERS_NOT_IN_PATH, 1, &ncu->path);
	case KS_COUNTER_STATE_DENIED:
		return r.probe == KS_KNOWN_NO ? say(a, KS_TEXT_COUNTERS_REFUSED, 1, &ncu->path)
					      : say(a, KS_TEXT_COUNTERS_BY_POLICY, 0, NULL);
	case KS_COUNTER_STATE_AVAILABLE:
		return r.policy_allows == KS_KNOWN_NO && !r.may_override
			       ? say(a, KS_TEXT_COUNTERS_AGAINST_POLICY, 1, &ncu->path)
			       : say(a, KS_TEXT_COUNTERS_ANSWERED, 1, &ncu->path);
	case KS_COUNTER_STATE_UNKNOWN:
	case KS_COUNTER_STATE_COUNT:
		break;
	}
	return say(a, KS_TEXT_COUNTERS_NOT_TOLD, 1, &ncu->path);
}

static struct ks_msg probe(const struct ks_host *h, struct ks_arena *a)
{
	const ks_str arg[] = { h->probe_name, h->probe_output };

	switch (h->probe) {
	case KS_PROBE_NOT_RUN:
		return say(a, KS_TEXT_PROBE_NOT_RUN, 0, NULL);
	case KS_PROBE_ALLOWED:
		return say(a, KS_TEXT_PROBE_ALLOWED, 1, arg);
	case KS_PROBE_DENIED:
		return say(a, KS_TEXT_PROBE_DENIED, 2, arg);
	case KS_PROBE_TIMEOUT:
		return say(a, KS_TEXT_PROBE_TIMEOUT, 1, arg);
	case KS_PROBE_NO_DEVICE:
	case KS_PROBE_FAILED:
		break;
	}
	return h->probe_output.n > 0 ? say(a, KS_TEXT_PROBE_NEITHER, 2, arg)
				     : say(a, KS_TEXT_PROBE_SILENT, 1, arg);
}

void ks_counters_note(const struct ks_host *h, enum ks_counter_state s, struct ks_arena *a,
		      struct ks_counter_note *note)
{
	note->why = why(h, s, a);
	note->probe = probe(h, a);
}
