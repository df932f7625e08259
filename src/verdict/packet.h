/* SPDX-License-Identifier: Apache-2.0
 *
 * The decision packet: at most 4096 bytes that hold every decision, its premises and where to go
 * next (contract 03 §3). Built from report->verdicts, trimmed step by step until it fits; what was
 * trimmed is listed inside. The screen is drawn from it, so both say the same.
 */
#ifndef KS_VERDICT_PACKET_H
#define KS_VERDICT_PACKET_H

#include "base/jsonw.h"
#include "verdict/verdict.h"

#define KS_PACKET_BYTES	       4096
#define KS_PACKET_VERDICTS     10
#define KS_PACKET_GROUPS       6
#define KS_PACKET_NEXT	       8 /* shown; KS_PACKET_NEXT_WRITTEN of them are in the file */
#define KS_PACKET_NEXT_WRITTEN 4
#define KS_PACKET_ENV	       8
#define KS_PACKET_FINDINGS     3
#define KS_PACKET_STEPS	       24

struct ks_packet_remedy {
	enum ks_refusal code;
	ks_str slug, action, command; /* "" once trimmed */
	enum ks_cost_kind cost_kind;
	double cost_s;
	bool degraded, cited;
};
struct ks_packet_finding { /* a known bad pattern with a bound */
	ks_str rule;	   /* slug of rules.def; of a read packet perhaps of another version */
	double share_pct;  /* of the span */
	double bound_ms;
	int64_t device; /* -1 unknown */
};
struct ks_packet_env { /* environment_refusals */
	ks_str slug, message;
};

struct ks_packet { /* the model after trimming; all text in the documents' language */
	const struct ks_report *report; /* of a packet that was read: only what a packet tells */
	struct ks_verdict_row verdict[KS_PACKET_VERDICTS];
	ks_str next_text[KS_PACKET_VERDICTS];
	size_t n_verdicts;
	ks_str more_verdict[32];	       /* ids dropped: verdicts_more */
	size_t n_more_verdicts, n_more_listed; /* listed < n: ids were trimmed as well */
	struct ks_unmeasured group[KS_PACKET_GROUPS];
	size_t n_groups;
	size_t more_groups, more_metrics; /* unmeasured_more */
	struct ks_packet_remedy *remedy;  /* what cited codes mean and what to do about them */
	size_t n_remedies;
	ks_str *omitted_code;		    /* refusals_omitted.codes: cited ones first */
	size_t n_omitted, n_omitted_listed; /* listed < n: codes_truncated */
	struct ks_next next[KS_PACKET_NEXT];
	ks_str next_hint[KS_PACKET_NEXT]; /* text of a hint, "" for a code */
	size_t n_next, n_next_written;
	struct ks_packet_finding finding[KS_PACKET_FINDINGS]; /* most first */
	size_t n_findings;
	struct ks_packet_env env[KS_PACKET_ENV];
	size_t n_env, more_env;
	ks_str more_env_code[KS_PACKET_ENV]; /* environment_refusals_more.codes */
	size_t n_more_env_codes;
	ks_str clock_lock;				    /* "" where nothing was said of it */
	ks_str calibration, memtrace_name, memtrace_sha256; /* inputs of the protocol; "" none */
	bool selftest_band;
	bool was_read; /* from a file: its sizes are the file's until it is written again */
	ks_str trimmed[KS_PACKET_STEPS], trimmed_id[32];
	size_t n_trimmed, n_trimmed_ids;
	bool over_budget;
	double wall_s; /* our own run time; 0 under SOURCE_DATE_EPOCH, so that files repeat */
	uint64_t report_bytes; /* 0: no report was written */
	ks_str report_path;
	size_t packet_bytes; /* equals the serialized size */
};

struct ks_packet_spec {
	double wall_s;
	uint64_t report_bytes;
	ks_str report_path; /* "" none */
	size_t budget;	    /* 0: KS_PACKET_BYTES */
};

/* Everything lives in ctx->run. */
enum ks_status ks_packet_make(const struct ks_ctx *ctx, const struct ks_report *report,
			      const struct ks_packet_spec *spec, struct ks_packet **packet,
			      struct ks_err *err);
/* The one serializer; compact, no trailing newline. A packet that was read is not trimmed again:
 * one that is larger than the budget says so. */
void ks_packet_write(const struct ks_ctx *ctx, const struct ks_packet *p, struct ks_out *out);

#endif
