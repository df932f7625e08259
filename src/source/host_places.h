/* SPDX-License-Identifier: Apache-2.0
 *
 * Every file, folder, library and program that reading the host looks at: one table, in the order
 * in which they are tried. The modules of host and tool take their paths from here and from nowhere
 * else.
 */
#ifndef KS_SOURCE_HOST_PLACES_H
#define KS_SOURCE_HOST_PLACES_H

#include "source/host.h"

enum ks_place_kind {
	KS_PLACE_DRIVER_VERSION,
	KS_PLACE_DRIVER_GPUS,
	KS_PLACE_DRIVER_NODE, /* there when the driver is; looked for, never opened */
	KS_PLACE_NVML_SONAME,
	KS_PLACE_NVML,
	KS_PLACE_CUDA_SONAME,
	KS_PLACE_CUDA,
	KS_PLACE_PATH,
	KS_PLACE_TOOL, /* a folder of programs */
	KS_PLACE_NSYS, /* the same, of nsys alone */
	KS_PLACE_NCU,  /* of ncu alone */
	KS_PLACE_PARAMS,
	KS_PLACE_STATUS,
	KS_PLACE_PARANOID,
	KS_PLACE_CUPTI,
	KS_PLACE_NVBIT_NAMED,
	KS_PLACE_NVBIT, /* a root of the search */
	KS_PLACE_DOCKER,
	KS_PLACE_PODMAN,
	KS_PLACE_PROBE
};

enum ks_place_base {
	KS_BASE_ROOT,  /* `path` stands below the root */
	KS_BASE_FILE,  /* $env alone when it is set, else `path` below the root */
	KS_BASE_ENV,   /* $env followed by `path`; nothing when it is not set */
	KS_BASE_LIST,  /* each folder of the list $env, followed by `path` */
	KS_BASE_PLAIN, /* `path` as it is: a soname, a command line, the current folder */
};

struct ks_place {
	enum ks_place_kind kind;
	enum ks_place_base base;
	const char *env, *path;
};
extern const struct ks_place ks_places[];
extern const size_t ks_n_places;

struct ks_paths { /* in ctx->run or another arena */
	ks_str *path;
	size_t n, cap;
};

/* Appends what a row stands for. With `look`, a path with `*` becomes the existing ones, highest
 * version first (ks_version_cmp); without, the pattern stays. Paths without `*` are appended
 * whether they exist or not, and each path once. Relative entries of PATH, and empty ones, are left
 * out: they mean whatever folder we stand in. */
void ks_place_add(const struct ks_ctx *ctx, const char *root, const struct ks_place *place,
		  bool look, struct ks_arena *a, struct ks_paths *paths);
/* All rows of one kind. */
void ks_places_of(const struct ks_ctx *ctx, const char *root, enum ks_place_kind kind, bool look,
		  struct ks_arena *a, struct ks_paths *paths);

/* Numbers inside the names count as numbers: cuda-9.2 < cuda-11.8 < cuda-13.0; at the same place a
 * number stands above a letter. -1, 0, 1. */
int ks_version_cmp(ks_str a, ks_str b);

/* The first bytes of a regular file, at most `most`; false when it cannot be read. *whole: there
 * was no more. Never blocks on a pipe or device. */
bool ks_host_file(struct ks_arena *a, ks_str path, size_t most, ks_str *text, bool *whole);
bool ks_host_exists(ks_str path, bool folder);

#endif
