/* SPDX-License-Identifier: Apache-2.0
 *
 * Putting evidence rows together. Makes no number of its own.
 */
#include "analyze/emit.h"

#include "base/mem.h"
#include "base/str.h"

static struct ks_msg plain(enum ks_text id)
{
	return (struct ks_msg){ .id = id };
}

void ks_emit_init(struct ks_emit *e, struct ks_analysis *a, struct ks_report *r)
{
	*e = (struct ks_emit){ .a = a, .r = r, .ev = r->ev };
	e->table = a->meta.synthetic ? KS_LIT("synthetic trace")
				     : KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL");
	e->all_tables = a->meta.synthetic
				? e->table
				: KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL,CUPTI_ACTIVITY_KIND_MEMCPY,"
					 "CUPTI_ACTIVITY_KIND_MEMSET");
	e->by_time = plain(a->meta.synthetic ? KS_TEXT_AN_SRC_SYNTHETIC : KS_TEXT_AN_SRC_TIME);
	e->by_config = plain(a->meta.synthetic ? KS_TEXT_AN_SRC_SYNTHETIC : KS_TEXT_AN_SRC_CONFIG);
	e->by_limits = plain(KS_TEXT_AN_SRC_LIMITS);
	e->by_union = plain(KS_TEXT_AN_SRC_UNION);
	e->by_sum = plain(KS_TEXT_AN_SRC_SUM);
}

void ks_emit_release(struct ks_emit *e)
{
	ks_mem_free(e->row);
	e->row = NULL;
}

void ks_emit_subject(struct ks_emit *e, struct ks_kernel_work *k, ks_str subject)
{
	e->k = k;
	e->code = NULL;
	e->subject = subject;
	e->sum = e->count = e->grid = e->block = e->regs = 0;
	e->static_smem = e->dynamic_smem = e->dominant = 0;
	e->n_rows = 0;
	e->n_sections = 0;
}

struct ks_ev_spec ks_emit_spec(const struct ks_emit *e, enum ks_metric metric, struct ks_msg source,
			       const char *columns, uint64_t rows)
{
	return (struct ks_ev_spec){
		.metric = metric,
		.subject = e->subject,
		.source = source,
		.origin = { e->table, ks_str_c(columns), rows },
	};
}

ks_id ks_emit_row(struct ks_emit *e, ks_id id)
{
	if (id == 0)
		return 0; /* the store is sticky: the phase ends in its error */
	if (!KS_GROW(e->row, e->row_cap, e->n_rows + 1, UINT32_MAX)) {
		e->a->no_memory = true;
		return 0;
	}
	e->row[e->n_rows++] = id;
	return id;
}

ks_id ks_emit_no(struct ks_emit *e, enum ks_metric metric, const char *key, struct ks_value seen)
{
	const struct ks_ev_spec spec = { .metric = metric, .subject = e->subject };
	const struct ks_kv observed = { ks_str_c(key), seen };
	const struct ks_refuse_spec why = {
		.code = ks_metric_info(metric)->planned_refusal,
		.observed = &observed,
		.n_observed = key ? 1 : 0,
	};

	return ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &why));
}

ks_id ks_emit_refuse(struct ks_emit *e, enum ks_metric metric, enum ks_refusal code,
		     enum ks_text why)
{
	const struct ks_ev_spec spec = { .metric = metric, .subject = e->subject };
	const struct ks_refuse_spec refusal = { .code = code, .message = plain(why) };

	return ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refusal));
}

void ks_emit_section(struct ks_emit *e, enum ks_section section, struct ks_msg note)
{
	if (e->n_rows == 0 || e->n_sections >= KS_ARRAY_LEN(e->section))
		return;
	ks_id *row = KS_ARENA_NEWS(e->a->arena, ks_id, e->n_rows);

	if (!row) {
		e->a->no_memory = true;
		return;
	}
	memcpy(row, e->row, e->n_rows * sizeof(*row));
	e->section[e->n_sections++] = (struct ks_section_rows){
		.section = section,
		.name = ks_str_c(ks_section_info(section)->name),
		.note = note,
		.row = row,
		.n = e->n_rows,
	};
	e->n_rows = 0;
}

const struct ks_section_rows *ks_emit_sections(struct ks_emit *e, size_t *n)
{
	struct ks_section_rows *s =
		KS_ARENA_NEWS(e->a->arena, struct ks_section_rows, e->n_sections);

	*n = s ? e->n_sections : 0;
	e->finished = s;
	if (s)
		memcpy(s, e->section, e->n_sections * sizeof(*s));
	else
		e->a->no_memory = true;
	return s;
}
