/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel names for narrow places. What is left out is marked; two names are never made one: a row
 * whose short form is already taken shows the part in which it differs.
 */
#ifndef KS_RENDER_FIT_H
#define KS_RENDER_FIT_H

#include "base/buf.h"

struct ks_fit {
	size_t cols;  /* terminal columns to stay within, counted after escaping */
	bool utf8;    /* the mark is one column, else three full stops */
	ks_str apart; /* a name whose short form is the same; "" when there is none */
};

/* Appends the name, raw bytes as they were: whole if it fits; else without return type and
 * parameters, then without namespaces, then with its template arguments cut in the middle. */
void ks_fit_name(struct ks_buf *out, const struct ks_fit *fit, ks_str name);

#endif
