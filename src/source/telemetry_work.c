/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields of telemetry become readings: blank or a number, its unit, and one conversion into the
 * unit of the metric. Nothing crosses from one dimension to another but percent to ratio.
 */
#include <math.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "evidence/throttle.h"
#include "evidence/unit.h"
#include "source/telemetry_internal.h"

#define MANY ((size_t)UINT32_MAX) /* the limit of bytes keeps all of these far below */

void ks_tel_work_init(struct ks_tel_work *w, struct ks_arena *a)
{
	*w = (struct ks_tel_work){ .a = a };
	ks_intern_init(&w->unknown, MANY);
}

void ks_tel_work_release(struct ks_tel_work *w)
{
	ks_intern_release(&w->unknown);
	ks_mem_free(w->unknown_n);
	ks_mem_free(w->sample);
	ks_mem_free(w->device);
	ks_mem_free(w->missing.item);
	ks_mem_free(w->skipped.item);
	ks_mem_free(w->duplicates.item);
	ks_mem_free(w->bad.item);
	ks_mem_free(w->unused.item);
	*w = (struct ks_tel_work){ .failed = true };
}

size_t ks_tel_add_device(struct ks_tel_work *w, const struct ks_tel_device *d)
{
	if (!KS_GROW(w->device, w->device_cap, w->n_devices + 1, MANY)) {
		w->failed = true;
		return SIZE_MAX;
	}
	w->device[w->n_devices] = *d;
	return w->n_devices++;
}

void ks_tel_item_add(struct ks_tel_work *w, struct ks_tel_items *list, ks_str name,
		     enum ks_tel_why why, uint64_t n)
{
	list->all++;
	if (list->n >= (size_t)ks_limit(KS_LIMIT_TELEMETRY_LISTED))
		return;
	if (!KS_GROW(list->item, list->cap, list->n + 1, MANY)) {
		w->failed = true;
		return;
	}
	list->item[list->n++] =
		(struct ks_tel_item){ .name = ks_arena_dup(w->a, name), .why = why, .n = n };
}

bool ks_tel_is_full(struct ks_tel_work *w, ks_str line, uint64_t number)
{
	if (w->n_samples < (size_t)ks_limit(KS_LIMIT_TELEMETRY_READINGS))
		return false;
	ks_tel_item_add(w, &w->bad, line, KS_TEL_TOO_MANY, number);
	return true;
}

void ks_tel_unknown(struct ks_tel_work *w, ks_str field)
{
	const uint32_t at = ks_intern_add(&w->unknown, ks_tel_short(field), NULL);

	if (at == KS_MAP_NONE || !KS_GROW(w->unknown_n, w->unknown_cap, (size_t)at + 1, MANY)) {
		w->failed = true;
		return;
	}
	w->unknown_n[at]++;
}

/* --- text to value ------------------------------------------------------------------------------
 */

/* A UUID of zeroes is what a mask leaves. */
static bool is_zero_uuid(ks_str s)
{
	size_t zeroes = 0;

	if (ks_str_starts(s, "GPU-") || ks_str_starts(s, "MIG-"))
		s = (ks_str){ s.p + 4, s.n - 4 };
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '0' && s.p[i] != '-')
			return false;
		zeroes += s.p[i] == '0';
	}
	return zeroes == 32;
}

bool ks_tel_is_blank(ks_str s)
{
	static const char *const words[] = {
		"",
		"N/A",
		"n/a",
		"None",
		"Not Supported",
		"Unknown Error",
		"Requested functionality has been deprecated",
		"Insufficient Permissions",
	};

	s = ks_str_trim(s);
	if (s.n >= 2 && s.p[0] == '[' && s.p[s.n - 1] == ']')
		return true;
	for (size_t i = 0; i < KS_ARRAY_LEN(words); i++)
		if (ks_str_eqc(s, words[i]))
			return true;
	return is_zero_uuid(s);
}

/* "71.27 W", "100.00%", "16x": the number, and what stands behind it. */
static ks_str split_unit(ks_str s, ks_str *unit)
{
	size_t i = 0;

	while (i < s.n && (strchr("+-.0123456789", s.p[i]) != NULL && s.p[i] != '\0'))
		i++;
	if (i + 1 < s.n && (s.p[i] == 'e' || s.p[i] == 'E') && strchr("+-0123456789", s.p[i + 1]))
		for (i += 2; i < s.n && s.p[i] >= '0' && s.p[i] <= '9';)
			i++;
	*unit = ks_str_trim((ks_str){ s.p + i, s.n - i });
	return (ks_str){ s.p, i };
}

/* The unit that a source writes; lanes of a link are counted. */
static bool find_unit(ks_str word, enum ks_unit *unit)
{
	if (ks_str_eqc(word, "x")) {
		*unit = KS_UNIT_COUNT;
		return true;
	}
	return ks_unit_find(word, unit) && *unit != KS_UNIT_NONE;
}

/* Into the metric's unit. Across dimensions there is one way, and it is written here. */
static bool convert(enum ks_unit from, enum ks_unit to, double *v)
{
	if (from == KS_UNIT_PCT && to == KS_UNIT_RATIO) {
		*v /= 100.0;
		return true;
	}
	return ks_unit_convert(from, to, v);
}

static enum ks_tel_why read_mask(ks_str text, struct ks_tel_reading *r)
{
	const int64_t mask = ks_throttle_read(text);
	double real = 0.0;

	r->is_mask = true;
	if (mask >= 0 && mask <= INT64_C(1) << 53) {
		r->value = (double)mask;
		return KS_TEL_FINE;
	}
	/* an exporter writes numbers as it likes: 5.12e+02 */
	if (!ks_num_parse_double(text, &real) || real < 0.0 || real > 9007199254740992.0 ||
	    fabs(real - floor(real)) > 0.0)
		return KS_TEL_BAD_VALUE;
	r->value = real;
	return KS_TEL_FINE;
}

static enum ks_tel_why read_value(const struct ks_tel_field *f, ks_str text, ks_str beside,
				  struct ks_tel_reading *r)
{
	enum ks_unit unit = f->unit;
	ks_str own;

	if (f->quantity == KS_QUANTITY_MASK)
		return read_mask(text, r);
	const ks_str number = split_unit(text, &own);

	if (!ks_num_parse_double(number, &r->value))
		return KS_TEL_BAD_VALUE;
	if (own.n == 0)
		own = beside;
	if (own.n > 0 && !find_unit(own, &unit))
		return KS_TEL_BAD_VALUE;
	if (unit == KS_UNIT_NONE)
		return KS_TEL_NO_UNIT;
	return convert(unit, ks_metric_info(f->metric)->unit, &r->value) && isfinite(r->value)
		       ? KS_TEL_FINE
		       : KS_TEL_BAD_VALUE;
}

/* What DCGM writes for "no value" where a number has to stand: the blank values of its 32-bit,
 * 64-bit and floating-point fields, each with up to 15 reasons behind it (dcgm_structs.h). An
 * energy counter has 64 bits and may pass through the smaller ones. */
static bool is_dcgm_blank(const struct ks_tel_field *f, double v)
{
	static const double int32_blank = 2147483632.0, fp64_blank = 140737488355328.0;
	static const double int64_blank = 9223372036854775792.0;

	if (f->source != KS_TEL_DCGM)
		return false;
	if (v >= int64_blank)
		return true;
	return f->quantity != KS_QUANTITY_ENERGY && ((v >= int32_blank && v < int32_blank + 16.0) ||
						     (v >= fp64_blank && v < fp64_blank + 16.0));
}

struct ks_tel_sample *ks_tel_add(struct ks_tel_work *w, const struct ks_tel_field *f, size_t device,
				 ks_str value, ks_str unit)
{
	if (device == SIZE_MAX || !KS_GROW(w->sample, w->sample_cap, w->n_samples + 1, MANY)) {
		w->failed = true;
		return NULL;
	}
	struct ks_tel_sample *s = &w->sample[w->n_samples++];

	*s = (struct ks_tel_sample){
		.field = f, .r = { .base = f->metric, .metric = f->metric, .device = device }
	};
	value = ks_str_trim(value);
	s->r.why = ks_tel_is_blank(value) ? KS_TEL_BLANK : read_value(f, value, unit, &s->r);
	if (s->r.why == KS_TEL_FINE && is_dcgm_blank(f, s->r.value))
		s->r.why = KS_TEL_BLANK;
	if (s->r.why != KS_TEL_FINE) {
		s->r.value = 0.0;
		s->r.text = ks_arena_dup(w->a, value);
	}
	return s;
}

/* --- fields of nvidia-smi -----------------------------------------------------------------------
 */

static void identify(struct ks_tel_work *w, struct ks_tel_device *d, enum ks_identity what,
		     ks_str value)
{
	ks_str *const slot[] = {
		[KS_IDENTITY_MODEL] = &d->model,       [KS_IDENTITY_UUID] = &d->uuid,
		[KS_IDENTITY_NUMBER] = &d->gpu,	       [KS_IDENTITY_BUS] = &d->gpu,
		[KS_IDENTITY_INSTANCE] = &d->instance,
	};

	if (ks_tel_is_blank(value) || (what == KS_IDENTITY_BUS && d->gpu.n > 0))
		return;
	*slot[what] = ks_arena_dup(w->a, ks_str_trim(value));
}

void ks_tel_field_seen(struct ks_tel_work *w, const struct ks_tel_at *at, ks_str value, ks_str unit)
{
	const struct ks_tel_field *f = ks_tel_field_find(at->source, at->field);
	const enum ks_identity what = ks_tel_identity(at->source, at->field);

	w->series++;
	if (what != KS_IDENTITY_NONE && at->device < w->n_devices) {
		identify(w, &w->device[at->device], what, value);
		return;
	}
	if (f == NULL || at->device >= w->n_devices) {
		ks_tel_unknown(w, at->field);
		return;
	}
	struct ks_tel_sample *s = ks_tel_is_full(w, at->key, at->line)
					  ? NULL
					  : ks_tel_add(w, f, at->device, value, unit);

	if (s == NULL)
		return;
	s->r.key = ks_arena_dup(w->a, at->key);
	s->r.line = at->line;
}

void ks_tel_same_board(struct ks_tel_work *w, size_t board)
{
	for (size_t i = board; i < w->n_devices; i++) { /* SIZE_MAX: there is none */
		struct ks_tel_device *d = &w->device[i];

		d->uuid = d->uuid.n > 0 ? d->uuid : w->device[board].uuid;
		d->model = d->model.n > 0 ? d->model : w->device[board].model;
	}
}

void ks_tel_mask_bit(struct ks_tel_mask *m, uint64_t bit, ks_str word, uint64_t line)
{
	word = ks_str_trim(word);
	m->seen |= bit;
	m->line = m->line == 0 ? line : m->line;
	if (ks_str_eqc(word, "Active"))
		m->set |= bit;
	else if (!ks_str_eqc(word, "Not Active"))
		m->blank |= bit;
}

void ks_tel_mask_end(struct ks_tel_work *w, struct ks_tel_mask *m, const struct ks_tel_at *at)
{
	uint64_t every = 0;
	char text[24];

	for (size_t i = 0; i < ks_throttle_count(); i++)
		every |= ks_throttle_at(i)->bit;
	if (m->seen != 0) {
		struct ks_tel_at here = *at;

		here.line = m->line;
		w->series--; /* its bits were counted */
		(void)snprintf(text, sizeof(text), "0x%llx", (unsigned long long)m->set);
		ks_tel_field_seen(w, &here,
				  m->seen == every && m->blank == 0 ? ks_str_c(text)
								    : KS_LIT("N/A"),
				  KS_STR_NONE);
	}
	*m = (struct ks_tel_mask){ 0 };
}

/* --- lines
 * ---------------------------------------------------------------------------------------- */

bool ks_tel_line(struct ks_tel_text *t, ks_str *line, bool *ended)
{
	if (t->text.n == 0)
		return false;
	const char *end = memchr(t->text.p, '\n', t->text.n);
	const size_t n = end != NULL ? (size_t)(end - t->text.p) : t->text.n;

	*ended = end != NULL;
	*line = (ks_str){ t->text.p, n };
	t->text.p += n + *ended;
	t->text.n -= n + *ended;
	t->line++;
	if (line->n > 0 && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}
