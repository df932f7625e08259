/* SPDX-License-Identifier: Apache-2.0
 *
 * The one finished report every renderer reads. Built by analyze (from a trace) or source/ksreport
 * (from a .ksreport.json); decisions are added by verdict. Plain data in the run arena; numbers
 * inside sections are ids of the evidence store.
 */
#ifndef KS_EVIDENCE_REPORT_H
#define KS_EVIDENCE_REPORT_H

#include "evidence/carried.h"
#include "base/redact.h"
#include "evidence/occ_picture.h"
#include "evidence/store.h"
#include "evidence/telemetry.h"
#include "evidence/timeline.h"

struct ks_config {  /* one launch configuration of one kernel */
	ks_str key; /* grid4096x1x1_block512x1x1_smem0[_static..][_regs..][_cluster..], unique in
		       the kernel */
	int64_t grid[3], block[3];
	int64_t regs, static_smem, dynamic_smem; /* KS_UNKNOWN when not recorded */
	int64_t cluster[3];			 /* 0 0 0: no cluster */
	uint64_t launches;
	ks_ns total_ns, min_ns, max_ns; /* total: of what is in the window */
	ks_ns whole_ns;			/* the same launches with what is outside it */
	double mean_ns;			/* of whole launches */
	ks_id occupancy_pct;		/* evidence row, 0 when none was made */
};

struct ks_section_rows {
	enum ks_section section;
	enum ks_prov prov; /* worst of its rows that have a value */
	ks_str name;	   /* as printed; for re-read sections we do not know */
	struct ks_msg note;
	const ks_id *row;
	size_t n;
	size_t n_refused;
};

struct ks_place {   /* where launches of one kernel ran, over all contexts */
	size_t gpu; /* index in gpus */
	int64_t pid, stream;
	uint64_t launches;
	ks_ns total_ns;
};

struct ks_kernel {
	ks_str name;	   /* grouping name: demangled unless --kernel-name-base says otherwise */
	ks_str base;	   /* function name: what -k matches */
	ks_str mangled;	   /* "" if unknown */
	uint32_t n_names;  /* full names merged in this row (1 unless grouped by function) */
	bool is_device;	   /* the pseudo kernel "(device)", always last */
	uint64_t launches; /* 0: of device code alone; those stand behind the others */
	ks_ns total_ns, min_ns, max_ns;
	double mean_ns;
	double share_pct; /* of all kernel time of the selected devices */
	uint64_t bad_rows;
	uint64_t graph_launches;
	bool mixed_config;
	const struct ks_config *config;
	size_t n_configs;
	const struct ks_place *place; /* by total time descending, then device, process, stream */
	size_t n_places;
	const struct ks_section_rows *section;
	size_t n_sections;
	uint32_t log_key; /* handle for ks_launch_log; internal */
};

struct ks_gpu {	       /* a physical device as the trace describes it */
	int64_t label; /* N of ks__device_N__...; shown as device id */
	ks_str name, uuid, bus, driver, chip;
	int cc_major, cc_minor; /* -1 unknown */
	int64_t sm_count, l2_bytes, memory_bytes, memory_bandwidth,
		max_sm_clock_mhz; /* KS_UNKNOWN */
	double power_limit_w;	  /* < 0 unknown */
	bool used;		  /* has launches, copies or memsets */
	bool resolved;		  /* matched to a row of the trace's device tables */
	struct ks_msg how;	  /* how it was matched, or why not */
	uint64_t launches;
	ks_ns kernel_ns, kernel_busy_ns, busy_ns, idle_ns;
};

struct ks_process { /* and streams: for tables on screen; the evidence has the same numbers */
	int64_t pid;
	ks_str name;
	uint64_t launches;
	ks_ns kernel_ns;
};
struct ks_stream {
	size_t gpu; /* index in gpus */
	int64_t pid, stream;
	uint64_t launches;
	ks_ns kernel_ns;
};

struct ks_holding { /* a table of the input and what became of it */
	ks_str table;
	int64_t rows;  /* -1: a view or not countable */
	bool analysed; /* false: named, not read; the reader is told so */
};

struct ks_source_line { /* entries of "sources" */
	ks_str key;
	struct ks_msg text;
};

struct ks_diagnostic { /* the profiler's own messages (DIAGNOSTIC_EVENT) */
	int severity;  /* 1 info, 2 warning, 3 error */
	ks_str text;
	uint64_t count; /* identical texts folded */
};

struct ks_launch_view { /* one launch, as per-launch outputs print it */
	ks_str kernel;
	uint64_t index; /* within the kernel, by start */
	const struct ks_config *config;
	ks_ns start_ns, end_ns;
	int64_t stream, device;
};
/* Per-launch rows in order, kernel by kernel, without holding them all. NULL in the report unless
 * asked for. next: *got false at the end of the kernel. */
struct ks_launch_log {
	void *self;
	enum ks_status (*rewind)(void *self, const struct ks_kernel *k, struct ks_err *err);
	enum ks_status (*next)(void *self, struct ks_launch_view *row, bool *got,
			       struct ks_err *err);
};

/* What the trace holds besides kernels, for files that have none and for the header of all. */
struct ks_contents {
	uint64_t kernels, bad_kernels, copies, bad_copies, memsets, bad_memsets, nvtx_rows,
		api_calls;
	uint64_t copy_bytes, memset_bytes; /* over rows with a known size */
	uint64_t graph_launches;	   /* kernel rows that belong to a CUDA graph */
	uint64_t graph_rows;		   /* CUPTI_ACTIVITY_KIND_GRAPH_TRACE rows */
	uint64_t skipped;		   /* by --launch-skip-before-match */
	enum ks_no_kernels {
		KS_NK_NONE,
		KS_NK_NOT_TRACED,
		KS_NK_NOTHING_RECORDED,
		KS_NK_NO_DRIVER,
		KS_NK_GRAPH_ONLY,
		KS_NK_NOT_A_TABLE, /* a view or virtual table in its place, never read */
		KS_NK_CODE_ONLY,   /* device code was read, and no recording */
		KS_NK_NO_TRACE	   /* no recording was given */
	} why_no_kernels;
};

struct ks_verdicts; /* verdict/verdict.h */

struct ks_report {
	struct ks_store *ev;
	ks_str tool, tool_version; /* of the program that made the report (re-read: theirs) */
	ks_str generated_at;	   /* ISO; re-read: theirs */
	ks_str input_path;	   /* as given; "" for the synthetic trace */
	ks_str producer;	   /* "nsys 2023.3.1.92, schema 3.4.0"; "" unknown */
	bool synthetic, reread;
	enum ks_redact_mode redacted;
	ks_str degraded; /* meta.degraded, "" none */

	const struct ks_gpu *gpu; /* used ones first, by label */
	size_t n_gpus, n_gpus_used;
	bool multi_device, multi_process;
	const struct ks_process *process;
	size_t n_processes;
	const struct ks_stream *stream;
	size_t n_streams;

	ks_ns span_start_ns, span_ns; /* DESIGN §2.7; span_ns 0 when there are no rows with time */
	bool span_from_other_rows;    /* no kernel, copy or memset: span over the rows there are */
	ks_ns capture_ns; /* ANALYSIS_DETAILS duration; 0 unknown; never a denominator */
	ks_ns kernel_ns;  /* all kernel time of the selected devices: denominator of shares */
	ks_ns matched_ns; /* of the kernels below */
	uint64_t total_launches; /* of the selected devices */
	size_t total_kernels;	 /* distinct names before -k */

	const struct ks_kernel
		*kernel; /* selected ones by total time descending, then name; (device) last */
	size_t n_kernels;

	struct ks_contents contents;
	const struct ks_holding *holding;
	size_t n_holdings;
	const struct ks_diagnostic *diagnostic;
	size_t n_diagnostics;
	const struct ks_source_line *source;
	size_t n_sources;
	const struct ks_msg *note; /* remarks about the whole run, in order of weight */
	size_t n_notes;

	/* the part of the command line that is protocol: meta and hash */
	ks_str dtype, kernel_filter, ledger_basis, window_mode;
	ks_str within; /* --within as given; "" = the whole trace */
	double warmup_s, window_s;

	const struct ks_telemetry *telemetry;	  /* NULL: not asked for, or a re-read report */
	const struct ks_tel_join *telemetry_join; /* of each of its devices */

	const struct ks_timeline *timeline; /* NULL: not asked for, or a re-read report */
	ks_str raw_timeline; /* re-read: the timeline object as JSON text, to be written back; "" */
	const struct ks_occ_picture *occupancy; /* NULL unless asked for */
	const struct ks_launch_log *launches;	/* NULL unless per-launch output was asked for */
	const struct ks_verdicts *verdicts;	/* added by verdict; NULL before */
	ks_str raw_meta; /* re-read: the meta object as JSON text, to be written back; else "" */
	const struct ks_carried *carried; /* what is known beside the rows; NULL: nothing */
	const ks_str *rule;		  /* --ks-rule as given */
	size_t n_rules;
	bool asked_cost; /* decide on money although no price or tokens were given (--cost) */
};

#endif
