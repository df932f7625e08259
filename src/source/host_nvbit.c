/* SPDX-License-Identifier: Apache-2.0
 *
 * Where NVBit was unpacked: NVBIT_PATH, else a folder nvbit_release* up to three levels below a few
 * roots (contract 05 §11). Follows no symbolic link, enters no hidden folder and no other file
 * system, and gives up after a fixed number of entries: a home folder may be a slow network share.
 */
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/str.h"
#include "source/host_internal.h"

enum { LEVELS = 3, MOST_ENTRIES = 20000, MOST_FOLDERS = 500 };

struct walk {
	struct ks_arena *a;
	dev_t device;
	size_t entries, folders; /* still allowed below this root */
	ks_str best;		 /* of the folder being read */
};

static bool is_nvbit(struct ks_arena *a, ks_str folder)
{
	return ks_host_exists(ks_arena_fmt(a, "%.*s/core/libnvbit.a", (int)folder.n, folder.p),
			      false);
}

/* A folder on this file system, itself no link. */
static bool may_enter(const struct walk *w, const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_dev == w->device;
}

static void consider(struct walk *w, ks_str folder, const struct dirent *e, struct ks_paths *next)
{
	const bool candidate = strncmp(e->d_name, "nvbit_release", 13) == 0;

	if (e->d_name[0] == '.' || (e->d_type != DT_DIR && e->d_type != DT_UNKNOWN))
		return;
	const ks_str path = ks_arena_fmt(w->a, "%.*s/%s", (int)folder.n, folder.p, e->d_name);

	if (!may_enter(w, path.p))
		return;
	if (candidate && is_nvbit(w->a, path) &&
	    (w->best.n == 0 || ks_version_cmp(path, w->best) > 0))
		w->best = path;
	if (!candidate && next->n < next->cap)
		next->path[next->n++] = path;
}

static void read_folder(struct walk *w, ks_str folder, struct ks_paths *next)
{
	DIR *d = w->folders > 0 ? opendir(folder.p) : NULL;
	const struct dirent *e;

	if (d == NULL) {
		w->a->failed |= w->folders > 0 && errno == ENOMEM;
		return;
	}
	w->folders--;
	while (w->entries > 0 && !ks_arena_failed(w->a) && (e = readdir(d)) != NULL) {
		w->entries--;
		consider(w, folder, e, next);
	}
	(void)closedir(d);
}

static int by_name(const void *a, const void *b)
{
	return ks_str_cmp(*(const ks_str *)a, *(const ks_str *)b);
}

/* Level by level, so that the nearest one wins; in order of names, so that the answer does not
 * depend on the file system. */
static ks_str search(struct ks_arena *a, ks_str root)
{
	struct walk w = { a, 0, MOST_ENTRIES, MOST_FOLDERS, ks_str_c("") };
	struct ks_paths level = { KS_ARENA_NEWS(a, ks_str, 1), 0, 1 };
	struct stat st;

	if (level.path == NULL || stat(root.p, &st) != 0)
		return w.best;
	w.device = st.st_dev;
	level.path[level.n++] = root;
	for (int depth = 1; depth <= LEVELS && w.best.n == 0; depth++) {
		struct ks_paths next = { KS_ARENA_NEWS(a, ks_str, MOST_ENTRIES), 0, MOST_ENTRIES };

		for (size_t i = 0; next.path != NULL && i < level.n && w.best.n == 0; i++)
			read_folder(&w, level.path[i], &next);
		if (next.n > 0)
			qsort(next.path, next.n, sizeof(*next.path), by_name);
		level = next;
	}
	return w.best;
}

void ks_host_nvbit(const struct ks_host_run *r)
{
	const struct ks_paths named = ks_host_paths(r, KS_PLACE_NVBIT_NAMED, false);
	const struct ks_paths root = ks_host_paths(r, KS_PLACE_NVBIT, false);
	struct ks_arena scratch;
	ks_str found = ks_str_c("");

	ks_arena_init(&scratch, (size_t)64 * 1024 * 1024);
	if (named.n > 0 && is_nvbit(&scratch, named.path[0]))
		found = named.path[0];
	r->host->nvbit_misnamed = named.n > 0 && found.n == 0;
	for (size_t i = 0; i < root.n && found.n == 0; i++) {
		found = ks_arena_dup(r->a, search(&scratch, root.path[i]));
		r->a->failed |= ks_arena_failed(&scratch);
		ks_arena_reset(&scratch);
	}
	r->host->nvbit_path = found;
	ks_arena_release(&scratch);
}
