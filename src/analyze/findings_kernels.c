/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules about launch configurations: what part of a kernel's time its block size or its grid
 * wastes, and which kernels fit few warps or use local memory. Of a launch that several fit, the
 * one that wastes most claims the time, once. Only time in which the kernel ran alone counts: what
 * runs beside it may use what it leaves.
 */
#include <math.h>

#include "analyze/findings.h"
#include "analyze/sweep_internal.h"
#include "base/mem.h"
#include "base/str.h"

#define LOW_OCCUPANCY_PCT 50.0
#define WARP		  32

double ks_finding_uneven(double blocks, double multiprocessors)
{
	return 1.0 - blocks / (multiprocessors * ceil(blocks / multiprocessors));
}

double ks_finding_last_wave(double waves)
{
	return 1.0 - waves / ceil(waves);
}

double ks_finding_lanes(int64_t threads)
{
	const int64_t warps = (threads + WARP - 1) / WARP;

	return 1.0 - (double)threads / (double)(WARP * warps);
}

struct waste {		   /* of a launch configuration */
	enum ks_rule rule; /* NONE: nothing */
	double part;
	bool few_warps, local;
};

struct work {
	struct ks_analysis *a;
	struct ks_finding_facts *f;
	double *most;	   /* by rule: of the kernel with most of its time */
	double *of_kernel; /* by rule: of the kernel at work, over all devices */
	ks_ns *alone;	   /* by group */
	bool any_waves, any_occupancy, any_local;
	enum ks_refusal no_waves, no_occupancy;
};

/* --- one configuration ---------------------------------------------------------------------------
 */

static void worse(struct waste *w, enum ks_rule rule, double part)
{
	if (part <= w->part)
		return;
	w->rule = rule;
	w->part = part;
}

static void judge_grid(struct work *w, const struct ks_config *c, const struct ks_config_occ *occ,
		       struct waste *out)
{
	if (occ->waves_refusal != KS_REFUSAL_NONE) {
		w->no_waves = occ->waves_refusal;
		return;
	}
	w->any_waves = true;
	if (occ->waves < 1.0)
		worse(out, KS_RULE_GRID_BELOW_WAVE,
		      ks_finding_uneven((double)ks_config_volume(c->grid),
					(double)occ->gpu->sm_count));
	else
		worse(out, KS_RULE_PARTIAL_WAVE, ks_finding_last_wave(occ->waves));
}

static void judge(struct work *w, const struct ks_config *c, const struct ks_config_occ *occ,
		  struct waste *out)
{
	const int64_t threads = ks_config_volume(c->block);

	*out = (struct waste){ .rule = KS_RULE_NONE };
	judge_grid(w, c, occ, out);
	if (threads > 0)
		worse(out, KS_RULE_BLOCK_NOT_WARPS, ks_finding_lanes(threads));
	if (occ->refusal != KS_REFUSAL_NONE) {
		w->no_occupancy = occ->refusal;
		return;
	}
	w->any_occupancy = true;
	out->few_warps = occ->out.occupancy_pct < LOW_OCCUPANCY_PCT;
}

/* --- one kernel ----------------------------------------------------------------------------------
 */

static void add(struct work *w, uint32_t device, enum ks_rule rule, double ns, uint64_t launches)
{
	const size_t gpu = w->a->device[device].gpu;

	if (ns <= 0.0 || gpu >= w->f->n_gpus)
		return;
	ks_finding_of(w->f, gpu, rule)->ns += ns;
	ks_finding_of(w->f, gpu, rule)->n += launches;
	w->of_kernel[rule] += ns;
}

static void add_group(struct work *w, uint32_t group, const struct waste *waste)
{
	const struct ks_group_key *key = ks_launches_group_key(&w->a->launches, group);
	const uint64_t n = w->a->launches.group[group].durations.n;
	const double alone = (double)w->alone[group];
	const uint32_t device = (uint32_t)key->device;

	if (waste->rule != KS_RULE_NONE)
		add(w, device, waste->rule, alone * waste->part, n);
	if (waste->few_warps)
		add(w, device, KS_RULE_OCCUPANCY_LIMIT, alone, n);
	w->any_local |= key->local_mem >= 0;
	if (key->local_mem > 0)
		add(w, device, KS_RULE_LOCAL_MEMORY, alone, n);
}

/* "registers 128 -> 80, occupancy 25 -> 37.5 %": facts of the format, not a sentence. */
static ks_str step_up(struct ks_analysis *a, const struct ks_config_occ *occ)
{
	struct ks_occ_in next;
	struct ks_occ_out then;
	char limiter[80];

	ks_occ_limiter_text(limiter, occ->out.limiters);
	if (!ks_occ_step_up(&occ->limits, &occ->in, KS_OCC_REGISTERS | KS_OCC_SMEM, &next, &then))
		return ks_arena_fmt(a->arena, "limiter %s, occupancy %.1f %%", limiter,
				    occ->out.occupancy_pct);
	return ks_arena_fmt(a->arena,
			    "limiter %s, registers %lld -> %lld, dynamic smem %lld -> %lld B, "
			    "occupancy %.1f -> %.1f %%",
			    limiter, (long long)occ->in.regs, (long long)next.regs,
			    (long long)occ->in.dynamic_smem, (long long)next.dynamic_smem,
			    occ->out.occupancy_pct, then.occupancy_pct);
}

static void remember(struct work *w, const struct ks_kernel_work *k)
{
	for (unsigned r = KS_RULE_NONE + 1; r < KS_RULE_COUNT; r++) {
		if (w->of_kernel[r] <= w->most[r])
			continue;
		w->most[r] = w->of_kernel[r];
		w->f->about[r].kernel = k->name;
		if (r == KS_RULE_OCCUPANCY_LIMIT) {
			struct ks_config_occ occ;

			ks_config_occupancy(w->a, &k->config[0], &k->config_group[0], &occ);
			w->f->about[r].detail =
				occ.refusal == KS_REFUSAL_NONE ? step_up(w->a, &occ) : KS_LIT("");
		}
	}
}

static void one_kernel(struct work *w, const struct ks_kernel_work *k)
{
	for (unsigned r = 0; r < KS_RULE_COUNT; r++)
		w->of_kernel[r] = 0.0;
	for (size_t i = 0; i < k->n_configs; i++) {
		const struct ks_config_groups *groups = &k->config_group[i];
		struct ks_config_occ occ;
		struct waste waste;
		ks_ns alone = 0;

		for (size_t g = 0; g < groups->n; g++)
			alone += w->alone[groups->group[g]];
		if (alone == 0)
			continue;
		ks_config_occupancy(w->a, &k->config[i], groups, &occ);
		judge(w, &k->config[i], &occ, &waste);
		for (size_t g = 0; g < groups->n; g++)
			add_group(w, groups->group[g], &waste);
	}
	remember(w, k);
}

/* --- all of them ---------------------------------------------------------------------------------
 */

static void sum_alone(const struct ks_analysis *a, ks_ns *alone)
{
	const struct ks_claims *claims = ks_sweep_claims(a->sweep);

	for (uint32_t i = 0; i < a->launches.pairs.count; i++)
		alone[ks_launches_pair_key(&a->launches, i)->group] += ks_claims_alone(claims, i);
}

/* Where no configuration could be judged, the rule was not looked for. */
static void say_why_not(const struct work *w)
{
	static const enum ks_rule by_waves[] = { KS_RULE_GRID_BELOW_WAVE, KS_RULE_PARTIAL_WAVE };
	struct ks_finding_about *about = w->f->about;

	for (size_t i = 0; i < KS_ARRAY_LEN(by_waves); i++) {
		if (!w->any_waves && w->no_waves != KS_REFUSAL_NONE)
			about[by_waves[i]].refusal = w->no_waves;
	}
	if (!w->any_occupancy && w->no_occupancy != KS_REFUSAL_NONE)
		about[KS_RULE_OCCUPANCY_LIMIT].refusal = w->no_occupancy;
	if (!w->any_local && w->a->n_kernels > 0)
		about[KS_RULE_LOCAL_MEMORY].refusal = KS_REFUSAL_METRIC_ABSENT;
}

bool ks_findings_kernels(struct ks_analysis *a, struct ks_finding_facts *f)
{
	double most[KS_RULE_COUNT] = { 0.0 }, of_kernel[KS_RULE_COUNT];
	struct work w = { .a = a, .f = f, .most = most, .of_kernel = of_kernel };

	w.alone = ks_mem_alloc(a->launches.groups.count * sizeof(*w.alone));
	if (!w.alone)
		return false;
	sum_alone(a, w.alone);
	for (size_t i = 0; i < a->n_kernels; i++)
		one_kernel(&w, &a->kernel[i]);
	say_why_not(&w);
	ks_mem_free(w.alone);
	return !ks_arena_failed(a->arena);
}
