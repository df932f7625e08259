/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of a report a row was made from. The document names them; here the names become rows
 * again: one of the same kernel first, else one of the whole run. A name that fits no row is left
 * out.
 */
#include "base/str.h"
#include "source/ksreport.h"

static ks_id row_named(const struct ks_reader *r, const json_t *name, ks_str subject)
{
	const ks_str s = { json_string_value(name), json_string_length(name) };
	const ks_id own = ks_ev_find(r->report->ev, s, subject);

	return own ? own : ks_ev_find(r->report->ev, s, KS_LIT("(device)"));
}

static void link_row(struct ks_reader *r, const json_t *row, ks_id id)
{
	const json_t *names = ks_reader_array(r, row, "inputs");
	const size_t n = json_array_size(names);
	const struct ks_ev *ev = ks_ev_get(r->report->ev, id);

	if (n == 0 || !ev)
		return;
	ks_id *input = KS_ARENA_NEWS(r->arena, ks_id, n);

	if (!input) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const json_t *name = json_array_get(names, i);

		if (!json_is_string(name)) {
			ks_reader_wrong(r, "inputs", KS_TEXT_SRC_SHAPE_TEXT);
			return;
		}
		input[i] = row_named(r, name, ev->subject);
	}
	ks_ev_relink(r->report->ev, id, input, n);
}

static void link_section(struct ks_reader *r, const json_t *o, const struct ks_section_rows *s)
{
	const json_t *rows = ks_reader_array(r, o, "metrics");

	for (size_t i = 0; i < s->n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "metrics", i);

		link_row(r, ks_reader_element(r, rows, i), s->row[i]);
		ks_reader_leave(r, mark);
	}
}

void ks_reader_lineage(struct ks_reader *r, const json_t *doc)
{
	const json_t *list = ks_reader_array(r, doc, "kernels");

	for (size_t i = 0; i < r->report->n_kernels && !r->failed; i++) {
		const struct ks_kernel *k = &r->report->kernel[i];
		const size_t mark = ks_reader_enter(r, "kernels", i);
		const json_t *sections =
			ks_reader_array(r, ks_reader_element(r, list, i), "sections");

		for (size_t s = 0; s < k->n_sections && !r->failed; s++) {
			const size_t inner = ks_reader_enter(r, "sections", s);

			link_section(r, ks_reader_element(r, sections, s), &k->section[s]);
			ks_reader_leave(r, inner);
		}
		ks_reader_leave(r, mark);
	}
}
