/* SPDX-License-Identifier: Apache-2.0
 *
 * The telemetry of a run beside its rows: how the source was read, its devices, and everything that
 * was seen and not used. Nothing is left out of the lists that the report has.
 */
#include "base/str.h"
#include "evidence/telemetry.h"
#include "render/json.h"

static const char *probe_word(enum ks_tel_probe probe)
{
	static const char *const word[] = {
		[KS_TEL_NOT_RUN] = "not_run",
		[KS_TEL_READ] = "ok",
		[KS_TEL_FAILED] = "failed",
	};

	return (unsigned)probe < KS_ARRAY_LEN(word) ? word[probe] : "";
}

static void count(struct ks_json *j, const char *key, uint64_t n)
{
	ks_jsonw_key(&j->w, key);
	ks_jsonw_u64(&j->w, n);
}

/* "http_error:500": the word and its particulars. */
static void reason(struct ks_json *j, const struct ks_telemetry *t)
{
	ks_buf_reset(&j->text);
	ks_buf_cstr(&j->text, ks_tel_why_word(t->why));
	if (t->detail.n > 0) {
		ks_buf_ch(&j->text, ':');
		ks_buf_str(&j->text, t->detail);
	}
	ks_jsonw_kv_str(&j->w, "reason", ks_buf_view(&j->text));
}

static void device(struct ks_json *j, size_t i)
{
	const struct ks_tel_device *d = &j->r->telemetry->device[i];
	const struct ks_tel_join *join =
		j->r->telemetry_join != NULL ? &j->r->telemetry_join[i] : NULL;

	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "gpu", d->gpu);
	ks_jsonw_kv_str(&j->w, "uuid", d->uuid);
	ks_jsonw_kv_str(&j->w, "model", d->model);
	ks_jsonw_kv_str(&j->w, "instance", d->instance);
	ks_jsonw_kv_str(&j->w, "set", d->set);
	ks_json_number(j, "device",
		       join != NULL && join->gpu < j->r->n_gpus ? j->r->gpu[join->gpu].label
								: KS_UNKNOWN);
	if (join != NULL)
		ks_json_msg(j, "how", &join->how);
	else
		ks_jsonw_kv_cstr(&j->w, "how", "");
	ks_jsonw_obj_end(&j->w);
}

static void item(struct ks_json *j, const char *name, const char *number,
		 const struct ks_tel_item *i)
{
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, name, i->name);
	if (i->why != KS_TEL_FINE)
		ks_jsonw_kv_cstr(&j->w, "reason", ks_tel_why_word(i->why));
	if (number != NULL)
		count(j, number, i->n);
	ks_jsonw_obj_end(&j->w);
}

struct list {
	const char *key, *all; /* all: its number, where the list may be shorter; NULL */
	const struct ks_tel_list *list;
	const char *name, *number;
};

static void list(struct ks_json *j, const struct list *l)
{
	if (l->all != NULL)
		count(j, l->all, l->list->all);
	ks_jsonw_key(&j->w, l->key);
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < l->list->n; i++)
		item(j, l->name, l->number, &l->list->item[i]);
	ks_jsonw_arr_end(&j->w);
}

static void lists(struct ks_json *j, const struct ks_telemetry *t)
{
	const struct list all[] = {
		{ "missing", NULL, &t->missing, "field", NULL },
		{ "unknown", NULL, &t->unknown, "field", "count" },
		{ "skipped", "skipped_total", &t->skipped, "series", "line" },
		{ "duplicates", "duplicates_total", &t->duplicates, "series", "line" },
		{ "bad_lines", "bad_lines_total", &t->bad, "text", "line" },
		{ "unused_sections", NULL, &t->unused, "title", "line" },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++)
		list(j, &all[i]);
}

void ks_json_telemetry(struct ks_json *j)
{
	const struct ks_telemetry *t = j->r->telemetry;

	if (t == NULL)
		return;
	ks_jsonw_key(&j->w, "telemetry");
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "source", t->where);
	ks_jsonw_kv_str(&j->w, "format", t->format);
	ks_jsonw_kv_cstr(&j->w, "probe", probe_word(t->probe));
	reason(j, t);
	ks_jsonw_kv_bool(&j->w, "truncated", t->why == KS_TEL_CUT);
	count(j, "series_total", t->series);
	count(j, "readings", t->n_values);
	ks_jsonw_kv_bool(&j->w, "profiling_present", t->profiling);
	ks_jsonw_key(&j->w, "devices");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < t->n_devices; i++)
		device(j, i);
	ks_jsonw_arr_end(&j->w);
	lists(j, t);
	ks_jsonw_obj_end(&j->w);
}
