/* SPDX-License-Identifier: Apache-2.0
 *
 * An Nsight Systems SQLite export as a trace source: opens it, tells the sink what is in it,
 * streams its rows in the order of model/trace.h (those of the devices as often as the sink must
 * see them), and resolves names. Refuses what is not such an export; writes nothing.
 */
#include "source/nsys.h"

/* A sink needs one pass, or a second one for rows far out of order; more is a mistake of the sink.
 */
enum { MAX_PASSES = 3 };

static enum ks_status stream_passes(struct ks_nsys *n, struct ks_err *err)
{
	bool again = true;

	for (int pass = 0; again && pass < MAX_PASSES; pass++) {
		KS_TRY(ks_nsys_rows(n, pass > 0, err));
		if (pass == 0) {
			KS_TRY(ks_nsys_names(n, err));
			KS_TRY(ks_nsys_frames(n, err));
			KS_TRY(ks_nsys_holdings(n, err));
		}
		again = false;
		KS_TRY(n->sink->ops->done(n->sink->self, &again, err));
	}
	BUG_ON(again);
	return KS_OK;
}

static enum ks_status stream_all(struct ks_nsys *n, struct ks_err *err)
{
	KS_TRY(ks_nsys_open(n, err));
	KS_TRY(ks_nsys_schema(n, err));
	KS_TRY(ks_nsys_enums(n, err));
	KS_TRY(ks_nsys_meta(n, err));
	KS_TRY(ks_nsys_ranges(n, err));
	KS_TRY(ks_nsys_calls(n, err));
	KS_TRY(stream_passes(n, err));
	return ks_nsys_unchanged(n, err);
}

enum ks_status ks_nsys_stream(const struct ks_ctx *ctx, const char *file, const char *path,
			      const struct ks_sink *sink, struct ks_err *err)
{
	struct ks_nsys n = { .ctx = ctx, .sink = sink, .path = path, .file = file };

	ks_arena_init(&n.arena, (size_t)ks_limit(KS_LIMIT_SCRATCH_ARENA_BYTES));
	ks_intern_init(&n.text, (size_t)ks_limit(KS_LIMIT_KERNEL_NAMES));

	const enum ks_status st = stream_all(&n, err);

	if (ctx->progress)
		ks_progress_done(ctx->progress);
	ks_nsys_close(&n);
	return st;
}

static enum ks_status stream(const struct ks_ctx *ctx, const char *path, const struct ks_sink *sink,
			     struct ks_err *err)
{
	return ks_nsys_stream(ctx, path, path, sink, err);
}

const struct ks_source_ops ks_source_nsys_sqlite = { .name = "nsys sqlite", .stream = stream };
