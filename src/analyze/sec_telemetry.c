/* SPDX-License-Identifier: Apache-2.0
 *
 * Section Telemetry: every reading as a row, measured by whoever exported it; what was looked for
 * and is not there as a refusal. Says which device of the trace a reading is of, and joins nothing
 * that may be another one.
 */
#include <strings.h>

#include "analyze/emit.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "evidence/throttle.h"
#include "tables/telemetry.h"

#define KEY_BYTES ((size_t)1 << 24) /* above the limit of a whole text */

struct readings {
	struct ks_emit *e;
	const struct ks_telemetry *t;
	struct ks_msg source; /* of the whole */
};

/* --- which device it is --------------------------------------------------------------------------
 */

/* A UUID without what stands in front of it: exporters leave that out. */
static ks_str bare_uuid(ks_str s)
{
	return s.n >= 4 && strncasecmp(s.p, "GPU-", 4) == 0 ? (ks_str){ s.p + 4, s.n - 4 } : s;
}

static bool same_text(ks_str a, ks_str b)
{
	return a.n == b.n && a.n > 0 && strncasecmp(a.p, b.p, a.n) == 0;
}

/* Old drivers leave the maker out of the name of a model. */
static ks_str bare_model(ks_str s)
{
	return ks_str_starts(s, "NVIDIA ") ? (ks_str){ s.p + 7, s.n - 7 } : s;
}

/* Devices of the trace with that UUID, or of that model; *at: one of them. */
static size_t count_gpus(const struct ks_report *r, const struct ks_tel_device *d, bool by_uuid,
			 size_t *at)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_gpus; i++) {
		const bool is =
			by_uuid ? same_text(bare_uuid(r->gpu[i].uuid), bare_uuid(d->uuid))
				: same_text(bare_model(r->gpu[i].name), bare_model(d->model));

		if (is)
			*at = i;
		n += is;
	}
	return n;
}

static bool trace_has_uuids(const struct ks_report *r)
{
	for (size_t i = 0; i < r->n_gpus; i++)
		if (r->gpu[i].uuid.n > 0)
			return true;
	return false;
}

/* How many boards of each model there are. Those of another part of a capture do not count: parts
 * show one board several times. */
struct models {
	struct ks_intern keys;
	uint32_t *n;
	size_t cap;
	struct ks_buf key;
};

static ks_str model_key(struct models *m, const struct ks_tel_device *d)
{
	const ks_str model = bare_model(d->model);

	ks_buf_reset(&m->key);
	for (size_t i = 0; i < model.n; i++) {
		const char c = model.p[i];

		ks_buf_ch(&m->key, c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c);
	}
	ks_buf_ch(&m->key, '\n');
	ks_buf_str(&m->key, d->set);
	return ks_buf_view(&m->key);
}

static bool count_models(struct models *m, const struct ks_telemetry *t)
{
	for (size_t i = 0; i < t->n_devices; i++) {
		if (t->device[i].instance.n > 0)
			continue;
		const uint32_t at = ks_intern_add(&m->keys, model_key(m, &t->device[i]), NULL);

		if (at == KS_MAP_NONE || !KS_GROW(m->n, m->cap, (size_t)at + 1, (size_t)UINT32_MAX))
			return false;
		m->n[at]++;
	}
	return !ks_buf_failed(&m->key);
}

static bool is_one_of_many(struct models *m, const struct ks_tel_device *d)
{
	const uint32_t at = ks_intern_find(&m->keys, model_key(m, d));

	return at != KS_MAP_NONE && m->n[at] > 1;
}

static ks_str device_name(struct ks_emit *e, const struct ks_tel_device *d)
{
	const ks_str id = d->gpu.n > 0 ? d->gpu : d->uuid;

	return ks_arena_fmt(e->a->arena, "%.*s%s%.*s%s%.*s", (int)id.n, id.p,
			    d->instance.n > 0 ? " instance " : "", (int)d->instance.n,
			    d->instance.p, d->set.n > 0 ? " " : "", (int)d->set.n, d->set.p);
}

static struct ks_tel_join apart(struct ks_emit *e, enum ks_text why, ks_str device, ks_str what)
{
	return (struct ks_tel_join){
		.gpu = SIZE_MAX,
		.how = ks_store_msg(e->ev, why, device.p, what.n > 0 ? what.p : "", NULL),
	};
}

static struct ks_tel_join joined(struct ks_emit *e, enum ks_text how, ks_str device, size_t gpu,
				 ks_str model)
{
	char label[KS_NUM_LEN];

	ks_num_i64(label, e->r->gpu[gpu].label);
	return (struct ks_tel_join){
		.gpu = gpu,
		.how = ks_store_msg(e->ev, how, device.p, label, model.n > 0 ? model.p : "", NULL),
	};
}

/* By UUID where both sides have one, else by a model that is there once on both. */
static struct ks_tel_join join(struct ks_emit *e, struct models *m, const struct ks_tel_device *d)
{
	const ks_str device = device_name(e, d);
	size_t at = SIZE_MAX;

	if (d->instance.n > 0)
		return apart(e, KS_TEXT_TEL_APART_PART, device, KS_STR_NONE);
	if (d->uuid.n > 0 && trace_has_uuids(e->r) && e->r->redacted != KS_REDACT_NO)
		return apart(e, KS_TEXT_TEL_APART_HIDDEN, device, KS_STR_NONE);
	if (d->uuid.n > 0 && trace_has_uuids(e->r)) {
		const size_t n = count_gpus(e->r, d, true, &at);

		if (n == 1)
			return joined(e, KS_TEXT_TEL_BY_UUID, device, at, KS_STR_NONE);
		return apart(e, n == 0 ? KS_TEXT_TEL_APART_UUID : KS_TEXT_TEL_APART_MANY, device,
			     d->uuid);
	}
	const size_t n = count_gpus(e->r, d, false, &at);

	if (n == 0)
		return apart(e, KS_TEXT_TEL_APART_NONE, device,
			     d->model.n > 0 ? d->model : KS_LIT("?"));
	if (n > 1 || is_one_of_many(m, d))
		return apart(e, KS_TEXT_TEL_APART_MANY, device, d->model);
	return joined(e, KS_TEXT_TEL_BY_MODEL, device, at, d->model);
}

static void join_devices(struct readings *s)
{
	struct ks_tel_join *j = KS_ARENA_NEWS(s->e->a->arena, struct ks_tel_join, s->t->n_devices);
	struct models m = { .n = NULL };

	ks_intern_init(&m.keys, UINT32_MAX - 1);
	ks_buf_init(&m.key, KEY_BYTES);
	if (j != NULL && count_models(&m, s->t)) {
		for (size_t i = 0; i < s->t->n_devices; i++)
			j[i] = join(s->e, &m, &s->t->device[i]);
		s->e->r->telemetry_join = j;
	} else {
		s->e->a->no_memory = true;
	}
	ks_buf_release(&m.key);
	ks_intern_release(&m.keys);
	ks_mem_free(m.n);
}

/* --- rows ----------------------------------------------------------------------------------------
 */

static struct ks_ev_spec spec_of(const struct readings *s, enum ks_metric metric, ks_str name)
{
	return (struct ks_ev_spec){
		.metric = metric,
		.name = name,
		.subject = s->e->subject,
		.source = s->source,
		.origin = { s->t->where, name, 1 },
	};
}

static struct ks_msg mask_note(struct readings *s, double mask)
{
	struct ks_buf names;

	ks_buf_init(&names, 4096);
	ks_throttle_names(&names, (int64_t)mask);
	const struct ks_msg note = names.n > 0 ? ks_store_msg(s->e->ev, KS_TEXT_TEL_NOTE_MASK,
							      ks_buf_text(&names), NULL)
					       : (struct ks_msg){ 0 };

	s->e->a->no_memory = s->e->a->no_memory || ks_buf_failed(&names);
	ks_buf_release(&names);
	return note;
}

/* Whole numbers stay whole: a byte count, a generation, a mask. */
static struct ks_value value_of(double v)
{
	const double most = 9007199254740992.0;

	if (v >= -most && v <= most && !(v - (double)(int64_t)v > 0.0) &&
	    !(v - (double)(int64_t)v < 0.0))
		return KS_VAL_INT((int64_t)v);
	return KS_VAL_REAL(v);
}

static void refuse_reading(struct readings *s, const struct ks_ev_spec *spec,
			   const struct ks_tel_reading *r)
{
	const char *why = ks_tel_why_word(r->why);
	const struct ks_kv seen[] = {
		{ KS_LIT("reads"), KS_VAL_TEXT(r->text) },
		{ KS_LIT("reason"), KS_VAL_TEXT(ks_str_c(why)) },
	};
	struct ks_refuse_spec refusal = {
		.code = KS_REFUSAL_ENV_READING_UNKNOWN,
		.message = ks_store_msg(s->e->ev, KS_TEXT_TEL_NO_VALUE, r->key.p, why, NULL),
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen),
		.action = { .id = r->why == KS_TEL_COUNTER ? KS_TEXT_TEL_DO_COUNTER
							   : KS_TEXT_TEL_DO_EXPORT },
	};

	ks_emit_row(s->e, ks_ev_refuse(s->e->ev, spec, &refusal));
}

static void emit_reading(struct readings *s, const struct ks_tel_reading *r)
{
	struct ks_ev_spec spec = spec_of(s, r->metric, r->name);
	char line[KS_NUM_LEN];

	ks_num_u64(line, r->line);
	spec.source =
		ks_store_msg(s->e->ev, KS_TEXT_TEL_SOURCE, s->t->where.p, line, r->key.p, NULL);
	spec.origin.columns = r->key;
	if (r->why != KS_TEL_FINE) {
		refuse_reading(s, &spec, r);
		return;
	}
	if (r->is_mask)
		spec.note = mask_note(s, r->value);
	ks_emit_row(s->e, ks_ev_measured(s->e->ev, &spec, value_of(r->value)));
}

static const struct ks_tel_field *field_named(ks_str name)
{
	for (size_t i = 0; i < ks_tel_field_count(); i++)
		if (ks_str_eqc(name, ks_tel_field_at(i)->field))
			return ks_tel_field_at(i);
	return NULL;
}

static bool has_row(const struct readings *s, enum ks_metric metric)
{
	for (size_t i = 0; i < s->t->n_readings; i++)
		if (s->t->reading[i].base == metric)
			return true;
	return false;
}

/* Fields that were looked for: absent is not denied, and neither is it 0. */
static void emit_missing(struct readings *s, const struct ks_tel_item *m)
{
	const struct ks_tel_field *f = field_named(m->name);
	const bool absent = m->why == KS_TEL_ABSENT;
	const char *why = ks_tel_why_word(m->why);
	const struct ks_kv seen[] = {
		{ KS_LIT("field"), KS_VAL_TEXT(m->name) },
		{ KS_LIT("reason"), KS_VAL_TEXT(ks_str_c(why)) },
	};

	if (f == NULL || has_row(s, f->metric))
		return;
	const struct ks_ev_spec spec =
		spec_of(s, f->metric, ks_str_c(ks_metric_info(f->metric)->name));
	const bool built = m->why != KS_TEL_NOT_BUILT_IN;
	const struct ks_refuse_spec refusal = {
		.code = !built	 ? KS_REFUSAL_NOT_BUILT_IN
			: absent ? KS_REFUSAL_METRIC_ABSENT
				 : KS_REFUSAL_ENV_READING_UNKNOWN,
		.message =
			ks_store_msg(s->e->ev, absent ? KS_TEXT_TEL_ABSENT : KS_TEXT_TEL_NO_VALUE,
				     f->field, why, NULL),
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen),
		.action = { .id = absent  ? KS_TEXT_TEL_DO_EXPORT
				  : built ? KS_TEXT_TEL_DO_READ
					  : KS_TEXT_TEL_DO_LIBRARY },
	};

	ks_emit_row(s->e, ks_ev_refuse(s->e->ev, &spec, &refusal));
}

static void emit_count(struct readings *s)
{
	const struct ks_telemetry *t = s->t;
	struct ks_ev_spec spec =
		spec_of(s, KS_METRIC_MEAS_TELEMETRY_ENDPOINT_READINGS, KS_STR_NONE);
	const char *why = ks_tel_why_word(t->why);
	const struct ks_kv seen[] = {
		{ KS_LIT("reason"), KS_VAL_TEXT(ks_str_c(why)) },
		{ KS_LIT("detail"), KS_VAL_TEXT(t->detail) },
	};
	const bool built = t->why != KS_TEL_NOT_BUILT_IN;
	const struct ks_refuse_spec refusal = {
		.code = built ? KS_REFUSAL_ENV_READING_UNKNOWN : KS_REFUSAL_NOT_BUILT_IN,
		.message = built ? ks_store_msg(s->e->ev, KS_TEXT_TEL_UNREAD, why, NULL)
				 : (struct ks_msg){ .id = KS_TEXT_TEL_NO_LIBRARY },
		.observed = seen,
		.n_observed = t->detail.n > 0 ? 2 : 1,
		.action = { .id = built ? KS_TEXT_TEL_DO_READ : KS_TEXT_TEL_DO_LIBRARY },
	};

	spec.origin.columns = KS_LIT("");
	spec.origin.rows = t->series;
	ks_emit_row(s->e, t->probe == KS_TEL_READ ? ks_ev_measured(s->e->ev, &spec,
								   KS_VAL_INT((int64_t)t->n_values))
						  : ks_ev_refuse(s->e->ev, &spec, &refusal));
}

void ks_emit_telemetry(struct ks_emit *e)
{
	struct readings s = { .e = e, .t = e->a->sel->telemetry };

	if (s.t == NULL)
		return;
	e->r->telemetry = s.t;
	s.source = ks_store_msg(e->ev, KS_TEXT_TEL_SRC_READ, s.t->where.p, NULL);
	join_devices(&s);
	emit_count(&s);
	for (size_t i = 0; i < s.t->n_readings; i++)
		emit_reading(&s, &s.t->reading[i]);
	for (size_t i = 0; i < s.t->missing.n; i++)
		emit_missing(&s, &s.t->missing.item[i]);
	ks_emit_section(e, KS_SECTION_TELEMETRY, (struct ks_msg){ 0 });
}
