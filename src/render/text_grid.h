/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the text renderer only: a small table whose numbers line up and whose last column is a
 * name. The first row is the heading.
 */
#ifndef KS_RENDER_TEXT_GRID_H
#define KS_RENDER_TEXT_GRID_H

#include "render/pen.h"

#define KS_GRID_COLS 10

struct ks_grid {
	struct ks_pen *p;
	size_t n_cols; /* the name counted */
	size_t n_rows, max_rows;
	ks_str *cell;	/* n_cols of each row */
	size_t *indent; /* of each row's name */
	const char
		*leaves; /* numbers of columns, '0' the first, in the order in which they leave */
};

/* Room for so many rows behind the heading; in the pen's arena. False: no memory. */
bool ks_grid_open(struct ks_grid *g, struct ks_pen *p, size_t n_cols, size_t max_rows);
/* The cells of the next row, all empty; the caller has made room for it. */
ks_str *ks_grid_row(struct ks_grid *g);
/* Columns in which no row has anything are left out. */
void ks_grid_write(struct ks_grid *g, size_t indent);

/* One unit for all times of a table, by its largest. */
struct ks_scale {
	double per;
	int decimals;
	ks_str unit;
};
struct ks_scale ks_scale_of(const struct ks_pen *p, ks_ns largest);
ks_str ks_scaled(struct ks_pen *p, const struct ks_scale *u, double ns); /* "" below zero */

#endif
