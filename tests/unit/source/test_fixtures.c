/* SPDX-License-Identifier: Apache-2.0
 *
 * The hand-made exports of tests/fixtures/make/nsys_traces.py against the answers it adds up
 * itself.
 */
#include "all.h"

#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/str.h"

extern char **environ;

static const char *const cases[] = { "two_processes", "nulls",		"text_names",
				     "bad_times",     "configurations", "graphs",
				     "no_mangled",    "no_limits",	"shuffled",
				     "no_capability", "many_devices",	"hostile_names",
				     "invalid_utf8",  "obstacles",	"with_log",
				     "graph_only",    "ranges",		"payloads" };

static bool make_fixtures(void)
{
	const char *script = "tests/fixtures/make/nsys_traces.py";
	char *const argv[] = { (char[]){ "python3" }, (char *)(uintptr_t)script,
			       (char *)(uintptr_t)in_scratch("fixtures"), NULL };
	pid_t pid;
	int status;

	if (access(script, R_OK) != 0) {
		print_message("skipped: run from the root of the tree, %s is not here\n", script);
		return false;
	}
	if (posix_spawnp(&pid, "python3", NULL, NULL, argv, environ) != 0) {
		print_message("skipped: no python3 to make the fixtures with\n");
		return false;
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	return true;
}

static bool good(const struct ks_launch *l)
{
	return l->start_ns != KS_UNKNOWN && l->end_ns != KS_UNKNOWN && l->end_ns > l->start_ns;
}

static ks_str display_name(const struct record *r, const struct ks_launch *l)
{
	ks_str name = record_name_of(r, l->demangled);

	if (!name.n)
		name = record_name_of(r, l->function);
	return name.n ? name : record_name_of(r, l->mangled);
}

/* The answer writes bytes that are not UTF-8 as the Latin-1 characters of the same numbers. */
static bool same_text(ks_str have, ks_str want, bool latin1)
{
	size_t k = 0;

	if (!latin1)
		return ks_str_eq(have, want);
	for (size_t i = 0; i < want.n; i++, k++) {
		unsigned char c = (unsigned char)want.p[i];

		if (c >= 0xc2 && c <= 0xc3 && i + 1 < want.n)
			c = (unsigned char)((c & 3) << 6 | (want.p[++i] & 0x3f));
		if (k >= have.n || (unsigned char)have.p[k] != c)
			return false;
	}
	return k == have.n;
}

static int64_t number(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static void expect_names(const struct record *r, const json_t *want, bool latin1)
{
	const json_t *names = json_object_get(want, "names");

	for (size_t i = 0; i < json_array_size(names); i++) {
		const json_t *o = json_array_get(names, i);
		const json_t *n = json_object_get(o, "name");
		const ks_str name = { json_string_value(n), json_string_length(n) };
		int64_t count = 0;
		int64_t total = 0;

		for (size_t k = 0; k < r->n_launches; k++) {
			const struct ks_launch *l = &r->launch[k];

			if (!good(l) || !same_text(display_name(r, l), name, latin1))
				continue;
			count++;
			total += l->end_ns - l->start_ns;
		}
		if (count != number(o, "count"))
			fail_msg("name %zu: %lld launches", i, (long long)count);
		assert_int_equal(total, number(o, "total_ns"));
	}
}

static void expect_sums(const struct record *r, const json_t *want)
{
	int64_t n = 0;
	int64_t total = 0;
	int64_t graph = 0;
	int64_t no_device = 0;
	int64_t bytes = 0;

	for (size_t i = 0; i < r->n_launches; i++) {
		const struct ks_launch *l = &r->launch[i];

		if (!good(l))
			continue;
		n++;
		total += l->end_ns - l->start_ns;
		graph += l->graph_node != 0;
		no_device += l->device == KS_UNKNOWN;
	}
	for (size_t i = 0; i < r->n_copies; i++)
		bytes += r->copy[i].bytes == KS_UNKNOWN ? 0 : r->copy[i].bytes;
	assert_int_equal(r->n_launches, number(want, "kernel_rows"));
	assert_int_equal(n, number(want, "good"));
	assert_int_equal(total, number(want, "total_ns"));
	assert_int_equal(graph, number(want, "graph"));
	assert_int_equal(no_device, number(want, "unknown_device"));
	assert_int_equal(r->n_copies, number(want, "copies"));
	assert_int_equal(bytes, number(want, "copy_bytes"));
	assert_int_equal(r->n_memsets, number(want, "memsets"));
}

/* Launches and time of each device, by its label. */
static void expect_devices(struct record *r, json_t *want)
{
	json_t *launches = json_object_get(want, "device_launches");
	const json_t *ns = json_object_get(want, "device_ns");
	const json_t *gpu = json_object_get(want, "device_gpu");
	const char *label;
	json_t *count;

	for (size_t i = 0; i < r->n_launches; i++)
		assert_true(ks_devices_resolve(&r->devices, r->launch[i].process,
					       r->launch[i].device) < r->devices.n);
	ks_devices_label(&r->devices);
	if (!launches)
		return;
	assert_int_equal(r->devices.n, json_object_size(launches));
	json_object_foreach(launches, label, count)
	{
		int64_t n = 0;
		int64_t sum = 0;

		for (size_t i = 0; i < r->n_launches; i++) {
			const struct ks_launch *l = &r->launch[i];
			const struct ks_device *v = &r->devices.device[ks_devices_resolve(
				&r->devices, l->process, l->device)];

			if (v->label != strtoll(label, NULL, 10))
				continue;
			n++;
			sum += l->end_ns - l->start_ns;
			if (gpu)
				assert_int_equal(v->gpu->id, number(gpu, label));
		}
		assert_int_equal(n, json_integer_value(count));
		assert_int_equal(sum, number(ns, label));
	}
}

/* Where the answer has a key, the rows must add up to it. */
static void expect_sum(const json_t *want, const char *key, int64_t have)
{
	if (json_object_get(want, key) && have != number(want, key))
		fail_msg("%s: %lld", key, (long long)have);
}

static void expect_ranges(const struct record *r, const json_t *want)
{
	int64_t closed = 0;
	int64_t wall = 0;
	int64_t unnamed = 0;
	int64_t payload = 0;
	int64_t sends = 0;

	for (size_t i = 0; i < r->n_ranges; i++) {
		const struct ks_range *g = &r->range[i];

		unnamed += g->name == 0;
		sends += g->schema == 16777225;
		payload += g->schema == KS_UNKNOWN ? 0 : (int64_t)g->payload.n;
		if (g->end_ns == KS_UNKNOWN || g->end_ns <= g->start_ns)
			continue;
		closed++;
		wall += g->end_ns - g->start_ns;
	}
	expect_sum(want, "nvtx_rows", (int64_t)r->n_ranges);
	expect_sum(want, "nvtx_closed", closed);
	expect_sum(want, "nvtx_wall_ns", wall);
	expect_sum(want, "nvtx_unnamed", unnamed);
	expect_sum(want, "schema_fields", (int64_t)r->n_schemas);
	expect_sum(want, "payload_bytes", payload);
	expect_sum(want, "payloads_of_send", sends);
}

/* The messages of the payloads of ncclSend: 64 bits at offset 8. */
static void expect_messages(const struct record *r, const json_t *want)
{
	int64_t bytes = 0;

	for (size_t i = 0; i < r->n_ranges; i++) {
		uint64_t size;

		if (r->range[i].schema != 16777225)
			continue;
		memcpy(&size, r->range[i].payload.p + 8, sizeof(size));
		bytes += (int64_t)size;
	}
	expect_sum(want, "message_bytes", bytes);
}

static void expect_graphs(const struct record *r, const json_t *want)
{
	int64_t ns = 0;

	for (size_t i = 0; i < r->n_graph_runs; i++)
		ns += r->graph_run[i].end_ns - r->graph_run[i].start_ns;
	expect_sum(want, "graph_runs", (int64_t)r->n_graph_runs);
	expect_sum(want, "graph_run_ns", ns);
	expect_sum(want, "calls", (int64_t)r->n_calls);
}

static void expect_case(const char *name)
{
	char path[512];
	struct record r;

	(void)snprintf(path, sizeof(path), "%s/%s.expected.json", in_scratch("fixtures"), name);

	json_error_t why;
	json_t *want = json_load_file(path, JSON_ALLOW_NUL, &why);

	if (!want)
		fail_msg("%s: %s", path, why.text);
	print_message("  %s: %s\n", name, json_string_value(json_object_get(want, "note")));
	(void)snprintf(path, sizeof(path), "%s/%s.sqlite", in_scratch("fixtures"), name);
	record_good(&r, path);
	expect_sums(&r, want);
	expect_names(&r, want, strcmp(name, "invalid_utf8") == 0);
	expect_devices(&r, want);
	expect_ranges(&r, want);
	expect_messages(&r, want);
	expect_graphs(&r, want);
	record_end(&r);
	json_decref(want);
}

static void every_hand_made_export(void **state)
{
	(void)state;
	if (!make_fixtures())
		skip();
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++)
		expect_case(cases[i]);
}

int test_fixtures(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_hand_made_export),
	};

	return cmocka_run_group_tests_name("fixtures", tests, NULL, NULL);
}
