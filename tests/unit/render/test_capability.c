/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine can answer, drawn: the keys of contract 03 §13, the short line within its budget
 * for every combination of means and trimmed in the contract's order, and text that keeps to the
 * screen.
 */
#include "all.h"

#include <jansson.h>

#include "base/str.h"
#include "base/utf8.h"
#include "render/capability.h"

struct desk_cap {
	struct ks_arena arena;
	struct ks_ctx ctx;
	struct ks_capability c;
	struct ks_capability_page page;
	struct ks_buf text;
};

static void given_machine(struct desk_cap *d, unsigned bits, enum ks_counter_state counters)
{
	struct ks_means m = { .counters = counters, .gpu_name = KS_LIT("") };
	bool *const flag[] = { &m.gpu,	     &m.nvml,	  &m.nsys,	  &m.nvbit, &m.memtrace,
			       &m.histogram, &m.workload, &m.calibration, &m.cubin, &m.cuobjdump };

	for (size_t i = 0; i < KS_ARRAY_LEN(flag); i++)
		*flag[i] = (bits >> i & 1) != 0;
	m.nvlinks = m.nvbit ? 18 : 0;
	*d = (struct desk_cap){ .page = { .c = &d->c, .driver = KS_LIT("") } };
	ks_arena_init(&d->arena, 1 << 24);
	ks_buf_init(&d->text, 1 << 20);
	d->ctx.run = &d->arena;
	d->page.c = &d->c;
	d->page.driver = KS_LIT("");
	ks_capability_judge(&m, &d->c);
}

static void put_away(struct desk_cap *d)
{
	ks_buf_release(&d->text);
	ks_arena_release(&d->arena);
}

static size_t drawn_json(struct desk_cap *d)
{
	struct ks_out out;

	ks_buf_reset(&d->text);
	ks_out_open_mem(&out, &d->text);
	assert_int_equal(ks_capability_json(&d->ctx, &d->page, &out, NULL), KS_OK);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	return d->text.n;
}

static json_t *drawn_brief(struct desk_cap *d, size_t budget)
{
	struct ks_out out;
	json_error_t fault;

	ks_buf_reset(&d->text);
	ks_out_open_mem(&out, &d->text);
	assert_int_equal(ks_capability_brief(&d->ctx, &d->page, budget, &out, NULL), KS_OK);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	assert_int_equal(ks_buf_text(&d->text)[d->text.n - 1], '\n');
	assert_true(memchr(ks_buf_text(&d->text), '\n', d->text.n - 1) == NULL);
	json_t *root = json_loadb(ks_buf_text(&d->text), d->text.n, JSON_REJECT_DUPLICATES, &fault);

	if (!root)
		fail_msg("not JSON at %d: %s", fault.position, fault.text);
	return root;
}

static void the_short_line_fits_for_every_machine(void **state)
{
	(void)state;
	for (unsigned s = 0; s < KS_COUNTER_STATE_COUNT; s++) {
		for (unsigned bits = 0; bits < 1u << 10; bits++) {
			struct desk_cap d;

			given_machine(&d, bits, (enum ks_counter_state)s);
			const size_t bytes = drawn_json(&d);
			json_t *root = drawn_brief(&d, KS_BRIEF_BYTES);
			const json_t *layer = json_object_get(root, "next_layer");

			assert_true(d.text.n <= KS_BRIEF_BYTES + 1);
			if (layer)
				assert_int_equal(
					json_integer_value(json_object_get(layer, "bytes")), bytes);
			json_decref(root);
			put_away(&d);
		}
	}
}

/* Contract 03 §13: next commands, blocked_by_unavailable, weak, next beyond 2, cannot_answer beyond
 * 8, can_answer beyond 8, next_layer; before them what is ours. */
static void what_does_not_fit_goes_in_the_contracts_order(void **state)
{
	static const char *const order[] = {
		"from_recording", "next.cmd",	"blocked_by_unavailable",
		"weak",		  "next",	"cannot_answer",
		"can_answer",	  "next_layer",
	};
	struct desk_cap d;
	size_t most = 0;

	(void)state;
	given_machine(&d, 0, KS_COUNTER_STATE_NOT_INSTALLED);
	for (size_t budget = 1300; budget > 100; budget -= 20) {
		json_t *root = drawn_brief(&d, budget);
		const json_t *trimmed = json_object_get(root, "trimmed");
		const size_t n = json_array_size(trimmed);

		assert_true(n >= most);
		most = n;
		for (size_t i = 0; i < n; i++)
			assert_string_equal(json_string_value(json_array_get(trimmed, i)),
					    order[i]);
		if (n < KS_ARRAY_LEN(order))
			assert_true(d.text.n <= budget + 1);
		json_decref(root);
	}
	assert_int_equal(most, KS_ARRAY_LEN(order));
	json_t *least = drawn_brief(&d, 1);

	assert_int_equal(json_array_size(json_object_get(least, "cannot_answer")), 8);
	assert_int_equal(json_array_size(json_object_get(least, "next")), 2);
	assert_null(json_object_get(json_array_get(json_object_get(least, "next"), 0), "cmd"));
	assert_null(json_object_get(least, "next_layer"));
	assert_null(json_object_get(least, "weak"));
	json_decref(least);
	put_away(&d);
}

static void the_document_has_the_keys_of_the_contract(void **state)
{
	static const char *const keys[] = {
		"schema_version", "tool",    "tool_version", "tier",	 "next_tier",  "env",
		"matrix",	  "answers", "next_actions", "refusals", "probe_note",
	};
	struct desk_cap d;
	json_t *root;

	(void)state;
	given_machine(&d, 7, KS_COUNTER_STATE_DENIED); /* GPU, NVML, nsys */
	(void)drawn_json(&d);
	root = json_loadb(ks_buf_text(&d.text), d.text.n, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	for (size_t i = 0; i < KS_ARRAY_LEN(keys); i++)
		assert_non_null(json_object_get(root, keys[i]));
	assert_int_equal(json_object_size(json_object_get(root, "matrix")), KS_QUESTION_COUNT);
	assert_int_equal(json_array_size(json_object_get(root, "answers")), KS_QUESTION_COUNT);
	const json_t *env = json_object_get(root, "env");

	assert_string_equal(json_string_value(json_object_get(env, "counter_state")), "denied");
	json_decref(root);
	put_away(&d);
}

static void no_line_for_people_is_wider_than_the_screen(void **state)
{
	(void)state;
	for (int lang = 0; lang < KS_LANG_COUNT; lang++) {
		for (unsigned bits = 0; bits < 32; bits++) {
			struct desk_cap d;
			struct ks_view v = { .term = { .cols = 80, .rows = 24, .utf8 = true },
					     .lang = (enum ks_lang)lang };
			struct ks_out out;
			ks_str rest;

			given_machine(&d, bits, KS_COUNTER_STATE_DENIED);
			ks_out_open_mem(&out, &d.text);
			assert_int_equal(ks_capability_text(&d.ctx, &d.page, &v, &out, NULL),
					 KS_OK);
			assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
			rest = ks_buf_view(&d.text);
			for (size_t lines = 0; rest.p != NULL; lines++) {
				assert_true(ks_utf8_columns(ks_str_cut(&rest, '\n')) <= 80);
				assert_true(lines <= 48);
			}
			put_away(&d);
		}
	}
}

int test_capability(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_short_line_fits_for_every_machine),
		cmocka_unit_test(what_does_not_fit_goes_in_the_contracts_order),
		cmocka_unit_test(the_document_has_the_keys_of_the_contract),
		cmocka_unit_test(no_line_for_people_is_wider_than_the_screen),
	};

	return cmocka_run_group_tests_name("capability", tests, NULL, NULL);
}
