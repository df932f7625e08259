/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranking decisions, their premises, what is said first, what could not be measured and what to do
 * next. Numbers are those of the synthetic trace; shares are hand arithmetic.
 */
#include "all.h"

#include <nettle/sha2.h>
#include <stdio.h>

#include "verdict/verdict_internal.h"

static void the_top_kernel_is_ranked_with_its_facts(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	decided(&d);
	const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_KERNEL_TIME);

	assert_non_null(v);
	assert_int_equal(v->status, KS_VERDICT_STATUS_OK);
	assert_true(v->actionable);
	expect_double(v->value.d, 4.755);
	assert_int_equal(v->unit, KS_UNIT_MS);
	assert_int_equal(v->prov, KS_PROV_EXACT);
	expect_str(fact_of(v, "top").s, "gemm");
	expect_double(fact_of(v, "top_ms").d, 4.755);
	assert_int_equal(fact_of(v, "launches").i, 5);
	expect_double(fact_of(v, "share_pct").d, 100.0 * 4755000 / 4923000);
	expect_double(fact_of(v, "total_ms").d, 4.923);
	assert_int_equal(fact_of(v, "n_kernels").i, 2);
	assert_int_equal(fact_of(v, "device_ids").kind, KS_V_NONE); /* one device */
	assert_int_equal(v->n_premises, 1);
	expect_str(v->premise[0].name, "kernel_share_of_total");
	assert_int_equal(v->premise[0].threshold.kind, KS_V_NONE);
	assert_true(v->premise[0].ok);
	expect_str(v->metric[0], "gpu__time_duration.sum");
	desk_end(&d);
}

/* 4.923 ms of kernels in a span of 10 ms; a share of the span is one device's, and a measured one.
 */
static void kernel_time_is_set_against_the_span(void **state)
{
	static const struct {
		ks_ns span_ns;
		size_t gpus;
		bool synthetic;
		const char *version;
		size_t premises;
	} cases[] = {
		{ 10000000, 1, false, "0.3.0", 2 }, { 10000000, 2, false, "0.3.0", 1 },
		{ 10000000, 1, true, "0.3.0", 1 },  { 10000000, 1, false, "0.2.3", 1 },
		{ 0, 1, false, "0.3.0", 1 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct desk d;

		desk_start(&d);
		given_rows(&d);
		d.report.span_ns = cases[i].span_ns;
		d.report.n_gpus_used = cases[i].gpus;
		d.report.synthetic = cases[i].synthetic;
		d.report.tool_version = ks_str_c(cases[i].version);
		decided(&d);
		const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_KERNEL_TIME);

		assert_int_equal(v->n_premises, cases[i].premises);
		if (v->n_premises > 1) {
			expect_str(v->premise[1].name, "kernel_time_pct_of_wall");
			expect_double(v->premise[1].observed.d, 49.23);
			assert_true(v->premise[1].ok && v->actionable);
		}
		desk_end(&d);
	}
}

/* Our report says why there are no kernels; the original's does not. */
static void a_report_read_back_keeps_the_cause(void **state)
{
	(void)state;
	for (int known = 0; known < 2; known++) {
		struct desk d;

		desk_start(&d);
		d.report.n_kernels = 0;
		d.report.reread = true;
		d.report.contents.why_no_kernels = known ? KS_NK_NO_DRIVER : KS_NK_NONE;
		const struct ks_verdicts *v = decided(&d);

		assert_int_equal(v->row[0].refused->code,
				 known ? KS_REFUSAL_NO_LAUNCH_ACTIVITY : KS_REFUSAL_NO_KERNELS);
		desk_end(&d);
	}
}

static void several_devices_are_listed(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	d.report.n_gpus_used = 2;
	decided(&d);
	struct ks_value ids = fact_of(row_of(&d, KS_VERDICT_KERNEL_TIME), "device_ids");

	assert_int_equal(ids.kind, KS_V_ARRAY);
	assert_int_equal(ids.n, 2);
	assert_int_equal(ids.item[0].i, 0);
	assert_int_equal(ids.item[1].i, 3);
	desk_end(&d);
}

static void a_share_of_time_is_soft_and_names_the_first_three(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	decided(&d);
	const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_SAVING_ESTIMATE_SHARE);

	assert_non_null(v);
	assert_int_equal(v->status, KS_VERDICT_STATUS_SOFT);
	expect_double(v->value.d, 100.0 * 4755000 / 4923000);
	assert_int_equal(v->unit, KS_UNIT_PCT);
	expect_str(fact_of(v, "basis").s, "time_share");
	expect_str(fact_of(v, "money").s, "unavailable");
	expect_str(fact_of(v, "top_kernel").s, "gemm");
	struct ks_value top = fact_of(v, "top");

	assert_int_equal(top.n, 2);
	expect_str(top.item[1].field[0].value.s, "add");
	expect_double(top.item[1].field[1].value.d, 100.0 * 168000 / 4923000);
	desk_end(&d);
}

static void theoretical_occupancy_is_soft_achieved_is_ok(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	decided(&d);
	const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_OCCUPANCY);

	assert_int_equal(v->status, KS_VERDICT_STATUS_SOFT);
	expect_double(v->value.d, 100.0 / 3.0);
	expect_double(fact_of(v, "theoretical_pct").d, 100.0 / 3.0);
	expect_str(fact_of(v, "limiter").s, "registers+shared_mem");
	desk_end(&d);

	desk_start(&d);
	given_rows(&d);
	given_number(&d, 0, KS_METRIC_MEAS_ACHIEVED_OCCUPANCY_PCT, 21.0);
	decided(&d);
	v = row_of(&d, KS_VERDICT_OCCUPANCY);
	assert_int_equal(v->status, KS_VERDICT_STATUS_OK);
	assert_int_equal(v->prov, KS_PROV_MEASURED);
	expect_double(v->value.d, 21.0);
	expect_double(fact_of(v, "achieved_pct").d, 21.0);
	desk_end(&d);
}

static void refused_occupancy_is_a_refused_decision_with_its_code(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_number(&d, 0, KS_METRIC_GPU_TIME_DURATION_SUM, 4.755);
	given_refusal(&d, 0, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, KS_REFUSAL_UNKNOWN_ARCH);
	decided(&d);
	const struct ks_verdict_row *v = row_of(&d, KS_VERDICT_OCCUPANCY);

	assert_int_equal(v->status, KS_VERDICT_STATUS_REFUSED);
	assert_false(v->actionable);
	assert_int_equal(v->value.kind, KS_V_NONE);
	assert_int_equal(v->refused->code, KS_REFUSAL_UNKNOWN_ARCH);
	desk_end(&d);
}

static void a_section_that_was_not_chosen_gives_no_decision(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_number(&d, 0, KS_METRIC_GPU_TIME_DURATION_SUM, 4.755);
	decided(&d);
	assert_null(row_of(&d, KS_VERDICT_OCCUPANCY));
	assert_non_null(row_of(&d, KS_VERDICT_KERNEL_TIME));
	desk_end(&d);

	/* Without the Duration rows the exact sum of the report stands in. */
	desk_start(&d);
	decided(&d);
	expect_double(row_of(&d, KS_VERDICT_KERNEL_TIME)->value.d, 4.755);
	desk_end(&d);
}

static void a_condemned_time_takes_the_ranking_with_it(void **state)
{
	struct desk d;
	const struct ks_kv kv = { KS_LIT("share_pct"), KS_VAL_REAL(120.0) };

	(void)state;
	desk_start(&d);
	given_rows(&d);
	ks_ev_condemn(d.report.ev, d.row[0][0], KS_LIT("shares"), kv, kv);
	const struct ks_verdicts *v = decided(&d);

	assert_int_equal(row_of(&d, KS_VERDICT_KERNEL_TIME)->refused->code,
			 KS_REFUSAL_INCONSISTENT_EVIDENCE);
	assert_int_equal(row_of(&d, KS_VERDICT_SAVING_ESTIMATE_SHARE)->status,
			 KS_VERDICT_STATUS_REFUSED);
	expect_message(&v->finding, KS_LANG_EN,
		       "the time of gemm is withheld (inconsistent_evidence), so no kernel is "
		       "ranked first");
	desk_end(&d);
}

static void a_trace_without_kernels_says_why(void **state)
{
	static const struct {
		enum ks_no_kernels why;
		uint64_t bad;
		const char *cause, *finding;
	} cases[] = {
		{ KS_NK_NOT_TRACED, 0, "cuda not traced",
		  "no GPU kernels: CUDA was not traced; copies 2, memsets 1, API calls 7, NVTX "
		  "ranges 3" },
		{ KS_NK_NOTHING_RECORDED, 0, "traced, nothing recorded",
		  "no GPU kernels: CUDA was traced but none was recorded; copies 2, memsets 1, API "
		  "calls 7, "
		  "NVTX ranges 3" },
		{ KS_NK_NO_DRIVER, 0, "no driver",
		  "no GPU kernels: there was no usable NVIDIA driver; copies 2, memsets 1, API "
		  "calls 7, NVTX "
		  "ranges 3" },
		{ KS_NK_GRAPH_ONLY, 0, "graphs traced as a whole",
		  "no single kernels: CUDA graphs were traced as a whole (9 graph runs); copies 2, "
		  "memsets 1, "
		  "API calls 7, NVTX ranges 3" },
		{ KS_NK_NOT_A_TABLE, 0, "kernel table is a view",
		  "no GPU kernels read: the kernel table is a view or virtual table; copies 2, "
		  "memsets 1, API calls 7, NVTX ranges 3" },
		{ KS_NK_NONE, 4, "no valid kernel rows",
		  "no usable kernels: none of the 4 kernel rows has a valid start and end; copies "
		  "2, memsets "
		  "1, API calls 7, NVTX ranges 3" },
		{ KS_NK_NOTHING_RECORDED, 3, "no valid kernel rows",
		  "no usable kernels: none of the 3 kernel rows has a valid start and end; copies "
		  "2, memsets "
		  "1, API calls 7, NVTX ranges 3" },
		{ KS_NK_NONE, 0, "no kernel rows",
		  "no GPU kernels here; copies 2, memsets 1, API calls 7, NVTX ranges 3" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct desk d;

		desk_start(&d);
		d.report.n_kernels = 1;
		d.kernel[0].is_device = true;
		d.report.contents = (struct ks_contents){ .copies = 2,
							  .memsets = 1,
							  .api_calls = 7,
							  .nvtx_rows = 3,
							  .graph_rows = 9,
							  .bad_kernels = cases[i].bad,
							  .why_no_kernels = cases[i].why };
		const struct ks_verdicts *v = decided(&d);

		assert_int_equal(v->n, 1);
		assert_int_equal(v->row[0].id, KS_VERDICT_KERNEL_TIME);
		assert_int_equal(v->row[0].status, KS_VERDICT_STATUS_REFUSED);
		assert_int_equal(v->row[0].refused->code, KS_REFUSAL_NO_LAUNCH_ACTIVITY);
		expect_str(v->row[0].refused->observed[1].value.s, cases[i].cause);
		expect_message(&v->finding, KS_LANG_EN, cases[i].finding);
		desk_end(&d);
	}
}

static void the_finding_says_what_takes_the_time_and_what_limits_it(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	const struct ks_verdicts *v = decided(&d);

	expect_message(&v->finding, KS_LANG_EN,
		       "gemm takes 96.6 % of kernel time (4.755 ms in 5 launches on device 0); "
		       "occupancy is "
		       "limited to 33.3 % by registers+shared_mem");
	expect_message(&v->finding, KS_LANG_ZH,
		       "gemm 占全部 kernel 时间的 96.6 %（设备 0 上 5 次启动共 4.755 "
		       "ms）；占用率最高只能到 33.3 "
		       "%，限制因素：registers+shared_mem");
	desk_end(&d);

	desk_start(&d); /* one launch, nothing known of its limit, two devices */
	d.kernel[0].launches = 1;
	d.kernel[0].total_ns = 999;
	d.kernel[1].total_ns = 36;
	d.report.n_gpus_used = 2;
	v = decided(&d);
	expect_message(&v->finding, KS_LANG_EN,
		       "gemm takes 96.6 % of kernel time (one launch of 999 ns)");
	desk_end(&d);

	desk_start(&d);
	given_number(&d, 0, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, 100.0);
	d.kernel[0].total_ns = 12345678901;
	v = decided(&d);
	expect_message(&v->finding, KS_LANG_EN,
		       "gemm takes 96.6 % of kernel time (12.3457 s in 5 launches on device 0); "
		       "nothing limits "
		       "its theoretical occupancy");
	desk_end(&d);
}

static void the_finding_says_the_function_name_unless_it_names_several_kernels(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	d.kernel[0].name = KS_LIT("void gemm<float, 8>(float*)");
	d.kernel[0].base = KS_LIT("gemm");
	assert_true(ks_str_eqc(decided(&d)->finding.arg[0], "gemm"));
	desk_end(&d);

	desk_start(&d);
	d.kernel[0].name = KS_LIT("void gemm<float, 8>(float*)");
	d.kernel[0].base = KS_LIT("gemm");
	d.kernel[1].base = KS_LIT("gemm");
	assert_true(ks_str_eqc(decided(&d)->finding.arg[0], "void gemm<float, 8>(float*)"));
	desk_end(&d);

	desk_start(&d); /* any bytes, whole: sinks escape and shorten */
	d.kernel[0].name = KS_LIT("a\0\xff\x1b[31m");
	d.kernel[0].base = KS_STR_NONE;
	assert_int_equal(decided(&d)->finding.arg[0].n, 8);
	desk_end(&d);
}

/* --- unmeasured and next ---------------------------------------------------------------------- */

static void refusals_are_grouped_by_code_over_distinct_names(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_rows(&d); /* 3 distinct names with values */
	given_refusal(&d, 0, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_NO_WORKLOAD);
	given_refusal(&d, 1, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_NO_WORKLOAD);
	given_refusal(&d, 1, KS_METRIC_EST_ACHIEVED_TFLOPS, KS_REFUSAL_NO_WORKLOAD);
	given_refusal(&d, 0, KS_METRIC_LAUNCH_GRID_SIZE, KS_REFUSAL_MIXED_LAUNCH_CONFIG);
	given_refusal(&d, 1, KS_METRIC_LAUNCH_BLOCK_SIZE, KS_REFUSAL_COUNTERS_DENIED);
	/* a row of a section nobody chose: made, but in no section of the report */
	ks_ev_refuse(d.report.ev, &(struct ks_ev_spec){ .metric = KS_METRIC_EST_BOUND },
		     &(struct ks_refuse_spec){ .code = KS_REFUSAL_NO_CALIBRATION });
	const struct ks_verdicts *v = decided(&d);

	assert_int_equal(v->measured_metrics, 3);
	assert_int_equal(v->unmeasured_metrics, 4);
	assert_int_equal(v->n_unmeasured, 3);
	expect_str(v->unmeasured[0].slug, "no_workload");
	assert_int_equal(v->unmeasured[0].count, 2);
	assert_int_equal(v->unmeasured[0].n_examples, 2);
	expect_str(v->unmeasured[0].example[0], "est__achieved_gbs");
	/* equal counts: by code */
	expect_str(v->unmeasured[1].slug, "counters_denied");
	expect_str(v->unmeasured[2].slug, "mixed_launch_config");
	desk_end(&d);
}

static void next_goes_refused_then_hints_then_groups(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	given_number(&d, 0, KS_METRIC_GPU_TIME_DURATION_SUM, 4.755);
	given_refusal(&d, 0, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, KS_REFUSAL_UNKNOWN_ARCH);
	given_refusal(&d, 0, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_NO_WORKLOAD);
	const struct ks_verdicts *v = decided(&d);

	assert_int_equal(v->n_next, 4);
	expect_str(v->next[0].for_name, "occupancy");
	expect_str(v->next[0].slug, "unknown_arch");
	expect_str(v->next[1].for_name, "kernel_time");
	assert_int_equal(v->next[1].hint.id, KS_TEXT_VD_NEXT_KERNEL_TIME);
	expect_str(v->next[2].for_name, "saving_estimate_share");
	expect_str(v->next[3].for_name, "no_workload"); /* unknown_arch was said already */
	desk_end(&d);
}

static void next_is_capped(void **state)
{
	struct ks_unmeasured group[12];
	struct ks_next next[8];
	static const char *const slugs[12] = { "a", "b", "c", "d", "e", "f",
					       "g", "h", "i", "j", "k", "l" };

	(void)state;
	memset(group, 0, sizeof(group));
	for (size_t i = 0; i < 12; i++)
		group[i].slug = ks_str_c(slugs[i]);
	assert_int_equal(ks_next_order(NULL, 0, group, 12, next, 8), 8);
	expect_str(next[7].slug, "h");
	group[1].slug = group[0].slug;
	assert_int_equal(ks_next_order(NULL, 0, group, 3, next, 8), 2);
	group[2].slug = KS_STR_NONE; /* nothing to point at */
	assert_int_equal(ks_next_order(NULL, 0, group, 3, next, 8), 1);
}

/* --- premises --------------------------------------------------------------------------------- */

static struct ks_verdict_row with_premise(struct desk *d, struct ks_premise_row *p)
{
	static const struct ks_kv fact = { { "n", 1 }, { .kind = KS_V_INT, .i = 1 } };
	struct ks_verdict_row row = {
		.id = KS_VERDICT_DRAM_BYTES,
		.status = KS_VERDICT_STATUS_SOFT,
		.value = KS_VAL_REAL(12.5),
		.unit = KS_UNIT_B,
		.prov = KS_PROV_ESTIMATED,
		.fact = &fact,
		.n_facts = 1,
		.premise = p,
		.n_premises = 1,
	};
	struct ks_decide decide = { .ctx = &d->ctx, .arena = &d->arena, .report = &d->report };

	ks_premise_degrade(&decide, &row);
	return row;
}

static void a_failed_premise_takes_the_value_away(void **state)
{
	struct desk d;
	struct ks_premise_row p = ks_premise_row(KS_PREMISE_WINDOW_COVERAGE_PCT, KS_VAL_REAL(41.0),
						 KS_VAL_REAL(50.0), false);

	(void)state;
	desk_start(&d);
	struct ks_verdict_row row = with_premise(&d, &p);

	assert_int_equal(row.status, KS_VERDICT_STATUS_REFUSED);
	assert_false(row.actionable);
	assert_int_equal(row.value.kind, KS_V_NONE);
	assert_int_equal(row.prov, KS_PROV_UNAVAILABLE);
	assert_int_equal(row.refused->code, KS_REFUSAL_COVERAGE_TOO_LOW); /* the table of 02 §6 */
	expect_str(row.refused->observed[0].key, "window_coverage_pct");
	expect_double(row.refused->observed[0].value.d, 41.0);
	expect_double(row.refused->threshold[0].value.d, 50.0);
	assert_int_equal(fact_of(&row, "n").i, 1);
	expect_double(fact_of(&row, "uncitable_value").d, 12.5);
	desk_end(&d);
}

static void an_unreadable_premise_is_listed_and_fails(void **state)
{
	struct desk d;
	struct ks_premise_row p =
		ks_premise_row(KS_PREMISE_TRACE_VS_NVML_PCT, KS_VAL_NONE, KS_VAL_NONE, true);

	(void)state;
	desk_start(&d);
	assert_false(p.ok);
	struct ks_verdict_row row = with_premise(&d, &p);

	assert_int_equal(row.n_premises, 1);
	assert_int_equal(row.refused->code, KS_REFUSAL_PREMISE_FAILED);
	assert_int_equal(row.refused->n_threshold, 0);
	desk_end(&d);
}

static void a_premise_that_holds_changes_nothing(void **state)
{
	struct desk d;
	struct ks_premise_row p = ks_premise_row(KS_PREMISE_WINDOW_COVERAGE_PCT, KS_VAL_REAL(81.0),
						 KS_VAL_REAL(50.0), true);

	(void)state;
	desk_start(&d);
	struct ks_verdict_row row = with_premise(&d, &p);

	assert_int_equal(row.status, KS_VERDICT_STATUS_SOFT);
	assert_true(row.actionable);
	expect_double(row.value.d, 12.5);
	desk_end(&d);
}

/* --- protocol --------------------------------------------------------------------------------- */

static void the_protocol_hash_is_that_of_sorted_json(void **state)
{
	/* written by hand from contract 02 §7 */
	static const char json[] = "{\"calibration\":null,\"clock_lock\":\"unknown\",\"compute_"
				   "capability\":\"8.9\",\"degraded\":"
				   "null,\"device\":\"synthetic-device\",\"dtype\":\"\",\"kernel\":"
				   "\"\",\"ledger_basis\":\"\","
				   "\"packet_schema\":[1,\"1.4\"],\"peaks\":\"none\",\"report_"
				   "schema\":1,\"synthetic\":false,"
				   "\"tool_version\":\"9.9.9\",\"warmup_s\":0,\"window_mode\":"
				   "\"auto\",\"window_s\":0}";
	struct sha256_ctx sha;
	uint8_t digest[SHA256_DIGEST_SIZE];
	char want[40];
	struct desk d;

	(void)state;
	sha256_init(&sha);
	sha256_update(&sha, sizeof(json) - 1, (const uint8_t *)json);
	sha256_digest(&sha, sizeof(digest), digest);
	int n = snprintf(want, sizeof(want), "sha256:");

	for (size_t i = 0; i < 8; i++)
		n += snprintf(want + n, sizeof(want) - (size_t)n, "%02x", digest[i]);
	desk_start(&d);
	expect_str(decided(&d)->protocol_hash, want);
	desk_end(&d);
}

static void what_is_protocol_changes_the_hash_and_nothing_else_does(void **state)
{
	struct desk d;
	char first[64];

	(void)state;
	desk_start(&d);
	ks_str hash = decided(&d)->protocol_hash;

	memcpy(first, hash.p, hash.n);
	first[hash.n] = '\0';
	d.report.input_path = KS_LIT("/elsewhere/run.sqlite");
	d.report.generated_at = KS_LIT("2026-11-30T00:00:00+0000");
	expect_str(decided(&d)->protocol_hash, first);
	d.report.n_gpus_used = 2; /* the second card is another model */
	assert_false(ks_str_eqc(decided(&d)->protocol_hash, first));
	d.gpu[1] = d.gpu[0]; /* the same model twice is the same protocol */
	expect_str(decided(&d)->protocol_hash, first);
	d.report.kernel_filter = KS_LIT("gemm");
	assert_false(ks_str_eqc(decided(&d)->protocol_hash, first));
	desk_end(&d);
}

static void the_tier_is_that_of_the_evidence(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	assert_int_equal(decided(&d)->tier, 2);
	assert_string_equal(d.report.verdicts->tier_name, "trace");
	expect_str(d.report.verdicts->counter_state, "unknown");
	d.report.synthetic = true;
	assert_int_equal(decided(&d)->tier, 0);
	assert_string_equal(d.report.verdicts->tier_name, "demo");
	desk_end(&d);
}

static void no_memory_is_an_error_not_a_decision(void **state)
{
	(void)state;
	for (size_t limit = 64u << 10; limit < (160u << 10); limit += 1u << 10) {
		struct desk d;
		struct ks_err err;

		desk_start(&d);
		given_rows(&d);
		d.arena.limit = d.arena.used + limit - (64u << 10);
		ks_err_init(&err);
		enum ks_status st = ks_verdicts_make(&d.ctx, &d.report, &err);

		if (st == KS_OK)
			assert_non_null(d.report.verdicts);
		else
			assert_int_equal(st, KS_E_ENV);
		if (limit == 64u << 10)
			assert_int_equal(st, KS_E_ENV);
		desk_end(&d);
	}
}

int test_verdict(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_top_kernel_is_ranked_with_its_facts),
		cmocka_unit_test(kernel_time_is_set_against_the_span),
		cmocka_unit_test(a_report_read_back_keeps_the_cause),
		cmocka_unit_test(several_devices_are_listed),
		cmocka_unit_test(a_share_of_time_is_soft_and_names_the_first_three),
		cmocka_unit_test(theoretical_occupancy_is_soft_achieved_is_ok),
		cmocka_unit_test(refused_occupancy_is_a_refused_decision_with_its_code),
		cmocka_unit_test(a_section_that_was_not_chosen_gives_no_decision),
		cmocka_unit_test(a_condemned_time_takes_the_ranking_with_it),
		cmocka_unit_test(a_trace_without_kernels_says_why),
		cmocka_unit_test(the_finding_says_what_takes_the_time_and_what_limits_it),
		cmocka_unit_test(
			the_finding_says_the_function_name_unless_it_names_several_kernels),
		cmocka_unit_test(refusals_are_grouped_by_code_over_distinct_names),
		cmocka_unit_test(next_goes_refused_then_hints_then_groups),
		cmocka_unit_test(next_is_capped),
		cmocka_unit_test(a_failed_premise_takes_the_value_away),
		cmocka_unit_test(an_unreadable_premise_is_listed_and_fails),
		cmocka_unit_test(a_premise_that_holds_changes_nothing),
		cmocka_unit_test(the_protocol_hash_is_that_of_sorted_json),
		cmocka_unit_test(what_is_protocol_changes_the_hash_and_nothing_else_does),
		cmocka_unit_test(the_tier_is_that_of_the_evidence),
		cmocka_unit_test(no_memory_is_an_error_not_a_decision),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
