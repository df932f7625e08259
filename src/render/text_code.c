/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of device code that nothing launched, as a table: what they need of an SM and, where
 * a disassembler was there, what they consist of. Times are not among it.
 */
#include "base/str.h"
#include "evidence/rest.h"
#include "evidence/value.h"
#include "render/text.h"
#include "render/text_grid.h"

enum {
	COL_ARCH,
	COL_REGS,
	COL_SHARED,
	COL_STACK,
	COL_CONST,
	COL_BARS,
	COL_SASS,
	COL_TENSOR,
	COL_MEMORY,
	COL_NAME,
	COLS
};

static const struct {
	enum ks_text head;
	enum ks_metric metric;
	int decimals;
} columns[COL_NAME] = {
	[COL_ARCH] = { KS_TEXT_R_CODE_ARCH, KS_METRIC_KS_CUBIN_ARCH, 0 },
	[COL_REGS] = { KS_TEXT_R_CODE_REGS, KS_METRIC_KS_CUBIN_REGISTERS_PER_THREAD, 0 },
	[COL_SHARED] = { KS_TEXT_R_CODE_SHARED, KS_METRIC_KS_CUBIN_SHARED_BYTES, 0 },
	[COL_STACK] = { KS_TEXT_R_CODE_STACK, KS_METRIC_KS_CUBIN_STACK_BYTES, 0 },
	[COL_CONST] = { KS_TEXT_R_CODE_CONST, KS_METRIC_KS_CUBIN_CONSTANT_BYTES, 0 },
	[COL_BARS] = { KS_TEXT_R_CODE_BARS, KS_METRIC_KS_CUBIN_BARRIERS, 0 },
	[COL_SASS] = { KS_TEXT_R_CODE_SASS, KS_METRIC_KS_STATIC_SASS_INSTRUCTIONS, 0 },
	[COL_TENSOR] = { KS_TEXT_R_CODE_TENSOR, KS_METRIC_KS_STATIC_SASS_SHARE_TENSOR, 1 },
	[COL_MEMORY] = { KS_TEXT_R_CODE_MEMORY, KS_METRIC_KS_STATIC_SASS_SHARE_MEMORY, 1 },
};

static ks_str cell(struct ks_sheet *t, const struct ks_kernel *k, size_t col)
{
	const struct ks_ev *row = ks_text_kernel_row(t->r, k, columns[col].metric);

	if (row == NULL)
		return KS_LIT("");
	if (row->prov == KS_PROV_UNAVAILABLE)
		return KS_PEN_WORD(&t->pen, KS_TEXT_R_NA);
	if (ks_value_is_number(&row->value))
		return ks_pen_fixed(&t->pen, ks_value_real(&row->value), columns[col].decimals);
	return ks_pen_value(&t->pen, &row->value);
}

static void add_row(struct ks_sheet *t, struct ks_grid *g, const struct ks_kernel *k)
{
	ks_str *c = ks_grid_row(g);

	for (size_t i = 0; i < COL_NAME; i++)
		c[i] = cell(t, k, i);
	c[COL_NAME] = k->name;
}

void ks_text_code(struct ks_sheet *t, size_t rows)
{
	const size_t all = ks_report_code_kernels(t->r), first = ks_report_kernels(t->r);
	const size_t n = rows < all ? rows : all;
	struct ks_grid g;

	if (n == 0)
		return;
	ks_pen_nl(&t->pen);
	ks_text_heading(&t->pen, KS_PEN_WORD(&t->pen, KS_TEXT_R_CODE_HEAD));
	if (!ks_grid_open(&g, &t->pen, COLS, n))
		return;
	g.leaves = "874536";
	ks_str *head = ks_grid_row(&g);

	for (size_t i = 0; i < COL_NAME; i++)
		head[i] = KS_PEN_WORD(&t->pen, columns[i].head);
	head[COL_NAME] = KS_PEN_WORD(&t->pen, KS_TEXT_R_COL_KERNEL);
	for (size_t i = 0; i < n; i++)
		add_row(t, &g, &t->r->kernel[first + i]);
	ks_grid_write(&g, 2);
	if (all > n) {
		const struct ks_wrap how = { .style = KS_STYLE_DIM, .lines = 1 };

		ks_pen_wrap(&t->pen, &how,
			    KS_PEN_SAY(&t->pen, KS_TEXT_R_CODE_MORE, ks_pen_u64(&t->pen, all - n)));
	}
}
