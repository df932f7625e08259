/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of a report: configurations, sections with their rows, and, when asked for, launches.
 * A refused row has the value null and its refusal object whole.
 */
#include "base/num.h"
#include "base/str.h"
#include "evidence/money.h"
#include "evidence/value.h"
#include "render/json.h"

static void triple(struct ks_json *j, const char *key, const int64_t v[3])
{
	ks_jsonw_key(&j->w, key);
	ks_jsonw_arr(&j->w);
	for (int i = 0; i < 3; i++) {
		if (v[i] == KS_UNKNOWN)
			ks_jsonw_null(&j->w);
		else
			ks_jsonw_i64(&j->w, v[i]);
	}
	ks_jsonw_arr_end(&j->w);
}

static void count(struct ks_json *j, const char *key, uint64_t v)
{
	ks_jsonw_key(&j->w, key);
	ks_jsonw_u64(&j->w, v);
}

static void resources(struct ks_json *j, const struct ks_config *c)
{
	ks_json_known(j, "registers_per_thread", c->regs);
	ks_json_known(j, "static_smem_bytes", c->static_smem);
	ks_json_known(j, "dynamic_smem_bytes", c->dynamic_smem);
}

static void config(struct ks_json *j, const struct ks_config *c)
{
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "config", c->key);
	triple(j, "grid", c->grid);
	triple(j, "block", c->block);
	count(j, "launch_count", c->launches);
	ks_jsonw_kv_i64(&j->w, "total_ns", c->total_ns);
	ks_jsonw_kv_double(&j->w, "mean_ns", c->mean_ns);
	resources(j, c);
	triple(j, "cluster", c->cluster);
	ks_json_number(j, "min_ns", c->min_ns);
	ks_json_number(j, "max_ns", c->max_ns);
	ks_jsonw_obj_end(&j->w);
}

static void place(struct ks_json *j, const struct ks_place *p)
{
	ks_jsonw_obj(&j->w);
	ks_json_number(j, "device", p->gpu < j->r->n_gpus ? j->r->gpu[p->gpu].label : KS_UNKNOWN);
	ks_json_known(j, "pid", p->pid);
	ks_json_known(j, "stream", p->stream);
	count(j, "launch_count", p->launches);
	ks_jsonw_kv_i64(&j->w, "total_ns", p->total_ns);
	ks_jsonw_obj_end(&j->w);
}

static void placement(struct ks_json *j, const struct ks_kernel *k)
{
	ks_jsonw_key(&j->w, "placement");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < k->n_places; i++)
		place(j, &k->place[i]);
	ks_jsonw_arr_end(&j->w);
}

static void remedy(struct ks_json *j, const struct ks_refused *why)
{
	const struct ks_remedy *m = &why->remedy;

	ks_jsonw_key(&j->w, "remedy");
	ks_jsonw_obj(&j->w);
	ks_buf_reset(&j->text);
	ks_refused_action(why, j->lang, &j->text);
	ks_jsonw_kv_str(&j->w, "action", ks_buf_view(&j->text));
	ks_jsonw_kv_str(&j->w, "command", m->command);
	ks_jsonw_kv_double(&j->w, "cost_s", m->cost_s);
	ks_jsonw_kv_cstr(&j->w, "cost_kind", ks_cost_kind_name(m->cost_kind));
	ks_jsonw_key(&j->w, "then_answers");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < m->n_answers; i++)
		ks_jsonw_str(&j->w, m->answers[i]);
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}

/* Causes are refusals of other rows: code and message here, in full there. */
static void causes(struct ks_json *j, const struct ks_refused *why)
{
	if (why->n_causes == 0)
		return;
	ks_jsonw_key(&j->w, "causes");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < why->n_causes; i++) {
		const struct ks_ev *row = ks_ev_get(j->r->ev, why->causes[i]);

		if (row == NULL || row->refused == NULL)
			continue;
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_cstr(&j->w, "code", ks_refusal_info(row->refused->code)->slug);
		ks_buf_reset(&j->text);
		ks_refused_message(j->r->ev, row->refused, j->lang, &j->text);
		ks_jsonw_kv_str(&j->w, "message", ks_buf_view(&j->text));
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
}

static void refusal(struct ks_json *j, const struct ks_refused *why)
{
	ks_jsonw_key(&j->w, "refusal");
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_cstr(&j->w, "code", ks_refusal_info(why->code)->slug);
	ks_buf_reset(&j->text);
	ks_refused_message(j->r->ev, why, j->lang, &j->text);
	ks_jsonw_kv_str(&j->w, "message", ks_buf_view(&j->text));
	ks_jsonw_kv_cstr(&j->w, "severity",
			 why->severity == KS_SEV_BLOCKING ? "blocking" : "degraded");
	ks_jsonw_key(&j->w, "observed");
	ks_kvs_json(&j->w, why->observed, why->n_observed);
	ks_jsonw_key(&j->w, "threshold");
	ks_kvs_json(&j->w, why->threshold, why->n_threshold);
	remedy(j, why);
	causes(j, why);
	if (why->rule.n > 0)
		ks_jsonw_kv_str(&j->w, "rule", why->rule);
	ks_jsonw_obj_end(&j->w);
}

/* "0.0037 ms": a text, as the original has it; the number itself follows under a key of ours. */
static void resolution(struct ks_json *j, const struct ks_ev *row)
{
	char number[KS_NUM_LEN];
	const char *unit = ks_report_unit(j->r, row->unit);

	ks_buf_reset(&j->text);
	if (row->has_resolution) {
		ks_buf_add(&j->text, number, ks_num_human(number, row->resolution));
		ks_buf_fmt(&j->text, "%s%s", unit[0] != '\0' ? " " : "", unit);
	}
	ks_jsonw_kv_str(&j->w, "resolution", ks_buf_view(&j->text));
}

static void lineage(struct ks_json *j, const struct ks_ev *row)
{
	if (row->has_resolution)
		ks_jsonw_kv_double(&j->w, "resolution_value", row->resolution);
	if (row->origin->table.n > 0) {
		ks_jsonw_key(&j->w, "origin");
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "table", row->origin->table);
		ks_jsonw_kv_str(&j->w, "columns", row->origin->columns);
		count(j, "rows", row->origin->rows);
		ks_jsonw_obj_end(&j->w);
	}
	if (row->n_inputs == 0)
		return;
	ks_jsonw_key(&j->w, "inputs");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < row->n_inputs; i++) {
		const struct ks_ev *in = ks_ev_get(j->r->ev, row->inputs[i]);

		if (in != NULL)
			ks_jsonw_str(&j->w, in->name);
	}
	ks_jsonw_arr_end(&j->w);
}

static void metric(struct ks_json *j, const struct ks_ev *row)
{
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "name", row->name);
	ks_jsonw_key(&j->w, "value");
	ks_value_json(&j->w, &row->value);
	ks_jsonw_kv_cstr(&j->w, "unit", ks_report_unit(j->r, row->unit));
	ks_jsonw_kv_cstr(&j->w, "provenance", ks_prov_name(row->prov));
	ks_json_msg(j, "source", &row->source);
	ks_buf_reset(&j->text);
	if (row->refused != NULL)
		ks_refused_message(j->r->ev, row->refused, j->lang, &j->text);
	ks_jsonw_kv_str(&j->w, "reason", ks_buf_view(&j->text));
	ks_json_msg(j, "note", &row->note);
	resolution(j, row);
	if (row->refused != NULL)
		refusal(j, row->refused);
	lineage(j, row);
	ks_jsonw_obj_end(&j->w);
}

/* A report is whole; only a report that was read can be narrowed on its way out again. */
static bool shown(const struct ks_json *j, const struct ks_ev *row)
{
	return row != NULL && (!j->r->reread || ks_view_row(j->v, row));
}

static void section(struct ks_json *j, const struct ks_section_rows *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += shown(j, ks_ev_get(j->r->ev, s->row[i]));
	if (n == 0)
		return;
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "name", s->name);
	ks_jsonw_kv_cstr(&j->w, "provenance", ks_prov_name(s->prov));
	ks_json_msg(j, "note", &s->note);
	ks_jsonw_key(&j->w, "metrics");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < s->n; i++) {
		const struct ks_ev *row = ks_ev_get(j->r->ev, s->row[i]);

		if (shown(j, row))
			metric(j, row);
	}
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}

static void launch(struct ks_json *j, const struct ks_launch_view *l)
{
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_i64(&j->w, "start_ns", l->start_ns);
	ks_jsonw_kv_i64(&j->w, "end_ns", l->end_ns);
	ks_jsonw_kv_i64(&j->w, "duration_ns", l->end_ns - l->start_ns);
	triple(j, "grid", l->config->grid);
	triple(j, "block", l->config->block);
	resources(j, l->config);
	ks_json_known(j, "stream_id", l->stream);
	ks_json_known(j, "device_id", l->device);
	ks_jsonw_kv_i64(&j->w, "grid_id", 0);
	ks_jsonw_kv_str(&j->w, "config", l->config->key);
	ks_jsonw_obj_end(&j->w);
}

/* The original wants the key; an empty array is what it writes when launches are left out. */
static enum ks_status launches(struct ks_json *j, const struct ks_kernel *k, struct ks_err *err)
{
	const struct ks_launch_log *log = j->r->launches;
	struct ks_launch_view row;
	bool got = true;

	ks_jsonw_key(&j->w, "launches");
	ks_jsonw_arr(&j->w);
	if (j->v->json_launches && log != NULL && !k->is_device) {
		KS_TRY(log->rewind(log->self, k, err));
		for (;;) {
			KS_TRY(log->next(log->self, &row, &got, err));
			if (!got || ks_out_failed(j->w.out))
				break;
			launch(j, &row);
		}
	}
	ks_jsonw_arr_end(&j->w);
	return KS_OK;
}

static enum ks_status kernel(struct ks_json *j, const struct ks_kernel *k, struct ks_err *err)
{
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "name", k->name);
	count(j, "launch_count", k->launches);
	ks_jsonw_kv_i64(&j->w, "total_ns", k->total_ns);
	ks_jsonw_kv_double(&j->w, "mean_ns", k->mean_ns);
	ks_jsonw_kv_i64(&j->w, "min_ns", k->min_ns);
	ks_jsonw_kv_i64(&j->w, "max_ns", k->max_ns);
	ks_jsonw_kv_bool(&j->w, "mixed_config", k->mixed_config);
	ks_jsonw_key(&j->w, "launch_configs");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < k->n_configs; i++)
		config(j, &k->config[i]);
	ks_jsonw_arr_end(&j->w);
	placement(j, k);
	ks_jsonw_key(&j->w, "sections");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < k->n_sections; i++)
		section(j, &k->section[i]);
	ks_jsonw_arr_end(&j->w);
	KS_TRY(launches(j, k, err));
	ks_jsonw_kv_str(&j->w, "function", k->base);
	ks_jsonw_kv_str(&j->w, "mangled", k->mangled);
	count(j, "full_names", k->n_names);
	ks_jsonw_kv_double(&j->w, "share_pct", k->share_pct);
	count(j, "bad_rows", k->bad_rows);
	count(j, "graph_launches", k->graph_launches);
	ks_jsonw_obj_end(&j->w);
	return KS_OK;
}

enum ks_status ks_json_kernels(struct ks_json *j, struct ks_err *err)
{
	ks_jsonw_key(&j->w, "kernels");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < j->r->n_kernels && !ks_out_failed(j->w.out); i++)
		KS_TRY(kernel(j, &j->r->kernel[i], err));
	ks_jsonw_arr_end(&j->w);
	return KS_OK;
}
