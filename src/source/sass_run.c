/* SPDX-License-Identifier: Apache-2.0
 *
 * Starts the disassembler that this machine has: cuobjdump for any file, nvdisasm for a cubin of
 * which cuobjdump lists nothing or where there is no cuobjdump. No shell, nothing is written.
 */
#include <limits.h>

#include "base/spawn.h"
#include "base/str.h"
#include "source/cubin.h"
#include "source/sass.h"
#include "source/tool.h"

enum { TIMED_OUT = 124, NOT_STARTED = 126 }; /* as timeout(1) and a shell have them */

static const char *const tools[KS_SASS_TOOLS] = {
	[KS_SASS_CUOBJDUMP] = "cuobjdump",
	[KS_SASS_NVDISASM] = "nvdisasm",
};

const char *ks_sass_tool_name(enum ks_sass_tool tool)
{
	return tools[tool];
}

void ks_sass_words(const char *words[KS_SASS_WORDS], enum ks_sass_tool tool, const char *program,
		   const char *path)
{
	size_t n = 0;

	words[n++] = program;
	words[n++] = tool == KS_SASS_CUOBJDUMP ? "-sass" : "-c";
	words[n++] = path;
	words[n] = NULL;
}

static void forget(struct ks_code *code, size_t file)
{
	for (size_t i = 0; i < code->n_functions; i++)
		if (code->function[i].file == file)
			code->function[i].mix = NULL;
	code->file[file].dump = KS_CODE_DUMP_FAILED;
}

static int64_t status_of(const struct ks_spawn_end *end)
{
	switch (end->how) {
	case KS_SPAWN_EXITED:
		return end->code;
	case KS_SPAWN_KILLED:
		return 128 + end->code;
	case KS_SPAWN_TIMEOUT:
		return TIMED_OUT;
	case KS_SPAWN_FAILED:
		break;
	}
	return NOT_STARTED;
}

/* False: no memory. */
static bool run(struct ks_code *code, size_t file, enum ks_sass_tool tool, const char *program,
		int64_t wait_ms)
{
	struct ks_code_file *f = &code->file[file];
	struct ks_sass *s = ks_sass_open(code, file);
	const char *words[KS_SASS_WORDS];
	size_t functions = 0;

	if (s == NULL)
		return false;
	/* a path that starts with '-' would be an option to the tool */
	const ks_str path =
		ks_arena_fmt(code->arena, "%s%s", f->path.p[0] == '-' ? "./" : "", f->path.p);

	ks_sass_words(words, tool, program, path.p);
	const struct ks_spawn child = {
		.argv = words, .timeout_ms = wait_ms, .take = ks_sass_take, .arg = s
	};
	const struct ks_spawn_end end = ks_spawn_run(&child);
	const bool good = ks_sass_done(s, &functions);

	ks_sass_close(s);
	f->tool = ks_str_c(tools[tool]);
	f->tool_exit = status_of(&end);
	f->dump = functions > 0 ? KS_CODE_DUMPED : KS_CODE_DUMP_FAILED;
	if (end.how != KS_SPAWN_EXITED || end.code != 0)
		forget(code, file); /* it may have stopped within a function */
	return good;
}

static bool has_functions(const struct ks_code *code, size_t file)
{
	for (size_t i = 0; i < code->n_functions; i++)
		if (code->function[i].file == file)
			return true;
	return false;
}

enum ks_status ks_sass_read(const struct ks_ctx *ctx, struct ks_code *code, int64_t wait_ms,
			    struct ks_err *err)
{
	char program[KS_SASS_TOOLS][PATH_MAX];
	bool there[KS_SASS_TOOLS], lost = false;

	for (size_t t = 0; t < KS_SASS_TOOLS; t++)
		there[t] = ks_tool_find(ctx, tools[t], program[t], sizeof(program[t]), &lost);
	bool good = !lost;

	for (size_t i = 0; i < code->n_files && good; i++) {
		struct ks_code_file *f = &code->file[i];

		f->dump = KS_CODE_NO_TOOL;
		for (size_t t = 0; t < KS_SASS_TOOLS && good; t++) {
			if (there[t] && f->dump != KS_CODE_DUMPED && has_functions(code, i) &&
			    (t == KS_SASS_CUOBJDUMP || f->is_cubin))
				good = run(code, i, (enum ks_sass_tool)t, program[t], wait_ms);
		}
	}
	return good ? KS_OK
		    : ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "sass", (char *)NULL);
}
