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
#include "analyze/totals.h"
#include "base/map.h"
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
	bool few_warps;
};

/* The rules about kernels stand behind each other in rules.def. */
#define FIRST KS_RULE_BLOCK_NOT_WARPS
#define RULES (KS_RULE_LOCAL_MEMORY - FIRST + 1)

struct named { /* groups of one name, over all devices */
	double ns[RULES];
	uint32_t group[RULES]; /* the one with most of it */
	double most[RULES];
};
struct work {
	struct ks_analysis *a;
	struct ks_finding_facts *f;
	ks_ns *alone;	   /* by group */
	struct ks_map ref; /* of names */
	struct named *named;
	size_t named_cap;
	double step_ns; /* a power of two: sums over all devices are whole numbers of 53 bits of it
			 */
	bool any_waves, any_occupancy, any_local, any_kernel;
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

static void occupancy_of(const struct work *w, uint32_t group, struct ks_config *c,
			 struct ks_config_occ *occ)
{
	const struct ks_group_key *key = ks_launches_group_key(&w->a->launches, group);
	const struct ks_config_groups one = { &group, 1 };

	*c = (struct ks_config){ .regs = key->regs,
				 .static_smem = key->static_smem,
				 .dynamic_smem = key->dynamic_smem };
	memcpy(c->grid, key->grid, sizeof(c->grid));
	memcpy(c->block, key->block, sizeof(c->block));
	memcpy(c->cluster, key->cluster, sizeof(c->cluster));
	ks_config_occupancy(w->a, c, &one, occ);
}

/* --- one group -----------------------------------------------------------------------------------
 */

/* In steps so small that no sum of them is rounded: the order in which groups came does not matter.
 */
static void add(struct work *w, struct named *to, uint32_t group, enum ks_rule rule, double part)
{
	const double ns = round(part / w->step_ns) * w->step_ns;
	const struct ks_group_key *key = ks_launches_group_key(&w->a->launches, group);
	const size_t gpu = w->a->device[key->device].gpu, at = rule - FIRST;

	if (ns <= 0.0 || gpu >= w->f->n_gpus)
		return;
	ks_finding_of(w->f, gpu, rule)->ns += ns;
	ks_finding_of(w->f, gpu, rule)->n += w->a->launches.group[group].durations.n;
	to->ns[at] += ns;
	if (ns > to->most[at]) {
		to->most[at] = ns;
		to->group[at] = group;
	}
}

/* Kernels that -k leaves out are part of the run all the same. */
static bool one_group(struct work *w, uint32_t group)
{
	const struct ks_group_key *key = ks_launches_group_key(&w->a->launches, group);
	const ks_nameref ref = ks_comm_ref(w->a, key);
	const uint32_t at = ks_map_add(&w->ref, &ref, NULL);
	const double alone = (double)w->alone[group];
	struct ks_config_occ occ;
	struct ks_config config;
	struct waste waste;

	if (at == KS_MAP_NONE || !KS_GROW(w->named, w->named_cap, (size_t)at + 1, UINT32_MAX))
		return false;
	w->any_kernel = true;
	occupancy_of(w, group, &config, &occ);
	judge(w, &config, &occ, &waste);
	if (waste.rule != KS_RULE_NONE)
		add(w, &w->named[at], group, waste.rule, alone * waste.part);
	if (waste.few_warps)
		add(w, &w->named[at], group, KS_RULE_OCCUPANCY_LIMIT, alone);
	w->any_local |= key->local_mem >= 0;
	if (key->local_mem > 0)
		add(w, &w->named[at], group, KS_RULE_LOCAL_MEMORY, alone);
	return true;
}

/* --- which kernel --------------------------------------------------------------------------------
 */

/* "registers 128 -> 80, occupancy 25 -> 37.5 %": facts of the format, not a sentence. */
static ks_str step_up(const struct work *w, uint32_t group)
{
	struct ks_arena *arena = w->a->arena;
	struct ks_config_occ occ;
	struct ks_config config;
	struct ks_occ_in next;
	struct ks_occ_out then;
	char limiter[80];

	occupancy_of(w, group, &config, &occ);
	ks_occ_limiter_text(limiter, occ.out.limiters);
	if (!ks_occ_step_up(&occ.limits, &occ.in, KS_OCC_REGISTERS | KS_OCC_SMEM, &next, &then))
		return ks_arena_fmt(arena, "limiter %s, occupancy %.1f %%", limiter,
				    occ.out.occupancy_pct);
	return ks_arena_fmt(arena,
			    "limiter %s, registers %lld -> %lld, dynamic smem %lld -> %lld B, "
			    "occupancy %.1f -> %.1f %%",
			    limiter, (long long)occ.in.regs, (long long)next.regs,
			    (long long)occ.in.dynamic_smem, (long long)next.dynamic_smem,
			    occ.out.occupancy_pct, then.occupancy_pct);
}

/* As the report calls it, where it has it. */
static ks_str name_of(const struct work *w, uint32_t group, struct ks_buf *text)
{
	struct ks_analysis *a = w->a;
	const ks_nameref ref = ks_comm_ref(a, ks_launches_group_key(&a->launches, group));
	const uint32_t kernel = a->kernel_of_group ? a->kernel_of_group[group] : UINT32_MAX;

	if (kernel < a->n_kernels)
		return a->kernel[kernel].name;
	return ks_redact_name(a->ctx->redact, KS_NAME_KERNEL,
			      ks_arena_dup(a->arena, ks_comm_text(a, ref, text)));
}

static void tell_kernel(struct work *w, enum ks_rule rule, struct ks_buf *text)
{
	struct ks_finding_about *about = &w->f->about[rule];
	double most = 0.0;
	uint32_t group = 0;

	for (uint32_t i = 0; i < w->ref.count; i++) {
		const struct named *n = &w->named[i];
		const double ns = n->ns[rule - FIRST];

		if (ns < most || ns <= 0.0)
			continue;
		const ks_str name = name_of(w, n->group[rule - FIRST], text);

		if (ns <= most && ks_str_cmp(name, about->kernel) >= 0)
			continue;
		most = ns;
		about->kernel = name;
		group = n->group[rule - FIRST];
	}
	if (rule == KS_RULE_OCCUPANCY_LIMIT && most > 0.0)
		about->detail = step_up(w, group);
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
	if (!w->any_local && w->any_kernel)
		about[KS_RULE_LOCAL_MEMORY].refusal = KS_REFUSAL_METRIC_ABSENT;
}

/* Of at most 2^12 devices (KS_LIMIT_DEVICES) each has at most the span. */
static double step_of(const struct ks_analysis *a)
{
	ks_ns from, to;
	int bits;

	ks_totals_span(a, &from, &to);
	(void)frexp((double)(to - from), &bits);
	return ldexp(1.0, bits + 12 - 53);
}

static bool all_groups(struct work *w)
{
	struct ks_buf text;

	sum_alone(w->a, w->alone);
	w->step_ns = step_of(w->a);
	for (uint32_t i = 0; i < w->a->launches.groups.count; i++) {
		if (w->alone[i] > 0 && !one_group(w, i))
			return false;
	}
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	for (size_t r = FIRST; r < FIRST + RULES; r++)
		tell_kernel(w, (enum ks_rule)r, &text);
	ks_buf_release(&text);
	say_why_not(w);
	return !ks_arena_failed(w->a->arena);
}

bool ks_findings_kernels(struct ks_analysis *a, struct ks_finding_facts *f)
{
	struct work w = { .a = a, .f = f };

	w.alone = ks_mem_alloc(a->launches.groups.count * sizeof(*w.alone));
	ks_map_init(&w.ref, sizeof(ks_nameref), UINT32_MAX);
	const bool done = w.alone && all_groups(&w);

	ks_map_release(&w.ref);
	ks_mem_free(w.named);
	ks_mem_free(w.alone);
	return done;
}
