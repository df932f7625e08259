/* SPDX-License-Identifier: Apache-2.0
 *
 * Which GPUs there are: NVML, and where it does not answer the driver's own files. A machine where
 * neither answers has no GPU only if the driver's device node is missing too.
 */
#include "base/str.h"
#include "source/host_internal.h"

enum { FILE_BYTES = 16384, MAX_DEVICES = 1024 };

/* The value behind "Key:" at the beginning of a line; "" when there is none. */
static ks_str value_of(ks_str text, const char *key)
{
	while (text.p != NULL) {
		const ks_str line = ks_str_cut(&text, '\n');
		ks_str value = line;

		if (ks_str_eqc(ks_str_trim(ks_str_cut(&value, ':')), key) && value.p != NULL)
			return ks_str_trim(value);
	}
	return ks_str_c("");
}

static bool is_version(ks_str word)
{
	bool dot = false;

	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '.')
			dot = true;
		else if (word.p[i] < '0' || word.p[i] > '9')
			return false;
	}
	return dot && word.p[0] != '.' && word.p[word.n - 1] != '.';
}

/* "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue ...": the first word that is a
 * version. */
static ks_str driver_version(ks_str text)
{
	ks_str line = value_of(text, "NVRM version");

	while (line.p != NULL) {
		const ks_str word = ks_str_cut(&line, ' ');

		if (word.n > 0 && is_version(word))
			return word;
	}
	return ks_str_c("");
}

struct ks_host_gpu ks_host_gpu_unread(void)
{
	return (struct ks_host_gpu){
		.name = ks_str_c(""),
		.uuid = ks_str_c(""),
		.cc_major = -1,
		.cc_minor = -1,
		.memory_mib = KS_UNKNOWN,
		.sm_count = KS_UNKNOWN,
		.max_sm_clock_mhz = KS_UNKNOWN,
		.power_limit_w = -1.0,
		.nvlinks = KS_UNKNOWN,
	};
}

static void read_gpu(const struct ks_host_run *r, ks_str path, struct ks_host_gpu *g)
{
	ks_str text;
	bool whole;

	*g = ks_host_gpu_unread();
	if (ks_host_file(r->a, path, FILE_BYTES, &text, &whole)) {
		g->name = value_of(text, "Model");
		g->uuid = value_of(text, "GPU UUID");
	}
}

static void from_driver_files(const struct ks_host_run *r)
{
	const struct ks_paths version = ks_host_paths(r, KS_PLACE_DRIVER_VERSION, false);
	const struct ks_paths file = ks_host_paths(r, KS_PLACE_DRIVER_GPUS, true);
	const size_t n = file.n < MAX_DEVICES ? file.n : MAX_DEVICES;
	struct ks_host *h = r->host;
	ks_str text;
	bool whole;

	if (version.n > 0 && ks_host_file(r->a, version.path[0], FILE_BYTES, &text, &whole))
		h->driver = driver_version(text);
	if (n == 0)
		return;

	struct ks_host_gpu *gpu = KS_ARENA_NEWS(r->a, struct ks_host_gpu, n);

	/* the list is newest first by name; bus addresses go upwards */
	for (size_t i = 0; gpu != NULL && i < n; i++)
		read_gpu(r, file.path[file.n - 1 - i], &gpu[i]);
	h->gpu = gpu;
	h->n_gpus = gpu != NULL ? n : 0;
	h->has_gpu = KS_KNOWN_YES;
	h->gpu_from = KS_LIT("/proc/driver/nvidia");
}

static bool driver_is_there(const struct ks_host_run *r)
{
	const struct ks_paths node = ks_host_paths(r, KS_PLACE_DRIVER_NODE, false);
	bool there = r->host->driver.n > 0;

	for (size_t i = 0; i < node.n; i++)
		there |= ks_host_exists(node.path[i], false);
	return there;
}

void ks_host_devices(const struct ks_host_run *r)
{
	struct ks_host *h = r->host;

	if (h->gpu_from.n == 0)
		from_driver_files(r);
	if (h->has_gpu == KS_KNOWN_UNREAD && !driver_is_there(r))
		h->has_gpu = KS_KNOWN_NO;
	if (r->ask->sm_count && h->has_nvml)
		ks_host_sm_count(r);
}
