/* SPDX-License-Identifier: Apache-2.0
 *
 * Families in section DeviceStatistics of the pseudo kernel "(device)": four rows for each one that
 * has a launch. Together they are the kernel time of the selected devices.
 */
#include <inttypes.h>

#include "analyze/emit.h"
#include "analyze/family.h"

static struct ks_ev_spec family_spec(const struct ks_emit *e, enum ks_metric metric, ks_str slug,
				     const char *tail, uint64_t rows)
{
	struct ks_ev_spec spec =
		ks_emit_spec(e, metric, (struct ks_msg){ .id = KS_TEXT_AN_SRC_FAMILY },
			     "start,end,demangledName", rows);

	spec.name = ks_arena_fmt(e->a->arena, "ks__family_%.*s__%s", (int)slug.n, slug.p, tail);
	return spec;
}

static void emit_family(struct ks_emit *e, const struct ks_family_sum *f, ks_str slug)
{
	struct ks_ev_spec spec =
		family_spec(e, KS_METRIC_KS_FAMILY_F_KERNEL_MS, slug, "kernel_ms", f->launches);
	const ks_id ms = ks_emit_row(
		e, ks_ev_derived(e->ev, &spec, KS_VAL_REAL((double)f->total_ns / KS_NS_PER_MS)));

	if (e->r->kernel_ns > 0 && ms) {
		spec = family_spec(e, KS_METRIC_KS_FAMILY_F_SHARE_PCT, slug, "share_pct",
				   f->launches);
		spec.inputs = &ms;
		spec.n_inputs = 1;
		ks_emit_row(e, ks_ev_derived(e->ev, &spec,
					     KS_VAL_REAL(100.0 * (double)f->total_ns /
							 (double)e->r->kernel_ns)));
	}
	spec = family_spec(e, KS_METRIC_KS_FAMILY_F_LAUNCHES, slug, "launches", f->launches);
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_INT((int64_t)f->launches)));
	spec = family_spec(e, KS_METRIC_KS_FAMILY_F_KERNELS, slug, "kernels", f->launches);
	ks_emit_row(e, ks_ev_derived(e->ev, &spec, KS_VAL_INT((int64_t)f->kernels)));
}

void ks_emit_families(struct ks_emit *e)
{
	const struct ks_families *f = e->a->families;
	const bool hidden = ks_redact_mode_of(e->a->ctx->redact) == KS_REDACT_NAMES;
	unsigned own = 0;

	for (size_t i = 0; f && i < ks_families_count(f); i++) {
		const struct ks_family_sum *sum = ks_families_sum(f, i);
		ks_str slug = sum->slug;

		if (!ks_families_is_known(i))
			own++;
		if (own && hidden) /* a word of the user's may be one of the trace */
			slug = ks_arena_fmt(e->a->arena, "own_%u", own);
		if (sum->launches)
			emit_family(e, sum, slug);
	}
}
