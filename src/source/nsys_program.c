/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line that was recorded, as the capture's metadata has it: PROCESS_0:COMMAND,
 * :ARGUMENT_0 ... and :WORKING_DIR. Of several programs, and where an argument is missing, none is
 * told: half a command line is another one.
 */
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "source/nsys.h"

#define ARGUMENTS_MAX ((size_t)65536) /* more than a command line of Linux holds in practice */

struct pair {
	ks_str name, value;
};

static const struct ks_nsys_column pair_columns[] = {
	{ "name", offsetof(struct pair, name), KS_NSYS_TEXT, 0, 0, 0, 0 },
	{ "value", offsetof(struct pair, value), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

struct words {
	struct ks_nsys *n;
	struct ks_trace_meta *m;
	ks_str *argument; /* p NULL: not seen */
	size_t cap, count, end;
	bool several; /* programs, or one argument twice */
};

static bool take_argument(struct words *w, ks_str number, ks_str value)
{
	int64_t at = 0;

	if (!ks_num_parse_i64(number, &at) || at < 0 || (size_t)at >= ARGUMENTS_MAX)
		return true;
	if (!KS_GROW(w->argument, w->cap, (size_t)at + 1, ARGUMENTS_MAX))
		return false;
	w->several |= w->argument[at].p != NULL;
	w->argument[at] = ks_arena_dup(&w->n->arena, value);
	w->count++;
	if ((size_t)at >= w->end)
		w->end = (size_t)at + 1;
	return true;
}

static bool take(struct words *w, const struct pair *row)
{
	static const char argument[] = "PROCESS_0:ARGUMENT_";
	const size_t n = sizeof(argument) - 1;

	if (ks_str_eqc(row->name, "PROCESS_0:COMMAND"))
		w->m->program = ks_arena_dup(&w->n->arena, row->value);
	else if (ks_str_eqc(row->name, "PROCESS_0:WORKING_DIR"))
		w->m->folder = ks_arena_dup(&w->n->arena, row->value);
	else if (ks_str_eqc(row->name, "PROCESS_1:COMMAND"))
		w->several = true;
	else if (ks_str_starts(row->name, argument))
		return take_argument(w, (ks_str){ row->name.p + n, row->name.n - n }, row->value);
	return true;
}

static enum ks_status read_words(struct words *w, struct ks_nsys_table *t, struct ks_err *err)
{
	struct ks_nsys_scan s;
	struct pair row;
	bool got = true;

	ks_nsys_row_clear(&row, pair_columns, KS_ARRAY_LEN(pair_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, w->n, t, pair_columns, KS_ARRAY_LEN(pair_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got) {
		if (!take(w, &row))
			st = ks_nsys_no_memory(err);
	}
	ks_nsys_scan_close(&s);
	return st;
}

/* The arguments live as long as the pass. */
static enum ks_status keep(struct words *w, struct ks_err *err)
{
	struct ks_trace_meta *m = w->m;

	if (w->several || w->count != w->end || m->program.n == 0) {
		m->program = KS_LIT("");
		m->folder = KS_LIT("");
		return KS_OK;
	}
	ks_str *out = KS_ARENA_NEWS(&w->n->arena, ks_str, w->end + 1);

	if (out == NULL)
		return ks_nsys_no_memory(err);
	for (size_t i = 0; i < w->end; i++)
		out[i] = w->argument[i];
	m->argument = out;
	m->n_arguments = w->end;
	return KS_OK;
}

enum ks_status ks_nsys_program(struct ks_nsys *n, struct ks_trace_meta *m, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "META_DATA_CAPTURE");
	struct words w = { .n = n, .m = m };

	if (t == NULL)
		return KS_OK;
	enum ks_status st = read_words(&w, t, err);

	if (st == KS_OK)
		st = keep(&w, err);
	ks_mem_free(w.argument);
	if (st == KS_OK && ks_arena_failed(&n->arena))
		return ks_nsys_no_memory(err);
	return st;
}
