/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading packets back: ours survive unchanged, the original's keys are understood, what is unknown
 * is kept as text, and what is no packet is one error.
 */
#include "all.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct ks_packet_spec plain = { .wall_s = 0.0 };

static enum ks_status parse(struct desk *d, const char *text, struct ks_packet **p,
			    struct ks_err *err)
{
	ks_err_init(err);
	return ks_packet_parse(&d->ctx, ks_str_c(text), "p.json", p, err);
}

static struct ks_packet *parsed(struct desk *d, const char *text)
{
	struct ks_packet *p = NULL;
	struct ks_err err;

	assert_int_equal(parse(d, text, &p, &err), KS_OK);
	return p;
}

static void our_packet_reads_back_to_the_same_bytes(void **state)
{
	struct desk d;
	struct ks_packet *p, *again;
	struct ks_err err;
	struct ks_buf b;
	struct ks_out out;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	given_refusal(&d, 0, KS_METRIC_EST_ACHIEVED_GBS, KS_REFUSAL_NO_WORKLOAD);
	given_refusal(&d, 1, KS_METRIC_LAUNCH_BLOCK_SIZE, KS_REFUSAL_COUNTERS_DENIED);
	d.report.n_gpus_used = 2;
	decided(&d);
	ks_str text = packet_of(&d, &plain, &p);

	ks_err_init(&err);
	assert_int_equal(ks_packet_parse(&d.ctx, text, "p.json", &again, &err), KS_OK);
	ks_buf_init(&b, 1u << 20);
	ks_out_open_mem(&out, &b);
	ks_packet_write(&d.ctx, again, &out);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	assert_int_equal(b.n, text.n);
	assert_memory_equal(b.p, text.p, text.n);
	ks_buf_release(&b);
	assert_true(again->report->reread);
	expect_str(again->report->tool_version, "9.9.9");
	assert_int_equal(again->report->total_launches, 25);
	/* facts lose decimals beyond the sixth, and which device it was is not among them */
	expect_message(&again->report->verdicts->finding, KS_LANG_EN,
		       "gemm takes 96.6 % of kernel time (4.755 ms in 5 launches); occupancy is "
		       "limited to 33.3 "
		       "% by registers+shared_mem");
	desk_end(&d);
}

static ks_str written(struct desk *d, const struct ks_packet *p)
{
	struct ks_buf b;
	struct ks_out out;

	ks_buf_init(&b, 1u << 20);
	ks_out_open_mem(&out, &b);
	ks_packet_write(&d->ctx, p, &out);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	const ks_str text = ks_arena_dup(&d->arena, ks_buf_view(&b));

	ks_buf_release(&b);
	return text;
}

/* What a refused decision says of a conditional answer, what the environment lacked, on which files
 * it rests. */
static void assumptions_and_inputs_read_back_to_the_same_bytes(void **state)
{
	const struct ks_env_refusal env = { KS_LIT("nsys_missing"), KS_LIT("no nsys") };
	const struct ks_carried c = { .env = &env,
				      .n_env = 1,
				      .clock_lock = KS_LIT("unlocked"),
				      .calibration = KS_LIT("cal.json:8fd9"),
				      .memtrace_name = KS_LIT("t.txt"),
				      .memtrace_sha256 = KS_LIT("ab") };
	struct desk d;
	struct ks_packet *p, *again;
	struct ks_err err;

	(void)state;
	desk_start(&d);
	given_rows(&d);
	given_number(&d, 0, KS_METRIC_MEAS_WINDOW_POWER_MEAN_W, 400.0);
	d.report.asked_cost = true;
	d.report.carried = &c;
	decided(&d);
	const ks_str text = packet_of(&d, &plain, &p);

	ks_err_init(&err);
	assert_int_equal(ks_packet_parse(&d.ctx, text, "p.json", &again, &err), KS_OK);
	const ks_str same = written(&d, again);

	assert_int_equal(same.n, text.n);
	assert_memory_equal(same.p, text.p, text.n);
	assert_int_equal(again->verdict[1].id, KS_VERDICT_COST_PER_TOKEN);
	assert_int_equal(again->verdict[1].status, KS_VERDICT_STATUS_REFUSED);
	assert_int_equal(again->verdict[1].prov, KS_PROV_ESTIMATED);
	desk_end(&d);
}

/* A packet that was read is not trimmed again; it says its size as it is. */
static void a_packet_that_is_too_large_says_so_when_it_is_written(void **state)
{
	for (int large = 0; large < 2; large++) {
		struct desk d;
		struct ks_buf b;

		(void)state;
		desk_start(&d);
		ks_buf_init(&b, 1u << 20);
		ks_buf_cstr(&b,
			    "{\"schema_version\":1,\"verdicts\":[],\"cost\":{\"packet_bytes\":7,"
			    "\"over_budget\":true},\"report_path\":\"");
		for (int i = 0; large && i < 5000; i++)
			ks_buf_cstr(&b, "x");
		ks_buf_cstr(&b, "\"}");
		const struct ks_packet *p = parsed(&d, ks_buf_text(&b));
		const ks_str text = written(&d, p);
		json_t *root = json_loadb(text.p, text.n, 0, NULL);
		const json_t *cost = json_object_get(root, "cost");

		assert_int_equal(json_integer_value(json_object_get(cost, "packet_bytes")), text.n);
		assert_int_equal(json_is_true(json_object_get(cost, "over_budget")), large);
		assert_int_equal(p->packet_bytes, 7); /* of the file, for the screen */
		json_decref(root);
		ks_buf_release(&b);
		desk_end(&d);
	}
}

static const char theirs[] =
	"{\"schema_version\":1,\"schema_revision\":\"1.4\",\"tool\":\"kernoscope\",\"tool_"
	"version\":\"0.2.3\","
	"\"protocol\":{\"hash\":\"sha256:0ddd60fece897124\",\"basis\":\"per-launch\",\"window_"
	"mode\":\"auto\"},"
	"\"env\":{\"tier\":0,\"tier_name\":\"demo\",\"counter_state\":\"not-installed\",\"blocked_"
	"by\":[\"no_gpu\"]},"
	"\"verdicts\":[{\"id\":\"kernel_time\",\"status\":\"ok\",\"facts\":{\"top\":\"k\",\"top_"
	"ms\":1.0,"
	"\"launches\":1,\"share_pct\":50.0,\"device_ids\":[0,1]},\"value\":1.0,\"unit\":\"ms\","
	"\"provenance\":"
	"\"exact\",\"band\":{\"low\":-3,\"high\":3},\"mdd\":1.0,\"premises\":[{\"id\":\"kernel_"
	"share_of_total\","
	"\"observed\":50.0,\"ok\":true,\"unit\":\"%\"}]},"
	"{\"id\":\"cost_per_token\",\"status\":\"refused\",\"actionable\":false,\"value\":3.5,"
	"\"refusal\":{\"code\":"
	"\"no_price\",\"observed\":{\"price_per_kwh\":null}}},"
	"{\"id\":\"of_tomorrow\",\"status\":\"soft\",\"value\":2,\"unit\":\"CUR/"
	"furlong\",\"provenance\":\"guessed\","
	"\"premises\":[{\"id\":\"new_premise\",\"observed\":null,\"ok\":false}]},"
	"{\"id\":\"roofline\",\"status\":\"refused\",\"refusal\":{\"code\":\"code_of_tomorrow\"}}],"
	"\"unmeasured\":[{\"code\":\"counters_denied\",\"count\":4,\"examples\":[\"a\",\"b\"]}],"
	"\"refusals\":{\"no_price\":{\"action\":\"give a "
	"price\",\"cost_kind\":\"wall_seconds\",\"cost_s\":20.0,"
	"\"cmd\":\"do\",\"sev\":\"degraded\"}},"
	"\"cost\":{\"wall_s\":0.006,\"launches\":25,\"unmeasured_metrics\":23,\"measured_metrics\":"
	"21,"
	"\"selftest_band\":false,\"trimmed\":[\"next_pointers\"],\"packet_bytes\":3869},"
	"\"unmeasured_more\":{\"groups\":3,\"metrics\":7},\"verdicts_more\":{\"count\":1,\"ids\":["
	"\"static_mix\"]},"
	"\"synthetic\":true,\"clock_lock\":\"locked\",\"environment_refusals\":[{\"code\":\"nsys_"
	"missing\","
	"\"message\":\"no "
	"nsys\"}],\"refusals_omitted\":{\"count\":4,\"codes\":[\"no_nvlink\"],\"codes_truncated\":"
	"true}}";

static void every_key_of_the_original_is_understood(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	struct ks_packet *p = parsed(&d, theirs);
	const struct ks_verdict_row *v = &p->verdict[0];

	assert_int_equal(p->n_verdicts, 4);
	assert_int_equal(v->id, KS_VERDICT_KERNEL_TIME);
	assert_true(v->actionable); /* no field: not refused and every premise holds */
	expect_double(v->value.d, 1.0);
	expect_double(v->mdd, 1.0);
	assert_int_equal(v->n_band, 2);
	assert_int_equal(v->premise[0].id, KS_PREMISE_KERNEL_SHARE_OF_TOTAL);
	assert_int_equal(fact_of(v, "device_ids").item[1].i, 1);
	v = &p->verdict[1];
	assert_int_equal(v->status, KS_VERDICT_STATUS_REFUSED);
	assert_int_equal(v->value.kind,
			 KS_V_NONE); /* a refused number is not shown, whatever the file says */
	assert_int_equal(v->refused->code, KS_REFUSAL_NO_PRICE);
	assert_int_equal(v->refused->observed[0].value.kind, KS_V_NONE);
	assert_int_equal(v->refused->severity, KS_SEV_DEGRADED);
	expect_double(v->refused->remedy.cost_s, 20.0);
	expect_str(v->refused->remedy.command, "do");
	expect_message(&v->refused->remedy.action, KS_LANG_ZH, "give a price");
	assert_int_equal(p->n_groups, 1);
	expect_str(p->group[0].example[1], "b");
	assert_int_equal(p->more_groups, 3);
	assert_int_equal(p->more_metrics, 7);
	expect_str(p->more_verdict[0], "static_mix");
	expect_str(p->clock_lock, "locked");
	expect_str(p->env[0].message, "no nsys");
	assert_int_equal(p->n_omitted, 4);
	assert_int_equal(p->n_omitted_listed, 1);
	assert_true(p->report->synthetic);
	assert_int_equal(p->report->verdicts->tier, 0);
	assert_int_equal(p->report->verdicts->measured_metrics, 21);
	assert_int_equal(p->packet_bytes, 3869);
	expect_str(p->trimmed[0], "next_pointers");
	desk_end(&d);
}

static void unknown_ids_codes_and_units_are_kept_as_text(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	struct ks_packet *p = parsed(&d, theirs);
	const struct ks_verdict_row *v = &p->verdict[2];

	assert_int_equal(v->id, KS_VERDICT_NONE);
	expect_str(v->name, "of_tomorrow");
	expect_str(v->unit_text, "CUR/furlong");
	assert_int_equal(v->prov, KS_PROV_ESTIMATED); /* unknown is never exact */
	expect_str(v->premise[0].name, "new_premise");
	assert_false(v->actionable);
	v = &p->verdict[3];
	assert_int_equal(v->refused->code, KS_REFUSAL_INTERNAL_UNKNOWN);
	expect_str(ks_refused_slug(v->refused), "code_of_tomorrow");
	desk_end(&d);
}

static void trimmed_pointers_are_rebuilt_in_order(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	struct ks_packet *p = parsed(&d, theirs);

	assert_int_equal(p->n_next_written, 0);
	assert_int_equal(p->n_next, 3);
	expect_str(p->next[0].slug, "no_price");
	expect_str(p->next[1].slug, "code_of_tomorrow");
	expect_str(p->next[2].slug, "counters_denied");
	desk_end(&d);
}

static void what_is_no_packet_is_one_error(void **state)
{
	static const struct {
		const char *text;
		int error;
	} cases[] = {
		{ "", KS_TEXT_ERR_VD_NOT_JSON },
		{ "{\"verdicts\":[", KS_TEXT_ERR_VD_NOT_JSON },
		{ "{\"verdicts\":[]} tail", KS_TEXT_ERR_VD_NOT_JSON },
		{ "SQLite format 3", KS_TEXT_ERR_VD_NOT_JSON },
		{ "\xff\xfe", KS_TEXT_ERR_VD_NOT_JSON },
		{ "[]", KS_TEXT_ERR_VD_NOT_PACKET },
		{ "7", KS_TEXT_ERR_VD_NOT_PACKET },
		{ "null", KS_TEXT_ERR_VD_NOT_PACKET },
		{ "{}", KS_TEXT_ERR_VD_NOT_PACKET },
		{ "{\"schema_version\":1,\"verdicts\":{}}", KS_TEXT_ERR_VD_NOT_PACKET },
		{ "{\"schema_version\":2,\"verdicts\":[]}", KS_TEXT_ERR_VD_SCHEMA },
		{ "{\"verdicts\":[]}", KS_TEXT_ERR_VD_FIELD },
		{ "{\"schema_version\":\"1\",\"verdicts\":[]}", KS_TEXT_ERR_VD_FIELD },
		{ "{\"schema_version\":1,\"verdicts\":[7]}", KS_TEXT_ERR_VD_FIELD },
		{ "{\"schema_version\":1,\"verdicts\":[{\"id\":\"kernel_time\"}]}",
		  KS_TEXT_ERR_VD_FIELD },
		{ "{\"schema_version\":1,\"verdicts\":[{\"status\":\"ok\"}]}",
		  KS_TEXT_ERR_VD_FIELD },
		{ "{\"schema_version\":1,\"verdicts\":[{\"id\":\"x\",\"status\":\"maybe\"}]}",
		  KS_TEXT_ERR_VD_FIELD },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct desk d;
		struct ks_packet *p = NULL;
		struct ks_err err;

		desk_start(&d);
		assert_int_equal(parse(&d, cases[i].text, &p, &err), KS_E_INPUT);
		if (err.text != cases[i].error)
			fail_msg("case %zu: text %d", i, err.text);
		assert_string_equal(err.arg[0], "p.json");
		assert_null(p);
		desk_end(&d);
	}
}

static void odd_content_in_the_right_place_is_survived(void **state)
{
	static const char *const texts[] = {
		"{\"schema_version\":1,\"verdicts\":[]}",
		"{\"schema_version\":1,\"verdicts\":[{\"id\":\"kernel_time\",\"status\":\"ok\"}]}",
		"{\"schema_version\":1,\"verdicts\":[{\"id\":\"kernel_time\",\"status\":"
		"\"refused\"}]}",
		"{\"schema_version\":1,\"verdicts\":[{\"id\":\"kernel_time\",\"status\":\"ok\","
		"\"facts\":[],"
		"\"premises\":{},\"metrics\":{},\"unit\":7,\"value\":\"x\",\"next\":[]}],"
		"\"unmeasured\":7,"
		"\"refusals\":[],\"next\":{},\"env\":[],\"protocol\":7,\"cost\":\"x\",\"refusals_"
		"omitted\":[]}",
		"{\"schema_version\":1,\"verdicts\":[{\"id\":\"kernel_time\",\"status\":\"ok\","
		"\"facts\":{\"top\":"
		"\"a\\u0000b\",\"top_ms\":1e300,\"launches\":-5,\"share_pct\":\"x\",\"deep\":[[[[[["
		"[[1]]]]]]]]}}],"
		"\"unmeasured\":[7,{}],\"next\":[7,{}],\"environment_refusals\":[7],\"cost\":{"
		"\"launches\":-1}}",
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(texts); i++) {
		struct desk d;
		struct ks_buf b;
		struct ks_out out;

		desk_start(&d);
		struct ks_packet *p = parsed(&d, texts[i]);

		ks_buf_init(&b, 1u << 20);
		ks_out_open_mem(&out, &b);
		ks_packet_write(&d.ctx, p, &out);
		assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
		json_t *root = json_loadb(b.p, b.n, JSON_ALLOW_NUL, NULL);

		assert_non_null(root);
		json_decref(root);
		ks_buf_release(&b);
		desk_end(&d);
	}
}

static void a_refused_decision_without_a_reason_is_a_legacy_report(void **state)
{
	struct desk d;

	(void)state;
	desk_start(&d);
	struct ks_packet *p = parsed(&d, "{\"schema_version\":1,\"verdicts\":[{\"id\":\"kernel_"
					 "time\",\"status\":\"refused\"}]}");

	assert_int_equal(p->verdict[0].refused->code, KS_REFUSAL_LEGACY_REPORT);
	expect_message(&p->report->verdicts->finding, KS_LANG_EN,
		       "no kernel is ranked first (legacy_report)");
	desk_end(&d);
}

static void packets_and_reports_are_told_apart(void **state)
{
	(void)state;
	assert_true(ks_packet_sniff(KS_LIT("{\"verdicts\":[]}")));
	assert_false(ks_packet_sniff(KS_LIT("{\"kernels\":[],\"verdicts\":[]}")));
	assert_false(ks_packet_sniff(KS_LIT("{\"kernels\":[]}")));
	assert_false(ks_packet_sniff(KS_LIT("nothing")));
	assert_false(ks_packet_sniff(KS_STR_NONE));
}

static void a_file_over_the_limit_is_not_read(void **state)
{
	struct desk d;
	struct ks_packet *p = NULL;
	struct ks_err err;
	char path[] = "/tmp/ks-packet-XXXXXX";
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");

	(void)state;
	assert_non_null(f);
	assert_int_equal(fputs(theirs, f) >= 0, 1);
	for (int i = 0; i < (256 << 10); i++)
		assert_int_equal(fputc(' ', f), ' ');
	assert_int_equal(fclose(f), 0);
	desk_start(&d);
	ks_err_init(&err);
	assert_int_equal(ks_packet_read(&d.ctx, path, &p, &err), KS_E_INPUT);
	assert_int_equal(err.text, KS_TEXT_ERR_IN_TOO_BIG);
	assert_int_equal(truncate(path, 100 << 10), 0);
	ks_err_init(&err);
	assert_int_equal(ks_packet_read(&d.ctx, path, &p, &err), KS_OK);
	assert_int_equal(p->n_verdicts, 4);
	desk_end(&d);
	(void)unlink(path);
}

static void flipped_bits_end_in_a_packet_or_in_one_error(void **state)
{
	uint64_t s = 3;
	size_t read = 0;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)s);
	for (int i = 0; i < 3000; i++) {
		char text[sizeof(theirs)];
		struct desk d;
		struct ks_packet *p = NULL;
		struct ks_err err;

		memcpy(text, theirs, sizeof(text));
		for (int k = 0; k <= i % 3; k++) {
			/* MMIX's linear congruential generator (Knuth, TAOCP 3.3.4) */
			s = s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			text[(s >> 33) % (sizeof(text) - 1)] ^= (char)(1 << (i % 7));
		}
		desk_start(&d);
		ks_err_init(&err);
		enum ks_status st = ks_packet_parse(&d.ctx, (ks_str){ text, sizeof(text) - 1 },
						    "p.json", &p, &err);

		assert_true(st == KS_OK ? p != NULL : st == KS_E_INPUT && err.text != KS_TEXT_NONE);
		read += st == KS_OK;
		if (p) {
			struct ks_out out;

			ks_out_open_null(&out);
			ks_packet_write(&d.ctx, p, &out);
			(void)ks_out_commit(&out, NULL);
			assert_true(out.total > 0);
		}
		desk_end(&d);
	}
	assert_in_range(read, 100, 2900); /* both ends were met often */
}

static void no_memory_is_an_error_not_half_a_packet(void **state)
{
	(void)state;
	for (size_t limit = 1000; limit < 60000; limit += 500) {
		struct desk d;
		struct ks_packet *p = NULL;
		struct ks_err err;

		desk_start(&d);
		d.arena.limit = d.arena.used + limit;
		enum ks_status st = parse(&d, theirs, &p, &err);

		assert_true(st == KS_OK ? p != NULL : st == KS_E_ENV);
		if (limit == 1000)
			assert_int_equal(st, KS_E_ENV);
		desk_end(&d);
	}
}

int test_packet_read(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_packet_reads_back_to_the_same_bytes),
		cmocka_unit_test(assumptions_and_inputs_read_back_to_the_same_bytes),
		cmocka_unit_test(a_packet_that_is_too_large_says_so_when_it_is_written),
		cmocka_unit_test(every_key_of_the_original_is_understood),
		cmocka_unit_test(unknown_ids_codes_and_units_are_kept_as_text),
		cmocka_unit_test(trimmed_pointers_are_rebuilt_in_order),
		cmocka_unit_test(what_is_no_packet_is_one_error),
		cmocka_unit_test(odd_content_in_the_right_place_is_survived),
		cmocka_unit_test(a_refused_decision_without_a_reason_is_a_legacy_report),
		cmocka_unit_test(packets_and_reports_are_told_apart),
		cmocka_unit_test(a_file_over_the_limit_is_not_read),
		cmocka_unit_test(flipped_bits_end_in_a_packet_or_in_one_error),
		cmocka_unit_test(no_memory_is_an_error_not_half_a_packet),
	};

	return cmocka_run_group_tests_name("packet_read", tests, NULL, NULL);
}
