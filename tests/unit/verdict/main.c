/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests of verdict/, one group per module, and holds the helpers they share.
 */
#include "all.h"

#include <math.h>
#include <stdio.h>

static const char *no_env(const char *name)
{
	(void)name;
	return NULL;
}

static const char *fixed_epoch(const char *name)
{
	return strcmp(name, "SOURCE_DATE_EPOCH") == 0 ? "1" : NULL;
}

static void given_kernel(struct desk *d, size_t i, const char *name, uint64_t launches, ks_ns total)
{
	d->kernel[i] = (struct ks_kernel){
		.name = ks_str_c(name),
		.base = ks_str_c(name),
		.n_names = 1,
		.launches = launches,
		.total_ns = total,
		.share_pct = 100.0 * (double)total / 4923000.0,
		.section = &d->section[i],
		.n_sections = 1,
	};
	d->section[i] = (struct ks_section_rows){ .name = KS_LIT("Duration"), .row = d->row[i] };
}

void desk_start(struct desk *d)
{
	*d = (struct desk){ 0 };
	ks_arena_init(&d->arena, 256u << 20);
	d->ctx = (struct ks_ctx){ .io = &ks_io_system, .env = no_env, .run = &d->arena };
	given_kernel(d, 0, "gemm", 5, 4755000);
	given_kernel(d, 1, "add", 20, 168000);
	d->gpu[0] = (struct ks_gpu){
		.label = 0,
		.name = KS_LIT("synthetic-device"),
		.cc_major = 8,
		.cc_minor = 9,
		.used = true,
	};
	d->gpu[1] = (struct ks_gpu){
		.label = 3, .name = KS_LIT("other"), .cc_major = -1, .cc_minor = -1
	};
	d->report = (struct ks_report){
		.ev = ks_store_open(&d->arena),
		.tool = KS_LIT("kernoscope"),
		.tool_version = KS_LIT("9.9.9"),
		.gpu = d->gpu,
		.n_gpus = 2,
		.n_gpus_used = 1,
		.kernel_ns = 4923000,
		.total_launches = 25,
		.total_kernels = 2,
		.kernel = d->kernel,
		.n_kernels = 2,
		.window_mode = KS_LIT("auto"),
	};
	assert_non_null(d->report.ev);
}

void desk_end(struct desk *d)
{
	ks_arena_release(&d->arena);
}

static ks_id count(struct desk *d, size_t kernel, ks_id id)
{
	struct ks_section_rows *s = &d->section[kernel];

	assert_int_not_equal(id, 0);
	assert_true(s->n < DESK_ROWS);
	d->row[kernel][s->n++] = id;
	return id;
}

static struct ks_ev_spec spec_of(struct desk *d, size_t kernel, enum ks_metric metric)
{
	return (struct ks_ev_spec){
		.metric = metric,
		.subject = d->kernel[kernel].is_device ? KS_STR_NONE : d->kernel[kernel].name,
		.origin = { KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL"), KS_LIT("start,end"), 5 },
	};
}

ks_id given_number(struct desk *d, size_t kernel, enum ks_metric metric, double v)
{
	struct ks_ev_spec spec = spec_of(d, kernel, metric);
	struct ks_value value = KS_VAL_REAL(v);

	if (ks_metric_info(metric)->prov == KS_PROV_EXACT)
		return count(d, kernel, ks_ev_exact(d->report.ev, &spec, value));
	if (ks_metric_info(metric)->prov == KS_PROV_MEASURED)
		return count(d, kernel, ks_ev_measured(d->report.ev, &spec, value));
	return count(d, kernel, ks_ev_derived(d->report.ev, &spec, value));
}

ks_id given_text(struct desk *d, size_t kernel, enum ks_metric metric, const char *v)
{
	struct ks_ev_spec spec = spec_of(d, kernel, metric);

	return count(d, kernel, ks_ev_exact(d->report.ev, &spec, KS_VAL_TEXT(ks_str_c(v))));
}

ks_id given_refusal(struct desk *d, size_t kernel, enum ks_metric metric, enum ks_refusal code)
{
	struct ks_ev_spec spec = spec_of(d, kernel, metric);

	return count(d, kernel,
		     ks_ev_refuse(d->report.ev, &spec, &(struct ks_refuse_spec){ .code = code }));
}

void given_rows(struct desk *d)
{
	given_number(d, 0, KS_METRIC_GPU_TIME_DURATION_SUM, 4.755);
	given_number(d, 1, KS_METRIC_GPU_TIME_DURATION_SUM, 0.168);
	given_number(d, 0, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, 100.0 / 3.0);
	given_text(d, 0, KS_METRIC_KS_OCCUPANCY_LIMITER, "registers+shared_mem");
	given_number(d, 1, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, 100.0);
	given_text(d, 1, KS_METRIC_KS_OCCUPANCY_LIMITER, "threads+warps");
}

const struct ks_verdicts *decided(struct desk *d)
{
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_verdicts_make(&d->ctx, &d->report, &err), KS_OK);
	assert_non_null(d->report.verdicts);
	return d->report.verdicts;
}

const struct ks_verdict_row *row_of(struct desk *d, enum ks_verdict id)
{
	const struct ks_verdicts *v = d->report.verdicts;

	for (size_t i = 0; i < v->n; i++)
		if (v->row[i].id == id)
			return &v->row[i];
	return NULL;
}

struct ks_value fact_of(const struct ks_verdict_row *row, const char *key)
{
	for (size_t i = 0; i < row->n_facts; i++)
		if (ks_str_eqc(row->fact[i].key, key))
			return row->fact[i].value;
	return KS_VAL_NONE;
}

void expect_message(const struct ks_msg *m, enum ks_lang lang, const char *text)
{
	struct ks_buf b;

	ks_buf_init(&b, 1u << 20);
	ks_msg_fmt(&b, lang, m);
	assert_string_equal(ks_buf_text(&b), text);
	ks_buf_release(&b);
}

void expect_str(ks_str s, const char *text)
{
	if (!ks_str_eqc(s, text))
		fail_msg("\"%.*s\" is not \"%s\"", (int)s.n, s.p ? s.p : "", text);
}

void expect_double(double v, double want)
{
	if (!(fabs(v - want) <= 1e-15 * fabs(want)))
		fail_msg("%.17g is not %.17g", v, want);
}

/* --- what holds for every packet -------------------------------------------------------------- */

static bool listed(const json_t *list, const char *code)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), code) == 0)
			return true;
	return false;
}

static void expect_resolvable(const json_t *root, const json_t *code)
{
	const json_t *omitted = json_object_get(root, "refusals_omitted");

	if (!code)
		return;
	assert_true(json_is_string(code));
	if (json_object_get(json_object_get(root, "refusals"), json_string_value(code)))
		return;
	if (listed(json_object_get(omitted, "codes"), json_string_value(code)))
		return;
	fail_msg("code %s is cited and explained nowhere", json_string_value(code));
}

static void expect_cited_codes(const json_t *root)
{
	static const char *const lists[] = { "unmeasured", "next", "environment_refusals" };
	const json_t *list = json_object_get(root, "verdicts");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *refusal = json_object_get(json_array_get(list, i), "refusal");

		expect_resolvable(root, json_object_get(refusal, "code"));
	}
	for (size_t k = 0; k < KS_ARRAY_LEN(lists); k++) {
		list = json_object_get(root, lists[k]);
		for (size_t i = 0; i < json_array_size(list); i++)
			expect_resolvable(root, json_object_get(json_array_get(list, i), "code"));
	}
	list = json_object_get(json_object_get(root, "env"), "blocked_by");
	for (size_t i = 0; i < json_array_size(list); i++)
		expect_resolvable(root, json_array_get(list, i));
}

json_t *checked(ks_str text, size_t budget)
{
	json_error_t fault;
	json_t *root = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &fault);

	if (!root)
		fail_msg("not JSON at %d: %s", fault.position, fault.text);
	const json_t *cost = json_object_get(root, "cost");

	assert_int_equal(json_integer_value(json_object_get(cost, "packet_bytes")), text.n);
	assert_null(json_object_get(cost, "over_budget"));
	assert_true(text.n <= budget);
	assert_null(memchr(text.p, '\n', text.n));
	expect_cited_codes(root);
	return root;
}

ks_str packet_of(struct desk *d, const struct ks_packet_spec *spec, struct ks_packet **p)
{
	struct ks_err err;
	struct ks_buf b;
	struct ks_out out;

	ks_err_init(&err);
	if (d->epoch)
		d->ctx.env = fixed_epoch;
	assert_int_equal(ks_packet_make(&d->ctx, &d->report, spec, p, &err), KS_OK);
	ks_buf_init(&b, 64u << 20);
	ks_out_open_mem(&out, &b);
	ks_packet_write(&d->ctx, *p, &out);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	ks_str text = ks_arena_dup(&d->arena, ks_buf_view(&b));

	ks_buf_release(&b);
	return text;
}

int main(void)
{
	return test_advice() + test_verdict() + test_decide() + test_strict() + test_worst() +
	       test_packet() + test_counters() + test_diagnosis() + test_trim() +
	       test_packet_read() + test_capability() + test_route() + test_remedy();
}
