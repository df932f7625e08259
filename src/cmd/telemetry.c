/* SPDX-License-Identifier: Apache-2.0
 *
 * --ks-telemetry: reads it before the recording, and says what of it is not used. A failure is a
 * state of the report; only where nothing else makes one is it an error.
 */
#include "source/telemetry.h"

#include "base/num.h"
#include "base/str.h"
#include "cmd/profile.h"

#define QUOTE_BYTES 80 /* of a faulty line */

static bool is_ours(ks_str name)
{
	return ks_str_starts(name, "meas__telemetry_") || ks_str_starts(name, "DCGM_FI_");
}

/* What --metrics names of it: its absence is then a row. */
static size_t wanted(struct ks_app *app, const struct ks_settings *s, const ks_str **names)
{
	ks_str *to = KS_ARENA_NEWS(&app->arena, ks_str, s->n_asked + 1);
	size_t n = 0;

	for (size_t i = 0; to != NULL && i < s->n_asked; i++)
		if (is_ours(s->asked[i].name))
			to[n++] = s->asked[i].name;
	*names = to;
	return n;
}

static ks_str reason(struct ks_app *app, const struct ks_telemetry *t)
{
	/* read to its end, and nothing in it is ours */
	const enum ks_tel_why why = t->why != KS_TEL_FINE ? t->why : KS_TEL_NO_SERIES;

	return ks_arena_fmt(&app->arena, "%s%s%.*s", ks_tel_why_word(why),
			    t->detail.n > 0 ? ":" : "", (int)t->detail.n, t->detail.p);
}

/* localhost:9400/metrics is what people write; a file of that name there is not. */
static bool looks_like_address(const struct ks_telemetry *t)
{
	return !t->from_url && t->why == KS_TEL_IO_ERROR && ks_str_eqc(t->detail, "ENOENT") &&
	       memchr(t->where.p, ':', t->where.n) != NULL;
}

static void say_failed(struct ks_app *app, const struct ks_telemetry *t)
{
	if (looks_like_address(t))
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_TEL_SCHEME, t->where.p, NULL);
	else
		ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_TEL_FAILED, t->where.p, reason(app, t).p,
			   NULL);
}

static void say_line(struct ks_app *app, const struct ks_tel_item *line)
{
	const bool cut = line->name.n > QUOTE_BYTES;
	const ks_str quote =
		ks_arena_fmt(&app->arena, "%.*s%s", (int)(cut ? QUOTE_BYTES : line->name.n),
			     line->name.p, cut ? "..." : "");
	char number[KS_NUM_LEN];

	ks_num_u64(number, line->n);
	ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_TEL_LINE, number, ks_tel_why_word(line->why),
		   quote.p, NULL);
}

/* The first faulty lines each, the rest by their number. */
static void say_lines(struct ks_app *app, const struct ks_telemetry *t)
{
	const uint64_t most = (uint64_t)ks_limit(KS_LIMIT_TELEMETRY_QUOTED);
	char number[KS_NUM_LEN];

	for (size_t i = 0; i < t->bad.n && i < most; i++)
		say_line(app, &t->bad.item[i]);
	if (t->bad.all <= most)
		return;
	ks_num_u64(number, t->bad.all - most);
	ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_TEL_LINES, number, NULL);
}

enum ks_status ks_profile_telemetry(struct ks_app *app, const struct ks_settings *s,
				    struct ks_selection *sel, struct ks_err *err)
{
	struct ks_tel_ask ask = {
		.where = s->telemetry,
		.timeout_s = ks_opt_real(&s->opts, KS_OPT_KS_TELEMETRY_TIMEOUT_S),
	};

	if (s->telemetry == NULL)
		return KS_OK;
	ask.n_wanted = wanted(app, s, &ask.wanted);
	KS_TRY(ks_telemetry_read(&app->ctx, &ask, &sel->telemetry, err));
	const struct ks_telemetry *t = sel->telemetry;

	say_lines(app, t);
	const bool alone = s->from == KS_FROM_NOTHING;

	if (t->probe != KS_TEL_FAILED && (t->n_readings > 0 || !alone))
		return KS_OK;
	if (alone)
		return ks_err_set(err, KS_E_INPUT,
				  looks_like_address(t) ? KS_TEXT_CMD_TEL_SCHEME
							: KS_TEXT_ERR_CMD_TEL_ALONE,
				  t->where.p, reason(app, t).p, NULL);
	say_failed(app, t);
	return KS_OK;
}
