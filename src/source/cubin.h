/* SPDX-License-Identifier: Apache-2.0
 *
 * Device code without NVIDIA's tools: cubins, fatbins and host objects with fatbins in them become
 * the plain facts of model/code.h. Every size is checked before it is used; what breaks the rules
 * of its format gives no function and says so.
 */
#ifndef KS_SOURCE_CUBIN_H
#define KS_SOURCE_CUBIN_H

#include "base/ctx.h"
#include "model/code.h"

/* Adds one file to `code`. KS_E_INPUT: it cannot be read, or holds no device code, or is a cubin
 * that breaks the rules of its format; then nothing was added. */
enum ks_status ks_cubin_read(const struct ks_ctx *ctx, const char *path, struct ks_code *code,
			     struct ks_err *err);

/* The command line that lists the instructions of `path`, ended by NULL: what ks_sass_read runs,
 * and a plan prints. The words borrow. */
enum ks_sass_tool { KS_SASS_CUOBJDUMP, KS_SASS_NVDISASM, KS_SASS_TOOLS };
const char *ks_sass_tool_name(enum ks_sass_tool tool);
#define KS_SASS_WORDS 4
void ks_sass_words(const char *words[KS_SASS_WORDS], enum ks_sass_tool tool, const char *program,
		   const char *path);
/* Counts the instructions of every function, file by file, with cuobjdump; plain cubins that it
 * lists nothing of, with nvdisasm. What is not there or fails is noted in the file and is no error.
 * A tool that takes longer than `wait_ms` is stopped. KS_E_ENV: no memory. */
enum ks_status ks_sass_read(const struct ks_ctx *ctx, struct ks_code *code, int64_t wait_ms,
			    struct ks_err *err);

#endif
