/* SPDX-License-Identifier: Apache-2.0
 *
 * What every SVG of ours is drawn with: one palette, system fonts, own background, text from the
 * text table, everything from an input escaped. Knows no chart; no script, no outside resource.
 */
#ifndef KS_RENDER_SVG_PEN_H
#define KS_RENDER_SVG_PEN_H

#include "base/xmlw.h"
#include "render/pen.h"
#include "render/render.h"

#define KS_SVG_INK   "#1f2937"
#define KS_SVG_MUTED "#6b7280"
#define KS_SVG_FAINT "#e5e7eb"
#define KS_SVG_PAPER "#ffffff"
#define KS_SVG_BLUE  "#2563eb"
#define KS_SVG_SLATE "#94a3b8"
#define KS_SVG_TEAL  "#0d9488"
#define KS_SVG_AMBER "#b45309"

/* Geometry in user units (pixels at 100 %). */
#define KS_SVG_MARGIN	 28
#define KS_SVG_NAME_COLS 54   /* of a 12 px monospaced font, 7.2 px a column */
#define KS_SVG_NAME_MAX	 4096 /* bytes of a name where it is written whole */

struct ks_svg {
	struct ks_xmlw w;
	struct ks_pen pen; /* for strings only */
	struct ks_arena tmp;
};

/* Ready to draw onto `out`; ks_svg_done gives the memory back and says whether there was enough. */
void ks_svg_begin(struct ks_svg *s, const struct ks_view *v, struct ks_out *out);
enum ks_status ks_svg_done(struct ks_svg *s, struct ks_err *err);

/* The root element with its title and description for screen readers, and the background. Closed
 * with ks_xmlw_close. */
void ks_svg_document(struct ks_svg *s, int width, int height, ks_str title, ks_str desc);

struct ks_svg_label {
	double x, y;
	int size;
	const char *fill;
	bool right, bold, mono, middle;
};
void ks_svg_text(struct ks_svg *s, const struct ks_svg_label *l, ks_str text);
#define KS_SVG_TEXT(s, text, ...)                                                                  \
	ks_svg_text((s), &(const struct ks_svg_label){ __VA_ARGS__ }, (text))

struct ks_svg_box {
	double x, y, w, h, round;
	const char *fill;
};
void ks_svg_box(struct ks_svg *s, const struct ks_svg_box *b);
#define KS_SVG_BOX(s, ...) ks_svg_box((s), &(const struct ks_svg_box){ __VA_ARGS__ })

/* A group whose text appears where the pointer rests on it; closed with ks_xmlw_close. */
void ks_svg_group(struct ks_svg *s, ks_str hover);
/* A colour and what it stands for; returns the x behind it. */
double ks_svg_legend(struct ks_svg *s, double x, double y, const char *fill, ks_str text);

double ks_svg_legend_width(ks_str text);

/* Parts with dots between them; those that do not fit are left out. */
ks_str ks_svg_joined(struct ks_svg *s, const ks_str *part, size_t n, size_t cols);
ks_str ks_svg_count(struct ks_svg *s, uint64_t n, enum ks_text one, enum ks_text many);
/* "NVIDIA A100 (sm_80)", "4 devices". */
ks_str ks_svg_device(struct ks_svg *s, const struct ks_report *r);
/* "Kernoscope 0.4.0 · what the numbers are" */
ks_str ks_svg_signature(struct ks_svg *s, ks_str what);

#endif
