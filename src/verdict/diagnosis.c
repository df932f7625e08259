/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts a diagnosis together and picks the finding that matters most: first what stops every
 * recording, then the counters.
 */
#include "base/str.h"
#include "verdict/diagnosis_internal.h"

struct ks_msg ks_desk_say(const struct ks_desk *k, enum ks_text id, unsigned n, const ks_str *arg)
{
	ks_str *kept = KS_ARENA_NEWS(k->a, ks_str, n);

	if (kept == NULL)
		return (struct ks_msg){ id, 0, NULL };
	if (n > 0)
		memcpy(kept, arg, n * sizeof(*kept));
	return (struct ks_msg){ id, n, kept };
}

ks_str ks_desk_i64(const struct ks_desk *k, int64_t v)
{
	return ks_arena_fmt(k->a, "%lld", (long long)v);
}

void ks_desk_check(struct ks_desk *k, const struct ks_checkup *c)
{
	BUG_ON(k->d->n_checks >= KS_DIAGNOSIS_CHECKS);
	if (k->d->n_checks < KS_DIAGNOSIS_CHECKS)
		k->check[k->d->n_checks++] = *c;
}

const char *ks_check_state_name(enum ks_check_state s)
{
	static const char *const name[] = { "ok", "warn", "fail" };

	return name[s];
}

const char *ks_check_group_name(enum ks_check_group g)
{
	static const char *const name[KS_CHECKS_COUNT] = { "host",	  "hardware",  "policy",
							   "permissions", "toolchain", "optional",
							   "counters" };

	return name[g];
}

/* What to say of the counters once nothing stops a recording. */
static enum ks_text about_counters(const struct ks_desk *k)
{
	switch (k->d->counters) {
	case KS_COUNTER_STATE_DENIED:
		return k->cap_in_bounds && k->h->uid != 0 ? KS_TEXT_FIRST_DENIED_USER
							  : KS_TEXT_FIRST_DENIED;
	case KS_COUNTER_STATE_AVAILABLE:
		return KS_TEXT_FIRST_AVAILABLE;
	case KS_COUNTER_STATE_NOT_INSTALLED:
		return KS_TEXT_FIRST_NOT_INSTALLED;
	case KS_COUNTER_STATE_NOT_IN_PATH:
		return KS_TEXT_FIRST_NOT_IN_PATH;
	case KS_COUNTER_STATE_UNKNOWN:
	case KS_COUNTER_STATE_COUNT:
		break;
	}
	return KS_TEXT_FIRST_UNKNOWN;
}

static void find_first(struct ks_desk *k)
{
	struct ks_diagnosis *d = k->d;
	enum ks_text id;

	d->first_state = KS_CHECK_FAIL;
	if (k->h->has_gpu == KS_KNOWN_NO) {
		id = KS_TEXT_FIRST_NO_GPU;
	} else if (!d->ok) {
		id = KS_TEXT_FIRST_NO_NSYS;
	} else if (k->h->has_gpu == KS_KNOWN_UNREAD) {
		id = KS_TEXT_FIRST_GPU_UNREAD;
		d->first_state = KS_CHECK_WARN;
	} else {
		id = about_counters(k);
		d->first_state =
			d->counters == KS_COUNTER_STATE_AVAILABLE ? KS_CHECK_OK : KS_CHECK_WARN;
	}
	d->first = KS_DESK_WORD(k, id);
}

static bool either(uint64_t mask)
{
	return ks_cap_has(mask, KS_CAP_SYS_ADMIN) || ks_cap_has(mask, KS_CAP_PERFMON);
}

enum ks_status ks_diagnose(const struct ks_ctx *ctx, const struct ks_host *h,
			   const struct ks_diagnosis **out, struct ks_err *err)
{
	struct ks_arena *a = ctx->run;
	struct ks_diagnosis *d = KS_ARENA_NEW(a, struct ks_diagnosis);
	struct ks_desk k = {
		.a = a,
		.h = h,
		.d = d,
		.check = KS_ARENA_NEWS(a, struct ks_checkup, KS_DIAGNOSIS_CHECKS),
		.step = KS_ARENA_NEWS(a, struct ks_todo, KS_DIAGNOSIS_STEPS),
		.cap_now = h->caps_read && either(h->cap_eff),
		.cap_in_bounds = h->caps_read && either(h->cap_bnd),
	};
	struct ks_counter_reading r;

	*out = d;
	if (d != NULL && k.check != NULL && k.step != NULL) {
		ks_counters_reading(h, &r);
		d->host = h;
		d->ok = h->tool[KS_TOOL_NSYS].path.n > 0;
		d->counters = ks_counters_state(&r);
		ks_counters_note(h, d->counters, a, &d->note);
		d->check = k.check;
		d->step = k.step;
		find_first(&k);
		ks_desk_checks(&k);
		ks_desk_tool_checks(&k);
		ks_desk_steps(&k);
		ks_desk_offers(&k);
	}
	return ks_arena_failed(a) ? ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_HOST_MEMORY, NULL)
				  : KS_OK;
}
