/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the host part by part, and tells a plan what each part looks at.
 */
#include "source/host.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include "base/str.h"
#include "source/host_internal.h"
#include "source/tool.h"

struct ks_paths ks_host_paths(const struct ks_host_run *r, enum ks_place_kind kind, bool look)
{
	struct ks_paths p = { .n = 0 };

	ks_places_of(r->ctx, r->root, kind, look, r->a, &p);
	return p;
}

static ks_str env_of(const struct ks_host_run *r, const char *name)
{
	return ks_arena_dup(r->a, ks_str_c(r->ctx->env != NULL ? r->ctx->env(name) : NULL));
}

static void read_platform(const struct ks_host_run *r)
{
	struct utsname u;

	r->host->uid = (int64_t)geteuid();
	r->host->platform = uname(&u) == 0
				    ? ks_arena_fmt(r->a, "%s %s %s, glibc %s", u.sysname, u.release,
						   u.machine, gnu_get_libc_version())
				    : ks_str_c("");
}

/* The outermost manager is named where several have left a mark: it is the one to ask. */
static void read_container(const struct ks_host_run *r)
{
	const struct ks_paths docker = ks_host_paths(r, KS_PLACE_DOCKER, false);
	const struct ks_paths podman = ks_host_paths(r, KS_PLACE_PODMAN, false);
	const ks_str said = env_of(r, "container");

	if (env_of(r, "KUBERNETES_SERVICE_HOST").n > 0)
		r->host->container = KS_LIT("kubernetes");
	else if (said.n > 0)
		r->host->container = said;
	else if (podman.n > 0 && ks_host_exists(podman.path[0], false))
		r->host->container = KS_LIT("podman");
	else if (docker.n > 0 && ks_host_exists(docker.path[0], false))
		r->host->container = KS_LIT("docker");
}

static void nothing_read(struct ks_host *h)
{
	const ks_str none = ks_str_c("");

	h->platform = h->driver = h->cuda = h->gpu_from = none;
	h->has_gpu = h->admin_only = KS_KNOWN_UNREAD;
	h->params_path = h->status_path = h->paranoid_path = none;
	h->perf_paranoid = KS_UNKNOWN;
	h->nvbit_path = h->container = h->probe_name = h->probe_output = none;
	h->probe = KS_PROBE_NOT_RUN;
	for (size_t i = 0; i < KS_TOOL_COUNT; i++)
		h->tool[i].name = h->tool[i].path = none;
}

static void read_parts(const struct ks_host_run *r)
{
	const struct ks_host_ask *ask = r->ask;

	read_platform(r);
	read_container(r);
	r->host->cuda_injection = env_of(r, "CUDA_INJECTION64_PATH");
	r->host->nvtx_injection = env_of(r, "NVTX_INJECTION64_PATH");
	r->host->preload = env_of(r, "LD_PRELOAD");
	if (ask->devices || ask->libraries)
		ks_host_nvml(r);
	if (ask->devices)
		ks_host_devices(r);
	if (ask->tools || ask->probe)
		ks_tools_search(r->ctx, r->root, r->a, r->host->tool);
	if (ask->policy)
		ks_host_policy(r);
	if (ask->libraries)
		ks_host_libraries(r);
	if (ask->nvbit)
		ks_host_nvbit(r);
	if (ask->probe)
		ks_host_probe(r);
	ks_host_redact(r);
}

enum ks_status ks_host_read(const struct ks_ctx *ctx, const struct ks_host_ask *ask,
			    struct ks_host **host, struct ks_err *err)
{
	struct ks_host *h = KS_ARENA_NEW(ctx->run, struct ks_host);
	const struct ks_host_run r = { ctx, ask, ask->root != NULL ? ask->root : "", ctx->run, h };

	*host = h;
	if (h != NULL) {
		nothing_read(h);
		read_parts(&r);
	}
	return ks_arena_failed(ctx->run) ? ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_HOST_MEMORY, NULL)
					 : KS_OK;
}

enum {
	DEVICES = 1,
	SM_COUNT = 2,
	TOOLS = 4,
	POLICY = 8,
	LIBRARIES = 16,
	NVBIT = 32,
	PROBE = 64,
	ALWAYS = 128
};

/* What is done at a place, and which parts of an ask reach it. */
static const struct {
	enum ks_host_does does;
	unsigned when;
} at_place[] = {
	[KS_PLACE_DRIVER_VERSION] = { KS_HOST_OPENS, DEVICES },
	[KS_PLACE_DRIVER_GPUS] = { KS_HOST_OPENS, DEVICES },
	[KS_PLACE_DRIVER_NODE] = { KS_HOST_SEARCHES, DEVICES },
	[KS_PLACE_NVML_SONAME] = { KS_HOST_LOADS, DEVICES },
	[KS_PLACE_NVML] = { KS_HOST_LOADS, DEVICES | LIBRARIES },
	[KS_PLACE_CUDA_SONAME] = { KS_HOST_LOADS, SM_COUNT },
	[KS_PLACE_CUDA] = { KS_HOST_LOADS, SM_COUNT },
	[KS_PLACE_PATH] = { KS_HOST_SEARCHES, TOOLS },
	[KS_PLACE_TOOL] = { KS_HOST_SEARCHES, TOOLS },
	[KS_PLACE_NSYS] = { KS_HOST_SEARCHES, TOOLS },
	[KS_PLACE_NCU] = { KS_HOST_SEARCHES, TOOLS },
	[KS_PLACE_PARAMS] = { KS_HOST_OPENS, POLICY },
	[KS_PLACE_STATUS] = { KS_HOST_OPENS, POLICY },
	[KS_PLACE_PARANOID] = { KS_HOST_OPENS, POLICY },
	[KS_PLACE_CUPTI] = { KS_HOST_SEARCHES, LIBRARIES },
	[KS_PLACE_NVBIT_NAMED] = { KS_HOST_SEARCHES, NVBIT },
	[KS_PLACE_NVBIT] = { KS_HOST_SEARCHES, NVBIT },
	[KS_PLACE_DOCKER] = { KS_HOST_SEARCHES, ALWAYS },
	[KS_PLACE_PODMAN] = { KS_HOST_SEARCHES, ALWAYS },
	[KS_PLACE_PROBE] = { KS_HOST_RUNS, PROBE },
};

static unsigned parts_of(const struct ks_host_ask *ask)
{
	return ALWAYS | (ask->devices ? DEVICES : 0) |
	       (ask->devices && ask->sm_count ? SM_COUNT : 0) |
	       (ask->tools || ask->probe ? TOOLS : 0) | (ask->policy ? POLICY : 0) |
	       (ask->libraries ? LIBRARIES : 0) | (ask->nvbit ? NVBIT : 0) |
	       (ask->probe ? PROBE : 0);
}

/* Whether the ask reaches a place, and what is done there. */
static bool reached(const struct ks_host_ask *ask, enum ks_place_kind kind, enum ks_host_does *does)
{
	const bool rooted = ask->root != NULL && ask->root[0] != '\0';
	const bool soname = kind == KS_PLACE_NVML_SONAME || kind == KS_PLACE_CUDA_SONAME;

	*does = at_place[kind].does;
	if (kind == KS_PLACE_NVML && !ask->devices)
		*does = KS_HOST_SEARCHES;
	return (at_place[kind].when & parts_of(ask)) != 0 && !(soname && rooted);
}

void ks_host_plan(const struct ks_ctx *ctx, const struct ks_host_ask *ask, ks_host_plan_fn *say,
		  void *arg)
{
	const char *root = ask->root != NULL ? ask->root : "";

	for (size_t i = 0; i < ks_n_places; i++) {
		struct ks_paths p = { .n = 0 };
		enum ks_host_does does;

		if (!reached(ask, ks_places[i].kind, &does))
			continue;
		ks_place_add(ctx, root, &ks_places[i], false, ctx->run, &p);
		for (size_t k = 0; k < p.n; k++)
			say(arg, does, p.path[k]);
	}
}
