/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices by NVML, the management library that comes with the driver. It is loaded here, asked and
 * let go again; it is never needed. Changes no setting of a device.
 */
#include "base/dl.h"
#include "base/str.h"
#include "source/host_internal.h"

/* Return codes that mean something here (documented in NVML's API reference). */
enum {
	NVML_OK = 0,
	NVML_INVALID_ARGUMENT = 2,
	NVML_NOT_SUPPORTED = 3,
	NVML_NO_DRIVER = 9,
};
enum {
	NVML_CLOCK_SM = 1,
	TEXT_BYTES = 96,    /* names, versions and UUIDs; the library's own bounds are lower */
	MAX_DEVICES = 1024, /* more than any machine has: a count above it is not believed */
	MAX_LINKS = 64,
};

typedef struct nvml_device *device; /* opaque */
struct memory {
	unsigned long long total, free, used;
};

/* The functions that are used, by the names of the library. All answer with a return code. */
struct nvml {
	struct ks_dl dl;
	int (*init)(void);
	int (*shutdown)(void);
	const char *(*error_string)(int code);
	int (*driver_version)(char *text, unsigned size);
	int (*cuda_version)(int *version);
	int (*count)(unsigned *n);
	int (*handle)(unsigned index, device *d);
	int (*name)(device d, char *text, unsigned size);
	int (*uuid)(device d, char *text, unsigned size);
	int (*capability)(device d, int *major, int *minor);
	int (*memory)(device d, struct memory *m);
	int (*max_clock)(device d, int clock, unsigned *mhz);
	int (*power_limit)(device d, unsigned *mw);
	int (*link_state)(device d, unsigned link, int *active);
};

#define FIND(field, symbol) lib->field = (__typeof__(lib->field))ks_dl_find(&lib->dl, symbol)

static void find_functions(struct nvml *lib)
{
	FIND(init, "nvmlInit_v2");
	FIND(shutdown, "nvmlShutdown");
	FIND(error_string, "nvmlErrorString");
	FIND(driver_version, "nvmlSystemGetDriverVersion");
	FIND(cuda_version, "nvmlSystemGetCudaDriverVersion_v2");
	FIND(count, "nvmlDeviceGetCount_v2");
	FIND(handle, "nvmlDeviceGetHandleByIndex_v2");
	FIND(name, "nvmlDeviceGetName");
	FIND(uuid, "nvmlDeviceGetUUID");
	FIND(capability, "nvmlDeviceGetCudaComputeCapability");
	FIND(memory, "nvmlDeviceGetMemoryInfo");
	FIND(max_clock, "nvmlDeviceGetMaxClockInfo");
	FIND(power_limit, "nvmlDeviceGetPowerManagementLimit");
	FIND(link_state, "nvmlDeviceGetNvLinkState");
}

static ks_str text_of(struct ks_arena *a, char *text, int code)
{
	text[TEXT_BYTES - 1] = '\0';
	return code == NVML_OK ? ks_arena_dup(a, ks_str_trim(ks_str_c(text))) : ks_str_c("");
}

/* Links that are up. A device that says it has no NVLink has 0 of them; any other refusal leaves
 * the number unknown. */
static int64_t active_links(const struct nvml *lib, device d)
{
	int64_t active = 0;

	if (lib->link_state == NULL)
		return KS_UNKNOWN;
	for (unsigned link = 0; link < MAX_LINKS; link++) {
		int up = 0;
		const int code = lib->link_state(d, link, &up);

		if (code == NVML_INVALID_ARGUMENT && link > 0)
			break;
		if (code == NVML_OK)
			active += up != 0;
		else if (code != NVML_NOT_SUPPORTED)
			return KS_UNKNOWN;
	}
	return active;
}

static void read_numbers(const struct nvml *lib, device d, struct ks_host_gpu *g)
{
	struct memory m = { 0 };
	unsigned mhz = 0, mw = 0;
	int major = -1, minor = -1;

	if (lib->capability != NULL && lib->capability(d, &major, &minor) == NVML_OK && major > 0 &&
	    minor >= 0) {
		g->cc_major = major;
		g->cc_minor = minor;
	}
	if (lib->memory != NULL && lib->memory(d, &m) == NVML_OK && m.total > 0)
		g->memory_mib = (int64_t)(m.total >> 20);
	if (lib->max_clock != NULL && lib->max_clock(d, NVML_CLOCK_SM, &mhz) == NVML_OK && mhz > 0)
		g->max_sm_clock_mhz = (int64_t)mhz;
	if (lib->power_limit != NULL && lib->power_limit(d, &mw) == NVML_OK)
		g->power_limit_w = (double)mw / 1000.0;
	g->nvlinks = active_links(lib, d);
}

static void read_device(const struct nvml *lib, unsigned index, struct ks_arena *a,
			struct ks_host_gpu *g)
{
	char text[TEXT_BYTES] = "";
	device d = NULL;

	*g = ks_host_gpu_unread();
	if (lib->handle == NULL || lib->handle(index, &d) != NVML_OK)
		return;
	if (lib->name != NULL)
		g->name = text_of(a, text, lib->name(d, text, sizeof(text)));
	if (lib->uuid != NULL)
		g->uuid = text_of(a, text, lib->uuid(d, text, sizeof(text)));
	read_numbers(lib, d, g);
}

static void read_versions(const struct nvml *lib, const struct ks_host_run *r)
{
	char text[TEXT_BYTES] = "";
	int cuda = 0;

	if (lib->driver_version != NULL)
		r->host->driver = text_of(r->a, text, lib->driver_version(text, sizeof(text)));
	/* 1000 for the major and 10 for the minor version, as the driver counts */
	if (lib->cuda_version != NULL && lib->cuda_version(&cuda) == NVML_OK && cuda > 0)
		r->host->cuda = ks_arena_fmt(r->a, "%d.%d", cuda / 1000, cuda % 1000 / 10);
}

static void read_all(const struct nvml *lib, const struct ks_host_run *r)
{
	struct ks_host *h = r->host;
	unsigned n = 0;

	h->has_nvml = true;
	h->gpu_from = KS_LIT("nvml");
	read_versions(lib, r);
	if (lib->count == NULL || lib->count(&n) != NVML_OK || n > MAX_DEVICES)
		return;
	h->has_gpu = n > 0 ? KS_KNOWN_YES : KS_KNOWN_NO;

	struct ks_host_gpu *gpu = KS_ARENA_NEWS(r->a, struct ks_host_gpu, n);

	for (unsigned i = 0; gpu != NULL && i < n; i++)
		read_device(lib, i, r->a, &gpu[i]);
	h->gpu = gpu;
	h->n_gpus = gpu != NULL ? n : 0;
}

/* What the library says about itself goes into `c`. True when it could be asked, so that no other
 * is tried. */
static bool ask(const struct ks_host_run *r, const char *file, struct ks_library *c)
{
	struct nvml lib = { .init = NULL };
	char text[512] = "";

	if (!ks_dl_open(&lib.dl, file, text, sizeof(text))) {
		c->loads = KS_KNOWN_NO;
		c->why = ks_arena_dup(r->a, ks_str_c(text));
		r->a->failed |= ks_dl_no_memory(text);
		return false;
	}
	if (ks_dl_path(&lib.dl, text, sizeof(text)))
		c->path = ks_arena_dup(r->a, ks_str_c(text));
	find_functions(&lib);

	const int code = lib.init != NULL ? lib.init() : -1;

	c->loads = code == NVML_OK ? KS_KNOWN_YES : KS_KNOWN_NO;
	if (code == NVML_OK) {
		read_all(&lib, r);
		c->version = r->host->driver;
		if (lib.shutdown != NULL)
			(void)lib.shutdown();
	} else if (lib.init == NULL) {
		c->why = KS_LIT("nvmlInit_v2: not in this library");
	} else {
		const char *said = lib.error_string != NULL ? lib.error_string(code) : NULL;

		c->why = ks_arena_fmt(r->a, "nvmlInit_v2: %s (%d)", said != NULL ? said : "error",
				      code);
		if (code == NVML_NO_DRIVER)
			r->host->has_gpu = KS_KNOWN_NO;
	}
	ks_dl_close(&lib.dl);
	return code == NVML_OK;
}

void ks_host_nvml(const struct ks_host_run *r)
{
	const struct ks_paths soname = ks_host_paths(r, KS_PLACE_NVML_SONAME, false);
	const struct ks_paths file = ks_host_paths(r, KS_PLACE_NVML, false);
	struct ks_library *c = KS_ARENA_NEWS(r->a, struct ks_library, file.n + 1);
	bool done = false;
	size_t n = 0;

	if (c == NULL || soname.n == 0)
		return;
	if (r->root[0] == '\0' && r->ask->devices) {
		c[0] = (struct ks_library){ soname.path[0], ks_str_c(""), KS_KNOWN_UNREAD,
					    ks_str_c("") };
		done = ask(r, soname.path[0].p, &c[0]);
		n = done || c[0].path.p != soname.path[0].p;
	}
	for (size_t i = 0; i < file.n; i++) {
		bool same = false;

		for (size_t k = 0; k < n; k++)
			same |= ks_str_eq(c[k].path, file.path[i]);
		if (same || !ks_host_exists(file.path[i], false))
			continue;
		c[n] = (struct ks_library){ file.path[i], ks_str_c(""), KS_KNOWN_UNREAD,
					    ks_str_c("") };
		if (!done && r->ask->devices)
			done = ask(r, file.path[i].p, &c[n]);
		n++;
	}
	r->host->nvml = c;
	r->host->n_nvml = n;
}
