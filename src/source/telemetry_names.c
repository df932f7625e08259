/* SPDX-License-Identifier: Apache-2.0
 *
 * The final names: that of the metric where one series has it, else with the device behind it. Two
 * series never share a name: who would gets the hash of its key instead.
 */
#include <nettle/sha2.h>

#include "base/mem.h"
#include "base/str.h"
#include "source/telemetry_internal.h"

#define ID_LONGEST 64 /* of a label that becomes part of a name */
#define UUID_SHOWN 8
#define HASH_BYTES 4

/* --- which of the samples stand ------------------------------------------------------------------
 */

static size_t rank_of(const struct ks_tel_field *f)
{
	return (size_t)(f - ks_tel_field_at(0));
}

static int by_metric(const void *x, const void *y)
{
	const struct ks_tel_sample *a = x, *b = y;

	if (a->r.metric != b->r.metric)
		return a->r.metric < b->r.metric ? -1 : 1;
	if (a->r.device != b->r.device)
		return a->r.device < b->r.device ? -1 : 1;
	/* a value before none, the preferred field before others, then as they came */
	if ((a->r.why == KS_TEL_FINE) != (b->r.why == KS_TEL_FINE))
		return a->r.why == KS_TEL_FINE ? -1 : 1;
	if (a->field != b->field)
		return rank_of(a->field) < rank_of(b->field) ? -1 : 1;
	return (a->r.line > b->r.line) - (a->r.line < b->r.line);
}

static void leave_out(struct ks_tel_work *w, struct ks_tel_sample *s, enum ks_tel_why why)
{
	ks_tel_item_add(w, &w->skipped, s->r.key, why, s->r.line);
	s->done = true;
}

/* Several spellings of one metric on one device: the best one stands. */
static void choose_fields(struct ks_tel_work *w)
{
	const struct ks_tel_sample *best = NULL;

	for (size_t i = 0; i < w->n_samples; i++) {
		struct ks_tel_sample *s = &w->sample[i];

		if (best == NULL || best->r.metric != s->r.metric || best->r.device != s->r.device)
			best = s;
		else if (best->field != s->field)
			leave_out(w, s, KS_TEL_OTHER_FIELD);
	}
}

/* --- names ---------------------------------------------------------------------------------------
 */

static bool is_id(ks_str s)
{
	if (s.n == 0 || s.n > ID_LONGEST)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		const char c = s.p[i];

		if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    c != '_' && c != '-')
			return false;
	}
	return true;
}

static bool is_number(ks_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

static ks_str hash_of(struct ks_tel_work *w, ks_str key)
{
	struct sha256_ctx sha;
	uint8_t d[HASH_BYTES];

	sha256_init(&sha);
	sha256_update(&sha, key.n, (const uint8_t *)key.p);
	sha256_digest(&sha, sizeof(d), d);
	return ks_arena_fmt(w->a, "%02x%02x%02x%02x", d[0], d[1], d[2], d[3]);
}

/* dcgm-exporter numbers the devices of a host; nvidia-smi knows them by UUID. "": by hash. */
static ks_str device_id(const struct ks_tel_work *w, const struct ks_tel_sample *s,
			const struct ks_tel_device *d)
{
	ks_str uuid = w->redact == NULL ? d->uuid : KS_STR_NONE;

	if (w->redact != NULL && !is_number(d->gpu))
		return KS_STR_NONE;

	if (s->field->source == KS_TEL_DCGM)
		return is_id(d->gpu) ? d->gpu : KS_STR_NONE;
	if (ks_str_starts(uuid, "GPU-"))
		uuid = (ks_str){ uuid.p + 4, uuid.n - 4 };
	if (uuid.n >= UUID_SHOWN && is_id((ks_str){ uuid.p, UUID_SHOWN }))
		return (ks_str){ uuid.p, UUID_SHOWN };
	return is_id(d->gpu) ? d->gpu : KS_STR_NONE;
}

static ks_str id_of(struct ks_tel_work *w, const struct ks_tel_sample *s, bool hashed)
{
	const struct ks_tel_device *d = &w->device[s->r.device];
	const ks_str set = is_id(d->set) ? d->set : KS_STR_NONE;
	ks_str id = hashed ? KS_STR_NONE : device_id(w, s, d);
	ks_str part = KS_STR_NONE;

	if (id.n == 0)
		id = hash_of(w, s->r.key);
	else if (d->instance.n > 0)
		part = is_id(d->instance) && (w->redact == NULL || is_number(d->instance))
			       ? d->instance
			       : hash_of(w, s->r.key);
	return ks_arena_fmt(w->a, "%.*s%s%.*s%s%.*s", (int)id.n, id.p, part.n > 0 ? "_gi_" : "",
			    (int)part.n, part.p, set.n > 0 ? "_" : "", (int)set.n, set.p);
}

static void set_name(struct ks_tel_work *w, struct ks_tel_sample *s, ks_str id)
{
	const char *own = ks_metric_info(s->field->metric)->name;

	s->id = id;
	s->r.metric = id.n > 0 ? s->field->family : s->field->metric;
	s->r.name =
		id.n > 0 ? ks_arena_fmt(w->a, "%s__gpu_%.*s", own, (int)id.n, id.p) : ks_str_c(own);
}

/* One series of the board and of the whole text: the metric's own name says all. */
static bool stands_alone(const struct ks_tel_work *w, size_t from, size_t to)
{
	const struct ks_tel_device *d = &w->device[w->sample[from].r.device];
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += !w->sample[i].done;
	return n == 1 && d->instance.n == 0 && d->set.n == 0;
}

static size_t end_of_metric(const struct ks_tel_work *w, size_t from)
{
	size_t to = from;

	while (to < w->n_samples && w->sample[to].field->metric == w->sample[from].field->metric)
		to++;
	return to;
}

static void name_by_device(struct ks_tel_work *w)
{
	for (size_t i = 0, end; i < w->n_samples; i = end) {
		end = end_of_metric(w, i);
		const bool alone = stands_alone(w, i, end);

		for (size_t k = i; k < end; k++)
			if (!w->sample[k].done)
				set_name(w, &w->sample[k],
					 alone ? KS_STR_NONE : id_of(w, &w->sample[k], false));
	}
}

/* Numbers the names of all samples that stand; *count: how many have each. */
static bool number_names(struct ks_tel_work *w, struct ks_intern *names, uint32_t *count)
{
	for (size_t i = 0; i < w->n_samples; i++) {
		if (w->sample[i].done)
			continue;
		const uint32_t at = ks_intern_add(names, w->sample[i].r.name, NULL);

		if (at == KS_MAP_NONE)
			return false;
		count[at]++;
	}
	return true;
}

static void hash_shared(struct ks_tel_work *w, const struct ks_intern *names, const uint32_t *count)
{
	for (size_t i = 0; i < w->n_samples; i++) {
		struct ks_tel_sample *s = &w->sample[i];

		if (!s->done && count[ks_intern_find(names, s->r.name)] > 1)
			set_name(w, s, id_of(w, s, true));
	}
}

/* The last word: the first of a name stays, whatever made two of them alike. */
static void drop_shared(struct ks_tel_work *w)
{
	struct ks_intern names;

	ks_intern_init(&names, UINT32_MAX - 1);
	for (size_t i = 0; i < w->n_samples; i++) {
		bool fresh = true;

		if (w->sample[i].done)
			continue;
		if (ks_intern_add(&names, w->sample[i].r.name, &fresh) == KS_MAP_NONE)
			w->failed = true;
		if (!fresh)
			leave_out(w, &w->sample[i], KS_TEL_SAME_NAME);
	}
	ks_intern_release(&names);
}

void ks_tel_name_all(struct ks_tel_work *w)
{
	struct ks_intern names;
	uint32_t *count;

	if (w->failed || w->n_samples == 0)
		return;
	qsort(w->sample, w->n_samples, sizeof(*w->sample), by_metric);
	choose_fields(w);
	name_by_device(w);
	count = ks_mem_alloc(w->n_samples * sizeof(*count));
	ks_intern_init(&names, UINT32_MAX - 1);
	if (count != NULL && number_names(w, &names, count))
		hash_shared(w, &names, count);
	else
		w->failed = true;
	ks_intern_release(&names);
	ks_mem_free(count);
	drop_shared(w);
}
