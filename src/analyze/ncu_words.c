/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for ncu, and the line they make.
 */
#include "analyze/ncu_words.h"

#include "base/shell.h"
#include "base/str.h"
#include "base/utf8.h"
#include "tables/tables.h"

enum { OWN_WORDS = 20 }; /* that are not the program's */

bool ks_ncu_is_plain(ks_str s)
{
	for (size_t i = 0; i < s.n;) {
		const int32_t cp = ks_utf8_next(s, &i);

		if (cp < 0 || ks_utf8_is_hostile(cp))
			return false;
	}
	return true;
}

/* Each byte of `special` gets a backslash. */
static void escape(struct ks_buf *b, ks_str s, const char *special)
{
	for (size_t i = 0; i < s.n; i++) {
		if (strchr(special, s.p[i]) != NULL)
			ks_buf_ch(b, '\\');
		ks_buf_ch(b, s.p[i]);
	}
}

static ks_str keep(struct ks_buf *b, struct ks_arena *a)
{
	const ks_str s = ks_buf_keep(b, a);

	a->failed |= ks_buf_failed(b);
	ks_buf_release(b);
	return s;
}

/* A backslash of a name and a name like a pattern have no form that all versions of ncu read alike.
 */
static bool can_be_told(ks_str s)
{
	return ks_ncu_is_plain(s) && !ks_str_has(s, KS_LIT("\\")) && !ks_str_starts(s, "regex:");
}

ks_str ks_ncu_range_filter(struct ks_arena *a, const struct ks_shown_range *range)
{
	static const char operators[] = "@,[]/*+";
	struct ks_buf b;

	if (range->name.n == 0 || !can_be_told(range->name) || !can_be_told(range->domain))
		return KS_LIT("");
	ks_buf_init(&b, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	if (range->domain.n > 0) {
		escape(&b, range->domain, operators);
		ks_buf_ch(&b, '@');
	}
	escape(&b, range->name, operators);
	if (!range->start_end)
		ks_buf_ch(&b, '/');
	return keep(&b, a);
}

/* A name is compared whole, unless it looks like a pattern or is only the beginning of one: then a
 * pattern says it. */
static ks_str name_filter(struct ks_arena *a, ks_str function)
{
	struct ks_buf b;

	const bool cut = ks_str_ends(function, "..."); /* by the recorder: no name of C ends so */

	if (!ks_str_starts(function, "regex:") && !cut)
		return function;
	ks_buf_init(&b, 2 * (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	ks_buf_cstr(&b, "regex:^");
	function.n -= cut ? 3 : 0;
	escape(&b, function, "\\^$.|?*+()[]{}");
	if (!cut)
		ks_buf_ch(&b, '$');
	return keep(&b, a);
}

struct list {
	ks_str *word;
	size_t n;
};

static void add(struct list *l, ks_str word)
{
	l->word[l->n++] = word;
}

static void add2(struct list *l, const char *option, ks_str value)
{
	add(l, ks_str_c(option));
	add(l, value);
}

static bool is_runnable(const struct ks_ncu_ask *ask)
{
	bool good = ask->program.n > 0 && ks_ncu_is_plain(ask->program);

	for (size_t i = 0; i < ask->n_arguments; i++)
		good = good && ks_ncu_is_plain(ask->argument[i]);
	return good;
}

static void join(struct ks_arena *a, struct ks_ncu_line *line)
{
	struct ks_buf b;

	ks_buf_init(&b, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	if (line->folder.n > 0) {
		ks_shell_word(&b, "cd");
		if (line->folder.p[0] == '-')
			ks_shell_word(&b, "--");
		ks_shell_word(&b, ks_arena_dup(a, line->folder).p);
		ks_buf_cstr(&b, " &&");
	}
	for (size_t i = 0; i < line->n_argv; i++)
		ks_shell_word(&b, ks_arena_dup(a, line->argv[i]).p);
	line->command = keep(&b, a);
}

void ks_ncu_words(struct ks_arena *a, const struct ks_ncu_ask *ask, struct ks_ncu_line *line)
{
	struct list l = { KS_ARENA_NEWS(a, ks_str, OWN_WORDS + ask->n_arguments), 0 };

	if (l.word == NULL)
		return;
	line->program_known = is_runnable(ask);
	line->folder =
		line->program_known && ks_ncu_is_plain(ask->folder) ? ask->folder : KS_LIT("");
	add(&l, KS_LIT("ncu"));
	add2(&l, "--target-processes", KS_LIT("all"));
	add2(&l, "--kernel-name", name_filter(a, ask->function));
	if (ask->nvtx.n > 0) {
		add(&l, KS_LIT("--nvtx"));
		add2(&l, "--nvtx-include", ask->nvtx);
	}
	add2(&l, "--launch-skip", ks_arena_fmt(a, "%llu", (unsigned long long)ask->skip));
	add2(&l, "--launch-count", KS_LIT("1"));
	if (ask->graph)
		add2(&l, "--graph-profiling", KS_LIT("node"));
	if (ask->collective)
		add2(&l, "--replay-mode", KS_LIT("application"));
	add(&l, line->program_known ? ask->program : KS_LIT("PROGRAM"));
	for (size_t i = 0; line->program_known && i < ask->n_arguments; i++)
		add(&l, ask->argument[i]);
	line->argv = l.word;
	line->n_argv = l.n;
	join(a, line);
}
