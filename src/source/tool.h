/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a program of the CUDA world is installed.
 */
#ifndef KS_SOURCE_TOOL_H
#define KS_SOURCE_TOOL_H

#include "base/ctx.h"

/* Full path of `name` in the order of contract 01 §11: PATH, KS_TOOL_SEARCH_DIRS, the CUDA folders,
 * the usual ones, Nsight Systems' own. False when it is nowhere. */
bool ks_tool_find(const struct ks_ctx *ctx, const char *name, char *path, size_t size);

#endif
