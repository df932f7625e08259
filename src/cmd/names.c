/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the macros of a name. Looks for files that exist; creates none.
 */
#include "cmd/names.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/str.h"

struct naming {
	struct ks_app *app;
	enum ks_option option;
	const char *text;
	int64_t number; /* what %i and %n become */
	bool numbered;	/* one of them was met */
	struct ks_buf to;
};

struct launcher {
	const char *rank, *size; /* NULL: it has none */
	bool both;		 /* its names are common words: only together do they mean it */
};

/* Innermost first: torchrun starts below mpirun, mpirun inside a Slurm step. */
static const struct launcher launchers[] = {
	{ "RANK", "WORLD_SIZE", true },
	{ "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", false },
	{ "PMIX_RANK", NULL, false },
	{ "PMI_RANK", "PMI_SIZE", false },
	{ "SLURM_PROCID", "SLURM_NTASKS", false },
};

static const char *variable(const struct naming *n, const char *name)
{
	const char *value = name != NULL ? n->app->ctx.env(name) : NULL;

	return value != NULL && value[0] != '\0' ? value : NULL;
}

static const char *option_name(const struct naming *n)
{
	return ks_option_info(n->option)->name;
}

/* --- values --------------------------------------------------------------------------------------
 */

static enum ks_status add_value(struct naming *n, const char *what, const char *value,
				struct ks_err *err)
{
	bool bad = strchr(value, '/') != NULL || strstr(value, "..") != NULL;

	for (const char *p = value; *p != '\0'; p++)
		bad = bad || (unsigned char)*p < 0x20 || *p == 0x7f;
	if (bad)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NAME_VALUE, option_name(n), what,
				  value, NULL);
	ks_buf_cstr(&n->to, value);
	return KS_OK;
}

static enum ks_status add_host(struct naming *n, struct ks_err *err)
{
	char host[HOST_NAME_MAX + 1] = "";

	(void)gethostname(host, sizeof(host));
	host[HOST_NAME_MAX] = '\0';
	return add_value(n, "%h", host, err);
}

/* The names that were looked for, for the message. */
static enum ks_status no_launcher(const struct naming *n, bool size, struct ks_err *err)
{
	char names[KS_ERR_ARG_LEN];
	size_t at = 0;

	for (size_t i = 0; i < KS_ARRAY_LEN(launchers) && at < sizeof(names); i++) {
		const struct launcher *l = &launchers[i];
		const char *name = size ? l->size : l->rank;

		if (name == NULL)
			continue;
		/* one that counts only beside the other is named with it */
		const int wrote = snprintf(names + at, sizeof(names) - at, "%s%s%s%s",
					   at > 0 ? ", " : "", name, l->both ? "+" : "",
					   l->both ? (size ? l->rank : l->size) : "");

		at += wrote > 0 ? (size_t)wrote : 0;
	}
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NAME_LAUNCHER, option_name(n),
			  size ? "%w" : "%r", names, NULL);
}

static enum ks_status add_rank(struct naming *n, bool size, struct ks_err *err)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(launchers); i++) {
		const struct launcher *l = &launchers[i];
		const char *name = size ? l->size : l->rank;
		const char *value = variable(n, name);
		uint64_t number;

		if (value == NULL || (l->both && variable(n, size ? l->rank : l->size) == NULL))
			continue;
		if (!ks_num_parse_u64(ks_str_c(value), &number) || number > INT32_MAX)
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NAME_RANK, option_name(n),
					  name, value, NULL);
		ks_buf_fmt(&n->to, "%llu", (unsigned long long)number);
		return KS_OK;
	}
	return no_launcher(n, size, err);
}

/* --- macros --------------------------------------------------------------------------------------
 */

static enum ks_status no_macro(const struct naming *n, const char *at, struct ks_err *err)
{
	const char word[3] = { '%', at[1], '\0' };

	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NAME_MACRO, option_name(n), word, NULL);
}

/* at[0..1] is "%q"; *used becomes the length of the macro. */
static enum ks_status add_variable(struct naming *n, const char *at, size_t *used,
				   struct ks_err *err)
{
	const char *end = at[2] == '{' ? strchr(at, '}') : NULL;
	char name[KS_ERR_ARG_LEN];

	if (end == NULL || end == at + 3 || (size_t)(end - at) >= sizeof(name))
		return no_macro(n, at, err);
	(void)snprintf(name, sizeof(name), "%.*s", (int)(end - at) - 3, at + 3);
	*used = (size_t)(end - at) + 1;

	const char *value = variable(n, name);

	if (value == NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NAME_UNSET, option_name(n), name,
				  NULL);
	return add_value(n, name, value, err);
}

static enum ks_status add_macro(struct naming *n, const char *at, size_t *used, struct ks_err *err)
{
	*used = 2;
	switch (at[1]) {
	case 'p':
		ks_buf_fmt(&n->to, "%ld", (long)getpid());
		return KS_OK;
	case 'h':
		return add_host(n, err);
	case 'i':
	case 'n':
		n->numbered = true;
		ks_buf_fmt(&n->to, "%lld", (long long)n->number);
		return KS_OK;
	case 'r':
	case 'w':
		return add_rank(n, at[1] == 'w', err);
	case 'q':
		return add_variable(n, at, used, err);
	case '%':
		ks_buf_ch(&n->to, '%');
		return KS_OK;
	default:
		return no_macro(n, at, err);
	}
}

static enum ks_status fill(struct naming *n, struct ks_err *err)
{
	char most[KS_NUM_LEN];

	ks_buf_reset(&n->to);
	for (const char *p = n->text; *p != '\0';) {
		size_t used = strcspn(p, "%");

		ks_buf_add(&n->to, p, used);
		if (used == 0)
			KS_TRY(add_macro(n, p, &used, err));
		p += used;
	}
	if (!ks_buf_failed(&n->to))
		return KS_OK;
	(void)ks_num_u64(most, n->to.max);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NAME_LONG, option_name(n), most, NULL);
}

/* --- numbers -------------------------------------------------------------------------------------
 */

static bool exists(const char *prefix, size_t len, const char *ending)
{
	char path[PATH_MAX];
	struct stat st;
	const int n = snprintf(path, sizeof(path), "%.*s%s", (int)len, prefix, ending);

	return n > 0 && n < (int)sizeof(path) && lstat(path, &st) == 0;
}

/* Whether a file of that name is there; of a prefix, any of the files that are made from it. */
static bool is_taken(const struct naming *n)
{
	static const char *const endings[] = { ".ksreport.json", ".perfetto-trace", ".launches.csv",
					       ".case" };
	const char *name = ks_buf_text(&n->to);
	ks_str prefix = ks_str_c(name);

	if (n->option != KS_OPT_EXPORT)
		return exists(name, prefix.n, "");
	if (ks_str_ends(prefix, ".json"))
		prefix.n -= strlen(".json");
	if (ks_str_ends(prefix, ".ksreport"))
		prefix.n -= strlen(".ksreport");
	for (size_t i = 0; i < KS_ARRAY_LEN(endings); i++) {
		if (exists(name, prefix.n, endings[i]))
			return true;
	}
	return false;
}

static enum ks_status choose(struct naming *n, struct ks_err *err)
{
	const int64_t most = ks_limit(KS_LIMIT_NAME_NUMBERS);
	char number[KS_NUM_LEN];

	for (n->number = 1; n->number <= most; n->number++) {
		KS_TRY(fill(n, err));
		if (!n->numbered || !is_taken(n))
			return KS_OK;
	}
	(void)ks_num_i64(number, most);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_NAME_TAKEN, option_name(n), number, n->text,
			  NULL);
}

enum ks_status ks_name_expand(struct ks_app *app, enum ks_option option, const char *text,
			      const char **out, struct ks_err *err)
{
	struct naming n = { .app = app, .option = option, .text = text };

	*out = text;
	if (strchr(text, '%') == NULL)
		return KS_OK;
	ks_buf_init(&n.to, PATH_MAX - 1);
	const enum ks_status status = choose(&n, err);

	if (status == KS_OK)
		*out = ks_buf_keep(&n.to, &app->arena).p;
	ks_buf_release(&n.to);
	if (status == KS_OK && ks_arena_failed(&app->arena))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	return status;
}
