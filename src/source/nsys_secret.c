/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of a trace that tell who recorded it and where: user and host names, the program's command
 * line, its environment. Read only for --redact, to take them out of every other text; passed on to
 * nobody.
 */
#include "base/str.h"
#include "source/nsys.h"

enum {
	LONGER = 6, /* a value or argument that is shorter says too little to look for */
	NAMED = 3,  /* of a value that is known to be a name */
};

struct pair {
	ks_str name, value;
};

static const struct ks_nsys_column pair_columns[] = {
	{ "name", offsetof(struct pair, name), KS_NSYS_TEXT, 0, 0, 0, 0 },
	{ "value", offsetof(struct pair, value), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

/* What a row is, by the end of its name: PROCESS_0:ARGUMENT_12 is an argument. */
enum sort { SORT_NONE, SORT_NAME, SORT_ARGUMENT, SORT_VARIABLE, SORT_LIST };

static enum sort sort_of(ks_str name)
{
	static const struct {
		const char *part;
		enum sort sort;
	} sorts[] = {
		{ "Hostname", SORT_NAME },
		{ "EXPORT_HOST", SORT_NAME },
		{ "EXPORT_USER", SORT_NAME },
		{ "DEVICE_DISPLAY_NAME", SORT_NAME },
		{ ":USER_NAME", SORT_NAME },
		{ ":ARGUMENT_", SORT_ARGUMENT },
		{ ":COMMAND", SORT_ARGUMENT },
		{ ":WORKING_DIR", SORT_ARGUMENT },
		{ ":ENVIRONMENT_VARIABLE", SORT_VARIABLE },
		{ "DeviceEnvironment", SORT_LIST },
		{ "EXPORT_INPUT_FILE", SORT_ARGUMENT },
		{ "_INPUT_FILE", SORT_ARGUMENT },
		{ "_OUTPUT_FILE", SORT_ARGUMENT },
		{ "_OUTUPT_FILE", SORT_ARGUMENT },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(sorts); i++) {
		if (ks_str_has(name, ks_str_c(sorts[i].part)))
			return sorts[i].sort;
	}
	return SORT_NONE;
}

/* "root" is in many sentences and nobody's name. */
static void add(struct ks_nsys *n, ks_str word, size_t least, const char *to)
{
	static const char *const common[] = { "root", "user", "host", "localhost", "Local (CLI)" };

	if (word.n == 0)
		return;
	word = ks_str_trim(word);
	if (word.n > 1 && word.p[0] == '"' && word.p[word.n - 1] == '"')
		word = (ks_str){ word.p + 1, word.n - 2 };
	for (size_t i = 0; i < KS_ARRAY_LEN(common); i++) {
		if (ks_str_eqc(word, common[i]))
			return;
	}
	/* paths have a shape of their own */
	if (word.n >= least && !ks_str_starts(word, "/") && !ks_str_starts(word, "~") &&
	    !ks_str_starts(word, "."))
		ks_redact_word(n->ctx->redact, word, ks_str_c(to));
}

/* NAME=value, and what the name says of the value. */
static void add_variable(struct ks_nsys *n, ks_str text)
{
	static const char *const named[] = { "USER", "LOGNAME", "USERNAME", "HOSTNAME", "HOST" };
	const ks_str name = ks_str_cut(&text, '=');

	if (text.p == NULL)
		return;
	for (size_t i = 0; i < KS_ARRAY_LEN(named); i++) {
		if (ks_str_eqc(name, named[i])) {
			add(n, text, NAMED, "<user>");
			return;
		}
	}
	add(n, text, LONGER, "<environment>");
}

static void add_list(struct ks_nsys *n, ks_str text)
{
	while (text.p != NULL) {
		ks_str rest = ks_str_cut(&text, '\0');

		while (rest.p != NULL)
			add_variable(n, ks_str_cut(&rest, ';'));
	}
}

static void add_pair(struct ks_nsys *n, const struct pair *row)
{
	switch (sort_of(row->name)) {
	case SORT_NAME:
		add(n, row->value, NAMED,
		    ks_str_has(row->name, KS_LIT("USER")) ? "<user>" : "<host>");
		break;
	case SORT_ARGUMENT:
		add(n, row->value, LONGER, "<argument>");
		break;
	case SORT_VARIABLE:
		add_variable(n, row->value);
		break;
	case SORT_LIST:
		add_list(n, row->value);
		break;
	case SORT_NONE:
		break;
	}
}

static enum ks_status read_table(struct ks_nsys *n, struct ks_nsys_table *t, struct ks_err *err)
{
	struct ks_nsys_scan s;
	struct pair row;
	bool got = true;

	ks_nsys_row_clear(&row, pair_columns, KS_ARRAY_LEN(pair_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, pair_columns, KS_ARRAY_LEN(pair_columns), err);

	while (st == KS_OK && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK && got)
		add_pair(n, &row);
	ks_nsys_scan_close(&s);
	return st;
}

enum ks_status ks_nsys_secrets(struct ks_nsys *n, struct ks_err *err)
{
	static const char *const table[] = { "META_DATA_CAPTURE", "META_DATA_EXPORT",
					     "EXPORT_META_DATA", "TARGET_INFO_SYSTEM_ENV" };

	if (n->ctx->redact == NULL)
		return KS_OK;
	for (size_t i = 0; i < KS_ARRAY_LEN(table); i++) {
		struct ks_nsys_table *t = ks_nsys_table(n, table[i]);

		if (t != NULL)
			KS_TRY(read_table(n, t, err));
	}
	return KS_OK;
}
