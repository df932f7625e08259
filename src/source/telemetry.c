/* SPDX-License-Identifier: Apache-2.0
 *
 * From a place to readings: the text is fetched, recognised by its first bytes, read by the reader
 * of its format, and what came of it is put together. What could not be read is a state, no error.
 */
#include "source/telemetry.h"

#include "base/mem.h"
#include "base/str.h"
#include "source/http.h"
#include "source/telemetry_internal.h"

#define SNIFF_BYTES	512
#define RULE_LONGER	20 /* signs of # that begin a section of a capture */
#define OUTCOME_BYTES	256
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "telemetry", NULL);
}

/* --- what a text is
 * ------------------------------------------------------------------------------- */

static bool is_xml(ks_str t)
{
	const ks_str head = { t.p, t.n < SNIFF_BYTES ? t.n : SNIFF_BYTES };

	return ks_str_starts(t, "<") && ks_str_has(head, KS_LIT("nvidia_smi_log"));
}

static bool is_capture(ks_str t)
{
	size_t n = 0;

	while (n < t.n && t.p[n] == '#')
		n++;
	return n >= RULE_LONGER;
}

static bool is_listing(ks_str t)
{
	const ks_str head = { t.p, t.n < SNIFF_BYTES ? t.n : SNIFF_BYTES };

	return ks_str_has(head, KS_LIT("=NVSMI LOG="));
}

static bool is_anything(ks_str t)
{
	(void)t;
	return true;
}

static const struct format {
	const char *name;
	bool (*is)(ks_str text);
	void (*read)(struct ks_tel_work *w, struct ks_tel_text t);
} formats[] = {
	{ "nvidia-smi xml", is_xml, ks_tel_read_xml },
	{ "nvidia-smi capture", is_capture, ks_tel_read_capture },
	{ "nvidia-smi listing", is_listing, ks_tel_read_listing },
	{ "nvidia-smi csv", ks_tel_is_query, ks_tel_read_query },
	{ "prometheus", is_anything, ks_tel_read_prometheus },
};
#define PROMETHEUS (&formats[KS_ARRAY_LEN(formats) - 1])

static const struct format *format_of(ks_str text)
{
	size_t i = 0;

	text = ks_str_trim(text);
	while (!formats[i].is(text))
		i++;
	return &formats[i];
}

/* --- fields that were looked for
 * ------------------------------------------------------------------ */

/* Why a metric has no value, of all the samples it has: FINE when one of them is one. */
static enum ks_tel_why why_of(const struct ks_tel_work *w, enum ks_metric metric)
{
	enum ks_tel_why why = KS_TEL_ABSENT;

	for (size_t i = 0; i < w->n_samples; i++) {
		if (w->sample[i].field->metric != metric || w->sample[i].done)
			continue;
		if (w->sample[i].r.why == KS_TEL_FINE)
			return KS_TEL_FINE;
		why = w->sample[i].r.why;
	}
	return why;
}

static bool is_listed(const struct ks_tel_work *w, const char *field)
{
	for (size_t i = 0; i < w->missing.n; i++)
		if (ks_str_eqc(w->missing.item[i].name, field))
			return true;
	return false;
}

static void look_for(struct ks_tel_work *w, const struct ks_tel_field *f, enum ks_tel_why none)
{
	enum ks_tel_why why = why_of(w, f->metric);

	if (why == KS_TEL_FINE || is_listed(w, f->field))
		return;
	if (why == KS_TEL_ABSENT && none != KS_TEL_FINE)
		why = none;
	ks_tel_item_add(w, &w->missing, ks_str_c(f->field), why, 0);
}

static const struct ks_tel_field *field_of_metric(ks_str name)
{
	for (size_t i = 0; i < ks_tel_field_count(); i++) {
		const struct ks_tel_field *f = ks_tel_field_at(i);

		if (ks_str_eqc(name, ks_metric_info(f->metric)->name) || ks_str_eqc(name, f->field))
			return f;
	}
	return NULL;
}

static void look_for_wanted(struct ks_tel_work *w, const struct ks_tel_ask *ask,
			    enum ks_tel_why none)
{
	for (size_t i = 0; i < ask->n_wanted; i++) {
		const struct ks_tel_field *f = field_of_metric(ask->wanted[i]);

		if (f != NULL)
			look_for(w, f, none);
		else
			ks_tel_item_add(w, &w->missing, ask->wanted[i], KS_TEL_UNKNOWN_FIELD, 0);
	}
}

static bool has_source(const struct ks_tel_work *w, enum ks_tel_source source)
{
	for (size_t i = 0; i < w->n_samples; i++)
		if (w->sample[i].field->source == source)
			return true;
	return false;
}

/* The profiling fields of a scrape always; of nvidia-smi every field, once there is one. */
static void look_for_all(struct ks_tel_work *w, bool scrape, enum ks_tel_why none)
{
	for (size_t i = 0; i < ks_tel_field_count(); i++) {
		const struct ks_tel_field *f = ks_tel_field_at(i);
		const bool always = scrape && f->profiling;

		if (f->alias_of[0] != '\0')
			continue;
		if (always || (f->source != KS_TEL_DCGM && has_source(w, f->source)))
			look_for(w, f, none);
	}
}

/* --- the result
 * ----------------------------------------------------------------------------------- */

static struct ks_tel_list keep(struct ks_tel_work *w, const struct ks_tel_items *from)
{
	struct ks_tel_item *to = KS_ARENA_NEWS(w->a, struct ks_tel_item, from->n);

	if (to == NULL || from->n == 0)
		return (struct ks_tel_list){ .all = from->all };
	memcpy(to, from->item, from->n * sizeof(*to));
	return (struct ks_tel_list){ .item = to, .n = from->n, .all = from->all };
}

/* Every field that has no row in the table; a name stands once. */
static struct ks_tel_list keep_unknown(struct ks_tel_work *w)
{
	struct ks_tel_item *to = KS_ARENA_NEWS(w->a, struct ks_tel_item, w->unknown.count);
	struct ks_tel_list list = { .item = to };

	for (uint32_t i = 0; to != NULL && i < w->unknown.count; i++) {
		to[list.n++] = (struct ks_tel_item){
			.name = ks_redact_text(w->redact,
					       ks_arena_dup(w->a, ks_intern_get(&w->unknown, i))),
			.why = KS_TEL_SEMANTICS_UNKNOWN,
			.n = w->unknown_n[i],
		};
		list.all += w->unknown_n[i];
	}
	return list;
}

static void keep_readings(struct ks_tel_work *w, struct ks_telemetry *t)
{
	struct ks_tel_reading *r = KS_ARENA_NEWS(w->a, struct ks_tel_reading, w->n_samples);
	struct ks_tel_device *d = KS_ARENA_NEWS(w->a, struct ks_tel_device, w->n_devices);

	if (r == NULL || d == NULL)
		return; /* the arena says so */
	for (size_t i = 0; i < w->n_samples; i++) {
		if (w->sample[i].done)
			continue;
		const bool fine = w->sample[i].r.why == KS_TEL_FINE;

		r[t->n_readings++] = w->sample[i].r;
		t->n_values += fine;
		t->profiling = t->profiling || (fine && w->sample[i].field->profiling);
	}
	if (w->n_devices > 0)
		memcpy(d, w->device, w->n_devices * sizeof(*d));
	t->reading = r;
	t->device = d;
	t->n_devices = w->n_devices;
}

static void finish(struct ks_tel_work *w, const struct ks_tel_ask *ask, const struct format *format,
		   struct ks_telemetry *t)
{
	if (t->probe != KS_TEL_FAILED && w->series == 0) {
		t->probe = KS_TEL_FAILED;
		t->why = KS_TEL_NO_SERIES;
	}
	const enum ks_tel_why none = t->probe == KS_TEL_FAILED ? t->why : KS_TEL_FINE;

	ks_tel_name_all(w);
	if (w->redact != NULL)
		ks_tel_hide(w, w->redact);
	look_for_wanted(w, ask, none);
	look_for_all(w, format == NULL || format == PROMETHEUS, none);
	keep_readings(w, t);
	t->series = w->series;
	t->unknown = keep_unknown(w);
	t->missing = keep(w, &w->missing);
	t->skipped = keep(w, &w->skipped);
	t->duplicates = keep(w, &w->duplicates);
	t->bad = keep(w, &w->bad);
	t->unused = keep(w, &w->unused);
}

/* `text` is what there is of it; t->why says whether something is missing behind it. */
static enum ks_status put_together(const struct ks_ctx *ctx, const struct ks_tel_ask *ask,
				   ks_str text, struct ks_telemetry *t, struct ks_err *err)
{
	const struct format *format = NULL;
	struct ks_tel_work w;

	ks_tel_work_init(&w, ctx->run);
	w.redact = ctx->redact;
	if (ks_str_starts(text, BYTE_ORDER_MARK)) /* Windows tools put it in front of any text */
		text = (ks_str){ text.p + 3, text.n - 3 };
	if (t->probe != KS_TEL_FAILED) {
		t->probe = KS_TEL_READ;
		format = format_of(text);
		t->format = ks_str_c(format->name);
		format->read(&w, (struct ks_tel_text){ .text = text });
	}
	if (!w.failed) /* else some of its lists are shorter than their names */
		finish(&w, ask, format, t);
	const bool failed = w.failed || ks_arena_failed(ctx->run);

	ks_tel_work_release(&w);
	return failed ? no_memory(err) : KS_OK;
}

enum ks_status ks_telemetry_parse(const struct ks_ctx *ctx, const struct ks_tel_ask *ask,
				  ks_str text, const struct ks_telemetry **tel, struct ks_err *err)
{
	struct ks_telemetry *t = KS_ARENA_NEW(ctx->run, struct ks_telemetry);

	if (t == NULL)
		return no_memory(err);
	*tel = t;
	t->where = ks_str_c(ask->where);
	return put_together(ctx, ask, text, t, err);
}

/* --- where it comes from
 * -------------------------------------------------------------------------- */

static void fail(const struct ks_ctx *ctx, struct ks_telemetry *t, enum ks_tel_why why,
		 const char *detail)
{
	t->probe = KS_TEL_FAILED;
	t->why = why;
	t->detail = ks_redact_text(ctx->redact, ks_arena_dup(ctx->run, ks_str_c(detail)));
}

/* Compressed bytes are no text of ours, whoever sent them. */
static bool is_gzip(const struct ks_buf *text)
{
	return text->n >= 2 && memcmp(text->p, "\x1f\x8b", 2) == 0;
}

static void read_file(const struct ks_ctx *ctx, const char *path, struct ks_buf *text,
		      struct ks_telemetry *t)
{
	char name[32];
	bool more = false;
	const int err_no = ks_io_read_head(path, text, &more);

	if (err_no != 0)
		fail(ctx, t, KS_TEL_IO_ERROR, ks_err_errno(name, err_no));
	else if (is_gzip(text))
		fail(ctx, t, KS_TEL_IO_ERROR, "gzip");
	else if (more)
		t->why = KS_TEL_CUT;
}

static void read_url(const struct ks_ctx *ctx, const struct ks_tel_ask *ask, struct ks_buf *text,
		     struct ks_telemetry *t)
{
	char detail[OUTCOME_BYTES] = "";
	const struct ks_http_ask http = {
		.url = ask->where,
		.timeout_s = ask->timeout_s,
		.clock = ctx->clock,
		.terse = ctx->redact != NULL,
		.library = ask->library,
	};
	enum ks_tel_why why = ks_http_get(&http, text, detail, sizeof(detail));

	if (why == KS_TEL_FINE && is_gzip(text)) {
		why = KS_TEL_NETWORK_ERROR;
		(void)snprintf(detail, sizeof(detail), "gzip");
	}
	if (why == KS_TEL_CUT)
		t->why = why;
	else if (why != KS_TEL_FINE)
		fail(ctx, t, why, detail);
}

/* A text that was cut ends with its last whole line. */
static ks_str whole_lines(ks_str text)
{
	const char *end = memrchr(text.p, '\n', text.n);

	return (ks_str){ text.p, end != NULL ? (size_t)(end - text.p) + 1 : 0 };
}

bool ks_telemetry_is_url(const char *where)
{
	return ks_http_origin_len(where) > 0;
}

ks_str ks_telemetry_origin(struct ks_arena *a, const char *where)
{
	const ks_str origin = { where, ks_http_origin_len(where) };
	const char *host = strstr(where, "://");
	const char *at = memrchr(where, '@', origin.n);

	if (origin.n == 0 || at == NULL || host == NULL)
		return ks_arena_dup(a, origin);
	return ks_arena_fmt(a, "%.*s://%.*s", (int)(host - where), where,
			    (int)(origin.n - (size_t)(at + 1 - where)), at + 1);
}

/* What a report may show of the place: whole, unless it would show a password. */
static ks_str shown(const struct ks_ctx *ctx, const char *where)
{
	if (ks_http_has_credentials(where))
		return ks_redact_path(ctx->redact, ks_telemetry_origin(ctx->run, where));
	return ks_redact_path(ctx->redact, ks_str_c(where));
}

static bool is_bad_timeout(double s)
{
	return !(s > 0.0) || s * 1e3 > (double)ks_limit(KS_LIMIT_TELEMETRY_WAIT_MS);
}

enum ks_status ks_telemetry_read(const struct ks_ctx *ctx, const struct ks_tel_ask *ask,
				 const struct ks_telemetry **tel, struct ks_err *err)
{
	struct ks_telemetry *t = KS_ARENA_NEW(ctx->run, struct ks_telemetry);
	struct ks_buf text;

	if (t == NULL)
		return no_memory(err);
	*tel = t;
	t->where = shown(ctx, ask->where);
	t->from_url = ks_telemetry_is_url(ask->where);
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_TELEMETRY_BYTES));
	if (is_bad_timeout(ask->timeout_s))
		fail(ctx, t, KS_TEL_BAD_TIMEOUT, "");
	else if (t->from_url)
		read_url(ctx, ask, &text, t);
	else
		read_file(ctx, ask->where, &text, t);
	const ks_str all = ks_buf_view(&text);
	const enum ks_status status =
		ks_buf_failed(&text)
			? no_memory(err)
			: put_together(ctx, ask, t->why == KS_TEL_CUT ? whole_lines(all) : all, t,
				       err);

	ks_buf_release(&text);
	return status;
}
