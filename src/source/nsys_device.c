/* SPDX-License-Identifier: Apache-2.0
 *
 * The GPUs and processes of a trace as its own tables describe them. Facts of the machine we run on
 * never enter, and an architecture is never guessed from a card's name.
 */
#include "base/str.h"
#include "source/nsys.h"

#define GPU(column, field, max)                                                                    \
	{                                                                                          \
		column, offsetof(struct ks_trace_gpu, field), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, \
			0, max                                                                     \
	}
#define GPU_TEXT(column, field)                                                                    \
	{                                                                                          \
		column, offsetof(struct ks_trace_gpu, field), KS_NSYS_TEXT, 0, 0, 0, 0             \
	}

#define ANY   INT64_MAX
#define SMALL INT32_MAX

/* Columns of TARGET_INFO_GPU in 68 exports of 2020 to 2026 (contract 09). smMajor and smMinor are
 * the revision of the SM, not the compute capability, and are not read. */
static const struct ks_nsys_column gpu_columns[] = {
	GPU("id", id, SMALL),
	GPU("cuDevice", cu_device, SMALL),
	GPU("vmId", vm_id, ANY),
	GPU_TEXT("name", name),
	GPU_TEXT("uuid", uuid),
	GPU_TEXT("busLocation", bus),
	GPU_TEXT("chipName", chip),
	GPU("computeMajor", cc_major, 99),
	GPU("computeMinor", cc_minor, 99),
	GPU("smCount", sm_count, SMALL),
	GPU("l2CacheSize", l2_bytes, ANY),
	GPU("totalMemory", memory_bytes, ANY),
	GPU("memoryBandwidth", memory_bandwidth, ANY),
	GPU("clockRate", clock_hz, ANY),
	GPU("threadsPerWarp", threads_per_warp, SMALL),
	GPU("maxWarpsPerSm", max_warps_per_sm, SMALL),
	GPU("maxBlocksPerSm", max_blocks_per_sm, SMALL),
	GPU("maxRegistersPerSm", max_regs_per_sm, SMALL),
	GPU("maxRegistersPerBlock", max_regs_per_block, SMALL),
	GPU("maxShmemPerSm", max_smem_per_sm, SMALL),
	GPU("maxShmemPerBlock", max_smem_per_block, SMALL),
	GPU("maxShmemPerBlockOptin", max_smem_optin, SMALL),
	GPU("maxThreadsPerBlock", max_threads_per_block, SMALL),
};

struct cuda_gpu {
	struct ks_trace_gpu gpu;
	int64_t pid;
};

#define CUDA(column, field, max)                                                                   \
	{                                                                                          \
		column, offsetof(struct cuda_gpu, gpu.field), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, \
			0, max                                                                     \
	}
#define CUDA_TEXT(column, field)                                                                   \
	{                                                                                          \
		column, offsetof(struct cuda_gpu, gpu.field), KS_NSYS_TEXT, 0, 0, 0, 0             \
	}

/* The exports of 2020 and 2021 have this table in place of the columns above: one row per process
 * and ordinal. Its memory bandwidth has had several units and is left out. */
static const struct ks_nsys_column cuda_gpu_columns[] = {
	CUDA("deviceId", cu_device, SMALL),
	CUDA("vmId", vm_id, ANY),
	CUDA_TEXT("name", name),
	CUDA_TEXT("pciBusId", bus),
	CUDA("computeCapabilityMajor", cc_major, 99),
	CUDA("computeCapabilityMinor", cc_minor, 99),
	CUDA("numMultiprocessors", sm_count, SMALL),
	CUDA("l2CacheSize", l2_bytes, ANY),
	CUDA("globalMemorySize", memory_bytes, ANY),
	CUDA("coreClockRate", clock_hz, SMALL),
	CUDA("numThreadsPerWarp", threads_per_warp, SMALL),
	CUDA("maxWarpsPerMultiprocessor", max_warps_per_sm, SMALL),
	CUDA("maxBlocksPerMultiprocessor", max_blocks_per_sm, SMALL),
	CUDA("maxRegistersPerMultiprocessor", max_regs_per_sm, SMALL),
	CUDA("maxRegistersPerBlock", max_regs_per_block, SMALL),
	CUDA("maxSharedMemoryPerMultiprocessor", max_smem_per_sm, SMALL),
	CUDA("maxSharedMemoryPerBlock", max_smem_per_block, SMALL),
	CUDA("maxThreadsPerBlock", max_threads_per_block, SMALL),
	{ "pid", offsetof(struct cuda_gpu, pid), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, 0, SMALL },
};

#define MAP(column, field)                                                                         \
	{                                                                                          \
		column, offsetof(struct ks_trace_gpu_map, field), KS_NSYS_INT, KS_UNKNOWN,         \
			KS_UNKNOWN, 0, SMALL                                                       \
	}

static const struct ks_nsys_column map_columns[] = {
	MAP("gpuId", gpu_id),
	MAP("cudaId", cuda_id),
	MAP("pid", pid),
	MAP("numMultiprocessors", sm_count),
	{ "uuid", offsetof(struct ks_trace_gpu_map, uuid), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

static const struct ks_nsys_column process_columns[] = {
	{ "globalPid", offsetof(struct ks_trace_process, global_pid), KS_NSYS_INT, KS_UNKNOWN,
	  KS_UNKNOWN, 0, ANY },
	{ "pid", offsetof(struct ks_trace_process, pid), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, 0,
	  ANY },
	{ "name", offsetof(struct ks_trace_process, name), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

/* What the driver says when it does not know: all-zero ids and a bracketed word (both met in
 * exports). */
static ks_str known(ks_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '0' && s.p[i] != '-')
			return s.p[0] == '<' ? KS_LIT("") : s;
	return KS_LIT("");
}

static enum ks_status stream_gpus(struct ks_nsys *n, struct ks_nsys_table *t, ks_str driver,
				  struct ks_err *err)
{
	struct ks_nsys_scan s;
	struct ks_trace_gpu row;
	bool got = true;

	ks_trace_gpu_clear(&row);

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, gpu_columns, KS_ARRAY_LEN(gpu_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		row.uuid = known(row.uuid);
		row.bus = known(row.bus);
		row.driver =
			row.cc_major == 0 ? KS_LIT("") : driver; /* an adapter of another vendor */
		st = n->sink->ops->gpu(n->sink->self, &row, err);
	}
	ks_nsys_scan_close(&s);
	t->analysed = true;
	return st;
}

/* Units of the old table: clocks in kHz; memory in MiB before 2021 and bytes after, which no card
 * of less than 1 MiB or more than 1 TiB can confuse. */
static void to_base_units(struct ks_trace_gpu *g)
{
	if (g->clock_hz != KS_UNKNOWN)
		g->clock_hz *= 1000;
	if (g->memory_bytes != KS_UNKNOWN && g->memory_bytes < (1 << 20))
		g->memory_bytes *= 1 << 20;
}

/* A card and the processes that see it, while the old table is read: it repeats the card for each.
 */
struct old_gpu {
	ks_str bus;
	ks_str name;
	int64_t ordinal;
};
struct old_gpus {
	struct old_gpu *gpu;
	struct ks_trace_gpu_map *map;
	size_t n_gpus, n_maps, max;
};

/* The number of the card of a row. The same bus is the same card; without one the same ordinal is.
 */
static size_t old_gpu_number(const struct old_gpus *o, const struct cuda_gpu *row)
{
	size_t i = 0;

	while (i < o->n_gpus &&
	       !(row->gpu.bus.n ? ks_str_eq(o->gpu[i].bus, row->gpu.bus)
				: !o->gpu[i].bus.n && o->gpu[i].ordinal == row->gpu.cu_device &&
					  ks_str_eq(o->gpu[i].name, row->gpu.name)))
		i++;
	return i;
}

static enum ks_status add_old_gpu(struct ks_nsys *n, struct old_gpus *o, struct cuda_gpu *row,
				  struct ks_err *err)
{
	const size_t number = old_gpu_number(o, row);

	if (o->n_maps >= o->max) /* more than any machine has: the rest stays unknown */
		return KS_OK;
	o->map[o->n_maps++] = (struct ks_trace_gpu_map){
		.gpu_id = (int64_t)number,
		.cuda_id = row->gpu.cu_device,
		.pid = row->pid,
		.sm_count = row->gpu.sm_count,
	};
	if (number < o->n_gpus)
		return KS_OK;
	o->gpu[o->n_gpus++] = (struct old_gpu){
		.bus = ks_arena_dup(&n->arena, row->gpu.bus),
		.name = ks_arena_dup(&n->arena, row->gpu.name),
		.ordinal = row->gpu.cu_device,
	};
	if (ks_arena_failed(&n->arena))
		return ks_nsys_no_memory(err);
	row->gpu.id = (int64_t)number;
	to_base_units(&row->gpu);
	return n->sink->ops->gpu(n->sink->self, &row->gpu, err);
}

static enum ks_status stream_old_gpus(struct ks_nsys *n, struct ks_nsys_table *t, ks_str driver,
				      struct ks_err *err)
{
	struct old_gpus o = { .max = (size_t)ks_limit(KS_LIMIT_DEVICES) };
	struct ks_nsys_scan s;
	struct cuda_gpu row;
	bool got = true;

	o.gpu = KS_ARENA_NEWS(&n->arena, struct old_gpu, o.max);
	o.map = KS_ARENA_NEWS(&n->arena, struct ks_trace_gpu_map, o.max);
	if (!o.gpu || !o.map)
		return ks_nsys_no_memory(err);
	ks_trace_gpu_clear(&row.gpu);
	row.pid = KS_UNKNOWN;

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, cuda_gpu_columns, KS_ARRAY_LEN(cuda_gpu_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		row.gpu.bus = known(row.gpu.bus);
		row.gpu.driver = driver;
		st = add_old_gpu(n, &o, &row, err);
	}
	ks_nsys_scan_close(&s);
	for (size_t i = 0; st == KS_OK && i < o.n_maps; i++)
		st = n->sink->ops->gpu_map(n->sink->self, &o.map[i], err);
	t->analysed = true;
	return st;
}

static enum ks_status stream_maps(struct ks_nsys *n, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "TARGET_INFO_CUDA_DEVICE");
	struct ks_nsys_scan s;
	struct ks_trace_gpu_map row;
	bool got = true;

	if (!t)
		return KS_OK;
	ks_nsys_row_clear(&row, map_columns, KS_ARRAY_LEN(map_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, map_columns, KS_ARRAY_LEN(map_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		row.uuid = known(row.uuid);
		st = n->sink->ops->gpu_map(n->sink->self, &row, err);
	}
	ks_nsys_scan_close(&s);
	t->analysed = true;
	return st;
}

static enum ks_status stream_processes(struct ks_nsys *n, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "PROCESSES");
	struct ks_nsys_scan s;
	struct ks_trace_process row;
	bool got = true;

	if (!t)
		return KS_OK;
	ks_nsys_row_clear(&row, process_columns, KS_ARRAY_LEN(process_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, process_columns, KS_ARRAY_LEN(process_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got)
		st = n->sink->ops->process(n->sink->self, &row, err);
	ks_nsys_scan_close(&s);
	t->analysed = true;
	return st;
}

/* TARGET_INFO_GPU, unless it is of the years when it held names only and the facts were elsewhere.
 */
enum ks_status ks_nsys_devices(struct ks_nsys *n, ks_str driver, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "TARGET_INFO_GPU");
	struct ks_nsys_table *old = ks_nsys_table(n, "TARGET_INFO_CUDA_GPU");

	bool has_facts = false;

	KS_TRY(ks_nsys_count(n, old, err));
	if (t)
		KS_TRY(ks_nsys_has_column(n, t, "computeMajor", &has_facts, err));
	if (old && old->rows > 0 && !has_facts)
		KS_TRY(stream_old_gpus(n, old, driver, err));
	else if (t)
		KS_TRY(stream_gpus(n, t, driver, err));
	KS_TRY(stream_maps(n, err));
	return stream_processes(n, err);
}
