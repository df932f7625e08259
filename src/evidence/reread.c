/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that come back from a report: taken as they are written, checked by the same rules,
 * converted to the unit of their metric. What breaks a rule is a refusal, never a repaired number.
 */
#include <math.h>

#include "evidence/store_internal.h"
#include "evidence/unit.h"
#include "evidence/value.h"

/* The unit a report gives against the one the metric has; false: no such unit, or another
 * dimension. */
static bool reread_unit(enum ks_metric metric, ks_str word, struct ks_value *v, double *factor,
			enum ks_unit *unit)
{
	enum ks_unit given = KS_UNIT_NONE;

	*factor = 1.0;
	*unit = KS_UNIT_NONE;
	if (!ks_value_is_number(v))
		return true;
	if (!ks_unit_read(word, &given))
		return false;
	*unit = given;
	if (metric == KS_METRIC_NONE)
		return true;
	*unit = ks_metric_info(metric)->unit;
	/* The original leaves the unit of counts empty (contract 04). */
	if (given == *unit || (given == KS_UNIT_NONE && *unit == KS_UNIT_COUNT) ||
	    (given == KS_UNIT_COUNT && *unit == KS_UNIT_NONE))
		return true;
	if (!ks_unit_convert(given, *unit, factor))
		return false;
	*v = KS_VAL_REAL(ks_value_real(v) * *factor);
	return true;
}

ks_id ks_ev_reread(struct ks_store *ev, const struct ks_ev_spec *spec, enum ks_prov prov,
		   ks_str unit, struct ks_value v, const struct ks_refused *refused)
{
	if (ks_store_sticky(ev))
		return 0;
	ks_id id = 0;
	struct ks_ev_spec bare = *spec;

	bare.inputs = NULL;
	bare.n_inputs = 0;
	struct ks_ev *row = ks_store_add(ev, &bare, &id);

	if (!row)
		return 0;
	double factor = 1.0;
	enum ks_unit to = KS_UNIT_NONE;
	bool legacy = prov == KS_PROV_UNAVAILABLE && !refused && v.kind == KS_V_NONE;
	const char *rule = legacy ? NULL : ks_ev_broken_rule(row->name, prov, &v, refused != NULL);

	if (!rule && !reread_unit(spec->metric, unit, &v, &factor, &to))
		rule = "unit";
	if (!rule && !ks_value_finite(&v))
		rule = "finite";
	if (!rule && spec->has_resolution &&
	    !(isfinite(spec->resolution) && spec->resolution >= 0.0))
		rule = "resolution";
	if (legacy) {
		ks_store_refuse_row(
			ev, row,
			ks_refused_make(
				ev, &(struct ks_refuse_spec){ .code = KS_REFUSAL_LEGACY_REPORT }));
	} else if (rule) {
		ks_store_refuse_row(ev, row, ks_refused_broken(ev, rule));
	} else if (refused) {
		ks_store_refuse_row(ev, row, ks_refused_copy(ev, refused));
	} else {
		ks_store_set_value(ev, row, &bare, prov, v);
		row->unit = to;
		row->resolution *= factor;
	}
	return ks_store_finish(ev, id);
}

void ks_ev_relink(struct ks_store *ev, ks_id id, const ks_id *inputs, size_t n)
{
	struct ks_ev *row = ks_store_row(ev, id);

	if (ks_store_sticky(ev) || !row)
		return;
	ks_id *kept = KS_ARENA_NEWS(ev->arena, ks_id, n);
	size_t m = 0;

	if (!kept) {
		ev->no_memory = true;
		return;
	}
	for (size_t i = 0; i < n && m < KS_EV_INPUTS; i++)
		if (inputs[i] != id && ks_store_row(ev, inputs[i]))
			kept[m++] = inputs[i];
	row->inputs = kept;
	row->n_inputs = (uint16_t)m;
}
