/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a .ksreport.json, ours or the original's, into the one report structure. A document of
 * another schema, a packet, or one with a value of the wrong type is an error of one line; nothing
 * is guessed.
 */
#include "base/num.h"
#include "source/ksreport.h"
#include "source/redact_json.h"

/* Less than what redaction follows (redact_json.c). */
#define REDACTED_DEPTH (2 * KS_REPORT_DEPTH)

static enum ks_status not_json(const char *path, const json_error_t *why, struct ks_err *err)
{
	char line[KS_NUM_LEN];

	if (json_error_code(why) == json_error_out_of_memory)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "report", (char *)NULL);
	ks_num_i64(line, why->line < 0 ? 0 : why->line);
	ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_REPORT_JSON, path, line, why->text,
		   (char *)NULL);
	return ks_err_at(err, path, why->position);
}

static enum ks_status check_version(struct ks_reader *r, const json_t *doc)
{
	const json_t *version = json_object_get(doc, "schema_version");
	char number[KS_NUM_LEN] = "?";

	if (!json_is_object(doc)) {
		ks_reader_wrong(r, "document", KS_TEXT_SRC_SHAPE_OBJECT);
		return KS_E_INPUT;
	}
	if (json_object_get(doc, "verdicts") && !json_object_get(doc, "kernels")) {
		ks_err_set(r->err, KS_E_INPUT, KS_TEXT_ERR_SRC_REPORT_PACKET, r->path,
			   (char *)NULL);
		return ks_err_at(r->err, r->path, -1);
	}
	if (!json_is_integer(version)) {
		ks_reader_wrong(r, "schema_version", KS_TEXT_SRC_SHAPE_INT);
		return KS_E_INPUT;
	}
	if (json_integer_value(version) == 1)
		return KS_OK;
	ks_num_i64(number, json_integer_value(version));
	ks_err_set(r->err, KS_E_INPUT, KS_TEXT_ERR_SRC_REPORT_VERSION, r->path, number,
		   (char *)NULL);
	return ks_err_at(r->err, r->path, -1);
}

static enum ks_status read_document(struct ks_reader *r, const json_t *doc)
{
	KS_TRY(check_version(r, doc));
	r->report = KS_ARENA_NEW(r->arena, struct ks_report);
	if (r->report)
		r->report->ev = ks_store_open(r->arena);
	if (!r->report || !r->report->ev) {
		ks_reader_no_memory(r);
		return KS_E_ENV;
	}
	r->report->reread = true;
	ks_reader_run(r, doc);
	if (!r->failed)
		ks_reader_kernels(r, doc);
	if (!r->failed)
		ks_reader_lineage(r, doc);
	if (!r->failed)
		ks_reader_sort(r);
	if (!r->failed && ks_arena_failed(r->arena))
		ks_reader_no_memory(r);
	return r->failed ? (r->err ? r->err->status : KS_E_INPUT)
			 : ks_store_status(r->report->ev, r->err);
}

enum ks_status ks_reader_document(struct ks_reader *r, json_t **doc)
{
	struct ks_buf text;
	json_error_t why;

	*doc = NULL;
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_JSON_INPUT_BYTES));

	enum ks_status st = ks_io_read_file(r->path, &text, r->err);

	if (st == KS_OK) {
		*doc = json_loadb(ks_buf_text(&text), text.n, JSON_ALLOW_NUL, &why);
		if (!*doc)
			st = not_json(r->path, &why, r->err);
	}
	ks_buf_release(&text);
	if (*doc && !ks_redact_json(r->ctx, *doc)) {
		/* what it will not follow to the end is nested deeper than any report */
		const bool deep = ks_reader_depth(*doc, REDACTED_DEPTH + 1) > REDACTED_DEPTH;

		if (deep)
			ks_reader_wrong(r, "document", KS_TEXT_SRC_SHAPE_DEPTH);
		else
			ks_reader_no_memory(r);
		json_decref(*doc);
		*doc = NULL;
		st = deep ? KS_E_INPUT : KS_E_ENV;
	}
	return st;
}

enum ks_status ks_ksreport_read(const struct ks_ctx *ctx, const char *path,
				struct ks_report **report, struct ks_err *err)
{
	struct ks_reader r = { .ctx = ctx, .path = path, .arena = ctx->run, .err = err };
	json_t *doc = NULL;

	*report = NULL;
	enum ks_status st = ks_reader_document(&r, &doc);

	if (st == KS_OK)
		st = read_document(&r, doc);
	if (r.failed)
		st = err ? err->status : KS_E_ENV;
	json_decref(doc);
	if (st == KS_OK)
		*report = r.report;
	return st;
}
