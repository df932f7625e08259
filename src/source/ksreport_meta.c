/* SPDX-License-Identifier: Apache-2.0
 *
 * The meta object and the sources of a report: the protocol of the run, and the object itself as
 * text, so that a report that is written again keeps what we do not know. The timeline is kept as
 * text alone: nothing here is made of it.
 */
#include "base/io.h"
#include "base/jsonw.h"
#include "base/str.h"
#include "source/ksreport.h"

static void read_sources(struct ks_reader *r, const json_t *doc)
{
	const json_t *o = ks_reader_object(r, doc, "sources");
	const size_t n = json_object_size(o);
	struct ks_source_line *line = KS_ARENA_NEWS(r->arena, struct ks_source_line, n);
	const size_t mark = ks_reader_enter(r, "sources", KS_READER_NO_INDEX);
	size_t i = 0;
	const char *key;
	json_t *v;

	if (!line) {
		ks_reader_no_memory(r);
		return;
	}
	json_object_foreach((json_t *)(uintptr_t)o, key, v)
	{
		line[i].key = ks_arena_dup(r->arena, ks_str_c(key));
		line[i++].text = ks_reader_msg(r, o, key);
	}
	ks_reader_leave(r, mark);
	r->report->source = line;
	r->report->n_sources = n;
}

/* A JSON value as our writer writes it; jansson's own prints 0.1 as 0.10000000000000001. */
static void write_json(struct ks_jsonw *w, const json_t *v)
{
	const char *key;
	json_t *item;

	switch (json_typeof(v)) {
	case JSON_OBJECT:
		ks_jsonw_obj(w);
		json_object_foreach((json_t *)(uintptr_t)v, key, item)
		{
			ks_jsonw_key(w, key);
			write_json(w, item);
		}
		ks_jsonw_obj_end(w);
		break;
	case JSON_ARRAY:
		ks_jsonw_arr(w);
		for (size_t i = 0; i < json_array_size(v); i++)
			write_json(w, json_array_get(v, i));
		ks_jsonw_arr_end(w);
		break;
	case JSON_STRING:
		ks_jsonw_str(w, (ks_str){ json_string_value(v), json_string_length(v) });
		break;
	case JSON_INTEGER:
		ks_jsonw_i64(w, json_integer_value(v));
		break;
	case JSON_REAL:
		ks_jsonw_double(w, json_real_value(v));
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		ks_jsonw_bool(w, json_is_true(v));
		break;
	case JSON_NULL:
		ks_jsonw_null(w);
		break;
	}
}

int ks_reader_depth(const json_t *v, int limit)
{
	int deepest = 0;
	const char *key;
	json_t *item;

	if (limit == 0)
		return 1;
	if (json_is_object(v)) {
		json_object_foreach((json_t *)(uintptr_t)v, key, item)
		{
			const int d = ks_reader_depth(item, limit - 1);

			deepest = d > deepest ? d : deepest;
		}
	}
	for (size_t i = 0; json_is_array(v) && i < json_array_size(v); i++) {
		const int d = ks_reader_depth(json_array_get(v, i), limit - 1);

		deepest = d > deepest ? d : deepest;
	}
	return deepest + 1;
}

/* An object of the document as text, to be written back where it came from: one level deep, hence
 * the wrapping. Empty after a failure. */
static ks_str keep_object(struct ks_reader *r, const char *key, const json_t *o)
{
	const size_t before = strlen("{\n  \"\": ") + strlen(key);
	ks_str kept = KS_STR_NONE;
	struct ks_buf text;
	struct ks_out out;
	struct ks_jsonw w;

	if (ks_reader_depth(o, KS_REPORT_DEPTH + 1) > KS_REPORT_DEPTH) {
		ks_reader_wrong(r, key, KS_TEXT_SRC_SHAPE_DEPTH);
		return kept;
	}
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_JSON_INPUT_BYTES));
	ks_out_open_mem(&out, &text);
	ks_jsonw_init(&w, &out, 2);
	ks_jsonw_obj(&w);
	ks_jsonw_key(&w, key);
	write_json(&w, o);

	const bool good = ks_out_commit(&out, NULL) == KS_OK && !ks_buf_failed(&text);
	const ks_str all = ks_buf_view(&text);

	if (good && all.n > before)
		kept = ks_arena_dup(r->arena, (ks_str){ all.p + before, all.n - before });
	ks_buf_release(&text);
	if (!good || !kept.n)
		ks_reader_no_memory(r);
	return kept;
}

/* The original has the mode only inside a sentence: "mode=auto ...". */
static ks_str window_mode(struct ks_reader *r, const json_t *meta)
{
	const ks_str own = ks_reader_text(r, meta, "window_mode");
	const ks_str text = ks_reader_text(r, meta, "window");
	size_t end = 5;

	if (own.n || !ks_str_starts(text, "mode="))
		return own;
	while (end < text.n && text.p[end] != ' ')
		end++;
	return (ks_str){ text.p + 5, end - 5 };
}

static void read_redacted(struct ks_reader *r, const json_t *meta)
{
	const ks_str word = ks_reader_text(r, meta, "redacted");

	if (ks_str_eqc(word, "names"))
		r->report->redacted = KS_REDACT_NAMES;
	else if (word.n > 0)
		r->report->redacted = KS_REDACT_YES;
}

void ks_reader_meta(struct ks_reader *r, const json_t *doc)
{
	const json_t *meta = ks_reader_object(r, doc, "meta");
	struct ks_report *p = r->report;
	const size_t mark = ks_reader_enter(r, "meta", KS_READER_NO_INDEX);

	p->synthetic = ks_reader_bool(r, meta, "synthetic", false);
	if (json_is_string(json_object_get(meta, "degraded")))
		p->degraded = ks_reader_text(r, meta, "degraded");
	p->dtype = ks_reader_text(r, meta, "dtype");
	p->kernel_filter = ks_reader_text(r, meta, "kernel_filter");
	p->ledger_basis = ks_reader_text(r, meta, "ledger_basis");
	p->window_mode = window_mode(r, meta);
	p->within = ks_reader_text(r, meta, "within");
	p->warmup_s = ks_reader_real(r, meta, "warmup_s", 0.0);
	p->window_s = ks_reader_real(r, meta, "window_s", 0.0);
	p->input_path = ks_reader_text(r, meta, "nsys_sqlite");
	if (!p->input_path.n)
		p->input_path = ks_reader_text(r, meta, "nsys_rep");
	ks_reader_carried(r, meta);
	ks_reader_leave(r, mark);
	read_redacted(r, meta);
	if (meta && !r->failed)
		p->raw_meta = keep_object(r, "meta", meta);
	const json_t *timeline = ks_reader_object(r, doc, "timeline");

	if (timeline && !r->failed)
		p->raw_timeline = keep_object(r, "timeline", timeline);
	read_sources(r, doc);
}

void ks_reader_keep_meta(struct ks_reader *r, const char *key, json_t *value)
{
	const ks_str raw = r->report->raw_meta;
	json_t *meta = json_loadb(raw.p, raw.n, JSON_ALLOW_NUL, NULL);

	if (!meta)
		json_decref(value);
	if (!meta || json_object_set_new_nocheck(meta, key, value) != 0)
		ks_reader_no_memory(r);
	else
		r->report->raw_meta = keep_object(r, "meta", meta);
	json_decref(meta);
}

enum ks_status ks_ksreport_refilter(const struct ks_ctx *ctx, const char *path,
				    struct ks_report *report, ks_str filter, struct ks_err *err)
{
	struct ks_reader r = {
		.ctx = ctx, .path = path, .arena = ctx->run, .report = report, .err = err
	};

	/* a pattern need not be UTF-8: the writer makes it so */
	report->kernel_filter = filter;
	if (report->raw_meta.n > 0)
		ks_reader_keep_meta(&r, "kernel_filter", json_stringn_nocheck(filter.p, filter.n));
	return r.failed ? KS_E_ENV : KS_OK;
}
