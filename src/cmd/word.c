/* SPDX-License-Identifier: Apache-2.0
 *
 * Bare words of the command line. Starts nothing and reads no recording.
 */
#include "cmd/word.h"

#include <sys/stat.h>

#include "base/str.h"
#include "cmd/dispatch.h"
#include "cmd/profile.h"
#include "cmd/suggest.h"
#include "source/source.h"

static const char *reader_by_name(ks_str word)
{
	static const struct {
		const char *ending, *reader;
	} names[] = {
		{ ".sqlite", "--ks-sqlite" },
		{ ".nsys-rep", "--ks-nsys-rep" },
		{ ".qdrep", "--ks-nsys-rep" },
		{ ".ksreport.json", "-i" },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		if (ks_str_ends(word, names[i].ending))
			return names[i].reader;
	}
	return NULL;
}

const char *ks_word_reader(const char *word)
{
	switch (ks_input_sniff(word)) {
	case KS_INPUT_SQLITE:
		return "--ks-sqlite";
	case KS_INPUT_JSON:
		return "-i";
	case KS_INPUT_NSYS_REP:
	case KS_INPUT_QDREP:
		return "--ks-nsys-rep";
	case KS_INPUT_DIRECTORY:
	case KS_INPUT_ELF:
	case KS_INPUT_NCU_REP: /* nothing reads it here */
		return NULL;
	case KS_INPUT_MISSING:
	case KS_INPUT_EMPTY:
	case KS_INPUT_UNREADABLE:
	case KS_INPUT_GZIP:
	case KS_INPUT_OTHER:
		break;
	}
	return reader_by_name(ks_str_c(word));
}

/* No file and no program of that name. */
static enum ks_status unknown(const char *word, struct ks_err *err)
{
	const char *meant = ks_suggest_command(word);
	enum ks_command id = KS_CMD_NONE;

	if (ks_command_find(ks_str_c(word), &id))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_COMMAND_FIRST, word, NULL);
	if (meant != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_UNKNOWN, word, meant, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_UNKNOWN_FAR, word, NULL);
}

enum ks_status ks_word_check(const struct ks_app *app, const char *word, struct ks_err *err)
{
	const enum ks_input_kind kind = ks_input_sniff(word);
	const char *reader = ks_word_reader(word);
	struct stat st;

	if (kind == KS_INPUT_NCU_REP || kind == KS_INPUT_NSYS_REP || kind == KS_INPUT_QDREP)
		return ks_profile_sniff(word, err);
	if (reader != NULL && kind == KS_INPUT_MISSING)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_IN_MISSING, word, NULL);
	if (reader != NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_NOT_PROGRAM, word, reader, NULL);
	if (kind != KS_INPUT_MISSING && ks_str_ends(ks_str_c(word), ".ncu-rep"))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_IS_NCU_REP, word, NULL);
	if (ks_program_exists(&app->ctx, word))
		return KS_OK;
	if (stat(word, &st) == 0)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_NOT_RUNNABLE, word, NULL);
	return unknown(word, err);
}
