/* SPDX-License-Identifier: Apache-2.0
 *
 * `nvidia-smi --query-gpu=... --format=csv`: a row of field names, each with its unit in brackets,
 * and a row for each GPU. A row with another number of cells is quoted and not used; a GPU that
 * comes again replaces its readings.
 */
#include "base/mem.h"
#include "base/str.h"
#include "source/telemetry_internal.h"

struct row {
	size_t device, first, end; /* samples of the row */
};

struct query {
	struct ks_tel_work *w;
	struct ks_tel_text t;
	ks_str *column;
	size_t n_columns, column_cap;
	ks_str header;	       /* the line that named them; "": none */
	struct ks_intern gpus; /* by what tells them apart */
	struct row *row;       /* of each: where it is now */
	size_t row_cap;
	uint64_t rows;
	struct ks_buf key;
};

/* The name of a column without its unit: "power.draw [W]". */
static ks_str column_name(ks_str column, ks_str *unit)
{
	const char *open = memchr(column.p, '[', column.n);

	column = ks_str_trim(column);
	*unit = KS_STR_NONE;
	if (open == NULL || column.n == 0 || column.p[column.n - 1] != ']')
		return column;
	*unit = (ks_str){ open + 1, column.n - (size_t)(open + 1 - column.p) - 1 };
	return ks_str_trim((ks_str){ column.p, (size_t)(open - column.p) });
}

bool ks_tel_is_query(ks_str text)
{
	ks_str line = ks_str_cut(&text, '\n'), unit;

	while (line.p != NULL) {
		const ks_str name = column_name(ks_str_cut(&line, ','), &unit);

		if (ks_tel_field_find(KS_TEL_QUERY, name) != NULL ||
		    ks_tel_identity(KS_TEL_QUERY, name) == KS_IDENTITY_UUID)
			return true;
	}
	return false;
}

static void read_columns(struct query *q, ks_str line)
{
	while (line.p != NULL && !q->w->failed) {
		const ks_str column = ks_str_trim(ks_str_cut(&line, ','));

		if (!KS_GROW(q->column, q->column_cap, q->n_columns + 1, (size_t)UINT32_MAX))
			q->w->failed = true;
		else
			q->column[q->n_columns++] = ks_tel_short(column);
	}
}

static size_t count_cells(ks_str line)
{
	size_t n = 1;

	for (size_t i = 0; i < line.n; i++)
		n += line.p[i] == ',';
	return n;
}

/* UUID, number and bus address as they stand in the row: what tells a GPU from others. */
static ks_str who(struct query *q, ks_str line)
{
	ks_buf_reset(&q->key);
	for (size_t i = 0; i < q->n_columns; i++) {
		ks_str unit;
		const ks_str cell = ks_str_trim(ks_str_cut(&line, ','));
		const enum ks_identity what =
			ks_tel_identity(KS_TEL_QUERY, column_name(q->column[i], &unit));

		if (what == KS_IDENTITY_UUID || what == KS_IDENTITY_NUMBER ||
		    what == KS_IDENTITY_BUS) {
			ks_buf_str(&q->key, cell);
			ks_buf_ch(&q->key, '\n');
		}
	}
	if (q->key.n == 0) /* nothing does: every row is one of its own */
		ks_buf_fmt(&q->key, "row_%llu", (unsigned long long)q->rows);
	return ks_buf_view(&q->key);
}

/* Readings of an earlier row of this GPU go. */
static void forget(struct query *q, const struct row *old)
{
	for (size_t i = old->first; i < old->end; i++)
		q->w->sample[i].done = true;
	ks_tel_item_add(q->w, &q->w->duplicates,
			ks_arena_fmt(q->w->a, "row %llu", (unsigned long long)q->rows), KS_TEL_FINE,
			q->t.line);
}

/* The GPU of a row; NULL without memory. */
static struct row *row_of(struct query *q, ks_str line)
{
	const struct ks_tel_device d = { .set = q->t.set };
	bool fresh = false;
	const uint32_t at = ks_intern_add(&q->gpus, who(q, line), &fresh);

	if (at == KS_MAP_NONE || !KS_GROW(q->row, q->row_cap, (size_t)at + 1, (size_t)UINT32_MAX)) {
		q->w->failed = true;
		return NULL;
	}
	if (fresh)
		q->row[at].device = ks_tel_add_device(q->w, &d);
	else
		forget(q, &q->row[at]);
	q->row[at].first = q->row[at].end = q->w->n_samples;
	return &q->row[at];
}

static void read_cell(struct query *q, size_t device, ks_str column, ks_str cell)
{
	ks_str unit;
	const ks_str name = column_name(column, &unit);

	ks_buf_reset(&q->key);
	if (q->t.set.n > 0)
		ks_buf_fmt(&q->key, "%.*s/", (int)q->t.set.n, q->t.set.p);
	ks_buf_fmt(&q->key, "row[%llu]/", (unsigned long long)q->rows);
	ks_buf_str(&q->key, name);
	ks_tel_field_seen(
		q->w,
		&(struct ks_tel_at){ KS_TEL_QUERY, device, name, ks_buf_view(&q->key), q->t.line },
		ks_str_trim(cell), unit);
}

static void read_row(struct query *q, ks_str line)
{
	if (q->header.n > 0 && ks_str_eq(ks_str_trim(line), q->header)) {
		/* files that were put together: it names the columns again, and is no GPU */
		ks_tel_item_add(q->w, &q->w->duplicates, line, KS_TEL_FINE, q->t.line);
		return;
	}
	if (ks_tel_is_full(q->w, line, q->t.line))
		return;
	q->rows++;
	if (count_cells(line) != q->n_columns) {
		ks_tel_item_add(q->w, &q->w->bad, line, KS_TEL_BAD_LINE, q->t.line);
		return;
	}
	struct row *row = row_of(q, line);

	if (row == NULL || row->device >= q->w->n_devices)
		return;
	for (size_t i = 0; i < q->n_columns; i++)
		read_cell(q, row->device, q->column[i], ks_str_cut(&line, ','));
	row->end = q->w->n_samples;
	if (q->w->device[row->device].gpu.n == 0)
		q->w->device[row->device].gpu =
			ks_arena_fmt(q->w->a, "row_%llu", (unsigned long long)q->rows);
}

void ks_tel_read_query(struct ks_tel_work *w, struct ks_tel_text t)
{
	struct query q = { .w = w, .t = t };
	ks_str line;
	bool ended;

	ks_intern_init(&q.gpus, UINT32_MAX - 1);
	ks_buf_init(&q.key, (size_t)1 << 24);
	if (t.fields.n > 0)
		read_columns(&q, t.fields);
	while (!w->failed && ks_tel_line(&q.t, &line, &ended)) {
		if (ks_str_trim(line).n == 0)
			continue;
		if (q.n_columns == 0) {
			q.header = ks_str_trim(line);
			read_columns(&q, line);
		} else if (!ended) { /* its last number may be half of one */
			ks_tel_item_add(w, &w->bad, line, KS_TEL_UNENDED, q.t.line);
		} else {
			read_row(&q, line);
		}
	}
	w->failed = w->failed || ks_buf_failed(&q.key);
	ks_buf_release(&q.key);
	ks_intern_release(&q.gpus);
	ks_mem_free(q.column);
	ks_mem_free(q.row);
}
