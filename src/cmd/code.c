/* SPDX-License-Identifier: Apache-2.0
 *
 * --ks-cubin: files of device code beside a recording, or alone. What cannot be read is said and
 * left out, as long as something is left to report on.
 */
#include "base/str.h"
#include "cmd/profile.h"
#include "source/cubin.h"

static const struct ks_optval *files(const struct ks_settings *s)
{
	return s->opts.opt[KS_OPT_KS_CUBIN].first;
}

void ks_code_source(struct ks_settings *s)
{
	if (s->from != KS_FROM_NONE || s->opts.n_rest > 0 || files(s) == NULL)
		return;
	s->from = KS_FROM_CODE;
	s->path = files(s)->text;
}

void ks_code_sections(struct ks_app *app, struct ks_settings *s)
{
	s->sel.code_alone = s->from == KS_FROM_CODE;
	if (files(s) == NULL)
		return;
	if (s->from == KS_FROM_IMPORT)
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CODE_REREAD, NULL);
	else if (!s->sections_chosen)
		s->sel.section_on[KS_SECTION_INSTRUCTIONSTATS] = true;
}

static void say_left_out(struct ks_app *app, const struct ks_err *why)
{
	const char *arg[KS_ERR_ARGS] = { NULL };

	for (size_t i = 0; i < why->n_args; i++)
		arg[i] = why->arg[i];
	ks_app_say(app, KS_LOG_WARN, (enum ks_text)why->text, arg[0], arg[1], arg[2], arg[3], NULL);
	ks_app_say(app, KS_LOG_WARN, KS_TEXT_CODE_LEFT_OUT, NULL);
}

static enum ks_status read_files(struct ks_app *app, const struct ks_settings *s,
				 struct ks_code *code, struct ks_err *err)
{
	const bool alone = s->from == KS_FROM_CODE;

	for (const struct ks_optval *v = files(s); v != NULL; v = v->next) {
		struct ks_err why;

		ks_err_init(&why);
		if (ks_cubin_read(&app->ctx, v->text, code, &why) == KS_OK)
			continue;
		if (why.status == KS_E_ENV || (alone && v->next == NULL && code->n_files == 0)) {
			*err = why;
			return why.status;
		}
		say_left_out(app, &why);
	}
	return KS_OK;
}

enum ks_status ks_code_read(struct ks_app *app, const struct ks_settings *s, struct ks_profile *p,
			    struct ks_selection *sel, struct ks_err *err)
{
	if (files(s) == NULL)
		return KS_OK;
	ks_code_init(&p->code, &app->arena);
	KS_TRY(read_files(app, s, &p->code, err));
	if (p->code.n_files == 0)
		return KS_OK;
	if (s->sel.section_on[KS_SECTION_INSTRUCTIONSTATS])
		KS_TRY(ks_sass_read(&app->ctx, &p->code, ks_limit(KS_LIMIT_SASS_WAIT_MS), err));
	sel->code = &p->code;
	return KS_OK;
}
