/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the configuration is. Looks at names only; opens nothing.
 */
#include <limits.h>
#include <sys/stat.h>

#include "base/str.h"
#include "cmd/config.h"

#define PROJECT_FILE "/.kernoscope"
#define USER_FILE    "/kernoscope/config"

/* A relative path there would mean another file in every folder (XDG base directories say so). */
static const char *absolute(const struct ks_app *app, const char *name)
{
	const char *value = app->ctx.env(name);

	return value != NULL && value[0] == '/' ? value : NULL;
}

static const char *user_path(struct ks_app *app)
{
	const char *base = absolute(app, "XDG_CONFIG_HOME");
	const char *home = absolute(app, "HOME");

	if (base != NULL)
		return ks_arena_fmt(&app->arena, "%s" USER_FILE, base).p;
	return home != NULL ? ks_arena_fmt(&app->arena, "%s/.config" USER_FILE, home).p : NULL;
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Anybody may write into a folder such as /tmp. */
static bool is_own(const char *path)
{
	struct stat st;
	const uid_t me = geteuid();

	return lstat(path, &st) == 0 && (me == 0 || st.st_uid == me || st.st_uid == 0);
}

static bool is_top(const char *folder, const char *home)
{
	char git[PATH_MAX];

	if (home != NULL && strcmp(folder, home) == 0)
		return true;
	return snprintf(git, sizeof(git), "%s/.git", folder) < (int)sizeof(git) && exists(git);
}

/* From the current folder upwards; `folder` loses one name at a time. */
static const char *project_path(struct ks_app *app, const char **foreign)
{
	const char *home = absolute(app, "HOME");
	char folder[PATH_MAX], path[PATH_MAX];

	*foreign = NULL;
	if (getcwd(folder, sizeof(folder)) == NULL)
		return NULL;
	for (;;) {
		const bool root = strcmp(folder, "/") == 0;
		const int n = snprintf(path, sizeof(path), "%s" PROJECT_FILE, root ? "" : folder);

		if (n < (int)sizeof(path) && exists(path)) {
			if (is_own(path))
				return ks_arena_dup(&app->arena, ks_str_c(path)).p;
			*foreign = ks_arena_dup(&app->arena, ks_str_c(path)).p;
		}
		if (root || is_top(folder, home))
			return NULL;
		char *slash = strrchr(folder, '/');

		slash[slash == folder] = '\0';
	}
}

static void add_file(struct ks_config_files *files, const char *path, enum ks_giver origin)
{
	if (path != NULL)
		files->file[files->n++] = (struct ks_config_file){ path, origin, exists(path) };
}

void ks_config_find(struct ks_app *app, const char *name, struct ks_config_files *files)
{
	*files = (struct ks_config_files){ .n = 0 };
	if (name != NULL && strcmp(name, "none") == 0)
		return;
	if (name != NULL) {
		add_file(files, name, KS_BY_FILE);
		return;
	}
	add_file(files, user_path(app), KS_BY_USER);
	add_file(files, project_path(app, &files->foreign), KS_BY_PROJECT);
}
