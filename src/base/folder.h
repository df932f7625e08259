/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders that we make, and files that are only added to. Follows no symbolic link in the last
 * place, waits for nobody without end.
 */
#ifndef KS_BASE_FOLDER_H
#define KS_BASE_FOLDER_H

#include "base/io.h"

/* Makes the folder unless it is there already. 0, or the errno: ENOTDIR when something else, a
 * symbolic link included, has that name. */
int ks_folder_make(const char *path);
/* Makes every folder of a path that is not there yet, all but the last part. 0, or the errno. */
int ks_folder_make_parents(const char *path, unsigned mode);
/* Gives the name of every entry but . and .. to `each` until it returns false. 0, or the errno. */
int ks_folder_each(const char *path, bool (*each)(void *arg, const char *name), void *arg);
/* Whether something has that name: a file of any kind, a dangling link too. */
bool ks_folder_has(const char *path);
/* Whether a regular file has that name. */
bool ks_folder_has_file(const char *path);

/* Adds `line`, which ends in its own line end, to the end of a file, which is made when missing.
 * Runs that do so at the same time get a line each: O_APPEND, one write, and a lock where the file
 * system has one (it is waited for two seconds at most). What a killed run left without a line end
 * is ended first. 0, or the errno; a failed write takes back what it wrote of the line. */
int ks_append_line(const struct ks_io *io, const char *path, ks_str line);

#endif
