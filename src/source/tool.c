/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks for a program in the places where the CUDA world installs it. Runs nothing.
 */
#include "source/tool.h"

#include <glob.h>
#include <sys/stat.h>

#include "base/str.h"

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool try_folder(ks_str folder, const char *name, char *path, size_t size)
{
	if (!folder.n) /* an empty entry of PATH means the current folder: not for programs we start
			*/
		return false;
	return snprintf(path, size, "%.*s/%s", (int)folder.n, folder.p, name) < (int)size &&
	       is_program(path);
}

static bool try_list(const char *list, const char *name, char *path, size_t size)
{
	ks_str rest = ks_str_c(list);

	while (rest.p && rest.n)
		if (try_folder(ks_str_cut(&rest, ':'), name, path, size))
			return true;
	return false;
}

/* Newest first: the names sort by version well enough within one major series. */
static bool try_glob(const char *pattern, const char *name, char *path, size_t size)
{
	glob_t found;
	bool got = false;

	if (glob(pattern, 0, NULL, &found) != 0)
		return false;
	for (size_t i = found.gl_pathc; i > 0 && !got; i--)
		got = try_folder(ks_str_c(found.gl_pathv[i - 1]), name, path, size);
	globfree(&found);
	return got;
}

bool ks_tool_find(const struct ks_ctx *ctx, const char *name, char *path, size_t size)
{
	static const char *const lists[] = { "PATH", "KS_TOOL_SEARCH_DIRS" };
	static const char *const homes[] = { "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT" };
	static const char *const globs[] = { "/usr/local/cuda/bin",
					     "/usr/local/cuda-*/bin",
					     "/opt/cuda/bin",
					     "/usr/local/bin",
					     "/usr/bin",
					     "/bin",
					     "/opt/nvidia/nsight-systems/latest/bin",
					     "/opt/nvidia/nsight-systems/*/bin",
					     "/opt/nvidia/nsight-systems-cli/*/bin" };
	char folder[1024];

	for (size_t i = 0; ctx->env && i < KS_ARRAY_LEN(lists); i++)
		if (try_list(ctx->env(lists[i]), name, path, size))
			return true;
	for (size_t i = 0; ctx->env && i < KS_ARRAY_LEN(homes); i++) {
		const char *home = ctx->env(homes[i]);

		if (home && home[0] &&
		    snprintf(folder, sizeof(folder), "%s/bin", home) < (int)sizeof(folder) &&
		    try_folder(ks_str_c(folder), name, path, size))
			return true;
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(globs); i++)
		if (try_glob(globs[i], name, path, size))
			return true;
	return false;
}
