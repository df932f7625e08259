/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the modules of copies only: what is kept of copies, memsets and memory events while rows
 * stream in. One path per kind, memory kinds, cause and devices; 24 bytes a copy for its size.
 */
#ifndef KS_ANALYZE_COPIES_INTERNAL_H
#define KS_ANALYZE_COPIES_INTERNAL_H

#include "analyze/copies.h"
#include "base/map.h"
#include "base/sorter.h"

struct ks_copy_path_key { /* compared bytewise: 64-bit fields only, so there is no padding */
	int64_t device;	  /* index in ks_devices */
	int64_t kind, src_kind, dst_kind, cause;
	/* Of peer copies alone: ordinals as recorded, and the process whose ordinals they are. */
	int64_t src_device, dst_device, process;
};
struct ks_copy_path {
	uint64_t rows, bytes, unknown_bytes_rows, bad_time_rows;
	uint64_t ns;
};

struct ks_memory_use { /* of a GPU of the report */
	uint64_t events, early_releases, unknown_rows;
};

struct ks_copies {
	const struct ks_io *io;
	struct ks_map paths;
	struct ks_copy_path *path; /* by number */
	size_t path_cap;
	struct ks_copy_path_key last; /* path of the row before */
	uint32_t last_path;
	struct ks_sorter *sizes; /* -bytes, path, duration (0: none) */
	struct ks_copy_device *device;
	size_t n_devices, device_cap;
	struct ks_sorter *memory; /* start, device * 2 + release, bytes */
	uint64_t *unknown_memory; /* by device: events without a size, a time or an operation */
	size_t unknown_memory_cap, n_unknown_memory;
	/* after the answer */
	struct ks_copy_group *group;
	size_t n_groups, group_cap;
	struct ks_copy_facts facts;
	const struct ks_memory_use *use; /* beside the report's used GPUs; NULL: none recorded */
};

static inline bool ks_copy_is_migration(int64_t kind)
{
	return kind >= KS_COPY_UM_HTOD && kind <= KS_COPY_UM_DTOD;
}

static inline const struct ks_copy_path_key *ks_copies_path_key(const struct ks_copies *c,
								uint32_t path)
{
	return ks_map_key(&c->paths, path);
}

/* copies_sizes.c: groups of one kind and size. */
enum ks_status ks_copies_groups(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err);
/* copies_kinds.c: sums by kind, memory kinds, cause and devices, and the totals. */
enum ks_status ks_copies_kinds(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err);
/* memuse.c: peak and end of memory in use. */
enum ks_status ks_copies_memory_in_use(struct ks_analysis *a, struct ks_report *r,
				       struct ks_timeline *t, struct ks_err *err);
bool ks_copies_selected(const struct ks_analysis *a, int64_t device);
enum ks_status ks_copies_no_memory(struct ks_err *err);

#endif
