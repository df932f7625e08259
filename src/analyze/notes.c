/* SPDX-License-Identifier: Apache-2.0
 *
 * What a reader has to know about the whole run: what was left out, assumed or chosen, weightiest
 * first; and where each kind of number comes from. Says nothing that holds for every trace.
 */
#include "analyze/comm.h"
#include "analyze/evidence.h"
#include "base/num.h"
#include "base/str.h"

#define MAX_NOTES   64
#define MAX_SOURCES 8

struct notes {
	struct ks_analysis *a;
	struct ks_report *r;
	struct ks_msg *note;
	size_t n;
};

static void add(struct notes *s, struct ks_msg m)
{
	if (s->n < MAX_NOTES)
		s->note[s->n++] = m;
}

static void add_count(struct notes *s, enum ks_text id, uint64_t n)
{
	char text[KS_NUM_LEN];

	if (n == 0)
		return;
	ks_num_u64(text, n);
	add(s, ks_store_msg(s->r->ev, id, text, NULL));
}

static void add_two(struct notes *s, enum ks_text id, uint64_t x, uint64_t y)
{
	char a[KS_NUM_LEN], b[KS_NUM_LEN];

	ks_num_u64(a, x);
	ks_num_u64(b, y);
	add(s, ks_store_msg(s->r->ev, id, a, b, NULL));
}

/* Whether the sum of kernel times shows it beside the union: one part in a thousand is a digit. */
static bool kernels_overlap(const struct ks_report *r)
{
	for (size_t i = 0; i < r->n_gpus_used; i++) {
		const struct ks_gpu *g = &r->gpu[i];

		if (g->kernel_ns - g->kernel_busy_ns > g->kernel_busy_ns / 1000)
			return true;
	}
	return false;
}

static void note_rows(struct notes *s)
{
	const struct ks_contents *c = &s->r->contents;

	add_count(s, KS_TEXT_AN_N_BAD_KERNELS, c->bad_kernels);
	add_count(s, KS_TEXT_AN_N_BAD_COPIES, c->bad_copies);
	add_count(s, KS_TEXT_AN_N_BAD_MEMSETS, c->bad_memsets);
	add_count(s, KS_TEXT_AN_N_SKIPPED, c->skipped);
	if (c->graph_rows && c->kernels)
		add_count(s, KS_TEXT_AN_N_GRAPH_ROWS, c->graph_rows);
	if (kernels_overlap(s->r))
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_OVERLAP, NULL));
	if (s->r->span_from_other_rows)
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_NOTE_SPAN_OTHER, NULL));
}

static uint64_t launches_without_process(const struct ks_analysis *a)
{
	uint64_t n = 0;

	for (uint32_t t = 0; t < a->launches.tracks.count; t++) {
		if (ks_launches_track_key(&a->launches, t)->process == KS_UNKNOWN)
			n += a->launches.track[t].launches;
	}
	return n;
}

static void note_device(struct notes *s, const struct ks_gpu *g, const struct ks_device *d)
{
	char label[KS_NUM_LEN];

	ks_num_i64(label, g->label);
	if (d->how == KS_DEVICE_MISSING)
		add_count(s, KS_TEXT_AN_N_NO_DEVICE, g->launches);
	else if (d->how == KS_DEVICE_UNKNOWN)
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_DEVICE_UNKNOWN, label, NULL));
	else if (g->cc_major < 0)
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_NO_CAPABILITY, label, NULL));
	if (d->ordinals_differ)
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_ORDINALS, label, NULL));
}

static void note_devices(struct notes *s)
{
	const struct ks_analysis *a = s->a;
	bool by_ordinal = false;

	for (size_t k = 0; k < s->r->n_gpus_used; k++) {
		const struct ks_gpu *g = &s->r->gpu[k];

		for (size_t i = 0; i < a->n_devices; i++) {
			if (!a->device[i].used || !a->device[i].selected || a->device[i].gpu != k)
				continue;
			note_device(s, g, &a->devices.device[i]);
			by_ordinal |= a->devices.device[i].how == KS_DEVICE_BY_ORDINAL;
		}
	}
	/* Several processes may each call another card 0: then the ordinal alone may be wrong. */
	if (by_ordinal && s->r->multi_process)
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_BY_ORDINAL, NULL));
	if (!a->meta.synthetic)
		add_count(s, KS_TEXT_AN_N_NO_PROCESS, launches_without_process(a));
}

static void note_redaction(struct notes *s)
{
	if (s->r->redacted == KS_REDACT_NO)
		return;
	add(s, ks_store_msg(s->r->ev,
			    s->r->redacted == KS_REDACT_NAMES ? KS_TEXT_RD_NOTE_NAMES
							      : KS_TEXT_RD_NOTE_YES,
			    NULL));
}

/* Names that were asked for and are not there: without a word the numbers would look as wished. */
static void note_wishes(struct notes *s)
{
	const struct ks_analysis *a = s->a;

	const ks_str family = ks_families_unmatched(a->families);

	if (family.n)
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_FAMILY_UNMATCHED,
				    ks_redact_choice(a->ctx->redact, family).p, NULL));
	if (!s->r->timeline)
		return;
	const ks_str unmatched = ks_comm_unmatched(a->comm);

	if (a->sel->step_name.n && a->steps.n == 0 && a->steps.why.id != KS_TEXT_NONE)
		add(s, a->steps.why);
	if (unmatched.n)
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_COMM_UNMATCHED,
				    ks_redact_choice(a->ctx->redact, unmatched).p, NULL));
}

/* What of the code and the recording stayed without the other. */
static void note_code(struct notes *s)
{
	const struct ks_code *code = s->a->sel->code;
	const struct ks_code_tally *t = &s->a->code_tally;

	for (size_t i = 0; code != NULL && i < code->n_files; i++)
		if (code->file[i].torn)
			add(s, ks_store_msg(s->r->ev, KS_TEXT_CODE_N_TORN,
					    ks_redact_path(s->a->ctx->redact, code->file[i].path).p,
					    NULL));
	add_count(s, KS_TEXT_CODE_N_UNREAD, t->unread);
	add_count(s, KS_TEXT_CODE_N_DIFFER, t->differ);
	if (t->unmatched > 0)
		add_two(s, KS_TEXT_CODE_N_UNMATCHED, t->unmatched, t->unclear);
	add_count(s, KS_TEXT_CODE_N_UNUSED, t->unused);
}

static void note_selection(struct notes *s)
{
	const struct ks_analysis *a = s->a;
	size_t used = 0;

	for (size_t i = 0; i < a->n_devices; i++)
		used += a->device[i].used;
	if (a->sel->n_devices && s->r->n_gpus_used < used)
		add_two(s, KS_TEXT_AN_N_DEVICES_CHOSEN, s->r->n_gpus_used, used);
	if (a->n_kernels + a->n_code_kernels < a->total_kernels)
		add_two(s, KS_TEXT_AN_N_KERNELS_CHOSEN, a->n_kernels + a->n_code_kernels,
			a->total_kernels);
	if (a->window.on) {
		char from[KS_NUM_LEN], to[KS_NUM_LEN];

		ks_num_i64(from, s->r->span_start_ns);
		ks_num_i64(to, s->r->span_start_ns + s->r->span_ns);
		add(s, ks_store_msg(s->r->ev, KS_TEXT_AN_N_WITHIN, s->r->timeline->window.text.p,
				    from, to, NULL));
		add_count(s, KS_TEXT_AN_N_WITHIN_CUT, a->window.cut_launches);
	}
	add_count(s, KS_TEXT_AN_N_DIAGNOSTICS, a->diagnostics_left_out);
}

static void add_source(struct ks_report *r, struct ks_source_line *line, const char *key,
		       enum ks_text text)
{
	line[r->n_sources++] = (struct ks_source_line){ ks_str_c(key), { .id = text } };
}

static void make_sources(const struct ks_analysis *a, struct ks_report *r,
			 struct ks_source_line *line)
{
	r->source = line;
	add_source(r, line, "kernel activity",
		   a->sel->code_alone  ? KS_TEXT_CODE_SRC_NO_TIMES
		   : a->meta.synthetic ? KS_TEXT_AN_SRC_SYNTHETIC
				       : KS_TEXT_AN_SRC_KERNELS);
	if (r->n_gpus > 0)
		add_source(r, line, "device facts",
			   a->meta.synthetic ? KS_TEXT_AN_SRC_SYNTHETIC : KS_TEXT_AN_SRC_DEVICES);
	add_source(r, line, "device counters", KS_TEXT_AN_SRC_NO_SAMPLES);
	add_source(r, line, "static",
		   a->sel->code != NULL ? KS_TEXT_CODE_SRC_FILES : KS_TEXT_AN_SRC_NOT_USED);
	add_source(r, line, "peaks", KS_TEXT_AN_SRC_NO_PEAKS);
	if (r->redacted != KS_REDACT_NO)
		add_source(r, line, "redaction",
			   r->redacted == KS_REDACT_NAMES ? KS_TEXT_RD_SOURCE_NAMES
							  : KS_TEXT_RD_SOURCE_YES);
	if (a->meta.synthetic)
		add_source(r, line, "WARNING", KS_TEXT_AN_SRC_WARNING);
}

enum ks_status ks_notes_build(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	struct notes s = { .a = a,
			   .r = r,
			   .note = KS_ARENA_NEWS(a->arena, struct ks_msg, MAX_NOTES) };
	struct ks_source_line *line = KS_ARENA_NEWS(a->arena, struct ks_source_line, MAX_SOURCES);

	if (!s.note || !line)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "notes", NULL);
	note_redaction(&s);
	note_wishes(&s);
	note_rows(&s);
	note_devices(&s);
	note_code(&s);
	note_selection(&s);
	r->note = s.note;
	r->n_notes = s.n;
	make_sources(a, r, line);
	return KS_OK;
}
