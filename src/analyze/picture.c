/* SPDX-License-Identifier: Apache-2.0
 *
 * The timeline as a picture: slices at least one column wide are bars, narrower ones are counted
 * into their column. Memory grows with rows, columns and levels of the picture, never with slices;
 * what is covered in the trace is covered in the picture, to the nanosecond.
 */
#include "analyze/picture.h"

#include "base/mem.h"

enum ks_status ks_picture_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "timeline picture", NULL);
}

static ks_ns column_end(const struct ks_picture_work *w, size_t c)
{
	return c + 1 >= w->columns ? w->in.to
				   : w->in.from + (ks_ns)((double)(c + 1) * w->column_ns);
}

static size_t column_of(const struct ks_picture_work *w, ks_ns at)
{
	size_t c = (size_t)((double)(at - w->in.from) / w->column_ns);

	if (c >= w->columns)
		c = w->columns - 1;
	while (c > 0 && at < column_end(w, c - 1)) /* the quotient was rounded up */
		c--;
	while (c + 1 < w->columns && at >= column_end(w, c))
		c++;
	return c;
}

static enum ks_status add_bar(struct ks_picture_work *w, const struct ks_bar *bar,
			      struct ks_err *err)
{
	if (!KS_GROW(w->bar, w->bar_cap, w->n_bars + 1, SIZE_MAX / sizeof(*w->bar)))
		return ks_picture_no_memory(err);
	w->bar[w->n_bars++] = *bar;
	if (bar->depth + 1 > w->depth[bar->row])
		w->depth[bar->row] = bar->depth + 1;
	return KS_OK;
}

/* Ends the column at hand. Time that reaches into the next one is shown there, with what starts
 * there or alone. */
static enum ks_status flush(struct ks_picture_work *w, struct ks_picture_level *l, unsigned depth,
			    struct ks_err *err)
{
	while (l->open) {
		const ks_ns end = column_end(w, l->column);
		const ks_ns begin = l->column ? column_end(w, l->column - 1) : w->in.from;
		struct ks_bar bar = l->bin;

		bar.row = w->row_of_lane[w->lane];
		bar.depth = depth;
		bar.x = (double)l->column / (double)w->columns;
		bar.width = 1.0 / (double)w->columns;
		bar.fill = end > begin ? (double)l->covered_ns / (double)(end - begin) : 0.0;
		KS_TRY(add_bar(w, &bar, err));
		l->open = l->covered_to > end && l->column + 1 < w->columns;
		if (!l->open)
			break;
		l->column++;
		l->covered_ns = l->covered_to - end;
		l->bin.slices = 0;
		if (column_end(w, l->column) < l->covered_to)
			l->covered_ns = column_end(w, l->column) - end;
		if (l->column == l->wanted)
			break;
	}
	return KS_OK;
}

/* Covers [from, to) in the column at hand; what is covered already counts once. */
static void cover(const struct ks_picture_work *w, struct ks_picture_level *l, ks_ns from, ks_ns to)
{
	const ks_ns end = column_end(w, l->column);

	if (from < l->covered_to)
		from = l->covered_to;
	if (to <= from)
		return;
	l->covered_to = to;
	if (from < end)
		l->covered_ns += (to < end ? to : end) - from;
}

static enum ks_status add_to_column(struct ks_picture_work *w, unsigned depth,
				    const struct ks_picture_slice *s, struct ks_err *err)
{
	struct ks_picture_level *l = &w->level[depth];
	const size_t column = column_of(w, s->from);

	l->wanted = column;
	if (l->open && l->column != column)
		KS_TRY(flush(w, l, depth, err));
	if (!l->open) {
		l->open = true;
		l->column = column;
		l->covered_ns = 0;
		l->bin = (struct ks_bar){ .bytes = KS_UNKNOWN };
		l->longest_ns = -1;
	}
	if (l->bin.slices++ == 0) {
		l->bin.start_ns = s->row.start_ns;
		l->longest_ns = -1;
	}
	if (s->row.end_ns - s->row.start_ns > l->longest_ns) {
		l->longest_ns = s->row.end_ns - s->row.start_ns;
		l->bin.name = s->row.name;
		l->bin.comm = s->comm;
		if (!s->counter)
			l->bin.bytes = s->row.bytes;
	}
	if (s->counter && s->row.bytes > l->bin.bytes)
		l->bin.bytes = s->row.bytes;
	if (l->bin.slices == 1 || s->row.end_ns > l->bin.end_ns)
		l->bin.end_ns = s->row.end_ns;
	cover(w, l, s->from, s->to);
	w->out->binned++;
	return KS_OK;
}

static enum ks_status add_single(struct ks_picture_work *w, unsigned depth,
				 const struct ks_picture_slice *s, struct ks_err *err)
{
	const double span = (double)(w->in.to - w->in.from);
	const struct ks_bar bar = {
		.row = w->row_of_lane[w->lane],
		.x = (double)(s->from - w->in.from) / span,
		.width = (double)(s->to - s->from) / span,
		.slices = 1,
		.fill = 1.0,
		.depth = depth,
		.name = s->row.name,
		.start_ns = s->row.start_ns,
		.end_ns = s->row.end_ns,
		.bytes = s->row.bytes,
		.comm = s->comm,
	};

	w->level[depth].wanted = SIZE_MAX;
	KS_TRY(flush(w, &w->level[depth], depth, err));
	if (depth + 1 == w->levels) {
		w->lowest_bar = w->n_bars;
		w->lowest_to = s->to;
	}
	w->out->drawn++;
	return add_bar(w, &bar, err);
}

/* The level below everything that is still open. */
static unsigned nest(struct ks_picture_work *w, const struct ks_slice *s)
{
	while (w->n_open > 0 && w->open_to[w->n_open - 1] <= s->start_ns)
		w->n_open--;
	const unsigned depth = w->n_open;

	if (w->n_open + 1 < w->levels && s->end_ns > s->start_ns)
		w->open_to[w->n_open++] = s->end_ns;
	return depth;
}

static enum ks_status end_lane(struct ks_picture_work *w, struct ks_err *err)
{
	for (unsigned d = 0; d < w->levels; d++) {
		w->level[d].wanted = SIZE_MAX;
		if (w->lane != UINT32_MAX)
			KS_TRY(flush(w, &w->level[d], d, err));
		w->level[d] = (struct ks_picture_level){ .covered_to = INT64_MIN };
	}
	w->n_open = 0;
	w->lowest_to = INT64_MIN;
	return KS_OK;
}

enum ks_status ks_picture_slice(struct ks_picture_work *w, const struct ks_picture_slice *s,
				struct ks_err *err)
{
	if (s->row.lane != w->lane) {
		KS_TRY(end_lane(w, err));
		w->lane = s->row.lane;
	}
	if (w->row_of_lane[w->lane] == UINT32_MAX)
		return KS_OK;
	const unsigned depth = s->counter ? 0 : nest(w, &s->row);

	w->out->selected++;
	if (depth + 1 == w->levels && s->from < w->lowest_to) {
		w->bar[w->lowest_bar].slices++;
		w->out->binned++;
		return KS_OK;
	}
	return (double)(s->to - s->from) >= w->column_ns ? add_single(w, depth, s, err)
							 : add_to_column(w, depth, s, err);
}

/* Counters are drawn as high as their value; the largest of a row reaches to the top. */
static void scale_counters(struct ks_picture_work *w, const struct ks_lane *row, size_t n)
{
	for (size_t i = 0, j; i < w->n_bars; i = j) {
		int64_t most = 0;

		for (j = i; j < w->n_bars && w->bar[j].row == w->bar[i].row; j++)
			most = w->bar[j].bytes > most ? w->bar[j].bytes : most;
		if (w->bar[i].row >= n || row[w->bar[i].row].kind != KS_LANE_MEMORY)
			continue;
		for (size_t k = i; k < j; k++)
			w->bar[k].fill = most > 0 && w->bar[k].bytes > 0
						 ? (double)w->bar[k].bytes / (double)most
						 : 0.0;
	}
}

enum ks_status ks_picture_finish(struct ks_picture_work *w, struct ks_arena *arena,
				 struct ks_err *err)
{
	KS_TRY(end_lane(w, err));
	struct ks_bar *bar = KS_ARENA_NEWS(arena, struct ks_bar, w->n_bars);

	if (bar == NULL)
		return ks_picture_no_memory(err);
	scale_counters(w, w->out->row, w->out->n_rows);
	if (w->n_bars > 0)
		memcpy(bar, w->bar, w->n_bars * sizeof(*bar));
	w->out->bar = bar;
	w->out->n_bars = w->n_bars;
	return KS_OK;
}
