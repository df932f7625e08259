/* SPDX-License-Identifier: Apache-2.0
 *
 * From a text to readings: names, units, blanks, repeated and faulty lines. The texts are made for
 * one behaviour each; what is expected follows from them by hand.
 */
#include "all.h"

#include "base/str.h"
#include "source/telemetry.h"

struct given_text {
	struct ks_arena arena;
	const struct ks_telemetry *t;
};

static void given(struct given_text *g, const char *text)
{
	struct ks_ctx ctx = *test_ctx();

	ks_arena_init(&g->arena, (size_t)256 << 20);
	ctx.run = &g->arena;
	assert_int_equal(ks_telemetry_parse(&ctx, &(struct ks_tel_ask){ .where = "text" },
					    ks_str_c(text), &g->t, NULL),
			 KS_OK);
}

static void done(struct given_text *g)
{
	ks_arena_release(&g->arena);
}

static const struct ks_tel_reading *reading(const struct given_text *g, const char *name)
{
	for (size_t i = 0; i < g->t->n_readings; i++)
		if (ks_str_eqc(g->t->reading[i].name, name))
			return &g->t->reading[i];
	fail_msg("no reading %s", name);
	return NULL;
}

static void expect_number(const struct given_text *g, const char *name, double v)
{
	const struct ks_tel_reading *r = reading(g, name);

	if (r->why != KS_TEL_FINE || r->value < v || r->value > v)
		fail_msg("%s: %s, %.17g", name, ks_tel_why_word(r->why), r->value);
}

static void expect_why(const struct given_text *g, const char *name, enum ks_tel_why why)
{
	const struct ks_tel_reading *r = reading(g, name);

	assert_string_equal(ks_tel_why_word(r->why), ks_tel_why_word(why));
	assert_true(r->value >= 0.0 && r->value <= 0.0);
}

static void expect_item(const struct ks_tel_list *list, const char *name, enum ks_tel_why why)
{
	for (size_t i = 0; i < list->n; i++)
		if (ks_str_eqc(list->item[i].name, name)) {
			assert_string_equal(ks_tel_why_word(list->item[i].why),
					    ks_tel_why_word(why));
			return;
		}
	fail_msg("%s is not listed", name);
}

#define XML(inside)                                                                                \
	"<?xml version=\"1.0\"?>\n<nvidia_smi_log><gpu id=\"00:01\">"                              \
	"<uuid>GPU-ab12cd34-0000-0000-0000-000000000001</uuid>" inside "</gpu></nvidia_smi_log>\n"

static void units_are_read_and_converted_once(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, XML("<clocks><sm_clock>1410 MHz</sm_clock></clocks>"
		      "<fb_memory_usage><used>42 MiB</used><total>1 GiB</total></fb_memory_usage>"
		      "<utilization><gpu_util>37 %</gpu_util></utilization>"
		      "<temperature><gpu_temp>39 C</gpu_temp></temperature>"));
	expect_number(&g, "meas__telemetry_smi_sm_clock_hz", 1.41e9);
	expect_number(&g, "meas__telemetry_smi_fb_used_bytes", 44040192.0);
	expect_number(&g, "meas__telemetry_smi_fb_total_bytes", 1073741824.0);
	expect_number(&g, "meas__telemetry_smi_gpu_util_ratio", 0.37);
	expect_number(&g, "meas__telemetry_smi_temp_c", 39.0);
	done(&g);
}

static void a_ratio_never_becomes_bytes(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, XML("<fb_memory_usage><used>42 %</used><total>12 W</total></fb_memory_usage>"
		      "<utilization><gpu_util>37 MiB</gpu_util></utilization>"
		      "<temperature><gpu_temp>39</gpu_temp></temperature>"));
	expect_why(&g, "meas__telemetry_smi_fb_used_bytes", KS_TEL_BAD_VALUE);
	expect_why(&g, "meas__telemetry_smi_fb_total_bytes", KS_TEL_BAD_VALUE);
	expect_why(&g, "meas__telemetry_smi_gpu_util_ratio", KS_TEL_BAD_VALUE);
	expect_why(&g, "meas__telemetry_smi_temp_c", KS_TEL_NO_UNIT);
	done(&g);
}

static void blanks_are_no_value(void **state)
{
	static const char *const blanks[] = { "N/A",
					      "[N/A]",
					      "",
					      " ",
					      "[Not Supported]",
					      "Not Supported",
					      "[Unknown Error]",
					      "[Requested functionality has been deprecated]" };
	char text[512];

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(blanks); i++) {
		struct given_text g;

		(void)snprintf(text, sizeof(text), "uuid, power.draw [W]\nGPU-1, %s\n", blanks[i]);
		given(&g, text);
		expect_why(&g, "meas__telemetry_smi_power_w", KS_TEL_BLANK);
		done(&g);
	}
}

static void dcgm_blank_numbers_are_no_value(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 2147483632\n"
		  "DCGM_FI_DEV_FB_USED{gpu=\"0\"} 9223372036854775794\n"
		  "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 140737488355330\n"
		  "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\"} 2147483633\n"
		  "DCGM_FI_DEV_FB_FREE{gpu=\"0\"} 2147483631\n");
	expect_why(&g, "meas__telemetry_dcgm_gpu_util_pct", KS_TEL_BLANK);
	expect_why(&g, "meas__telemetry_dcgm_fb_used_mib", KS_TEL_BLANK);
	expect_why(&g, "meas__telemetry_dcgm_power_w", KS_TEL_BLANK);
	expect_number(&g, "meas__telemetry_dcgm_energy_total_mj", 2147483633.0);
	expect_number(&g, "meas__telemetry_dcgm_fb_free_mib", 2147483631.0);
	done(&g);
}

static void instances_are_kept_apart_from_the_board(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, XML("<mig_devices><mig_device><gpu_instance_id>3</gpu_instance_id>"
		      "<fb_memory_usage><used>12 MiB</used></fb_memory_usage></mig_device>"
		      "<mig_device><gpu_instance_id>4</gpu_instance_id>"
		      "<fb_memory_usage><used>13 MiB</used></fb_memory_usage></mig_device>"
		      "</mig_devices><fb_memory_usage><used>50 MiB</used></fb_memory_usage>"));
	expect_number(&g, "meas__telemetry_smi_fb_used_bytes__gpu_ab12cd34", 52428800.0);
	expect_number(&g, "meas__telemetry_smi_fb_used_bytes__gpu_ab12cd34_gi_3", 12582912.0);
	expect_number(&g, "meas__telemetry_smi_fb_used_bytes__gpu_ab12cd34_gi_4", 13631488.0);
	done(&g);
	/* one instance alone is still no board */
	given(&g, "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",GPU_I_ID=\"3\"} 1410\n");
	expect_number(&g, "meas__telemetry_dcgm_sm_clock_mhz__gpu_0_gi_3", 1410.0);
	assert_int_equal(g.t->n_readings, 1);
	done(&g);
}

static void series_of_one_device_number_get_the_hash_of_their_key(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",Hostname=\"a\"} 1\n"
		  "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",Hostname=\"b\"} 2\n");
	/* printf '%s' 'DCGM_FI_DEV_SM_CLOCK{Hostname="a",gpu="0"}' | sha256sum */
	expect_number(&g, "meas__telemetry_dcgm_sm_clock_mhz__gpu_d3c40032", 1.0);
	expect_number(&g, "meas__telemetry_dcgm_sm_clock_mhz__gpu_aeb754e3", 2.0);
	done(&g);
}

static void the_old_spelling_gives_way(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "DCGM_FI_PROF_DRAM_UTIL_RATIO{gpu=\"0\"} 0.1\n"
		  "DCGM_FI_PROF_DRAM_ACTIVE{gpu=\"0\"} 0.2\n");
	expect_number(&g, "meas__telemetry_dcgm_dram_active_ratio", 0.2);
	expect_item(&g.t->skipped, "DCGM_FI_PROF_DRAM_UTIL_RATIO{gpu=\"0\"}", KS_TEL_OTHER_FIELD);
	done(&g);
}

static void a_counter_is_no_rate(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "# TYPE DCGM_FI_PROF_PCIE_TX_BYTES counter\n"
		  "DCGM_FI_PROF_PCIE_TX_BYTES{gpu=\"0\"} 123\n"
		  "# TYPE DCGM_FI_PROF_PCIE_RX_BYTES gauge\n"
		  "DCGM_FI_PROF_PCIE_RX_BYTES{gpu=\"0\"} 456\n");
	expect_why(&g, "meas__telemetry_dcgm_pcie_tx_bytes_per_s", KS_TEL_COUNTER);
	expect_number(&g, "meas__telemetry_dcgm_pcie_rx_bytes_per_s", 456.0);
	expect_item(&g.t->missing, "DCGM_FI_PROF_PCIE_TX_BYTES", KS_TEL_COUNTER);
	done(&g);
}

static void a_line_without_its_end_may_be_half_a_number(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 5\nDCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 35");
	assert_int_equal(g.t->n_readings, 1);
	expect_item(&g.t->bad, "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} 35", KS_TEL_UNENDED);
	assert_int_equal(g.t->bad.item[0].n, 2);
	done(&g);
}

static void a_last_row_or_field_without_its_end_is_not_used(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "index, power.draw [W]\n0, 171.2 W\n1, 17");
	expect_number(&g, "meas__telemetry_smi_power_w", 171.2);
	expect_item(&g.t->bad, "1, 17", KS_TEL_UNENDED);
	done(&g);
	given(&g, "=====NVSMI LOG=====\nGPU 00:01\n    FB Memory Usage\n"
		  "        Used : 5 MiB\n        Total : 8 MiB");
	expect_number(&g, "meas__telemetry_smi_fb_used_bytes", 5242880.0);
	assert_int_equal(g.t->n_readings, 1);
	expect_item(&g.t->bad, "        Total : 8 MiB", KS_TEL_UNENDED);
	done(&g);
}

static void a_header_that_comes_again_is_no_gpu(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "index, power.draw [W]\n0, 10 W\nindex, power.draw [W]\r\n1, 20 W\n");
	assert_int_equal(g.t->n_devices, 2);
	assert_int_equal(g.t->n_readings, 2);
	expect_item(&g.t->duplicates, "index, power.draw [W]", KS_TEL_FINE);
	expect_number(&g, "meas__telemetry_smi_power_w__gpu_1", 20.0);
	done(&g);
}

static void a_byte_order_mark_is_no_part_of_a_text(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "\xef\xbb\xbf"
		  "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 5\n");
	expect_number(&g, "meas__telemetry_dcgm_gpu_util_pct", 5.0);
	done(&g);
	given(&g, "\xef\xbb\xbf" XML("<temperature><gpu_temp>39 C</gpu_temp></temperature>"));
	expect_number(&g, "meas__telemetry_smi_temp_c", 39.0);
	done(&g);
	given(&g, "\xef\xbb\xbfpower.draw [W], uuid\n10, GPU-ab\n");
	expect_number(&g, "meas__telemetry_smi_power_w", 10.0);
	done(&g);
}

static void a_blank_uuid_tells_no_devices_apart_and_joins_none(void **state)
{
	struct given_text g;

	(void)state;
	given(&g,
	      "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-00000000-0000-0000-0000-000000000000\"}"
	      " 5\nDCGM_FI_DEV_GPU_UTIL{gpu=\"1\",UUID=\"[N/A]\"} 6\n");
	assert_int_equal(g.t->n_devices, 2);
	assert_int_equal(g.t->device[0].uuid.n + g.t->device[1].uuid.n, 0);
	expect_number(&g, "meas__telemetry_dcgm_gpu_util_pct__gpu_0", 5.0);
	expect_number(&g, "meas__telemetry_dcgm_gpu_util_pct__gpu_1", 6.0);
	done(&g);
}

/* The hashes are those that sha256sum prints of the keys. */
static void an_instance_without_a_number_is_no_board(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "=====NVSMI LOG=====\nGPU 00:01\n    MIG Devices\n        MIG Device\n"
		  "            FB Memory Usage\n                Used : 9 MiB\n");
	expect_number(&g, "meas__telemetry_smi_fb_used_bytes__gpu_0_gi_94201289", 9437184.0);
	assert_string_equal(g.t->device[1].instance.p, "?");
	done(&g);
	given(&g, XML("<mig_devices><mig_device><gpu_instance_id>N/A</gpu_instance_id>"
		      "<fb_memory_usage><used>9 MiB</used></fb_memory_usage></mig_device>"
		      "</mig_devices>"));
	expect_number(&g, "meas__telemetry_smi_fb_used_bytes__gpu_ab12cd34_gi_bf54d59a", 9437184.0);
	done(&g);
}

/* 262,144 of 262,146 rows. */
static void readings_have_a_limit_and_say_so(void **state)
{
	static const char head[] = "power.draw [W]\n";
	const size_t rows = 262146, n = sizeof(head) - 1;
	struct given_text g;
	char *text = malloc(n + 2 * rows + 1);

	(void)state;
	assert_non_null(text);
	memcpy(text, head, n);
	for (size_t i = 0; i < rows; i++)
		memcpy(text + n + 2 * i, "7\n", 2);
	text[n + 2 * rows] = '\0';
	given(&g, text);
	assert_int_equal(g.t->n_readings, 262144);
	assert_int_equal(g.t->bad.all, 2);
	assert_int_equal(g.t->bad.item[0].n, 262146); /* behind the line of names */
	expect_item(&g.t->bad, "7", KS_TEL_TOO_MANY);
	done(&g);
	free(text);
}

static void names_of_unknown_fields_are_cut(void **state)
{
	struct given_text g;
	char text[1200] = "a 1\n";

	(void)state;
	memset(text + 4, 'b', 1000);
	memcpy(text + 1004, " 1\n", 4);
	given(&g, text);
	assert_int_equal(g.t->unknown.n, 2);
	assert_int_equal(g.t->unknown.item[1].name.n, 256);
	done(&g);
}

static void a_row_with_other_cells_is_quoted(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "index, power.draw [W]\n0, 10 W\n1, 20 W, 3\n2\n");
	expect_number(&g, "meas__telemetry_smi_power_w", 10.0);
	assert_int_equal(g.t->bad.all, 2);
	assert_int_equal(g.t->bad.item[0].n, 3);
	expect_item(&g.t->bad, "1, 20 W, 3", KS_TEL_BAD_LINE);
	done(&g);
}

static void a_gpu_that_comes_again_replaces_its_readings(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "index, power.draw [W]\n0, 10 W\n1, 20 W\n0, 11 W\n1, 21 W\n");
	assert_int_equal(g.t->n_readings, 2);
	assert_int_equal(g.t->duplicates.all, 2);
	expect_number(&g, "meas__telemetry_smi_power_w__gpu_0", 11.0);
	expect_number(&g, "meas__telemetry_smi_power_w__gpu_1", 21.0);
	done(&g);
}

static void rows_that_nothing_tells_apart_are_numbered(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "power.draw [W]\n10\n20\n");
	expect_number(&g, "meas__telemetry_smi_power_w__gpu_row_1", 10.0);
	expect_number(&g, "meas__telemetry_smi_power_w__gpu_row_2", 20.0);
	done(&g);
}

static void the_mask_needs_every_bit(void **state)
{
#define FLAG(name, word) "<clocks_event_reason_" name ">" word "</clocks_event_reason_" name ">"
#define EIGHT                                                                                      \
	FLAG("gpu_idle", "Active")                                                                 \
	FLAG("applications_clocks_setting", "Not Active")                                          \
	FLAG("sw_power_cap", "Active")                                                             \
	FLAG("hw_slowdown", "Not Active")                                                          \
	FLAG("sync_boost", "Not Active")                                                           \
	FLAG("sw_thermal_slowdown", "Not Active")                                                  \
	FLAG("hw_thermal_slowdown", "Not Active") FLAG("hw_power_brake_slowdown", "Not Active")
#define REASONS(bits) XML("<clocks_event_reasons>" bits "</clocks_event_reasons>")
	static const char *const text[] = {
		REASONS(EIGHT FLAG("display_clocks_setting", "Active")),
		REASONS(EIGHT FLAG("display_clocks_setting", "N/A")),
		REASONS(EIGHT),
	};
	struct given_text g;

	(void)state;
	given(&g, text[0]);
	expect_number(&g, "meas__telemetry_smi_clocks_event_reasons_code", 0x105);
	done(&g);
	for (size_t i = 1; i < KS_ARRAY_LEN(text); i++) {
		given(&g, text[i]);
		expect_why(&g, "meas__telemetry_smi_clocks_event_reasons_code", KS_TEL_BLANK);
		done(&g);
	}
}

static void a_text_in_pieces_is_no_number(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, XML("<temperature><gpu_temp>3<!-- -->9 C</gpu_temp></temperature>"));
	expect_why(&g, "meas__telemetry_smi_temp_c", KS_TEL_BLANK);
	done(&g);
}

static void what_is_read_before_the_damage_stays(void **state)
{
	struct given_text g;

	(void)state;
	given(&g, "<nvidia_smi_log><gpu id=\"0\"><temperature><gpu_temp>39 C</gpu_temp>\n<x");
	expect_number(&g, "meas__telemetry_smi_temp_c", 39.0);
	expect_item(&g.t->bad, "<x", KS_TEL_BAD_LINE);
	assert_int_equal(g.t->bad.item[0].n, 2);
	done(&g);
}

static void sections_of_a_capture_name_their_readings(void **state)
{
#define RULE "####################\n"
	struct given_text g;

	(void)state;
	given(&g, RULE "# a capture\n" RULE "header: x\n" RULE
		       "# idle :: query-gpu (csv)\n# $ nvidia-smi --query-gpu=index,power.draw "
		       "--format=csv,noheader\n" RULE "0, 10 W\n" RULE
		       "# load :: query-gpu\n# $ nvidia-smi --query-gpu=index,power.draw "
		       "--format=csv\n" RULE "index, power.draw [W]\n0, 20 W\n" RULE
		       "# load :: dmon\n# $ nvidia-smi dmon -c 5\n" RULE "# gpu pwr\n0 77\n");
	expect_number(&g, "meas__telemetry_smi_power_w__gpu_0_idle_query", 10.0);
	expect_number(&g, "meas__telemetry_smi_power_w__gpu_0_load_query", 20.0);
	assert_int_equal(g.t->n_readings, 2);
	assert_int_equal(g.t->unused.all, 2);
	expect_item(&g.t->unused, "load :: dmon", KS_TEL_FINE);
	done(&g);
}

static void an_empty_text_is_a_failure(void **state)
{
	static const char *const texts[] = { "", "\n\n", "<html></html>\n", "# only comments\n" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(texts); i++) {
		struct given_text g;

		given(&g, texts[i]);
		assert_int_equal(g.t->probe, KS_TEL_FAILED);
		assert_int_equal(g.t->why, KS_TEL_NO_SERIES);
		assert_int_equal(g.t->n_readings, 0);
		done(&g);
	}
}

static void a_file_over_the_limit_is_used_up_to_its_last_whole_line(void **state)
{
	const struct ks_telemetry *t = NULL;
	const char *path = in_scratch("long.prom");
	const size_t limit = (size_t)ks_limit(KS_LIMIT_TELEMETRY_BYTES);
	static const char line[] = "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\"} 1410\n";
	char *text = malloc(limit + 100);
	struct ks_arena arena;
	struct ks_ctx ctx = *test_ctx();
	size_t n = 0;

	(void)state;
	assert_non_null(text);
	for (; n < limit + 50; n++)
		text[n] = line[n % (sizeof(line) - 1)];
	given_bytes(path, text, n);
	free(text);
	ks_arena_init(&arena, (size_t)256 << 20);
	ctx.run = &arena;
	assert_int_equal(ks_telemetry_read(&ctx,
					   &(struct ks_tel_ask){ .where = path, .timeout_s = 1.0 },
					   &t, NULL),
			 KS_OK);
	assert_int_equal(t->probe, KS_TEL_READ);
	assert_int_equal(t->why, KS_TEL_CUT);
	assert_int_equal(t->series, limit / (sizeof(line) - 1));
	assert_int_equal(t->bad.all, 0);
	ks_arena_release(&arena);
}

static void what_cannot_be_opened_says_why(void **state)
{
	const struct ks_telemetry *t = NULL;
	struct ks_arena arena;
	struct ks_ctx ctx = *test_ctx();

	(void)state;
	ks_arena_init(&arena, 1u << 20);
	ctx.run = &arena;
	assert_int_equal(ks_telemetry_read(&ctx,
					   &(struct ks_tel_ask){ .where = in_scratch("none"),
								 .timeout_s = 1.0 },
					   &t, NULL),
			 KS_OK);
	assert_int_equal(t->probe, KS_TEL_FAILED);
	assert_int_equal(t->why, KS_TEL_IO_ERROR);
	assert_true(ks_str_eqc(t->detail, "ENOENT"));
	expect_item(&t->missing, "DCGM_FI_PROF_DRAM_ACTIVE", KS_TEL_IO_ERROR);
	ks_arena_release(&arena);
}

int test_telemetry(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(units_are_read_and_converted_once),
		cmocka_unit_test(a_ratio_never_becomes_bytes),
		cmocka_unit_test(blanks_are_no_value),
		cmocka_unit_test(dcgm_blank_numbers_are_no_value),
		cmocka_unit_test(instances_are_kept_apart_from_the_board),
		cmocka_unit_test(series_of_one_device_number_get_the_hash_of_their_key),
		cmocka_unit_test(the_old_spelling_gives_way),
		cmocka_unit_test(a_counter_is_no_rate),
		cmocka_unit_test(a_line_without_its_end_may_be_half_a_number),
		cmocka_unit_test(a_last_row_or_field_without_its_end_is_not_used),
		cmocka_unit_test(a_header_that_comes_again_is_no_gpu),
		cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_text),
		cmocka_unit_test(a_blank_uuid_tells_no_devices_apart_and_joins_none),
		cmocka_unit_test(an_instance_without_a_number_is_no_board),
		cmocka_unit_test(readings_have_a_limit_and_say_so),
		cmocka_unit_test(names_of_unknown_fields_are_cut),
		cmocka_unit_test(a_row_with_other_cells_is_quoted),
		cmocka_unit_test(a_gpu_that_comes_again_replaces_its_readings),
		cmocka_unit_test(rows_that_nothing_tells_apart_are_numbered),
		cmocka_unit_test(the_mask_needs_every_bit),
		cmocka_unit_test(a_text_in_pieces_is_no_number),
		cmocka_unit_test(what_is_read_before_the_damage_stays),
		cmocka_unit_test(sections_of_a_capture_name_their_readings),
		cmocka_unit_test(an_empty_text_is_a_failure),
		cmocka_unit_test(a_file_over_the_limit_is_used_up_to_its_last_whole_line),
		cmocka_unit_test(what_cannot_be_opened_says_why),
	};

	return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
