/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds rows of the whole run. Makes none.
 */
#include "evidence/run_row.h"

#include "base/str.h"

#define NAME_BYTES 128 /* the longest pattern of a device in metrics.def has less than 50 */

const struct ks_kernel *ks_run_row_owner(const struct ks_report *r)
{
	for (size_t i = r->n_kernels; i-- > 0;)
		if (r->kernel[i].is_device)
			return &r->kernel[i];
	return NULL;
}

const struct ks_ev *ks_run_row_find(const struct ks_report *r, const char *name)
{
	const struct ks_kernel *k = ks_run_row_owner(r);

	return k ? ks_ev_get(r->ev, ks_ev_find(r->ev, ks_str_c(name), k->name)) : NULL;
}

const struct ks_ev *ks_run_row_of_device(const struct ks_report *r, int64_t label, const char *what)
{
	char name[NAME_BYTES];
	const int n = snprintf(name, sizeof(name), "ks__device_%lld__%s", (long long)label, what);

	return n > 0 && (size_t)n < sizeof(name) ? ks_run_row_find(r, name) : NULL;
}
