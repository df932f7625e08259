/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of `stats` as text, CSV and JSON. The columns of CSV are those of nsys, letter for letter;
 * JSON uses the same headings as keys. Computes nothing but units.
 */
#ifndef KS_RENDER_STATS_H
#define KS_RENDER_STATS_H

#include "base/ctx.h"
#include "base/num.h"
#include "evidence/stats.h"
#include "render/render.h"

enum ks_status ks_stats_text_out(const struct ks_stats *t, const struct ks_view *v,
				 struct ks_out *out, struct ks_err *err);
enum ks_status ks_stats_csv_out(const struct ks_stats *t, struct ks_out *out, struct ks_err *err);
enum ks_status ks_stats_json_out(const struct ks_stats *t, struct ks_out *out, struct ks_err *err);
/* The names of the tables, one line each; or as JSON. */
enum ks_status ks_stats_list(const struct ks_view *v, bool json, struct ks_out *out,
			     struct ks_err *err);

/* stats_cells.c: one row as cells, shared by the three. Numbers are texts that need no quoting. */
#define KS_STATS_COLUMNS 20
struct ks_stats_cells {
	size_t n;
	bool is_text[KS_STATS_COLUMNS];
	ks_str cell[KS_STATS_COLUMNS];		   /* "" empty */
	char number[KS_STATS_COLUMNS][KS_NUM_LEN]; /* where the numbers live */
};
void ks_stats_headings(enum ks_stats_table t, struct ks_stats_cells *c);
void ks_stats_row_cells(const struct ks_stats *t, const struct ks_stats_row *r,
			struct ks_stats_cells *c);
void ks_stats_event_cells(const struct ks_stats_event *e, struct ks_stats_cells *c);

#endif
