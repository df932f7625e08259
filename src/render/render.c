/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of output formats, and the one filter for rows that all of them share.
 */
#include "render/render.h"

#include "base/str.h"

static const struct ks_render_ops *const formats[] = {
	&ks_render_text,     &ks_render_screen,	       &ks_render_json,
	&ks_render_csv,	     &ks_render_launch_csv,    &ks_render_svg,
	&ks_render_timeline, &ks_render_histogram,     &ks_render_folded,
	&ks_render_nvtx_csv, &ks_render_perfetto,      &ks_render_html,
	&ks_render_md,	     &ks_render_occupancy_svg, &ks_render_occupancy_csv,
};

const struct ks_render_ops *ks_render_find(enum ks_format f)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(formats); i++)
		if (formats[i]->format == f)
			return formats[i];
	return NULL;
}

bool ks_view_row(const struct ks_view *v, const struct ks_ev *row)
{
	if (v->section_on != NULL && row->section < KS_SECTION_COUNT &&
	    !v->section_on[row->section])
		return false;
	if (v->n_metrics == 0)
		return true;
	for (size_t i = 0; i < v->n_metrics; i++)
		if (ks_str_eq(v->metric[i], row->name))
			return true;
	return false;
}
