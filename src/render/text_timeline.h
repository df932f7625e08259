/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the text renderer only: the parts of the block about time, and what they share.
 */
#ifndef KS_RENDER_TEXT_TIMELINE_H
#define KS_RENDER_TEXT_TIMELINE_H

#include "render/text.h"

#define KS_SAY_SEGMENTS	   16
#define KS_TEXT_RATE_BYTES ((int64_t)1 << 20) /* contract 06 §14: smaller copies tell no rate */

/* A line of the block: a label and segments. What a crowded screen has no room for is not written;
 * with --print-details all every line is, over as many lines as it takes. */
struct ks_say {
	struct ks_sheet *t;
	const struct ks_timeline *time;
	size_t left; /* lines that may still be written */
	ks_str seg[KS_SAY_SEGMENTS];
	size_t n;
};

void ks_say_add(struct ks_say *s, ks_str text); /* "" adds nothing */
/* Writes the line and forgets its segments; nothing when it has none. label "" continues. */
void ks_say_line(struct ks_say *s, ks_str label);

/* The value of a row, which may be NULL, in text for people; "" when it has none. */
ks_str ks_text_row_time(struct ks_pen *p, const struct ks_ev *row); /* of a row in ms */
ks_str ks_text_row_pct(struct ks_pen *p, const struct ks_ev *row);

/* "1 call" or "12 calls". */
ks_str ks_text_times(struct ks_pen *p, uint64_t n, enum ks_text one, enum ks_text many);

void ks_text_steps(struct ks_say *s);
void ks_text_nvtx(struct ks_say *s); /* text_phases.c */
void ks_text_phases(struct ks_say *s, size_t rows);
/* The table; `names` says how many names each phase stands for, NULL: one. */
void ks_text_phase_table(struct ks_say *s, const struct ks_phase *phase, const uint32_t *names,
			 size_t n);
void ks_text_devices_time(struct ks_say *s, size_t most); /* text_time.c */
void ks_text_gaps(struct ks_say *s, size_t most);
/* "after A, before B"; each name at most `cols` wide. */
ks_str ks_text_between(struct ks_pen *p, const struct ks_gap *gap, size_t cols);
void ks_text_copies(struct ks_say *s, size_t most);
void ks_text_communication(struct ks_say *s);
void ks_text_graphs(struct ks_say *s);
void ks_text_calls(struct ks_say *s);

#endif
