/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of CommLedger about copies: bytes by kind and by device, and the few rates that can be
 * believed. Publishes no sum of durations.
 */
#include "analyze/sec_comm.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

#define RATES		4	/* contract 06 §14 */
#define LEAST_RATE_SIZE 1048576 /* the same: 1 MiB */

struct ks_ev_spec ks_copy_spec(const struct ks_emit *e, enum ks_metric metric, const char *columns,
			       uint64_t rows)
{
	struct ks_ev_spec spec = ks_emit_spec(
		e, metric, (struct ks_msg){ .id = KS_TEXT_AN_SRC_COPIES }, columns, rows);

	if (!e->a->meta.synthetic)
		spec.origin.table = KS_LIT("CUPTI_ACTIVITY_KIND_MEMCPY");
	return spec;
}

/* --- bytes ---------------------------------------------------------------------------------------
 */

static struct ks_msg note_of(struct ks_emit *e, const struct ks_copy_device *d)
{
	char rows[KS_NUM_LEN], unknown[KS_NUM_LEN];

	ks_num_u64(rows, d->rows);
	ks_num_u64(unknown, d->unknown_bytes_rows);
	if (d->unknown_bytes_rows)
		return ks_store_msg(e->ev, KS_TEXT_AN_NOTE_COPIES_BOUND, rows, unknown, NULL);
	return ks_store_msg(e->ev,
			    e->r->timeline->window.on ? KS_TEXT_AN_NOTE_COPIES_WINDOW
						      : KS_TEXT_AN_NOTE_COPIES,
			    rows, NULL);
}

/* A refusal that says how many rows of how many lack something. */
static void refuse_rows(struct ks_emit *e, enum ks_metric metric, enum ks_text why, uint64_t n,
			uint64_t of)
{
	const struct ks_ev_spec spec = ks_copy_spec(e, metric, "bytes,deviceId", of);
	const struct ks_kv seen[] = {
		{ KS_LIT("rows"), KS_VAL_INT((int64_t)n) },
		{ KS_LIT("copy_rows"), KS_VAL_INT((int64_t)of) },
	};
	const struct ks_refuse_spec refusal = {
		.code = KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED,
		.message = { .id = why },
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen),
		.degraded = true,
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refusal));
}

static void emit_total(struct ks_emit *e, const struct ks_copy_device *all)
{
	struct ks_ev_spec spec = ks_copy_spec(e, KS_METRIC_KS_COMM_BYTES_TOTAL, "bytes", all->rows);
	const struct ks_kv seen = { KS_LIT("copy_rows"), KS_VAL_INT((int64_t)all->rows) };
	const struct ks_refuse_spec refusal = {
		.code = KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED,
		.message = { .id = all->rows ? KS_TEXT_AN_COPIES_WITHOUT_SIZE
					     : KS_TEXT_AN_NO_COPY_ROWS },
		.observed = &seen,
		.n_observed = 1,
		.action = { .id = all->rows ? KS_TEXT_NONE : KS_TEXT_AN_DO_TRACE_CUDA },
	};

	/* None here of a trace that has some elsewhere: that is known to be 0. */
	if (all->rows == all->unknown_bytes_rows && (all->rows > 0 || !e->a->any_copies)) {
		ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refusal));
		return;
	}
	spec.note = note_of(e, all);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)all->bytes)));
}

static const enum ks_metric kind_metric[] = {
	[KS_COPY_HTOD] = KS_METRIC_KS_COMM_BYTES_HTOD,
	[KS_COPY_DTOH] = KS_METRIC_KS_COMM_BYTES_DTOH,
	[KS_COPY_HTOA] = KS_METRIC_KS_COMM_BYTES_HTOA,
	[KS_COPY_ATOH] = KS_METRIC_KS_COMM_BYTES_ATOH,
	[KS_COPY_ATOA] = KS_METRIC_KS_COMM_BYTES_ATOA,
	[KS_COPY_ATOD] = KS_METRIC_KS_COMM_BYTES_ATOD,
	[KS_COPY_DTOA] = KS_METRIC_KS_COMM_BYTES_DTOA,
	[KS_COPY_DTOD] = KS_METRIC_KS_COMM_BYTES_DTOD,
	[KS_COPY_HTOH] = KS_METRIC_KS_COMM_BYTES_HTOH,
	[KS_COPY_PTOP] = KS_METRIC_KS_COMM_BYTES_PTOP,
	[KS_COPY_UM_HTOD] = KS_METRIC_KS_COMM_BYTES_UM_HTOD,
	[KS_COPY_UM_DTOH] = KS_METRIC_KS_COMM_BYTES_UM_DTOH,
	[KS_COPY_UM_DTOD] = KS_METRIC_KS_COMM_BYTES_UM_DTOD,
};

static enum ks_metric metric_of_kind(int64_t kind)
{
	return kind >= KS_COPY_HTOD && kind <= KS_COPY_UM_DTOD ? kind_metric[kind]
							       : KS_METRIC_KS_COMM_BYTES_KIND_N;
}

static void emit_kinds(struct ks_emit *e)
{
	const struct ks_timeline *t = e->r->timeline;

	for (size_t i = 0; i < t->n_copy_kinds;) {
		const struct ks_copy_kind_sum *first = &t->copy_kind[i];
		struct ks_copy_device d = { 0 };

		for (; i < t->n_copy_kinds && t->copy_kind[i].number == first->number; i++) {
			d.rows += t->copy_kind[i].count;
			d.bytes += t->copy_kind[i].bytes;
			d.unknown_bytes_rows += t->copy_kind[i].unknown_bytes_rows;
		}
		if (d.rows == d.unknown_bytes_rows)
			continue; /* said by the row of copies without a size */
		struct ks_ev_spec spec =
			ks_copy_spec(e, metric_of_kind(first->number), "bytes,copyKind", d.rows);

		spec.name = ks_arena_fmt(e->a->arena, "ks__comm_bytes_%.*s", (int)first->kind.n,
					 first->kind.p);
		if (d.unknown_bytes_rows)
			spec.note = note_of(e, &d);
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)d.bytes)));
	}
}

struct labelled {
	int64_t label; /* -1: not recorded; last */
	const struct ks_copy_device *d;
};

static int by_label(const void *x, const void *y)
{
	const struct labelled *a = x, *b = y;

	if ((a->label < 0) != (b->label < 0))
		return a->label < 0 ? 1 : -1;
	return ks_num_cmp_i64(a->label, b->label);
}

static void emit_device(struct ks_emit *e, const struct labelled *l)
{
	struct ks_ev_spec spec = ks_copy_spec(e,
					      l->label < 0 ? KS_METRIC_KS_DEVICE_UNKNOWN_COMM_BYTES
							   : KS_METRIC_KS_DEVICE_N_COMM_BYTES,
					      "bytes,deviceId", l->d->rows);
	char number[KS_NUM_LEN];

	ks_num_i64(number, l->label);
	if (l->label >= 0)
		spec.name = ks_arena_fmt(e->a->arena, "ks__device_%s__comm_bytes", number);
	if (l->d->unknown_bytes_rows)
		spec.note = note_of(e, l->d);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)l->d->bytes)));
}

static void emit_devices(struct ks_emit *e, const struct ks_copy_facts *f)
{
	struct labelled *list = ks_mem_alloc((f->n_devices + 1) * sizeof(*list));
	size_t n = 0;

	if (!list) {
		e->a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < f->n_devices && i < e->a->n_devices; i++) {
		const struct ks_copy_device *d = &f->device[i];

		if (e->a->device[i].selected && d->rows > d->unknown_bytes_rows)
			list[n++] = (struct labelled){ e->a->devices.device[i].label, d };
	}
	qsort(list, n, sizeof(*list), by_label);
	for (size_t i = 0; i < n; i++)
		emit_device(e, &list[i]);
	ks_mem_free(list);
}

void ks_emit_no_copies(struct ks_emit *e)
{
	const struct ks_copy_device none = { 0 };

	emit_total(e, &none);
}

void ks_emit_copy_bytes(struct ks_emit *e, const struct ks_copy_facts *f)
{
	emit_total(e, &f->all);
	emit_kinds(e);
	emit_devices(e, f);
	if (f->all.unknown_bytes_rows)
		refuse_rows(e, KS_METRIC_KS_COMM_BYTES_NULL_ROWS, KS_TEXT_AN_COPIES_WITHOUT_SIZE,
			    f->all.unknown_bytes_rows, f->all.rows);
	if (f->unknown_device_rows)
		refuse_rows(e, KS_METRIC_KS_COMM_BYTES_UNKNOWN_DEVICE_ROWS,
			    KS_TEXT_AN_COPIES_WITHOUT_DEVICE, f->unknown_device_rows, f->all.rows);
}

/* --- rates ---------------------------------------------------------------------------------------
 */

/* "1gb", "192mb", "1p5mb": binary units, one decimal. */
static ks_str size_label(struct ks_emit *e, int64_t bytes)
{
	const bool gb = bytes >= INT64_C(1) << 30;
	ks_str label =
		ks_arena_fmt(e->a->arena, "%.1f", (double)bytes / (double)(gb ? 1 << 30 : 1 << 20));
	struct ks_buf b;

	ks_buf_init(&b, KS_NUM_LEN * 2);
	if (ks_str_ends(label, ".0"))
		label.n -= 2;
	for (size_t i = 0; i < label.n; i++)
		ks_buf_ch(&b, label.p[i] == '.' ? 'p' : label.p[i]);
	ks_buf_cstr(&b, gb ? "gb" : "mb");
	label = ks_buf_keep(&b, e->a->arena);
	ks_buf_release(&b);
	return label;
}

/* Two sizes of one kind may have one label: the larger keeps it, the other is named in bytes. */
static ks_str rate_name(struct ks_emit *e, const struct ks_copy_group *g, ks_str kind)
{
	ks_str label = size_label(e, g->bytes);
	ks_str name = ks_arena_fmt(e->a->arena, "est__copy_%.*s_%.*s_gbs", (int)kind.n, kind.p,
				   (int)label.n, label.p);
	char bytes[KS_NUM_LEN];

	if (!ks_ev_find(e->ev, name, e->subject))
		return name;
	ks_num_i64(bytes, g->bytes);
	return ks_arena_fmt(e->a->arena, "est__copy_%.*s_%sb_gbs", (int)kind.n, kind.p, bytes);
}

/* The highest of the selected devices: above it the copy is not possible on any of them. */
static double highest_limit(const struct ks_emit *e, int64_t kind)
{
	double limit = 0.0;

	for (size_t i = 0; i < e->a->n_devices; i++) {
		const struct ks_trace_gpu *gpu = e->a->devices.device[i].gpu;
		const double l =
			ks_copy_limit_gb_per_s(kind, gpu ? gpu->memory_bandwidth : KS_UNKNOWN);

		if (e->a->device[i].selected && l > limit)
			limit = l;
	}
	return limit;
}

/* Without the bandwidth of the memory the guard of device copies is that of host links, which they
 * may well pass. */
static bool is_unchecked(const struct ks_emit *e, int64_t kind)
{
	for (size_t i = 0; i < e->a->n_devices; i++) {
		const struct ks_trace_gpu *gpu = e->a->devices.device[i].gpu;

		if (kind >= KS_COPY_ATOA && kind <= KS_COPY_PTOP && kind != KS_COPY_HTOH &&
		    e->a->device[i].selected && e->a->device[i].copies &&
		    (!gpu || gpu->memory_bandwidth <= 0))
			return true;
	}
	return false;
}

static void refuse_rate(struct ks_emit *e, const struct ks_ev_spec *spec,
			const struct ks_copy_group *g)
{
	const struct ks_kv seen[] = {
		{ KS_LIT("bytes"), KS_VAL_INT(g->bytes) },
		{ KS_LIT("copies"), KS_VAL_INT((int64_t)g->count) },
		{ KS_LIT("max_ns"), KS_VAL_INT(g->max_ns) },
		{ KS_LIT("gb_per_s"), KS_VAL_REAL(g->gb_per_s) },
	};
	const struct ks_kv limit = { KS_LIT("gb_per_s"), KS_VAL_REAL(highest_limit(e, g->kind)) };
	const struct ks_refuse_spec refusal = {
		.code = KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED,
		.message = { .id = is_unchecked(e, g->kind) ? KS_TEXT_AN_COPY_UNCHECKED
							    : KS_TEXT_AN_COPY_TOO_FAST },
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen) - (g->gb_per_s < 0.0),
		.threshold = &limit,
		.n_threshold = 1,
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, spec, &refusal));
}

static void emit_rate(struct ks_emit *e, const struct ks_copy_group *g)
{
	struct ks_ev_spec spec = ks_copy_spec(e, KS_METRIC_EST_COPY_KIND_SIZE_GBS,
					      "start,end,bytes,copyKind", g->count);
	ks_str kind = ks_copy_kind_name(g->kind);
	char count[KS_NUM_LEN], slowest[KS_NUM_LEN], number[KS_NUM_LEN];

	ks_num_i64(number, g->kind);
	if (kind.n == 0)
		kind = g->kind == KS_UNKNOWN ? KS_LIT("kind_unknown")
					     : ks_arena_fmt(e->a->arena, "kind_%s", number);
	spec.name = rate_name(e, g, kind);
	spec.source = (struct ks_msg){ .id = KS_TEXT_AN_SRC_COPY_RATE };
	if (g->typical_gb_per_s < 0.0) {
		refuse_rate(e, &spec, g);
		return;
	}
	ks_num_u64(count, g->count);
	ks_num_human(slowest, g->gb_per_s);
	spec.note = ks_store_msg(e->ev, KS_TEXT_AN_NOTE_COPY_RATE, count, slowest, NULL);
	ks_emit_row(e, ks_ev_estimated(e->ev, &spec, KS_VAL_REAL(g->typical_gb_per_s)));
}

static void refuse_time_sum(struct ks_emit *e, const struct ks_copy_facts *f)
{
	const struct ks_ev_spec spec =
		ks_copy_spec(e, KS_METRIC_KS_COMM_TIME_SUM_NS, "start,end,bytes", f->all.rows);
	const struct ks_kv seen[] = {
		{ KS_LIT("bytes"), KS_VAL_INT((int64_t)f->all.bytes) },
		{ KS_LIT("sum_ns"), KS_VAL_INT((int64_t)f->ns) },
		{ KS_LIT("implied_gbs_if_summed"),
		  KS_VAL_REAL(f->ns ? (double)f->all.bytes / (double)f->ns : 0.0) },
	};
	const struct ks_refuse_spec refusal = {
		.code = KS_REFUSAL_MEMCPY_DURATION_UNTRUSTED,
		.message = { .id = KS_TEXT_AN_COPY_TIME_SUM },
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen) - (f->ns == 0),
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refusal));
}

void ks_emit_copy_rates(struct ks_emit *e, const struct ks_copy_facts *f)
{
	const struct ks_timeline *t = e->r->timeline;
	size_t published = 0;

	for (size_t i = 0; i < t->n_copy_groups && published < RATES; i++) {
		const struct ks_copy_group *g = &t->copy_group[i];

		if (g->bytes < LEAST_RATE_SIZE)
			break; /* largest first */
		if (g->kind >= KS_COPY_UM_HTOD && g->kind <= KS_COPY_UM_DTOD)
			continue;
		emit_rate(e, g);
		published++;
	}
	if (f->all.rows)
		refuse_time_sum(e, f);
}
