/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: the bench on which evidence rows of one kernel, or of the device, are put
 * together into sections. The store makes the rows; this keeps them in order.
 */
#ifndef KS_ANALYZE_EMIT_H
#define KS_ANALYZE_EMIT_H

#include "analyze/analysis.h"
#include "analyze/configocc.h"

struct ks_emit {
	struct ks_analysis *a;
	struct ks_report *r;
	struct ks_store *ev;
	ks_str table;	   /* origin of kernel rows */
	ks_str all_tables; /* of kernels, copies and memsets */
	struct ks_msg by_time, by_config, by_limits, by_union, by_sum; /* sources, made once */
	/* of the kernel at work */
	struct ks_kernel_work *k;	  /* NULL: the device */
	const struct ks_code_found *code; /* NULL: no file of device code was given */
	ks_str subject;
	ks_id sum, count, grid, block, regs, static_smem, dynamic_smem, dominant;
	/* of the section at work */
	ks_id *row;
	size_t n_rows, row_cap;
	/* finished sections */
	struct ks_section_rows section[KS_SECTION_COUNT];
	size_t n_sections;
	struct ks_section_rows *finished; /* what ks_emit_sections returned last */
};

void ks_emit_init(struct ks_emit *e, struct ks_analysis *a, struct ks_report *r);
void ks_emit_release(struct ks_emit *e);
void ks_emit_subject(struct ks_emit *e, struct ks_kernel_work *k, ks_str subject);

/* A spec with source and origin filled in; rows: how many rows of the table went into it. */
struct ks_ev_spec ks_emit_spec(const struct ks_emit *e, enum ks_metric metric, struct ks_msg source,
			       const char *columns, uint64_t rows);
/* Appends a row to the section at work; returns it. */
ks_id ks_emit_row(struct ks_emit *e, ks_id id);
/* A refusal with the metric's own code: of planned rows and of those that need counters. `key` may
 * be NULL; else what was seen. */
ks_id ks_emit_no(struct ks_emit *e, enum ks_metric metric, const char *key, struct ks_value seen);
ks_id ks_emit_refuse(struct ks_emit *e, enum ks_metric metric, enum ks_refusal code,
		     enum ks_text why);
/* Ends the section; nothing happens when it has no row. */
void ks_emit_section(struct ks_emit *e, enum ks_section section, struct ks_msg note);
/* The finished sections as they go into the report. */
const struct ks_section_rows *ks_emit_sections(struct ks_emit *e, size_t *n);

/* sec_kernel.c */
void ks_emit_duration(struct ks_emit *e);
void ks_emit_launch_stats(struct ks_emit *e);
void ks_emit_launch_configs(struct ks_emit *e);
/* sec_occupancy.c */
void ks_emit_occupancy(struct ks_emit *e);
ks_id ks_emit_config_occupancy(struct ks_emit *e, const struct ks_ev_spec *spec,
			       const struct ks_config_occ *occ);
/* sec_device.c */
void ks_emit_device_statistics(struct ks_emit *e);
void ks_emit_no_kernels(struct ks_emit *e);
/* sec_family.c */
void ks_emit_families(struct ks_emit *e);
/* sec_findings.c */
void ks_emit_findings(struct ks_emit *e);
/* sec_telemetry.c */
void ks_emit_telemetry(struct ks_emit *e);
/* sec_nvtx.c */
void ks_emit_nvtx_phases(struct ks_emit *e);

#endif
