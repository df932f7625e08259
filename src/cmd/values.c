/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of options: checked against the table's row, read back as numbers. Strict: no blanks, no
 * tails, no hexadecimal, nothing rounded.
 */
#include "cmd/options.h"

#include "base/num.h"
#include "base/str.h"
#include "cmd/suggest.h"

#define MAX_CHOICES 24

static enum ks_status check_choice(const struct ks_option_info *info, const char *value,
				   struct ks_err *err)
{
	ks_str rest = ks_str_c(info->metavar);
	char word[MAX_CHOICES][32];
	const char *names[MAX_CHOICES];
	size_t n = 0;

	while (rest.p != NULL && n < MAX_CHOICES) {
		const ks_str choice = ks_str_cut(&rest, '|');

		if (ks_str_eqc(choice, value))
			return KS_OK;
		if (choice.n >= sizeof(word[0]))
			continue;
		memcpy(word[n], choice.p, choice.n);
		word[n][choice.n] = '\0';
		names[n] = word[n];
		n++;
	}

	const char *near = ks_str_nearest(ks_str_c(value), names, n);

	/* every word of two letters is near another: whoever wrote "cn" did not mean "en" */
	if (near != NULL && strlen(near) > 2)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_CHOICE_NEAR, info->name, value,
				  near, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_CHOICE, info->name, value, info->metavar,
			  NULL);
}

/* The formats that can be asked for, as one line. */
static void list_formats(char list[KS_ERR_ARG_LEN])
{
	size_t at = 0;

	list[0] = '\0';
	for (int id = KS_FORMAT_NONE + 1; id < KS_FORMAT_COUNT; id++) {
		const struct ks_format_info *f = ks_format_info((enum ks_format)id);

		if (f->state != KS_STATE_LIVE || id == KS_FORMAT_LAUNCH_CSV || at >= KS_ERR_ARG_LEN)
			continue;
		const int wrote = snprintf(list + at, KS_ERR_ARG_LEN - at, "%s%s",
					   at > 0 ? ", " : "", f->name);

		at += wrote > 0 ? (size_t)wrote : 0;
	}
}

static enum ks_status check_format(const char *value, struct ks_err *err)
{
	enum ks_format f = KS_FORMAT_NONE;
	char list[KS_ERR_ARG_LEN];

	if (ks_format_find(ks_str_c(value), &f) && f != KS_FORMAT_LAUNCH_CSV) {
		if (ks_format_info(f)->state == KS_STATE_LIVE)
			return KS_OK;
		list_formats(list);
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_FORMAT_PLANNED, value, list,
				  NULL);
	}
	const char *near = ks_suggest_format(value);
	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_CHOICE_NEAR, "format", value,
				  near, NULL);
	list_formats(list);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_CHOICE, "format", value, list, NULL);
}

static enum ks_status check_number(const struct ks_option_info *info, const char *value,
				   struct ks_err *err)
{
	int64_t i = 0;
	double d = 0.0;

	if (info->arg == KS_ARG_INT && !ks_num_parse_i64(ks_str_c(value), &i))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_NOT_INT, info->name, value,
				  NULL);
	if (info->arg == KS_ARG_REAL && !ks_num_parse_double(ks_str_c(value), &d))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_NOT_NUMBER, info->name, value,
				  NULL);
	if (info->guarded && (i < 0 || d < 0.0))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_NEGATIVE, info->name, value,
				  NULL);
	return KS_OK;
}

enum ks_status ks_opt_check(enum ks_option id, const char *value, struct ks_err *err)
{
	const struct ks_option_info *info = ks_option_info(id);

	if (id == KS_OPT_FORMAT)
		return check_format(value, err);
	if (info->ncu == KS_NCU_INERT)
		return KS_OK;
	if (info->arg == KS_ARG_CHOICE)
		return check_choice(info, value, err);
	if (info->arg == KS_ARG_INT || info->arg == KS_ARG_REAL)
		return check_number(info, value, err);
	if (value[0] == '\0')
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_EMPTY, info->name, NULL);
	return KS_OK;
}

const char *ks_opt_text(const struct ks_opts *o, enum ks_option id)
{
	const char *deflt = ks_option_info(id)->deflt;

	if (o->opt[id].value != NULL)
		return o->opt[id].value;
	return deflt[0] != '\0' ? deflt : NULL;
}

int64_t ks_opt_int(const struct ks_opts *o, enum ks_option id)
{
	int64_t v = 0;

	return ks_num_parse_i64(ks_str_c(ks_opt_text(o, id)), &v) ? v : 0;
}

double ks_opt_real(const struct ks_opts *o, enum ks_option id)
{
	double v = 0.0;

	return ks_num_parse_double(ks_str_c(ks_opt_text(o, id)), &v) ? v : 0.0;
}

bool ks_opt_is(const struct ks_opts *o, enum ks_option id, const char *choice)
{
	return ks_str_eqc(ks_str_c(ks_opt_text(o, id)), choice);
}
