/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared libraries that are loaded while we run. The one place where an address from the loader
 * becomes a function pointer.
 */
#ifndef KS_BASE_DL_H
#define KS_BASE_DL_H

#include "base/base.h"

struct ks_dl {
	void *handle; /* NULL: closed */
};
/* Cast it to the type the library documents before calling it. */
typedef void ks_dl_fn(void);

/* `name` is a path or a soname. On failure false, and the loader's message, which names the reason,
 * in `why` (cut to its size). */
bool ks_dl_open(struct ks_dl *dl, const char *name, char *why, size_t size);
/* Whether such a message says that memory ran out, and so nothing about the library. */
bool ks_dl_no_memory(const char *why);
ks_dl_fn *ks_dl_find(const struct ks_dl *dl, const char *symbol); /* NULL: it has none */
/* The file that a soname turned out to be; false when the loader does not say. */
bool ks_dl_path(const struct ks_dl *dl, char *path, size_t size);
void ks_dl_close(struct ks_dl *dl);

#endif
