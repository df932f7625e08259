/* SPDX-License-Identifier: Apache-2.0
 *
 * How decisions are put into words, the same in every output for people: the finding, the
 * conclusion, premises, remedies. All texts are raw bytes in the pen's arena. Decides nothing.
 */
#ifndef KS_RENDER_DECIDED_H
#define KS_RENDER_DECIDED_H

#include "render/pen.h"
#include "verdict/packet.h"

/* "a, b"; "" for none. */
ks_str ks_decided_list(struct ks_pen *p, const ks_str *part, size_t n);
/* "registers+shared_mem" in the short words of a table. */
ks_str ks_decided_limiter(struct ks_pen *p, ks_str slugs);
/* The finding as it is said: a Chinese sentence names the limiter in Chinese, as tables do. */
struct ks_msg ks_decided_finding(struct ks_pen *p, const struct ks_msg *finding);
/* How many verdicts of a packet are refused, and by which codes. */
ks_str ks_decided_conclusion(struct ks_pen *p, const struct ks_packet *k);

/* "4.755 ms". `other` is a unit that this version does not know, of a packet that was read. */
ks_str ks_decided_value(struct ks_pen *p, const struct ks_value *v, enum ks_unit unit,
			ks_str other);
ks_str ks_decided_premise(const struct ks_pen *p, const struct ks_premise_row *row); /* label */

/* Why a step is one: its verdict was refused, or a whole group of rows was, whose first speaks for
 * it. NULL for a hint. */
const struct ks_refused *ks_decided_refused(const struct ks_verdicts *vd,
					    const struct ks_next *next);
/* What a packet has on a code; NULL: nothing. The slug decides where there is one: a packet of
 * another version may hold codes that are all unknown here. */
const struct ks_packet_remedy *ks_decided_remedy(const struct ks_packet *k, enum ks_refusal code,
						 ks_str slug);
/* "" for a code that a later version answers. */
ks_str ks_decided_cost(struct ks_pen *p, const struct ks_packet *k, enum ks_refusal code,
		       ks_str slug);
/* What stands between the metrics of a group and their values: nothing helps, a command, data. */
ks_str ks_decided_way(struct ks_pen *p, const struct ks_packet *k, const struct ks_unmeasured *u);

#endif
