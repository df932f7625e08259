/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a selftest (contract 03 §18), ours or the original's, put beside the rows of a
 * report. Judges nothing: whether it is of this GPU is for the decisions to say.
 */
#include "source/ksreport.h"

/* A selftest that failed has found nothing. */
static bool says_ok(struct ks_reader *r, const json_t *doc)
{
	if (!json_is_object(doc))
		ks_reader_wrong(r, "document", KS_TEXT_SRC_SHAPE_OBJECT);
	else if (!json_object_get(doc, "mdd") && !json_object_get(doc, "band"))
		ks_reader_wrong(r, "mdd", KS_TEXT_SRC_SHAPE_OBJECT);
	else if (!ks_reader_bool(r, doc, "ok", true))
		ks_reader_wrong(r, "ok", KS_TEXT_SRC_SHAPE_TRUE);
	return !r->failed;
}

/* Of a report that was read, the meta object is written back as it stood: with this in it. */
static void keep(struct ks_reader *r, const json_t *doc)
{
	static const char *const key[] = { "gpu", "band", "mdd" };
	json_t *kept = json_object();

	for (size_t i = 0; kept && i < KS_ARRAY_LEN(key); i++) {
		json_t *v = json_object_get(doc, key[i]);

		if (v && json_object_set_nocheck(kept, key[i], v) != 0) {
			json_decref(kept);
			kept = NULL;
		}
	}
	if (!kept)
		ks_reader_no_memory(r);
	else
		ks_reader_keep_meta(r, "selfcheck", kept);
}

static void add(struct ks_reader *r, const json_t *doc)
{
	if (!says_ok(r, doc))
		return;
	const struct ks_selfcheck *found = ks_reader_selfcheck(r, doc);
	struct ks_carried *c = KS_ARENA_NEW(r->arena, struct ks_carried);

	if (!c)
		ks_reader_no_memory(r);
	if (!c || !found)
		return;
	if (r->report->raw_meta.n > 0)
		keep(r, doc);
	if (r->failed)
		return;
	if (r->report->carried)
		*c = *r->report->carried;
	c->selfcheck = found;
	r->report->carried = c;
}

enum ks_status ks_selfcheck_add(const struct ks_ctx *ctx, const char *path,
				struct ks_report *report, struct ks_err *err)
{
	struct ks_reader r = { .ctx = ctx,
			       .path = path,
			       .arena = ctx->run,
			       .report = report,
			       .err = err,
			       .wrong = KS_TEXT_ERR_SRC_SELFCHECK };
	json_t *doc = NULL;
	enum ks_status st = ks_reader_document(&r, &doc);

	if (st == KS_OK)
		add(&r, doc);
	json_decref(doc);
	if (r.failed)
		st = err ? err->status : KS_E_INPUT;
	return st;
}
