/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines of the block about time: devices, idle gaps, copies, communication, graphs, calls. Times
 * are those of the report; what stands for the run comes from its rows.
 */
#include "base/str.h"
#include "evidence/run_row.h"
#include "evidence/value.h"
#include "render/copy_word.h"
#include "render/text_timeline.h"

#define NAME_COLS  24
#define LINES_MOST 32 /* of copies, with every detail; a peer pair is a line of its own */

/* The row of GPU i under ks__device_N__. */
static const struct ks_ev *gpu_row(struct ks_say *s, size_t gpu, const char *what)
{
	return ks_run_row_of_device(s->t->r, s->t->r->gpu[gpu].label, what);
}

static void add_time(struct ks_say *s, enum ks_text text, ks_ns ns)
{
	if (ns > 0)
		ks_say_add(s, KS_PEN_SAY(&s->t->pen, text, ks_pen_duration(&s->t->pen, ns)));
}

/* The mix with most time that is not in `done`, the first of equal ones; 0: none has any. What a
 * narrow screen cuts off is then the least. */
static size_t largest(const struct ks_device_time *d, size_t done)
{
	size_t best = 0;

	for (size_t i = 1; i < KS_ARRAY_LEN(d->mix_ns); i++)
		if (!(done >> i & 1) && d->mix_ns[i] > (best ? d->mix_ns[best] : 0))
			best = i;
	return best;
}

static void device_line(struct ks_say *s, size_t gpu)
{
	static const enum ks_text text[] = {
		[KS_MIX_COMPUTE] = KS_TEXT_R_T_MIX_COMPUTE,
		[KS_MIX_COPY] = KS_TEXT_R_T_MIX_COPY,
		[KS_MIX_COMM] = KS_TEXT_R_T_MIX_COMM,
		[KS_MIX_COPY | KS_MIX_COMPUTE] = KS_TEXT_R_T_MIX_COMPUTE_COPY,
		[KS_MIX_COMM | KS_MIX_COMPUTE] = KS_TEXT_R_T_MIX_COMPUTE_COMM,
		[KS_MIX_COPY | KS_MIX_COMM] = KS_TEXT_R_T_MIX_COPY_COMM,
		[KS_MIX_COPY | KS_MIX_COMM | KS_MIX_COMPUTE] = KS_TEXT_R_T_MIX_ALL,
	};
	const struct ks_device_time *d = &s->time->device[gpu];
	struct ks_pen *p = &s->t->pen;
	const ks_str idle = ks_text_row_pct(p, gpu_row(s, gpu, "idle_share_pct"));

	ks_say_add(s, idle.n > 0 ? KS_PEN_SAY(p, KS_TEXT_R_T_IDLE_PCT, idle)
				 : KS_PEN_SAY(p, KS_TEXT_R_IDLE, ks_pen_duration(p, d->mix_ns[0])));
	for (size_t done = 0, i; (i = largest(d, done)) != 0; done |= (size_t)1 << i)
		add_time(s, text[i], d->mix_ns[i]);
	if (d->max_streams > 1)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_STREAMS, ks_pen_u64(p, d->max_streams)));
	if (d->gaps > 0)
		ks_say_add(s, ks_text_times(p, d->gaps, KS_TEXT_R_T_GAP_ONE, KS_TEXT_R_T_GAPS));
	add_time(s, KS_TEXT_R_T_OVERHEAD, d->gap_overhead_ns);
	if (d->memory_peak_bytes > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_MEMORY_PEAK,
					 ks_pen_bytes(p, (uint64_t)d->memory_peak_bytes)));
	ks_say_line(s, ks_text_device(p, &s->t->r->gpu[gpu]));
}

void ks_text_devices_time(struct ks_say *s, size_t most)
{
	const size_t n = s->t->r->n_gpus_used;

	for (size_t i = 0; s->time->device != NULL && i < n && i < most; i++)
		device_line(s, i);
}

ks_str ks_text_between(struct ks_pen *p, const struct ks_gap *gap, size_t cols)
{
	const ks_str before = gap->before.n > 0 ? ks_pen_name(p, gap->before, cols, KS_LIT(""))
						: KS_PEN_WORD(p, KS_TEXT_R_T_BEGIN);
	const ks_str after = gap->after.n > 0 ? ks_pen_name(p, gap->after, cols, KS_LIT(""))
					      : KS_PEN_WORD(p, KS_TEXT_R_T_END);

	return KS_PEN_SAY(p, KS_TEXT_R_T_BETWEEN, before, after);
}

void ks_text_gaps(struct ks_say *s, size_t most)
{
	const struct ks_timeline *t = s->time;
	struct ks_pen *p = &s->t->pen;

	/* every detail has a table of them */
	for (size_t i = 0; i < t->n_gaps && i < most && !s->t->all; i++) {
		const struct ks_gap *g = &t->gap[i];

		ks_say_add(s, ks_pen_duration(p, g->end_ns - g->start_ns));
		if (s->t->r->n_gpus_used > 1 && g->gpu < s->t->r->n_gpus)
			ks_say_add(s, ks_text_device(p, &s->t->r->gpu[g->gpu]));
		ks_say_add(s, ks_text_between(p, g, NAME_COLS));
		add_time(s, KS_TEXT_R_T_OVERHEAD, g->overhead_ns);
		ks_say_line(s, i == 0 ? KS_PEN_WORD(p, KS_TEXT_R_T_GAP_LABEL) : KS_LIT(""));
	}
}

/* What single copies of the kind with most bytes reach; the groups come in that order. */
static ks_str typical_rate(struct ks_say *s, ks_str kind)
{
	const struct ks_timeline *t = s->time;
	struct ks_pen *p = &s->t->pen;

	for (size_t i = 0; i < t->n_copy_groups; i++) {
		const struct ks_copy_group *g = &t->copy_group[i];

		if (g->typical_gb_per_s < 0.0 || g->bytes < KS_TEXT_RATE_BYTES ||
		    !ks_str_eq(ks_copy_word(p->tmp, g->kind), kind))
			continue;
		return KS_PEN_SAY(p, KS_TEXT_R_T_TYPICAL, ks_pen_fixed(p, g->typical_gb_per_s, 1),
				  ks_pen_bytes(p, g->bytes > 0 ? (uint64_t)g->bytes : 0));
	}
	return KS_LIT("");
}

/* Most bytes first; equal ones in the order of the report. */
static bool is_before(const struct ks_timeline *t, size_t a, size_t b)
{
	const struct ks_copy_kind_sum *k = t->copy_kind;

	return k[a].bytes > k[b].bytes || (k[a].bytes == k[b].bytes && a < b);
}

/* The next one in that order behind `at`, the first for SIZE_MAX; SIZE_MAX: none. */
static size_t next_copy(const struct ks_timeline *t, size_t at)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < t->n_copy_kinds; i++) {
		if (at != SIZE_MAX && !is_before(t, at, i))
			continue;
		if (best == SIZE_MAX || is_before(t, i, best))
			best = i;
	}
	return best;
}

/* Whether no line above is about the same kind: the rate is that of its largest copies. */
static bool is_first_of_kind(const struct ks_timeline *t, size_t i)
{
	for (size_t j = 0; j < t->n_copy_kinds; j++)
		if (is_before(t, j, i) && ks_str_eq(t->copy_kind[j].kind, t->copy_kind[i].kind))
			return false;
	return true;
}

/* Migrations of unified memory are recorded without saying from where to where. */
static bool is_memory(ks_str name)
{
	return name.n > 0 && !ks_str_eqc(name, "unknown");
}

static ks_str memory_word(struct ks_pen *p, ks_str name)
{
	static const struct {
		const char *name;
		enum ks_text text;
	} words[] = {
		{ "pageable", KS_TEXT_R_T_MEM_PAGEABLE }, { "pinned", KS_TEXT_R_T_MEM_PINNED },
		{ "device", KS_TEXT_R_T_MEM_DEVICE },	  { "managed", KS_TEXT_R_T_MEM_MANAGED },
		{ "array", KS_TEXT_R_T_MEM_ARRAY },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(words); i++)
		if (ks_str_eqc(name, words[i].name))
			return KS_PEN_WORD(p, words[i].text);
	return name;
}

static void copy_line(struct ks_say *s, size_t i, bool first)
{
	const struct ks_copy_kind_sum *k = &s->time->copy_kind[i];
	struct ks_pen *p = &s->t->pen;

	ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_COPY, k->kind, ks_pen_bytes(p, k->bytes)));
	if (is_memory(k->src_name) && is_memory(k->dst_name))
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_FROM_TO, memory_word(p, k->src_name),
					 memory_word(p, k->dst_name)));
	if (k->src_device >= 0 && k->dst_device >= 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_DEVICE_TO, ks_pen_i64(p, k->src_device),
					 ks_pen_i64(p, k->dst_device)));
	ks_say_add(s, k->cause_name);
	ks_say_add(s, ks_text_times(p, k->count, KS_TEXT_R_T_COPY_ONE, KS_TEXT_R_T_COPIES));
	if (is_first_of_kind(s->time, i))
		ks_say_add(s, typical_rate(s, k->kind));
	if (k->unknown_bytes_rows > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_UNKNOWN_SIZE,
					 ks_pen_u64(p, k->unknown_bytes_rows)));
	ks_say_line(s, first ? KS_PEN_WORD(p, KS_TEXT_R_T_COPIES_LABEL) : KS_LIT(""));
}

void ks_text_copies(struct ks_say *s, size_t most)
{
	size_t at = next_copy(s->time, SIZE_MAX);

	for (size_t n = 0; at != SIZE_MAX && n < most && n < LINES_MOST; n++) {
		copy_line(s, at, n == 0);
		at = next_copy(s->time, at);
	}
}

void ks_text_communication(struct ks_say *s)
{
	static const struct {
		const char *row;
		enum ks_text text;
		bool pct;
	} rows[] = {
		{ "ks__comm_kernel_ms", KS_TEXT_R_T_COMM_TIME, false },
		{ "ks__comm_kernel_share_pct", KS_TEXT_R_T_COMM_SHARE, true },
		{ "ks__comm_exposed_ms", KS_TEXT_R_T_EXPOSED, false },
		{ "ks__comm_compute_overlap_pct", KS_TEXT_R_T_HIDDEN, true },
	};
	const struct ks_timeline *t = s->time;
	struct ks_pen *p = &s->t->pen;
	bool any = false;

	for (size_t i = 0; t->device != NULL && i < s->t->r->n_gpus_used; i++)
		any = any || t->device[i].comm_sum_ns > 0;
	for (size_t i = 0; any && i < KS_ARRAY_LEN(rows); i++) {
		const struct ks_ev *row = ks_run_row_find(s->t->r, rows[i].row);
		const ks_str v = rows[i].pct ? ks_text_row_pct(p, row) : ks_text_row_time(p, row);

		if (v.n > 0)
			ks_say_add(s, KS_PEN_SAY(p, rows[i].text, v));
	}
	for (size_t i = 0; i < t->n_comm_calls && i < 3; i++)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_COMM_CALL, t->comm_call[i].name,
					 ks_pen_u64(p, t->comm_call[i].calls),
					 ks_pen_bytes(p, t->comm_call[i].bytes)));
	ks_say_line(s, KS_PEN_WORD(p, KS_TEXT_R_T_COMM_LABEL));
}

void ks_text_graphs(struct ks_say *s)
{
	const struct ks_graphs *g = &s->time->graphs;
	struct ks_pen *p = &s->t->pen;
	const ks_str coverage =
		ks_text_row_pct(p, ks_run_row_find(s->t->r, "ks__graph_coverage_pct"));

	if (g->launch_calls > 0)
		ks_say_add(s, ks_text_times(p, g->launch_calls, KS_TEXT_R_T_GRAPH_CALL,
					    KS_TEXT_R_T_GRAPH_CALLS));
	if (g->node_launches > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_GRAPH_NODES, ks_pen_u64(p, g->replays),
					 ks_pen_u64(p, g->node_launches),
					 ks_pen_duration(p, g->node_ns)));
	if (coverage.n > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_GRAPH_COVERAGE, coverage));
	if (g->runs > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_GRAPH_RUNS, ks_pen_u64(p, g->runs),
					 ks_pen_duration(p, g->run_ns)));
	if (g->n_top > 0 && !s->t->all)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_GRAPH_TOP,
					 ks_pen_name(p, g->top[0].kernel, NAME_COLS, KS_LIT("")),
					 ks_pen_duration(p, g->top[0].total_ns)));
	ks_say_line(s, KS_PEN_WORD(p, KS_TEXT_R_T_GRAPHS_LABEL));
}

static void add_row(struct ks_say *s, const char *row, enum ks_text text)
{
	const ks_str v = ks_text_row_time(&s->t->pen, ks_run_row_find(s->t->r, row));

	if (v.n > 0)
		ks_say_add(s, KS_PEN_SAY(&s->t->pen, text, v));
}

void ks_text_calls(struct ks_say *s)
{
	const struct ks_timeline *t = s->time;
	struct ks_pen *p = &s->t->pen;

	/* what a narrow terminal cuts off is the least: the wait first */
	add_row(s, "ks__sync_call_ms", KS_TEXT_R_T_SYNC);
	add_row(s, "ks__launch_latency_p50", KS_TEXT_R_T_LATENCY);
	add_row(s, "ks__launch_latency_p90", KS_TEXT_R_T_LATENCY_P90);
	add_row(s, "ks__launch_queue_p50", KS_TEXT_R_T_QUEUE);
	if (t->n_api > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_R_T_API, t->api[0].name,
					 ks_pen_u64(p, t->api[0].calls),
					 ks_pen_duration(p, t->api[0].total_ns)));
	ks_say_line(s, KS_PEN_WORD(p, KS_TEXT_R_T_CALLS_LABEL));
}
