/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of limits.def and exit_codes.def.
 */
#include "tables/tables.h"

static const int64_t limits[KS_LIMIT_COUNT] = {
#define KS_LIMIT(id, value, unit, en, zh) [KS_LIMIT_##id] = (value),
#include "tables/limits.def"
#undef KS_LIMIT
};

static const struct exit_row {
	const char *word;
	int code;
} exits[] = {
#define KS_EXIT(status, cd, wd, en, zh) [status] = { .word = (wd), .code = (cd) },
#include "tables/exit_codes.def"
#undef KS_EXIT
};

int64_t ks_limit(enum ks_limit l)
{
	return limits[(unsigned)l < KS_LIMIT_COUNT ? l : KS_LIMIT_NONE];
}

static const struct exit_row *exit_row(enum ks_status s)
{
	return &exits[(unsigned)s < KS_ARRAY_LEN(exits) ? s : KS_E_INTERNAL];
}

int ks_exit_code(enum ks_status s)
{
	return exit_row(s)->code;
}

const char *ks_status_word(enum ks_status s)
{
	return exit_row(s)->word;
}
