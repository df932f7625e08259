/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the command. Runs nothing itself and knows no option.
 */
#include "cmd/dispatch.h"

#include <sys/stat.h>

#include "base/str.h"
#include "cmd/suggest.h"

static const struct {
	enum ks_command id;
	ks_command_fn *run;
} commands[] = {
	{ KS_CMD_CAPABILITIES, ks_cmd_capabilities },
	{ KS_CMD_CONFIG, ks_cmd_config },
	{ KS_CMD_DOCTOR, ks_cmd_doctor },
	{ KS_CMD_EXPLAIN, ks_cmd_explain },
	{ KS_CMD_FIND, ks_cmd_find },
	{ KS_CMD_SHOW, ks_cmd_show },
	{ KS_CMD_HELP, ks_cmd_help },
	{ KS_CMD_NCU_COMMAND, ks_cmd_ncu_command },
	{ KS_CMD_REMEDY, ks_cmd_remedy },
	{ KS_CMD_REPORT, ks_cmd_report },
	{ KS_CMD_ROUTE, ks_cmd_route },
	{ KS_CMD_SCHEMA, ks_cmd_schema },
	{ KS_CMD_COMPLETION, ks_cmd_completion },
	{ KS_CMD_STATS, ks_cmd_stats },
};

static ks_str base_name(const char *path)
{
	ks_str rest = ks_str_c(path), piece = rest;

	while (rest.p != NULL)
		piece = ks_str_cut(&rest, '/');
	return piece;
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool ks_program_exists(const struct ks_ctx *ctx, const char *name)
{
	ks_str path = ks_str_c(ctx->env("PATH"));
	struct ks_buf full;
	bool found = false;

	if (strchr(name, '/') != NULL)
		return is_program(name);
	ks_buf_init(&full, (size_t)64 * 1024);
	while (path.p != NULL && !found) {
		const ks_str dir = ks_str_cut(&path, ':');

		ks_buf_reset(&full);
		ks_buf_str(&full, dir.n > 0 ? dir : KS_LIT("."));
		ks_buf_fmt(&full, "/%s", name);
		found = !ks_buf_failed(&full) && is_program(ks_buf_text(&full));
	}
	ks_buf_release(&full);
	return found;
}

static enum ks_status run_command(struct ks_app *app, enum ks_command id, int argc, char **argv,
				  struct ks_err *err)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(commands); i++) {
		if (commands[i].id == id)
			return commands[i].run(app, argc - 1, argv + 1, err);
	}
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_PLANNED, argv[1], NULL);
}

enum ks_status ks_dispatch(struct ks_app *app, int argc, char **argv, struct ks_err *err)
{
	enum ks_command id = KS_CMD_NONE;

	app->ncu_mode = argc > 0 && ks_str_eqc(base_name(argv[0]), "ncu");
	if (argc < 2)
		return ks_cmd_main(app, argc, argv, err);
	if (ks_command_find(ks_str_c(argv[1]), &id))
		return run_command(app, id, argc, argv, err);

	const char *meant = ks_suggest_command(argv[1]);
	if (meant != NULL && !ks_program_exists(&app->ctx, argv[1]))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_UNKNOWN, argv[1], meant, NULL);
	return ks_cmd_main(app, argc, argv, err);
}
