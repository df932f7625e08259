/* SPDX-License-Identifier: Apache-2.0
 *
 * Binary search over the id arrays that ksgen sorted by name. For the files of this folder only.
 */
#ifndef KS_TABLES_FIND_H
#define KS_TABLES_FIND_H

#include "base/base.h"

/* Compares as the generator sorts: byte by byte, the shorter first. */
int ks_name_cmp(ks_str name, const char *row_name);

/* Index in ids[] of the row called `name`, SIZE_MAX if there is none. */
size_t ks_find_sorted(const uint16_t *ids, size_t n, const char *(*name_of)(unsigned id),
		      ks_str name);

#endif
