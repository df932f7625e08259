/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of threads. Their ids are looked up right away, because a sink wants them before the rows
 * of the threads. A thread that has several names gets the one of the highest priority.
 */
#include "base/mem.h"
#include "base/num.h"
#include "source/nsys_columns.h"

struct thread_row {
	int64_t thread, priority;
	ks_nameref name;
};

static const struct ks_nsys_column thread_columns[] = {
	ID(thread_row, "globalTid", thread),
	NUMBER(thread_row, "priority", priority, 0, ID_MIN, ID_MAX),
	NAME(thread_row, "nameId", name),
};

struct threads {
	struct ks_map ids; /* globalTid */
	struct thread_row *row;
	size_t row_cap;
	struct ks_map refs; /* of the names they have */
	ks_str *text;
	struct ks_arena *arena;
};

static enum ks_status too_many_threads(struct ks_nsys *n, const struct ks_map *m,
				       struct ks_err *err)
{
	char max[KS_NUM_LEN];

	if (m->count < m->max)
		return ks_nsys_no_memory(err);
	ks_num_i64(max, (int64_t)m->max);
	ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_TOO_MANY_THREADS, n->path, max, (char *)NULL);
	return ks_err_at(err, n->path, -1);
}

static enum ks_status keep_thread(struct ks_nsys *n, struct threads *t,
				  const struct thread_row *row, struct ks_err *err)
{
	bool fresh = false;

	if (row->thread == KS_UNKNOWN || !row->name)
		return KS_OK;

	const uint32_t number = ks_map_add(&t->ids, &row->thread, &fresh);

	if (number == KS_MAP_NONE)
		return too_many_threads(n, &t->ids, err);
	if (!KS_GROW(t->row, t->row_cap, (size_t)number + 1, t->ids.max))
		return ks_nsys_no_memory(err);

	struct thread_row *own = &t->row[number];

	if (fresh || row->priority > own->priority ||
	    (row->priority == own->priority && ks_nsys_ref_cmp(n, row->name, own->name) < 0))
		*own = *row;
	return KS_OK;
}

static enum ks_status read_threads(struct ks_nsys *n, struct threads *t, struct ks_err *err)
{
	struct ks_nsys_table *table = ks_nsys_table(n, "ThreadNames");
	struct ks_nsys_scan s;
	struct thread_row row;
	bool got = true;

	if (!table)
		return KS_OK;
	ks_nsys_row_clear(&row, thread_columns, KS_ARRAY_LEN(thread_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, table, thread_columns, KS_ARRAY_LEN(thread_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got)
		st = keep_thread(n, t, &row, err);
	ks_nsys_scan_close(&s);
	table->analysed = true;
	return st;
}

static enum ks_status on_text(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct threads *t = self;
	const uint32_t number = ks_map_find(&t->refs, &ref);

	t->text[number] = ks_arena_dup(t->arena, text);
	return ks_arena_failed(t->arena) ? ks_nsys_no_memory(err) : KS_OK;
}

static enum ks_status resolve(struct ks_nsys *n, struct threads *t, struct ks_err *err)
{
	for (size_t i = 0; i < t->ids.count; i++)
		if (ks_map_add(&t->refs, &t->row[i].name, NULL) == KS_MAP_NONE)
			return ks_nsys_no_memory(err);
	if (!t->refs.count)
		return KS_OK;
	t->text = ks_mem_alloc(t->refs.count * sizeof(*t->text));
	if (!t->text)
		return ks_nsys_no_memory(err);
	return ks_nsys_resolve(n, (const ks_nameref *)ks_map_key(&t->refs, 0), t->refs.count,
			       on_text, t, err);
}

static enum ks_status deliver_threads(struct ks_nsys *n, const struct threads *t,
				      struct ks_err *err)
{
	for (size_t i = 0; i < t->ids.count; i++) {
		const uint32_t number = ks_map_find(&t->refs, &t->row[i].name);
		const struct ks_trace_thread thread = { t->row[i].thread, t->text[number] };

		KS_TRY(n->sink->ops->thread(n->sink->self, &thread, err));
	}
	return KS_OK;
}

enum ks_status ks_nsys_threads(struct ks_nsys *n, struct ks_err *err)
{
	const size_t max = (size_t)ks_limit(KS_LIMIT_THREADS);
	struct threads t = { .arena = &n->arena };

	ks_map_init(&t.ids, sizeof(int64_t), max);
	ks_map_init(&t.refs, sizeof(ks_nameref), max);

	enum ks_status st = read_threads(n, &t, err);

	if (st == KS_OK)
		st = resolve(n, &t, err);
	if (st == KS_OK)
		st = deliver_threads(n, &t, err);
	ks_map_release(&t.ids);
	ks_map_release(&t.refs);
	ks_mem_free(t.row);
	ks_mem_free(t.text);
	return st;
}
