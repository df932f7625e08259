/* SPDX-License-Identifier: Apache-2.0
 *
 * Which sections a report has and who makes them. A section that is asked for is never left out in
 * silence: it has values, or the refusal of what it would need.
 */
#include "analyze/evidence.h"

#include "analyze/emit.h"
#include "analyze/sanity.h"
#include "base/str.h"

struct producer {
	enum ks_section section;
	void (*emit)(struct ks_emit *e);
};

static void emit_speed_of_light(struct ks_emit *e)
{
	ks_emit_no(e, KS_METRIC_EST_ACHIEVED_TFLOPS, "peaks_provided", KS_VAL_BOOL(false));
	ks_emit_no(e, KS_METRIC_SM_THROUGHPUT_AVG_PCT_OF_PEAK_SUSTAINED_ELAPSED, NULL, KS_VAL_NONE);
	ks_emit_section(e, KS_SECTION_SPEEDOFLIGHT, (struct ks_msg){ 0 });
}

static void emit_instruction_stats(struct ks_emit *e)
{
	if (e->code != NULL)
		ks_emit_code_mix(e);
	else
		ks_emit_refuse(e, KS_METRIC_KS_STATIC_SASS_INSTRUCTIONS, KS_REFUSAL_NO_STATIC_INPUT,
			       KS_TEXT_NONE);
	ks_emit_no(e, KS_METRIC_SMSP_INST_EXECUTED_SUM, NULL, KS_VAL_NONE);
	ks_emit_section(e, KS_SECTION_INSTRUCTIONSTATS, (struct ks_msg){ 0 });
}

static void emit_memory_trace(struct ks_emit *e)
{
	ks_emit_no(e, KS_METRIC_MEAS_SECTORS_PER_REQUEST, NULL, KS_VAL_NONE);
	ks_emit_section(e, KS_SECTION_MEMORYTRACE, (struct ks_msg){ 0 });
}

static void emit_dram_traffic(struct ks_emit *e)
{
	ks_emit_no(e, KS_METRIC_EST_DRAM_BYTES_TOTAL, "nvml_samples", KS_VAL_INT(0));
	ks_emit_section(e, KS_SECTION_DRAMTRAFFIC, (struct ks_msg){ 0 });
}

/* The rest either need counters (their status row) or were not asked for (costs, telemetry, truth).
 */
static const struct producer producers[] = {
	{ KS_SECTION_DURATION, ks_emit_duration },
	{ KS_SECTION_LAUNCHSTATS, ks_emit_launch_stats },
	{ KS_SECTION_LAUNCHCONFIGS, ks_emit_launch_configs },
	{ KS_SECTION_OCCUPANCY, ks_emit_occupancy },
	{ KS_SECTION_SPEEDOFLIGHT, emit_speed_of_light },
	{ KS_SECTION_INSTRUCTIONSTATS, emit_instruction_stats },
	{ KS_SECTION_MEMORYTRACE, emit_memory_trace },
	{ KS_SECTION_DEVICESTATISTICS, ks_emit_device_statistics },
	{ KS_SECTION_DRAMTRAFFIC, emit_dram_traffic },
	{ KS_SECTION_COMMLEDGER, ks_emit_comm_ledger },
	{ KS_SECTION_NVTXPHASES, ks_emit_nvtx_phases },
	{ KS_SECTION_STATICCODE, ks_emit_static_code },
	{ KS_SECTION_TELEMETRY, ks_emit_telemetry },
};

static void emit_section(struct ks_emit *e, enum ks_section section)
{
	const struct ks_section_info *info = ks_section_info(section);

	for (size_t i = 0; i < KS_ARRAY_LEN(producers); i++) {
		if (producers[i].section == section) {
			producers[i].emit(e);
			return;
		}
	}
	if (info->needs == KS_REFUSAL_NONE || info->status_metric == KS_METRIC_NONE)
		return;
	ks_emit_no(e, info->status_metric, "section", KS_VAL_TEXT(ks_str_c(info->name)));
	ks_emit_section(e, section, (struct ks_msg){ 0 });
}

static void emit_all(struct ks_emit *e, enum ks_owner owner)
{
	for (unsigned s = KS_SECTION_NONE + 1; s < KS_SECTION_COUNT; s++) {
		if (e->a->sel->section_on[s] && ks_section_info((enum ks_section)s)->owner == owner)
			emit_section(e, (enum ks_section)s);
	}
}

static void fill_kernel(struct ks_emit *e, struct ks_kernel *out, size_t i)
{
	struct ks_kernel_work *k = &e->a->kernel[i];

	*out = (struct ks_kernel){
		.name = k->name,
		.base = k->base,
		.mangled = k->mangled,
		.n_names = k->n_names,
		.launches = k->launches,
		.total_ns = (ks_ns)k->total_ns,
		.min_ns = k->min_ns,
		.max_ns = k->max_ns,
		.mean_ns = (double)(k->total_ns + k->cut_ns) / (double)k->launches,
		.share_pct = 100.0 * (double)k->total_ns / (double)e->a->kernel_ns,
		.bad_rows = k->bad_rows,
		.graph_launches = k->graph_launches,
		.mixed_config = k->n_configs > 1,
		.config = k->config,
		.n_configs = k->n_configs,
		.place = k->place,
		.n_places = k->n_places,
		.log_key = (uint32_t)i,
	};
	ks_emit_subject(e, k, k->name);
	e->code = e->a->code_found ? &e->a->code_found[i] : NULL;
	emit_all(e, KS_OWNER_KERNEL);
	out->section = ks_emit_sections(e, &out->n_sections);
}

/* A kernel that nothing launched: all that is known of it is in its code. */
static void fill_code(struct ks_emit *e, struct ks_kernel *out, size_t i)
{
	const struct ks_code_entry *entry = e->a->code_kernel[i];
	struct ks_redact *redact = e->a->ctx->redact;

	*out = (struct ks_kernel){
		.name = ks_code_title(e->a, entry),
		.base = ks_redact_name(redact, KS_NAME_KERNEL, entry->base),
		.mangled = ks_redact_name(redact, KS_NAME_KERNEL, entry->f->name),
		.n_names = 1,
	};
	ks_emit_subject(e, NULL, out->name);
	ks_emit_code_kernel(e, entry);
	out->section = ks_emit_sections(e, &out->n_sections);
}

static void fill_device(struct ks_emit *e, struct ks_kernel *out)
{
	*out = (struct ks_kernel){ .name = KS_LIT("(device)"),
				   .base = KS_LIT("(device)"),
				   .is_device = true };
	ks_emit_subject(e, NULL, out->name);
	if (e->a->n_kernels == 0 && e->a->sel->section_on[KS_SECTION_DURATION])
		ks_emit_no_kernels(e);
	/* device code says nothing about a device: no copies, no idle time */
	if (e->a->sel->code_alone && e->a->sel->section_on[KS_SECTION_STATICCODE])
		ks_emit_static_code(e);
	else if (!e->a->sel->code_alone)
		emit_all(e, KS_OWNER_DEVICE);
	out->section = ks_emit_sections(e, &out->n_sections);
}

/* Worst provenance of the rows that have a value, and how many have none; after the sanity pass. */
static void summarise(const struct ks_store *ev, struct ks_section_rows *s)
{
	int worst = ks_prov_rank(KS_PROV_UNAVAILABLE);

	s->prov = KS_PROV_UNAVAILABLE;
	for (size_t i = 0; i < s->n; i++) {
		const struct ks_ev *row = ks_ev_get(ev, s->row[i]);

		if (!row)
			continue;
		if (row->prov == KS_PROV_UNAVAILABLE)
			s->n_refused++;
		else if (ks_prov_rank(row->prov) < worst) {
			worst = ks_prov_rank(row->prov);
			s->prov = row->prov;
		}
	}
}

static void summarise_all(const struct ks_report *r, struct ks_section_rows **sections)
{
	for (size_t k = 0; k < r->n_kernels; k++) {
		for (size_t i = 0; i < r->kernel[k].n_sections; i++)
			summarise(r->ev, &sections[k][i]);
	}
}

static enum ks_status status(const struct ks_analysis *a, const struct ks_report *r,
			     struct ks_err *err)
{
	KS_TRY(ks_store_status(r->ev, err));
	if (a->no_memory || ks_arena_failed(a->arena))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "evidence", NULL);
	return KS_OK;
}

static void fill_all(struct ks_emit *e, struct ks_kernel *kernel, struct ks_section_rows **sections)
{
	size_t n = 0;

	for (size_t i = 0; i < e->a->n_kernels; i++) {
		fill_kernel(e, &kernel[n], i);
		sections[n++] = e->finished;
	}
	for (size_t i = 0; i < e->a->n_code_kernels; i++) {
		fill_code(e, &kernel[n], i);
		sections[n++] = e->finished;
	}
	fill_device(e, &kernel[n]);
	sections[n] = e->finished;
}

enum ks_status ks_evidence_build(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	const size_t n = a->n_kernels + a->n_code_kernels + 1;
	struct ks_kernel *kernel = KS_ARENA_NEWS(a->arena, struct ks_kernel, n);
	struct ks_section_rows **sections = KS_ARENA_NEWS(a->arena, struct ks_section_rows *, n);
	struct ks_emit e;

	if (!kernel || !sections)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "evidence", NULL);
	ks_emit_init(&e, a, r);
	fill_all(&e, kernel, sections);
	r->kernel = kernel;
	r->n_kernels = n;
	ks_emit_release(&e);
	KS_TRY(status(a, r, err));
	ks_sanity_check(r);
	summarise_all(r, sections);
	return status(a, r, err);
}
