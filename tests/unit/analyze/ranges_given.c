/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of ranges made by hand. Checks that every step works; the tests check what comes out.
 */
#include "ranges_given.h"

#include "base/mem.h"

void given_ranges(struct given_ranges *g)
{
	*g = (struct given_ranges){ .ask = {
					    .max_phases = 100, .paths = true, .max_paths = 1000 } };
	ks_arena_init(&g->arena, (size_t)1 << 30);
	ks_err_init(&g->err);
	g->r = ks_ranges_open();
	assert_non_null(g->r);
}

void given_ranges_release(struct given_ranges *g)
{
	ks_ranges_close(g->r);
	ks_arena_release(&g->arena);
	ks_mem_free(g->text);
}

uint32_t given_range_name(struct given_ranges *g, const char *text)
{
	if (!text)
		return UINT32_MAX;
	for (size_t i = 0; i < g->n_texts; i++) {
		if (ks_str_eqc(g->text[i], text))
			return (uint32_t)i;
	}
	assert_true(KS_GROW(g->text, g->text_cap, g->n_texts + 1, UINT32_MAX));
	g->text[g->n_texts] = ks_arena_dup(&g->arena, ks_str_c(text));
	return (uint32_t)g->n_texts++;
}

void given_range_row(struct given_ranges *g, const struct ks_range *row, const char *name)
{
	assert_int_equal(ks_ranges_add(g->r, row, given_range_name(g, name), &g->err), KS_OK);
}

void given_range_of(struct given_ranges *g, int64_t thread, int64_t domain, ks_ns start, ks_ns end,
		    const char *name)
{
	given_range_row(g,
			&(struct ks_range){ .start_ns = start,
					    .end_ns = end,
					    .thread = thread,
					    .end_thread = KS_UNKNOWN,
					    .domain = domain,
					    .type = PUSH_POP },
			name);
}

void given_range(struct given_ranges *g, ks_ns start, ks_ns end, const char *name)
{
	given_range_of(g, THREAD(7, 1), 0, start, end, name);
}

void given_domain(struct given_ranges *g, int64_t thread, int64_t domain, const char *name)
{
	given_range_row(g,
			&(struct ks_range){ .start_ns = 1,
					    .end_ns = KS_UNKNOWN,
					    .thread = thread,
					    .end_thread = KS_UNKNOWN,
					    .domain = domain,
					    .type = 75 },
			name);
}

void when_settled(struct given_ranges *g)
{
	assert_int_equal(ks_ranges_settle(g->r, g->text, g->n_texts, &g->err), KS_OK);
}

void given_call(struct given_ranges *g, int64_t thread, ks_ns at, ks_ns duration)
{
	ks_ranges_count(g->r, ks_ranges_segment(g->r, thread, at), duration);
}

void when_answered(struct given_ranges *g)
{
	assert_int_equal(ks_ranges_answer(g->r, &g->ask, &g->arena, &g->t, &g->err), KS_OK);
}

struct ks_phase phase_of(struct given_ranges *g, int64_t domain, const char *name)
{
	const struct ks_phase_log *log = ks_ranges_phases(g->r, &g->ask, &g->arena);
	struct ks_phase p = { 0 };
	bool got = true;

	assert_non_null(log);
	assert_int_equal(log->rewind(log->self, &g->err), KS_OK);
	while (got) {
		assert_int_equal(log->next(log->self, &p, &got, &g->err), KS_OK);
		if (got && p.domain_id == domain && ks_str_eqc(p.name, name))
			return p;
	}
	fail_msg("no phase %s", name);
	return p;
}
