/* SPDX-License-Identifier: Apache-2.0
 *
 * What the sweep found, as the report's timeline has it: devices, the longest gaps, kernels beside
 * collectives. Makes no evidence.
 */
#include "analyze/sweep_names.h"
#include "base/mem.h"
#include "base/str.h"

static enum ks_status answer_devices(struct ks_analysis *a, const struct ks_report *r,
				     struct ks_timeline *t, struct ks_err *err)
{
	const struct ks_sweep *s = a->sweep;
	struct ks_device_time *out = KS_ARENA_NEWS(a->arena, struct ks_device_time, r->n_gpus_used);

	if (!out)
		return ks_sweep_no_memory(err);
	for (size_t i = 0; i < a->n_devices && i < s->n_devices; i++) {
		const struct ks_sweep_device *d = &s->device[i];

		if (!d->on || a->device[i].gpu >= r->n_gpus_used)
			continue;
		struct ks_device_time *to = &out[a->device[i].gpu];

		memcpy(to->mix_ns, d->mix, sizeof(to->mix_ns));
		to->max_streams = d->max_streams;
		to->gaps = d->gaps;
		to->gap_overhead_ns = d->gap_overhead;
		to->longest_gap_ns = d->longest;
		to->comm_sum_ns = (ks_ns)d->comm_sum;
		to->memory_peak_bytes = to->memory_end_bytes = KS_UNKNOWN;
	}
	t->device = out;
	return KS_OK;
}

static enum ks_status answer_gaps(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	const struct ks_sweep_gaps *top = &a->sweep->top;
	struct ks_gap *out = KS_ARENA_NEWS(a->arena, struct ks_gap, top->n);
	struct ks_sweep_names names;

	if (!out)
		return ks_sweep_no_memory(err);
	ks_sweep_names_init(&names, a);
	for (size_t i = 0; i < top->n; i++) {
		const struct ks_sweep_gap *g = &top->gap[i];

		out[i] = (struct ks_gap){
			.gpu = a->device[g->device].gpu,
			.start_ns = g->start,
			.end_ns = g->end,
			.overhead_ns = g->overhead,
			.before = ks_arena_dup(a->arena, ks_sweep_name(&names, g->before)),
			.after = ks_arena_dup(a->arena, ks_sweep_name(&names, g->after)),
		};
	}
	const bool failed = names.no_memory;

	ks_sweep_names_release(&names);
	t->gap = out;
	t->n_gaps = top->n;
	return failed ? ks_sweep_no_memory(err) : KS_OK;
}

static int by_time_with_comm(const void *x, const void *y, void *arg)
{
	const struct ks_analysis *a = arg;
	const uint32_t i = *(const uint32_t *)x, k = *(const uint32_t *)y;
	const ks_ns p = a->sweep->kernel[i].with_ns, q = a->sweep->kernel[k].with_ns;

	if (p != q)
		return p > q ? -1 : 1;
	return ks_str_cmp(a->kernel[i].name, a->kernel[k].name);
}

static ks_ns median_ns(struct ks_sketch *s)
{
	if (s->n == 0)
		return 0;
	ks_sketch_settle(s);
	return (ks_ns)(ks_sketch_median(s).ns + 0.5);
}

static struct ks_kernel_overlap overlap_of(const struct ks_analysis *a, uint32_t kernel)
{
	struct ks_sweep_kernel *k = &a->sweep->kernel[kernel];

	return (struct ks_kernel_overlap){
		.kernel = a->kernel[kernel].name,
		.with_ns = k->with_ns,
		.without_ns = k->without_ns,
		.with_launches = k->with.n,
		.without_launches = k->without.n,
		.with_median_ns = median_ns(&k->with),
		.without_median_ns = median_ns(&k->without),
	};
}

static enum ks_status answer_kernels(struct ks_analysis *a, struct ks_timeline *t,
				     struct ks_err *err)
{
	const struct ks_sweep *s = a->sweep;
	const size_t max = (size_t)ks_limit(KS_LIMIT_LISTED);
	uint32_t *met = ks_mem_alloc(s->n_kernels * sizeof(*met));
	size_t n = 0;

	if (!met)
		return ks_sweep_no_memory(err);
	for (uint32_t i = 0; i < s->n_kernels; i++) {
		if (s->kernel[i].with_ns > 0)
			met[n++] = i;
	}
	qsort_r(met, n, sizeof(*met), by_time_with_comm, a);
	n = n > max ? max : n;
	struct ks_kernel_overlap *out = KS_ARENA_NEWS(a->arena, struct ks_kernel_overlap, n);

	for (size_t i = 0; out && i < n; i++)
		out[i] = overlap_of(a, met[i]);
	ks_mem_free(met);
	t->comm_kernel = out;
	t->n_comm_kernels = out ? n : 0;
	return out ? KS_OK : ks_sweep_no_memory(err);
}

enum ks_status ks_sweep_answer(struct ks_analysis *a, struct ks_report *r, struct ks_timeline *t,
			       struct ks_err *err)
{
	KS_TRY(answer_devices(a, r, t, err));
	KS_TRY(answer_gaps(a, t, err));
	KS_TRY(answer_kernels(a, t, err));
	return ks_arena_failed(a->arena) ? ks_sweep_no_memory(err) : KS_OK;
}
