/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of places and what its rows stand for in this environment. Opens only what
 * ks_host_file is given.
 */
#include "source/host_places.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/str.h"

/* Plenty of toolkits for one machine. */
enum { MOST_MATCHES = 1024 };

#if defined(__aarch64__)
#define MULTIARCH "aarch64-linux-gnu"
#else
#define MULTIARCH "x86_64-linux-gnu"
#endif

/* A folder that holds a library `so` in each of the ways in which drivers are installed: by
 * distributions, by NVIDIA's installer, by container runtimes, in WSL. */
#define LIBRARY(kind, so)                                                                          \
	{ kind, KS_BASE_LIST, "LD_LIBRARY_PATH", "/" so },                                         \
		{ kind, KS_BASE_ROOT, NULL, "/usr/lib/" MULTIARCH "/" so },                        \
		{ kind, KS_BASE_ROOT, NULL, "/usr/lib64/" so },                                    \
		{ kind, KS_BASE_ROOT, NULL, "/usr/lib/" so },                                      \
		{ kind, KS_BASE_ROOT, NULL, "/usr/local/nvidia/lib64/" so },                       \
	{                                                                                          \
		kind, KS_BASE_ROOT, NULL, "/usr/lib/wsl/lib/" so                                   \
	}

/* The folders of CUPTI below a toolkit. */
#define CUPTI(base, env, prefix)                                                                   \
	{ KS_PLACE_CUPTI, base, env, prefix "/extras/CUPTI/lib64/libcupti.so*" },                  \
		{ KS_PLACE_CUPTI, base, env, prefix "/lib64/libcupti.so*" },                       \
	{                                                                                          \
		KS_PLACE_CUPTI, base, env, prefix "/targets/*/lib/libcupti.so*"                    \
	}

/* CUPTI of the Python packages. */
#define WHEELS(env)                                                                                \
	{ KS_PLACE_CUPTI, KS_BASE_ENV, env,                                                        \
	  "/lib/python3*/site-packages/nvidia/cu13/lib/libcupti.so*" },                            \
	{                                                                                          \
		KS_PLACE_CUPTI, KS_BASE_ENV, env,                                                  \
			"/lib/python3*/site-packages/nvidia/cuda_cupti/lib/libcupti.so*"           \
	}

const struct ks_place ks_places[] = {
	{ KS_PLACE_NVML_SONAME, KS_BASE_PLAIN, NULL, "libnvidia-ml.so.1" },
	LIBRARY(KS_PLACE_NVML, "libnvidia-ml.so.1"),
	{ KS_PLACE_DRIVER_VERSION, KS_BASE_ROOT, NULL, "/proc/driver/nvidia/version" },
	{ KS_PLACE_DRIVER_GPUS, KS_BASE_ROOT, NULL, "/proc/driver/nvidia/gpus/*/information" },
	{ KS_PLACE_DRIVER_NODE, KS_BASE_ROOT, NULL, "/dev/nvidiactl" },
	{ KS_PLACE_DRIVER_NODE, KS_BASE_ROOT, NULL, "/dev/dxg" },
	{ KS_PLACE_CUDA_SONAME, KS_BASE_PLAIN, NULL, "libcuda.so.1" },
	LIBRARY(KS_PLACE_CUDA, "libcuda.so.1"),

	/* contract 06 §22, then each tool's own folders */
	{ KS_PLACE_PATH, KS_BASE_LIST, "PATH", "" },
	{ KS_PLACE_TOOL, KS_BASE_LIST, "KS_TOOL_SEARCH_DIRS", "" },
	{ KS_PLACE_TOOL, KS_BASE_ENV, "CUDA_HOME", "/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ENV, "CUDA_PATH", "/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ENV, "CUDA_ROOT", "/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ROOT, NULL, "/usr/local/cuda/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ROOT, NULL, "/usr/local/cuda-*/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ROOT, NULL, "/opt/cuda/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ROOT, NULL, "/usr/local/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ROOT, NULL, "/usr/bin" },
	{ KS_PLACE_TOOL, KS_BASE_ROOT, NULL, "/bin" },
	{ KS_PLACE_NSYS, KS_BASE_ROOT, NULL, "/opt/nvidia/nsight-systems/*/bin" },
	{ KS_PLACE_NSYS, KS_BASE_ROOT, NULL, "/opt/nvidia/nsight-systems-cli/*/bin" },
	{ KS_PLACE_NCU, KS_BASE_ROOT, NULL, "/opt/nvidia/nsight-compute/*" },
	{ KS_PLACE_PROBE, KS_BASE_PLAIN, NULL, "ncu --query-metrics" },

	{ KS_PLACE_PARAMS, KS_BASE_FILE, "KS_NV_PARAMS", "/proc/driver/nvidia/params" },
	{ KS_PLACE_STATUS, KS_BASE_FILE, "KS_PROC_STATUS", "/proc/self/status" },
	{ KS_PLACE_PARANOID, KS_BASE_FILE, "KS_PERF_PARANOID",
	  "/proc/sys/kernel/perf_event_paranoid" },

	/* contract 08 §3.8 */
	{ KS_PLACE_CUPTI, KS_BASE_ENV, "KS_CUPTI_LIB", "" },
	WHEELS("VIRTUAL_ENV"),
	WHEELS("CONDA_PREFIX"),
	CUPTI(KS_BASE_ENV, "CUDA_HOME", ""),
	CUPTI(KS_BASE_ENV, "CUDA_PATH", ""),
	CUPTI(KS_BASE_ENV, "CUDA_ROOT", ""),
	CUPTI(KS_BASE_ROOT, NULL, "/usr/local/cuda"),
	CUPTI(KS_BASE_ROOT, NULL, "/usr/local/cuda-*"),
	LIBRARY(KS_PLACE_CUPTI, "libcupti.so*"),
	{ KS_PLACE_CUPTI, KS_BASE_ROOT, NULL,
	  "/opt/nvidia/nsight-systems*/*/target-linux-*/libcupti.so*" },

	{ KS_PLACE_NVBIT_NAMED, KS_BASE_ENV, "NVBIT_PATH", "" },
	{ KS_PLACE_NVBIT, KS_BASE_PLAIN, NULL, "." },
	{ KS_PLACE_NVBIT, KS_BASE_ENV, "HOME", "" },
	{ KS_PLACE_NVBIT, KS_BASE_ROOT, NULL, "/root" },
	{ KS_PLACE_NVBIT, KS_BASE_ROOT, NULL, "/opt" },
	{ KS_PLACE_NVBIT, KS_BASE_ROOT, NULL, "/usr/local" },
	{ KS_PLACE_NVBIT, KS_BASE_ROOT, NULL, "/workspace" },
	{ KS_PLACE_NVBIT, KS_BASE_ROOT, NULL, "/mnt" },

	{ KS_PLACE_DOCKER, KS_BASE_ROOT, NULL, "/.dockerenv" },
	{ KS_PLACE_PODMAN, KS_BASE_ROOT, NULL, "/run/.containerenv" },
};
const size_t ks_n_places = KS_ARRAY_LEN(ks_places);

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The run of digits at *s, without its leading zeros; *s moves behind it. */
static ks_str number(ks_str *s)
{
	ks_str run;

	while (s->n > 1 && s->p[0] == '0' && digit(s->p[1])) {
		s->p++;
		s->n--;
	}
	run = (ks_str){ s->p, 0 };
	while (s->n > 0 && digit(s->p[0])) {
		run.n++;
		s->p++;
		s->n--;
	}
	return run;
}

static int step(ks_str *a, ks_str *b)
{
	if (digit(a->p[0]) && digit(b->p[0])) {
		const ks_str x = number(a), y = number(b);

		return x.n != y.n ? (x.n < y.n ? -1 : 1) : ks_str_cmp(x, y);
	}
	if (digit(a->p[0]) != digit(b->p[0]))
		return digit(a->p[0]) ? 1 : -1;

	const unsigned char x = (unsigned char)a->p[0], y = (unsigned char)b->p[0];

	a->p++;
	b->p++;
	a->n--;
	b->n--;
	return (x > y) - (x < y);
}

int ks_version_cmp(ks_str a, ks_str b)
{
	int order = 0;

	while (order == 0 && a.n > 0 && b.n > 0)
		order = step(&a, &b);
	if (order != 0)
		return order < 0 ? -1 : 1;
	return (a.n > b.n) - (a.n < b.n);
}

static int newest_first(const void *a, const void *b)
{
	return ks_version_cmp(*(const ks_str *)b, *(const ks_str *)a);
}

static void append(struct ks_arena *a, struct ks_paths *l, ks_str path)
{
	for (size_t i = 0; i < l->n; i++)
		if (ks_str_eq(l->path[i], path))
			return;
	if (l->n == l->cap) {
		const size_t cap = l->cap ? 2 * l->cap : 32;
		ks_str *grown = KS_ARENA_NEWS(a, ks_str, cap);

		if (grown == NULL)
			return;
		if (l->n > 0)
			memcpy(grown, l->path, l->n * sizeof(*grown));
		l->path = grown;
		l->cap = cap;
	}
	l->path[l->n++] = path;
}

/* `*` stands for any run of characters, as in a shell; nothing else is special. */
static bool matches(ks_str pattern, ks_str name)
{
	size_t p = 0, n = 0, star = SIZE_MAX, from = 0;

	while (n < name.n) {
		if (p < pattern.n && pattern.p[p] == '*') {
			star = p++;
			from = n;
		} else if (p < pattern.n && pattern.p[p] == name.p[n]) {
			p++;
			n++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			n = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}

/* The entries of one folder that match; hidden ones are left out. */
static void list_matches(struct ks_arena *a, ks_str folder, ks_str pattern, struct ks_paths *next)
{
	DIR *d = opendir(folder.n > 0 ? folder.p : "/");
	const struct dirent *e;

	if (d == NULL) {
		a->failed |= errno == ENOMEM; /* that is not "nothing there" */
		return;
	}
	while (next->n < MOST_MATCHES && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' && matches(pattern, ks_str_c(e->d_name)))
			append(a, next,
			       ks_arena_fmt(a, "%.*s/%s", (int)folder.n, folder.p, e->d_name));
	(void)closedir(d);
}

/* The existing paths that a pattern of several components stands for. Not glob(3): the C library
 * frees twice there when memory runs out (glibc 2.36). */
static void look_for(struct ks_arena *a, ks_str base, const char *pattern, struct ks_paths *paths)
{
	struct ks_paths level = { .n = 0 };
	ks_str rest = ks_str_c(pattern);

	append(a, &level, ks_arena_dup(a, base));
	while (rest.p != NULL) {
		const ks_str part = ks_str_cut(&rest, '/');
		struct ks_paths next = { .n = 0 };

		for (size_t i = 0; i < level.n && part.n > 0; i++) {
			const ks_str from = level.path[i];

			if (memchr(part.p, '*', part.n) != NULL)
				list_matches(a, from, part, &next);
			else
				append(a, &next,
				       ks_arena_fmt(a, "%.*s/%.*s", (int)from.n, from.p,
						    (int)part.n, part.p));
		}
		if (part.n > 0)
			level = next;
	}
	if (level.n > 0)
		qsort(level.path, level.n, sizeof(*level.path), newest_first);
	for (size_t i = 0; i < level.n; i++)
		if (ks_host_exists(level.path[i], false))
			append(a, paths, level.path[i]);
}

static void add_one(struct ks_arena *a, ks_str base, const char *path, bool look,
		    struct ks_paths *paths)
{
	if (base.n + strlen(path) >= PATH_MAX)
		return;
	if (look && strchr(path, '*') != NULL)
		look_for(a, base, path, paths);
	else
		append(a, paths, ks_arena_fmt(a, "%.*s%s", (int)base.n, base.p, path));
}

void ks_place_add(const struct ks_ctx *ctx, const char *root, const struct ks_place *place,
		  bool look, struct ks_arena *a, struct ks_paths *paths)
{
	const char *value = place->env != NULL && ctx->env != NULL ? ctx->env(place->env) : NULL;
	const bool set = value != NULL && value[0] != '\0';
	ks_str rest = ks_str_c(value);

	switch (place->base) {
	case KS_BASE_ROOT:
		add_one(a, ks_str_c(root), place->path, look, paths);
		break;
	case KS_BASE_FILE:
		add_one(a, ks_str_c(set ? value : root), set ? "" : place->path, look, paths);
		break;
	case KS_BASE_ENV:
		if (set)
			add_one(a, rest, place->path, look, paths);
		break;
	case KS_BASE_LIST:
		while (set && rest.p != NULL) {
			const ks_str folder = ks_str_cut(&rest, ':');
			const bool searched = place->kind == KS_PLACE_TOOL;

			if (folder.n > 0 && (folder.p[0] == '/' || searched))
				add_one(a, folder, place->path, look, paths);
		}
		break;
	case KS_BASE_PLAIN:
		add_one(a, ks_str_c(""), place->path, look, paths);
		break;
	}
}

void ks_places_of(const struct ks_ctx *ctx, const char *root, enum ks_place_kind kind, bool look,
		  struct ks_arena *a, struct ks_paths *paths)
{
	for (size_t i = 0; i < ks_n_places; i++)
		if (ks_places[i].kind == kind)
			ks_place_add(ctx, root, &ks_places[i], look, a, paths);
}

bool ks_host_file(struct ks_arena *a, ks_str path, size_t most, ks_str *text, bool *whole)
{
	char *p = ks_arena_alloc(a, most + 1);
	const int fd = p != NULL ? open(path.p, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	struct stat st;
	size_t n = 0;
	ssize_t got = -1;

	*text = ks_str_c("");
	*whole = false;
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		do {
			got = read(fd, p + n, most - n);
			n += got > 0 ? (size_t)got : 0;
		} while (got > 0 && n < most);
	}
	(void)close(fd);
	if (got < 0)
		return false;
	*text = (ks_str){ p, n };
	*whole = n < most;
	return true;
}

bool ks_host_exists(ks_str path, bool folder)
{
	struct stat st;

	return path.n > 0 && stat(path.p, &st) == 0 && (!folder || S_ISDIR(st.st_mode));
}
