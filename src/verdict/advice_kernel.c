/* SPDX-License-Identifier: Apache-2.0
 *
 * Directions inside one kernel: its occupancy limit, the last wave of its grid, its launch
 * configurations, its local memory, its distance to the roofline. Never says by how much a higher
 * occupancy helps: no row of a trace knows that.
 */
#include <math.h>

#include "analyze/occupancy.h"
#include "base/str.h"
#include "evidence/value.h"
#include "verdict/advice_internal.h"
#include "verdict/verdict_internal.h"

/* Half of the warp slots hides most latencies; above it, a higher limit alone rarely shows. */
#define OCCUPANCY_LOW_PCT 50.0
/* Less than the floor of what two runs can tell apart (contract 06 §18). */
#define WORTH_PCT 1.0

static double total_ms(const struct ks_advise *a)
{
	return (double)a->k->total_ns / KS_NS_PER_MS;
}

/* --- occupancy ----------------------------------------------------------------------------------
 */

/* The one architecture of the devices in use; NULL when they differ or the table lacks it. */
static const struct ks_arch_info *arch_of(const struct ks_report *r)
{
	if (r->n_gpus_used == 0)
		return NULL;
	for (size_t i = 1; i < r->n_gpus_used; i++)
		if (r->gpu[i].cc_major != r->gpu[0].cc_major ||
		    r->gpu[i].cc_minor != r->gpu[0].cc_minor)
			return NULL;
	return ks_arch_find(r->gpu[0].cc_major, r->gpu[0].cc_minor);
}

/* The launch of the dominant configuration. False: a part of it was not recorded. */
static bool launch_of(const struct ks_advise *a, struct ks_occ_in *in)
{
	const struct ks_config *c = a->k->n_configs > 0 ? &a->k->config[0] : NULL;

	if (!c || c->regs == KS_UNKNOWN || c->static_smem == KS_UNKNOWN ||
	    c->dynamic_smem == KS_UNKNOWN)
		return false;
	for (int i = 0; i < 3; i++)
		if (c->block[i] <= 0 || c->block[i] > 1024)
			return false;
	*in = (struct ks_occ_in){ .block_threads = c->block[0] * c->block[1] * c->block[2],
				  .regs = c->regs,
				  .static_smem = c->static_smem,
				  .dynamic_smem = c->dynamic_smem,
				  .barriers = -1 };
	return true;
}

/* What it takes for one more block. It is computed from the table of architectures, so it is given
 * only where that gives the number of blocks that the evidence has. */
static struct ks_msg nearest_step(struct ks_advise *a)
{
	const struct ks_ev *blocks = ks_advice_row(a, KS_METRIC_KS_BLOCKS_PER_SM);
	const struct ks_arch_info *arch = arch_of(a->r);
	struct ks_occ_limits limits;
	struct ks_occ_out now, then;
	struct ks_occ_in in, next;

	if (!blocks || !arch || !launch_of(a, &in))
		return (struct ks_msg){ .id = KS_TEXT_NONE };
	ks_occ_limits_of(&limits, arch);
	if (ks_occupancy(&limits, &in, &now) != KS_OCC_OK ||
	    (double)now.blocks < ks_advice_number(blocks) ||
	    (double)now.blocks > ks_advice_number(blocks))
		return (struct ks_msg){ .id = KS_TEXT_NONE };
	if (!ks_occ_step_up(&limits, &in, now.limiters, &next, &then))
		return (struct ks_msg){ .id = KS_TEXT_NONE };
	const int64_t fewer_bytes = next.static_smem + next.dynamic_smem;
	const int64_t bytes = in.static_smem + in.dynamic_smem;
	const ks_str arg[] = {
		ks_advice_real(a, (double)next.regs),
		ks_advice_real(a, (double)in.regs),
		ks_arena_fmt(a->arena, "%lld", (long long)fewer_bytes),
		ks_arena_fmt(a->arena, "%lld", (long long)bytes),
		ks_advice_real(a, (double)then.blocks),
		ks_advice_real(a, (double)now.blocks),
		ks_advice_real(a, then.occupancy_pct),
	};
	const enum ks_text sentence = next.regs == in.regs		     ? KS_TEXT_AD_STEP_SMEM
				      : next.dynamic_smem == in.dynamic_smem ? KS_TEXT_AD_STEP_REGS
									     : KS_TEXT_AD_STEP_BOTH;

	return ks_advice_say(a, sentence, KS_ARRAY_LEN(arg), arg);
}

static void occupancy(struct ks_advise *a)
{
	static const enum ks_metric rests[] = {
		KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT,
		KS_METRIC_KS_OCCUPANCY_LIMITER,
		KS_METRIC_KS_BLOCKS_PER_SM,
		KS_METRIC_KS_REGISTERS_USED_FOR_OCCUPANCY,
		KS_METRIC_LAUNCH_SHARED_MEM_PER_BLOCK_STATIC,
		KS_METRIC_LAUNCH_SHARED_MEM_PER_BLOCK_DYNAMIC,
		KS_METRIC_LAUNCH_BLOCK_SIZE,
		KS_METRIC_MEAS_ACHIEVED_OCCUPANCY_PCT,
	};
	const struct ks_ev *pct = ks_advice_row(a, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT);
	const struct ks_ev *limiter = ks_advice_row(a, KS_METRIC_KS_OCCUPANCY_LIMITER);

	if (!pct || !limiter || limiter->value.kind != KS_V_TEXT ||
	    ks_advice_number(pct) > OCCUPANCY_LOW_PCT)
		return;
	struct ks_advice *on = ks_advice_add(a, KS_TEXT_AD_OCC, ks_occupancy_hint(limiter));
	const ks_str arg[] = { ks_advice_real(a, ks_advice_number(pct)), limiter->value.s };

	if (!on)
		return;
	on->what = ks_advice_say(a, KS_TEXT_AD_OCC_WHAT, KS_ARRAY_LEN(arg), arg);
	on->step = nearest_step(a);
	on->impact.id = KS_TEXT_AD_OCC_IMPACT;
	on->not_quantified = KS_REFUSAL_NO_OCCUPANCY_PROBE;
	on->effort = KS_EFFORT_MEDIUM;
	on->effort_why = KS_TEXT_AD_OCC_EFFORT;
	for (size_t i = 0; i < KS_ARRAY_LEN(rests); i++)
		ks_advice_rests(a, on, ks_advice_row(a, rests[i]));
}

/* --- the others ---------------------------------------------------------------------------------
 */

/* Blocks that take equally long need as many rounds as the grid has waves, rounded up; what the
 * last round leaves empty is lost. */
static void last_wave(struct ks_advise *a)
{
	const struct ks_ev *row = ks_advice_row(a, KS_METRIC_KS_GRID_WAVES);
	const double waves = ks_advice_number(row);

	if (waves <= 0.0)
		return;
	const double lost_pct = 100.0 * (1.0 - waves / ceil(waves));

	if (lost_pct < WORTH_PCT)
		return;
	const bool small = waves < 1.0;
	struct ks_advice *on =
		ks_advice_add(a, small ? KS_TEXT_AD_SMALL_GRID : KS_TEXT_AD_TAIL,
			      small ? KS_TEXT_AD_SMALL_GRID_HOW : KS_TEXT_AD_TAIL_HOW);
	const ks_str arg[] = { ks_advice_real(a, waves) };

	if (!on)
		return;
	on->what = ks_advice_say(a, small ? KS_TEXT_AD_SMALL_GRID_WHAT : KS_TEXT_AD_TAIL_WHAT,
				 KS_ARRAY_LEN(arg), arg);
	if (a->k->n_configs == 1) {
		ks_advice_bound(a, on, total_ms(a) * lost_pct / 100.0, KS_TEXT_AD_TAIL_IMPACT,
				total_ms(a));
	} else { /* the waves are those of one configuration, the time is that of all */
		on->impact.id = KS_TEXT_AD_TAIL_MIXED;
		on->not_quantified = KS_REFUSAL_MIXED_LAUNCH_CONFIG;
	}
	on->effort = KS_EFFORT_MEDIUM;
	on->effort_why = KS_TEXT_AD_TAIL_EFFORT;
	ks_advice_rests(a, on, row);
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_KS_TAIL_WAVE_FILL_PCT));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_LAUNCH_GRID_SIZE));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_KS_BLOCKS_PER_SM));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_GPU_TIME_DURATION_SUM));
}

static void configurations(struct ks_advise *a)
{
	const struct ks_ev *count = ks_advice_row(a, KS_METRIC_KS_LAUNCH_CONFIG_COUNT);

	if (!a->k->mixed_config || !count)
		return;
	struct ks_advice *on = ks_advice_add(a, KS_TEXT_AD_MIXED, KS_TEXT_AD_MIXED_HOW);
	const ks_str arg[] = { ks_advice_real(a, ks_advice_number(count)) };

	if (!on)
		return;
	on->what = ks_advice_say(a, KS_TEXT_AD_MIXED_WHAT, KS_ARRAY_LEN(arg), arg);
	on->impact.id = KS_TEXT_AD_MIXED_IMPACT;
	on->not_quantified = KS_REFUSAL_MIXED_LAUNCH_CONFIG;
	on->effort = KS_EFFORT_LOW;
	on->effort_why = KS_TEXT_AD_MIXED_EFFORT;
	ks_advice_rests(a, on, count);
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_KS_LAUNCH_TIME_MIN));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_KS_LAUNCH_TIME_P50));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_KS_LAUNCH_TIME_MAX));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_KS_GRID_SIZES_OBSERVED));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_KS_BLOCK_SIZES_OBSERVED));
}

static void local_memory(struct ks_advise *a)
{
	const struct ks_ev *bytes = ks_advice_row(a, KS_METRIC_LAUNCH_LOCAL_MEM_PER_THREAD);

	if (ks_advice_number(bytes) <= 0.0)
		return;
	struct ks_advice *on = ks_advice_add(a, KS_TEXT_AD_LOCAL, KS_TEXT_AD_LOCAL_HOW);
	const ks_str arg[] = { ks_advice_real(a, ks_advice_number(bytes)) };

	if (!on)
		return;
	on->what = ks_advice_say(a, KS_TEXT_AD_LOCAL_WHAT, KS_ARRAY_LEN(arg), arg);
	on->impact.id = KS_TEXT_AD_LOCAL_IMPACT;
	on->not_quantified = KS_REFUSAL_NO_MEMTRACE;
	on->effort = KS_EFFORT_MEDIUM;
	on->effort_why = KS_TEXT_AD_LOCAL_EFFORT;
	ks_advice_rests(a, on, bytes);
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_LAUNCH_REGISTERS_PER_THREAD));
}

/* A rate above a peak means that the stated work or the peaks are wrong: then nothing is said. */
static void roofline(struct ks_advise *a)
{
	const struct ks_ev *row = ks_advice_row(a, KS_METRIC_EST_ROOFLINE_EFFICIENCY_PCT);
	const struct ks_ev *bound = ks_advice_row(a, KS_METRIC_EST_BOUND);
	const double pct = ks_advice_number(row);

	if (pct <= 0.0 || pct > 100.0 - WORTH_PCT ||
	    ks_advice_number(ks_advice_row(a, KS_METRIC_KS_OVER_PEAK_WARNING)) > 0.0 ||
	    ks_advice_number(ks_advice_row(a, KS_METRIC_KS_DTYPE_PEAK_EXCEEDED_WARNING)) > 0.0)
		return;
	const bool memory =
		bound && bound->value.kind == KS_V_TEXT && ks_str_eqc(bound->value.s, "memory");
	struct ks_advice *on =
		ks_advice_add(a, KS_TEXT_AD_ROOF,
			      memory ? KS_TEXT_AD_ROOF_HOW_MEMORY : KS_TEXT_AD_ROOF_HOW_COMPUTE);
	const ks_str arg[] = { ks_advice_real(a, pct) };

	if (!on)
		return;
	on->what = ks_advice_say(a, KS_TEXT_AD_ROOF_WHAT, KS_ARRAY_LEN(arg), arg);
	ks_advice_bound(a, on, total_ms(a) * (1.0 - pct / 100.0), KS_TEXT_AD_ROOF_IMPACT,
			total_ms(a));
	on->effort = KS_EFFORT_HIGH;
	on->effort_why = KS_TEXT_AD_ROOF_EFFORT;
	ks_advice_rests(a, on, row);
	ks_advice_rests(a, on, bound);
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_EST_ARITHMETIC_INTENSITY));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_EST_ACHIEVED_GBS));
	ks_advice_rests(a, on, ks_advice_row(a, KS_METRIC_EST_ACHIEVED_TFLOPS));
}

void ks_advice_kernel(struct ks_advise *a)
{
	occupancy(a);
	last_wave(a);
	configurations(a);
	local_memory(a);
	roofline(a);
}
