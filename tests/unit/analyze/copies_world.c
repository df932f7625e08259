/* SPDX-License-Identifier: Apache-2.0
 *
 * The hand-made analysis of the tests of copies and communication. Asserts only that it can be
 * made.
 */
#include "copies_world.h"

void world_open(struct world *w, size_t n, int64_t bandwidth)
{
	struct ks_trace_gpu gpu;

	*w = (struct world){ 0 };
	ks_arena_init(&w->arena, (size_t)1 << 30);
	ks_err_init(&w->err);
	w->ctx = (struct ks_ctx){ .io = &ks_io_system, .run = &w->arena };
	w->a.ctx = &w->ctx;
	w->a.sel = &w->sel;
	w->a.arena = &w->arena;
	ks_devices_init(&w->a.devices, &w->arena);
	for (size_t i = 0; i < n; i++) {
		ks_trace_gpu_clear(&gpu);
		gpu.id = gpu.cu_device = (int64_t)i;
		gpu.name = KS_LIT("Test GPU");
		gpu.cc_major = 9;
		gpu.cc_minor = 0;
		if (bandwidth)
			gpu.memory_bandwidth = bandwidth;
		assert_int_equal(ks_devices_add_gpu(&w->a.devices, &gpu, &w->err), KS_OK);
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(world_device(w, (int64_t)i), i);
	for (size_t i = 0; i < WORLD_DEVICES; i++)
		w->work[i].selected = w->work[i].used = true;
	w->a.copies = ks_copies_open(&ks_io_system);
	assert_non_null(w->a.copies);
	assert_int_equal(ks_comm_open(&w->a.comm, NULL, 0, &w->err), KS_OK);
	w->r.ev = ks_store_open(&w->arena);
	assert_non_null(w->r.ev);
}

void world_close(struct world *w)
{
	ks_emit_release(&w->e);
	ks_copies_close(w->a.copies);
	ks_comm_close(w->a.comm);
	ks_arena_release(&w->arena);
}

uint32_t world_device(struct world *w, int64_t ordinal)
{
	const uint32_t at = ks_devices_resolve(&w->a.devices, WORLD_PROCESS, ordinal);

	assert_in_range(at, 0, WORLD_DEVICES - 1);
	return at;
}

struct ks_copy world_row(int64_t kind, int64_t bytes, ks_ns duration)
{
	return (struct ks_copy){ .start_ns = 1000,
				 .end_ns = 1000 + duration,
				 .device = 0,
				 .process = WORLD_PROCESS,
				 .context = 1,
				 .stream = 7,
				 .bytes = bytes,
				 .kind = kind,
				 .src_kind = KS_MEM_PAGEABLE,
				 .dst_kind = KS_MEM_DEVICE,
				 .src_device = KS_UNKNOWN,
				 .dst_device = KS_UNKNOWN,
				 .cause = KS_UNKNOWN };
}

void world_add(struct world *w, const struct ks_copy *row)
{
	assert_int_equal(
		ks_copies_add(w->a.copies, row, world_device(w, row->device), true, &w->err),
		KS_OK);
}

void world_copy(struct world *w, int64_t kind, int64_t bytes, ks_ns duration)
{
	const struct ks_copy row = world_row(kind, bytes, duration);

	world_add(w, &row);
}

enum ks_status world_answered(struct world *w)
{
	ks_devices_label(&w->a.devices);
	w->a.device = w->work;
	w->a.n_devices = w->a.devices.n;
	w->r.gpu = w->gpu;
	w->r.n_gpus = w->r.n_gpus_used = w->a.n_devices;
	for (size_t i = 0; i < w->a.n_devices; i++) {
		w->work[i].gpu = i;
		w->gpu[i].label = w->a.devices.device[i].label;
	}
	w->t.device = w->time;
	w->r.timeline = &w->t;
	KS_TRY(ks_copies_answer(&w->a, &w->r, &w->t, &w->err));
	ks_emit_init(&w->e, &w->a, &w->r);
	ks_emit_subject(&w->e, NULL, KS_LIT("(device)"));
	ks_emit_comm_ledger(&w->e);
	for (size_t i = 0; i < w->r.n_gpus_used; i++)
		ks_emit_memory_in_use(&w->e, i);
	return w->a.no_memory ? KS_E_ENV : ks_store_status(w->r.ev, &w->err);
}

void then_answered(struct world *w)
{
	assert_int_equal(world_answered(w), KS_OK);
}

bool in_ledger(const struct world *w, const char *name)
{
	return ks_ev_find(w->r.ev, ks_str_c(name), KS_LIT("(device)")) != 0;
}

const struct ks_ev *ledger(const struct world *w, const char *name)
{
	const struct ks_ev *row =
		ks_ev_get(w->r.ev, ks_ev_find(w->r.ev, ks_str_c(name), KS_LIT("(device)")));

	if (!row)
		fail_msg("no row %s", name);
	return row;
}

double seen(const struct ks_ev *row, const char *key)
{
	assert_non_null(row->refused);
	for (size_t i = 0; i < row->refused->n_observed; i++) {
		const struct ks_kv *kv = &row->refused->observed[i];

		if (ks_str_eqc(kv->key, key))
			return kv->value.kind == KS_V_INT ? (double)kv->value.i : kv->value.d;
	}
	fail_msg("%s did not see %s", row->name.p, key);
	return 0.0;
}
