/* SPDX-License-Identifier: Apache-2.0
 *
 * What the calls of each name took, and how long launches took to reach the device. Sums are exact
 * or the run ends in an error; a latency that cannot be is counted, not clamped.
 */
#include "analyze/apiword.h"
#include "analyze/calls_internal.h"
#include "base/mem.h"
#include "base/str.h"

/* cudaErrorNotReady and CUDA_ERROR_NOT_READY: the answer of a query, no failure (CUDA's own list of
 * error codes). */
#define RESULT_NOT_READY 600

/* --- by name -------------------------------------------------------------------------------------
 */

/* NULL with *err set when there is no room. */
static struct ks_api_sum *sum_of(struct ks_calls *c, uint32_t name, struct ks_err *err)
{
	const size_t at = name == UINT32_MAX ? 0 : (size_t)name + 1;

	if (at >= c->slot_cap && !KS_GROW(c->slot, c->slot_cap, at + 1, (size_t)UINT32_MAX + 1)) {
		(void)ks_calls_no_memory(err);
		return NULL;
	}
	if (c->slot[at] == 0) {
		if (!KS_GROW(c->api, c->api_cap, c->n_api + 1, UINT32_MAX)) {
			(void)ks_calls_no_memory(err);
			return NULL;
		}
		c->api[c->n_api++].name = name;
		c->slot[at] = (uint32_t)c->n_api;
	}
	return &c->api[c->slot[at] - 1];
}

enum ks_status ks_calls_count_api(struct ks_calls *c, const struct ks_call *row, uint32_t name,
				  struct ks_err *err)
{
	ks_ns ns;

	if (!ks_calls_inside(c, row->start_ns, row->end_ns, &ns))
		return KS_OK;

	struct ks_api_sum *sum = sum_of(c, name, err);

	if (!sum)
		return KS_E_ENV;
	sum->calls++;
	sum->failed +=
		row->result != 0 && row->result != KS_UNKNOWN && row->result != RESULT_NOT_READY;
	if (ns > sum->max_ns)
		sum->max_ns = ns;
	return ks_calls_add_ns(&sum->total_ns, ns, err);
}

struct named { /* the sums of one text */
	ks_str text;
	struct ks_api_sum sum;
};

static int by_text(const void *x, const void *y)
{
	return ks_str_cmp(((const struct named *)x)->text, ((const struct named *)y)->text);
}

static int by_time(const void *x, const void *y)
{
	const struct named *a = x, *b = y;

	if (a->sum.total_ns != b->sum.total_ns)
		return a->sum.total_ns < b->sum.total_ns ? 1 : -1;
	return by_text(x, y);
}

/* Names that read the same are one. */
static enum ks_status merge_texts(struct named *list, size_t *n, struct ks_err *err)
{
	size_t kept = 0;

	qsort(list, *n, sizeof(*list), by_text);
	for (size_t i = 0; i < *n; i++) {
		const struct ks_api_sum *from = &list[i].sum;

		if (kept == 0 || !ks_str_eq(list[kept - 1].text, list[i].text)) {
			list[kept++] = list[i];
			continue;
		}
		struct ks_api_sum *to = &list[kept - 1].sum;

		to->calls += from->calls;
		to->failed += from->failed;
		if (from->max_ns > to->max_ns)
			to->max_ns = from->max_ns;
		KS_TRY(ks_calls_add_ns(&to->total_ns, from->total_ns, err));
	}
	*n = kept;
	return KS_OK;
}

static enum ks_status add_kind(struct ks_calls_sum *sum, const struct ks_api_call *call,
			       enum ks_api_kind kind, struct ks_err *err)
{
	sum->calls += call->calls;
	sum->failed += call->failed;
	if (kind == KS_API_GRAPH)
		sum->graphs.launch_calls += call->calls;
	if (call->is_launch) {
		sum->launch_calls += call->calls;
		return ks_calls_add_ns(&sum->launch_ns, call->total_ns, err);
	}
	if (!call->is_sync)
		return KS_OK;
	sum->sync_calls += call->calls;
	return ks_calls_add_ns(&sum->sync_ns, call->total_ns, err);
}

static enum ks_status list_api(struct ks_analysis *a, struct named *list, size_t n,
			       struct ks_timeline *t, struct ks_err *err)
{
	const size_t most = (size_t)ks_limit(KS_LIMIT_LISTED), shown = n < most ? n : most;
	struct ks_api_call *api = KS_ARENA_NEWS(a->arena, struct ks_api_call, shown);

	if (!api)
		return ks_calls_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		const struct ks_api_sum *s = &list[i].sum;
		const enum ks_api_kind kind = ks_api_kind(list[i].text);
		const struct ks_api_call call = {
			.name = list[i].text,
			.is_sync = kind == KS_API_SYNC,
			.is_launch = kind == KS_API_LAUNCH || kind == KS_API_GRAPH,
			.calls = s->calls,
			.failed = s->failed,
			.total_ns = s->total_ns,
			.max_ns = s->max_ns,
		};

		KS_TRY(add_kind(&a->calls->sum, &call, kind, err));
		if (i < shown)
			api[i] = call;
	}
	t->api = api;
	t->n_api = shown;
	t->n_api_names = n;
	return KS_OK;
}

/* --- latency -------------------------------------------------------------------------------------
 */

/* 0: the kernel began before its call returned. */
static ks_ns queued(const struct ks_launch *row, const struct ks_call_hit *hit)
{
	return row->start_ns > hit->end_ns ? row->start_ns - hit->end_ns : 0;
}

enum ks_status ks_calls_latency(struct ks_calls *c, const struct ks_launch *row, uint32_t device,
				const struct ks_call_hit *hit, struct ks_err *err)
{
	struct ks_calls_device *d = ks_calls_device(c, device, err);

	if (!d)
		return KS_E_ENV;
	if (!hit->found) {
		d->missing++;
		return KS_OK;
	}
	d->joined++;
	if (row->start_ns < hit->start_ns) { /* the two clocks disagree: no time at all */
		d->clock++;
		return KS_OK;
	}
	if (!ks_sketch_add(&d->launch, row->start_ns - hit->start_ns) ||
	    (hit->end_ns != KS_UNKNOWN && !ks_sketch_add(&d->queue, queued(row, hit))))
		return ks_calls_no_memory(err);
	return KS_OK;
}

static bool merge_devices(struct ks_analysis *a)
{
	struct ks_calls *c = a->calls;

	for (size_t d = 0; d < c->n_devices && d < a->n_devices; d++) {
		const struct ks_calls_device *from = &c->device[d];

		if (!a->device[d].selected)
			continue;
		c->sum.joined += from->joined;
		c->sum.missing += from->missing;
		c->sum.clock += from->clock;
		if ((from->launch.n && !ks_sketch_merge(&c->sum.launch, &from->launch)) ||
		    (from->queue.n && !ks_sketch_merge(&c->sum.queue, &from->queue)))
			return false;
	}
	ks_sketch_settle(&c->sum.launch);
	ks_sketch_settle(&c->sum.queue);
	return true;
}

enum ks_status ks_calls_answer_api(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	const struct ks_calls *c = a->calls;
	struct named *list = ks_mem_alloc((c->n_api + 1) * sizeof(*list));
	size_t n = c->n_api;

	if (!list)
		return ks_calls_no_memory(err);
	for (size_t i = 0; i < n; i++)
		list[i] = (struct named){
			ks_redact_text(a->ctx->redact, ks_calls_text(a, c->api[i].name)), c->api[i]
		};

	enum ks_status status = merge_texts(list, &n, err);

	qsort(list, n, sizeof(*list), by_time);
	if (status == KS_OK)
		status = list_api(a, list, n, t, err);
	ks_mem_free(list);
	if (status == KS_OK && !merge_devices(a))
		status = ks_calls_no_memory(err);
	return status;
}
