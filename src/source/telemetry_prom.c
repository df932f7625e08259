/* SPDX-License-Identifier: Apache-2.0
 *
 * One scrape: series that have a row in the table become readings, all others are counted by name.
 * A rate that the exporter declares a counter is none: it would take two scrapes.
 */
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "source/prom_text.h"
#include "source/telemetry_internal.h"

#define KEY_BYTES ((size_t)1 << 24) /* above the limit of the whole text */
#define FIRST	  UINT32_MAX	    /* a series without a sample */

/* Its labels say which model a UUID is; its value says nothing. */
#define INFO_SERIES "nvidia_smi_gpu_info"

struct scrape {
	struct ks_tel_work *w;
	struct ks_intern keys; /* series that were seen */
	uint32_t *sample;      /* of each: number of its sample */
	bool *again;	       /* of each: listed as a duplicate */
	size_t sample_cap, again_cap;
	struct ks_intern counters; /* names that are declared one */
	struct ks_intern devices;  /* by what tells them apart; numbered as in the work */
	struct ks_buf key;
	struct ks_prom_series series;
};

static const struct ks_tel_field *field_of(ks_str name)
{
	const struct ks_tel_field *f = ks_tel_field_find(KS_TEL_DCGM, name);

	return f != NULL ? f : ks_tel_field_find(KS_TEL_EXPORTER, name);
}

/* What is blank there identifies nothing. */
static ks_str first_label(const struct scrape *p, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const ks_str s = ks_prom_label_text(p->w->a, &p->series, names[i]);

		if (!ks_tel_is_blank(s))
			return s;
	}
	return KS_STR_NONE;
}

/* A device is told apart by what says which it is; a GPU number is one of its host. */
static size_t device_of(struct scrape *p)
{
	static const char *const uuid[] = { "UUID", "uuid" };
	static const char *const model[] = { "modelName", "name" };
	static const char *const gpu[] = { "gpu", "GPU", "index" };
	static const char *const host[] = { "Hostname", "hostname", "instance" };
	const struct ks_tel_device d = {
		.gpu = first_label(p, gpu, KS_ARRAY_LEN(gpu)),
		.uuid = first_label(p, uuid, KS_ARRAY_LEN(uuid)),
		.model = first_label(p, model, KS_ARRAY_LEN(model)),
		.instance = ks_prom_label_text(p->w->a, &p->series, "GPU_I_ID"),
	};
	const ks_str by = d.uuid.n > 0 ? d.uuid : d.gpu;
	const ks_str on = first_label(p, host, KS_ARRAY_LEN(host));
	const ks_str is = ks_arena_fmt(p->w->a, "%.*s\n%.*s\n%.*s", (int)by.n, by.p, (int)on.n,
				       on.p, (int)d.instance.n, d.instance.p);
	bool fresh = false;
	const uint32_t at = ks_intern_add(&p->devices, is, &fresh);

	if (at == KS_MAP_NONE || (fresh && ks_tel_add_device(p->w, &d) != at)) {
		p->w->failed = true;
		return SIZE_MAX;
	}
	struct ks_tel_device *known = &p->w->device[at];

	known->model = known->model.n > 0 ? known->model : d.model;
	known->gpu = known->gpu.n > 0 ? known->gpu : d.gpu;
	return at;
}

/* The series again: its new value takes the place of the old one. */
static bool came_again(struct scrape *p, uint32_t at, const struct ks_tel_sample *fresh)
{
	if (p->sample[at] == FIRST)
		return false;
	p->w->sample[p->sample[at]].r.value = fresh->r.value;
	p->w->sample[p->sample[at]].r.why = fresh->r.why;
	p->w->sample[p->sample[at]].r.text = fresh->r.text;
	p->w->sample[p->sample[at]].r.line = fresh->r.line;
	return true;
}

static void publish(struct scrape *p, const struct ks_tel_field *f, enum ks_tel_why why,
		    uint32_t at, uint64_t line)
{
	struct ks_tel_work *w = p->w;
	struct ks_tel_sample *s = ks_tel_add(w, f, device_of(p), p->series.value, KS_STR_NONE);

	if (s == NULL)
		return;
	if (why != KS_TEL_FINE)
		s->r.why = why;
	else if (f->quantity == KS_QUANTITY_BYTES_PER_SECOND &&
		 ks_intern_find(&p->counters, p->series.name) != KS_MAP_NONE)
		s->r.why = KS_TEL_COUNTER;
	if (s->r.why != KS_TEL_FINE) {
		s->r.value = 0.0;
		s->r.text = ks_arena_dup(w->a, p->series.value);
	}
	s->r.line = line;
	s->r.key = ks_arena_dup(w->a, ks_buf_view(&p->key));
	if (came_again(p, at, s))
		w->n_samples--;
	else
		p->sample[at] = (uint32_t)(w->n_samples - 1);
}

/* Number of the series; listed when it was there before. */
static uint32_t number_of(struct scrape *p, uint64_t line)
{
	bool fresh = false;
	const uint32_t at = ks_intern_add(&p->keys, ks_buf_view(&p->key), &fresh);

	if (at == KS_MAP_NONE ||
	    !KS_GROW(p->sample, p->sample_cap, (size_t)at + 1, (size_t)UINT32_MAX) ||
	    !KS_GROW(p->again, p->again_cap, (size_t)at + 1, (size_t)UINT32_MAX)) {
		p->w->failed = true;
		return KS_MAP_NONE;
	}
	if (fresh) {
		p->sample[at] = FIRST;
	} else if (!p->again[at]) {
		p->again[at] = true;
		ks_tel_item_add(p->w, &p->w->duplicates, ks_buf_view(&p->key), KS_TEL_FINE, line);
	}
	return at;
}

static bool is_faulty(enum ks_tel_why why)
{
	return why == KS_TEL_BAD_LINE || why == KS_TEL_EXTRA_TOKENS ||
	       why == KS_TEL_BAD_TIMESTAMP || why == KS_TEL_BAD_VALUE;
}

static void read_series(struct scrape *p, ks_str line, uint64_t number)
{
	struct ks_tel_work *w = p->w;
	const enum ks_tel_why why = ks_prom_line(line, &p->series);
	uint32_t at = KS_MAP_NONE;

	if (is_faulty(why))
		ks_tel_item_add(w, &w->bad, line, why, number);
	if (why == KS_TEL_BAD_LINE)
		return;
	const struct ks_tel_field *f = field_of(p->series.name);

	ks_buf_reset(&p->key);
	ks_prom_key(&p->key, &p->series);
	if (why == KS_TEL_FINE)
		w->series++;
	else
		ks_tel_item_add(w, &w->skipped, ks_buf_view(&p->key), why, number);
	if (why != KS_TEL_EXTRA_TOKENS && why != KS_TEL_BAD_TIMESTAMP)
		at = number_of(p, number);
	if (f != NULL && at != KS_MAP_NONE && !ks_tel_is_full(w, line, number))
		publish(p, f, why, at, number);
	if (f != NULL || why != KS_TEL_FINE)
		return;
	ks_tel_unknown(w, p->series.name);
	if (ks_str_eqc(p->series.name, INFO_SERIES))
		(void)device_of(p);
}

static void read_line(struct scrape *p, ks_str line, uint64_t number, bool ended)
{
	ks_str name, type;
	const ks_str text = ks_str_trim(line);

	if (text.n == 0)
		return;
	if (text.p[0] == '#') {
		if (ks_prom_type(text, &name, &type) && ks_str_eqc(type, "counter") &&
		    ks_intern_add(&p->counters, name, NULL) == KS_MAP_NONE)
			p->w->failed = true;
		return;
	}
	if (!ended) /* the format asks for the end, and without it a number may be half of one */
		ks_tel_item_add(p->w, &p->w->bad, line, KS_TEL_UNENDED, number);
	else
		read_series(p, line, number);
}

void ks_tel_read_prometheus(struct ks_tel_work *w, struct ks_tel_text t)
{
	struct scrape p = { .w = w };
	ks_str line;
	bool ended;

	ks_intern_init(&p.keys, UINT32_MAX - 1);
	ks_intern_init(&p.counters, UINT32_MAX - 1);
	ks_intern_init(&p.devices, UINT32_MAX - 1);
	ks_buf_init(&p.key, KEY_BYTES);
	while (!w->failed && ks_tel_line(&t, &line, &ended))
		read_line(&p, line, t.line, ended);
	w->failed = w->failed || ks_buf_failed(&p.key);
	ks_buf_release(&p.key);
	ks_intern_release(&p.keys);
	ks_intern_release(&p.counters);
	ks_intern_release(&p.devices);
	ks_mem_free(p.sample);
	ks_mem_free(p.again);
}
