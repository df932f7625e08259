/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports read back: what stands in the document comes out, whoever wrote it; what does not fit its
 * type is one error that names the place.
 */
#include "all.h"

#include "base/str.h"
#include "evidence/report.h"

static enum ks_status read_text(const char *text, struct ks_report **report, struct ks_err *err)
{
	const char *path = in_scratch("r.ksreport.json");

	given_bytes(path, text, strlen(text));
	ks_err_init(err);
	return ks_ksreport_read(test_ctx(), path, report, err);
}

static struct ks_report *good(const char *text)
{
	struct ks_report *report;
	struct ks_err err;

	if (read_text(text, &report, &err) != KS_OK)
		fail_msg("%s %s %s", err.arg[0], err.arg[1], err.arg[2]);
	assert_non_null(report);
	return report;
}

static void expect_text(const struct ks_msg *m, const char *text)
{
	assert_int_equal(m->id, KS_TEXT_LITERAL);
	assert_true(ks_str_eqc(m->arg[0], text));
}

/* The original's keys, with values of our own choice. */
static const char of_the_original[] =
	"{\"schema_version\":1,\"tool\":\"kernoscope\",\"tool_version\":\"0.2.3\",\"generated_at\":"
	"\"2026-11-30T17:41:04+0000\","
	"\"host\":{\"platform\":\"x\",\"python\":\"3.12\"},"
	"\"device\":{\"name\":\"card\",\"driver\":\"d\",\"cuda_runtime\":\"\",\"sm_count\":128,"
	"\"compute_capability\":\"8.9\","
	"\"l2_mib\":72.0,\"memory_total_mib\":0.0,\"max_sm_clock_mhz\":3105.0,\"power_limit_w\":"
	"450.0,\"measured_peaks\":{}},"
	"\"device_ids\":[2,5],\"multi_device\":true,\"wall_time_ns\":6388400,"
	"\"sources\":{\"kernel activity\":\"nsys\",\"WARNING\":\"SYNTHETIC\"},"
	"\"meta\":{\"synthetic\":true,\"ledger_basis\":\"b\",\"dtype\":\"bf16\",\"kernel_filter\":"
	"\"g.*\",\"warmup_s\":0.5,"
	"\"window_s\":1.25,\"window\":\"mode=auto and so "
	"on\",\"peaks\":{\"bw_gbs\":0.1},\"nsys_sqlite\":\"a/b.sqlite\"},"
	"\"kernels\":[{\"name\":\"k(float*)\",\"launch_count\":3,\"total_ns\":300,\"mean_ns\":100."
	"0,\"min_ns\":90,\"max_ns\":110,"
	"\"mixed_config\":true,\"launch_configs\":["
	"{\"config\":\"c1\",\"grid\":[64,1,1],\"block\":[256,1,1],\"launch_count\":2,\"total_ns\":"
	"190,\"mean_ns\":95.0,"
	"\"registers_per_thread\":96,\"static_smem_bytes\":0,\"dynamic_smem_bytes\":49152},"
	"{\"config\":\"c2\",\"grid\":[1,2,3],\"block\":[4,5,6],\"launch_count\":1,\"total_ns\":110,"
	"\"mean_ns\":110.0,"
	"\"registers_per_thread\":null,\"static_smem_bytes\":null,\"dynamic_smem_bytes\":null}],"
	"\"sections\":[{\"name\":\"Duration\",\"provenance\":\"exact\",\"note\":\"n\",\"metrics\":["
	"{\"name\":\"gpu__time_duration.sum\",\"value\":0.0003,\"unit\":\"ms\",\"provenance\":"
	"\"exact\",\"source\":\"CUPTI\","
	"\"reason\":\"\",\"note\":\"\",\"resolution\":\"0.2 ms\"},"
	"{\"name\":\"ks__occupancy_limiter\",\"value\":\"registers\",\"unit\":\"\",\"provenance\":"
	"\"exact\",\"source\":\"\","
	"\"reason\":\"\",\"note\":\"nb\",\"resolution\":\"\"},"
	"{\"name\":\"est__dram_bytes_total\",\"value\":null,\"unit\":\"B\",\"provenance\":"
	"\"unavailable\",\"source\":\"NVML\","
	"\"reason\":\"none\",\"note\":\"\",\"resolution\":\"\",\"refusal\":{\"code\":\"no_nvml_"
	"samples\",\"message\":\"none\","
	"\"severity\":\"blocking\",\"observed\":{\"nvml_samples\":0,\"deep\":{\"a\":[1,null,true]}}"
	","
	"\"threshold\":{\"window_s_min\":0.5},\"remedy\":{\"action\":\"do "
	"it\",\"command\":\"run\",\"cost_s\":20.0,"
	"\"cost_kind\":\"wall_seconds\",\"then_answers\":[\"dram\"]}}}]},"
	"{\"name\":\"SectionOfTomorrow\",\"provenance\":\"estimated\",\"note\":\"\",\"metrics\":["
	"{\"name\":\"ks__metric_of_tomorrow\",\"value\":5,\"unit\":\"\",\"provenance\":\"derived\","
	"\"source\":\"\",\"reason\":\"\","
	"\"note\":\"\",\"resolution\":\"\"}]}],"
	"\"launches\":[{\"start_ns\":1000,\"end_ns\":1090,\"config\":\"c1\",\"stream_id\":7,"
	"\"device_id\":2},"
	"{\"start_ns\":2000,\"end_ns\":2100,\"config\":\"c1\",\"stream_id\":7,\"device_id\":2},"
	"{\"start_ns\":3000,\"end_ns\":3110,\"config\":\"c2\",\"stream_id\":8,\"device_id\":5}]},"
	"{\"name\":\"(device)\",\"launch_count\":0,\"total_ns\":0,\"mean_ns\":0.0,\"min_ns\":0,"
	"\"max_ns\":0,\"mixed_config\":false,"
	"\"launch_configs\":[],\"sections\":[],\"launches\":[]}]}";

static void a_report_of_the_original(void **state)
{
	const struct ks_report *r = good(of_the_original);

	(void)state;
	assert_true(r->reread && r->synthetic && r->multi_device);
	assert_true(ks_str_eqc(r->tool_version, "0.2.3"));
	assert_true(ks_str_eqc(r->generated_at, "2026-11-30T17:41:04+0000"));
	assert_int_equal(r->span_ns, 6388400);
	assert_int_equal(r->n_gpus, 2);
	assert_int_equal(r->gpu[0].label, 2);
	assert_int_equal(r->gpu[1].label, 5);
	assert_int_equal(r->gpu[0].cc_major, 8);
	assert_int_equal(r->gpu[0].cc_minor, 9);
	assert_int_equal(r->gpu[0].l2_bytes, 75497472);
	assert_true(r->gpu[0].memory_bytes == KS_UNKNOWN); /* its 0 is "not known" */
	assert_int_equal(r->gpu[1].cc_major, -1);
	assert_true(ks_str_eqc(r->dtype, "bf16") && ks_str_eqc(r->kernel_filter, "g.*"));
	assert_true(ks_str_eqc(r->window_mode, "auto"));
	assert_true(ks_str_eqc(r->input_path, "a/b.sqlite"));
	assert_int_equal(r->n_sources, 2);
	expect_text(&r->source[1].text, "SYNTHETIC");
	assert_int_equal(r->kernel_ns, 300); /* added up from its kernels */
	assert_int_equal(r->total_launches, 3);
	assert_int_equal(r->total_kernels, 1);
	assert_int_equal(r->n_kernels, 2);
	assert_true(r->kernel[1].is_device);
}

static void its_kernels_and_configurations(void **state)
{
	const struct ks_kernel *k = &good(of_the_original)->kernel[0];

	(void)state;
	assert_true(ks_str_eqc(k->name, "k(float*)"));
	assert_true(k->mixed_config);
	assert_int_equal(k->n_configs, 2);
	assert_int_equal(k->config[0].grid[0], 64);
	assert_int_equal(k->config[0].regs, 96);
	assert_int_equal(k->config[0].dynamic_smem, 49152);
	assert_int_equal(k->config[0].min_ns, 90); /* from its launches */
	assert_int_equal(k->config[0].max_ns, 100);
	assert_int_equal(k->config[1].block[2], 6);
	assert_true(k->config[1].regs == KS_UNKNOWN);
	assert_true(k->share_pct > 99.999 && k->share_pct < 100.001);
}

static void its_rows_keep_value_provenance_and_refusal(void **state)
{
	const struct ks_report *r = good(of_the_original);
	const struct ks_section_rows *s = &r->kernel[0].section[0];
	const struct ks_ev *sum = ks_ev_get(r->ev, s->row[0]);
	const struct ks_ev *limiter = ks_ev_get(r->ev, s->row[1]);
	const struct ks_ev *refused = ks_ev_get(r->ev, s->row[2]);

	(void)state;
	assert_int_equal(r->kernel[0].n_sections, 2);
	assert_int_equal(s->section, KS_SECTION_DURATION);
	assert_int_equal(s->n, 3);
	assert_int_equal(s->n_refused, 1);
	assert_int_equal(sum->metric, KS_METRIC_GPU_TIME_DURATION_SUM);
	assert_int_equal(sum->prov, KS_PROV_EXACT);
	assert_true(sum->value.d > 0.00029 && sum->value.d < 0.00031);
	assert_true(sum->has_resolution && sum->resolution > 0.19 && sum->resolution < 0.21);
	expect_text(&sum->source, "CUPTI");
	assert_true(ks_str_eqc(limiter->value.s, "registers"));
	assert_int_equal(refused->prov, KS_PROV_UNAVAILABLE);
	assert_int_equal(refused->refused->code, KS_REFUSAL_NO_NVML_SAMPLES);
	assert_int_equal(refused->refused->n_observed, 2);
	assert_true(ks_str_eqc(refused->refused->observed[0].key, "nvml_samples"));
	assert_int_equal(refused->refused->observed[1].value.kind, KS_V_OBJECT);
	expect_text(&refused->refused->remedy.action, "do it");
	assert_true(ks_str_eqc(refused->refused->remedy.command, "run"));
	assert_int_equal(refused->refused->remedy.n_answers, 1);
	assert_int_equal((int)refused->refused->remedy.cost_s, 20);
}

static void what_we_do_not_know_the_name_of_is_kept(void **state)
{
	const struct ks_report *r = good(of_the_original);
	const struct ks_section_rows *s = &r->kernel[0].section[1];
	const struct ks_ev *row = ks_ev_get(r->ev, s->row[0]);

	(void)state;
	assert_int_equal(s->section, KS_SECTION_NONE);
	assert_true(ks_str_eqc(s->name, "SectionOfTomorrow"));
	assert_int_equal(row->metric, KS_METRIC_NONE);
	assert_true(ks_str_eqc(row->name, "ks__metric_of_tomorrow"));
	assert_int_equal(row->value.i, 5);
}

static void its_launches_can_be_walked(void **state)
{
	const struct ks_report *r = good(of_the_original);
	struct ks_launch_view row;
	bool got;

	(void)state;
	assert_non_null(r->launches);
	for (int round = 0; round < 2; round++) {
		assert_int_equal(r->launches->rewind(r->launches->self, &r->kernel[0], NULL),
				 KS_OK);
		for (uint64_t i = 0; i < 3; i++) {
			assert_int_equal(r->launches->next(r->launches->self, &row, &got, NULL),
					 KS_OK);
			assert_true(got);
			assert_int_equal(row.index, i);
			assert_int_equal(row.start_ns, 1000 * (int64_t)(i + 1));
			assert_true(ks_str_eqc(row.config->key, i < 2 ? "c1" : "c2"));
		}
		assert_int_equal(r->launches->next(r->launches->self, &row, &got, NULL), KS_OK);
		assert_false(got);
	}
}

/* Whoever wrote it: the report promises kernels by time, and the rows of the run behind them. */
static void kernels_come_by_time_whatever_the_order_of_the_file(void **state)
{
	const struct ks_report *r =
		good("{\"schema_version\":1,\"kernels\":[{\"name\":\"(device)\"},"
		     "{\"name\":\"short\",\"total_ns\":5,\"launch_count\":1},"
		     "{\"name\":\"long\",\"total_ns\":90,\"launch_count\":1,\"launch_configs\":["
		     "{\"config\":\"c\",\"launch_count\":1,\"total_ns\":90}],\"launches\":["
		     "{\"start_ns\":7,\"end_ns\":97,\"config\":\"c\"}]},"
		     "{\"name\":\"equal\",\"total_ns\":5,\"launch_count\":1}]}");
	static const char *const by_time[] = { "long", "short", "equal", "(device)" };
	struct ks_launch_view row;
	bool got;

	(void)state;
	assert_int_equal(r->n_kernels, KS_ARRAY_LEN(by_time));
	for (size_t i = 0; i < KS_ARRAY_LEN(by_time); i++)
		assert_true(ks_str_eqc(r->kernel[i].name, by_time[i]));
	assert_non_null(r->launches);
	assert_int_equal(r->launches->rewind(r->launches->self, &r->kernel[0], NULL), KS_OK);
	assert_int_equal(r->launches->next(r->launches->self, &row, &got, NULL), KS_OK);
	assert_true(got && ks_str_eqc(row.kernel, "long"));
	assert_int_equal(row.start_ns, 7);
}

static void the_meta_object_is_kept_as_text(void **state)
{
	const struct ks_report *r = good(of_the_original);

	(void)state;
	assert_true(ks_str_starts(r->raw_meta, "{\n    \"synthetic\": true,\n"));
	assert_true(
		ks_str_has(r->raw_meta, KS_LIT("\"bw_gbs\": 0.1\n"))); /* not 0.10000000000000001 */
	assert_true(ks_str_ends(r->raw_meta, "\n  }"));
}

static void a_report_of_ours(void **state)
{
	static const char text[] =
		"{\"schema_version\":1,\"tool\":\"kernoscope\",\"wall_time_ns\":10,\"producer\":"
		"\"nsys 1\","
		"\"span\":{\"start_ns\":5,\"duration_ns\":9,\"from_other_rows\":true,\"capture_"
		"ns\":99},"
		"\"totals\":{\"kernel_ns\":50,\"matched_ns\":20,\"launches\":8,\"kernels\":3,"
		"\"multi_process\":true},"
		"\"devices\":[{\"id\":1,\"name\":\"a\",\"compute_capability\":\"\",\"sm_count\":"
		"null,\"uuid\":\"u\",\"bus\":\"b\","
		"\"l2_bytes\":77,\"used\":true,\"resolved\":true,\"how\":\"by "
		"map\",\"launch_count\":8,\"kernel_ns\":50,"
		"\"kernel_busy_ns\":40,\"busy_ns\":45,\"idle_ns\":5},{\"id\":0,\"name\":\"c\","
		"\"used\":false}],"
		"\"processes\":[{\"pid\":7,\"name\":\"p\",\"launch_count\":8,\"kernel_ns\":50}],"
		"\"streams\":[{\"device\":0,\"pid\":7,\"stream\":13,\"launch_count\":8,\"kernel_"
		"ns\":50}],"
		"\"contents\":{\"kernel_rows\":8,\"copy_rows\":2,\"copy_bytes\":4096,\"graph_"
		"rows\":1,\"why_no_kernels\":\"no_driver\"},"
		"\"holdings\":[{\"table\":\"T\",\"rows\":3,\"analysed\":false},{\"table\":\"V\","
		"\"rows\":null,\"analysed\":false}],"
		"\"diagnostics\":[{\"severity\":2,\"text\":\"w\",\"count\":4}],\"notes\":["
		"\"first\",\"second\"],"
		"\"kernels\":[{\"name\":\"k\",\"function\":\"f\",\"mangled\":\"m\",\"full_names\":"
		"2,\"share_pct\":40.0,\"bad_rows\":1,"
		"\"graph_launches\":6,\"launch_count\":8,\"total_ns\":20,\"min_ns\":1,\"max_ns\":9,"
		"\"mean_ns\":2.5,"
		"\"launch_configs\":[{\"config\":\"c\",\"grid\":[1,1,1],\"block\":[1,1,1],"
		"\"cluster\":[2,1,1],\"launch_count\":8,"
		"\"total_ns\":20,\"mean_ns\":2.5,\"min_ns\":1,\"max_ns\":9}],"
		"\"placement\":[{\"device\":0,\"pid\":7,\"stream\":13,\"launch_count\":5,"
		"\"total_ns\":12},{\"device\":1,\"pid\":null,\"stream\":null,\"launch_count\":3,"
		"\"total_ns\":8}],"
		"\"sections\":[{\"name\":\"Duration\",\"provenance\":\"exact\",\"metrics\":[{"
		"\"name\":\"ks__launch_count\",\"value\":8,"
		"\"unit\":\"count\",\"provenance\":\"exact\",\"resolution\":\"1\",\"resolution_"
		"value\":0.5,"
		"\"origin\":{\"table\":\"T\",\"columns\":\"start\",\"rows\":8}}]}]}]}";
	const struct ks_report *r = good(text);
	const struct ks_ev *row = ks_ev_get(r->ev, r->kernel[0].section[0].row[0]);

	(void)state;
	assert_int_equal(r->span_ns, 9);
	assert_int_equal(r->span_start_ns, 5);
	assert_true(r->span_from_other_rows && r->multi_process);
	assert_int_equal(r->capture_ns, 99);
	assert_int_equal(r->kernel_ns, 50);
	assert_int_equal(r->matched_ns, 20);
	assert_int_equal(r->total_kernels, 3);
	assert_int_equal(r->n_gpus_used, 1);
	assert_int_equal(r->gpu[0].l2_bytes, 77);
	assert_int_equal(r->gpu[0].kernel_busy_ns, 40);
	expect_text(&r->gpu[0].how, "by map");
	assert_int_equal(r->process[0].pid, 7);
	assert_int_equal(r->stream[0].gpu, 1); /* the device with id 0 */
	assert_int_equal(r->contents.copy_bytes, 4096);
	assert_int_equal(r->contents.why_no_kernels, KS_NK_NO_DRIVER);
	assert_int_equal(r->holding[1].rows, -1);
	assert_int_equal(r->diagnostic[0].count, 4);
	expect_text(&r->note[1], "second");
	assert_true(ks_str_eqc(r->kernel[0].base, "f") && ks_str_eqc(r->kernel[0].mangled, "m"));
	assert_int_equal(r->kernel[0].n_names, 2);
	assert_int_equal(r->kernel[0].config[0].cluster[0], 2);
	assert_int_equal(r->kernel[0].n_places, 2);
	assert_int_equal(r->kernel[0].place[0].gpu, 1); /* the device with id 0 */
	assert_int_equal(r->kernel[0].place[0].pid, 7);
	assert_int_equal(r->kernel[0].place[0].stream, 13);
	assert_int_equal(r->kernel[0].place[0].launches, 5);
	assert_int_equal(r->kernel[0].place[0].total_ns, 12);
	assert_int_equal(r->kernel[0].place[1].gpu, 0);
	assert_true(r->kernel[0].place[1].pid == KS_UNKNOWN);
	assert_true(r->kernel[0].place[1].stream == KS_UNKNOWN);
	assert_true(r->kernel[0].share_pct > 39.9 && r->kernel[0].share_pct < 40.1);
	assert_true(row->has_resolution && row->resolution > 0.49 && row->resolution < 0.51);
	assert_true(ks_str_eqc(row->origin->table, "T"));
	assert_int_equal(row->origin->rows, 8);
	assert_null(r->launches);
}

static void what_does_not_fit_is_one_error_that_names_the_place(void **state)
{
	static const struct {
		const char *text;
		int error;
		const char *place;
	} c[] = {
		{ "", KS_TEXT_ERR_SRC_REPORT_JSON, NULL },
		{ "{", KS_TEXT_ERR_SRC_REPORT_JSON, NULL },
		{ "{\"a\":1e999}", KS_TEXT_ERR_SRC_REPORT_JSON, NULL },
		{ "{\"a\":NaN}", KS_TEXT_ERR_SRC_REPORT_JSON, NULL },
		{ "{\"a\":99999999999999999999}", KS_TEXT_ERR_SRC_REPORT_JSON, NULL },
		{ "[1]", KS_TEXT_ERR_SRC_REPORT_SHAPE, "document" },
		{ "{}", KS_TEXT_ERR_SRC_REPORT_SHAPE, "schema_version" },
		{ "{\"schema_version\":\"1\"}", KS_TEXT_ERR_SRC_REPORT_SHAPE, "schema_version" },
		{ "{\"schema_version\":2,\"kernels\":[]}", KS_TEXT_ERR_SRC_REPORT_VERSION, "2" },
		{ "{\"schema_version\":1,\"verdicts\":[]}", KS_TEXT_ERR_SRC_REPORT_PACKET, NULL },
		{ "{\"schema_version\":1}", KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels" },
		{ "{\"schema_version\":1,\"kernels\":{}}", KS_TEXT_ERR_SRC_REPORT_SHAPE,
		  "kernels" },
		{ "{\"schema_version\":1,\"kernels\":[3]}", KS_TEXT_ERR_SRC_REPORT_SHAPE,
		  "kernels[0]" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":5}]}", KS_TEXT_ERR_SRC_REPORT_SHAPE,
		  "kernels[0].name" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"launch_count\":-1}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].launch_count" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"launch_count\":1.5}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].launch_count" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"placement\":5}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].placement" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"placement\":[{"
		  "\"device\":3}]}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].placement[0].device" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"launch_configs\":[{"
		  "\"grid\":[1,2]}]}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].launch_configs[0].grid" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"sections\":[{\"name\":"
		  "\"D\",\"provenance\":\"exact\","
		  "\"metrics\":[{\"name\":\"ks__x\",\"value\":[1],\"provenance\":\"exact\"}]}]}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].sections[0].metrics[0].value" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"sections\":[{\"name\":"
		  "\"D\",\"provenance\":\"sure\"}]}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].sections[0].provenance" },
		{ "{\"schema_version\":1,\"kernels\":[{\"name\":\"k\",\"launches\":[{\"config\":"
		  "\"none\"}]}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "kernels[0].launches[0].config" },
		{ "{\"schema_version\":1,\"kernels\":[],\"sources\":{\"a\":1}}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "sources.a" },
		{ "{\"schema_version\":1,\"kernels\":[],\"streams\":[{\"device\":9}]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "streams[0].device" },
		{ "{\"schema_version\":1,\"kernels\":[],\"meta\":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]"
		  "]]}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "meta" },
		{ "{\"schema_version\":1,\"kernels\":[],\"meta\":{\"a\":[[[[[[[[[[[[[[[[[[]]]]]]]]]"
		  "]]]]]]]]]}}",
		  KS_TEXT_ERR_SRC_REPORT_SHAPE, "meta" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		struct ks_report *report;
		struct ks_err err;

		assert_int_equal(read_text(c[i].text, &report, &err), KS_E_INPUT);
		assert_null(report);
		if (err.text != c[i].error || (c[i].place && strcmp(err.arg[1], c[i].place) != 0))
			fail_msg("%s gave text %d, place %s", c[i].text, err.text, err.arg[1]);
	}
}

static void deep_nesting_and_invalid_bytes_are_refused(void **state)
{
	static char deep[20001];
	struct ks_report *report;
	struct ks_err err;

	(void)state;
	memset(deep, '[', sizeof(deep) - 1);
	assert_int_equal(read_text(deep, &report, &err), KS_E_INPUT);
	assert_int_equal(err.text, KS_TEXT_ERR_SRC_REPORT_JSON);
	assert_int_equal(read_text("{\"schema_version\":1,\"tool\":\"\xff\"}", &report, &err),
			 KS_E_INPUT);
	assert_int_equal(err.text, KS_TEXT_ERR_SRC_REPORT_JSON);
}

static void a_nul_in_a_name_survives(void **state)
{
	const struct ks_report *r =
		good("{\"schema_version\":1,\"kernels\":[{\"name\":\"a\\u0000b\"}]}");

	(void)state;
	assert_int_equal(r->kernel[0].name.n, 3);
}

static void a_missing_file_is_told(void **state)
{
	struct ks_report *report;
	struct ks_err err;

	(void)state;
	ks_err_init(&err);
	assert_int_equal(ks_ksreport_read(test_ctx(), in_scratch("gone.json"), &report, &err),
			 KS_E_INPUT);
	assert_int_equal(err.text, KS_TEXT_ERR_IN_MISSING);
}

int test_ksreport(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_of_the_original),
		cmocka_unit_test(its_kernels_and_configurations),
		cmocka_unit_test(its_rows_keep_value_provenance_and_refusal),
		cmocka_unit_test(what_we_do_not_know_the_name_of_is_kept),
		cmocka_unit_test(its_launches_can_be_walked),
		cmocka_unit_test(kernels_come_by_time_whatever_the_order_of_the_file),
		cmocka_unit_test(the_meta_object_is_kept_as_text),
		cmocka_unit_test(a_report_of_ours),
		cmocka_unit_test(what_does_not_fit_is_one_error_that_names_the_place),
		cmocka_unit_test(deep_nesting_and_invalid_bytes_are_refused),
		cmocka_unit_test(a_nul_in_a_name_survives),
		cmocka_unit_test(a_missing_file_is_told),
	};

	return cmocka_run_group_tests_name("ksreport", tests, NULL, NULL);
}
