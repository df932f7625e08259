/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of copies by kind, memory kinds, cause and pair of devices, over the selected devices, in an
 * order that depends on those alone. Makes no rate of them.
 */
#include "analyze/copies_internal.h"

#include "analyze/analysis.h"
#include "base/mem.h"
#include "base/num.h"
#include "tables/tables.h"

/* --- which device a peer is ----------------------------------------------------------------------
 */

struct peers { /* (process, ordinal) -> device, made when the first peer copy is met */
	const struct ks_analysis *a;
	struct ks_map map;
	uint32_t *device;
	size_t cap;
	bool made;
};

static bool make_peers(struct peers *p)
{
	const struct ks_devices *d = &p->a->devices;

	p->made = true;
	ks_map_init(&p->map, 2 * sizeof(int64_t), UINT32_MAX);
	for (size_t i = 0; i < d->n_keys; i++) {
		const int64_t key[2] = { d->key[i].process, d->key[i].ordinal };
		const uint32_t at = ks_map_add(&p->map, key, NULL);

		if (at == KS_MAP_NONE || !KS_GROW(p->device, p->cap, (size_t)at + 1, UINT32_MAX))
			return false;
		p->device[at] = d->key[i].device;
	}
	return true;
}

static bool label_is_taken(const struct ks_devices *d, int64_t label)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->device[i].label == label)
			return true;
	}
	return false;
}

/* Label of the device that a process calls by that ordinal. A device without rows of its own was
 * never met: its ordinal stands for it unless another device has that label. */
static int64_t peer_label(const struct peers *p, int64_t process, int64_t ordinal)
{
	const int64_t key[2] = { process, ordinal };
	const uint32_t at = ordinal == KS_UNKNOWN ? KS_MAP_NONE : ks_map_find(&p->map, key);

	if (at != KS_MAP_NONE)
		return p->a->devices.device[p->device[at]].label;
	return ordinal < 0 || label_is_taken(&p->a->devices, ordinal) ? KS_UNKNOWN : ordinal;
}

/* --- the sums ------------------------------------------------------------------------------------
 */

static int by_path(const void *x, const void *y)
{
	const struct ks_copy_kind_sum *a = x, *b = y;
	const int64_t l[] = { a->number, a->src_kind,	a->dst_kind,
			      a->cause,	 a->src_device, a->dst_device };
	const int64_t r[] = { b->number, b->src_kind,	b->dst_kind,
			      b->cause,	 b->src_device, b->dst_device };

	for (size_t i = 0; i < KS_ARRAY_LEN(l); i++) {
		if (l[i] != r[i])
			return l[i] < r[i] ? -1 : 1;
	}
	return 0;
}

static ks_str name_of(struct ks_arena *arena, int64_t kind)
{
	const ks_str known = ks_copy_kind_name(kind);
	char number[KS_NUM_LEN];

	if (known.n)
		return known;
	if (kind == KS_UNKNOWN)
		return KS_LIT("kind_unknown");
	ks_num_i64(number, kind);
	return ks_arena_fmt(arena, "kind_%s", number);
}

static struct ks_copy_kind_sum sum_of(const struct peers *p, const struct ks_copy_path_key *key,
				      const struct ks_copy_path *path)
{
	return (struct ks_copy_kind_sum){
		.number = key->kind,
		.src_kind = key->src_kind,
		.dst_kind = key->dst_kind,
		.cause = key->cause,
		.src_name = ks_mem_kind_name(key->src_kind),
		.dst_name = ks_mem_kind_name(key->dst_kind),
		.cause_name = ks_migration_cause_name(key->cause),
		.src_device = peer_label(p, key->process, key->src_device),
		.dst_device = peer_label(p, key->process, key->dst_device),
		.count = path->rows,
		.unknown_bytes_rows = path->unknown_bytes_rows,
		.bytes = path->bytes,
		.total_ns = (ks_ns)path->ns,
	};
}

/* Paths that differ in what is not shown become one; names are given to those that are left. */
static size_t merge(struct ks_copy_kind_sum *sum, size_t n, struct ks_arena *arena)
{
	size_t kept = 0;

	qsort(sum, n, sizeof(*sum), by_path);
	for (size_t i = 0; i < n; i++) {
		if (kept && by_path(&sum[kept - 1], &sum[i]) == 0) {
			sum[kept - 1].count += sum[i].count;
			sum[kept - 1].bytes += sum[i].bytes;
			sum[kept - 1].unknown_bytes_rows += sum[i].unknown_bytes_rows;
			sum[kept - 1].total_ns += sum[i].total_ns;
			continue;
		}
		sum[kept++] = sum[i];
	}
	for (size_t i = 0; i < kept; i++)
		sum[i].kind = i && sum[i].number == sum[i - 1].number
				      ? sum[i - 1].kind
				      : name_of(arena, sum[i].number);
	return kept;
}

static enum ks_status list_paths(struct peers *p, struct ks_timeline *t, struct ks_err *err)
{
	const struct ks_copies *c = p->a->copies;
	struct ks_copy_kind_sum *sum =
		KS_ARENA_NEWS(p->a->arena, struct ks_copy_kind_sum, c->paths.count);
	size_t n = 0;

	if (!sum)
		return ks_copies_no_memory(err);
	for (uint32_t i = 0; i < c->paths.count; i++) {
		const struct ks_copy_path_key *key = ks_copies_path_key(c, i);

		if (!ks_copies_selected(p->a, key->device))
			continue;
		if (key->src_device != KS_UNKNOWN && !p->made && !make_peers(p))
			return ks_copies_no_memory(err);
		sum[n++] = sum_of(p, key, &c->path[i]);
	}
	t->n_copy_kinds = merge(sum, n, p->a->arena);
	t->copy_kind = sum;
	return ks_arena_failed(p->a->arena) ? ks_copies_no_memory(err) : KS_OK;
}

/* --- the totals ----------------------------------------------------------------------------------
 */

static void add_device(struct ks_copy_device *to, const struct ks_copy_device *d)
{
	to->rows += d->rows;
	to->unknown_bytes_rows += d->unknown_bytes_rows;
	to->memsets += d->memsets;
	to->memset_unknown_rows += d->memset_unknown_rows;
}

static bool fits(uint64_t *sum, uint64_t v)
{
	return ks_num_add_u64(sum, v) && *sum <= INT64_MAX;
}

static enum ks_status add_up(const struct ks_analysis *a, struct ks_copy_facts *f,
			     struct ks_err *err)
{
	const struct ks_copies *c = a->copies;
	bool fine = true;

	*f = (struct ks_copy_facts){ .device = c->device, .n_devices = c->n_devices };
	for (size_t i = 0; i < c->n_devices; i++) {
		const struct ks_copy_device *d = &c->device[i];

		if (!ks_copies_selected(a, (int64_t)i))
			continue;
		add_device(&f->all, d);
		fine = fine && fits(&f->all.bytes, d->bytes) &&
		       fits(&f->all.memset_bytes, d->memset_bytes);
		if (a->devices.device[i].how == KS_DEVICE_MISSING)
			f->unknown_device_rows += d->rows;
	}
	for (uint32_t i = 0; i < c->paths.count; i++) {
		if (!ks_copies_selected(a, ks_copies_path_key(c, i)->device))
			continue;
		f->bad_time_rows += c->path[i].bad_time_rows;
		fine = fine && fits(&f->ns, c->path[i].ns);
	}
	return fine ? KS_OK : ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

enum ks_status ks_copies_kinds(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	struct peers p = { .a = a };

	KS_TRY(add_up(a, &a->copies->facts, err));
	const enum ks_status st = list_paths(&p, t, err);

	if (p.made)
		ks_map_release(&p.map);
	ks_mem_free(p.device);
	return st;
}
