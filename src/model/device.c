/* SPDX-License-Identifier: Apache-2.0
 *
 * From (process, CUDA ordinal) to the physical GPU, by the trace's own tables alone. Where the
 * tables contradict each other or are silent the device stays unknown; no row is matched by its
 * place in a list. Labels depend on what is in the trace, not on the order of its rows.
 */
#include "model/device.h"

#include "base/str.h"
#include "tables/tables.h"

enum { VM_SHIFT = 48 }; /* contract 05 §1.8: the bits above name the host or virtual machine */

enum { FIRST_CAP = 8 };

void ks_devices_init(struct ks_devices *d, struct ks_arena *arena)
{
	*d = (struct ks_devices){ .arena = arena };
}

/* Room for one more element in the array whose pointer is at `array`; the old one stays in the
 * arena. */
static bool grow(struct ks_arena *arena, void *array, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return true;

	const size_t want = *cap ? *cap * 2 : FIRST_CAP;
	void *bigger = ks_arena_array(arena, want, size);

	if (!bigger)
		return false;

	void *old;

	memcpy(&old, array, sizeof(old));
	if (n)
		memcpy(bigger, old, n * size);
	memcpy(array, &bigger, sizeof(bigger));
	*cap = want;
	return true;
}

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "devices", (char *)NULL);
}

enum ks_status ks_devices_add_gpu(struct ks_devices *d, const struct ks_trace_gpu *g,
				  struct ks_err *err)
{
	BUG_ON(d->n > 0);
	if (!grow(d->arena, &d->gpu, d->n_gpus, &d->gpu_cap, sizeof(*d->gpu)))
		return no_memory(err);

	struct ks_trace_gpu *own = &d->gpu[d->n_gpus++];

	*own = *g;
	own->name = ks_arena_dup(d->arena, g->name);
	own->uuid = ks_arena_dup(d->arena, g->uuid);
	own->bus = ks_arena_dup(d->arena, g->bus);
	own->chip = ks_arena_dup(d->arena, g->chip);
	own->driver = ks_arena_dup(d->arena, g->driver);
	return ks_arena_failed(d->arena) ? no_memory(err) : KS_OK;
}

enum ks_status ks_devices_add_map(struct ks_devices *d, const struct ks_trace_gpu_map *m,
				  struct ks_err *err)
{
	BUG_ON(d->n > 0);
	if (!grow(d->arena, &d->map, d->n_maps, &d->map_cap, sizeof(*d->map)))
		return no_memory(err);

	struct ks_trace_gpu_map *own = &d->map[d->n_maps++];

	*own = *m;
	own->uuid = ks_arena_dup(d->arena, m->uuid);
	return ks_arena_failed(d->arena) ? no_memory(err) : KS_OK;
}

static int64_t vm_of(int64_t global_id)
{
	return global_id == KS_UNKNOWN ? KS_UNKNOWN : (int64_t)((uint64_t)global_id >> VM_SHIFT);
}

/* Two map rows that name the same card. */
static bool same_target(const struct ks_trace_gpu_map *a, const struct ks_trace_gpu_map *b)
{
	if (a->gpu_id != KS_UNKNOWN && b->gpu_id != KS_UNKNOWN)
		return a->gpu_id == b->gpu_id;
	return a->uuid.n > 0 && ks_str_eq(a->uuid, b->uuid);
}

/* The map row for (process, ordinal). *conflict: rows contradict each other, so none is believed. A
 * row or a map entry without process fits every process. */
static const struct ks_trace_gpu_map *find_map(const struct ks_devices *d, int64_t process,
					       int64_t ordinal, bool *conflict)
{
	const int64_t pid = ks_global_pid(process);
	const struct ks_trace_gpu_map *found = NULL;

	*conflict = false;
	for (size_t i = 0; i < d->n_maps; i++) {
		const struct ks_trace_gpu_map *m = &d->map[i];

		if (m->cuda_id != ordinal || (m->gpu_id == KS_UNKNOWN && !m->uuid.n))
			continue;
		if (pid != KS_UNKNOWN && m->pid != KS_UNKNOWN && m->pid != pid)
			continue;
		if (found && !same_target(found, m))
			*conflict = true;
		if (!found)
			found = m;
	}
	return *conflict ? NULL : found;
}

static bool map_names_gpu(const struct ks_trace_gpu_map *m, const struct ks_trace_gpu *g)
{
	if (m->gpu_id != KS_UNKNOWN)
		return g->id == m->gpu_id;
	return ks_str_eq(g->uuid, m->uuid);
}

/* The GPU a map row names. One that the trace has no facts of becomes an entry with unknown facts,
 * so that processes which share it still meet in one device. NULL: out of memory. */
static const struct ks_trace_gpu *gpu_of_map(struct ks_devices *d, const struct ks_trace_gpu_map *m)
{
	for (size_t i = 0; i < d->n_gpus; i++)
		if (map_names_gpu(m, &d->gpu[i]))
			return &d->gpu[i];
	for (size_t i = 0; i < d->n; i++)
		if (d->device[i].how == KS_DEVICE_BY_MAP && map_names_gpu(m, d->device[i].gpu))
			return d->device[i].gpu;

	struct ks_trace_gpu *g = KS_ARENA_NEW(d->arena, struct ks_trace_gpu);

	if (!g)
		return NULL;
	ks_trace_gpu_clear(g);
	g->id = m->gpu_id;
	g->uuid = m->uuid;
	g->sm_count = m->sm_count;
	return g;
}

/* How well a GPU row fits an ordinal; higher is better, 0 not at all. Display adapters of other
 * vendors sit in the same table with compute capability 0 and ordinal 0. */
static int fit(const struct ks_trace_gpu *g, int64_t vm, int64_t ordinal)
{
	if (g->cu_device != ordinal)
		return 0;
	return 1 + (g->cc_major > 0 ? 2 : 0) + (vm != KS_UNKNOWN && vm_of(g->vm_id) == vm ? 4 : 0);
}

/* The one GPU row whose cuDevice is the ordinal; NULL when there is none or more than one. */
static const struct ks_trace_gpu *gpu_of_ordinal(const struct ks_devices *d, int64_t process,
						 int64_t ordinal)
{
	const int64_t vm = vm_of(process);
	const struct ks_trace_gpu *best = NULL;
	int best_fit = 0;
	bool tie = false;

	for (size_t i = 0; i < d->n_gpus; i++) {
		const int f = fit(&d->gpu[i], vm, ordinal);

		if (!f || f < best_fit)
			continue;
		tie = f == best_fit;
		best = &d->gpu[i];
		best_fit = f;
	}
	return tie ? NULL : best;
}

/* An existing device of the same identity, else UINT32_MAX. */
static uint32_t find_device(const struct ks_devices *d, const struct ks_device *want, int64_t vm)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct ks_device *have = &d->device[i];

		if (want->gpu ? have->gpu == want->gpu
			      : !have->gpu && have->how == want->how &&
					have->ordinal == want->ordinal && have->vm == vm)
			return (uint32_t)i;
	}
	return UINT32_MAX;
}

/* The identity of a key that was not met before. False: out of memory. */
static bool identify(struct ks_devices *d, int64_t process, int64_t ordinal, struct ks_device *out)
{
	*out = (struct ks_device){ .how = KS_DEVICE_UNKNOWN,
				   .ordinal = ordinal,
				   .label = KS_UNKNOWN };
	if (ordinal == KS_UNKNOWN) {
		out->how = KS_DEVICE_MISSING;
		return true;
	}

	bool conflict;
	const struct ks_trace_gpu_map *m = find_map(d, process, ordinal, &conflict);

	out->vm = vm_of(process);
	if (m) {
		out->gpu = gpu_of_map(d, m);
		out->how = KS_DEVICE_BY_MAP;
		return out->gpu != NULL;
	}
	if (!conflict)
		out->gpu = gpu_of_ordinal(d, process, ordinal);
	if (out->gpu)
		out->how = KS_DEVICE_BY_ORDINAL;
	return true;
}

static uint32_t device_for(struct ks_devices *d, int64_t process, int64_t ordinal)
{
	struct ks_device want;

	if (!identify(d, process, ordinal, &want))
		return UINT32_MAX;

	const uint32_t found = find_device(d, &want, want.vm);

	if (found != UINT32_MAX) {
		struct ks_device *have = &d->device[found];

		have->ordinals_differ |= have->ordinal != ordinal;
		if (want.how < have->how)
			have->how = want.how;
		if (ordinal < have->ordinal)
			have->ordinal = ordinal;
		return found;
	}
	if (d->n >= (size_t)ks_limit(KS_LIMIT_DEVICES) ||
	    !grow(d->arena, &d->device, d->n, &d->cap, sizeof(*d->device)))
		return UINT32_MAX;
	d->device[d->n] = want;
	return (uint32_t)d->n++;
}

/* Fibonacci hashing; the constant is 2^64 divided by the golden ratio. */
static size_t slot_of(const struct ks_devices *d, int64_t process, int64_t ordinal)
{
	const uint64_t h = ((uint64_t)process ^ (uint64_t)ordinal << 32 ^ (uint64_t)ordinal) *
			   UINT64_C(0x9E3779B97F4A7C15);

	return (size_t)(h >> 32) & (d->n_slots - 1);
}

/* The slot that holds the key or is free for it. n_slots is a power of two and never full. */
static uint32_t *find_slot(const struct ks_devices *d, int64_t process, int64_t ordinal)
{
	for (size_t i = slot_of(d, process, ordinal);; i = (i + 1) & (d->n_slots - 1)) {
		uint32_t *s = &d->slot[i];

		if (!*s)
			return s;

		const struct ks_device_key *k = &d->key[*s - 1];

		if (k->process == process && k->ordinal == ordinal)
			return s;
	}
}

static bool grow_slots(struct ks_devices *d)
{
	if (d->n_keys * 2 < d->n_slots)
		return true;

	const size_t want = d->n_slots ? d->n_slots * 4 : 2 * (size_t)FIRST_CAP;
	uint32_t *slot = KS_ARENA_NEWS(d->arena, uint32_t, want);

	if (!slot)
		return false;
	d->slot = slot;
	d->n_slots = want;
	for (size_t i = 0; i < d->n_keys; i++)
		*find_slot(d, d->key[i].process, d->key[i].ordinal) = (uint32_t)i + 1;
	return true;
}

static uint32_t resolve_slowly(struct ks_devices *d, int64_t process, int64_t ordinal)
{
	if (!grow_slots(d) || !grow(d->arena, &d->key, d->n_keys, &d->key_cap, sizeof(*d->key)))
		return UINT32_MAX;

	uint32_t *slot = find_slot(d, process, ordinal);

	if (!*slot) {
		const uint32_t device = device_for(d, process, ordinal);

		if (device == UINT32_MAX || d->n_keys >= UINT32_MAX - 1)
			return UINT32_MAX;
		d->key[d->n_keys] = (struct ks_device_key){ process, ordinal, device };
		*slot = (uint32_t)++d->n_keys;
	}
	d->last = *slot - 1;
	return d->key[d->last].device;
}

uint32_t ks_devices_resolve(struct ks_devices *d, int64_t process, int64_t ordinal)
{
	if (d->n_keys) {
		const struct ks_device_key *k = &d->key[d->last];

		if (k->process == process && k->ordinal == ordinal)
			return k->device;
	}
	return resolve_slowly(d, process, ordinal);
}

static bool label_taken(const struct ks_devices *d, int64_t label)
{
	for (size_t i = 0; i < d->n; i++)
		if (d->device[i].label == label)
			return true;
	return false;
}

/* Whether every row with this ordinal means this device and the device has no other ordinal. */
static bool ordinal_is_clear(const struct ks_devices *d, size_t device)
{
	if (d->device[device].ordinals_differ)
		return false;
	for (size_t i = 0; i < d->n_keys; i++)
		if (d->key[i].ordinal == d->device[device].ordinal && d->key[i].device != device)
			return false;
	return true;
}

static int64_t gpu_id(const struct ks_device *v)
{
	return v->gpu ? v->gpu->id : KS_UNKNOWN;
}

/* A total order that does not depend on the order of rows. */
static bool before(const struct ks_device *a, const struct ks_device *b)
{
	if (gpu_id(a) != gpu_id(b))
		return gpu_id(a) < gpu_id(b);
	if (a->ordinal != b->ordinal)
		return a->ordinal < b->ordinal;
	if (a->vm != b->vm)
		return a->vm < b->vm;
	return a->gpu && b->gpu && ks_str_cmp(a->gpu->uuid, b->gpu->uuid) < 0;
}

/* The unlabelled device that comes first; NULL when all have a label. */
static struct ks_device *first_unlabelled(struct ks_devices *d)
{
	struct ks_device *first = NULL;

	for (size_t i = 0; i < d->n; i++) {
		struct ks_device *v = &d->device[i];

		if (v->label == KS_UNKNOWN && (!first || before(v, first)))
			first = v;
	}
	return first;
}

void ks_devices_label(struct ks_devices *d)
{
	for (size_t i = 0; i < d->n; i++)
		d->device[i].label = d->device[i].how == KS_DEVICE_MISSING ? -1 : KS_UNKNOWN;
	for (size_t i = 0; i < d->n; i++)
		if (d->device[i].label == KS_UNKNOWN && ordinal_is_clear(d, i))
			d->device[i].label = d->device[i].ordinal;

	int64_t next = 0;

	for (struct ks_device *v = first_unlabelled(d); v; v = first_unlabelled(d)) {
		const int64_t id = gpu_id(v);

		if (id >= 0 && !label_taken(d, id)) {
			v->label = id;
			continue;
		}
		while (label_taken(d, next))
			next++;
		v->label = next;
	}
}
