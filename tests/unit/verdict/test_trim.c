/* SPDX-License-Identifier: Apache-2.0
 *
 * The budget: which steps are taken in which order, what is kept to the last, and a few thousand
 * hostile packets (fixed seed, printed) that must all fit, parse, and explain every code they cite.
 */
#include "all.h"

#include <stdio.h>

#include "verdict/packet_internal.h"

static const char *const order[] = {
	"unmeasured_examples",
	"verdict_metrics",
	"refusal_actions",
	"environment_messages",
	"nested_facts",
	"refusal_action_text",
	"verdict_hints",
	"next_pointers",
	"unmeasured_groups",
	"passing_premises",
	"facts_secondary",
	"environment_entries",
	"refusal_entries",
	"verdicts",
	"verdicts_hard_cap",
	"omitted_codes",
	"refusal_observed",
	"report_path",
	"remedy_commands",
	"facts_primary",
	"premises",
	"id_lists",
	"refusal_details",
};

/* Position of a step in the order; fails for a name that is none. */
static size_t position(const char *step)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(order); i++)
		if (strcmp(order[i], step) == 0)
			return i;
	fail_msg("no such step: %s", step);
	return 0;
}

static void expect_order(const json_t *root, bool seen[KS_ARRAY_LEN(order)])
{
	const json_t *list = json_object_get(json_object_get(root, "cost"), "trimmed");
	size_t before = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t at = position(json_string_value(json_array_get(list, i)));

		if (i > 0)
			assert_true(at > before);
		before = at;
		seen[at] = true;
	}
}

/* --- hostile packets -------------------------------------------------------------------------- */

struct dice {
	uint64_t s;
};

static uint64_t roll(struct dice *d, uint64_t sides)
{
	/* xorshift64 (Marsaglia, Journal of Statistical Software 8, 2003) */
	d->s ^= d->s << 13;
	d->s ^= d->s >> 7;
	d->s ^= d->s << 17;
	return d->s % sides;
}

/* A text of some kind and length: plain, Chinese, escapes, invalid UTF-8, bidi, NUL, emoji. */
static ks_str some_text(struct desk *desk, struct dice *d, size_t most)
{
	static const ks_str atoms[] = {
		{ "a", 1 },
		{ "<float, ", 8 },
		{ "核", 3 },
		{ "\x1b[31m", 5 },
		{ "\xff\xfe", 2 },
		{ "\xe2\x80\xae", 3 },
		{ "\0", 1 },
		{ "\"\\", 2 },
		{ "\n\t", 2 },
		{ "\xf0\x9f\x92\xa3", 4 },
		{ "\xf0\x9f", 2 },
		{ "</script>", 9 },
		{ "\xc2\x85", 2 },
		{ "\xed\xa0\x80", 3 },
		{ "\xf3\xa0\x80\x81", 4 },
	};
	ks_str atom = atoms[roll(d, KS_ARRAY_LEN(atoms))];
	bool mixed = roll(d, 2) == 0;
	size_t n = roll(d, most) + 1;
	char *p = ks_arena_alloc(&desk->arena, n + 16);
	size_t used = 0;

	assert_non_null(p);
	while (used < n) {
		if (mixed)
			atom = atoms[roll(d, KS_ARRAY_LEN(atoms))];
		memcpy(p + used, atom.p, atom.n);
		used += atom.n;
	}
	return (ks_str){ p, used };
}

static struct ks_value some_value(struct desk *desk, struct dice *d, int depth)
{
	size_t n = roll(d, depth == 0 ? 12 : 5);

	switch (roll(d, depth < 2 ? 7 : 4)) {
	case 0:
		return KS_VAL_INT((int64_t)(roll(d, UINT64_MAX)));
	case 1:
		return KS_VAL_REAL((double)roll(d, 1u << 30) / 7.0 * (roll(d, 2) ? 1e200 : 1e-9));
	case 2:
		return KS_VAL_BOOL(roll(d, 2) == 0);
	case 3:
		return KS_VAL_TEXT(some_text(desk, d, roll(d, 40) == 0 ? 20000 : 100));
	case 4: {
		ks_str *list = ks_arena_array(&desk->arena, n, sizeof(*list));

		for (size_t i = 0; i < n; i++)
			list[i] = some_text(desk, d, 100);
		return (struct ks_value){ .kind = KS_V_LIST, .list = list, .n = n };
	}
	case 5: {
		struct ks_value *item = ks_arena_array(&desk->arena, n, sizeof(*item));

		for (size_t i = 0; i < n; i++)
			item[i] = some_value(desk, d, depth + 1);
		return (struct ks_value){ .kind = KS_V_ARRAY, .item = item, .n = n };
	}
	default: {
		struct ks_kv *kv = ks_arena_array(&desk->arena, n, sizeof(*kv));

		for (size_t i = 0; i < n; i++)
			kv[i] = (struct ks_kv){ ks_arena_fmt(&desk->arena, "key%zu", i),
						some_value(desk, d, depth + 1) };
		return (struct ks_value){ .kind = KS_V_OBJECT, .field = kv, .n = n };
	}
	}
}

static const struct ks_kv *some_facts(struct desk *desk, struct dice *d, size_t *n)
{
	*n = roll(d, 14);
	struct ks_kv *kv = ks_arena_array(&desk->arena, *n, sizeof(*kv));

	for (size_t i = 0; i < *n; i++)
		kv[i] = (struct ks_kv){ ks_arena_fmt(&desk->arena, "fact_%zu", i),
					some_value(desk, d, 0) };
	return kv;
}

static const struct ks_refused *some_refusal(struct desk *desk, struct dice *d)
{
	struct ks_refused *r = ks_arena_alloc(&desk->arena, sizeof(*r));

	assert_non_null(r);
	r->code = (enum ks_refusal)(1 + roll(d, KS_REFUSAL_COUNT - 1));
	if (roll(d, 8) == 0) {
		r->code = KS_REFUSAL_INTERNAL_UNKNOWN;
		r->read_code =
			ks_arena_fmt(&desk->arena, "code_of_another_version_%d", (int)roll(d, 40));
	}
	r->severity = roll(d, 2) ? KS_SEV_BLOCKING : KS_SEV_DEGRADED;
	r->observed = some_facts(desk, d, &r->n_observed);
	r->threshold = some_facts(desk, d, &r->n_threshold);
	r->remedy.command = roll(d, 3) ? KS_STR_NONE : some_text(desk, d, 200);
	if (roll(d, 3) == 0) {
		ks_str *arg = ks_arena_alloc(&desk->arena, sizeof(*arg));

		assert_non_null(arg);
		*arg = some_text(desk, d, 300);
		r->remedy.action = (struct ks_msg){ .id = KS_TEXT_LITERAL, .n = 1, .arg = arg };
	}
	r->remedy.cost_kind = (enum ks_cost_kind)roll(d, 3);
	r->remedy.cost_s = (double)roll(d, 100);
	return r;
}

static const struct ks_premise_row *some_premises(struct desk *desk, struct dice *d, size_t *n)
{
	*n = roll(d, 7);
	struct ks_premise_row *p = ks_arena_array(&desk->arena, *n, sizeof(*p));

	for (size_t i = 0; i < *n; i++) {
		p[i].id = (enum ks_premise)(1 + roll(d, KS_PREMISE_COUNT - 1));
		p[i].name = ks_str_c(ks_premise_info(p[i].id)->id);
		p[i].observed = some_value(desk, d, 2);
		p[i].threshold = some_value(desk, d, 2);
		p[i].unit = KS_UNIT_PCT;
		p[i].ok = roll(d, 2) == 0;
	}
	return p;
}

static void some_verdict(struct desk *desk, struct dice *d, struct ks_verdict_row *row)
{
	*row = (struct ks_verdict_row){ .mdd = roll(d, 2) ? -1.0 : 1.5 };
	row->id = (enum ks_verdict)(1 + roll(d, KS_VERDICT_COUNT - 1));
	row->name = ks_str_c(ks_verdict_info(row->id)->id);
	row->status = (enum ks_vstatus)roll(d, 3);
	row->prov = KS_PROV_UNAVAILABLE;
	row->fact = some_facts(desk, d, &row->n_facts);
	row->premise = some_premises(desk, d, &row->n_premises);
	row->band = some_facts(desk, d, &row->n_band);
	static const ks_str metrics[] = {
		{ "ks__a", 5 }, { "ks__b", 5 }, { "ks__c", 5 }, { "ks__d", 5 }
	};

	row->metric = metrics;
	row->n_metrics = roll(d, 5);
	if (row->status == KS_VERDICT_STATUS_REFUSED) {
		row->refused = some_refusal(desk, d);
		return;
	}
	row->value = KS_VAL_REAL((double)roll(d, 1u << 30) / 3.0);
	row->unit = KS_UNIT_MS;
	row->prov = KS_PROV_DERIVED;
	ks_str *arg = ks_arena_alloc(&desk->arena, sizeof(*arg));

	*arg = some_text(desk, d, 500);
	row->next = (struct ks_msg){ .id = KS_TEXT_LITERAL, .n = 1, .arg = arg };
}

static size_t some_groups(struct desk *desk, struct dice *d, struct ks_unmeasured *group,
			  size_t most)
{
	size_t n = roll(d, most);

	for (size_t i = 0; i < n; i++) {
		group[i] = (struct ks_unmeasured){ .first = some_refusal(desk, d),
						   .n_examples = roll(d, 3) };
		group[i].code = group[i].first->code;
		group[i].slug = ks_refused_slug(group[i].first);
		group[i].count = 1 + roll(d, 500);
		group[i].example[0] = some_text(desk, d, 100);
		group[i].example[1] = some_text(desk, d, 100);
	}
	return n;
}

static const struct ks_carried *some_carried(struct desk *desk, struct dice *d)
{
	struct ks_carried *c = ks_arena_alloc(&desk->arena, sizeof(*c));
	struct ks_env_refusal *env = ks_arena_array(&desk->arena, 40, sizeof(*env));

	assert_true(c && env);
	*c = (struct ks_carried){ .env = env, .n_env = roll(d, 40) };
	for (size_t i = 0; i < c->n_env; i++) {
		env[i].message = some_text(desk, d, 300);
		env[i].slug = ks_arena_fmt(&desk->arena, "%.*s%02zu", (int)roll(d, 38),
					   "a_code_that_no_version_knows_yet_at_all", i);
	}
	c->calibration = some_text(desk, d, 200);
	c->memtrace_name = some_text(desk, d, 200);
	c->memtrace_sha256 = some_text(desk, d, 200);
	c->clock_lock = roll(d, 2) ? KS_LIT("unlocked") : some_text(desk, d, 50);
	return c;
}

static void hostile_report(struct desk *desk, struct dice *d)
{
	struct ks_verdicts *v = ks_arena_alloc(&desk->arena, sizeof(*v));
	struct ks_verdict_row *row = ks_arena_array(&desk->arena, 16, sizeof(*row));
	struct ks_unmeasured *group = ks_arena_array(&desk->arena, 70, sizeof(*group));
	struct ks_next *next = ks_arena_array(&desk->arena, KS_PACKET_NEXT, sizeof(*next));
	static const ks_str blocked[] = { { "counters_unknown", 16 },
					  { "no_memtrace", 11 },
					  { "no_gpu", 6 } };

	assert_true(v && row && group && next);
	v->n = roll(d, 16);
	for (size_t i = 0; i < v->n; i++)
		some_verdict(desk, d, &row[i]);
	v->row = row;
	v->n_unmeasured = some_groups(desk, d, group, 70);
	v->unmeasured = group;
	v->n_next = ks_next_order(row, v->n, group, v->n_unmeasured, next, KS_PACKET_NEXT);
	v->next = next;
	v->tier_name = "trace";
	v->protocol_hash = KS_LIT("sha256:0123456789abcdef");
	v->counter_state = KS_LIT("unknown");
	v->blocked_by = blocked;
	v->n_blocked_by = roll(d, 4);
	v->measured_metrics = roll(d, 100000);
	v->unmeasured_metrics = roll(d, 100000);
	desk->report.verdicts = v;
	desk->report.total_launches = roll(d, UINT64_MAX >> 1);
	desk->report.tool_version = some_text(desk, d, 300);
	desk->report.window_mode = some_text(desk, d, 300);
	desk->report.ledger_basis = some_text(desk, d, 300);
	desk->report.synthetic = roll(d, 2) == 0;
	desk->report.carried = some_carried(desk, d);
}

static void a_hostile_packet_fits_parses_and_explains_its_codes(void **state)
{
	const uint64_t seed = 20261130;
	struct dice dice = { seed };
	bool seen[KS_ARRAY_LEN(order)] = { false };

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 100; i++) {
		struct desk d;
		struct ks_packet *p;

		desk_start(&d);
		hostile_report(&d, &dice);
		const struct ks_packet_spec spec = {
			.wall_s = 1.25,
			.report_bytes = roll(&dice, 1u << 30),
			.report_path = roll(&dice, 2) ? KS_STR_NONE : some_text(&d, &dice, 6000),
		};
		json_t *root = checked(packet_of(&d, &spec, &p), KS_PACKET_BYTES);

		expect_order(root, seen);
		json_decref(root);
		desk_end(&d);
	}
	/* The environment steps have no producer in a recorded trace, the last one is for smaller
	 * budgets (below); all others must have been needed. */
	for (size_t i = 0; i < KS_ARRAY_LEN(order) - 1; i++)
		if (!seen[i] && strncmp(order[i], "environment", 11) != 0)
			fail_msg("step %s was never needed", order[i]);
}

/* --- the order of steps ----------------------------------------------------------------------- */

/* An everyday full packet: two decisions that rank, eight that do not, refusals with commands. */
static void crowded_report(struct desk *d)
{
	static const enum ks_verdict ids[] = {
		KS_VERDICT_KERNEL_TIME,	   KS_VERDICT_SAVING_ESTIMATE_SHARE,
		KS_VERDICT_DRAM_BYTES,	   KS_VERDICT_DRAM_BYTES_TRACE,
		KS_VERDICT_OCCUPANCY,	   KS_VERDICT_ROOFLINE,
		KS_VERDICT_ISSUE_SLOT,	   KS_VERDICT_STATIC_MIX,
		KS_VERDICT_LEDGER_VERDICT, KS_VERDICT_L2_LOCALITY,
	};
	static const struct ks_kv facts[] = {
		{ { "top", 3 }, { .kind = KS_V_TEXT, .s = { "kernel", 6 } } },
		{ { "top_ms", 6 }, { .kind = KS_V_REAL, .d = 4.755 } },
	};
	static const struct ks_premise_row premises[] = {
		{ .name = { "p1", 2 }, .observed = { .kind = KS_V_INT, .i = 1 }, .ok = true },
		{ .name = { "p2", 2 }, .observed = { .kind = KS_V_INT, .i = 0 }, .ok = false },
	};
	static const ks_str metric = { "ks__launch_count", 16 };
	struct ks_verdicts *v = ks_arena_alloc(&d->arena, sizeof(*v));
	struct ks_verdict_row *row = ks_arena_array(&d->arena, KS_ARRAY_LEN(ids), sizeof(*row));
	struct ks_unmeasured *group = ks_arena_array(&d->arena, 20, sizeof(*group));
	struct ks_next *next = ks_arena_array(&d->arena, KS_PACKET_NEXT, sizeof(*next));

	assert_true(v && row && group && next);
	for (size_t i = 0; i < KS_ARRAY_LEN(ids); i++) {
		row[i] = (struct ks_verdict_row){
			.id = ids[i],
			.name = ks_str_c(ks_verdict_info(ids[i])->id),
			.status = KS_VERDICT_STATUS_SOFT,
			.value = KS_VAL_REAL(1.5),
			.unit = KS_UNIT_MS,
			.prov = KS_PROV_DERIVED,
			.fact = facts,
			.n_facts = 2,
			.premise = premises,
			.n_premises = 2,
			.metric = &metric,
			.n_metrics = 1,
			.mdd = -1.0,
			.next = { .id = KS_TEXT_VD_NEXT_SAVING_SHARE },
		};
	}
	for (size_t i = 0; i < 20; i++) {
		struct ks_refused *r = ks_arena_alloc(&d->arena, sizeof(*r));

		assert_non_null(r);
		r->code = (enum ks_refusal)(i + 1);
		r->remedy.command = KS_LIT("kernoscope remedy of this one");
		group[i] = (struct ks_unmeasured){ .first = r, .code = r->code, .count = 100 - i };
		group[i].slug = ks_refused_slug(r);
		group[i].example[0] = KS_LIT("ks__launch_count");
		group[i].n_examples = 1;
	}
	v->row = row;
	v->n = KS_ARRAY_LEN(ids);
	v->unmeasured = group;
	v->n_unmeasured = 20;
	v->n_next = ks_next_order(row, v->n, group, 20, next, KS_PACKET_NEXT);
	v->next = next;
	v->tier_name = "trace";
	v->protocol_hash = KS_LIT("sha256:0123456789abcdef");
	v->counter_state = KS_LIT("unknown");
	d->report.verdicts = v;
}

static bool has_command(const json_t *root)
{
	const char *key;
	json_t *entry;

	json_object_foreach(json_object_get(root, "refusals"), key, entry)
	{
		if (json_object_get(entry, "cmd"))
			return true;
	}
	return false;
}

static bool has_facts(const json_t *root, const char *id)
{
	const json_t *list = json_object_get(root, "verdicts");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *v = json_array_get(list, i);

		if (strcmp(json_string_value(json_object_get(v, "id")), id) == 0)
			return json_object_get(v, "facts") != NULL;
	}
	return false;
}

static void steps_come_in_order_and_each_budget_takes_no_more_than_it_needs(void **state)
{
	size_t steps_before = 0;
	bool last = false;

	(void)state;
	for (size_t budget = 12000; budget >= 2050; budget -= 50) {
		struct desk d;
		struct ks_packet *p;
		bool seen[KS_ARRAY_LEN(order)] = { false };
		const struct ks_packet_spec spec = { .budget = budget };

		desk_start(&d);
		crowded_report(&d);
		json_t *root = checked(packet_of(&d, &spec, &p), budget);

		expect_order(root, seen);
		assert_true(p->n_trimmed >= steps_before);
		steps_before = p->n_trimmed;
		/* decision 8: while anything else could still go, commands and ranking facts stay
		 */
		if (!seen[position("remedy_commands")])
			assert_true(has_command(root));
		if (!seen[position("facts_primary")])
			assert_true(has_facts(root, "kernel_time") &&
				    has_facts(root, "occupancy") &&
				    has_facts(root, "saving_estimate_share"));
		if (seen[position("facts_secondary")])
			assert_false(has_facts(root, "roofline"));
		last = seen[position("refusal_details")];
		json_decref(root);
		desk_end(&d);
	}
	assert_true(last);
}

static void what_was_trimmed_is_counted(void **state)
{
	struct desk d;
	struct ks_packet *p;
	const struct ks_packet_spec spec = { .budget = 3400 };

	(void)state;
	desk_start(&d);
	crowded_report(&d);
	json_t *root = checked(packet_of(&d, &spec, &p), 3400);
	const json_t *more = json_object_get(root, "unmeasured_more");
	const json_t *omitted = json_object_get(root, "refusals_omitted");
	size_t shown = json_array_size(json_object_get(root, "unmeasured"));

	assert_int_equal(shown + (size_t)json_integer_value(json_object_get(more, "groups")), 20);
	/* counts run 100, 99, ... 81: what is hidden is the sum less what is shown */
	int64_t total = 0;

	for (int64_t i = (int64_t)shown; i < 20; i++)
		total += 100 - i;
	assert_int_equal(json_integer_value(json_object_get(more, "metrics")), total);
	assert_int_equal((size_t)json_integer_value(json_object_get(omitted, "count")) +
				 json_object_size(json_object_get(root, "refusals")),
			 20);
	json_decref(root);
	desk_end(&d);
}

static void ten_verdicts_are_kept_the_first_five_kinds_before_others(void **state)
{
	struct desk d;
	struct ks_packet *p;
	struct ks_verdict_row row[15];
	struct ks_verdicts v = { .n = 15, .row = row, .tier_name = "trace" };
	const struct ks_packet_spec spec = { .budget = 100000 };

	(void)state;
	desk_start(&d);
	memset(row, 0, sizeof(row));
	for (int i = 0; i < 15; i++) { /* table order is emission order: over_peak is the 14th */
		row[i].id = (enum ks_verdict)(i + 1);
		row[i].name = ks_str_c(ks_verdict_info(row[i].id)->id);
		row[i].status = KS_VERDICT_STATUS_SOFT;
		row[i].mdd = -1.0;
		row[i].prov = KS_PROV_UNAVAILABLE;
	}
	d.report.verdicts = &v;
	json_decref(checked(packet_of(&d, &spec, &p), 100000));
	assert_int_equal(p->n_verdicts, 10);
	assert_int_equal(p->n_more_verdicts, 5);
	expect_str(p->verdict[0].name, "kernel_time");
	expect_str(p->verdict[9].name, "over_peak");
	expect_str(p->more_verdict[4], "static_mix");
	desk_end(&d);
}

static void impossible_budgets_are_admitted(void **state)
{
	struct desk d;
	struct ks_packet *p;
	const struct ks_packet_spec spec = { .budget = 300 };
	json_error_t fault;

	(void)state;
	desk_start(&d);
	crowded_report(&d);
	ks_str text = packet_of(&d, &spec, &p);
	json_t *root = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &fault);
	const json_t *cost = json_object_get(root, "cost");

	assert_true(p->over_budget);
	assert_true(json_is_true(json_object_get(cost, "over_budget")));
	assert_int_equal(json_integer_value(json_object_get(cost, "packet_bytes")), text.n);
	json_decref(root);
	desk_end(&d);
}

static void clipping_counts_characters_and_ends_between_them(void **state)
{
	struct ks_arena a;

	(void)state;
	ks_arena_init(&a, 1u << 20);
	expect_str(ks_clip(&a, KS_LIT("12345"), 5), "12345");
	expect_str(ks_clip(&a, KS_LIT("123456"), 5), "1234…");
	expect_str(ks_clip(&a, KS_LIT("核核核"), 2), "核…");
	assert_int_equal(ks_clip(&a, KS_LIT("\xff\xff\xff\xff"), 3).n,
			 2 + 3); /* a bad byte is one */
	expect_str(ks_clip_view(KS_LIT("核ab"), 2), "核a");
	expect_str(ks_clip_plain(KS_LIT("abc"), 2), "ab");
	expect_str(ks_clip_plain(KS_LIT("a\x1b"), 12), "a");
	expect_str(ks_clip_plain(KS_LIT("核核"), 5), "核");
	ks_arena_release(&a);
}

int test_trim(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_hostile_packet_fits_parses_and_explains_its_codes),
		cmocka_unit_test(steps_come_in_order_and_each_budget_takes_no_more_than_it_needs),
		cmocka_unit_test(what_was_trimmed_is_counted),
		cmocka_unit_test(ten_verdicts_are_kept_the_first_five_kinds_before_others),
		cmocka_unit_test(impossible_budgets_are_admitted),
		cmocka_unit_test(clipping_counts_characters_and_ends_between_them),
	};

	return cmocka_run_group_tests_name("trim", tests, NULL, NULL);
}
