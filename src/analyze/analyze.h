/* SPDX-License-Identifier: Apache-2.0
 *
 * Turns the stream of a trace into one report: statistics, configurations, occupancy, devices,
 * unions, and their evidence. Opens no file and prints nothing; memory does not grow with launches.
 *
 *     struct ks_analysis *a = ks_analysis_open(ctx, &sel);
 *     source->stream(ctx, path, ks_analysis_sink(a), err);
 *     ks_analysis_finish(a, &report, err);
 */
#ifndef KS_ANALYZE_ANALYZE_H
#define KS_ANALYZE_ANALYZE_H

#include "base/ctx.h"
#include "evidence/report.h"
#include "model/code.h"
#include "model/trace.h"

enum ks_name_base { KS_NAMES_DEFAULT, KS_NAMES_DEMANGLED, KS_NAMES_FUNCTION, KS_NAMES_MANGLED };

struct ks_selection {
	ks_str input;  /* the option that names the input, as shell words; "" unknown */
	ks_str kernel; /* -k as given; "" = all. regex:... searches, else exact */
	enum ks_name_base
		base; /* DEFAULT: match the function name, group and show by demangled name */
	uint64_t launch_skip,
		launch_count; /* -s, -c (0 = all): per kernel name; display of launches only */
	bool count_globally;  /* ncu mode: -s/-c over all matching launches in time order */
	uint64_t skip_before_match;
	const int64_t *device; /* --devices */
	size_t n_devices;
	unsigned sections;		   /* unused bits free: see section_on */
	bool section_on[KS_SECTION_COUNT]; /* from --set and --section */
	/* The timeline: on when one of its sections is (settled by the command line, because
	 * --section alone must not read further tables). The rest ask for parts of it. */
	bool timeline;
	ks_str within;	    /* --within as given; "" = the whole trace */
	bool by_overlap;    /* --ks-nvtx overlap */
	ks_str step_name;   /* --ks-step; "" = look for steps */
	const ks_str *comm; /* --ks-comm: further patterns of communication kernels */
	size_t n_comm;
	const ks_str *family; /* --ks-family: rules that come first, NAME=PATTERN */
	size_t n_families;
	const ks_str *rule; /* --ks-rule, for the decisions: see verdict/findings.h */
	size_t n_rules;
	bool keep_phases; /* every phase, both readings: --format nvtx-csv */
	bool keep_paths, keep_folded, keep_slices, draw_timeline, draw_durations;
	bool draw_occupancy;  /* --format occupancy-svg, occupancy-csv: fill report->occupancy */
	uint64_t slice_limit; /* --ks-timeline-limit; 0 = none */
	unsigned lanes;	      /* bit (1 << enum ks_lane_kind): --ks-tracks; 0 = all */
	bool keep_launches;   /* --launch-csv, --ks-json-launches: fill report->launches */
	ks_str dtype, window_mode, ledger_basis;
	double warmup_s, window_s;
	const struct ks_telemetry *telemetry; /* --ks-telemetry, as it was read; NULL: not given */
	bool asked_cost;		      /* --cost: for the decisions, not for the analysis */
	const struct ks_code *code;	      /* --ks-cubin, read; NULL: not given */
	bool code_alone;		      /* and there is no recording beside it */
	const char *selfcheck; /* --ks-selfcheck, for the decisions as well; NULL: not given */
};

struct ks_analysis;

/* NULL when out of memory. `sel` must outlive the analysis. */
struct ks_analysis *ks_analysis_open(const struct ks_ctx *ctx, const struct ks_selection *sel);
void ks_analysis_close(struct ks_analysis *a);
const struct ks_sink *ks_analysis_sink(struct ks_analysis *a);
/* Builds evidence and report in ctx->run, runs the sanity pass. Errors: KS_E_NOMATCH (-k or
 * --devices match nothing; text lists the nearest names), KS_E_INPUT when the trace holds nothing
 * usable. The report borrows from `a` (launches): close `a` after the last renderer. */
enum ks_status ks_analysis_finish(struct ks_analysis *a, struct ks_report **report,
				  struct ks_err *err);

#endif
