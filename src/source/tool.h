/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a program of the CUDA world is installed. Runs nothing.
 */
#ifndef KS_SOURCE_TOOL_H
#define KS_SOURCE_TOOL_H

#include "base/ctx.h"
#include "evidence/host.h"

/* Full path of `name` in the order of contract 06 §22: PATH, KS_TOOL_SEARCH_DIRS, the CUDA folders
 * (highest version first), the usual ones, then the tool's own. False when it is nowhere, or
 * could not be looked for: then *no_memory becomes true (NULL: nobody asks). */
bool ks_tool_find(const struct ks_ctx *ctx, const char *name, char *path, size_t size,
		  bool *no_memory);

/* The same for several at once, with the folders that were searched up to where each was found, in
 * `a`. `root` stands before fixed paths. `tool` holds KS_TOOL_COUNT places. */
void ks_tools_search(const struct ks_ctx *ctx, const char *root, struct ks_arena *a,
		     struct ks_tool_place *tool);

#endif
