/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: what an analysis holds while rows stream in, and the kernels made of it
 * once the names are known.
 */
#ifndef KS_ANALYZE_ANALYSIS_H
#define KS_ANALYZE_ANALYSIS_H

#include "analyze/analyze.h"
#include "analyze/busy.h"
#include "analyze/calls.h"
#include "analyze/code.h"
#include "analyze/comm.h"
#include "analyze/copies.h"
#include "analyze/family.h"
#include "analyze/launch.h"
#include "analyze/launchlog.h"
#include "analyze/ranges.h"
#include "analyze/select.h"
#include "analyze/slices.h"
#include "analyze/sweep.h"
#include "analyze/window.h"
#include "base/map.h"
#include "base/sorter.h"
#include "model/device.h"

/* A configuration while it is being built: the groups that make it up. */
struct ks_config_groups {
	const uint32_t *group;
	size_t n;
};

/* A kernel: every group whose name is the same. Statistics are those of the groups on selected
 * devices, without launches skipped by --launch-skip-before-match. */
struct ks_kernel_work {
	ks_str name, base, mangled;
	uint32_t n_names;
	const uint32_t *group; /* selected groups, those with launches first */
	size_t n_groups;
	uint64_t launches, total_ns, bad_rows, graph_launches;
	uint64_t cut_ns; /* of its launches, outside the window */
	ks_ns min_ns, max_ns;
	struct ks_config *config;	       /* by launches descending, then key */
	struct ks_config_groups *config_group; /* beside config */
	size_t n_configs;
	const struct ks_place *place;
	size_t n_places;
};

struct ks_device_work { /* totals of one entry of ks_devices */
	bool selected, used;
	uint64_t launches, kernel_ns, bad_rows;
	uint64_t copies, memsets;
	size_t gpu;	  /* index in report->gpu once that is made */
	uint64_t kernels; /* distinct kernel names */
};

struct ks_device_rows {
	uint64_t copies, memsets;
};

struct ks_skip_key { /* orders launches for --launch-skip-before-match */
	int64_t start, device, stream, correlation;
};

struct ks_only_stream { /* of some rows: the only one, unless there are none or several */
	int64_t process, context, stream;
	bool any, several;
};

struct ks_analysis {
	const struct ks_ctx *ctx;
	const struct ks_selection *sel;
	struct ks_sink sink;
	struct ks_arena *arena; /* ctx->run */

	/* facts of the trace */
	struct ks_trace_meta meta;
	struct ks_devices devices;
	struct ks_trace_process *process;
	size_t n_processes, process_cap;
	struct ks_holding *holding;
	size_t n_holdings, holding_cap;
	struct ks_diagnostic *diagnostic;
	size_t n_diagnostics, diagnostic_cap;
	uint64_t diagnostics_left_out;

	/* rows */
	struct ks_launches launches;
	struct ks_busy *busy;
	struct ks_launchlog *log;
	struct ks_sorter *skip_keys;
	struct ks_skip_key skip_last; /* launches up to here are skipped */
	bool skip_all;
	/* the timeline: NULL unless sel->timeline */
	struct ks_window_spec window_spec;
	struct ks_window window;
	struct ks_ranges *ranges;
	struct ks_calls *calls;
	struct ks_sweep *sweep;
	struct ks_copies *copies;
	struct ks_comm *comm;
	struct ks_slices *slices; /* NULL unless kept */
	struct ks_steps steps;
	struct ks_trace_thread *thread;
	size_t n_threads, thread_cap;
	uint64_t no_call_launches;
	unsigned char *api_kind; /* by number of a name: 1 + enum ks_api_kind; 0: not asked */
	size_t api_kind_cap;
	uint64_t unnamed_calls;		    /* of which nobody could tell what they do */
	struct ks_only_stream *copy_stream; /* by device index: of its copies */
	size_t copy_stream_cap;
	struct ks_timeline *timeline; /* of the report, while it is made */
	struct ks_contents contents;
	ks_ns first_ns, last_ns; /* over good kernels, copies and memsets */
	bool any_rows, any_device, second_pass, no_memory;
	bool any_copies;		    /* in the whole trace, in the window or not */
	struct ks_device_rows *device_rows; /* by device index */
	size_t n_device_rows, device_rows_cap;
	int64_t last_process, last_ordinal; /* of the copy before, and its device */
	uint32_t last_device;

	/* names */
	struct ks_map refs;	/* ks_nameref -> number */
	ks_str *ref_text;	/* by number, for those told */
	size_t ref_cap, n_told; /* references already asked for */

	/* selection and results */
	struct ks_matcher *matcher;
	struct ks_device_work *device; /* beside devices.device */
	size_t n_devices;
	struct ks_kernel_work *kernel; /* matched ones, in report order */
	size_t n_kernels, total_kernels;
	ks_str *base; /* beside code: function names of all of them, those that -k leaves out too */
	struct ks_families *families; /* after the names */
	uint64_t bad_only_rows;	      /* bad rows of names that have no good one */
	ks_ns kernel_ns, matched_ns;
	uint64_t total_launches;
	uint32_t *kernel_of_group;

	/* device code: nothing without --ks-cubin */
	struct ks_codebook *codebook;
	struct ks_code_found *code_found;	  /* beside kernel */
	const struct ks_code_entry **code_kernel; /* shown as kernels: no recording was given */
	size_t n_code_kernels;
	struct ks_code_tally code_tally;
};

/* sink.c */
extern const struct ks_sink_ops ks_analysis_sink_ops;

/* group.c: names -> kernels -> configurations. */
enum ks_status ks_kernels_build(struct ks_analysis *a, struct ks_err *err);
/* Text of a name reference; "" for none. */
ks_str ks_analysis_text(const struct ks_analysis *a, ks_nameref ref);
/* ks_name_demangle; without memory the arena of the run fails, so that no name is another one. */
bool ks_analysis_demangle(const struct ks_analysis *a, ks_str mangled, struct ks_buf *out);
/* The launches of a kernel as one settled sketch; may be built in `own`, which the caller releases.
 * NULL: no memory. */
const struct ks_sketch *ks_kernel_sketch(const struct ks_analysis *a,
					 const struct ks_kernel_work *k, struct ks_sketch *own);

#endif
