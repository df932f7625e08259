/* SPDX-License-Identifier: Apache-2.0
 *
 * The source of a report without a recording: it has no row, and says so.
 */
#include "source/source.h"

static enum ks_status stream(const struct ks_ctx *ctx, const char *path, const struct ks_sink *sink,
			     struct ks_err *err)
{
	const struct ks_trace_meta meta = {
		.kind = KS_LIT("none"),
		.no_recording = true,
		.utc_epoch_ns = KS_UNKNOWN,
		.capture_ns = KS_UNKNOWN,
		.cuda_traced = -1,
		.other_first_ns = KS_UNKNOWN,
		.other_last_ns = KS_UNKNOWN,
	};
	bool again = true;

	(void)ctx;
	(void)path;
	KS_TRY(sink->ops->meta(sink->self, &meta, err));
	if (sink->rows & KS_ROWS_RANGES)
		KS_TRY(sink->ops->ranges_done(sink->self, err));
	if (sink->rows & KS_ROWS_CALLS)
		KS_TRY(sink->ops->calls_done(sink->self, err));
	while (again) {
		again = false;
		KS_TRY(sink->ops->done(sink->self, &again, err));
	}
	return KS_OK;
}

const struct ks_source_ops ks_source_nothing = { .name = "none", .stream = stream };
