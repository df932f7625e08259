/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report that was read back says of its run beside its rows (contract 03 §4, "meta"), or a
 * file that was given beside a trace: as it stands there, with nothing added and nothing judged. A
 * number that is not there is KS_V_NONE, a text "".
 */
#ifndef KS_EVIDENCE_CARRIED_H
#define KS_EVIDENCE_CARRIED_H

#include "evidence/store.h"

struct ks_env_refusal { /* something of the environment that could not be had */
	ks_str slug, message;
};

struct ks_prescription {
	size_t n;		   /* entries of the ranked list */
	ks_str kernel, confidence; /* of the first one */
	struct ks_value pct_lo, pct_hi;
	ks_str currency;
	struct ks_value total_per_hour, total_per_mtok;
	ks_str refusal, refusal_message; /* codes: why the list is empty, why there is no money */
	ks_str money_refusal, money_refusal_message;
};

struct ks_truth { /* a comparison with a real .ncu-rep */
	ks_str version;
	int64_t actions, compared, total;
	struct ks_value max_abs_err_pct;
};

/* What a selftest found on that machine; each may be missing. */
struct ks_selfcheck {
	ks_str gpu;		       /* on which GPU; "" unknown */
	const struct ks_kv *dram_band; /* error band of DRAM bytes in % */
	size_t n_dram_band;
	double dram_mdd_pct, kernel_time_mdd_pct; /* < 0: not known */
};

struct ks_carried {
	ks_str currency;	     /* label of money ("CNY"), of the first row that has one */
	ks_str per_hour, per_mtoken; /* "CNY/h", "CNY/Mtoken"; "" without a label */
	ks_str clock_lock;  /* "locked", "unlocked", "unknown"; "" when it is not mentioned */
	ks_str calibration; /* "name:hash" of the file */
	ks_str peaks;	    /* "none", "calibration" or "override" */
	ks_str memtrace_name, memtrace_sha256;
	const struct ks_env_refusal *env;
	size_t n_env;
	const struct ks_prescription *prescription; /* NULL: none was made */
	const struct ks_truth *truth;		    /* NULL: none was compared */
	const struct ks_selfcheck *selfcheck;	    /* NULL: none was given */
};

#endif
