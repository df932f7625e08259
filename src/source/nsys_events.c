/* SPDX-License-Identifier: Apache-2.0
 *
 * What the host did, row by row: NVTX ranges, CUDA calls, overhead of profiler and driver, frames
 * of call chains. What a row does not say is unknown, never 0; what makes a range is left to the
 * sink.
 */
#include "source/nsys_columns.h"

struct nvtx_row {
	struct ks_range range;
	ks_nameref text_id;
	int64_t json_id;
	int64_t plain[4]; /* the members of the payload's union that are integers */
};

static const struct ks_nsys_column range_columns[] = {
	TIME(nvtx_row, "start", range.start_ns),
	TIME(nvtx_row, "end", range.end_ns),
	ID(nvtx_row, "globalTid", range.thread),
	ID(nvtx_row, "endGlobalTid", range.end_thread),
	NUMBER(nvtx_row, "domainId", range.domain, 0, ID_MIN, ID_MAX),
	ID(nvtx_row, "eventType", range.type),
	NAME(nvtx_row, "text", range.name),
	NAME(nvtx_row, "textId", text_id),
	BYTES(nvtx_row, "binaryData", range.payload),
	TEXT(nvtx_row, "jsonText", range.json),
	ID(nvtx_row, "jsonTextId", json_id),
	/* above 2^63 a column shows it as negative: not what was recorded */
	NUMBER(nvtx_row, "uint64Value", plain[0], KS_UNKNOWN, 0, ID_MAX),
	ID(nvtx_row, "int64Value", plain[1]),
	ID(nvtx_row, "uint32Value", plain[2]),
	ID(nvtx_row, "int32Value", plain[3]),
	ROW(nvtx_row, range.row),
};

static const struct ks_nsys_column call_columns[] = {
	TIME(ks_call, "start", start_ns),
	TIME(ks_call, "end", end_ns),
	ID(ks_call, "eventClass", event_class),
	ID(ks_call, "globalTid", thread),
	OR_NONE(ks_call, "correlationId", correlation, ID_MIN, ID_MAX),
	NAME(ks_call, "nameId", name),
	ID(ks_call, "returnValue", result),
	ID(ks_call, "callchainId", chain),
	ROW(ks_call, row),
};

struct overhead_row {
	struct ks_overhead overhead;
	int64_t type;
};

static const struct ks_nsys_column overhead_columns[] = {
	TIME(overhead_row, "start", overhead.start_ns), TIME(overhead_row, "end", overhead.end_ns),
	ID(overhead_row, "globalTid", overhead.thread), NAME(overhead_row, "nameId", overhead.name),
	ID(overhead_row, "overheadType", type),
};

struct frame_row {
	struct ks_frame frame;
	int64_t unresolved;
};

static const struct ks_nsys_column frame_columns[] = {
	ID(frame_row, "id", frame.chain),
	NUMBER(frame_row, "stackDepth", frame.depth, KS_UNKNOWN, 0, DIM),
	NAME(frame_row, "symbol", frame.symbol),
	NAME(frame_row, "module", frame.module),
	NUMBER(frame_row, "unresolved", unresolved, 0, ID_MIN, ID_MAX),
};

/* The text of the row itself comes before a registered string; blanks are no name. */
static ks_nameref name_of(const struct ks_nsys *n, const struct nvtx_row *w)
{
	if (w->range.name && !ks_nsys_ref_is_blank(n, w->range.name))
		return w->range.name;
	return ks_nsys_ref_is_blank(n, w->text_id) ? 0 : w->text_id;
}

static enum ks_status deliver_range(struct ks_nsys *n, void *row, struct ks_err *err)
{
	const struct nvtx_row *w = row;
	struct ks_range r = w->range;
	bool found;

	r.type = ks_nsys_number(n, KS_NSYS_ENUM_EVENT, r.type);
	r.name = name_of(n, w);
	r.schema = KS_UNKNOWN;
	r.value = KS_UNKNOWN;
	for (size_t i = 0; i < KS_ARRAY_LEN(w->plain) && r.value == KS_UNKNOWN; i++)
		r.value = w->plain[i];
	if (r.payload.n)
		ks_nsys_payload(n, &r);
	if (!r.json.n && w->json_id != KS_UNKNOWN)
		KS_TRY(ks_nsys_string(n, w->json_id, &r.json, &found, err));
	return n->sink->ops->range(n->sink->self, &r, err);
}

static enum ks_status deliver_call(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_call *c = row;

	c->driver_table = false;
	return n->sink->ops->call(n->sink->self, c, err);
}

static enum ks_status deliver_driver_call(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct ks_call *c = row;

	c->driver_table = true;
	return n->sink->ops->call(n->sink->self, c, err);
}

static enum ks_status deliver_profiler(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct overhead_row *w = row;

	w->overhead.profiler = true;
	return n->sink->ops->overhead(n->sink->self, &w->overhead, err);
}

/* Of the driver's table those that the profiler brings about (contract 09: buffer flush,
 * instrumentation, resources). */
static enum ks_status deliver_overhead(struct ks_nsys *n, void *row, struct ks_err *err)
{
	enum { BUFFER_FLUSH = 3, RESOURCE = 5 };
	struct overhead_row *w = row;
	const int64_t type = ks_nsys_number(n, KS_NSYS_ENUM_OVERHEAD, w->type);

	w->overhead.profiler = type >= BUFFER_FLUSH && type <= RESOURCE;
	return n->sink->ops->overhead(n->sink->self, &w->overhead, err);
}

static enum ks_status deliver_frame(struct ks_nsys *n, void *row, struct ks_err *err)
{
	struct frame_row *w = row;

	w->frame.unresolved = w->unresolved != 0;
	return n->sink->ops->frame(n->sink->self, &w->frame, err);
}

enum ks_status ks_nsys_ranges(struct ks_nsys *n, struct ks_err *err)
{
	struct nvtx_row row;
	const struct ks_nsys_feed feed = { "NVTX_EVENTS",
					   range_columns,
					   KS_ARRAY_LEN(range_columns),
					   KS_TEXT_SRC_PROGRESS_RANGES,
					   &row,
					   deliver_range };

	if (!(n->sink->rows & KS_ROWS_RANGES))
		return KS_OK;
	KS_TRY(ks_nsys_schemas(n, err));
	KS_TRY(ks_nsys_feed(n, &feed, err));
	KS_TRY(ks_nsys_names(n, err));
	return n->sink->ops->ranges_done(n->sink->self, err);
}

static enum ks_status overheads(struct ks_nsys *n, struct ks_err *err)
{
	struct overhead_row row;
	const struct ks_nsys_feed all[] = {
		{ "PROFILER_OVERHEAD", overhead_columns, KS_ARRAY_LEN(overhead_columns),
		  KS_TEXT_SRC_PROGRESS_EVENTS, &row, deliver_profiler },
		{ "CUPTI_ACTIVITY_KIND_OVERHEAD", overhead_columns, KS_ARRAY_LEN(overhead_columns),
		  KS_TEXT_SRC_PROGRESS_EVENTS, &row, deliver_overhead },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++)
		KS_TRY(ks_nsys_feed(n, &all[i], err));
	return KS_OK;
}

enum ks_status ks_nsys_calls(struct ks_nsys *n, struct ks_err *err)
{
	struct ks_call row;

	if (n->sink->rows & KS_ROWS_OVERHEAD)
		KS_TRY(overheads(n, err));
	if (!(n->sink->rows & KS_ROWS_CALLS))
		return KS_OK;
	for (size_t i = 0; i < KS_NSYS_API_TABLES; i++) {
		const struct ks_nsys_feed feed = { ks_nsys_api_tables[i],
						   call_columns,
						   KS_ARRAY_LEN(call_columns),
						   KS_TEXT_SRC_PROGRESS_CALLS,
						   &row,
						   i == KS_NSYS_API_DRIVER ? deliver_driver_call
									   : deliver_call };

		KS_TRY(ks_nsys_feed(n, &feed, err));
	}
	return n->sink->ops->calls_done(n->sink->self, err);
}

enum ks_status ks_nsys_frames(struct ks_nsys *n, struct ks_err *err)
{
	struct frame_row row;
	const struct ks_nsys_feed feed = {
		"CUDA_CALLCHAINS",	     frame_columns, KS_ARRAY_LEN(frame_columns),
		KS_TEXT_SRC_PROGRESS_EVENTS, &row,	    deliver_frame
	};

	if (!(n->sink->rows & KS_ROWS_FRAMES))
		return KS_OK;
	KS_TRY(ks_nsys_feed(n, &feed, err));
	return ks_nsys_names(n, err);
}
