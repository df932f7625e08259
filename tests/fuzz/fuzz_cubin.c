/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a file of device code, and as what a disassembler printed. Of what is read, every
 * number is known or unknown and every name ends.
 */
#define KS_BASE_DOOR
#include <stdlib.h>

#include "base/ctx.h"
#include "base/str.h"
#include "input.h"
#include "source/cubin.h"
#include "source/sass.h"

static void insist(bool good)
{
	if (!good)
		abort();
}

static bool is_number(int64_t v)
{
	return v == KS_UNKNOWN || (v >= 0 && v <= INT64_C(0xffffffff));
}

static void check(const struct ks_code *code)
{
	size_t kernels = 0, told = 0;

	for (size_t i = 0; i < code->n_functions; i++) {
		const struct ks_code_function *f = &code->function[i];

		insist(f->file < code->n_files && f->name.p[f->name.n] == '\0');
		insist(is_number(f->registers) && is_number(f->stack) && is_number(f->barriers));
		insist(is_number(f->shared) && is_number(f->local) && is_number(f->constant));
		insist(f->reserved <= f->shared);
		kernels += f->is_kernel;
	}
	for (size_t i = 0; i < code->n_members; i++) {
		insist(code->member[i].fate == KS_CODE_READ || code->member[i].kernels == 0);
		told += (size_t)code->member[i].kernels;
	}
	insist(kernels == told);
}

/* The same bytes as text, for functions of one name or another. */
static void read_sass(struct ks_code *code, const uint8_t *data, size_t size)
{
	struct ks_sass *s = ks_sass_open(code, 0);
	size_t functions = 0;

	insist(s != NULL);
	for (size_t i = 0; i < size; i += 61)
		ks_sass_take(s, (const char *)data + i, size - i < 61 ? size - i : 61);
	insist(ks_sass_done(s, &functions));
	insist(functions <= code->n_functions);
	ks_sass_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ks_ctx ctx = { .io = &ks_io_system,
				    .clock = &ks_clock_system,
				    .env = no_environment };
	struct ks_arena arena;
	struct ks_code code;
	struct ks_err err;
	char path[INPUT_PATH];

	if (!put(path, data, size))
		return 0;
	ks_arena_init(&arena, (size_t)256 << 20);
	ks_code_init(&code, &arena);
	ks_err_init(&err);
	const enum ks_status status = ks_cubin_read(&ctx, path, &code, &err);

	insist((status == KS_OK) == (err.text == (int)KS_TEXT_NONE));
	insist(status == KS_OK || code.n_functions + code.n_members + code.n_files == 0);
	check(&code);
	read_sass(&code, data, size);
	ks_code_release(&code);
	ks_arena_release(&arena);
	return 0;
}
