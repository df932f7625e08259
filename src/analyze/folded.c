/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel time by path of open NVTX ranges and kernel. Grows with paths times kernels that occur,
 * never with launches; knows neither how paths are found nor how lines are written.
 */
#include "analyze/folded.h"

#include <stdlib.h>

#include "analyze/analysis.h"
#include "base/mem.h"
#include "base/str.h"

#define LINE_MAX_BYTES ((size_t)1 << 30) /* a path of many long names */

struct place {		/* compared bytewise: no padding */
	uint32_t stack; /* UINT32_MAX: nothing is open */
	uint32_t kernel;
};
struct fold {
	struct ks_analysis *a;
	struct ks_map places;
	uint64_t *ns; /* beside places */
	size_t cap;
	uint32_t last; /* place of the launch before; KS_MAP_NONE: none */
	struct place last_key;
};

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "folded stacks", NULL);
}

static enum ks_status find_place(struct fold *f, const struct place *key, struct ks_err *err)
{
	if (f->last != KS_MAP_NONE && f->last_key.stack == key->stack &&
	    f->last_key.kernel == key->kernel)
		return KS_OK;
	f->last = ks_map_add(&f->places, key, NULL);
	f->last_key = *key;
	if (f->last == KS_MAP_NONE || !KS_GROW(f->ns, f->cap, f->places.count, f->places.max))
		return no_memory(err);
	return KS_OK;
}

static enum ks_status add_launch(void *arg, const struct ks_sweep_row *row, struct ks_err *err)
{
	struct fold *f = arg;
	const struct ks_pair_key *pair = ks_launches_pair_key(&f->a->launches, row->pair);
	struct place key = { UINT32_MAX, f->a->kernel_of_group[pair->group] };

	if (key.kernel >= f->a->n_kernels) /* of a device or kernel that was not asked for */
		return KS_OK;
	if (f->a->ranges != NULL && row->segment != KS_SEGMENT_NONE)
		key.stack = ks_ranges_stack(f->a->ranges, row->segment);
	KS_TRY(find_place(f, &key, err));
	f->ns[f->last] +=
		(uint64_t)(row->end_ns - row->start_ns); /* below the span times streams */
	return KS_OK;
}

/* ';' parts frames and a line end ends the line, so names have neither. */
static void add_name(struct ks_buf *b, ks_str name, bool is_path)
{
	size_t from = 0;

	for (size_t i = 0; i < name.n; i++) {
		const char c = name.p[i];

		if ((c != ';' || is_path) && c != '\n' && c != '\r')
			continue;
		ks_buf_add(b, name.p + from, i - from);
		ks_buf_ch(b, c == ';' ? ',' : ' ');
		from = i + 1;
	}
	ks_buf_add(b, name.p + from, name.n - from);
}

static ks_str line_of(const struct fold *f, const struct place *key, struct ks_buf *b)
{
	ks_buf_reset(b);
	if (key->stack == UINT32_MAX)
		ks_buf_cstr(b, "(no range)");
	else
		add_name(b, ks_ranges_stack_text(f->a->ranges, key->stack), true);
	ks_buf_ch(b, ';');
	add_name(b, f->a->kernel[key->kernel].name, false);
	return ks_buf_keep(b, f->a->arena);
}

static int by_text(const void *x, const void *y)
{
	const struct ks_folded *a = x, *b = y;

	return ks_str_cmp(a->stack, b->stack);
}

/* Names that differ only in what was replaced are one line. */
static size_t merge_equal(struct ks_folded *line, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && ks_str_eq(line[kept - 1].stack, line[i].stack))
			line[kept - 1].ns += line[i].ns;
		else
			line[kept++] = line[i];
	}
	return kept;
}

static enum ks_status make_lines(struct fold *f, struct ks_timeline *t, struct ks_err *err)
{
	const size_t n = f->places.count;
	struct ks_folded *line = KS_ARENA_NEWS(f->a->arena, struct ks_folded, n);
	struct ks_buf b;

	if (line == NULL)
		return no_memory(err);
	ks_buf_init(&b, LINE_MAX_BYTES);
	for (uint32_t i = 0; i < n && !ks_arena_failed(f->a->arena); i++) {
		line[i].stack = line_of(f, ks_map_key(&f->places, i), &b);
		line[i].ns = (ks_ns)f->ns[i];
	}
	ks_buf_release(&b);
	if (ks_arena_failed(f->a->arena))
		return no_memory(err);
	if (n > 1)
		qsort(line, n, sizeof(*line), by_text);
	t->folded = line;
	t->n_folded = merge_equal(line, n);
	return KS_OK;
}

enum ks_status ks_folded_make(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	struct fold f = { .a = a, .last = KS_MAP_NONE };
	enum ks_status st = KS_OK;

	ks_map_init(&f.places, sizeof(struct place), (size_t)ks_limit(KS_LIMIT_PAIRS));
	if (a->ranges != NULL)
		st = ks_ranges_stacks(a->ranges, a->arena, err);
	if (st == KS_OK)
		st = ks_sweep_each(a->sweep, add_launch, &f, err);
	if (st == KS_OK)
		st = make_lines(&f, t, err);
	ks_map_release(&f.places);
	ks_mem_free(f.ns);
	return st;
}
