/* SPDX-License-Identifier: Apache-2.0
 *
 * This machine as it is read, on made-up ones: a tree below a folder stands for the root, programs
 * are scripts, and the driver's libraries are built from tests/fixtures/fake.
 */
#include "all.h"

#include <sys/stat.h>

#include "base/spawn.h"
#include "base/str.h"
#include "source/host.h"
#include "source/host_places.h"
#include "source/tool.h"

static const char *env_name[16], *env_value[16];
static size_t n_env;
static struct ks_arena arena;

static const char *look_up(const char *name)
{
	for (size_t i = 0; i < n_env; i++)
		if (strcmp(env_name[i], name) == 0)
			return env_value[i];
	return NULL;
}

static void given_env(const char *name, const char *value)
{
	assert_true(n_env < KS_ARRAY_LEN(env_name));
	env_name[n_env] = name;
	env_value[n_env++] = value;
}

static const struct ks_ctx *ctx(void)
{
	static struct ks_ctx c;

	c = *test_ctx();
	c.env = look_up;
	c.run = &arena;
	return &c;
}

static const char *machine; /* the folder that stands for the root */

static int fresh_machine(void **state)
{
	static int n;
	static char path[512];
	char name[32];

	(void)state;
	(void)snprintf(name, sizeof(name), "machine%d", n++);
	(void)snprintf(path, sizeof(path), "%s", in_scratch(name));
	assert_int_equal(mkdir(path, 0700), 0);
	machine = path;
	n_env = 0;
	ks_arena_init(&arena, (size_t)1 << 30);
	return 0;
}

static int give_back(void **state)
{
	(void)state;
	ks_arena_release(&arena);
	return 0;
}

/* A path below the machine's root, with its folders made. */
static const char *at(const char *path)
{
	ks_str full = ks_arena_fmt(&arena, "%s%s", machine, path);

	for (size_t i = 1; i < full.n; i++) {
		if (full.p[i] != '/')
			continue;
		(void)mkdir(ks_arena_dup(&arena, (ks_str){ full.p, i }).p, 0700);
	}
	return full.p;
}

static void given_file(const char *path, const char *text)
{
	given_bytes(at(path), text, strlen(text));
}

static void given_program(const char *path, const char *script)
{
	given_file(path, ks_arena_fmt(&arena, "#!/bin/sh\n%s\n", script).p);
	assert_int_equal(chmod(at(path), 0700), 0);
}

static struct ks_host *host_of(struct ks_host_ask ask)
{
	struct ks_host *h = NULL;
	struct ks_err err;

	ks_err_init(&err);
	ask.root = machine;
	assert_int_equal(ks_host_read(ctx(), &ask, &h, &err), KS_OK);
	assert_non_null(h);
	return h;
}

static void expect_text(ks_str got, const char *want)
{
	if (!ks_str_eqc(got, want))
		fail_msg("\"%.*s\" is not \"%s\"", (int)got.n, got.p != NULL ? got.p : "", want);
}

/* Below the machine's root. */
static void expect_path(ks_str got, const char *want)
{
	expect_text(got, ks_arena_fmt(&arena, "%s%s", machine, want).p);
}

/* --- the order of the search ------------------------------------------------------------------ */

static void versions_are_numbers(void **state)
{
	static const char *const down[] = { "cuda-13.0", "cuda-12.10", "cuda-12.4", "cuda-11.8",
					    "cuda-9.2",	 "cuda-9",     "cuda-old",  "cuda-" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(down); i++)
		for (size_t k = 0; k < KS_ARRAY_LEN(down); k++)
			assert_int_equal(ks_version_cmp(ks_str_c(down[i]), ks_str_c(down[k])),
					 (i < k) - (i > k));
	assert_int_equal(ks_version_cmp(ks_str_c("a-007"), ks_str_c("a-7")), 0);
	assert_int_equal(ks_version_cmp(ks_str_c("a-99999999999999999999"), ks_str_c("a-9")), 1);
}

static void version_sort_of_the_vectors(void **state)
{
	const char *shared = shared_folder();
	json_t *vectors, *sort;

	(void)state;
	if (shared == NULL)
		skip();
	vectors = load_json(ks_arena_fmt(&arena, "%s/contract/vectors/doctor.json", shared).p);
	sort = json_object_get(vectors, "version_sort");
	const json_t *in = json_object_get(sort, "in"), *expect = json_object_get(sort, "expect");

	assert_true(json_array_size(in) > 1);
	for (size_t i = 0; i < json_array_size(in); i++)
		(void)mkdir(
			at(ks_arena_fmt(&arena, "%s/", json_string_value(json_array_get(in, i))).p),
			0700);
	const struct ks_tool_place *t = &host_of((struct ks_host_ask){ .tools = true })->tool[0];
	size_t from = 0;

	while (from < t->n_searched && !ks_str_ends(t->searched[from], "/usr/local/cuda/bin"))
		from++;
	for (size_t i = 0; i < json_array_size(expect); i++) {
		assert_true(from + 1 + i < t->n_searched);
		expect_path(t->searched[from + 1 + i],
			    json_string_value(json_array_get(expect, i)));
	}
	json_decref(vectors);
}

/* The next test has these in this order, each at its place in `want`. */
static void the_order_of_the_vectors_is_the_tested_one(void **state)
{
	static const char *const tested[] = {
		"PATH",
		"$KS_TOOL_SEARCH_DIRS (colon list)",
		"$CUDA_HOME/bin",
		"$CUDA_PATH/bin",
		"$CUDA_ROOT/bin",
		"/usr/local/cuda/bin",
		"/usr/local/cuda-<highest first>/bin",
		"/opt/cuda/bin",
		"/usr/local/bin",
		"/usr/bin",
		"/bin",
	};
	const char *shared = shared_folder();

	(void)state;
	if (shared == NULL)
		skip();
	json_t *vectors =
		load_json(ks_arena_fmt(&arena, "%s/contract/vectors/doctor.json", shared).p);
	const json_t *order = json_object_get(vectors, "search_order");

	assert_int_equal(json_array_size(order), KS_ARRAY_LEN(tested));
	for (size_t i = 0; i < KS_ARRAY_LEN(tested); i++)
		assert_string_equal(json_string_value(json_array_get(order, i)), tested[i]);
	json_decref(vectors);
}

static void every_folder_is_listed_in_its_order(void **state)
{
	static const char *const want[] = {
		"/path/one",
		"/path/two",
		"/extra",
		"/toolkit/bin",
		"/cpath/bin",
		"/croot/bin",
		"/usr/local/cuda/bin",
		"/usr/local/cuda-13.0/bin",
		"/usr/local/cuda-9.2/bin",
		"/opt/cuda/bin",
		"/usr/local/bin",
		"/usr/bin",
		"/bin",
		"/opt/nvidia/nsight-systems/2025.1/bin",
		"/opt/nvidia/nsight-systems/2024.11/bin",
	};
	const struct ks_host *h;

	(void)state;
	given_env("PATH", ks_arena_fmt(&arena, "%s/path/one:relative::%s/path/two:%s/path/one",
				       machine, machine, machine)
				  .p);
	given_env("KS_TOOL_SEARCH_DIRS", at("/extra"));
	given_env("CUDA_HOME", at("/toolkit"));
	given_env("CUDA_PATH", at("/cpath"));
	given_env("CUDA_ROOT", at("/croot"));
	given_file("/usr/local/cuda-9.2/bin/x", "");
	given_file("/usr/local/cuda-13.0/bin/x", "");
	given_file("/opt/nvidia/nsight-systems/2024.11/bin/x", "");
	given_file("/opt/nvidia/nsight-systems/2025.1/bin/x", "");
	h = host_of((struct ks_host_ask){ .tools = true });
	assert_int_equal(h->tool[KS_TOOL_NSYS].n_searched, KS_ARRAY_LEN(want));
	for (size_t i = 0; i < KS_ARRAY_LEN(want); i++)
		expect_path(h->tool[KS_TOOL_NSYS].searched[i], want[i]);
	assert_int_equal(h->tool[KS_TOOL_CUOBJDUMP].n_searched, 13); /* without nsys' own */
	expect_text(h->tool[KS_TOOL_CUOBJDUMP].path, "");
}

static void tools_are_found_where_they_are(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_env("PATH", at("/path"));
	given_program("/path/nvdisasm", "exit 0");
	given_program("/usr/local/cuda-12.4/bin/ncu", "exit 0");
	given_program("/usr/local/cuda-9.2/bin/ncu", "exit 0");
	given_program("/opt/nvidia/nsight-systems/2025.1/bin/nsys", "exit 0");
	given_file("/usr/bin/cuobjdump", "not executable");
	(void)mkdir(at("/usr/bin/nvidia-smi"), 0700); /* a folder of that name */
	h = host_of((struct ks_host_ask){ .tools = true });
	expect_path(h->tool[KS_TOOL_NVDISASM].path, "/path/nvdisasm");
	assert_true(h->tool[KS_TOOL_NVDISASM].in_path);
	assert_int_equal(h->tool[KS_TOOL_NVDISASM].n_searched, 1);
	expect_path(h->tool[KS_TOOL_NCU].path, "/usr/local/cuda-12.4/bin/ncu");
	assert_false(h->tool[KS_TOOL_NCU].in_path);
	expect_path(h->tool[KS_TOOL_NSYS].path, "/opt/nvidia/nsight-systems/2025.1/bin/nsys");
	expect_text(h->tool[KS_TOOL_CUOBJDUMP].path, "");
	expect_text(h->tool[KS_TOOL_NVIDIA_SMI].path, "");
}

static void a_path_of_four_thousand_folders(void **state)
{
	struct ks_buf list;

	(void)state;
	ks_buf_init(&list, 1u << 20);
	for (int i = 0; i < 4000; i++)
		ks_buf_fmt(&list, "/no/such/folder/%d:", i);
	ks_buf_cstr(&list, at("/path"));
	given_program("/path/ncu", "exit 0");
	given_env("PATH", ks_buf_text(&list));
	const struct ks_host *h = host_of((struct ks_host_ask){ .tools = true });

	assert_int_equal(h->tool[KS_TOOL_NCU].n_searched, 4001);
	assert_true(h->tool[KS_TOOL_NCU].in_path);
	ks_buf_release(&list);
}

/* --- policy and rights ------------------------------------------------------------------------ */

static void the_policy_files(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_file("/proc/driver/nvidia/params",
		   "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nOther: 0\n");
	given_file("/proc/self/status", "Name:\tx\nCapEff:\t0000004000000000\n"
					"CapBnd:\t000001ffffffffff\n");
	given_file("/proc/sys/kernel/perf_event_paranoid", "-1\n");
	h = host_of((struct ks_host_ask){ .policy = true });
	assert_int_equal(h->admin_only, KS_KNOWN_YES);
	expect_path(h->params_path, "/proc/driver/nvidia/params");
	assert_true(h->caps_read);
	assert_true(h->cap_eff == (uint64_t)1 << KS_CAP_PERFMON);
	assert_true(h->cap_bnd == 0x1ffffffffff);
	assert_int_equal(h->perf_paranoid, -1);
}

static void the_policy_files_can_be_replaced(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_env("KS_NV_PARAMS", at("/a"));
	given_env("KS_PROC_STATUS", at("/b"));
	given_env("KS_PERF_PARANOID", at("/c"));
	given_file("/a", "RmProfilingAdminOnly: 0");
	given_file("/b", "CapEff:\t0\nCapBnd:\tA80425FB\n");
	given_file("/c", "4");
	h = host_of((struct ks_host_ask){ .policy = true });
	assert_int_equal(h->admin_only, KS_KNOWN_NO);
	assert_true(h->caps_read && h->cap_eff == 0 && h->cap_bnd == 0xa80425fb);
	assert_int_equal(h->perf_paranoid, 4);
}

static void nothing_there_is_not_read(void **state)
{
	const struct ks_host *h = host_of((struct ks_host_ask){
		.devices = true, .tools = true, .policy = true, .libraries = true, .nvbit = true });

	(void)state;
	assert_int_equal(h->has_gpu, KS_KNOWN_NO);
	assert_false(h->has_nvml);
	assert_int_equal(h->n_gpus + h->n_nvml + h->n_cupti, 0);
	assert_int_equal(h->admin_only, KS_KNOWN_UNREAD);
	assert_false(h->caps_read);
	assert_true(h->perf_paranoid == KS_UNKNOWN);
	expect_text(h->nvbit_path, "");
	expect_text(h->container, "");
	assert_int_equal(h->probe, KS_PROBE_NOT_RUN);
	for (size_t i = 0; i < KS_TOOL_COUNT; i++)
		expect_text(h->tool[i].path, "");
}

/* Each is read as if it were the three files. */
static void expect_unread(const char *path)
{
	const struct ks_host *h;

	n_env = 0;
	given_env("KS_NV_PARAMS", path);
	given_env("KS_PROC_STATUS", path);
	given_env("KS_PERF_PARANOID", path);
	h = host_of((struct ks_host_ask){ .policy = true });
	assert_int_equal(h->admin_only, KS_KNOWN_UNREAD);
	assert_false(h->caps_read);
	assert_true(h->perf_paranoid == KS_UNKNOWN);
}

static void hostile_files_are_not_read(void **state)
{
	static unsigned char garbage[70000], huge[2000000];

	(void)state;
	for (size_t i = 0; i < sizeof(garbage); i++)
		garbage[i] = (unsigned char)(i * 2654435761u >> 13);
	given_bytes(at("/garbage"), garbage, sizeof(garbage));
	memset(huge, 'x', sizeof(huge));
	memcpy(huge + sizeof(huge) - 40, "\nRmProfilingAdminOnly: 1\nCapEff:\t0\n2\n", 38);
	given_bytes(at("/huge"), huge, sizeof(huge));
	given_file("/words", "RmProfilingAdminOnly: yes\nCapEff:\tzz\nCapBnd:\t1\n");
	given_file("/long", "CapEff:\t00000000000000000\nCapBnd:\t00000000000000000\n");
	given_file("/empty", "");
	assert_int_equal(mkfifo(at("/fifo"), 0600), 0);
	expect_unread(at("/garbage"));
	expect_unread(at("/huge"));
	expect_unread(at("/words"));
	expect_unread(at("/long"));
	expect_unread(at("/empty"));
	expect_unread(at("/fifo")); /* nobody writes into it: reading would hang */
	expect_unread(machine);	    /* a folder */
	expect_unread("/dev/zero");
	expect_unread("-");
}

/* --- devices ---------------------------------------------------------------------------------- */

static void compile(const char *source, const char *flag, const char *path)
{
	static char cc[512];
	struct ks_buf said;

	given_env("PATH", getenv("PATH"));
	if (!ks_tool_find(ctx(), "cc", cc, sizeof(cc), NULL)) {
		print_message("skipped: no C compiler to build the stand-in library\n");
		skip();
	}
	n_env--;
	const char *const argv[] = { cc, "-shared", "-fPIC", flag, "-o", at(path), source, NULL };
	const struct ks_spawn run = { .argv = argv, .kept = &said };

	ks_buf_init(&said, 65536);
	const struct ks_spawn_end end = ks_spawn_run(&run);

	if (end.how != KS_SPAWN_EXITED || end.code != 0)
		fail_msg("%s", ks_buf_text(&said));
	ks_buf_release(&said);
}

static const char nvml_so[] = "/usr/lib64/libnvidia-ml.so.1";

static void given_nvml(const char *flag)
{
	compile("tests/fixtures/fake/nvml.c", flag, nvml_so);
}

static void devices_by_nvml(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_nvml("-DPLAIN");
	h = host_of((struct ks_host_ask){ .devices = true });
	assert_int_equal(h->has_gpu, KS_KNOWN_YES);
	assert_true(h->has_nvml);
	expect_text(h->gpu_from, "nvml");
	expect_text(h->driver, "550.54.15");
	expect_text(h->cuda, "12.4");
	assert_int_equal(h->n_gpus, 2);
	expect_text(h->gpu[0].name, "Test GPU");
	expect_text(h->gpu[0].uuid, "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f");
	assert_int_equal(h->gpu[0].cc_major * 10 + h->gpu[0].cc_minor, 89);
	assert_int_equal(h->gpu[0].memory_mib, 24564);
	assert_int_equal(h->gpu[0].max_sm_clock_mhz, 3105);
	assert_true(h->gpu[0].power_limit_w > 449.999 && h->gpu[0].power_limit_w < 450.001);
	assert_int_equal(h->gpu[0].nvlinks, 3);
	assert_true(h->gpu[0].sm_count == KS_UNKNOWN);
	assert_int_equal(h->n_nvml, 1);
	expect_path(h->nvml[0].path, nvml_so);
	assert_int_equal(h->nvml[0].loads, KS_KNOWN_YES);
}

static void a_reading_that_fails_is_unknown(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_nvml("-DPLAIN");
	h = host_of((struct ks_host_ask){ .devices = true });
	expect_text(h->gpu[1].name, "");
	assert_int_equal(h->gpu[1].cc_major, -1);
	assert_true(h->gpu[1].memory_mib == KS_UNKNOWN);
	assert_true(h->gpu[1].max_sm_clock_mhz == KS_UNKNOWN);
	assert_true(h->gpu[1].power_limit_w < 0);
	assert_true(h->gpu[1].nvlinks == KS_UNKNOWN);
}

static void sms_by_the_driver(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_nvml("-DPLAIN");
	compile("tests/fixtures/fake/cuda.c", "-DPLAIN", "/usr/lib64/libcuda.so.1");
	h = host_of((struct ks_host_ask){ .devices = true, .sm_count = true });
	assert_int_equal(h->gpu[0].sm_count, 128);
	assert_true(h->gpu[1].sm_count == KS_UNKNOWN); /* the driver shows one of two */
	given_env("CUDA_INJECTION64_PATH", "/a/library.so");
	h = host_of((struct ks_host_ask){ .devices = true, .sm_count = true });
	assert_true(h->gpu[0].sm_count == KS_UNKNOWN); /* cuInit would load it */
	expect_text(h->cuda_injection, "/a/library.so");
}

static void nvml_without_driver_or_devices(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_nvml("-DNO_DRIVER");
	h = host_of((struct ks_host_ask){ .devices = true });
	assert_int_equal(h->has_gpu, KS_KNOWN_NO);
	assert_false(h->has_nvml);
	assert_int_equal(h->nvml[0].loads, KS_KNOWN_NO);
	expect_text(h->nvml[0].why, "nvmlInit_v2: Driver Not Loaded (9)");
	given_nvml("-DNO_DEVICES");
	h = host_of((struct ks_host_ask){ .devices = true });
	assert_int_equal(h->has_gpu, KS_KNOWN_NO);
	assert_true(h->has_nvml);
}

static void libraries_that_are_not_nvml(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_nvml("-DNOT_NVML");
	h = host_of((struct ks_host_ask){ .devices = true });
	assert_false(h->has_nvml);
	expect_text(h->nvml[0].why, "nvmlInit_v2: not in this library");
	given_file("/usr/lib64/libnvidia-ml.so.1", "no library");
	h = host_of((struct ks_host_ask){ .devices = true });
	assert_int_equal(h->nvml[0].loads, KS_KNOWN_NO);
	assert_true(h->nvml[0].why.n > 0);
	given_nvml("-DBAD_COUNT");
	h = host_of((struct ks_host_ask){ .devices = true });
	assert_int_equal(h->n_gpus, 0);
	assert_true(h->has_nvml);
}

static void devices_by_the_drivers_files(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_file("/proc/driver/nvidia/version",
		   "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release\n"
		   "GCC version:  gcc 12.2.0\n");
	given_file("/proc/driver/nvidia/gpus/0000:65:00.0/information",
		   "Model: \t\t NVIDIA Two\nGPU UUID: \t GPU-2\n");
	given_file("/proc/driver/nvidia/gpus/0000:3b:00.0/information",
		   "Model: \t\t NVIDIA One\nIRQ:   \t\t 1\nGPU UUID: \t GPU-1\n");
	h = host_of((struct ks_host_ask){ .devices = true });
	assert_int_equal(h->has_gpu, KS_KNOWN_YES);
	assert_false(h->has_nvml);
	expect_text(h->gpu_from, "/proc/driver/nvidia");
	expect_text(h->driver, "570.86.15");
	assert_int_equal(h->n_gpus, 2);
	expect_text(h->gpu[0].name, "NVIDIA One");
	expect_text(h->gpu[1].uuid, "GPU-2");
	assert_true(h->gpu[0].memory_mib == KS_UNKNOWN && h->gpu[0].cc_major == -1);
}

static void a_driver_that_lists_nothing(void **state)
{
	(void)state;
	given_file("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  "
						  "550.54.15  Tue Mar 5\n");
	assert_int_equal(host_of((struct ks_host_ask){ .devices = true })->has_gpu,
			 KS_KNOWN_UNREAD);
}

/* --- libraries, NVBit, container -------------------------------------------------------------- */

static void cupti_candidates_in_their_order(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_env("KS_CUPTI_LIB", at("/mine/libcupti.so.12"));
	given_env("VIRTUAL_ENV", at("/venv"));
	given_file("/mine/libcupti.so.12", "");
	given_file("/venv/lib/python3.12/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12", "");
	given_file("/usr/local/cuda-9.2/extras/CUPTI/lib64/libcupti.so.9.2", "");
	given_file("/usr/local/cuda-12.4/extras/CUPTI/lib64/libcupti.so.2024.1.1", "");
	assert_int_equal(symlink("libcupti.so.2024.1.1",
				 at("/usr/local/cuda-12.4/extras/CUPTI/lib64/libcupti.so.12")),
			 0);
	assert_int_equal(symlink("libcupti.so.12",
				 at("/usr/local/cuda-12.4/extras/CUPTI/lib64/libcupti.so")),
			 0);
	assert_int_equal(symlink("cuda-12.4", at("/usr/local/cuda")), 0);
	given_file("/usr/local/cuda-12.4/targets/sbsa-linux/lib/libcupti.so.2024.1.1", "");
	h = host_of((struct ks_host_ask){ .libraries = true });
	assert_int_equal(h->n_cupti, 5); /* each file once, whatever points to it */
	expect_path(h->cupti[0].path, "/mine/libcupti.so.12");
	expect_text(h->cupti[0].version, "12");
	expect_path(h->cupti[1].path,
		    "/venv/lib/python3.12/site-packages/nvidia/cuda_cupti/lib/libcupti.so.12");
	expect_path(h->cupti[2].path,
		    "/usr/local/cuda-12.4/extras/CUPTI/lib64/libcupti.so.2024.1.1");
	expect_text(h->cupti[2].version, "2024.1.1");
	expect_path(h->cupti[3].path,
		    "/usr/local/cuda-12.4/targets/sbsa-linux/lib/libcupti.so.2024.1.1");
	expect_path(h->cupti[4].path, "/usr/local/cuda-9.2/extras/CUPTI/lib64/libcupti.so.9.2");
	assert_int_equal(h->cupti[0].loads, KS_KNOWN_UNREAD); /* it is no library at all */
}

static void nvbit_by_name_and_by_search(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_file("/opt/a/b/nvbit_release_x86_64/core/libnvbit.a", "");
	given_file("/opt/a/nvbit_release_1.5/core/libnvbit.a", "");
	given_file("/opt/a/nvbit_release_1.10/core/libnvbit.a", "");
	given_file("/opt/nvbit_release_empty/core/other", "");
	h = host_of((struct ks_host_ask){ .nvbit = true });
	expect_path(h->nvbit_path, "/opt/a/nvbit_release_1.10");
	assert_false(h->nvbit_misnamed);
	given_file("/mine/core/libnvbit.a", "");
	given_env("NVBIT_PATH", at("/mine"));
	h = host_of((struct ks_host_ask){ .nvbit = true });
	expect_path(h->nvbit_path, "/mine");
	n_env = 0;
	given_env("NVBIT_PATH", at("/opt/a"));
	h = host_of((struct ks_host_ask){ .nvbit = true });
	assert_true(h->nvbit_misnamed);
	expect_path(h->nvbit_path, "/opt/a/nvbit_release_1.10");
}

static void the_search_for_nvbit_is_bounded(void **state)
{
	(void)state;
	given_file("/opt/a/b/c/nvbit_release/core/libnvbit.a", ""); /* a level too deep */
	given_file("/opt/.hidden/nvbit_release/core/libnvbit.a", "");
	given_file("/elsewhere/nvbit_release/core/libnvbit.a", "");
	assert_int_equal(symlink(at("/elsewhere"), at("/opt/link")), 0);
	assert_int_equal(symlink("..", at("/opt/loop")), 0);
	expect_text(host_of((struct ks_host_ask){ .nvbit = true })->nvbit_path, "");
}

static void container_and_slots(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_file("/.dockerenv", "");
	expect_text(host_of((struct ks_host_ask){ .tools = false })->container, "docker");
	given_file("/run/.containerenv", "");
	expect_text(host_of((struct ks_host_ask){ .tools = false })->container, "podman");
	given_env("container", "lxc");
	expect_text(host_of((struct ks_host_ask){ .tools = false })->container, "lxc");
	given_env("KUBERNETES_SERVICE_HOST", "10.0.0.1");
	given_env("LD_PRELOAD", "/x.so");
	given_env("NVTX_INJECTION64_PATH", "/y.so");
	h = host_of((struct ks_host_ask){ .tools = false });
	expect_text(h->container, "kubernetes");
	expect_text(h->preload, "/x.so");
	expect_text(h->nvtx_injection, "/y.so");
	expect_text(h->cuda_injection, "");
}

/* --- the probe -------------------------------------------------------------------------------- */

static void expect_probe(const char *script, enum ks_probe want, const char *line)
{
	const struct ks_host *h;

	given_program("/usr/bin/ncu", script);
	h = host_of((struct ks_host_ask){ .probe = true, .probe_timeout_ms = 20000 });
	assert_int_equal(h->probe, want);
	expect_text(h->probe_output, line);
	expect_text(h->probe_name, "ncu --query-metrics");
}

static void what_the_probe_says(void **state)
{
	(void)state;
	expect_probe("[ \"$*\" = --query-metrics ] && echo sm__cycles_elapsed", KS_PROBE_ALLOWED,
		     "");
	expect_probe("echo; echo '==ERROR== ERR_NVGPUCTRPERM: see the page' >&2; exit 1",
		     KS_PROBE_DENIED, "==ERROR== ERR_NVGPUCTRPERM: see the page");
	expect_probe("echo ERR_NVGPUCTRPERM; exit 0", KS_PROBE_DENIED, "ERR_NVGPUCTRPERM");
	expect_probe("echo '==ERROR== No devices found'; exit 1", KS_PROBE_NO_DEVICE,
		     "==ERROR== No devices found");
	expect_probe("echo first; echo last; exit 7", KS_PROBE_FAILED, "last");
	expect_probe("echo '==ERROR== something'; exit 0", KS_PROBE_FAILED, "==ERROR== something");
	expect_probe("exit 0", KS_PROBE_FAILED, "");
	expect_probe("kill -9 $$", KS_PROBE_FAILED, "");
}

static void a_probe_that_hangs_is_cut(void **state)
{
	const struct ks_host *h;

	(void)state;
	given_program("/usr/bin/ncu", "echo started; sleep 1000");
	h = host_of((struct ks_host_ask){ .probe = true, .probe_timeout_ms = 200 });
	assert_int_equal(h->probe, KS_PROBE_TIMEOUT);
}

static void no_probe_without_ncu_or_unasked(void **state)
{
	(void)state;
	assert_int_equal(host_of((struct ks_host_ask){ .probe = true })->probe, KS_PROBE_NOT_RUN);
	given_program("/usr/bin/ncu", "echo ran > \"$0.ran\"; echo metric");
	assert_int_equal(host_of((struct ks_host_ask){ .tools = true })->probe, KS_PROBE_NOT_RUN);
	assert_int_equal(access(at("/usr/bin/ncu.ran"), F_OK), -1);
}

/* --- the plan --------------------------------------------------------------------------------- */

struct told {
	size_t n[KS_HOST_RUNS + 1];
	bool params;
};

static void tell(void *arg, enum ks_host_does does, ks_str path)
{
	struct told *t = arg;

	assert_true(path.n > 0);
	t->n[does]++;
	t->params |= does == KS_HOST_OPENS && ks_str_eqc(path, "/my/params");
}

static void a_plan_names_what_is_asked_for(void **state)
{
	struct told t = { .params = false };

	(void)state;
	given_env("KS_NV_PARAMS", "/my/params");
	ks_host_plan(ctx(), &(struct ks_host_ask){ .policy = true }, tell, &t);
	assert_true(t.params);
	assert_int_equal(t.n[KS_HOST_OPENS], 3);
	assert_int_equal(t.n[KS_HOST_LOADS] + t.n[KS_HOST_RUNS], 0);
	t = (struct told){ .params = false };
	ks_host_plan(ctx(), &(struct ks_host_ask){ .probe = true, .devices = true }, tell, &t);
	assert_int_equal(t.n[KS_HOST_RUNS], 1);
	assert_true(t.n[KS_HOST_LOADS] > 0);
	assert_false(t.params);
}

int test_host(void)
{
#define MACHINE_TEST(f) cmocka_unit_test_setup_teardown(f, fresh_machine, give_back)
	const struct CMUnitTest tests[] = {
		MACHINE_TEST(versions_are_numbers),
		MACHINE_TEST(version_sort_of_the_vectors),
		MACHINE_TEST(the_order_of_the_vectors_is_the_tested_one),
		MACHINE_TEST(every_folder_is_listed_in_its_order),
		MACHINE_TEST(tools_are_found_where_they_are),
		MACHINE_TEST(a_path_of_four_thousand_folders),
		MACHINE_TEST(the_policy_files),
		MACHINE_TEST(the_policy_files_can_be_replaced),
		MACHINE_TEST(nothing_there_is_not_read),
		MACHINE_TEST(hostile_files_are_not_read),
		MACHINE_TEST(devices_by_nvml),
		MACHINE_TEST(a_reading_that_fails_is_unknown),
		MACHINE_TEST(sms_by_the_driver),
		MACHINE_TEST(nvml_without_driver_or_devices),
		MACHINE_TEST(libraries_that_are_not_nvml),
		MACHINE_TEST(devices_by_the_drivers_files),
		MACHINE_TEST(a_driver_that_lists_nothing),
		MACHINE_TEST(cupti_candidates_in_their_order),
		MACHINE_TEST(nvbit_by_name_and_by_search),
		MACHINE_TEST(the_search_for_nvbit_is_bounded),
		MACHINE_TEST(container_and_slots),
		MACHINE_TEST(what_the_probe_says),
		MACHINE_TEST(a_probe_that_hangs_is_cut),
		MACHINE_TEST(no_probe_without_ncu_or_unasked),
		MACHINE_TEST(a_plan_names_what_is_asked_for),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
