/* SPDX-License-Identifier: Apache-2.0
 *
 * What the two halves of `show` share: show_rows.c takes rows in, show.c says what is read next and
 * makes the answer.
 */
#ifndef KS_ANALYZE_SHOW_INTERNAL_H
#define KS_ANALYZE_SHOW_INTERNAL_H

#include "analyze/find.h"
#include "analyze/find_table.h"
#include "analyze/ranges.h"
#include "analyze/show.h"
#include "analyze/told.h"
#include "base/map.h"
#include "model/device.h"

enum ks_show_reading {
	KS_SHOW_GAP,	/* the gap; the readings after it are of the work that ends it */
	KS_SHOW_EVENT,	/* the event itself, and the devices */
	KS_SHOW_AROUND, /* what launched it, and what stands beside it */
	KS_SHOW_RANGES, /* the NVTX ranges around its cause, and the steps */
};

struct ks_show_row { /* a row of any kind */
	bool there;
	bool start_end; /* of a range */
	enum ks_find_table table;
	ks_ns start_ns, end_ns;
	int64_t row, name, domain; /* name: a reference, or the kind of a copy */
	int64_t process, context, stream, thread;
	int64_t ordinal; /* of the device in its process */
	int64_t correlation, bytes;
	int64_t grid[3], block[3], regs, static_smem, dynamic_smem;
};

struct ks_show_domain {
	int64_t process, domain;
};

struct ks_show {
	const struct ks_ctx *ctx;
	struct ks_arena arena;
	struct ks_sink_ops ops;
	struct ks_sink sink;
	enum ks_show_reading reading;
	enum ks_find_table table;
	int64_t pid, row; /* of the id; pid KS_UNKNOWN for '-' */
	ks_str id;

	struct ks_find *find; /* of a gap, which it keeps; NULL for other events */
	struct ks_find_choice gap;

	struct ks_show_row event, call, before, after;
	struct ks_devices devices; /* of the first reading */
	uint32_t device;

	struct ks_told names; /* what this reading was told */

	struct ks_map
		domains; /* of this reading: process and domain, beside: its name's reference */
	int64_t *domain_name;
	size_t domain_cap;

	struct ks_ranges *ranges;
	struct ks_show_row *open;
	size_t n_open, open_cap;
	struct ks_steps steps;

	struct ks_shown_event shown_call, shown_before, shown_after;
	struct ks_shown out;
};

enum ks_status ks_show_no_memory(struct ks_err *err);
/* The sink's calls. */
void ks_show_set_ops(struct ks_sink_ops *ops);
/* Text of a reference of this reading; "" for none. */
ks_str ks_show_text(const struct ks_show *s, int64_t ref);
/* Kernels, copies and memsets: what a device did. */
bool ks_show_is_work(enum ks_find_table table);
/* Rows of one stream or thread in order: by start, the longer first, then as the tables have them.
 */
int ks_show_order(const struct ks_show_row *a, const struct ks_show_row *b);
/* What began the event: its call, or itself. NULL for work without a known call: it has no thread.
 */
const struct ks_show_row *ks_show_cause(const struct ks_show *s);

#endif
