/* SPDX-License-Identifier: Apache-2.0
 *
 * Occupancy per configuration and device. Limits come from the trace first and from the table one
 * by one; an architecture the table does not know is refused, never taken for a neighbour.
 */
#include "analyze/configocc.h"

int64_t ks_config_volume(const int64_t v[3])
{
	int64_t product = 1;

	for (size_t i = 0; i < 3; i++) {
		if (v[i] < 0 || __builtin_mul_overflow(product, v[i], &product))
			return KS_UNKNOWN;
	}
	return product;
}

/* The limits of a device; false when its architecture is not known. */
static bool limits_of(const struct ks_device *d, struct ks_occ_limits *l)
{
	const struct ks_trace_gpu *g = d->gpu;

	if (!g || g->cc_major <= 0 || g->cc_minor < 0 || g->cc_major > 999 || g->cc_minor > 999)
		return false;
	const struct ks_arch_info *arch = ks_arch_find((int)g->cc_major, (int)g->cc_minor);

	if (!arch)
		return false;
	ks_occ_limits_of(l, arch);
	ks_occ_limits_from_trace(l, &(struct ks_occ_trace_limits){
					    .threads_per_warp = g->threads_per_warp,
					    .warps_per_sm = g->max_warps_per_sm,
					    .blocks_per_sm = g->max_blocks_per_sm,
					    .regs_per_sm = g->max_regs_per_sm,
					    .regs_per_block = g->max_regs_per_block,
					    .smem_per_sm = g->max_smem_per_sm,
					    .smem_optin = g->max_smem_optin,
					    .max_threads_per_block = g->max_threads_per_block,
				    });
	return true;
}

static void refuse(struct ks_config_occ *occ, enum ks_refusal code, enum ks_text why)
{
	occ->refusal = code;
	occ->why = why;
}

static void refuse_values(struct ks_config_occ *occ, enum ks_refusal code, enum ks_text why,
			  const char *seen, double seen_value)
{
	refuse(occ, code, why);
	occ->seen = seen;
	occ->seen_value = seen_value;
}

static void against(struct ks_config_occ *occ, const char *needed, double value)
{
	occ->needed = needed;
	occ->needed_value = value;
}

/* What has to be recorded before anything can be computed. */
static bool complete(const struct ks_config *c, int64_t threads, struct ks_config_occ *occ)
{
	if (threads == KS_UNKNOWN)
		refuse(occ, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_NO_BLOCK_SIZE);
	else if (c->regs == KS_UNKNOWN)
		refuse(occ, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_NO_REGISTERS);
	else if (c->static_smem == KS_UNKNOWN || c->dynamic_smem == KS_UNKNOWN)
		refuse(occ, KS_REFUSAL_METRIC_ABSENT, KS_TEXT_AN_NO_SHARED_MEMORY);
	return occ->refusal == KS_REFUSAL_NONE;
}

static void on_device(const struct ks_analysis *a, const struct ks_config *c, uint32_t group,
		      struct ks_config_occ *occ)
{
	const struct ks_group_key *key = ks_launches_group_key(&a->launches, group);
	const struct ks_device *d = &a->devices.device[key->device];
	const int64_t threads = ks_config_volume(c->block);

	*occ = (struct ks_config_occ){ .gpu = d->gpu };
	if (!complete(c, threads, occ))
		return;
	if (!limits_of(d, &occ->limits)) {
		refuse(occ, KS_REFUSAL_UNKNOWN_ARCH,
		       d->gpu && d->gpu->cc_major > 0 ? KS_TEXT_AN_ARCH_NOT_IN_TABLE
						      : KS_TEXT_AN_NO_ARCH);
		return;
	}
	/* On 6.x the column is resident blocks times allocation, not a carve-out (contract 05
	 * §1.4). */
	const bool carve_out = d->gpu->cc_major >= 7 && key->smem_executed > 0;
	occ->in = (struct ks_occ_in){
		.block_threads = threads,
		.regs = c->regs,
		.static_smem = c->static_smem,
		.dynamic_smem = c->dynamic_smem,
		.smem_executed = carve_out ? key->smem_executed : 0,
		.barriers = -1,
	};

	occ->carve_out_assumed = !carve_out && d->gpu->cc_major >= 7;
	if (ks_occupancy(&occ->limits, &occ->in, &occ->out) != KS_OCC_OK) {
		refuse_values(occ, KS_REFUSAL_INCONSISTENT_EVIDENCE, KS_TEXT_AN_IMPOSSIBLE_LAUNCH,
			      "block_threads", (double)threads);
		against(occ, "max_threads_per_block", (double)occ->limits.max_threads_per_block);
	} else if (occ->out.blocks < 1) {
		refuse_values(occ, KS_REFUSAL_INCONSISTENT_EVIDENCE, KS_TEXT_AN_BLOCK_DOES_NOT_FIT,
			      "blocks_per_sm", (double)occ->out.blocks);
		against(occ, "blocks_per_sm_min", 1.0);
	}
}

static void set_waves(const struct ks_config *c, struct ks_config_occ *occ)
{
	const int64_t blocks = ks_config_volume(c->grid);

	occ->waves_refusal = occ->refusal;
	if (occ->refusal != KS_REFUSAL_NONE)
		return;
	if (blocks == KS_UNKNOWN || blocks < 1)
		occ->waves_refusal = KS_REFUSAL_METRIC_ABSENT;
	else if (!occ->gpu || occ->gpu->sm_count <= 0)
		occ->waves_refusal = KS_REFUSAL_UNKNOWN_ARCH;
	else
		occ->waves =
			(double)blocks / ((double)occ->out.blocks * (double)occ->gpu->sm_count);
}

static bool same_waves(const struct ks_config_occ *x, const struct ks_config_occ *y)
{
	const double scale = x->waves > y->waves ? x->waves : y->waves;
	const double distance = x->waves > y->waves ? x->waves - y->waves : y->waves - x->waves;

	return x->waves_refusal == y->waves_refusal && distance <= 1e-12 * scale;
}

static bool same_answer(const struct ks_config_occ *x, const struct ks_config_occ *y)
{
	return x->refusal == y->refusal && x->out.blocks == y->out.blocks &&
	       x->out.warps == y->out.warps && x->out.limiters == y->out.limiters &&
	       x->limits.warps_per_sm == y->limits.warps_per_sm;
}

static bool same_limits(const struct ks_occ_limits *x, const struct ks_occ_limits *y)
{
	return memcmp(x, y, offsetof(struct ks_occ_limits, from_trace)) == 0;
}

/* Two devices, or two carve-outs, that disagree: neither answer is the configuration's. */
static void disagree(struct ks_config_occ *occ, const struct ks_config_occ *other,
		     bool other_device)
{
	const struct ks_config_occ first = *occ;

	*occ = (struct ks_config_occ){ .gpu = NULL };
	if (other_device)
		refuse(occ, KS_REFUSAL_MULTI_DEVICE_AGGREGATE, KS_TEXT_AN_DEVICES_DISAGREE);
	else
		refuse(occ, KS_REFUSAL_MIXED_LAUNCH_CONFIG, KS_TEXT_AN_CARVE_OUTS_DISAGREE);
	occ->waves_refusal = occ->refusal;
	if (first.refusal != KS_REFUSAL_NONE || other->refusal != KS_REFUSAL_NONE)
		return; /* one of them has no number to show */
	refuse_values(occ, occ->refusal, occ->why, "occupancy_pct", first.out.occupancy_pct);
	against(occ, "occupancy_pct", other->out.occupancy_pct);
}

void ks_config_occupancy(const struct ks_analysis *a, const struct ks_config *c,
			 const struct ks_config_groups *groups, struct ks_config_occ *occ)
{
	on_device(a, c, groups->group[0], occ);
	set_waves(c, occ);
	const int64_t first = ks_launches_group_key(&a->launches, groups->group[0])->device;

	for (size_t i = 1; i < groups->n; i++) {
		const struct ks_group_key *key =
			ks_launches_group_key(&a->launches, groups->group[i]);
		const struct ks_group_key *before =
			ks_launches_group_key(&a->launches, groups->group[i - 1]);
		struct ks_config_occ other;

		if (key->device == before->device && key->smem_executed == before->smem_executed)
			continue; /* sorted: the same question again */
		on_device(a, c, groups->group[i], &other);
		set_waves(c, &other);
		occ->carve_out_assumed |= other.carve_out_assumed;
		occ->limits.from_table |= other.limits.from_table;
		if (!same_answer(occ, &other)) {
			disagree(occ, &other, key->device != first);
			return;
		}
		occ->limits_differ |= !same_limits(&occ->limits, &other.limits);
		occ->carve_outs_differ |= occ->in.smem_executed != other.in.smem_executed;
		if (!same_waves(occ, &other))
			occ->waves_refusal = KS_REFUSAL_MULTI_DEVICE_AGGREGATE;
	}
}
