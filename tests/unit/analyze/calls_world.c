/* SPDX-License-Identifier: Apache-2.0
 *
 * The world of calls_world.h. Expects nothing itself but that the rows are taken.
 */
#include "calls_world.h"

#include <stdlib.h>

#include "base/mem.h"

void given_world(struct world *w, size_t call_bytes)
{
	const struct ks_calls_budget tiny = { call_bytes, call_bytes, 4 };

	*w = (struct world){ 0 };
	ks_arena_init(&w->arena, (size_t)1 << 30);
	ks_err_init(&w->err);
	w->ctx = (struct ks_ctx){ .io = &ks_io_system, .run = &w->arena };
	w->a.ctx = &w->ctx;
	w->a.arena = &w->arena;
	w->a.device = w->device;
	w->a.n_devices = KS_ARRAY_LEN(w->device);
	w->a.kernel = w->kernel;
	w->a.kernel_of_group = w->kernel_of_group;
	w->a.timeline = &w->t;
	for (size_t i = 0; i < KS_ARRAY_LEN(w->device); i++)
		w->device[i].selected = true;
	ks_map_init(&w->a.refs, sizeof(int64_t), 1u << 20);
	ks_map_init(&w->a.launches.groups, sizeof(struct ks_group_key), 64);
	w->a.calls = call_bytes ? ks_calls_open_sized(&ks_io_system, NULL, &w->window, &tiny)
				: ks_calls_open(&ks_io_system, NULL, &w->window);
	assert_non_null(w->a.calls);
	w->r.ev = ks_store_open(&w->arena);
	assert_non_null(w->r.ev);
}

void world_release(struct world *w)
{
	if (w->emitting)
		ks_emit_release(&w->emit);
	ks_calls_close(w->a.calls);
	ks_map_release(&w->a.refs);
	ks_map_release(&w->a.launches.groups);
	ks_mem_free(w->a.ref_text);
	ks_arena_release(&w->arena);
}

/* --- names and groups ----------------------------------------------------------------------------
 */

uint32_t world_name(struct world *w, const char *text)
{
	if (!text)
		return UINT32_MAX;
	for (uint32_t i = 0; i < w->a.refs.count; i++) {
		if (ks_str_eqc(w->a.ref_text[i], text))
			return i;
	}
	const int64_t ref = (int64_t)w->a.refs.count + 1;
	const uint32_t at = ks_map_add(&w->a.refs, &ref, NULL);

	assert_true(KS_GROW(w->a.ref_text, w->a.ref_cap, (size_t)at + 1, 1u << 20));
	w->a.ref_text[at] = ks_arena_dup(&w->arena, ks_str_c(text));
	return at;
}

static uint32_t kernel_of(struct world *w, const char *name)
{
	for (uint32_t i = 0; i < w->a.n_kernels; i++) {
		if (ks_str_eqc(w->kernel[i].name, name))
			return i;
	}
	assert_true(w->a.n_kernels < KS_ARRAY_LEN(w->kernel));
	w->kernel[w->a.n_kernels].name = ks_str_c(name);
	return (uint32_t)w->a.n_kernels++;
}

uint32_t world_group(struct world *w, const char *kernel, int64_t device)
{
	const struct ks_group_key key = { .demangled = world_name(w, kernel) + 1,
					  .device = device,
					  .regs = (int64_t)w->a.launches.groups.count };
	const uint32_t at = ks_map_add(&w->a.launches.groups, &key, NULL);

	assert_in_range(at, 0, KS_ARRAY_LEN(w->kernel_of_group) - 1);
	w->kernel_of_group[at] = kernel_of(w, kernel);
	return at;
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static void taken(struct world *w, enum ks_status status)
{
	if (status != KS_OK)
		print_error("text %d %s\n", w->err.text, w->err.arg[0]);
	assert_int_equal(status, KS_OK);
}

void put_row(struct world *w, const struct ks_call *row, const char *name)
{
	taken(w, ks_calls_add(w->a.calls, row, world_name(w, name), &w->err));
}

void put_call(struct world *w, int64_t thread, int64_t id, ks_ns start, ks_ns end, const char *name)
{
	const struct ks_call row = { .start_ns = start,
				     .end_ns = end,
				     .thread = thread,
				     .correlation = id,
				     .chain = KS_UNKNOWN };

	put_row(w, &row, name);
}

void no_more_calls(struct world *w)
{
	taken(w, ks_calls_settle(w->a.calls, &w->err));
}

struct ks_call_hit find(struct world *w, int64_t process, int64_t id)
{
	struct ks_call_hit hit;

	taken(w, ks_calls_find(w->a.calls, process, id, &hit, &w->err));
	return hit;
}

struct ks_call_hit put_launch(struct world *w, const struct ks_launch *row, uint32_t group)
{
	struct ks_call_hit hit;

	taken(w, ks_calls_launch(w->a.calls, row, (uint32_t)row->device, group, &hit, &w->err));
	return hit;
}

void put_node(struct world *w, const struct node *n)
{
	const struct ks_group_key *key = ks_launches_group_key(&w->a.launches, n->group);
	const struct ks_launch row = { .start_ns = n->start,
				       .end_ns = n->end,
				       .device = key->device,
				       .process = n->process,
				       .correlation = n->id,
				       .graph_node = n->node };

	(void)put_launch(w, &row, n->group);
}

void put_run(struct world *w, int64_t device, int64_t id, ks_ns start, ks_ns end)
{
	const struct ks_graph_run row = { .start_ns = start,
					  .end_ns = end,
					  .device = device,
					  .process = PID(1),
					  .correlation = id };

	taken(w, ks_calls_graph_run(w->a.calls, &row, (uint32_t)device, &w->err));
}

void put_frame(struct world *w, int64_t chain, int64_t depth, const char *symbol,
	       const char *module)
{
	const struct ks_frame row = { .chain = chain,
				      .depth = depth,
				      .unresolved = symbol == NULL };

	if (ks_calls_wants_chain(w->a.calls, chain))
		taken(w, ks_calls_frame(w->a.calls, &row, world_name(w, symbol ? symbol : "0x7f00"),
					world_name(w, module), &w->err));
}

void answer(struct world *w)
{
	taken(w, ks_calls_answer(&w->a, &w->t, &w->err));
}

/* --- rows of the report --------------------------------------------------------------------------
 */

static const struct ks_ev *row_named(struct world *w, const char *name)
{
	for (size_t i = 0; i < w->emit.n_rows; i++) {
		const struct ks_ev *row = ks_ev_get(w->r.ev, w->emit.row[i]);

		if (ks_str_eqc(row->name, name))
			return row;
	}
	return NULL;
}

const struct ks_ev *device_row(struct world *w, const char *name)
{
	if (!w->emitting) {
		ks_emit_init(&w->emit, &w->a, &w->r);
		ks_emit_subject(&w->emit, NULL, KS_LIT("(device)"));
		ks_emit_calls(&w->emit);
		w->emitting = true;
	}
	return row_named(w, name);
}

const struct ks_ev *site_row(struct world *w, const char *kernel)
{
	struct ks_kernel_work *k = &w->kernel[kernel_of(w, kernel)];

	if (!w->emitting)
		ks_emit_init(&w->emit, &w->a, &w->r);
	w->emitting = true;
	ks_emit_subject(&w->emit, k, k->name);
	ks_emit_call_site(&w->emit);
	return row_named(w, "ks__call_site");
}
