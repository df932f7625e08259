/* SPDX-License-Identifier: Apache-2.0
 *
 * What the numbers of a row mean. An export brings tables of names (ENUM_*); they come before our
 * own numbers, which all exports met so far agree with (contract 09). A number that neither knows a
 * name for stays as it is: it is never taken for one of another meaning.
 */
#include "base/str.h"
#include "source/nsys.h"

struct known {
	int64_t number; /* of the trace model */
	const char *name;
};

static const struct known copies[] = {
	{ KS_COPY_HTOD, "CUDA_MEMCPY_KIND_HTOD" },
	{ KS_COPY_DTOH, "CUDA_MEMCPY_KIND_DTOH" },
	{ KS_COPY_HTOA, "CUDA_MEMCPY_KIND_HTOA" },
	{ KS_COPY_ATOH, "CUDA_MEMCPY_KIND_ATOH" },
	{ KS_COPY_ATOA, "CUDA_MEMCPY_KIND_ATOA" },
	{ KS_COPY_ATOD, "CUDA_MEMCPY_KIND_ATOD" },
	{ KS_COPY_DTOA, "CUDA_MEMCPY_KIND_DTOA" },
	{ KS_COPY_DTOD, "CUDA_MEMCPY_KIND_DTOD" },
	{ KS_COPY_HTOH, "CUDA_MEMCPY_KIND_HTOH" },
	{ KS_COPY_PTOP, "CUDA_MEMCPY_KIND_PTOP" },
	{ KS_COPY_UM_HTOD, "CUDA_MEMCPY_KIND_UVM_HTOD" },
	{ KS_COPY_UM_DTOH, "CUDA_MEMCPY_KIND_UVM_DTOH" },
	{ KS_COPY_UM_DTOD, "CUDA_MEMCPY_KIND_UVM_DTOD" },
};
static const struct known memories[] = {
	{ KS_MEM_PAGEABLE, "CUDA_MEMOPR_MEMORY_KIND_PAGEABLE" },
	{ KS_MEM_PINNED, "CUDA_MEMOPR_MEMORY_KIND_PINNED" },
	{ KS_MEM_DEVICE, "CUDA_MEMOPR_MEMORY_KIND_DEVICE" },
	{ KS_MEM_ARRAY, "CUDA_MEMOPR_MEMORY_KIND_ARRAY" },
	{ KS_MEM_MANAGED, "CUDA_MEMOPR_MEMORY_KIND_MANAGED" },
	{ KS_MEM_DEVICE_STATIC, "CUDA_MEMOPR_MEMORY_KIND_DEVICE_STATIC" },
	{ KS_MEM_MANAGED_STATIC, "CUDA_MEMOPR_MEMORY_KIND_MANAGED_STATIC" },
	{ KS_MEM_UNKNOWN, "CUDA_MEMOPR_MEMORY_KIND_UNKNOWN" },
};
static const struct known causes[] = {
	{ 0, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_UNKNOWN" },
	{ 1, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_USER" },
	{ 2, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_COHERENCE" },
	{ 3, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_PREFETCH" },
	{ 4, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_EVICTION" },
	{ 5, "CUDA_UNIFIED_MEMORY_MIGRATION_CAUSE_ACCESS_COUNTERS" },
};
static const struct known syncs[] = {
	{ 0, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN" },
	{ 1, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE" },
	{ 2, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT" },
	{ 3, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE" },
	{ 4, "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE" },
};
static const struct known overheads[] = {
	{ 0, "OVERHEAD_UNDEFINED" },
	{ 1, "OVERHEAD_UNKNOWN" },
	{ 2, "OVERHEAD_DRIVER_COMPILER" },
	{ 3, "OVERHEAD_CUPTI_BUFFER_FLUSH" },
	{ 4, "OVERHEAD_CUPTI_INSTRUMENTATION" },
	{ 5, "OVERHEAD_CUPTI_RESOURCE" },
	{ 6, "OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING" },
	{ 7, "OVERHEAD_LAZY_FUNCTION_LOADING" },
	{ 8, "OVERHEAD_COMMAND_BUFFER_FULL" },
};
static const struct known operations[] = {
	{ 0, "CUDA_DEV_MEM_EVENT_OPR_ALLOCATION" },
	{ 1, "CUDA_DEV_MEM_EVENT_OPR_DEALLOCATION" },
};
static const struct known events[] = {
	{ 33, "NvtxCategory" },	      { 34, "NvtxMark" },	    { 35, "NvtxPushRange" },
	{ 36, "NvtxPopRange" },	      { 37, "NvtxStartRange" },	    { 38, "NvtxEndRange" },
	{ 39, "NvtxThread" },	      { 59, "NvtxPushPopRange" },   { 60, "NvtxStartEndRange" },
	{ 64, "NvtxtCategory" },      { 65, "NvtxtMark" },	    { 66, "NvtxtPushRange" },
	{ 67, "NvtxtPopRange" },      { 68, "NvtxtStartRange" },    { 69, "NvtxtEndRange" },
	{ 70, "NvtxtPushPopRange" },  { 71, "NvtxtStartEndRange" }, { 75, "NvtxDomainCreate" },
	{ 76, "NvtxDomainDestroy" },  { 97, "NvtxNameCudaDevice" }, { 98, "NvtxNameCudaContext" },
	{ 99, "NvtxNameCudaStream" },
};

static const struct {
	const char *table;
	unsigned rows; /* read only for a sink that gets these; 0: always */
	const struct known *known;
	size_t n;
} enumerations[KS_NSYS_ENUMS] = {
	[KS_NSYS_ENUM_COPY] = { "ENUM_CUDA_MEMCPY_OPER", 0, copies, KS_ARRAY_LEN(copies) },
	[KS_NSYS_ENUM_MEMORY] = { "ENUM_CUDA_MEM_KIND", 0, memories, KS_ARRAY_LEN(memories) },
	[KS_NSYS_ENUM_CAUSE] = { "ENUM_CUDA_UNIF_MEM_MIGRATION", 0, causes, KS_ARRAY_LEN(causes) },
	[KS_NSYS_ENUM_SYNC] = { "ENUM_CUPTI_SYNC_TYPE", KS_ROWS_SYNC, syncs, KS_ARRAY_LEN(syncs) },
	[KS_NSYS_ENUM_OVERHEAD] = { "ENUM_CUPTI_OVERHEAD_TYPE", KS_ROWS_OVERHEAD, overheads,
				    KS_ARRAY_LEN(overheads) },
	[KS_NSYS_ENUM_OPERATION] = { "ENUM_CUDA_DEV_MEM_EVENT_OPER", KS_ROWS_MEMORY, operations,
				     KS_ARRAY_LEN(operations) },
	[KS_NSYS_ENUM_EVENT] = { "ENUM_NSYS_EVENT_TYPE", KS_ROWS_RANGES, events,
				 KS_ARRAY_LEN(events) },
};
_Static_assert(KS_ARRAY_LEN(events) <= KS_NSYS_ENUM_NAMES, "the largest of them");

struct enum_row {
	int64_t id;
	ks_str name;
};

static const struct ks_nsys_column enum_columns[] = {
	{ "id", offsetof(struct enum_row, id), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, INT64_MIN + 1,
	  INT64_MAX },
	{ "name", offsetof(struct enum_row, name), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

/* Dictionaries are not among the tables of n->table (nsys_schema.c). */
static enum ks_status is_table(struct ks_nsys *n, const char *name, bool *is, struct ks_err *err)
{
	sqlite3_stmt *stmt = NULL;
	char *sql = sqlite3_mprintf("select 1 from sqlite_master where type = 'table' and rootpage "
				    "> 0 and name = %Q collate nocase",
				    name);

	if (!sql)
		return ks_nsys_no_memory(err);
	n->ticks = 0;

	int rc = sqlite3_prepare_v2(n->db, sql, -1, &stmt, NULL);

	sqlite3_free(sql);
	if (rc == SQLITE_OK)
		rc = sqlite3_step(stmt);
	sqlite3_finalize(stmt);
	*is = rc == SQLITE_ROW;
	return *is || rc == SQLITE_DONE ? KS_OK : ks_nsys_failed(n, rc, "sqlite_master", -1, err);
}

/* A name that comes twice has its smallest number, whatever the order of the rows. */
static void learn(struct ks_nsys_enum *e, const struct known *known, size_t count,
		  const struct enum_row *row)
{
	for (size_t i = 0; i < count; i++) {
		if (row->id == KS_UNKNOWN || !ks_str_eqc(row->name, known[i].name))
			continue;
		if (e->at[i] == KS_UNKNOWN || row->id < e->at[i])
			e->at[i] = row->id;
	}
}

static enum ks_status read_enum(struct ks_nsys *n, enum ks_nsys_enum_id which, struct ks_err *err)
{
	struct ks_nsys_enum *e = &n->enumeration[which];
	const struct known *known = enumerations[which].known;
	const size_t count = enumerations[which].n;
	struct ks_nsys_table table = { .name = enumerations[which].table, .readable = true };
	struct ks_nsys_scan s;
	struct enum_row row;
	bool is = false;
	bool got = true;

	for (size_t i = 0; i < count; i++)
		e->at[i] = KS_UNKNOWN;
	KS_TRY(is_table(n, table.name, &is, err));
	if (!is)
		return KS_OK;
	ks_nsys_row_clear(&row, enum_columns, KS_ARRAY_LEN(enum_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, &table, enum_columns, KS_ARRAY_LEN(enum_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got)
		learn(e, known, count, &row);
	ks_nsys_scan_close(&s);
	for (size_t i = 0; i < count; i++)
		e->moved |= e->at[i] != KS_UNKNOWN && e->at[i] != known[i].number;
	return st;
}

enum ks_status ks_nsys_enums(struct ks_nsys *n, struct ks_err *err)
{
	for (enum ks_nsys_enum_id i = 0; i < KS_NSYS_ENUMS; i++)
		if (!enumerations[i].rows || (enumerations[i].rows & n->sink->rows))
			KS_TRY(read_enum(n, i, err));
	return KS_OK;
}

int64_t ks_nsys_moved(const struct ks_nsys *n, enum ks_nsys_enum_id which, int64_t number)
{
	const struct ks_nsys_enum *e = &n->enumeration[which];
	const struct known *known = enumerations[which].known;
	const size_t count = enumerations[which].n;

	if (number == KS_UNKNOWN)
		return number;
	for (size_t i = 0; i < count; i++)
		if (e->at[i] == number)
			return known[i].number;
	/* one of our numbers whose own name the file has elsewhere */
	for (size_t i = 0; i < count; i++)
		if (known[i].number == number && e->at[i] != KS_UNKNOWN)
			return KS_UNKNOWN;
	return number;
}
