/* SPDX-License-Identifier: Apache-2.0
 *
 * One table, row by row, to whoever wants its rows. Keeps none of them.
 */
#include "source/nsys.h"

enum ks_status ks_nsys_feed(struct ks_nsys *n, const struct ks_nsys_feed *f, struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, f->table);
	struct ks_nsys_scan s;
	bool got = true;

	if (!t)
		return KS_OK;
	ks_nsys_row_clear(f->row, f->column, f->n_columns);

	enum ks_status st = ks_nsys_scan_open(&s, n, t, f->column, f->n_columns, err);

	if (st == KS_OK && f->progress)
		ks_nsys_scan_expect(&s, f->progress);
	while (st == KS_OK && (st = ks_nsys_scan_next(&s, f->row, &got, err)) == KS_OK && got)
		st = f->deliver(n, f->row, err);
	ks_nsys_scan_close(&s);
	t->analysed = true;
	return st;
}
