/* SPDX-License-Identifier: Apache-2.0
 *
 * The number of SMs by the driver API: NVML has no query for it. Makes no context. Not asked while
 * an injection slot is set: cuInit would load that library into this process.
 */
#include "base/dl.h"
#include "base/str.h"
#include "source/host_internal.h"

enum {
	CU_MULTIPROCESSOR_COUNT = 16,
	UUID_BYTES = 16,
	UUID_TEXT = 40, /* "GPU-" and 36 characters */
	MAX_DEVICES = 1024,
};

struct uuid {
	unsigned char byte[UUID_BYTES];
};

struct cuda {
	struct ks_dl dl;
	int (*init)(unsigned flags);
	int (*count)(int *n);
	int (*get)(int *device, int ordinal);
	int (*attribute)(int *value, int what, int device);
	int (*uuid)(struct uuid *id, int device);
};

#define FIND(field, symbol) lib->field = (__typeof__(lib->field))ks_dl_find(&lib->dl, symbol)

static bool find_functions(struct cuda *lib)
{
	FIND(init, "cuInit");
	FIND(count, "cuDeviceGetCount");
	FIND(get, "cuDeviceGet");
	FIND(attribute, "cuDeviceGetAttribute");
	FIND(uuid, "cuDeviceGetUuid");
	return lib->init && lib->count && lib->get && lib->attribute && lib->uuid;
}

/* As NVML writes it: GPU-01234567-89ab-cdef-0123-456789abcdef. */
static void uuid_text(const struct uuid *id, char text[UUID_TEXT + 1])
{
	static const char hex[] = "0123456789abcdef";
	size_t n = 4;

	memcpy(text, "GPU-", 4);
	for (size_t i = 0; i < UUID_BYTES; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			text[n++] = '-';
		text[n++] = hex[id->byte[i] >> 4];
		text[n++] = hex[id->byte[i] & 15];
	}
	text[n] = '\0';
}

/* Ordinals follow CUDA_VISIBLE_DEVICES and NVML's do not: the two are joined by UUID. */
static void put(struct ks_host_gpu *gpu, size_t n, const struct uuid *id, int sms)
{
	char text[UUID_TEXT + 1];

	uuid_text(id, text);
	for (size_t i = 0; i < n; i++)
		if (ks_str_eqc(gpu[i].uuid, text))
			gpu[i].sm_count = sms;
}

static void ask(const struct cuda *lib, struct ks_host_gpu *gpu, size_t n_gpus)
{
	int n = 0;

	if (lib->init(0) != 0 || lib->count(&n) != 0 || n > MAX_DEVICES)
		return;
	for (int i = 0; i < n; i++) {
		struct uuid id;
		int device = 0, sms = 0;

		if (lib->get(&device, i) == 0 && lib->uuid(&id, device) == 0 &&
		    lib->attribute(&sms, CU_MULTIPROCESSOR_COUNT, device) == 0 && sms > 0)
			put(gpu, n_gpus, &id, sms);
	}
}

static bool load_one(const struct ks_host_run *r, ks_str file, struct cuda *lib)
{
	char why[512] = "";

	if (ks_dl_open(&lib->dl, file.p, why, sizeof(why)))
		return true;
	r->a->failed |= ks_dl_no_memory(why);
	return false;
}

/* By soname as any program would, else from the folders in which drivers put it. */
static bool load(const struct ks_host_run *r, struct cuda *lib)
{
	const struct ks_paths soname = ks_host_paths(r, KS_PLACE_CUDA_SONAME, false);
	const struct ks_paths file = ks_host_paths(r, KS_PLACE_CUDA, false);

	if (r->root[0] == '\0' && soname.n > 0 && load_one(r, soname.path[0], lib))
		return true;
	for (size_t i = 0; i < file.n; i++)
		if (ks_host_exists(file.path[i], false) && load_one(r, file.path[i], lib))
			return true;
	return false;
}

void ks_host_sm_count(const struct ks_host_run *r)
{
	struct ks_host *h = r->host;
	struct cuda lib = { .init = NULL };

	if (h->n_gpus == 0 || h->cuda_injection.n > 0 || h->nvtx_injection.n > 0 || !load(r, &lib))
		return;
	struct ks_host_gpu *gpu = KS_ARENA_NEWS(r->a, struct ks_host_gpu, h->n_gpus);

	if (gpu != NULL && find_functions(&lib)) {
		memcpy(gpu, h->gpu, h->n_gpus * sizeof(*gpu));
		ask(&lib, gpu, h->n_gpus);
		h->gpu = gpu;
	}
	/* the driver starts threads of its own: its library stays loaded to our end */
}
