/* SPDX-License-Identifier: Apache-2.0
 *
 * RFC 4180 rows over ks_out: CRLF, quotes only where needed. A text cell that a spreadsheet would
 * take for a formula (= + - @ TAB CR at its start) gets a leading apostrophe inside quotes; numbers
 * are written by the number calls and never get one. Bytes that are not shown raw are made visible.
 */
#ifndef KS_BASE_CSVW_H
#define KS_BASE_CSVW_H

#include "base/io.h"

struct ks_csvw {
	struct ks_out *out;
	bool started; /* a cell of this row was written */
};

void ks_csvw_init(struct ks_csvw *w, struct ks_out *out);
void ks_csvw_str(struct ks_csvw *w, ks_str s);
void ks_csvw_cstr(struct ks_csvw *w, const char *s);
void ks_csvw_i64(struct ks_csvw *w, int64_t v);
void ks_csvw_double(struct ks_csvw *w, double v);
void ks_csvw_empty(struct ks_csvw *w);
void ks_csvw_raw(struct ks_csvw *w, ks_str s); /* already a valid cell, quotes included */
void ks_csvw_end(struct ks_csvw *w);	       /* CRLF */
/* Writes s as a cell (quoted as needed) into b: for cells used in many rows. */
void ks_csvw_cell(struct ks_buf *b, ks_str s);

#endif
