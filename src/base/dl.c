/* SPDX-License-Identifier: Apache-2.0
 *
 * The dynamic loader. Binds only what is called and gives no symbol to other libraries.
 */
#define KS_BASE_DOOR
#include "base/dl.h"

#include <dlfcn.h>
#include <link.h>

bool ks_dl_open(struct ks_dl *dl, const char *name, char *why, size_t size)
{
	dl->handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
	if (dl->handle == NULL && size > 0) {
		const char *said = dlerror();

		(void)snprintf(why, size, "%s", said != NULL ? said : "");
	}
	return dl->handle != NULL;
}

/* glibc's words: those of strerror, or its own when it could not even build the message. */
bool ks_dl_no_memory(const char *why)
{
	return strstr(why, ": Cannot allocate memory") != NULL ||
	       strstr(why, "cannot create shared object descriptor") != NULL ||
	       strstr(why, "out of memory") != NULL;
}

ks_dl_fn *ks_dl_find(const struct ks_dl *dl, const char *symbol)
{
	void *address = dl->handle != NULL ? dlsym(dl->handle, symbol) : NULL;
	ks_dl_fn *function = NULL;

	_Static_assert(sizeof(function) == sizeof(address), "POSIX promises it");
	memcpy(&function, &address, sizeof(function));
	return function;
}

bool ks_dl_path(const struct ks_dl *dl, char *path, size_t size)
{
	struct link_map *map = NULL;

	if (dl->handle == NULL || dlinfo(dl->handle, RTLD_DI_LINKMAP, &map) != 0 || map == NULL ||
	    map->l_name == NULL || map->l_name[0] == '\0')
		return false;
	return (size_t)snprintf(path, size, "%s", map->l_name) < size;
}

void ks_dl_close(struct ks_dl *dl)
{
	if (dl->handle != NULL)
		(void)dlclose(dl->handle);
	dl->handle = NULL;
}
