/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks for a program in the places where the CUDA world installs it. Runs nothing.
 */
#include "source/tool.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/str.h"
#include "source/host_places.h"

/* Plenty for 4096 folders of PATH; what does not fit is not found. */
#define FIND_BYTES ((size_t)64 * 1024 * 1024)

struct folders { /* shared by all tools; the first n_path come from PATH */
	struct ks_paths common;
	size_t n_path;
};

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static ks_str program_in(struct ks_arena *a, ks_str folder, const char *name)
{
	char path[PATH_MAX];
	const bool slash = folder.p[folder.n - 1] == '/';

	if (snprintf(path, sizeof(path), "%.*s%s%s", (int)folder.n, folder.p, slash ? "" : "/",
		     name) < (int)sizeof(path) &&
	    is_program(path))
		return ks_arena_dup(a, ks_str_c(path));
	return ks_str_c("");
}

static void look_common(const struct ks_ctx *ctx, const char *root, struct ks_arena *a,
			struct folders *f)
{
	ks_places_of(ctx, root, KS_PLACE_PATH, true, a, &f->common);
	f->n_path = f->common.n;
	ks_places_of(ctx, root, KS_PLACE_TOOL, true, a, &f->common);
}

/* The folders of one tool: a prefix of the common ones, or all of them and its own. */
static struct ks_paths with_own(const struct ks_ctx *ctx, const char *root, struct ks_arena *a,
				const struct folders *f, const char *name)
{
	const bool nsys = strcmp(name, "nsys") == 0, ncu = strcmp(name, "ncu") == 0;
	struct ks_paths all = f->common;

	if (!nsys && !ncu)
		return all;
	all.cap = all.n; /* so that the first addition copies */
	ks_places_of(ctx, root, nsys ? KS_PLACE_NSYS : KS_PLACE_NCU, true, a, &all);
	return all;
}

static struct ks_tool_place search(const struct ks_ctx *ctx, const char *root, struct ks_arena *a,
				   const struct folders *f, const char *name)
{
	const struct ks_paths all = with_own(ctx, root, a, f, name);
	struct ks_tool_place t = { .name = ks_str_c(name), .path = ks_str_c("") };
	size_t i = 0;

	while (i < all.n && t.path.n == 0)
		t.path = program_in(a, all.path[i++], name);
	t.in_path = t.path.n > 0 && i <= f->n_path;
	t.searched = all.path;
	t.n_searched = i;
	return t;
}

void ks_tools_search(const struct ks_ctx *ctx, const char *root, struct ks_arena *a,
		     struct ks_tool_place *tool)
{
	static const char *const name[KS_TOOL_COUNT] = {
		[KS_TOOL_NSYS] = "nsys",
		[KS_TOOL_NCU] = "ncu",
		[KS_TOOL_CUOBJDUMP] = "cuobjdump",
		[KS_TOOL_NVDISASM] = "nvdisasm",
		[KS_TOOL_NVIDIA_SMI] = "nvidia-smi",
	};
	struct folders f = { .n_path = 0 };

	look_common(ctx, root, a, &f);
	for (size_t i = 0; i < KS_TOOL_COUNT; i++)
		tool[i] = search(ctx, root, a, &f, name[i]);
}

bool ks_tool_find(const struct ks_ctx *ctx, const char *name, char *path, size_t size,
		  bool *no_memory)
{
	struct folders f = { .n_path = 0 };
	struct ks_arena a;

	ks_arena_init(&a, FIND_BYTES);
	look_common(ctx, "", &a, &f);
	const struct ks_tool_place t = search(ctx, "", &a, &f, name);
	const bool found = t.path.n > 0 && !ks_arena_failed(&a) && t.path.n < size;

	if (found)
		memcpy(path, t.path.p, t.path.n + 1);
	if (no_memory != NULL)
		*no_memory |= ks_arena_failed(&a);
	ks_arena_release(&a);
	return found;
}
