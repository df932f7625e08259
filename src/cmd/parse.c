/* SPDX-License-Identifier: Apache-2.0
 *
 * getopt_long driven by the option table: unambiguous prefixes, --name=value, "--" honoured
 * exactly. Gives no meaning to an option and prints nothing.
 */
#include "cmd/options.h"

#include <getopt.h>

#include "base/str.h"
#include "cmd/suggest.h"

/* getopt returns the option's number plus this, above every character. */
#define LONG_BASE	 256
#define SHOWN_CANDIDATES 4

struct table {
	struct option *longs;
	char *shorts;
};

static enum ks_status build(struct table *t, struct ks_arena *a, const struct ks_opt_spec *spec,
			    struct ks_err *err)
{
	size_t n = 0, s = 0;

	t->longs = KS_ARENA_NEWS(a, struct option, KS_OPT_COUNT + 1);
	t->shorts = KS_ARENA_NEWS(a, char, 2 * KS_OPT_COUNT + 3);
	if (t->longs == NULL || t->shorts == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (!spec->permute)
		t->shorts[s++] = '+';
	t->shorts[s++] = ':';
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const struct ks_option_info *info = ks_option_info((enum ks_option)id);

		if (!ks_option_of((enum ks_option)id, spec->command))
			continue;
		const bool takes = info->arg != KS_ARG_NONE;

		const int needs = info->optional ? optional_argument : required_argument;

		t->longs[n++] = (struct option){ info->name, takes ? needs : no_argument, NULL,
						 LONG_BASE + id };
		if (info->short_name != 0) {
			t->shorts[s++] = info->short_name;
			if (takes)
				t->shorts[s++] = ':';
		}
	}
	return KS_OK;
}

static enum ks_option by_short(const struct ks_opt_spec *spec, int c)
{
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		if (ks_option_of((enum ks_option)id, spec->command) &&
		    ks_option_info((enum ks_option)id)->short_name == (char)c)
			return (enum ks_option)id;
	}
	return KS_OPT_NONE;
}

/* The row an alias stands for, else the row itself. */
static enum ks_option resolve(enum ks_option id)
{
	const char *target = ks_option_info(id)->alias_of;

	if (target[0] == '\0')
		return id;
	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		if (strcmp(ks_option_info((enum ks_option)i)->name, target) == 0)
			return (enum ks_option)i;
	}
	return id;
}

enum ks_status ks_opt_give(struct ks_opts *o, struct ks_arena *a, enum ks_option id,
			   const char *value, enum ks_giver origin, struct ks_err *err)
{
	struct ks_given *g = &o->opt[id];

	g->times++;
	g->origin = origin;
	if (ks_option_info(id)->arg == KS_ARG_NONE)
		return KS_OK;

	struct ks_optval *v = KS_ARENA_NEW(a, struct ks_optval);
	if (v == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	v->text = g->value = value;
	if (g->last == NULL)
		g->first = v;
	else
		g->last->next = v;
	g->last = v;
	return KS_OK;
}

/* What an option means whose value was left out; NULL: no memory. */
static const char *first_choice(struct ks_arena *a, enum ks_option id)
{
	ks_str rest = ks_str_c(ks_option_info(id)->metavar);
	const ks_str own = ks_arena_dup(a, ks_str_cut(&rest, '|'));

	return ks_arena_failed(a) ? NULL : own.p;
}

static enum ks_status add(struct ks_opts *o, struct ks_arena *a, enum ks_option id,
			  struct ks_err *err)
{
	const struct ks_option_info *info = ks_option_info(id);

	if (info->state == KS_STATE_PLANNED)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OPT_PLANNED, info->name, NULL);
	const char *value = optarg;

	if (info->optional && value == NULL)
		value = first_choice(a, id);
	if (info->optional && value == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	if (info->arg != KS_ARG_NONE)
		KS_TRY(ks_opt_check(id, value, err));
	return ks_opt_give(o, a, resolve(id), value, KS_BY_LINE, err);
}

/* A long name that getopt did not take: it fits none or several of the table. */
static enum ks_status unknown_long(const struct ks_opt_spec *spec, const char *word,
				   struct ks_err *err)
{
	ks_str rest = ks_str_c(word);
	const ks_str name = ks_str_cut(&rest, '=');
	char shown[KS_ERR_ARG_LEN], typed[KS_ERR_ARG_LEN];
	size_t n = 0, at = 0;

	(void)snprintf(typed, sizeof(typed), "%.*s", (int)(name.n < 200 ? name.n : 200), name.p);
	shown[0] = '\0';
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const char *full = ks_option_info((enum ks_option)id)->name;

		if (!ks_option_of((enum ks_option)id, spec->command) ||
		    !ks_str_starts(ks_str_c(full), typed))
			continue;
		if (n++ < SHOWN_CANDIDATES && at < sizeof(shown)) {
			const int wrote = snprintf(shown + at, sizeof(shown) - at, "%s--%s",
						   at > 0 ? ", " : "", full);

			at += wrote > 0 ? (size_t)wrote : 0;
		}
	}
	if (n > 1 && name.n > 0)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OPT_AMBIGUOUS, typed, shown,
				  NULL);

	const char *near = ks_suggest_option(spec, typed);
	if (near == NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OPT_UNKNOWN, typed, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OPT_NEAR, typed, near, NULL);
}

/* getopt answered '?' or ':'. Its optopt is a letter, or the value of a long option, or 0 for a
 * long word it could not place, which then stands just before optind. */
static enum ks_status refuse(const struct ks_opt_spec *spec, int answer, char **argv,
			     struct ks_err *err)
{
	const int code = optopt;
	const char letter[2] = { (char)code, '\0' };

	if (answer == ':') {
		const enum ks_option id = code >= LONG_BASE ? (enum ks_option)(code - LONG_BASE)
							    : by_short(spec, code);

		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OPT_NO_VALUE,
				  ks_option_info(id)->name, ks_option_info(id)->metavar, NULL);
	}
	if (code >= LONG_BASE)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OPT_VALUE,
				  ks_option_info((enum ks_option)(code - LONG_BASE))->name, NULL);
	if (code == 0)
		return unknown_long(spec, argv[optind - 1] + 2, err);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_OPT_LETTER, letter, NULL);
}

enum ks_status ks_opts_parse(struct ks_opts *o, struct ks_arena *a, const struct ks_opt_spec *spec,
			     int argc, char **argv, struct ks_err *err)
{
	struct table t;

	*o = (struct ks_opts){ .n_rest = 0 };
	KS_TRY(build(&t, a, spec, err));
	opterr = 0;
	optind = 0; /* glibc: start over, and read '+' again */
	for (;;) {
		const int at = optind > 0 ? optind : 1;
		const int c = getopt_long(argc, argv, t.shorts, t.longs, NULL);

		if (c == -1) {
			o->dashdash = optind == at + 1 && strcmp(argv[at], "--") == 0;
			break;
		}
		if (c == '?' || c == ':')
			return refuse(spec, c, argv, err);

		const enum ks_option id =
			c >= LONG_BASE ? (enum ks_option)(c - LONG_BASE) : by_short(spec, c);
		KS_TRY(add(o, a, id, err));
		if (id == KS_OPT_VERSION || id == KS_OPT_HELP)
			break;
	}
	o->rest = argv + optind;
	o->n_rest = argc - optind;
	return KS_OK;
}
