/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the store and their constructors. A row that would break a rule of the evidence model
 * is never kept with its value.
 */
#include <math.h>

#include "base/str.h"
#include "evidence/store_internal.h"
#include "evidence/unit.h"
#include "evidence/value.h"

struct ks_store *ks_store_open(struct ks_arena *arena)
{
	struct ks_store *ev = KS_ARENA_NEW(arena, struct ks_store);

	if (ev)
		ev->arena = arena;
	return ev;
}

bool ks_store_sticky(const struct ks_store *ev)
{
	return ev->no_memory || ev->misused || ks_arena_failed(ev->arena);
}

enum ks_status ks_store_status(const struct ks_store *ev, struct ks_err *err)
{
	if (ev->no_memory || ks_arena_failed(ev->arena))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_EV_NO_MEMORY, NULL);
	if (ev->misused)
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_EV_NO_METRIC, NULL);
	return KS_OK;
}

size_t ks_store_count(const struct ks_store *ev)
{
	return ev->n;
}

static struct ks_ev *row_at(const struct ks_store *ev, size_t index)
{
	return &ev->chunk[index / KS_STORE_CHUNK][index % KS_STORE_CHUNK];
}

struct ks_ev *ks_store_row(const struct ks_store *ev, ks_id id)
{
	return id == 0 || id > ev->n ? NULL : row_at(ev, id - 1);
}

const struct ks_ev *ks_ev_get(const struct ks_store *ev, ks_id id)
{
	return ks_store_row(ev, id);
}

static bool add_chunk(struct ks_store *ev)
{
	if (ev->n_chunks == ev->chunk_cap) {
		size_t cap = ev->chunk_cap ? ev->chunk_cap * 2 : 16;
		struct ks_ev **chunk = KS_ARENA_NEWS(ev->arena, struct ks_ev *, cap);

		if (!chunk)
			return false;
		if (ev->n_chunks > 0)
			memcpy(chunk, ev->chunk, ev->n_chunks * sizeof(*chunk));
		ev->chunk = chunk;
		ev->chunk_cap = cap;
	}
	struct ks_ev *rows = KS_ARENA_NEWS(ev->arena, struct ks_ev, KS_STORE_CHUNK);

	if (!rows)
		return false;
	ev->chunk[ev->n_chunks++] = rows;
	return true;
}

static ks_str name_of(const struct ks_ev_spec *spec)
{
	if (spec->name.n > 0 || spec->metric == KS_METRIC_NONE)
		return spec->name;
	return ks_str_c(ks_metric_info(spec->metric)->name);
}

static bool spec_is_usable(const struct ks_ev_spec *spec)
{
	if ((unsigned)spec->metric >= KS_METRIC_COUNT)
		return false;
	if (spec->metric == KS_METRIC_NONE)
		return spec->name.n > 0;
	return !ks_metric_info(spec->metric)->is_pattern || spec->name.n > 0;
}

/* Name and subject as kept in `names`; false when out of memory. Neighbours mostly share a subject,
 * and most rows have their metric's own name: both are found without hashing. */
static bool keep_names(struct ks_store *ev, struct ks_ev *row, const struct ks_ev_spec *spec)
{
	ks_str *own = spec->name.n == 0 ? &ev->own_name[spec->metric] : NULL;

	if (!ev->subject.p || !ks_str_eq(ev->subject, spec->subject)) {
		const uint32_t at = ks_names_add(&ev->names, ev->arena, spec->subject);

		if (at == KS_NAMES_NONE)
			return false;
		ev->subject = ev->names.entry[at].s;
	}
	row->subject = ev->subject;
	if (own && own->p) {
		row->name = *own;
		return true;
	}
	const uint32_t at = ks_names_add(&ev->names, ev->arena, name_of(spec));

	if (at == KS_NAMES_NONE)
		return false;
	row->name = ev->names.entry[at].s;
	if (own)
		*own = row->name;
	return true;
}

static void fill(struct ks_store *ev, struct ks_ev *row, const struct ks_ev_spec *spec)
{
	row->metric = spec->metric;
	if (spec->metric != KS_METRIC_NONE)
		row->section = ks_metric_info(spec->metric)->section;
	row->source = ks_msg_copy(ev->arena, spec->source);
	row->note = ks_msg_copy(ev->arena, spec->note);
	row->origin = ks_store_origin(ev, &spec->origin);
	row->inputs = ks_store_inputs(ev, spec->inputs, spec->n_inputs);
	row->n_inputs = row->inputs ? (uint16_t)spec->n_inputs : 0;
}

struct ks_ev *ks_store_add(struct ks_store *ev, const struct ks_ev_spec *spec, ks_id *id)
{
	*id = 0;
	if (ks_store_sticky(ev))
		return NULL;
	if (!spec_is_usable(spec)) {
		BUG_ON(true);
		ev->misused = true;
		return NULL;
	}
	if (ev->n >= UINT32_MAX - 1 || (ev->n == ev->n_chunks * KS_STORE_CHUNK && !add_chunk(ev))) {
		ev->no_memory = true;
		return NULL;
	}
	struct ks_ev *row = row_at(ev, ev->n);

	if (!keep_names(ev, row, spec) || !ks_store_index_ready(ev, row)) {
		ev->no_memory = true;
		return NULL;
	}
	fill(ev, row, spec);
	*id = (ks_id)++ev->n;
	ks_store_index(ev, row, *id);
	return row;
}

const char *ks_ev_broken_rule(ks_str name, enum ks_prov prov, const struct ks_value *v,
			      bool refused)
{
	bool has_value = v->kind != KS_V_NONE;

	if (v->kind == KS_V_ARRAY || v->kind == KS_V_OBJECT)
		return "value kind";
	if (has_value == (prov == KS_PROV_UNAVAILABLE) || refused != (prov == KS_PROV_UNAVAILABLE))
		return "R1";
	if (prov == KS_PROV_UNAVAILABLE)
		return NULL;
	if (!ks_value_finite(v))
		return "finite";
	if (ks_is_counter_name(name))
		return "R2";
	bool ncu_exact =
		ks_str_starts(name, "launch__") || ks_str_starts(name, "gpu__time_duration");

	if (ncu_exact)
		return prov == KS_PROV_EXACT ? NULL : "R4";
	bool imported = ks_str_starts(name, "ncu__");

	if (prov != KS_PROV_EXACT && (imported || !ks_is_own_prefix(name)))
		return "R3";
	if (ks_str_starts(name, "meas__") != (prov == KS_PROV_MEASURED))
		return "naming";
	bool modelled = ks_str_starts(name, "est__") || ks_str_starts(name, "model__");

	if (modelled && prov != KS_PROV_ESTIMATED)
		return "naming";
	return imported || ks_is_own_prefix(name) ? NULL : "naming";
}

/* What the table says about a metric must hold for the value that is given for it. */
static const char *broken_by_table(const struct ks_ev_spec *spec, enum ks_prov prov,
				   const struct ks_value *v)
{
	if (spec->metric == KS_METRIC_NONE)
		return "metric";
	const struct ks_metric_info *m = ks_metric_info(spec->metric);

	if (m->prov != prov)
		return "provenance";
	if (m->is_text != (v->kind == KS_V_TEXT || v->kind == KS_V_LIST || v->kind == KS_V_BOOL))
		return "value kind";
	if (m->is_pattern ? ks_metric_find(spec->name) != spec->metric
			  : spec->name.n > 0 && !ks_str_eqc(spec->name, m->name))
		return "name";
	if (spec->has_resolution && !(isfinite(spec->resolution) && spec->resolution >= 0.0))
		return "resolution";
	return NULL;
}

static const char *broken_lineage(const struct ks_store *ev, const struct ks_ev_spec *spec,
				  enum ks_prov prov)
{
	if (spec->n_inputs > KS_EV_INPUTS)
		return "lineage";
	for (size_t i = 0; i < spec->n_inputs; i++)
		if (spec->inputs[i] == 0 || spec->inputs[i] > ev->n)
			return "lineage";
	/* A number that was not read must say what it was made from. */
	if (prov == KS_PROV_DERIVED && spec->n_inputs == 0 && spec->origin.table.n == 0)
		return "lineage";
	return NULL;
}

static enum ks_unit unit_of(enum ks_metric metric, const struct ks_value *v)
{
	if (metric == KS_METRIC_NONE || !ks_value_is_number(v))
		return KS_UNIT_NONE;
	return ks_metric_info(metric)->unit;
}

void ks_store_set_value(struct ks_store *ev, struct ks_ev *row, const struct ks_ev_spec *spec,
			enum ks_prov prov, struct ks_value v)
{
	row->value = ks_value_copy(ev->arena, v);
	row->unit = unit_of(spec->metric, &v);
	row->prov = prov;
	row->has_resolution = spec->has_resolution;
	row->resolution = spec->has_resolution ? spec->resolution : 0.0;
}

ks_id ks_store_finish(struct ks_store *ev, ks_id id)
{
	if (!ks_arena_failed(ev->arena))
		return id;
	ev->no_memory = true;
	return 0;
}

static ks_id construct(struct ks_store *ev, const struct ks_ev_spec *spec, enum ks_prov prov,
		       struct ks_value v)
{
	if (ks_store_sticky(ev))
		return 0;
	const char *rule = broken_lineage(ev, spec, prov);
	const struct ks_refused *why =
		rule ? NULL : ks_refused_of_inputs(ev, spec->inputs, spec->n_inputs);

	if (!rule && !why && spec_is_usable(spec)) {
		ks_str name = name_of(spec);

		rule = ks_ev_broken_rule(name, prov, &v, false);
		if (!rule)
			rule = broken_by_table(spec, prov, &v);
	}
	BUG_ON(rule != NULL);
	if (rule)
		why = ks_refused_broken(ev, rule);
	ks_id id = 0;
	struct ks_ev *row = ks_store_add(ev, spec, &id);

	if (!row)
		return 0;
	if (rule) /* the inputs themselves may be what is wrong */
		row->n_inputs = 0;
	if (why)
		ks_store_refuse_row(ev, row, why);
	else
		ks_store_set_value(ev, row, spec, prov, v);
	return ks_store_finish(ev, id);
}

ks_id ks_ev_exact(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v)
{
	return construct(ev, spec, KS_PROV_EXACT, v);
}

ks_id ks_ev_measured(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v)
{
	return construct(ev, spec, KS_PROV_MEASURED, v);
}

ks_id ks_ev_derived(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v)
{
	return construct(ev, spec, KS_PROV_DERIVED, v);
}

ks_id ks_ev_estimated(struct ks_store *ev, const struct ks_ev_spec *spec, struct ks_value v)
{
	return construct(ev, spec, KS_PROV_ESTIMATED, v);
}

ks_id ks_ev_refuse(struct ks_store *ev, const struct ks_ev_spec *spec,
		   const struct ks_refuse_spec *why)
{
	if (ks_store_sticky(ev))
		return 0;
	ks_id id = 0;
	struct ks_ev *row = ks_store_add(ev, spec, &id);

	if (!row)
		return 0;
	ks_store_refuse_row(ev, row, ks_refused_make(ev, why));
	return ks_store_finish(ev, id);
}
