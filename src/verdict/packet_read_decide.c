/* SPDX-License-Identifier: Apache-2.0
 *
 * Decisions, refusals and groups of a packet that is read back. A refused decision never keeps a
 * value; a provenance nobody knows is never exact.
 */
#include <jansson.h>

#include "base/arena.h"
#include "base/str.h"
#include "evidence/unit.h"
#include "verdict/packet_internal.h"

enum ks_status ks_reader_bad_field(const struct ks_reader *r, const char *field)
{
	if (ks_arena_failed(r->a)) /* the text was there, the copy was not */
		return ks_err_set(r->err, KS_E_ENV, KS_TEXT_ERR_VD_NO_MEMORY, NULL);
	return ks_err_set(r->err, KS_E_INPUT, KS_TEXT_ERR_VD_FIELD, r->where, field, NULL);
}

/* --- remedies and refusals -------------------------------------------------------------------- */

void ks_reader_remedies(struct ks_reader *r, const json_t *map)
{
	struct ks_packet *p = r->p;
	size_t n = json_object_size(map);
	const char *slug;
	json_t *entry;

	p->remedy = KS_ARENA_NEWS(r->a, struct ks_packet_remedy, n);
	if (!p->remedy || !json_is_object(map))
		return;
	json_t *it = (json_t *)(uintptr_t)map;

	json_object_foreach(it, slug, entry)
	{
		if (p->n_remedies == n)
			break;
		struct ks_packet_remedy *m = &p->remedy[p->n_remedies++];
		ks_str kind = ks_pj_str(r->a, entry, "cost_kind");

		m->slug = ks_arena_dup(r->a, ks_str_c(slug));
		(void)ks_refusal_find(m->slug, &m->code);
		m->action = ks_pj_str(r->a, entry, "action");
		m->command = ks_pj_str(r->a, entry, "cmd");
		m->cost_kind = ks_str_eqc(kind, ks_cost_kind_name(KS_COST_WALL)) ? KS_COST_WALL
			       : ks_str_eqc(kind, ks_cost_kind_name(KS_COST_IMPOSSIBLE))
				       ? KS_COST_IMPOSSIBLE
				       : KS_COST_MANUAL;
		m->cost_s = ks_pj_real(entry, "cost_s", 0.0);
		m->degraded = ks_str_eqc(ks_pj_str(r->a, entry, "sev"), "degraded");
	}
}

static void fill_remedy(struct ks_reader *r, struct ks_refused *out, ks_str slug)
{
	for (size_t i = 0; i < r->p->n_remedies; i++) {
		const struct ks_packet_remedy *m = &r->p->remedy[i];

		if (!ks_str_eq(m->slug, slug))
			continue;
		out->severity = m->degraded ? KS_SEV_DEGRADED : KS_SEV_BLOCKING;
		out->remedy.action = ks_pj_literal(r->a, m->action);
		out->remedy.command = m->command;
		out->remedy.cost_kind = m->cost_kind;
		out->remedy.cost_s = m->cost_s;
	}
}

static struct ks_refused *refused_by(struct ks_reader *r, ks_str slug)
{
	struct ks_refused *out = KS_ARENA_NEW(r->a, struct ks_refused);

	if (!out)
		return NULL;
	if (!ks_refusal_find(slug, &out->code) && ks_refused_is_slug(slug))
		out->read_code = slug;
	const struct ks_refusal_info *info = ks_refusal_info(out->code);

	out->severity = info->severity;
	out->remedy.command = ks_store_command(r->report->ev, out->code, KS_STR_NONE);
	out->remedy.cost_kind = info->cost_kind;
	out->remedy.cost_s = info->cost_s;
	fill_remedy(r, out, slug);
	return out;
}

static const struct ks_refused *refusal(struct ks_reader *r, const json_t *j)
{
	ks_str slug = ks_pj_str(r->a, j, "code");
	struct ks_refused *out = refused_by(r, slug.n > 0 ? slug : KS_LIT("legacy_report"));

	if (!out)
		return NULL;
	out->observed = ks_pj_object(r->a, json_object_get(j, "observed"), &out->n_observed);
	out->threshold = ks_pj_object(r->a, json_object_get(j, "threshold"), &out->n_threshold);
	return out;
}

/* --- decisions -------------------------------------------------------------------------------- */

static void unit(struct ks_reader *r, const json_t *j, enum ks_unit *u, ks_str *text)
{
	ks_str word = ks_pj_str(r->a, j, "unit");

	*u = KS_UNIT_NONE;
	if (!ks_unit_read(word, u))
		*text = word;
}

static void premises(struct ks_reader *r, const json_t *list, struct ks_verdict_row *row)
{
	size_t n = json_array_size(list);
	struct ks_premise_row *p = KS_ARENA_NEWS(r->a, struct ks_premise_row, n);

	for (size_t i = 0; p && i < n; i++) {
		const json_t *j = json_array_get(list, i);

		p[i].name = ks_pj_str(r->a, j, "id");
		if (!ks_premise_find(p[i].name, &p[i].id))
			p[i].id = KS_PREMISE_NONE;
		p[i].observed = ks_pj_value(r->a, json_object_get(j, "observed"));
		p[i].threshold = ks_pj_value(r->a, json_object_get(j, "threshold"));
		p[i].ok = ks_pj_true(j, "ok");
		unit(r, j, &p[i].unit, &p[i].unit_text);
	}
	row->premise = p;
	row->n_premises = p ? n : 0;
}

static bool status(ks_str word, enum ks_vstatus *s)
{
	for (int i = KS_VERDICT_STATUS_OK; i <= KS_VERDICT_STATUS_REFUSED; i++) {
		if (ks_str_eqc(word, ks_vstatus_name((enum ks_vstatus)i))) {
			*s = (enum ks_vstatus)i;
			return true;
		}
	}
	return false;
}

/* Contract 03 §3: the field where there is one, else not refused and every premise holds. */
static bool actionable(const json_t *j, const struct ks_verdict_row *row)
{
	const json_t *field = json_object_get(j, "actionable");
	bool ok = row->status != KS_VERDICT_STATUS_REFUSED;

	if (json_is_boolean(field))
		return json_is_true(field);
	for (size_t i = 0; i < row->n_premises; i++)
		ok = ok && row->premise[i].ok;
	return ok;
}

static void value(struct ks_reader *r, const json_t *j, struct ks_verdict_row *row)
{
	row->prov = KS_PROV_UNAVAILABLE;
	if (row->status == KS_VERDICT_STATUS_REFUSED) {
		row->refused = refusal(r, json_object_get(j, "refusal"));
		/* of the conditional answer among its facts, never of a value */
		if (ks_str_eqc(ks_pj_str(r->a, j, "provenance"), ks_prov_name(KS_PROV_ESTIMATED)))
			row->prov = KS_PROV_ESTIMATED;
		return; /* a refused decision has no value, whatever the file says (02 §6) */
	}
	row->value = ks_pj_value(r->a, json_object_get(j, "value"));
	unit(r, j, &row->unit, &row->unit_text);
	if (row->value.kind == KS_V_NONE)
		return;
	if (!ks_prov_find(ks_pj_str(r->a, j, "provenance"), &row->prov))
		row->prov = KS_PROV_ESTIMATED; /* 02 §1: unknown is never exact */
}

static enum ks_status decision(struct ks_reader *r, const json_t *j, struct ks_verdict_row *row)
{
	row->name = ks_pj_str(r->a, j, "id");
	row->mdd = ks_pj_real(j, "mdd", -1.0);
	if (!ks_verdict_find(row->name, &row->id))
		row->id = KS_VERDICT_NONE;
	if (row->name.n == 0)
		return ks_reader_bad_field(r, "verdicts[].id");
	if (!status(ks_pj_str(r->a, j, "status"), &row->status))
		return ks_reader_bad_field(r, "verdicts[].status");
	value(r, j, row);
	premises(r, json_object_get(j, "premises"), row);
	row->actionable = actionable(j, row);
	row->fact = ks_pj_object(r->a, json_object_get(j, "facts"), &row->n_facts);
	row->band = ks_pj_object(r->a, json_object_get(j, "band"), &row->n_band);
	row->metric = ks_pj_strings(r->a, json_object_get(j, "metrics"), 8, &row->n_metrics);
	row->next = ks_pj_literal(r->a, ks_pj_str(r->a, j, "next"));
	return KS_OK;
}

enum ks_status ks_reader_decisions(struct ks_reader *r, const json_t *list)
{
	struct ks_packet *p = r->p;
	size_t n = json_array_size(list);

	if (n > KS_READ_VERDICTS)
		return ks_reader_bad_field(r, "verdicts");
	r->row = KS_ARENA_NEWS(r->a, struct ks_verdict_row, n);
	if (!r->row)
		return KS_OK; /* the caller looks at the arena */
	for (size_t i = 0; i < n; i++) {
		struct ks_verdict_row *row = &r->row[i];

		KS_TRY(decision(r, json_array_get(list, i), row));
		if (p->n_verdicts < KS_PACKET_VERDICTS) {
			p->next_text[p->n_verdicts] =
				row->next.n > 0 ? row->next.arg[0] : KS_STR_NONE;
			p->verdict[p->n_verdicts++] = *row;
		} else if (p->n_more_verdicts < KS_ARRAY_LEN(p->more_verdict)) {
			p->more_verdict[p->n_more_verdicts++] = row->name;
		}
	}
	r->v->row = r->row;
	r->v->n = n;
	return KS_OK;
}

void ks_reader_groups(struct ks_reader *r, const json_t *list)
{
	struct ks_packet *p = r->p;
	size_t n = json_array_size(list);

	if (n > KS_READ_CODES)
		n = KS_READ_CODES;
	r->group = KS_ARENA_NEWS(r->a, struct ks_unmeasured, n);
	for (size_t i = 0; r->group && i < n; i++) {
		const json_t *j = json_array_get(list, i);
		struct ks_unmeasured *g = &r->group[i];
		int64_t count = ks_pj_int(j, "count");

		g->slug = ks_pj_str(r->a, j, "code");
		g->first = refused_by(r, g->slug);
		g->code = g->first ? g->first->code : KS_REFUSAL_INTERNAL_UNKNOWN;
		g->count = count > 0 ? (size_t)count : 0;
		const ks_str *example = ks_pj_strings(r->a, json_object_get(j, "examples"),
						      KS_ARRAY_LEN(g->example), &g->n_examples);

		for (size_t k = 0; k < g->n_examples; k++)
			g->example[k] = example[k];
		if (p->n_groups < KS_PACKET_GROUPS) {
			p->group[p->n_groups++] = *g;
		} else {
			p->more_groups++;
			p->more_metrics += g->count;
		}
	}
	r->v->unmeasured = r->group;
	r->v->n_unmeasured = r->group ? n : 0;
}
