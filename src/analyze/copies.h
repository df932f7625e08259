/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies by kind and size, by memory and by device; memsets; unified-memory migrations; device
 * memory in use. Bytes are exact; durations of single copies are doubtful and never summed into a
 * rate (contract 06 §14).
 */
#ifndef KS_ANALYZE_COPIES_H
#define KS_ANALYZE_COPIES_H

#include "base/io.h"
#include "evidence/timeline.h"
#include "model/trace.h"

struct ks_copies;
struct ks_analysis;
struct ks_report;
struct ks_emit;

struct ks_copies *ks_copies_open(const struct ks_io *io);
void ks_copies_close(struct ks_copies *c);
/* Every row that counts, good or with a bad time. inside: its start is in the window, so that bytes
 * of windows that follow each other add up. device: index in ks_devices. */
enum ks_status ks_copies_add(struct ks_copies *c, const struct ks_copy *row, uint32_t device,
			     bool inside, struct ks_err *err);
enum ks_status ks_copies_memset(struct ks_copies *c, const struct ks_memset *row, uint32_t device,
				bool inside, struct ks_err *err);
enum ks_status ks_copies_memory(struct ks_copies *c, const struct ks_memory *row, uint32_t device,
				struct ks_err *err);
/* Fills copy_group, copy_kind and the memory fields of device[]; after ks_sweep_answer. */
enum ks_status ks_copies_answer(struct ks_analysis *a, struct ks_report *r, struct ks_timeline *t,
				struct ks_err *err);

struct ks_copy_device { /* copies and memsets of one entry of ks_devices */
	uint64_t rows, bytes, unknown_bytes_rows;
	uint64_t memsets, memset_bytes, memset_unknown_rows;
};
/* Sums over the selected devices; NULL before the answer. Bytes are those of rows that say how
 * many: with unknown_bytes_rows they are a lower bound. */
struct ks_copy_facts {
	bool done;
	struct ks_copy_device all;
	const struct ks_copy_device *device; /* by index in ks_devices */
	size_t n_devices;
	uint64_t unknown_device_rows;
	uint64_t bad_time_rows; /* no end behind the start: they have bytes and no rate */
	uint64_t ns;		/* summed durations of the others: no denominator */
	uint64_t folded_sizes;	/* sizes past KS_LIMIT_COPY_GROUPS, added up per kind */
};
const struct ks_copy_facts *ks_copies_facts(const struct ks_copies *c);

/* The rate above which a copy of that kind is not believed; bandwidth: of the device's memory in
 * bytes per second, <= 0 unknown. */
double ks_copy_limit_gb_per_s(int64_t kind, int64_t bandwidth);
/* Whether an event is about memory on the device. Host memory is not; managed memory is not,
 * because it is where it was used last. KS_UNKNOWN: of an export that does not say; taken for
 * device memory.
 */
static inline bool ks_memory_is_on_device(int64_t kind)
{
	return kind == KS_MEM_DEVICE || kind == KS_MEM_ARRAY || kind == KS_MEM_DEVICE_STATIC ||
	       kind == KS_UNKNOWN;
}

/* Section CommLedger; sec_comm.c. */
void ks_emit_comm_ledger(struct ks_emit *e);
/* Rows of DeviceStatistics for GPU i: memory in use. */
void ks_emit_memory_in_use(struct ks_emit *e, size_t gpu);
/* "htod" ... "ptop", "um_htod" ...; "" for a number that is none of them. */
ks_str ks_copy_kind_name(int64_t kind);
/* "pageable", "pinned" ...; "" for KS_UNKNOWN and numbers that are none of them. */
ks_str ks_mem_kind_name(int64_t kind);
/* "page_fault" ...; "" for KS_UNKNOWN and numbers that are none of them. */
ks_str ks_migration_cause_name(int64_t cause);

#endif
