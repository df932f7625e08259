/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and memsets while they stream in. Nothing is allocated for a row of a known path; the size
 * and duration of a copy go to a sorter. Believes no duration and judges none: that is done once
 * all rows are there.
 */
#include "analyze/copies_internal.h"

#include "analyze/analysis.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

enum ks_status ks_copies_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "copies", NULL);
}

bool ks_copies_selected(const struct ks_analysis *a, int64_t device)
{
	return (uint64_t)device < a->n_devices && a->device[device].selected;
}

struct ks_copies *ks_copies_open(const struct ks_io *io)
{
	struct ks_copies *c = ks_mem_alloc(sizeof(*c));

	if (!c)
		return NULL;
	c->io = io;
	c->last_path = KS_MAP_NONE;
	ks_map_init(&c->paths, sizeof(struct ks_copy_path_key),
		    (size_t)ks_limit(KS_LIMIT_COPY_PATHS));
	return c;
}

void ks_copies_close(struct ks_copies *c)
{
	if (!c)
		return;
	ks_sorter_close(c->sizes);
	ks_sorter_close(c->memory);
	ks_map_release(&c->paths);
	ks_mem_free(c->path);
	ks_mem_free(c->group);
	ks_mem_free(c->device);
	ks_mem_free(c->unknown_memory);
	ks_mem_free(c);
}

const struct ks_copy_facts *ks_copies_facts(const struct ks_copies *c)
{
	return c && c->facts.done ? &c->facts : NULL;
}

/* --- names ---------------------------------------------------------------------------------------
 */

ks_str ks_copy_kind_name(int64_t kind)
{
	static const char *const name[] = { "",	    "htod",    "dtoh",	  "htoa",   "atoh",
					    "atoa", "atod",    "dtoa",	  "dtod",   "htoh",
					    "ptop", "um_htod", "um_dtoh", "um_dtod" };

	return (uint64_t)kind < KS_ARRAY_LEN(name) ? ks_str_c(name[kind]) : KS_STR_NONE;
}

ks_str ks_mem_kind_name(int64_t kind)
{
	static const char *const name[] = {
		"pageable", "pinned",	     "device",	       "array",
		"managed",  "device_static", "managed_static", "unknown"
	};

	return (uint64_t)kind < KS_ARRAY_LEN(name) ? ks_str_c(name[kind]) : KS_STR_NONE;
}

/* Contract 09, ENUM_CUDA_UNIF_MEM_MIGRATION. */
ks_str ks_migration_cause_name(int64_t cause)
{
	static const char *const name[] = { "unknown",	  "user_prefetch",
					    "page_fault", "speculative_prefetch",
					    "eviction",	  "access_counters" };

	return (uint64_t)cause < KS_ARRAY_LEN(name) ? ks_str_c(name[cause]) : KS_STR_NONE;
}

/* --- sums ----------------------------------------------------------------------------------------
 */

static enum ks_status add_to(uint64_t *sum, uint64_t v, struct ks_err *err)
{
	if (ks_num_add_u64(sum, v) && *sum <= INT64_MAX)
		return KS_OK;
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
}

static struct ks_copy_device *device_of(struct ks_copies *c, uint32_t device, struct ks_err *err)
{
	if (!KS_GROW(c->device, c->device_cap, (size_t)device + 1, UINT32_MAX)) {
		(void)ks_copies_no_memory(err);
		return NULL;
	}
	if (c->n_devices <= device)
		c->n_devices = (size_t)device + 1;
	return &c->device[device];
}

/* Kind 10, or 8 where the file says that the two ends are different devices. */
static bool is_peer(const struct ks_copy *row)
{
	if (row->src_device == KS_UNKNOWN || row->dst_device == KS_UNKNOWN)
		return false;
	return row->kind == KS_COPY_PTOP ||
	       (row->kind == KS_COPY_DTOD && row->src_device != row->dst_device);
}

static struct ks_copy_path_key path_of(const struct ks_copy *row, uint32_t device)
{
	const bool peer = is_peer(row);

	return (struct ks_copy_path_key){
		.device = device,
		.kind = row->kind,
		.src_kind = row->src_kind,
		.dst_kind = row->dst_kind,
		.cause = ks_copy_is_migration(row->kind) ? row->cause : KS_UNKNOWN,
		.src_device = peer ? row->src_device : KS_UNKNOWN,
		.dst_device = peer ? row->dst_device : KS_UNKNOWN,
		.process = peer ? row->process : KS_UNKNOWN,
	};
}

static uint32_t find_path(struct ks_copies *c, const struct ks_copy *row, uint32_t device,
			  struct ks_err *err)
{
	const struct ks_copy_path_key key = path_of(row, device);

	if (c->last_path != KS_MAP_NONE && memcmp(&key, &c->last, sizeof(key)) == 0)
		return c->last_path;
	const uint32_t at = ks_map_add(&c->paths, &key, NULL);

	if (at == KS_MAP_NONE && c->paths.count >= c->paths.max) {
		char limit[KS_NUM_LEN];

		ks_num_u64(limit, c->paths.max);
		(void)ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "COPY_PATHS", limit,
				 NULL);
		return KS_MAP_NONE;
	}
	if (at == KS_MAP_NONE || !KS_GROW(c->path, c->path_cap, (size_t)at + 1, UINT32_MAX)) {
		(void)ks_copies_no_memory(err);
		return KS_MAP_NONE;
	}
	c->last = key;
	c->last_path = at;
	return at;
}

static enum ks_status keep_size(struct ks_copies *c, int64_t bytes, uint32_t path, ks_ns duration,
				struct ks_err *err)
{
	const int64_t rec[3] = { -bytes, path, duration };

	if (!c->sizes)
		c->sizes = ks_sorter_open(c->io, 3, (size_t)ks_limit(KS_LIMIT_COPY_SPILL_BYTES));
	return c->sizes ? ks_sorter_add(c->sizes, rec, err) : ks_copies_no_memory(err);
}

static bool has_bytes(int64_t bytes)
{
	return bytes >= 0; /* KS_UNKNOWN is negative, and so is a damaged size */
}

enum ks_status ks_copies_add(struct ks_copies *c, const struct ks_copy *row, uint32_t device,
			     bool inside, struct ks_err *err)
{
	if (!inside)
		return KS_OK;
	const ks_ns duration =
		ks_launch_is_good(row->start_ns, row->end_ns) ? row->end_ns - row->start_ns : 0;
	struct ks_copy_device *d = device_of(c, device, err);
	const uint32_t at = d ? find_path(c, row, device, err) : KS_MAP_NONE;

	if (at == KS_MAP_NONE)
		return err && err->status != KS_OK ? err->status : KS_E_ENV;
	struct ks_copy_path *p = &c->path[at];

	d->rows++;
	p->rows++;
	p->bad_time_rows += duration == 0;
	KS_TRY(add_to(&p->ns, (uint64_t)duration, err));
	if (!has_bytes(row->bytes)) {
		d->unknown_bytes_rows++;
		p->unknown_bytes_rows++;
		return KS_OK;
	}
	KS_TRY(add_to(&d->bytes, (uint64_t)row->bytes, err));
	p->bytes += (uint64_t)row->bytes; /* a part of the device's sum, which was checked */
	return keep_size(c, row->bytes, at, duration, err);
}

enum ks_status ks_copies_memset(struct ks_copies *c, const struct ks_memset *row, uint32_t device,
				bool inside, struct ks_err *err)
{
	if (!inside)
		return KS_OK;
	struct ks_copy_device *d = device_of(c, device, err);

	if (!d)
		return KS_E_ENV;
	d->memsets++;
	if (has_bytes(row->bytes))
		return add_to(&d->memset_bytes, (uint64_t)row->bytes, err);
	d->memset_unknown_rows++;
	return KS_OK;
}

enum ks_status ks_copies_answer(struct ks_analysis *a, struct ks_report *r, struct ks_timeline *t,
				struct ks_err *err)
{
	KS_TRY(ks_copies_kinds(a, t, err));
	KS_TRY(ks_copies_groups(a, t, err));
	KS_TRY(ks_copies_memory_in_use(a, r, t, err));
	a->copies->facts.done = true;
	return KS_OK;
}
