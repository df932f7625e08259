/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of CUPTI on this machine, in the order in which a collector would try them. None is
 * loaded: one release is known to crash where there is no driver (contract 08 §3.8), so the version
 * comes from the name of the file.
 */
#include <limits.h>

#include "base/str.h"
#include "source/host_internal.h"

enum { MOST = 64 };

/* What stands behind ".so." in the name of the file; "" when nothing does. */
static ks_str version_of(ks_str path)
{
	size_t name = path.n;

	while (name > 0 && path.p[name - 1] != '/')
		name--;
	for (size_t i = name; i + 4 < path.n; i++)
		if (memcmp(path.p + i, ".so.", 4) == 0)
			return (ks_str){ path.p + i + 4, path.n - i - 4 };
	return ks_str_c("");
}

static bool listed(const struct ks_library *c, size_t n, ks_str path)
{
	for (size_t i = 0; i < n; i++)
		if (ks_str_eq(c[i].path, path))
			return true;
	return false;
}

void ks_host_libraries(const struct ks_host_run *r)
{
	const struct ks_paths file = ks_host_paths(r, KS_PLACE_CUPTI, true);
	struct ks_library *c = KS_ARENA_NEWS(r->a, struct ks_library, MOST);
	size_t n = 0;

	for (size_t i = 0; c != NULL && i < file.n && n < MOST; i++) {
		char real[PATH_MAX];

		if (realpath(file.path[i].p, real) == NULL || !ks_host_exists(file.path[i], false))
			continue;
		const ks_str path = ks_arena_dup(r->a, ks_str_c(real));

		if (!listed(c, n, path))
			c[n++] = (struct ks_library){ path, version_of(path), KS_KNOWN_UNREAD,
						      ks_str_c("") };
	}
	r->host->cupti = c;
	r->host->n_cupti = c != NULL ? n : 0;
}
