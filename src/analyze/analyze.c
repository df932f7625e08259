/* SPDX-License-Identifier: Apache-2.0
 *
 * The analysis as a whole: opened, fed through its sink, finished into one report. Decides what is
 * an error (nothing usable, nothing matched) and what is a report that says why it has no kernels.
 */
#include <inttypes.h>

#include "analyze/evidence.h"
#include "analyze/occpicture.h"
#include "analyze/place.h"
#include "analyze/timeline.h"
#include "analyze/totals.h"
#include "base/mem.h"
#include "base/str.h"

#define TIMELINE_ROWS                                                                              \
	(KS_ROWS_RANGES | KS_ROWS_CALLS | KS_ROWS_OVERHEAD | KS_ROWS_GRAPHS | KS_ROWS_SYNC |       \
	 KS_ROWS_MEMORY | KS_ROWS_FRAMES)

struct ks_analysis *ks_analysis_open(const struct ks_ctx *ctx, const struct ks_selection *sel)
{
	struct ks_analysis *a = ks_mem_alloc(sizeof(*a));

	if (!a)
		return NULL;
	a->ctx = ctx;
	a->sel = sel;
	a->arena = ctx->run;
	a->sink = (struct ks_sink){ .ops = &ks_analysis_sink_ops,
				    .self = a,
				    .rows = sel->timeline ? TIMELINE_ROWS : 0 };
	a->meta.utc_epoch_ns = a->meta.capture_ns = KS_UNKNOWN;
	a->meta.other_first_ns = a->meta.other_last_ns = KS_UNKNOWN;
	ks_devices_init(&a->devices, ctx->run);
	ks_launches_init(&a->launches, &a->devices);
	ks_map_init(&a->refs, sizeof(ks_nameref), 3 * (size_t)ks_limit(KS_LIMIT_GROUPS));
	a->busy = ks_busy_open(ctx->io, (size_t)ks_limit(KS_LIMIT_BUSY_WINDOW_ROWS),
			       (size_t)ks_limit(KS_LIMIT_UNION_SPILL_BYTES));
	bool fine = a->busy != NULL;

	if (sel->keep_launches) {
		a->log = ks_launchlog_open(ctx->io);
		fine = fine && a->log;
	}
	if (sel->skip_before_match) {
		a->skip_keys =
			ks_sorter_open(ctx->io, 4, (size_t)ks_limit(KS_LIMIT_UNION_SPILL_BYTES));
		fine = fine && a->skip_keys;
	}
	if (!fine) {
		ks_analysis_close(a);
		return NULL;
	}
	return a;
}

void ks_analysis_close(struct ks_analysis *a)
{
	if (!a)
		return;
	ks_timeline_close(a);
	ks_families_close(a->families);
	ks_launches_release(&a->launches);
	ks_busy_close(a->busy);
	ks_launchlog_close(a->log);
	ks_sorter_close(a->skip_keys);
	ks_map_release(&a->refs);
	ks_matcher_close(a->matcher);
	ks_mem_free(a->ref_text);
	ks_mem_free(a->device_rows);
	ks_mem_free(a->process);
	ks_mem_free(a->thread);
	ks_mem_free(a->api_kind);
	ks_mem_free(a->copy_stream);
	ks_mem_free(a->holding);
	ks_mem_free(a->diagnostic);
	ks_mem_free(a);
}

const struct ks_sink *ks_analysis_sink(struct ks_analysis *a)
{
	return &a->sink;
}

/* Kernels, copies, memsets, ranges, calls, graphs, readings or at least a device: any of these is
 * an answer. */
static bool is_usable(const struct ks_analysis *a)
{
	const struct ks_contents *c = &a->contents;

	return a->sel->code_alone || c->kernels || c->bad_kernels || c->copies || c->bad_copies ||
	       c->memsets || c->bad_memsets || a->meta.nvtx_rows || a->meta.api_calls ||
	       a->meta.graph_rows || a->devices.n_gpus ||
	       (a->sel->telemetry && a->sel->telemetry->n_readings);
}

static ks_str producer(struct ks_analysis *a)
{
	const struct ks_trace_meta *m = &a->meta;
	ks_str product = m->product.n ? m->product : m->kind;

	if (m->product_version.n == 0 && m->schema_version.n == 0)
		return m->product.n ? product : KS_LIT("");
	if (m->schema_version.n == 0)
		return ks_arena_fmt(a->arena, "%.*s %.*s", (int)product.n, product.p,
				    (int)m->product_version.n, m->product_version.p);
	return ks_arena_fmt(a->arena, "%.*s%s%.*s, schema %.*s", (int)product.n, product.p,
			    m->product_version.n ? " " : "", (int)m->product_version.n,
			    m->product_version.p, (int)m->schema_version.n, m->schema_version.p);
}

static ks_str now(struct ks_analysis *a)
{
	char text[32];
	size_t n = ks_clock_iso(text, a->ctx->clock->epoch_s());

	return ks_arena_dup(a->arena, (ks_str){ text, n });
}

static void describe(struct ks_analysis *a, struct ks_report *r)
{
	const struct ks_selection *sel = a->sel;

	r->tool = KS_LIT("kernoscope");
	r->tool_version = KS_LIT(KS_VERSION);
	r->generated_at = now(a);
	r->input_path = a->meta.synthetic ? KS_LIT("") : a->meta.path;
	if (sel->code_alone && sel->code->n_files > 0)
		r->input_path = ks_redact_path(a->ctx->redact, sel->code->file[0].path);
	r->producer = producer(a);
	r->synthetic = a->meta.synthetic;
	r->degraded = KS_LIT("");
	r->raw_meta = KS_LIT("");
	r->holding = a->holding;
	r->n_holdings = a->n_holdings;
	r->diagnostic = a->diagnostic;
	r->n_diagnostics = a->n_diagnostics;
	r->dtype = ks_arena_dup(a->arena, sel->dtype);
	r->kernel_filter = ks_redact_choice(a->ctx->redact, ks_arena_dup(a->arena, sel->kernel));
	r->redacted = ks_redact_mode_of(a->ctx->redact);
	r->ledger_basis = ks_arena_dup(a->arena, sel->ledger_basis);
	r->window_mode = ks_arena_dup(a->arena, sel->window_mode);
	r->within = ks_redact_within(a->ctx->redact, ks_arena_dup(a->arena, sel->within));
	r->warmup_s = sel->warmup_s;
	r->window_s = sel->window_s;
}

/* What the commands of remedies name: this input and its first device. */
static void name_words(struct ks_analysis *a, struct ks_report *r)
{
	struct ks_command_words words = { .input = a->sel->input };

	if (r->n_gpus_used > 0 && r->gpu[0].label >= 0)
		words.device = ks_arena_fmt(a->arena, "%" PRId64, r->gpu[0].label);
	ks_store_words(r->ev, &words);
}

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "report", NULL);
}

/* What the report calls its kernels. The texts of the trace stay as they are: what is still made of
 * them asks for the public name where it writes one. */
static void publish_kernels(struct ks_analysis *a)
{
	for (size_t i = 0; i < a->n_kernels; i++) {
		struct ks_kernel_work *k = &a->kernel[i];

		k->name = ks_redact_name(a->ctx->redact, KS_NAME_KERNEL, k->name);
		k->base = ks_redact_name(a->ctx->redact, KS_NAME_KERNEL, k->base);
		k->mangled = ks_redact_name(a->ctx->redact, KS_NAME_KERNEL, k->mangled);
	}
}

enum ks_status ks_analysis_finish(struct ks_analysis *a, struct ks_report **report,
				  struct ks_err *err)
{
	if (!is_usable(a))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_NOTHING_USABLE, NULL);
	if (!a->matcher)
		KS_TRY(ks_matcher_open(&a->matcher, a->sel->kernel, err));
	KS_TRY(ks_totals_devices(a, err));
	KS_TRY(ks_kernels_build(a, err));
	KS_TRY(ks_timeline_run(a, err));
	KS_TRY(ks_families_count_groups(a, err));
	publish_kernels(a); /* nothing is matched by name from here on */
	struct ks_report *r = KS_ARENA_NEW(a->arena, struct ks_report);

	if (!r)
		return no_memory(err);
	r->ev = ks_store_open(a->arena);
	if (!r->ev)
		return no_memory(err);
	describe(a, r);
	KS_TRY(ks_totals_report(a, r, err));
	name_words(a, r);
	KS_TRY(ks_timeline_build(a, r, err));
	KS_TRY(ks_places_build(a, err));
	KS_TRY(ks_code_match(a, r, err));
	KS_TRY(ks_evidence_build(a, r, err));
	if (a->sel->draw_occupancy)
		KS_TRY(ks_occ_picture_make(a, r, err));
	KS_TRY(ks_notes_build(a, r, err));
	KS_TRY(ks_rows_open(a, r, err));
	if (ks_arena_failed(a->arena))
		return no_memory(err);
	*report = r;
	return KS_OK;
}
