/* SPDX-License-Identifier: Apache-2.0
 *
 * Headings and cells of the `stats` tables, in the columns and with the digits of nsys. Writes to
 * no stream.
 */
#include "base/num.h"
#include "base/str.h"
#include "model/trace.h"
#include "render/stats.h"

#define BYTES_PER_MB	 1e6
#define MB_S_PER_BYTE_NS 1e3

static void put(struct ks_stats_cells *c, ks_str s, bool is_text)
{
	BUG_ON(c->n == KS_STATS_COLUMNS);
	c->is_text[c->n] = is_text;
	c->cell[c->n++] = s;
}

static void text(struct ks_stats_cells *c, ks_str s)
{
	put(c, s, true);
}

static void whole(struct ks_stats_cells *c, int64_t v)
{
	char *to = c->number[c->n];

	if (v == KS_UNKNOWN)
		put(c, KS_LIT(""), false);
	else
		put(c, (ks_str){ to, ks_num_i64(to, v) }, false);
}

static void fixed(struct ks_stats_cells *c, double v, int decimals)
{
	char *to = c->number[c->n];
	const int n = snprintf(to, KS_NUM_LEN, "%.*f", decimals, v);

	put(c, (ks_str){ to, n > 0 && n < KS_NUM_LEN ? (size_t)n : 0 }, false);
}

static void megabytes(struct ks_stats_cells *c, int64_t bytes)
{
	if (bytes == KS_UNKNOWN)
		put(c, KS_LIT(""), false);
	else
		fixed(c, (double)bytes / BYTES_PER_MB, 3);
}

void ks_stats_headings(enum ks_stats_table t, struct ks_stats_cells *c)
{
	static const char *const event[] = {
		"Start (ns)",	"Duration (ns)",
		"CorrId",	"GrdX",
		"GrdY",		"GrdZ",
		"BlkX",		"BlkY",
		"BlkZ",		"Reg/Trd",
		"StcSMem (MB)", "DymSMem (MB)",
		"Bytes (MB)",	"Throughput (MB/s)",
		"SrcMemKd",	"DstMemKd",
		"Device",	"Ctx",
		"Strm",		"Name",
	};
	static const char *const in_ns[] = { "Avg (ns)", "Med (ns)", "Min (ns)", "Max (ns)",
					     "StdDev (ns)" };
	static const char *const in_mb[] = { "Avg (MB)", "Med (MB)", "Min (MB)", "Max (MB)",
					     "StdDev (MB)" };
	const struct ks_stats_info *info = ks_stats_info(t);

	c->n = 0;
	if (info->of == KS_STATS_OF_EVENTS) {
		for (size_t i = 0; i < KS_ARRAY_LEN(event); i++)
			text(c, ks_str_c(event[i]));
		return;
	}
	if (!info->in_mb) {
		text(c, KS_LIT("Time (%)"));
		text(c, KS_LIT("Total Time (ns)"));
	} else {
		text(c, KS_LIT("Total (MB)"));
	}
	text(c, ks_str_c(info->count_heading));
	for (size_t i = 0; i < KS_ARRAY_LEN(in_ns); i++)
		text(c, ks_str_c(info->in_mb ? in_mb[i] : in_ns[i]));
	if (info->of == KS_STATS_OF_RANGES)
		text(c, KS_LIT("Style"));
	text(c, ks_str_c(info->name_heading));
}

static void sizes(const struct ks_stats_row *r, struct ks_stats_cells *c)
{
	megabytes(c, r->total);
	whole(c, (int64_t)r->n);
	fixed(c, r->mean / BYTES_PER_MB, 3);
	fixed(c, r->median / BYTES_PER_MB, 3);
	megabytes(c, r->min);
	megabytes(c, r->max);
	fixed(c, r->deviation / BYTES_PER_MB, 3);
}

static void times(const struct ks_stats_row *r, struct ks_stats_cells *c)
{
	fixed(c, r->share_pct, 1);
	whole(c, r->total);
	whole(c, (int64_t)r->n);
	fixed(c, r->mean, 1);
	fixed(c, r->median, 1);
	whole(c, r->min);
	whole(c, r->max);
	fixed(c, r->deviation, 1);
}

void ks_stats_row_cells(const struct ks_stats *t, const struct ks_stats_row *r,
			struct ks_stats_cells *c)
{
	const struct ks_stats_info *info = ks_stats_info(t->table);

	c->n = 0;
	if (info->in_mb)
		sizes(r, c);
	else
		times(r, c);
	if (info->of == KS_STATS_OF_RANGES)
		text(c, r->style);
	text(c, r->name);
}

static ks_str memory_word(int64_t kind)
{
	static const char *const words[] = {
		[KS_MEM_PAGEABLE] = "Pageable",
		[KS_MEM_PINNED] = "Pinned",
		[KS_MEM_DEVICE] = "Device",
		[KS_MEM_ARRAY] = "Array",
		[KS_MEM_MANAGED] = "Managed",
		[KS_MEM_DEVICE_STATIC] = "Device Static",
		[KS_MEM_MANAGED_STATIC] = "Managed Static",
		[KS_MEM_UNKNOWN] = "Unknown",
	};

	if (kind < 0 || kind >= (int64_t)KS_ARRAY_LEN(words))
		return KS_LIT("");
	return ks_str_c(words[kind]);
}

void ks_stats_event_cells(const struct ks_stats_event *e, struct ks_stats_cells *c)
{
	c->n = 0;
	whole(c, e->start_ns);
	whole(c, e->duration_ns);
	whole(c, e->correlation == 0 ? KS_UNKNOWN : e->correlation);
	for (size_t i = 0; i < 3; i++)
		whole(c, e->is_kernel ? e->grid[i] : KS_UNKNOWN);
	for (size_t i = 0; i < 3; i++)
		whole(c, e->is_kernel ? e->block[i] : KS_UNKNOWN);
	whole(c, e->is_kernel ? e->regs : KS_UNKNOWN);
	megabytes(c, e->is_kernel ? e->static_smem : KS_UNKNOWN);
	megabytes(c, e->is_kernel ? e->dynamic_smem : KS_UNKNOWN);
	megabytes(c, e->bytes);
	if (e->bytes_per_ns < 0.0)
		put(c, KS_LIT(""), false);
	else
		fixed(c, e->bytes_per_ns * MB_S_PER_BYTE_NS, 3);
	text(c, memory_word(e->is_kernel ? KS_UNKNOWN : e->src_kind));
	text(c, memory_word(e->is_kernel ? KS_UNKNOWN : e->dst_kind));
	text(c, e->device);
	whole(c, e->context);
	whole(c, e->stream);
	text(c, e->name);
}
