/* SPDX-License-Identifier: Apache-2.0
 *
 * What the readings of a host mean for somebody who wants to profile there: checks, the finding
 * that matters most, what the user can mend and what only the owner of the host can. Pure; every
 * sentence is a row of the text table with its arguments.
 */
#ifndef KS_VERDICT_DIAGNOSIS_H
#define KS_VERDICT_DIAGNOSIS_H

#include "base/ctx.h"
#include "verdict/counters.h"

enum ks_check_state { KS_CHECK_OK, KS_CHECK_WARN, KS_CHECK_FAIL };
enum ks_check_group {
	KS_CHECKS_HOST,
	KS_CHECKS_HARDWARE,
	KS_CHECKS_POLICY,
	KS_CHECKS_PERMISSIONS,
	KS_CHECKS_TOOLCHAIN,
	KS_CHECKS_OPTIONAL,
	KS_CHECKS_COUNTERS,
	KS_CHECKS_COUNT
};

struct ks_checkup {
	enum ks_check_group group;
	enum ks_check_state state;
	const char *id;			    /* "nvlink": the same in every language */
	struct ks_msg name, detail, impact; /* id KS_TEXT_NONE: nothing to say */
};

struct ks_todo {
	bool host; /* only the owner of the host can do it */
	struct ks_msg text;
	ks_str command; /* to copy; "" when there is none that fits every machine */
};

struct ks_offer { /* what can be had here, by provenance */
	enum ks_prov prov;
	const struct ks_msg *item;
	size_t n;
	struct ks_msg reason; /* why it is not more */
};

struct ks_diagnosis {
	const struct ks_host *host;
	bool ok; /* there is a way to record */
	enum ks_counter_state counters;
	struct ks_counter_note note;
	struct ks_msg first; /* the finding that matters most */
	enum ks_check_state first_state;
	const struct ks_checkup *check; /* by group */
	size_t n_checks;
	const struct ks_todo *step; /* the user's first */
	size_t n_steps;
	const struct ks_msg
		*letter; /* to an administrator, line by line; none when nothing is asked */
	size_t n_letter;
	const struct ks_offer *offer;
	size_t n_offers;
	const struct ks_msg *plan; /* how a run gets recorded here */
	size_t n_plan;
};

/* In ctx->run; points into `h`. KS_E_ENV when memory runs out. */
enum ks_status ks_diagnose(const struct ks_ctx *ctx, const struct ks_host *h,
			   const struct ks_diagnosis **d, struct ks_err *err);

const char *ks_check_state_name(enum ks_check_state s); /* "ok", "warn", "fail" */
const char *ks_check_group_name(enum ks_check_group g); /* "host" ... "counters" */

#endif
