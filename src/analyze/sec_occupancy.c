/* SPDX-License-Identifier: Apache-2.0
 *
 * Section Occupancy: theoretical occupancy of the dominant configuration, its limiter, and how many
 * waves its grid makes. What limits came from where is said beside the value.
 */
#include <math.h>

#include "analyze/emit.h"
#include "base/num.h"
#include "base/str.h"

#define OCCUPANCY_COLUMNS                                                                          \
	"blockX,blockY,blockZ,registersPerThread,staticSharedMemory,dynamicSharedMemory,"          \
	"sharedMemoryExecuted"

static void table_limits_text(char out[80], unsigned from_table)
{
	static const struct {
		unsigned bit;
		const char *name;
	} names[] = {
		{ KS_OCC_FROM_BLOCKS, "block_limit" },
		{ KS_OCC_FROM_REGS, "registers" },
		{ KS_OCC_FROM_SMEM, "shared_mem" },
		{ KS_OCC_FROM_WARPS, "warps" },
	};
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		if (!(from_table & names[i].bit))
			continue;
		size_t len = strlen(names[i].name);

		if (n) {
			memcpy(out + n, ", ", 2);
			n += 2;
		}
		memcpy(out + n, names[i].name, len + 1);
		n += len;
	}
}

/* The carve-out matters only where shared memory is used at all. */
static struct ks_msg limits_note(struct ks_emit *e, const struct ks_config *c,
				 const struct ks_config_occ *occ)
{
	char limits[80];
	const bool carve_out =
		occ->carve_out_assumed && (c->static_smem > 0 || c->dynamic_smem > 0);

	table_limits_text(limits, occ->limits.from_table);
	if (limits[0] && carve_out)
		return ks_store_msg(e->ev, KS_TEXT_AN_NOTE_TABLE_AND_CARVE_OUT, limits, NULL);
	if (limits[0])
		return ks_store_msg(e->ev, KS_TEXT_AN_NOTE_TABLE, limits, NULL);
	return (struct ks_msg){ .id = carve_out ? KS_TEXT_AN_NOTE_CARVE_OUT : KS_TEXT_NONE };
}

/* Why there are no waves although there is an occupancy. */
static enum ks_text waves_why(enum ks_refusal code)
{
	if (code == KS_REFUSAL_UNKNOWN_ARCH)
		return KS_TEXT_AN_NO_SM_COUNT;
	return code == KS_REFUSAL_MULTI_DEVICE_AGGREGATE ? KS_TEXT_AN_DEVICES_DISAGREE
							 : KS_TEXT_AN_NOT_RECORDED;
}

/* Facts of the device are in the tables of every export that is new enough. */
static enum ks_text what_to_do(enum ks_refusal code, enum ks_text why)
{
	if (code != KS_REFUSAL_UNKNOWN_ARCH)
		return KS_TEXT_NONE;
	return why == KS_TEXT_AN_ARCH_NOT_IN_TABLE ? KS_TEXT_AN_DO_NEWER_VERSION
						   : KS_TEXT_AN_DO_EXPORT_NEWER;
}

static ks_id refuse(struct ks_emit *e, const struct ks_ev_spec *spec, enum ks_refusal code,
		    const struct ks_config_occ *occ)
{
	const struct ks_kv seen = { ks_str_c(occ->seen), KS_VAL_REAL(occ->seen_value) };
	const struct ks_kv needed = { ks_str_c(occ->needed), KS_VAL_REAL(occ->needed_value) };
	const bool same = code == occ->refusal;
	const struct ks_refuse_spec why = {
		.code = code,
		.message = { .id = same ? occ->why : waves_why(code) },
		.observed = &seen,
		.n_observed = same && occ->seen ? 1 : 0,
		.threshold = &needed,
		.n_threshold = same && occ->needed ? 1 : 0,
		.action = { .id = what_to_do(code, same ? occ->why : KS_TEXT_NONE) },
		.rule = code == KS_REFUSAL_INCONSISTENT_EVIDENCE ? KS_LIT("launch_fits_device")
								 : KS_STR_NONE,
	};

	return ks_emit_row(e, ks_ev_refuse(e->ev, spec, &why));
}

/* Where the limits were read; a table of ours has no row in the trace. */
static struct ks_msg limits_source(const struct ks_emit *e, const struct ks_config_occ *occ)
{
	const unsigned all =
		KS_OCC_FROM_BLOCKS | KS_OCC_FROM_REGS | KS_OCC_FROM_SMEM | KS_OCC_FROM_WARPS;
	const bool read = occ->refusal == KS_REFUSAL_NONE && occ->gpu && !e->a->meta.synthetic &&
			  (occ->limits.from_table & all) != all;

	return read ? (struct ks_msg){ .id = KS_TEXT_AN_SRC_LIMITS_TRACE } : e->by_limits;
}

ks_id ks_emit_config_occupancy(struct ks_emit *e, const struct ks_ev_spec *spec,
			       const struct ks_config_occ *occ)
{
	if (occ->refusal != KS_REFUSAL_NONE)
		return refuse(e, spec, occ->refusal, occ);
	struct ks_ev_spec with_source = *spec;

	with_source.source = limits_source(e, occ);
	return ks_emit_row(e,
			   ks_ev_exact(e->ev, &with_source, KS_VAL_REAL(occ->out.occupancy_pct)));
}

static size_t occupancy_inputs(const struct ks_emit *e, ks_id input[4])
{
	const ks_id all[4] = { e->block ? e->block : e->dominant, e->regs, e->static_smem,
			       e->dynamic_smem };
	size_t n = 0;

	for (size_t i = 0; i < 4; i++) {
		if (all[i])
			input[n++] = all[i];
	}
	return n;
}

static void emit_waves(struct ks_emit *e, const struct ks_config_occ *occ, ks_id blocks)
{
	const ks_id inputs[2] = { blocks, e->grid ? e->grid : e->dominant };
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_GRID_WAVES, e->by_limits,
					      "gridX,gridY,gridZ", e->k->config[0].launches);

	if (occ->waves_refusal != KS_REFUSAL_NONE) {
		refuse(e, &spec, occ->waves_refusal, occ);
		spec.metric = KS_METRIC_KS_TAIL_WAVE_FILL_PCT;
		refuse(e, &spec, occ->waves_refusal, occ);
		return;
	}
	spec.inputs = inputs;
	spec.n_inputs = inputs[1] ? 2 : 1;
	ks_id waves = ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL(occ->waves)));
	const double part = occ->waves - floor(occ->waves);

	if (waves == 0)
		return;
	spec.metric = KS_METRIC_KS_TAIL_WAVE_FILL_PCT;
	spec.inputs = &waves;
	spec.n_inputs = 1;
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL(part > 0.0 ? 100.0 * part : 100.0)));
}

static void emit_values(struct ks_emit *e, const struct ks_config_occ *occ, struct ks_ev_spec *spec)
{
	char limiter[80];
	size_t n = ks_occ_limiter_text(limiter, occ->out.limiters);
	struct ks_config *c = &e->k->config[0];

	c->occupancy_pct =
		ks_emit_row(e, ks_ev_exact(e->ev, spec, KS_VAL_REAL(occ->out.occupancy_pct)));
	spec->metric = KS_METRIC_KS_BLOCKS_PER_SM;
	ks_id blocks = ks_emit_row(e, ks_ev_exact(e->ev, spec, KS_VAL_INT(occ->out.blocks)));

	spec->metric = KS_METRIC_KS_WARPS_PER_SM;
	ks_emit_row(e, ks_ev_exact(e->ev, spec, KS_VAL_INT(occ->out.warps)));
	spec->metric = KS_METRIC_KS_OCCUPANCY_LIMITER;
	ks_emit_row(e, ks_ev_exact(e->ev, spec, KS_VAL_TEXT(((ks_str){ limiter, n }))));
	if (blocks)
		emit_waves(e, occ, blocks);
}

static void emit_refusals(struct ks_emit *e, const struct ks_config_occ *occ,
			  struct ks_ev_spec *spec)
{
	static const enum ks_metric all[] = {
		KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT,
		KS_METRIC_KS_BLOCKS_PER_SM,
		KS_METRIC_KS_WARPS_PER_SM,
		KS_METRIC_KS_OCCUPANCY_LIMITER,
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		spec->metric = all[i];
		ks_id id = refuse(e, spec, occ->refusal, occ);

		if (i == 0)
			e->k->config[0].occupancy_pct = id;
	}
	emit_waves(e, occ, 0);
}

void ks_emit_occupancy(struct ks_emit *e)
{
	const struct ks_config *c = &e->k->config[0];
	struct ks_config_occ occ;
	ks_id input[4];
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT,
					      e->by_limits, OCCUPANCY_COLUMNS, c->launches);

	ks_config_occupancy(e->a, c, &e->k->config_group[0], &occ);
	spec.note = limits_note(e, c, &occ);
	spec.source = limits_source(e, &occ);
	if (occ.refusal == KS_REFUSAL_NONE) {
		spec.inputs = input;
		spec.n_inputs = occupancy_inputs(e, input);
		emit_values(e, &occ, &spec);
	} else {
		emit_refusals(e, &occ, &spec);
	}
	ks_emit_no(e, KS_METRIC_SM_MAXIMUM_WARPS_PER_ACTIVE_CYCLE_PCT, NULL, KS_VAL_NONE);
	ks_emit_section(e, KS_SECTION_OCCUPANCY,
			(struct ks_msg){ .id = e->k->n_configs > 1 ? KS_TEXT_AN_NOTE_DOMINANT
								   : KS_TEXT_NONE });
}
