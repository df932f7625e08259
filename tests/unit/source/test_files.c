/* SPDX-License-Identifier: Apache-2.0
 *
 * Every real export of shared/data/nsys-sqlite against the answer that was computed beside it with
 * plain SQL: rows, totals, and for each (names, device) count, total, minimum and maximum. Integers
 * exactly.
 */
#include "all.h"

#include <dirent.h>

#include "base/mem.h"
#include "base/str.h"

struct group {
	ks_str demangled, function, mangled;
	int64_t device, count, total, min, max;
};

static bool same_group(const struct group *g, const struct ks_launch *l, const struct record *r)
{
	return g->device == l->device && ks_str_eq(g->demangled, record_name_of(r, l->demangled)) &&
	       ks_str_eq(g->function, record_name_of(r, l->function)) &&
	       ks_str_eq(g->mangled, record_name_of(r, l->mangled));
}

static void add(struct group *g, ks_ns dur)
{
	g->min = !g->count || dur < g->min ? dur : g->min;
	g->max = !g->count || dur > g->max ? dur : g->max;
	g->total += dur;
	g->count++;
}

/* Groups in order of arrival; few enough for a linear look. */
static size_t group_launches(const struct record *r, struct group *group, size_t max)
{
	size_t n = 0;
	size_t last = 0;

	for (size_t i = 0; i < r->n_launches; i++) {
		const struct ks_launch *l = &r->launch[i];
		size_t k = last < n && same_group(&group[last], l, r) ? last : 0;

		while (k < n && !same_group(&group[k], l, r))
			k++;
		if (k == n) {
			assert_true(n < max);
			group[n++] = (struct group){ .demangled = record_name_of(r, l->demangled),
						     .function = record_name_of(r, l->function),
						     .mangled = record_name_of(r, l->mangled),
						     .device = l->device };
		}
		add(&group[k], l->end_ns - l->start_ns);
		last = k;
	}
	return n;
}

static ks_str text(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return (ks_str){ json_is_string(v) ? json_string_value(v) : "", json_string_length(v) };
}

static int64_t number(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static void expect_group(const struct group *group, size_t n, const json_t *want)
{
	const ks_str demangled = text(want, "demangled");
	const ks_str function = text(want, "short");
	const ks_str mangled = text(want, "mangled");

	for (size_t i = 0; i < n; i++) {
		const struct group *g = &group[i];

		if (g->device != number(want, "device") || !ks_str_eq(g->demangled, demangled) ||
		    !ks_str_eq(g->function, function) || !ks_str_eq(g->mangled, mangled))
			continue;
		assert_int_equal(g->count, number(want, "count"));
		assert_int_equal(g->total, number(want, "total_ns"));
		assert_int_equal(g->min, number(want, "min_ns"));
		assert_int_equal(g->max, number(want, "max_ns"));
		return;
	}
	fail_msg("no group for %s", demangled.p);
}

static void expect_kernels(const struct record *r, const json_t *want)
{
	const json_t *kernels = json_object_get(want, "kernels");
	const size_t max = json_array_size(kernels) + 1;
	struct group *group = ks_mem_alloc(max * sizeof(*group));
	int64_t total = 0;

	assert_non_null(group);
	for (size_t i = 0; i < r->n_launches; i++)
		total += r->launch[i].end_ns - r->launch[i].start_ns;
	assert_int_equal(r->n_launches, number(want, "kernel_rows"));
	assert_int_equal(total, number(want, "kernel_total_ns"));
	assert_int_equal(group_launches(r, group, max), json_array_size(kernels));
	for (size_t i = 0; i < json_array_size(kernels); i++)
		expect_group(group, json_array_size(kernels), json_array_get(kernels, i));
	ks_mem_free(group);
}

static void expect_copies(const struct record *r, const json_t *want)
{
	const json_t *copies = json_object_get(want, "memcpy");
	const json_t *memsets = json_object_get(want, "memset");
	int64_t bytes = 0;
	int64_t ns = 0;

	for (size_t i = 0; i < r->n_copies; i++) {
		bytes += r->copy[i].bytes;
		ns += r->copy[i].end_ns - r->copy[i].start_ns;
	}
	assert_int_equal(r->n_copies, json_is_null(copies) ? 0 : number(copies, "rows"));
	assert_int_equal(bytes, json_is_null(copies) ? 0 : number(copies, "total_bytes"));
	assert_int_equal(ns, json_is_null(copies) ? 0 : number(copies, "total_ns"));
	bytes = 0;
	for (size_t i = 0; i < r->n_memsets; i++)
		bytes += r->memset[i].bytes;
	assert_int_equal(r->n_memsets, json_is_null(memsets) ? 0 : number(memsets, "rows"));
	assert_int_equal(bytes, json_is_null(memsets) ? 0 : number(memsets, "total_bytes"));
}

/* Copies by kind, migrations apart from copies. */
static void expect_copy_kinds(const struct record *r, const json_t *want)
{
	json_t *kinds = json_object_get(json_object_get(want, "memcpy"), "by_kind");
	const char *kind;
	json_t *sum;

	json_object_foreach(kinds, kind, sum)
	{
		int64_t count = 0;
		int64_t bytes = 0;

		for (size_t i = 0; i < r->n_copies; i++) {
			if (r->copy[i].kind != strtoll(kind, NULL, 10))
				continue;
			count++;
			bytes += r->copy[i].bytes;
		}
		assert_int_equal(count, number(sum, "count"));
		assert_int_equal(bytes, number(sum, "bytes"));
	}
}

/* Closed: an end after the start; open: a range without one. */
static void expect_ranges(const struct record *r, const json_t *want)
{
	const json_t *nvtx = json_object_get(want, "nvtx");
	json_t *types = json_object_get(nvtx, "by_event_type");
	int64_t closed = 0;
	const char *type;
	json_t *rows;

	assert_int_equal(r->n_ranges, json_is_null(nvtx) ? 0 : number(nvtx, "rows"));
	for (size_t i = 0; i < r->n_ranges; i++)
		closed += r->range[i].start_ns != KS_UNKNOWN && r->range[i].end_ns != KS_UNKNOWN &&
			  (r->range[i].type == 59 || r->range[i].type == 60);
	assert_int_equal(closed, number(nvtx, "closed_ranges"));
	json_object_foreach(types, type, rows)
	{
		int64_t count = 0;

		for (size_t i = 0; i < r->n_ranges; i++)
			count += r->range[i].type == strtoll(type, NULL, 10);
		assert_int_equal(count, json_integer_value(rows));
	}
}

/* As many rows of each other kind as their tables have. */
static void expect_other_rows(const struct record *r, const json_t *want)
{
	const json_t *tables = json_object_get(want, "tables");

	assert_int_equal(r->n_calls, number(tables, "CUPTI_ACTIVITY_KIND_RUNTIME"));
	assert_int_equal(r->n_syncs, number(tables, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"));
	assert_int_equal(r->n_overheads, number(tables, "PROFILER_OVERHEAD") +
						 number(tables, "CUPTI_ACTIVITY_KIND_OVERHEAD"));
	assert_int_equal(r->n_memories, number(tables, "CUDA_GPU_MEMORY_USAGE_EVENTS"));
	assert_int_equal(r->n_frames, number(tables, "CUDA_CALLCHAINS"));
	assert_int_equal(r->n_schemas, number(tables, "NVTX_PAYLOAD_SCHEMA_ENTRIES"));
	assert_int_equal(r->n_threads, number(tables, "ThreadNames"));
}

/* Every table the answer lists is named with its rows; our list may add empty ones and views. */
static void expect_holdings(const struct record *r, const json_t *want)
{
	json_t *tables = json_object_get(want, "tables");
	const char *name;
	json_t *rows;

	json_object_foreach(tables, name, rows)
	{
		const struct ks_trace_holding *h = record_holding(r, name);

		if (!h)
			fail_msg("table %s is passed over in silence", name);
		if (h && h->rows >= 0) /* a view says -1 */
			assert_int_equal(h->rows, json_integer_value(rows));
	}
}

static void expect_gpus(const struct record *r, const json_t *want)
{
	const json_t *gpus = json_object_get(want, "gpus");

	for (size_t i = 0; i < json_array_size(gpus); i++) {
		const json_t *g = json_array_get(gpus, i);
		bool found = !json_object_get(
			g, "computeMajor"); /* names only: the old table is read instead */

		for (size_t k = 0; k < r->devices.n_gpus && !found; k++) {
			const struct ks_trace_gpu *have = &r->devices.gpu[k];

			found = have->id == number(g, "id") &&
				have->cu_device == number(g, "cuDevice") &&
				ks_str_eq(have->name, text(g, "name")) &&
				have->cc_major == number(g, "computeMajor") &&
				have->cc_minor == number(g, "computeMinor") &&
				have->sm_count == number(g, "smCount") &&
				have->l2_bytes == number(g, "l2CacheSize") &&
				have->max_warps_per_sm == number(g, "maxWarpsPerSm");
		}
		assert_true(found);
	}
}

static void expect_versions(const struct record *r, const json_t *want)
{
	const json_t *export = json_object_get(json_object_get(want, "nsys"), "export");

	if (json_is_null(export)) {
		assert_int_equal(r->meta.product_version.n, 0);
		return;
	}
	assert_true(ks_str_eq(r->meta.product_version, text(export, "product_version")));
	assert_true(ks_str_eq(r->meta.schema_version, text(export, "schema_version")));
	assert_true(ks_str_eq(r->meta.platform, text(export, "platform")));
}

static void expect_file(const char *folder, const char *name)
{
	char path[1024];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);

	json_t *want = load_json(path);
	struct record r;

	(void)snprintf(path, sizeof(path), "%s/%s", folder,
		       json_string_value(json_object_get(want, "file")));
	record_good(&r, path);
	expect_kernels(&r, want);
	expect_copies(&r, want);
	expect_copy_kinds(&r, want);
	expect_ranges(&r, want);
	expect_other_rows(&r, want);
	expect_holdings(&r, want);
	expect_gpus(&r, want);
	expect_versions(&r, want);
	record_end(&r);
	json_decref(want);
}

static void every_real_export_is_read_exactly(void **state)
{
	const char *shared = shared_folder();
	char folder[512];
	size_t files = 0;

	(void)state;
	if (!shared)
		skip();
	(void)snprintf(folder, sizeof(folder), "%s/data/nsys-sqlite", shared);

	DIR *d = opendir(folder);

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		const ks_str name = ks_str_c(e->d_name);

		if (!ks_str_ends(name, ".expected.json") || ks_str_starts(name, "not_nsys"))
			continue;
		print_message("  %s\n", e->d_name);
		expect_file(folder, e->d_name);
		files++;
	}
	(void)closedir(d);
	assert_true(files >= 44);
}

static void a_database_of_another_tool_is_named_so(void **state)
{
	const char *shared = shared_folder();
	char path[512];
	struct record r;

	(void)state;
	if (!shared)
		skip();
	(void)snprintf(path, sizeof(path), "%s/data/nsys-sqlite/not_nsys_dlprof_db.sqlite", shared);
	record_start(&r);
	assert_int_equal(record_nsys(&r, path), KS_E_INPUT);
	assert_int_equal(r.err.text, KS_TEXT_ERR_SRC_NOT_NSYS);
	record_end(&r);
}

static void why_there_are_no_kernels_is_told_apart(void **state)
{
	static const struct {
		const char *file;
		int cuda_traced;
		bool cuda_tables;
	} c[] = {
		{ "failed_capture_4tables", 1, false }, /* "No CUDA events collected", among the
							   strings */
		{ "failed_capture_6tables", 1, false },
		{ "recon_stream_no_kernels_2023", 1, false },
		{ "nvtx_pushpop_no_kernels_2022", 0, false }, /* only NVTX was injected */
		{ "nvtx_startend_no_kernels_2022", 0, false },
		{ "nvtx_cpu_only_2020", 0, false },
		{ "t4_no_cuda_tables_2025", 1, false }, /* META_DATA_CAPTURE says Cuda */
		{ "julia_a100_no_cuda_2026", 1, false },
		{ "jetson_orin_no_cuda", 1, true },
		{ "zerocopy_rtx4090_no_activity", 1, true },
	};
	const char *shared = shared_folder();
	char path[512];

	(void)state;
	if (!shared)
		skip();
	for (size_t i = 0; i < KS_ARRAY_LEN(c); i++) {
		struct record r;

		(void)snprintf(path, sizeof(path), "%s/data/nsys-sqlite/%s.sqlite", shared,
			       c[i].file);
		record_good(&r, path);
		print_message("  %s\n", c[i].file);
		assert_int_equal(r.n_launches, 0);
		assert_false(r.meta.has_kernel_table);
		assert_int_equal(r.meta.cuda_traced, c[i].cuda_traced);
		assert_int_equal(r.meta.has_cuda_tables, c[i].cuda_tables);
		assert_false(r.meta.no_driver);
		record_end(&r);
	}
}

static void old_exports_give_the_facts_of_their_gpus(void **state)
{
	const char *shared = shared_folder();
	char path[512];
	struct record r;

	(void)state;
	if (!shared)
		skip();
	(void)snprintf(path, sizeof(path), "%s/data/nsys-sqlite/nvtx_cudf_2020.sqlite", shared);
	record_good(&r, path);

	const uint32_t i = ks_devices_resolve(&r.devices, r.launch[0].process, r.launch[0].device);
	const struct ks_trace_gpu *g = r.devices.device[i].gpu;

	assert_non_null(g);
	assert_true(ks_str_eqc(g->name, "Quadro RTX 8000"));
	assert_int_equal(g->cc_major, 7);
	assert_int_equal(g->cc_minor, 5);
	assert_int_equal(g->sm_count, 72);
	assert_int_equal(g->clock_hz, 1770000000);	      /* 1770000 kHz in the file */
	assert_int_equal(g->memory_bytes, 48601LL * 1048576); /* MiB in the file */
	assert_int_equal(g->bus.n, 0);			      /* <UNKNOWN_BUS_ID> */
	record_end(&r);
}

int test_files(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_real_export_is_read_exactly),
		cmocka_unit_test(a_database_of_another_tool_is_named_so),
		cmocka_unit_test(why_there_are_no_kernels_is_told_apart),
		cmocka_unit_test(old_exports_give_the_facts_of_their_gpus),
	};

	return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
