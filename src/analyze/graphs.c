/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA graphs: kernels of graph nodes, how many replays they come from, and graphs that were
 * recorded as a whole. The two kinds are never added to each other.
 */
#include "analyze/calls_internal.h"
#include "base/mem.h"
#include "base/str.h"

/* How the work of a replay was recorded; below the device in the second word. */
#define HOW_NODE   1 /* as kernels of nodes, and not as a whole */
#define HOW_CALLED 2 /* its call is known and in the window */
#define HOW_BITS   2
#define TOP_NODES  20
#define PIECE	   64 /* records read at a time */

bool ks_graphs_open(struct ks_graphs_work *g, const struct ks_io *io,
		    const struct ks_calls_budget *budget)
{
	ks_map_init(&g->process, sizeof(int64_t), (size_t)ks_limit(KS_LIMIT_PROCESSES));
	g->replays = ks_sorter_open(io, 2, budget->side_bytes);
	g->runs = ks_sorter_open(io, 3, budget->side_bytes);
	return g->replays && g->runs &&
	       ks_tally_open(&g->nodes, io, budget->keys, budget->side_bytes);
}

void ks_graphs_release(struct ks_graphs_work *g)
{
	ks_map_release(&g->process);
	ks_sorter_close(g->replays);
	ks_sorter_close(g->runs);
	ks_tally_release(&g->nodes);
}

/* --- rows ----------------------------------------------------------------------------------------
 */

/* Kernels of one replay come close together: most of them find theirs noted already. */
static bool is_recent(struct ks_graphs_work *g, const int64_t rec[2])
{
	const uint64_t mixed = ((uint64_t)rec[0] ^ (uint64_t)rec[1] << 40) *
			       UINT64_C(0x9e3779b97f4a7c15); /* 2^64 / golden ratio */
	int64_t *kept = g->recent[mixed >> 56];

	if (kept[0] == rec[0] && kept[1] == rec[1])
		return true;
	kept[0] = rec[0];
	kept[1] = rec[1];
	return false;
}

static uint32_t process_of(struct ks_graphs_work *g, int64_t global_pid)
{
	const int64_t process = global_pid == KS_UNKNOWN ? KS_UNKNOWN : global_pid >> 24;

	if (g->process.count == 0 || process != g->last_process) {
		g->last_number = ks_map_add(&g->process, &process, NULL);
		g->last_process = process;
	}
	return g->last_number;
}

static enum ks_status note_replay(struct ks_calls *c, const struct ks_graph_work_row *row, int how,
				  struct ks_err *err)
{
	struct ks_graphs_work *g = &c->graphs;
	const uint32_t number = process_of(g, row->process);

	if (number == KS_MAP_NONE)
		return ks_calls_no_memory(err);

	const int64_t rec[2] = {
		ks_calls_key(number, row->correlation),
		(int64_t)((uint64_t)row->device << HOW_BITS) | how | (row->called ? HOW_CALLED : 0),
	};

	return is_recent(g, rec) ? KS_OK : ks_sorter_add(g->replays, rec, err);
}

enum ks_status ks_graphs_node(struct ks_calls *c, const struct ks_graph_work_row *row,
			      struct ks_err *err)
{
	struct ks_calls_device *d = ks_calls_device(c, row->device, err);
	const ks_ns ns = row->end_ns - row->start_ns;
	const struct ks_tally_row node = { { row->node, row->group }, 1, ns };

	if (!d)
		return KS_E_ENV;
	d->node_launches++;
	KS_TRY(ks_calls_add_ns(&d->node_ns, ns, err));
	KS_TRY(ks_tally_add(&c->graphs.nodes, &node, err));
	if (ks_calls_is_id(row->correlation))
		return note_replay(c, row, HOW_NODE, err);
	d->node_unknown++;
	return KS_OK;
}

enum ks_status ks_graphs_run(struct ks_calls *c, const struct ks_graph_work_row *row,
			     struct ks_err *err)
{
	const int64_t rec[3] = { row->device, row->start_ns, row->end_ns };
	struct ks_calls_device *d = ks_calls_device(c, row->device, err);

	if (!d)
		return KS_E_ENV;
	d->runs++;
	KS_TRY(ks_calls_add_ns(&d->run_ns, row->end_ns - row->start_ns, err));
	KS_TRY(ks_sorter_add(c->graphs.runs, rec, err));
	return ks_calls_is_id(row->correlation) ? note_replay(c, row, 0, err) : KS_OK;
}

/* --- replays -------------------------------------------------------------------------------------
 */

struct replay {
	int64_t key;
	bool any, nodes, called; /* nodes: on a device that is selected */
};

static bool is_selected(const struct ks_analysis *a, uint64_t device)
{
	return device < a->n_devices && a->device[device].selected;
}

static void end_replay(struct ks_graphs_sum *sum, const struct replay *r)
{
	sum->replays += r->any && r->nodes;
	sum->covered += r->any && r->called;
}

static void add_replay(struct ks_analysis *a, struct replay *now, const int64_t *rec)
{
	const uint64_t how = (uint64_t)rec[1];

	if (!now->any || now->key != rec[0]) {
		end_replay(&a->calls->sum.graphs, now);
		*now = (struct replay){ .key = rec[0], .any = true };
	}
	now->nodes |= (how & HOW_NODE) && is_selected(a, how >> HOW_BITS);
	now->called |= (how & HOW_CALLED) != 0;
}

static enum ks_status count_replays(struct ks_analysis *a, struct ks_err *err)
{
	struct ks_sorter *s = a->calls->graphs.replays;
	struct replay now = { 0 };
	int64_t rec[PIECE][2];
	size_t got = 0;

	KS_TRY(ks_sorter_finish(s, NULL, NULL, err));
	for (uint64_t at = 0;; at += got) {
		KS_TRY(ks_sorter_read(s, at, rec[0], PIECE, &got, err));
		if (got == 0)
			break;
		for (size_t i = 0; i < got; i++)
			add_replay(a, &now, rec[i]);
	}
	end_replay(&a->calls->sum.graphs, &now);
	return KS_OK;
}

/* --- graphs recorded as a whole ------------------------------------------------------------------
 */

struct merged {
	int64_t device;
	ks_ns until; /* end of what is counted */
	bool any;
};

static enum ks_status add_run(struct merged *m, const int64_t rec[3], ks_ns *sum,
			      struct ks_err *err)
{
	ks_ns start = rec[1];

	if (m->any && m->device == rec[0] && start < m->until)
		start = m->until;
	if (!m->any || m->device != rec[0] || rec[2] > m->until)
		m->until = rec[2];
	m->device = rec[0];
	m->any = true;
	return rec[2] > start ? ks_calls_add_ns(sum, rec[2] - start, err) : KS_OK;
}

/* Per device, then summed over the selected ones. */
static enum ks_status unite_runs(struct ks_analysis *a, struct ks_err *err)
{
	struct ks_sorter *s = a->calls->graphs.runs;
	struct merged m = { 0 };
	int64_t rec[PIECE][3];
	size_t got = 0;

	KS_TRY(ks_sorter_finish(s, NULL, NULL, err));
	for (uint64_t at = 0;; at += got) {
		KS_TRY(ks_sorter_read(s, at, rec[0], PIECE, &got, err));
		if (got == 0)
			return KS_OK;
		for (size_t i = 0; i < got; i++) {
			if (is_selected(a, (uint64_t)rec[i][0]))
				KS_TRY(add_run(&m, rec[i], &a->calls->sum.graphs.run_union_ns,
					       err));
		}
	}
}

/* --- nodes ---------------------------------------------------------------------------------------
 */

/* Groups of one kernel are one: (node, group) becomes (kernel, node). */
static void by_kernel(int64_t *rec, void *arg)
{
	const struct ks_analysis *a = arg;
	const int64_t node = rec[0];

	rec[0] = a->kernel_of_group[rec[1]];
	rec[1] = node;
}

static bool is_above(const struct ks_graph_node *a, const struct ks_graph_node *b)
{
	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns;
	const int names = ks_str_cmp(a->kernel, b->kernel);

	return names != 0 ? names < 0 : a->node < b->node;
}

static void insert_node(struct ks_graph_node *top, size_t *n, const struct ks_graph_node *node)
{
	size_t at = *n;

	while (at > 0 && is_above(node, &top[at - 1]))
		at--;
	if (at == TOP_NODES)
		return;
	if (*n < TOP_NODES)
		++*n;
	for (size_t i = *n - 1; i > at; i--)
		top[i] = top[i - 1];
	top[at] = *node;
}

static enum ks_status list_nodes(struct ks_analysis *a, struct ks_graphs *g, struct ks_err *err)
{
	struct ks_tally *nodes = &a->calls->graphs.nodes;
	struct ks_graph_node *top;
	struct ks_tally_row row;
	bool got;

	if (!ks_tally_any(nodes) || !a->kernel_of_group)
		return KS_OK;
	top = KS_ARENA_NEWS(a->arena, struct ks_graph_node, TOP_NODES);
	if (!top)
		return ks_calls_no_memory(err);
	KS_TRY(ks_tally_settle(nodes, by_kernel, a, err));
	for (;;) {
		KS_TRY(ks_tally_next(nodes, &row, &got, err));
		if (!got || (uint64_t)row.key.a >= a->n_kernels)
			break; /* those that are not selected come last */
		const struct ks_graph_node node = { a->kernel[row.key.a].name, row.key.b,
						    (uint64_t)row.n, row.sum };

		insert_node(top, &g->n_top, &node);
	}
	g->top = top;
	return KS_OK;
}

/* --- the answer ----------------------------------------------------------------------------------
 */

enum ks_status ks_graphs_answer(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	struct ks_calls *c = a->calls;
	struct ks_graphs_sum *sum = &c->sum.graphs;

	for (size_t d = 0; d < c->n_devices; d++) {
		const struct ks_calls_device *from = &c->device[d];

		if (!is_selected(a, d))
			continue;
		sum->node_launches += from->node_launches;
		sum->node_unknown += from->node_unknown;
		sum->runs += from->runs;
		KS_TRY(ks_calls_add_ns(&sum->node_ns, from->node_ns, err));
		KS_TRY(ks_calls_add_ns(&sum->run_ns, from->run_ns, err));
	}
	KS_TRY(count_replays(a, err));
	KS_TRY(unite_runs(a, err));
	t->graphs = (struct ks_graphs){
		.launch_calls = sum->launch_calls,
		.replays = sum->replays,
		.node_launches = sum->node_launches,
		.node_ns = sum->node_ns,
		.runs = sum->runs,
		.run_ns = sum->run_ns,
		.run_union_ns = sum->run_union_ns,
	};
	return list_nodes(a, &t->graphs, err);
}
