/* SPDX-License-Identifier: Apache-2.0
 *
 * Two walks over a JSON document: names first, so that sentences that hold them can be found in the
 * second, which takes everything else. Numbers are not touched.
 */
#include "source/redact_json.h"

#include "base/str.h"
#include "source/redact_string.h"
#include "tables/tables.h"

#define DEPTH 64 /* nesting; the readers of reports take less */

/* --- the document --------------------------------------------------------------------------------
 */

static void walk_value(struct ks_redact_walk *w, json_t *v, const char *in, int depth);

/* Keys of formats are words of small letters; any other may have come from a trace. */
static bool is_format_key(ks_str key)
{
	for (size_t i = 0; i < key.n; i++) {
		const char c = key.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == ' '))
			return false;
	}
	return true;
}

static ks_str public_key(struct ks_redact_walk *w, ks_str key)
{
	return is_format_key(key) ? key : ks_redact_text(w->redact, key);
}

static bool has_foreign_key(struct ks_redact_walk *w, json_t *o)
{
	for (void *i = json_object_iter(o); i; i = json_object_iter_next(o, i)) {
		const ks_str key = ks_str_c(json_object_iter_key(i));

		if (!ks_str_eq(public_key(w, key), key))
			return true;
	}
	return false;
}

static void change_keys(struct ks_redact_walk *w, json_t *o)
{
	json_t *fresh = has_foreign_key(w, o) ? json_object() : NULL;

	for (void *i = fresh ? json_object_iter(o) : NULL; i; i = json_object_iter_next(o, i)) {
		const ks_str key = ks_redact_text(w->redact, ks_str_c(json_object_iter_key(i)));

		ks_buf_reset(&w->text);
		ks_buf_str(&w->text, key);
		w->failed = json_object_set_nocheck(fresh, ks_buf_text(&w->text),
						    json_object_iter_value(i)) != 0 ||
			    w->failed;
	}
	if (fresh)
		w->failed =
			json_object_clear(o) != 0 || json_object_update(o, fresh) != 0 || w->failed;
	json_decref(fresh);
}

static bool is_root(const json_t *o)
{
	return json_is_null(json_object_get(o, "parent"));
}

static void walk_object(struct ks_redact_walk *w, json_t *o, const char *in, int depth)
{
	const bool root = is_root(o);
	const char *metric_name = json_string_value(json_object_get(o, "name"));
	const bool is_site = metric_name && strcmp(metric_name, "ks__call_site") == 0;

	for (void *i = json_object_iter(o); i; i = json_object_iter_next(o, i)) {
		const char *key = json_object_iter_key(i);
		json_t *v = json_object_iter_value(i);

		if (!json_is_string(v)) {
			walk_value(w, v, key, depth + 1);
			continue;
		}
		const bool site = is_site && strcmp(key, "value") == 0;
		json_t *own = ks_redact_string(w, site ? KS_ROLE_STACK : ks_redact_role_of(in, key),
					       root, v);

		if (own)
			w->failed = json_object_iter_set_new(o, i, own) != 0 || w->failed;
	}
	if (!w->names)
		change_keys(w, o);
}

static void walk_value(struct ks_redact_walk *w, json_t *v, const char *in, int depth)
{
	if (depth > DEPTH || w->failed) {
		w->failed = w->failed || json_is_object(v) || json_is_array(v);
		return;
	}
	if (json_is_object(v))
		walk_object(w, v, in, depth);
	for (size_t i = 0; json_is_array(v) && i < json_array_size(v); i++) {
		json_t *item = json_array_get(v, i);

		if (!json_is_string(item)) {
			walk_value(w, item, in, depth + 1);
			continue;
		}
		json_t *own = ks_redact_string(w, ks_redact_role_of("", in), false, item);

		if (own) /* `item` is gone then */
			w->failed = json_array_set_new(v, i, own) != 0 || w->failed;
	}
}

/* The paths of the document, so that a sentence that repeats one is found out. */
static void learn_paths(struct ks_redact_walk *w, const json_t *doc)
{
	static const char *const key[] = { "nsys_sqlite", "nsys_rep" };
	const json_t *meta = json_object_get(doc, "meta");

	for (size_t i = 0; i < KS_ARRAY_LEN(key); i++) {
		const json_t *v = json_object_get(meta, key[i]);
		const ks_str path = { json_string_value(v), json_string_length(v) };

		if (path.n > 0)
			ks_redact_argument(w->redact, path, ks_redact_path(w->redact, path));
	}
}

/* What was redacted more stays so. */
static bool declare(const struct ks_ctx *ctx, json_t *doc)
{
	json_t *meta = json_object_get(doc, "meta"), *sources = json_object_get(doc, "sources");
	const char *before = json_string_value(json_object_get(meta, "redacted"));
	const bool names = ks_redact_mode_of(ctx->redact) == KS_REDACT_NAMES ||
			   (before && strcmp(before, "names") == 0);
	const enum ks_text text = names ? KS_TEXT_RD_SOURCE_NAMES : KS_TEXT_RD_SOURCE_YES;

	if (!json_object_get(doc, "kernels"))
		return true; /* no report */
	if (json_is_object(meta) &&
	    json_object_set_new(meta, "redacted", json_string(names ? "names" : "yes")) != 0)
		return false;
	return !json_is_object(sources) ||
	       json_object_set_new(sources, "redaction",
				   json_string(ks_text_get(text, (enum ks_lang)ctx->doc_lang))) ==
		       0;
}

bool ks_redact_json(const struct ks_ctx *ctx, json_t *doc)
{
	struct ks_redact_walk w = { .redact = ctx->redact, .names = true };

	if (ctx->redact == NULL)
		return true;
	ks_buf_init(&w.text, (size_t)ks_limit(KS_LIMIT_JSON_INPUT_BYTES));
	w.was = json_is_string(json_object_get(json_object_get(doc, "meta"), "redacted"));
	learn_paths(&w, doc);
	walk_value(&w, doc, "", 0);
	w.names = false;
	walk_value(&w, doc, "", 0);
	const bool good = !w.failed && declare(ctx, doc);

	ks_buf_release(&w.text);
	return good;
}
