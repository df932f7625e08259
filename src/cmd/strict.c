/* SPDX-License-Identifier: Apache-2.0
 *
 * Says what --strict found. Which options have no effect is known here; what a report lacks is
 * decided in verdict/strict.c.
 */
#include "cmd/strict.h"

#include "base/num.h"
#include "base/str.h"
#include "verdict/strict.h"

struct strict {
	struct ks_app *app;
	const struct ks_settings *s;
	unsigned violations;
};

static void say(struct strict *st, enum ks_text text, const char *a, const char *b)
{
	st->violations++;
	ks_app_say(st->app, KS_LOG_STRICT, text, a, b, NULL);
}

/* 1: an option of ncu that has no effect here. */
static void rule_inert(struct strict *st)
{
	for (int id = KS_OPT_NONE + 1; id < KS_OPT_COUNT; id++) {
		const struct ks_option_info *info = ks_option_info((enum ks_option)id);

		if (info->ncu == KS_NCU_INERT && ks_opt_on(&st->s->opts, (enum ks_option)id))
			say(st, KS_TEXT_CMD_STRICT_INERT, info->name, NULL);
	}
}

/* 6: a page that cannot be given. */
static void rule_page(struct strict *st)
{
	if (ks_opt_is(&st->s->opts, KS_OPT_PAGE, "source"))
		say(st, KS_TEXT_CMD_STRICT_PAGE, NULL, NULL);
}

static bool was_given(const struct ks_settings *s, const enum ks_option *id, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ks_opt_on(&s->opts, id[i]))
			return true;
	return false;
}

/* 2 to 5 and 7. False: no memory. */
static bool rules_of_report(struct strict *st, const struct ks_report *report)
{
	static const enum ks_option ledger[] = { KS_OPT_KS_LEDGER_MB, KS_OPT_KS_LEDGER_TOTAL_MB,
						 KS_OPT_KS_LEDGER_RANGE_MB };
	static const enum ks_option price[] = { KS_OPT_KS_PRICE_PER_KWH, KS_OPT_KS_PRICE_PER_HOUR };
	static const enum ks_option tokens[] = { KS_OPT_KS_TOKENS };
	const struct ks_settings *s = st->s;
	struct ks_strict_name *name =
		KS_ARENA_NEWS(&st->app->arena, struct ks_strict_name, s->n_asked);
	size_t n = 0;

	if (name == NULL)
		return false;
	for (size_t i = 0; i < s->n_asked; i++)
		name[i] = (struct ks_strict_name){ s->asked[i].given, s->asked[i].name,
						   s->asked[i].ncu };
	const struct ks_strict_ask ask = {
		.metric = name,
		.n_metrics = s->n_asked,
		.section_on = s->sel.section_on,
		.ledger = was_given(s, ledger, KS_ARRAY_LEN(ledger)),
		.price = was_given(s, price, KS_ARRAY_LEN(price)),
		.tokens = was_given(s, tokens, KS_ARRAY_LEN(tokens)),
	};
	const struct ks_violation *v =
		ks_strict_violations(report, &ask, ks_app_lang(st->app), &st->app->arena, &n);

	for (size_t i = 0; v != NULL && i < n; i++)
		say(st, v[i].text, v[i].a.p, v[i].b.p);
	return v != NULL;
}

enum ks_status ks_strict_check(struct ks_app *app, const struct ks_settings *s,
			       const struct ks_report *report, struct ks_err *err)
{
	struct strict st = { app, s, 0 };
	char count[KS_NUM_LEN];

	if (!s->strict)
		return KS_OK;
	rule_inert(&st);
	if (report != NULL && !rules_of_report(&st, report))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	rule_page(&st);
	if (st.violations == 0)
		return KS_OK;
	(void)ks_num_u64(count, st.violations);
	return ks_err_set(err, KS_E_STRICT, KS_TEXT_ERR_CMD_STRICT, count, NULL);
}
