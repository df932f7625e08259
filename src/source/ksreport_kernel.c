/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a report: configurations, sections and rows. Every row goes through the store's
 * one constructor for re-read rows, which checks it against the evidence rules; what we do not know
 * the name of is kept as text.
 */
#include <stdlib.h>

#include "base/num.h"
#include "base/str.h"
#include "source/ksreport.h"

static struct ks_remedy read_remedy(struct ks_reader *r, const json_t *o)
{
	struct ks_remedy m = { .cost_kind = KS_COST_MANUAL };
	const ks_str kind = ks_reader_text(r, o, "cost_kind");
	const json_t *answers = ks_reader_array(r, o, "then_answers");
	const size_t n = json_array_size(answers);
	ks_str *text = KS_ARENA_NEWS(r->arena, ks_str, n);

	m.action = ks_reader_msg(r, o, "action");
	m.command = ks_reader_text(r, o, "command");
	m.cost_s = ks_reader_real(r, o, "cost_s", 0.0);
	if (ks_str_eqc(kind, ks_cost_kind_name(KS_COST_WALL)))
		m.cost_kind = KS_COST_WALL;
	else if (ks_str_eqc(kind, ks_cost_kind_name(KS_COST_IMPOSSIBLE)))
		m.cost_kind = KS_COST_IMPOSSIBLE;
	if (!text) {
		ks_reader_no_memory(r);
		return m;
	}
	for (size_t i = 0; i < n; i++) {
		const json_t *v = json_array_get(answers, i);

		if (!json_is_string(v))
			ks_reader_wrong(r, "then_answers", KS_TEXT_SRC_SHAPE_TEXT);
		else
			text[m.n_answers++] = ks_arena_dup(
				r->arena, (ks_str){ json_string_value(v), json_string_length(v) });
	}
	m.answers = text;
	return m;
}

static const struct ks_refused *read_refusal(struct ks_reader *r, const json_t *row)
{
	const json_t *o = ks_reader_object(r, row, "refusal");
	struct ks_refused *f = o ? KS_ARENA_NEW(r->arena, struct ks_refused) : NULL;
	const size_t mark = ks_reader_enter(r, "refusal", KS_READER_NO_INDEX);

	if (f) {
		const ks_str code = ks_reader_text(r, o, "code");

		if (!ks_refusal_find(code, &f->code))
			f->read_code = code;
		f->severity = ks_str_eqc(ks_reader_text(r, o, "severity"), "degraded")
				      ? KS_SEV_DEGRADED
				      : KS_SEV_BLOCKING;
		f->message = ks_reader_msg(r, o, "message");
		f->observed = ks_reader_kvs(r, o, "observed", &f->n_observed);
		f->threshold = ks_reader_kvs(r, o, "threshold", &f->n_threshold);
		f->remedy = read_remedy(r, ks_reader_object(r, o, "remedy"));
		f->rule = ks_reader_text(r, o, "rule");
	} else if (o) {
		ks_reader_no_memory(r);
	}
	ks_reader_leave(r, mark);
	return f;
}

/* Ours is a number under a key of its own; the original has "0.2 s" as text. */
static void read_resolution(struct ks_reader *r, const json_t *row, ks_str unit,
			    struct ks_ev_spec *spec)
{
	const json_t *number = json_object_get(row, "resolution_value");
	ks_str text = json_is_string(json_object_get(row, "resolution"))
			      ? ks_reader_text(r, row, "resolution")
			      : KS_LIT("");

	if (number && !json_is_null(number)) {
		spec->has_resolution = true;
		spec->resolution = ks_reader_real(r, row, "resolution_value", 0.0);
		return;
	}

	const ks_str amount = ks_str_cut(&text, ' ');
	double value;

	if (amount.n && ks_num_parse_double(amount, &value) && value >= 0.0 &&
	    ks_str_eq(text, unit)) {
		spec->has_resolution = true;
		spec->resolution = value;
	}
}

static ks_id read_row(struct ks_reader *r, const json_t *row, ks_str subject)
{
	struct ks_ev_spec spec = { .subject = subject };
	const ks_str unit = ks_reader_text(r, row, "unit");
	const struct ks_value value = ks_reader_value(r, row, "value");
	const json_t *origin = ks_reader_object(r, row, "origin");
	enum ks_prov prov = KS_PROV_UNAVAILABLE;

	spec.name = ks_reader_text(r, row, "name");
	if (!spec.name.n)
		ks_reader_wrong(r, "name", KS_TEXT_SRC_SHAPE_TEXT);
	if (value.kind == KS_V_ARRAY || value.kind == KS_V_OBJECT)
		ks_reader_wrong(r, "value", KS_TEXT_SRC_SHAPE_REAL);
	spec.metric = ks_metric_find(spec.name);
	spec.source = ks_reader_msg(r, row, "source");
	spec.note = ks_reader_msg(r, row, "note");
	ks_reader_currency(r, unit);
	spec.origin.table = ks_reader_text(r, origin, "table");
	spec.origin.columns = ks_reader_text(r, origin, "columns");
	spec.origin.rows = ks_reader_count(r, origin, "rows");
	read_resolution(r, row, unit, &spec);
	if (!ks_prov_find(ks_reader_text(r, row, "provenance"), &prov))
		ks_reader_wrong(r, "provenance", KS_TEXT_SRC_SHAPE_TEXT);

	const struct ks_refused *refused = read_refusal(r, row);

	return r->failed ? 0 : ks_ev_reread(r->report->ev, &spec, prov, unit, value, refused);
}

static void read_section(struct ks_reader *r, const json_t *o, ks_str subject,
			 struct ks_section_rows *s)
{
	const json_t *rows = ks_reader_array(r, o, "metrics");
	const size_t n = json_array_size(rows);
	ks_id *id = KS_ARENA_NEWS(r->arena, ks_id, n);

	s->name = ks_reader_text(r, o, "name");
	if (!s->name.n)
		ks_reader_wrong(r, "name", KS_TEXT_SRC_SHAPE_TEXT);
	if (!ks_section_find(s->name, &s->section))
		s->section = KS_SECTION_NONE;
	s->note = ks_reader_msg(r, o, "note");
	s->prov = KS_PROV_UNAVAILABLE;
	if (!ks_prov_find(ks_reader_text(r, o, "provenance"), &s->prov))
		ks_reader_wrong(r, "provenance", KS_TEXT_SRC_SHAPE_TEXT);
	if (!id) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "metrics", i);
		const ks_id row = read_row(r, ks_reader_element(r, rows, i), subject);
		const struct ks_ev *ev = ks_ev_get(r->report->ev, row);

		if (ev) {
			id[s->n++] = row;
			s->n_refused += ev->refused != NULL;
		}
		ks_reader_leave(r, mark);
	}
	s->row = id;
}

static void read_sections(struct ks_reader *r, const json_t *o, struct ks_kernel *k)
{
	const json_t *list = ks_reader_array(r, o, "sections");
	const size_t n = json_array_size(list);
	struct ks_section_rows *section = KS_ARENA_NEWS(r->arena, struct ks_section_rows, n);
	if (!section) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "sections", i);

		read_section(r, ks_reader_element(r, list, i), k->name, &section[i]);
		ks_reader_leave(r, mark);
	}
	k->section = section;
	k->n_sections = n;
}

/* A mean that no sum of nanoseconds can have is worked out again. */
static double read_mean(struct ks_reader *r, const json_t *o, ks_ns total_ns, uint64_t launches)
{
	const double given = ks_reader_real(r, o, "mean_ns", -1.0);

	if (given >= 0.0 && given <= (double)(INT64_MAX / 2))
		return given;
	return launches > 0 ? (double)total_ns / (double)launches : 0.0;
}

static void read_config(struct ks_reader *r, const json_t *o, struct ks_config *c)
{
	c->key = ks_reader_text(r, o, "config");
	ks_reader_triple(r, o, "grid", c->grid);
	ks_reader_triple(r, o, "block", c->block);
	ks_reader_triple(r, o, "cluster", c->cluster);
	c->regs = ks_reader_int(r, o, "registers_per_thread", KS_UNKNOWN);
	c->static_smem = ks_reader_int(r, o, "static_smem_bytes", KS_UNKNOWN);
	c->dynamic_smem = ks_reader_int(r, o, "dynamic_smem_bytes", KS_UNKNOWN);
	c->launches = ks_reader_count(r, o, "launch_count");
	c->total_ns = ks_reader_int(r, o, "total_ns", 0);
	c->mean_ns = read_mean(r, o, c->total_ns, c->launches);
	c->min_ns = ks_reader_int(r, o, "min_ns", KS_UNKNOWN);
	c->max_ns = ks_reader_int(r, o, "max_ns", KS_UNKNOWN);
}

static void read_configs(struct ks_reader *r, const json_t *o, struct ks_kernel *k)
{
	const json_t *list = ks_reader_array(r, o, "launch_configs");
	const size_t n = json_array_size(list);
	struct ks_config *config = KS_ARENA_NEWS(r->arena, struct ks_config, n);

	if (!config) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "launch_configs", i);

		read_config(r, ks_reader_element(r, list, i), &config[i]);
		ks_reader_leave(r, mark);
	}
	if (n == 1 &&
	    config[0].min_ns == KS_UNKNOWN) { /* the original gives them for the kernel only */
		config[0].min_ns = k->min_ns;
		config[0].max_ns = k->max_ns;
	}
	k->config = config;
	k->n_configs = n;
}

static void read_kernel(struct ks_reader *r, const json_t *o, struct ks_kernel *k)
{
	k->name = ks_reader_text(r, o, "name");
	k->is_device = ks_str_eqc(k->name, "(device)");
	k->base = ks_reader_text(r, o, "function");
	k->mangled = ks_reader_text(r, o, "mangled");
	k->n_names = json_object_get(o, "full_names")
			     ? (uint32_t)ks_reader_count(r, o, "full_names")
			     : 1;
	k->launches = ks_reader_count(r, o, "launch_count");
	k->total_ns = ks_reader_int(r, o, "total_ns", 0);
	k->mean_ns = read_mean(r, o, k->total_ns, k->launches);
	k->min_ns = ks_reader_int(r, o, "min_ns", 0);
	k->max_ns = ks_reader_int(r, o, "max_ns", 0);
	k->mixed_config = ks_reader_bool(r, o, "mixed_config", false);
	k->share_pct = ks_reader_real(r, o, "share_pct", -1.0);
	k->bad_rows = ks_reader_count(r, o, "bad_rows");
	k->graph_launches = ks_reader_count(r, o, "graph_launches");
	read_configs(r, o, k);
	ks_reader_places(r, o, k);
	read_sections(r, o, k);
}

/* What the original leaves to be added up from its kernels. */
static void fill_totals(struct ks_report *p, struct ks_kernel *kernel, size_t n)
{
	int64_t sum = 0;
	uint64_t launches = 0;
	size_t kernels = 0;

	for (size_t i = 0; i < n; i++) {
		if (kernel[i].is_device || kernel[i].total_ns < 0 ||
		    sum > INT64_MAX - kernel[i].total_ns)
			continue;
		sum += kernel[i].total_ns;
		launches += kernel[i].launches;
		kernels++;
	}
	if (!p->kernel_ns) {
		p->kernel_ns = sum;
		p->matched_ns = sum;
	}
	if (!p->total_launches)
		p->total_launches = launches;
	if (!p->total_kernels)
		p->total_kernels = kernels;
	for (size_t i = 0; i < n; i++)
		if (kernel[i].share_pct < 0.0)
			kernel[i].share_pct =
				p->kernel_ns > 0 && !kernel[i].is_device
					? 100.0 * (double)kernel[i].total_ns / (double)p->kernel_ns
					: 0.0;
}

/* Most time first, the rows of the run as a whole last; what is equal stays as it stood. */
static int by_time(const void *x, const void *y)
{
	const struct ks_kernel *a = *(const struct ks_kernel *const *)x;
	const struct ks_kernel *b = *(const struct ks_kernel *const *)y;

	if (a->is_device != b->is_device)
		return a->is_device ? 1 : -1;
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return (a > b) - (a < b);
}

void ks_reader_sort(struct ks_reader *r)
{
	const size_t n = r->report->n_kernels;
	const struct ks_kernel **at = KS_ARENA_NEWS(r->arena, const struct ks_kernel *, n);
	struct ks_kernel *kernel = KS_ARENA_NEWS(r->arena, struct ks_kernel, n);

	if (!at || !kernel) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n; i++)
		at[i] = &r->report->kernel[i];
	qsort(at, n, sizeof(at[0]), by_time);
	for (size_t i = 0; i < n; i++)
		kernel[i] = *at[i];
	r->report->kernel = kernel; /* the launches keep those they were read with */
}

void ks_reader_kernels(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "kernels");
	const size_t n = json_array_size(list);
	struct ks_kernel *kernel = KS_ARENA_NEWS(r->arena, struct ks_kernel, n);
	struct ks_read_launches *launches = ks_reader_launches_open(r, n);

	if (!list)
		ks_reader_wrong(r, "kernels", KS_TEXT_SRC_SHAPE_ARRAY);
	if (!kernel || !launches) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "kernels", i);
		const json_t *o = ks_reader_element(r, list, i);

		read_kernel(r, o, &kernel[i]);
		ks_reader_launches(r, o, &kernel[i], i, launches);
		ks_reader_leave(r, mark);
	}
	fill_totals(r->report, kernel, n);
	r->report->kernel = kernel;
	r->report->n_kernels = n;
	ks_reader_launches_done(r, launches);
}
