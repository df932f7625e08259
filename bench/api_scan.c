/* SPDX-License-Identifier: Apache-2.0
 *
 * The yardstick of the reader: one unordered pass with SQLite's C API over every column of the
 * kernel table that our reader asks for, each fetched as an integer, into the same two hash tables
 * (configuration groups and tracks) with count, sum, minimum and maximum. Checks nothing, names
 * nothing, prints the sums so that they can be compared. Kept as fast as it can honestly be: SQLite
 * runs single-threaded without memory statistics. With "all" also one pass over every column our
 * reader asks for of the other tables of the timeline, each row counted under one of its columns.
 *     api_scan FILE.sqlite [all]
 */
#define KS_BASE_DOOR
#include <sqlite3.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"

/* clang-format off */
#define COLUMNS(X) \
	X(START, "start") X(END, "end") X(DEVICE, "deviceId") X(CONTEXT, "contextId") \
	X(STREAM, "streamId") X(CORRELATION, "correlationId") X(PROCESS, "globalPid") \
	X(DEMANGLED, "demangledName") X(SHORT, "shortName") X(MANGLED, "mangledName") \
	X(REGS, "registersPerThread") X(GRID_X, "gridX") X(GRID_Y, "gridY") \
	X(GRID_Z, "gridZ") X(BLOCK_X, "blockX") X(BLOCK_Y, "blockY") X(BLOCK_Z, "blockZ") \
	X(STATIC, "staticSharedMemory") X(DYNAMIC, "dynamicSharedMemory") \
	X(LOCAL, "localMemoryPerThread") X(EXECUTED, "sharedMemoryExecuted") \
	X(GRAPH_NODE, "graphNodeId") X(CLUSTER_X, "clusterX") X(CLUSTER_Y, "clusterY") \
	X(CLUSTER_Z, "clusterZ")
/* clang-format on */
enum column {
#define X(id, name) C_##id,
	COLUMNS(X)
#undef X
		C_COUNT
};
static const char *const names[C_COUNT] = {
#define X(id, name) name,
	COLUMNS(X)
#undef X
};

struct sums {
	uint64_t count, total, min, max;
};
struct table {
	struct ks_map map;
	struct sums *sum;
	size_t cap;
};

static void add(struct table *t, const void *key, uint64_t dur)
{
	bool fresh = false;
	uint32_t at = ks_map_add(&t->map, key, &fresh);

	if (at == KS_MAP_NONE || !KS_GROW(t->sum, t->cap, (size_t)at + 1, (size_t)1 << 24)) {
		fprintf(stderr, "api_scan: out of memory\n");
		exit(1);
	}
	struct sums *s = &t->sum[at];

	if (fresh || dur < s->min)
		s->min = dur;
	if (dur > s->max)
		s->max = dur;
	s->count++;
	s->total += dur;
}

/* Writes "select a, b, ... from KERNEL" over the columns that the file has; at[c] is where column c
 * comes out, -1 when it is not there. Returns false when the table is not there. */
static bool select_text(sqlite3 *db, char *sql, size_t size, int at[C_COUNT])
{
	sqlite3_stmt *s = NULL;
	int n = 0;
	size_t len = (size_t)snprintf(sql, size, "select ");

	for (int c = 0; c < C_COUNT; c++)
		at[c] = -1;
	if (sqlite3_prepare_v2(db, "pragma table_info(CUPTI_ACTIVITY_KIND_KERNEL)", -1, &s, NULL) !=
	    SQLITE_OK)
		return false;
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(s, 1);

		for (int c = 0; c < C_COUNT; c++) {
			if (name && strcmp(name, names[c]) == 0) {
				len += (size_t)snprintf(sql + len, size - len, "%s%s", n ? "," : "",
							names[c]);
				at[c] = n++;
			}
		}
	}
	sqlite3_finalize(s);
	snprintf(sql + len, size - len, " from CUPTI_ACTIVITY_KIND_KERNEL");
	return n > 0;
}

static void scan(sqlite3_stmt *s, const int at[C_COUNT], struct table *group, struct table *track)
{
	int64_t v[C_COUNT] = { 0 };

	while (sqlite3_step(s) == SQLITE_ROW) {
		for (int c = 0; c < C_COUNT; c++) {
			if (at[c] >= 0)
				v[c] = sqlite3_column_int64(s, at[c]);
		}
		const uint64_t dur = (uint64_t)(v[C_END] - v[C_START]);
		const int64_t group_key[] = { v[C_DEMANGLED], v[C_SHORT],     v[C_MANGLED],
					      v[C_DEVICE],    v[C_REGS],      v[C_GRID_X],
					      v[C_GRID_Y],    v[C_GRID_Z],    v[C_BLOCK_X],
					      v[C_BLOCK_Y],   v[C_BLOCK_Z],   v[C_STATIC],
					      v[C_DYNAMIC],   v[C_LOCAL],     v[C_EXECUTED],
					      v[C_CLUSTER_X], v[C_CLUSTER_Y], v[C_CLUSTER_Z] };
		const int64_t track_key[] = { v[C_PROCESS], v[C_DEVICE], v[C_CONTEXT],
					      v[C_STREAM] };

		add(group, group_key, dur);
		add(track, track_key, dur);
	}
}

/* Of the other tables the columns our reader asks for; the first is what a row is counted under. */
static const struct other {
	const char *table;
	const char *columns[20];
} others[] = {
	{ "NVTX_EVENTS",
	  { "textId", "start", "end", "globalTid", "endGlobalTid", "domainId", "eventType", "text",
	    "uint64Value", "int64Value", "uint32Value", "int32Value", "jsonTextId", "jsonText",
	    "binaryData" } },
	{ "CUPTI_ACTIVITY_KIND_RUNTIME",
	  { "nameId", "start", "end", "globalTid", "correlationId", "returnValue", "callchainId",
	    "eventClass" } },
	{ "CUPTI_ACTIVITY_KIND_MEMCPY",
	  { "copyKind", "start", "end", "deviceId", "globalPid", "contextId", "streamId",
	    "correlationId", "bytes", "srcKind", "dstKind", "srcDeviceId", "dstDeviceId",
	    "migrationCause", "graphNodeId" } },
	{ "CUPTI_ACTIVITY_KIND_MEMSET",
	  { "memKind", "start", "end", "deviceId", "globalPid", "contextId", "streamId",
	    "correlationId", "bytes", "graphNodeId" } },
	{ "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
	  { "syncType", "start", "end", "deviceId", "globalPid", "contextId", "streamId",
	    "correlationId" } },
	{ "PROFILER_OVERHEAD", { "nameId", "start", "end", "globalTid" } },
	{ "CUPTI_ACTIVITY_KIND_OVERHEAD",
	  { "overheadType", "start", "end", "globalTid", "nameId" } },
};

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
	sqlite3_stmt *s = NULL;
	bool has = false;

	if (sqlite3_prepare_v2(db, "select 1 from pragma_table_info(?) where name = ?", -1, &s,
			       NULL) == SQLITE_OK) {
		sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
		sqlite3_bind_text(s, 2, column, -1, SQLITE_STATIC);
		has = sqlite3_step(s) == SQLITE_ROW;
	}
	sqlite3_finalize(s);
	return has;
}

static uint64_t scan_other(sqlite3 *db, const struct other *o)
{
	struct table t = { .cap = 0 };
	sqlite3_stmt *s = NULL;
	char sql[1024];
	size_t len = (size_t)snprintf(sql, sizeof(sql), "select ");
	int n = 0;
	uint64_t rows = 0;

	for (size_t i = 0; i < 20 && o->columns[i]; i++) {
		if (has_column(db, o->table, o->columns[i]))
			len += (size_t)snprintf(sql + len, sizeof(sql) - len, "%s%s",
						n++ ? "," : "", o->columns[i]);
	}
	snprintf(sql + len, sizeof(sql) - len, " from %s", o->table);
	ks_map_init(&t.map, sizeof(int64_t), (size_t)1 << 24);
	if (n >= 3 && sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK) {
		while (sqlite3_step(s) == SQLITE_ROW) {
			int64_t v[20] = { 0 };

			for (int c = 0; c < n; c++) {
				if (sqlite3_column_type(s, c) >= SQLITE_TEXT &&
				    sqlite3_column_type(s, c) != SQLITE_NULL)
					v[c] = sqlite3_column_bytes(s, c);
				else
					v[c] = sqlite3_column_int64(s, c);
			}
			add(&t, &v[0], (uint64_t)(v[2] - v[1]));
			rows++;
		}
	}
	sqlite3_finalize(s);
	ks_map_release(&t.map);
	ks_mem_free(t.sum);
	return rows;
}

int main(int argc, char **argv)
{
	struct table group = { .cap = 0 }, track = { .cap = 0 };
	char sql[1024];
	int at[C_COUNT];
	sqlite3 *db = NULL;
	sqlite3_stmt *s = NULL;
	uint64_t count = 0, total = 0;

	ks_map_init(&group.map, 18 * sizeof(int64_t), (size_t)1 << 24);
	ks_map_init(&track.map, 4 * sizeof(int64_t), (size_t)1 << 24);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	if (argc < 2 || argc > 3 ||
	    sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) !=
		    SQLITE_OK ||
	    !select_text(db, sql, sizeof(sql), at) ||
	    sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK) {
		fprintf(stderr, "usage: api_scan FILE.sqlite [all] (with a kernel table)\n");
		return 2;
	}
	scan(s, at, &group, &track);
	for (size_t i = 0; i < group.map.count; i++) {
		count += group.sum[i].count;
		total += group.sum[i].total;
	}
	printf("%llu launches, %llu ns, %zu groups, %zu tracks\n", (unsigned long long)count,
	       (unsigned long long)total, group.map.count, track.map.count);
	sqlite3_finalize(s);
	for (size_t i = 0; argc == 3 && i < KS_ARRAY_LEN(others); i++)
		printf("%s: %llu rows\n", others[i].table,
		       (unsigned long long)scan_other(db, &others[i]));
	sqlite3_close(db);
	ks_map_release(&group.map);
	ks_map_release(&track.map);
	ks_mem_free(group.sum);
	ks_mem_free(track.sum);
	return 0;
}
