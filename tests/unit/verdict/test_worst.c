/* SPDX-License-Identifier: Apache-2.0
 *
 * The largest packet there can be: every text a hostile report chooses at its limit and made of
 * characters that take twelve bytes in JSON, every number of the longest form, every list full. It
 * must fit the budget and still say what ranks.
 */
#include "all.h"

#include "verdict/packet_internal.h"
#include "verdict/verdict_internal.h"

#define LONGEST -1.7976931348623157e308
#define ROWS	15
#define GROUPS	20
#define ENV	40

/* U+E0001 is hostile: two escapes of six bytes each. */
static ks_str longest_text(struct desk *d)
{
	enum { CHARS = 400 };
	char *p = ks_arena_alloc(&d->arena, (size_t)CHARS * 4);

	assert_non_null(p);
	for (size_t i = 0; i < CHARS; i++)
		memcpy(p + 4 * i, "\xf3\xa0\x80\x81", 4);
	return (ks_str){ p, (size_t)CHARS * 4 };
}

/* Forty characters, the most a code may have, all different. */
static ks_str longest_code(struct desk *d, size_t i)
{
	return ks_arena_fmt(&d->arena, "%s%03zu", "a_code_of_another_version_that_is_lon", i);
}

static const struct ks_kv *longest_facts(struct desk *d)
{
	struct ks_kv *fact = ks_arena_array(&d->arena, KS_VERDICT_FACTS, sizeof(*fact));

	assert_non_null(fact);
	for (size_t i = 0; i < KS_VERDICT_FACTS; i++)
		fact[i] = (struct ks_kv){ ks_arena_fmt(&d->arena, "key%zu", i),
					  KS_VAL_TEXT(longest_text(d)) };
	fact[0].key = KS_LIT("top");
	fact[1] = (struct ks_kv){ KS_LIT("top_ms"), KS_VAL_REAL(LONGEST) };
	fact[2] = (struct ks_kv){ KS_LIT("share_pct"), KS_VAL_REAL(LONGEST) };
	return fact;
}

static const struct ks_premise_row *longest_premises(struct desk *d)
{
	struct ks_premise_row *p = ks_arena_array(&d->arena, KS_PREMISES_MOST, sizeof(*p));

	assert_non_null(p);
	for (size_t i = 0; i < KS_PREMISES_MOST; i++)
		p[i] = ks_premise_row(KS_PREMISE_MATCHED_KERNEL_KERNEL_SHARE_PCT,
				      KS_VAL_REAL(LONGEST), KS_VAL_REAL(LONGEST), false);
	return p;
}

static const struct ks_refused *longest_refusal(struct desk *d, size_t i)
{
	struct ks_refused *r = ks_arena_alloc(&d->arena, sizeof(*r));

	assert_non_null(r);
	*r = (struct ks_refused){ .read_code = longest_code(d, i),
				  .observed = longest_facts(d),
				  .n_observed = KS_VERDICT_FACTS };
	return r;
}

/* Every second one has a value in place of a refusal: the two exclude each other. */
static void fill_rows(struct desk *d, struct ks_verdict_row row[ROWS])
{
	for (size_t i = 0; i < ROWS; i++) {
		const enum ks_verdict id = (enum ks_verdict)(i + 1);
		const bool refused = i % 2 == 0;

		row[i] = (struct ks_verdict_row){
			.id = id,
			.name = ks_str_c(ks_verdict_info(id)->id),
			.status = refused ? KS_VERDICT_STATUS_REFUSED : KS_VERDICT_STATUS_SOFT,
			.value = refused ? KS_VAL_NONE : KS_VAL_REAL(LONGEST),
			.unit_text = longest_text(d),
			.prov = KS_PROV_ESTIMATED,
			.mdd = -LONGEST,
			.fact = longest_facts(d),
			.n_facts = KS_VERDICT_FACTS,
			.premise = longest_premises(d),
			.n_premises = KS_PREMISES_MOST,
			.band = longest_facts(d),
			.n_band = KS_VERDICT_FACTS,
			.refused = refused ? longest_refusal(d, i) : NULL,
		};
	}
}

static void fill_groups(struct desk *d, struct ks_unmeasured group[GROUPS])
{
	for (size_t i = 0; i < GROUPS; i++) {
		group[i] = (struct ks_unmeasured){
			.first = longest_refusal(d, 100 + i),
			.slug = longest_code(d, 100 + i),
			.count = SIZE_MAX >> 8,
			.example = { longest_text(d), longest_text(d) },
			.n_examples = 2,
		};
	}
}

static void fill_carried(struct desk *d, struct ks_carried *c, struct ks_env_refusal env[ENV])
{
	for (size_t i = 0; i < ENV; i++)
		env[i] = (struct ks_env_refusal){ longest_code(d, 200 + i), longest_text(d) };
	*c = (struct ks_carried){
		.env = env,
		.n_env = ENV,
		.calibration = longest_text(d),
		.memtrace_name = longest_text(d),
		.memtrace_sha256 = longest_text(d),
		.clock_lock = KS_LIT("unlocked"),
	};
}

static void the_largest_packet_there_can_be_fits(void **state)
{
	static const ks_str blocked = { "counters_unknown", 16 };
	const struct ks_packet_spec spec = { .wall_s = 1e9,
					     .report_bytes = UINT64_MAX >> 1,
					     .report_path = KS_LIT("/tmp/report") };
	struct ks_verdict_row row[ROWS];
	struct ks_unmeasured group[GROUPS];
	struct ks_env_refusal env[ENV];
	struct ks_carried carried;
	struct ks_next next[KS_PACKET_NEXT];
	struct ks_packet *p;
	struct desk d;

	(void)state;
	desk_start(&d);
	fill_rows(&d, row);
	fill_groups(&d, group);
	fill_carried(&d, &carried, env);
	const struct ks_verdicts v = {
		.row = row,
		.n = ROWS,
		.unmeasured = group,
		.n_unmeasured = GROUPS,
		.next = next,
		.n_next = ks_next_order(row, ROWS, group, GROUPS, next, KS_PACKET_NEXT),
		.tier_name = "instrumented",
		.tier_note = ks_str_c(ks_text_get(KS_TEXT_VD_TIER_TRACE, KS_LANG_ZH)),
		.protocol_hash = KS_LIT("sha256:0123456789abcdef"),
		.counter_state = KS_LIT("not-installed"),
		.blocked_by = &blocked,
		.n_blocked_by = 1,
		.measured_metrics = SIZE_MAX >> 1,
		.unmeasured_metrics = SIZE_MAX >> 1,
	};

	d.report.carried = &carried;
	d.report.verdicts = &v;
	d.report.tool_version = longest_text(&d);
	d.report.window_mode = longest_text(&d);
	d.report.ledger_basis = longest_text(&d);
	d.report.within = longest_text(&d);
	d.report.synthetic = true;
	d.report.total_launches = UINT64_MAX >> 1;
	json_t *root = checked(packet_of(&d, &spec, &p), KS_PACKET_BYTES);
	const json_t *first = json_array_get(json_object_get(root, "verdicts"), 0);
	const json_t *facts = json_object_get(first, "facts");

	assert_string_equal(json_string_value(json_object_get(first, "id")), "kernel_time");
	assert_non_null(json_object_get(facts, "top"));
	assert_non_null(json_object_get(facts, "top_ms"));
	assert_non_null(json_object_get(facts, "share_pct"));
	json_decref(root);
	desk_end(&d);
}

int test_worst(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_packet_there_can_be_fits),
	};

	return cmocka_run_group_tests_name("worst", tests, NULL, NULL);
}
