/* SPDX-License-Identifier: Apache-2.0
 *
 * For every segment that something was launched in, the path of what was open on its thread, all
 * domains together, as text. Segments without launches get none.
 */
#include "analyze/ranges_internal.h"

#include "base/buf.h"
#include "base/mem.h"
#include "tables/tables.h"

#define MOST_FRAMES 256 /* above KS_LIMIT_PATH_DEPTH */

static void stack_frame(const struct ks_ranges *r, uint32_t group, struct ks_buf *out)
{
	const struct ks_range_group *g = &r->group[group];
	const ks_str name = r->name[g->name], domain = r->domain[g->domain].name;
	const bool domains = r->group[0].domain != r->group[r->n_groups - 1].domain;
	const ks_str part[2] = { domains ? domain : KS_STR_NONE, name };

	for (size_t k = 0; k < KS_ARRAY_LEN(part); k++) {
		for (size_t i = 0; i < part[k].n; i++)
			ks_buf_ch(out, part[k].p[i] == ';' ? ',' : part[k].p[i]);
		if (k == 0 && part[k].n > 0)
			ks_buf_ch(out, ':');
	}
}

/* Text of a node: that of the frames above it first. */
static void stack_text(const struct ks_ranges *r, const struct ks_range_paths *p, uint32_t node,
		       struct ks_buf *out)
{
	uint32_t frame[MOST_FRAMES];
	size_t n = ks_range_paths_frames(p, node, frame, MOST_FRAMES);

	ks_buf_reset(out);
	while (n > 0) {
		stack_frame(r, frame[--n], out);
		if (n > 0)
			ks_buf_ch(out, ';');
	}
}

/* Texts of the nodes that a segment ends on; the segments then carry the numbers of the texts. */
static bool keep_stacks(struct ks_ranges *r, const struct ks_range_paths *p, struct ks_arena *arena)
{
	const size_t n_nodes = ks_range_paths_count(p);
	struct ks_intern texts; /* two nodes can read alike: ';' and ',' in names */
	uint32_t *text_of = ks_mem_alloc(n_nodes * sizeof(*text_of));
	struct ks_buf text;
	bool ok = text_of != NULL;

	ks_intern_init(&texts, n_nodes);
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_SCRATCH_ARENA_BYTES));
	for (size_t i = 0; ok && i < r->n_cuts; i++) {
		if (r->stack[i] == KS_RANGE_NONE)
			continue;
		uint32_t *known = &text_of[r->stack[i]]; /* + 1 */

		if (*known == 0) {
			stack_text(r, p, r->stack[i], &text);
			ok = !ks_buf_failed(&text);
			*known = ok ? ks_intern_add(&texts, ks_buf_view(&text), NULL) + 1 : 0;
		}
		ok = ok && *known != 0;
		r->stack[i] = ok ? *known - 1 : KS_RANGE_NONE;
	}
	r->stack_text = ks_mem_alloc(texts.count * sizeof(*r->stack_text));
	ok = ok && r->stack_text;
	for (size_t i = 0; ok && i < texts.count; i++)
		r->stack_text[i] = ks_arena_dup(arena, ks_intern_get(&texts, (uint32_t)i));
	r->n_stacks = ok ? texts.count : 0;
	ks_buf_release(&text);
	ks_intern_release(&texts);
	ks_mem_free(text_of);
	return ok && !ks_arena_failed(arena);
}

/* The stack of the segments [from, to), where something was launched. */
static bool mark_segments(struct ks_ranges *r, struct ks_range_lists *l, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; l->tail[0] != KS_RANGE_NONE && i < to; i++) {
		if (r->segment_n[i + 1] == r->segment_n[i])
			continue;
		r->stack[i] = ks_range_paths_node(l, 0);
		if (r->stack[i] == KS_RANGE_NONE)
			return false;
	}
	return true;
}

enum ks_status ks_ranges_stacks(struct ks_ranges *r, struct ks_arena *arena, struct ks_err *err)
{
	struct ks_range_lists l;

	KS_TRY(ks_ranges_settled(r, err));
	ks_ranges_sum_up(r);
	bool ok = ks_range_lists_open(&l, r, 1);

	l.paths = ks_range_paths_open(r, 1, true);
	r->stack = r->stack ? r->stack : ks_mem_alloc((r->n_cuts + 1) * sizeof(*r->stack));
	ok = ok && l.paths && r->stack;
	for (size_t i = 0; ok && i < r->n_cuts; i++)
		r->stack[i] = KS_RANGE_NONE;
	for (uint32_t t = 0; ok && t < r->n_threads; t++) {
		struct ks_range_walk w;
		uint32_t range, seen = r->thread[t].cut_at;
		bool opens;

		ks_range_walk_begin(&w, r, t);
		while (ok && ks_range_walk_next(&w, &range, &opens)) {
			const uint32_t cut = opens ? r->range[range].from : r->range[range].to;

			ok = mark_segments(r, &l, seen, cut);
			seen = cut;
			if (opens)
				ks_range_lists_push(&l, 0, range);
			else
				ks_range_lists_remove(&l, 0, range);
		}
	}
	ok = ok && keep_stacks(r, l.paths, arena);
	ks_range_lists_close(&l);
	return ok ? KS_OK : ks_ranges_no_memory(err);
}

uint32_t ks_ranges_stack(const struct ks_ranges *r, uint32_t segment)
{
	return r->stack && segment < r->n_cuts ? r->stack[segment] : UINT32_MAX;
}

ks_str ks_ranges_stack_text(const struct ks_ranges *r, uint32_t stack)
{
	return stack < r->n_stacks ? r->stack_text[stack] : KS_STR_NONE;
}
