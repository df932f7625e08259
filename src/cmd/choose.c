/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels, launches, devices, sections and metrics were asked for. Knows names from the
 * tables only; whether a trace has them is seen later.
 */
#include "cmd/settings.h"

#include "analyze/select.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "cmd/suggest.h"

#define MAX_LIST ((size_t)4096)

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
}

void ks_choose_set(bool section_on[KS_SECTION_COUNT], enum ks_set set)
{
	for (int i = KS_SECTION_NONE + 1; i < KS_SECTION_COUNT; i++) {
		const unsigned sets = ks_section_info((enum ks_section)i)->sets;

		section_on[i] = sets == 0 || (sets & (1u << set)) != 0;
	}
}

static enum ks_set chosen_set(const struct ks_opts *o)
{
	if (ks_opt_is(o, KS_OPT_SET, "full"))
		return KS_SET_FULL;
	return ks_opt_is(o, KS_OPT_SET, "detailed") ? KS_SET_DETAILED : KS_SET_BASIC;
}

static enum ks_status choose_sections(struct ks_settings *s, struct ks_err *err)
{
	const struct ks_opts *o = &s->opts;
	bool *on = s->sel.section_on;

	s->sections_chosen = ks_opt_on(o, KS_OPT_SET) || ks_opt_on(o, KS_OPT_SECTION);
	ks_choose_set(on, chosen_set(o));
	if (!ks_opt_on(o, KS_OPT_SECTION))
		return KS_OK;

	/* what is always on stays, but for what needs further tables to be read */
	for (int i = KS_SECTION_NONE + 1; i < KS_SECTION_COUNT; i++)
		on[i] = ks_section_info((enum ks_section)i)->sets == 0 &&
			i != KS_SECTION_NVTXPHASES && i != KS_SECTION_COMMLEDGER;
	for (const struct ks_optval *v = o->opt[KS_OPT_SECTION].first; v != NULL; v = v->next) {
		enum ks_section id = KS_SECTION_NONE;

		if (ks_section_find(ks_str_c(v->text), &id)) {
			on[id] = true;
			continue;
		}
		const char *near = ks_suggest_section(ks_str_c(v->text));

		if (near != NULL)
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_SECTION_NEAR, v->text,
					  near, NULL);
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_SECTION, v->text, NULL);
	}
	return KS_OK;
}

/* Whether a name may stand in --metrics although no table row has it: a counter is real, it only
 * cannot be read here, and a report that is re-read may hold rows we do not know. */
static bool may_exist(const struct ks_settings *s, ks_str name)
{
	return ks_is_counter_name(name) || s->from == KS_FROM_IMPORT ||
	       ks_metric_find(name) != KS_METRIC_NONE;
}

void ks_say_translated(struct ks_app *app, const struct ks_ncu_info *ncu, bool shown)
{
	const enum ks_lang lang = ks_app_lang(app);
	const enum ks_metric id = ks_metric_find(ks_str_c(ncu->ours));
	const struct ks_metric_info *m = ks_metric_info(id);

	if (shown || id == KS_METRIC_NONE) {
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_TRANSLATED, ncu->ncu_name, ncu->ours,
			   ks_ncu_caliber(ncu, lang), NULL);
	} else if (m->state == KS_STATE_PLANNED) {
		const struct ks_refusal_info *why = ks_refusal_info(m->planned_refusal);

		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_NOT_MEASURED, ncu->ncu_name, ncu->ours,
			   why->slug, why->action[lang], NULL);
	} else {
		ks_app_say(app, KS_LOG_NOTE, KS_TEXT_CMD_NOT_SHOWN, ncu->ncu_name, ncu->ours,
			   ks_section_info(m->section)->name, NULL);
	}
}

static enum ks_status ask_metric(struct ks_app *app, struct ks_settings *s, ks_str given,
				 struct ks_err *err)
{
	const ks_str own = ks_arena_dup(&app->arena, given);
	struct ks_asked *a = &s->asked[s->n_asked++];

	*a = (struct ks_asked){ .given = own, .name = own, .ncu = ks_ncu_find(own) };
	if (a->ncu != NULL && a->ncu->kind == KS_NCU_SUBSTITUTE) {
		a->name = ks_str_c(a->ncu->ours);
		return KS_OK;
	}
	if (a->ncu != NULL || may_exist(s, own))
		return KS_OK;

	const char *near = ks_suggest_metric(own);
	if (near != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_METRIC_NEAR, own.p, near, NULL);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_METRIC, own.p, NULL);
}

/* A name that is asked for twice is one wish, or a long command line would be a long list. */
static bool is_asked(const struct ks_settings *s, ks_str given)
{
	for (size_t i = 0; i < s->n_asked; i++)
		if (ks_str_eq(s->asked[i].given, given))
			return true;
	return false;
}

static enum ks_status choose_metrics(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	size_t cap = 0;

	for (const struct ks_optval *v = s->opts.opt[KS_OPT_METRICS].first; v != NULL;
	     v = v->next) {
		ks_str rest = ks_str_c(v->text);

		while (rest.p != NULL) {
			const ks_str piece = ks_str_trim(ks_str_cut(&rest, ','));

			if (piece.n == 0 || is_asked(s, piece))
				continue;
			if (!KS_GROW(s->asked, cap, s->n_asked + 1, MAX_LIST))
				return no_memory(err);
			KS_TRY(ask_metric(app, s, piece, err));
		}
	}
	if (s->n_asked == 0 && s->opts.opt[KS_OPT_METRICS].first != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_EMPTY, "metrics", NULL);

	/* the name itself as well as its substitute: its row says why it has no number */
	ks_str *name = KS_ARENA_NEWS(&app->arena, ks_str, 2 * s->n_asked + 1);
	size_t n = 0;

	if (name == NULL)
		return no_memory(err);
	for (size_t i = 0; i < s->n_asked; i++) {
		name[n++] = s->asked[i].name;
		if (!ks_str_eq(s->asked[i].name, s->asked[i].given))
			name[n++] = s->asked[i].given;
	}
	s->view.metric = name;
	s->view.n_metrics = n;
	return KS_OK;
}

static enum ks_status choose_devices(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	const char *text = ks_opt_text(&s->opts, KS_OPT_DEVICES);
	ks_str rest = ks_str_c(text);
	size_t n = 0;

	if (text == NULL)
		return KS_OK;
	/* one id takes at least one character and a comma */
	int64_t *id = KS_ARENA_NEWS(&app->arena, int64_t, rest.n / 2 + 1);
	if (id == NULL)
		return no_memory(err);
	while (rest.p != NULL) {
		const ks_str piece = ks_str_trim(ks_str_cut(&rest, ','));

		if (!ks_num_parse_i64(piece, &id[n]))
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_DEVICES, text, NULL);
		n++;
	}
	s->sel.device = id;
	s->sel.n_devices = n;
	return KS_OK;
}

/* A pattern that does not compile is told before the trace is read. */
static enum ks_status check_pattern(ks_str expr, struct ks_err *err)
{
	struct ks_matcher *m = NULL;

	KS_TRY(ks_matcher_open(&m, expr, err));
	ks_matcher_close(m);
	return KS_OK;
}

/* Which estimate a ledger is compared with; without a ledger there is no such thing. */
static ks_str ledger_basis(const struct ks_opts *o)
{
	static const enum ks_option ledger[] = { KS_OPT_KS_LEDGER_MB, KS_OPT_KS_LEDGER_TOTAL_MB,
						 KS_OPT_KS_LEDGER_RANGE_MB };

	for (size_t i = 0; i < KS_ARRAY_LEN(ledger); i++)
		if (ks_opt_on(o, ledger[i]))
			return ks_str_c(ks_opt_text(o, KS_OPT_KS_LEDGER_BASIS));
	return KS_LIT("");
}

static void choose_kernels(const struct ks_app *app, struct ks_settings *s)
{
	const struct ks_opts *o = &s->opts;

	s->sel.kernel = ks_str_c(ks_opt_text(o, KS_OPT_KERNEL_NAME));
	if (ks_opt_on(o, KS_OPT_KERNEL_NAME_BASE)) {
		s->sel.base = KS_NAMES_DEMANGLED;
		if (ks_opt_is(o, KS_OPT_KERNEL_NAME_BASE, "function"))
			s->sel.base = KS_NAMES_FUNCTION;
		else if (ks_opt_is(o, KS_OPT_KERNEL_NAME_BASE, "mangled"))
			s->sel.base = KS_NAMES_MANGLED;
	}
	s->sel.launch_skip = (uint64_t)ks_opt_int(o, KS_OPT_LAUNCH_SKIP);
	s->sel.launch_count = (uint64_t)ks_opt_int(o, KS_OPT_LAUNCH_COUNT);
	s->sel.skip_before_match = (uint64_t)ks_opt_int(o, KS_OPT_LAUNCH_SKIP_BEFORE_MATCH);
	s->sel.count_globally = app->ncu_mode;
	s->sel.dtype = ks_str_c(ks_opt_text(o, KS_OPT_KS_DTYPE));
	s->sel.window_mode = ks_str_c(ks_opt_text(o, KS_OPT_KS_WINDOW));
	s->sel.ledger_basis = ledger_basis(o);
	s->sel.asked_cost = ks_opt_on(o, KS_OPT_COST);
	s->sel.warmup_s = ks_opt_real(o, KS_OPT_KS_WARMUP);
	s->sel.window_s = ks_opt_real(o, KS_OPT_KS_WINDOW_S);
}

enum ks_status ks_choose(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	choose_kernels(app, s);
	KS_TRY(check_pattern(s->sel.kernel, err));
	KS_TRY(choose_sections(s, err));
	KS_TRY(choose_devices(app, s, err));
	return choose_metrics(app, s, err);
}
