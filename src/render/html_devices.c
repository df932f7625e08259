/* SPDX-License-Identifier: Apache-2.0
 *
 * What each device did over the span: one bar a device, cut by what ran at once. The parts add up
 * to the span; they are the report's.
 */
#include "render/html.h"

#include "base/str.h"
#include "evidence/ratio.h"

#define DEVICES_MAX 16

static const struct part {
	int mix;
	const char *class;
	enum ks_text text;
} parts[] = {
	{ KS_MIX_COMPUTE, "c1", KS_TEXT_R_T_MIX_COMPUTE },
	{ KS_MIX_COMPUTE | KS_MIX_COPY, "c2", KS_TEXT_R_T_MIX_COMPUTE_COPY },
	{ KS_MIX_COPY, "c3", KS_TEXT_R_T_MIX_COPY },
	{ KS_MIX_COMPUTE | KS_MIX_COMM, "c4", KS_TEXT_R_T_MIX_COMPUTE_COMM },
	{ KS_MIX_COMM, "c5", KS_TEXT_R_T_MIX_COMM },
	{ KS_MIX_COPY | KS_MIX_COMM, "c6", KS_TEXT_R_T_MIX_COPY_COMM },
	{ KS_MIX_COMPUTE | KS_MIX_COPY | KS_MIX_COMM, "c7", KS_TEXT_R_T_MIX_ALL },
	{ 0, "c0", KS_TEXT_R_IDLE },
};

static ks_str device_name(struct ks_html *h, const struct ks_gpu *g)
{
	struct ks_pen *p = &h->svg.pen;

	if (g->label == KS_UNKNOWN || g->label < 0)
		return KS_PEN_WORD(p, KS_TEXT_R_DEVICE_UNKNOWN);
	if (g->name.n == 0)
		return KS_PEN_SAY(p, KS_TEXT_R_DEVICE_BARE, ks_pen_i64(p, g->label));
	return KS_PEN_SAY(p, KS_TEXT_R_DEVICE_N, ks_pen_i64(p, g->label),
			  ks_pen_name(p, g->name, 40, KS_LIT("")));
}

/* The bar is for the eye; the list below it says the same in words. */
static void device(struct ks_html *h, size_t i)
{
	const struct ks_device_time *d = &h->r->timeline->device[i];
	struct ks_pen *p = &h->svg.pen;

	ks_xmlw_break(&h->svg.w);
	ks_html_open(h, "figure", NULL);
	ks_html_el(h, "figcaption", NULL, device_name(h, &h->r->gpu[i]));
	ks_html_open(h, "div", "mix");
	ks_html_attr(h, "aria-hidden", "true");
	for (size_t k = 0; k < KS_ARRAY_LEN(parts); k++) {
		if (d->mix_ns[parts[k].mix] <= 0)
			continue;
		ks_html_open(h, "div", parts[k].class);
		ks_html_pct(h, "width", ks_share_pct(d->mix_ns[parts[k].mix], h->r->span_ns));
		ks_html_close(h);
	}
	ks_html_close(h);
	ks_html_open(h, "ul", "key");
	for (size_t k = 0; k < KS_ARRAY_LEN(parts); k++) {
		const ks_ns ns = d->mix_ns[parts[k].mix];

		if (ns <= 0)
			continue;
		ks_html_open(h, "li", parts[k].class);
		ks_html_put(h, KS_PEN_SAY(p, parts[k].text, ks_pen_duration(p, ns)), 80);
		ks_html_put(h,
			    ks_arena_fmt(p->tmp, " (%s %%)",
					 ks_pen_fixed(p, ks_share_pct(ns, h->r->span_ns), 1).p),
			    20);
		ks_html_close(h);
	}
	ks_html_close_n(h, 2);
}

void ks_html_devices(struct ks_html *h)
{
	const struct ks_report *r = h->r;
	struct ks_pen *p = &h->svg.pen;
	const size_t most = h->level->kernels < DEVICES_MAX ? h->level->kernels : DEVICES_MAX;
	size_t n = r->n_gpus_used < most ? r->n_gpus_used : most;

	if (r->timeline == NULL || r->timeline->device == NULL || n == 0 || r->span_ns <= 0)
		return;
	ks_html_section(h, "devices", KS_PEN_WORD(p, KS_TEXT_H_DEVICES));
	for (size_t i = 0; i < n; i++)
		device(h, i);
	if (n < r->n_gpus_used)
		ks_html_el(h, "p", "mu",
			   KS_PEN_SAY(p, KS_TEXT_H_MORE, ks_pen_u64(p, r->n_gpus_used - n)));
	ks_html_close(h);
}
