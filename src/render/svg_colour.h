/* SPDX-License-Identifier: Apache-2.0
 *
 * Colours of a timeline. A name keeps its colour from picture to picture; the kernels with most
 * time get different ones as far as the palette reaches. Told apart with any common colour
 * blindness.
 */
#ifndef KS_RENDER_SVG_COLOUR_H
#define KS_RENDER_SVG_COLOUR_H

#include "evidence/report.h"

struct ks_svg_colour {
	const char *fill, *edge; /* edge: "" for none */
	const char *ink;	 /* of text on it */
};

#define KS_SVG_KEYS 12
struct ks_svg_key { /* a name of the legend */
	ks_str name;
	bool comm;
	unsigned slot;
};
struct ks_svg_keys {
	struct ks_svg_key key[KS_SVG_KEYS];
	size_t n;
};
/* The kernels of the report with most time that are in the picture. */
void ks_svg_keys_make(struct ks_svg_keys *k, const struct ks_report *r,
		      const struct ks_timeline_picture *p);
const struct ks_svg_colour *ks_svg_key_colour(const struct ks_svg_key *key);
/* What a slice of that lane is filled with. */
const struct ks_svg_colour *ks_svg_colour_of(const struct ks_svg_keys *k, enum ks_lane_kind kind,
					     ks_str name, bool comm);

#endif
