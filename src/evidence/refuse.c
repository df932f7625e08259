/* SPDX-License-Identifier: Apache-2.0
 *
 * Refusal objects: made from a code and its defaults, inherited from inputs, merged, and forced on
 * a row by the sanity pass. A refusal keeps what was seen, what was needed and what to do.
 */
#include "base/num.h"
#include "base/shell.h"
#include "base/str.h"
#include "evidence/store_internal.h"
#include "evidence/value.h"

struct ks_msg ks_store_msg(struct ks_store *ev, enum ks_text id, ...)
{
	va_list ap;
	unsigned n = 0;

	va_start(ap, id);
	while (va_arg(ap, const char *))
		n++;
	va_end(ap);
	struct ks_msg m = { .id = id };

	if (n == 0)
		return m;
	ks_str *arg = KS_ARENA_NEWS(ev->arena, ks_str, n);

	if (!arg)
		return m;
	va_start(ap, id);
	for (unsigned i = 0; i < n; i++)
		arg[i] = ks_arena_dup(ev->arena, ks_str_c(va_arg(ap, const char *)));
	va_end(ap);
	m.n = n;
	m.arg = arg;
	return m;
}

static size_t count_pieces(ks_str s)
{
	size_t n = 0;

	for (ks_str rest = s; rest.p && rest.n > 0;) {
		(void)ks_str_cut(&rest, ',');
		n++;
	}
	return n;
}

void ks_store_words(struct ks_store *ev, const struct ks_command_words *words)
{
	ev->words = *words;
	memset(ev->remedy, 0, sizeof(ev->remedy));
}

/* A line of a screen holds it unbroken, and the hint of a packet (90 characters) all of it. */
#define KERNEL_WORD_MAX	 56
#define KERNEL_BEGIN_MAX 40

ks_str ks_kernel_word(struct ks_arena *a, ks_str name)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	ks_str word = ks_shell_quoted(a, name, KERNEL_WORD_MAX);
	size_t n = 0;

	while (n < name.n && n < KERNEL_BEGIN_MAX && name.p[n] != '\0' && strchr(plain, name.p[n]))
		n++;
	if (word.n > 0 || n == 0)
		return word;
	return ks_arena_fmt(a, "'regex:^%.*s'", (int)n, name.p);
}

ks_str ks_store_command(const struct ks_store *ev, enum ks_refusal code, ks_str kernel)
{
	const char *command = ks_refusal_info(code)->command;
	struct ks_command_words words = ev->words;
	struct ks_buf b;

	if (command[0] == '\0')
		return KS_STR_NONE;
	if (kernel.n > 0)
		words.kernel = kernel;
	ks_buf_init(&b, 1u << 16);
	ks_command_fill(&b, command, &words);
	ks_str text = ks_buf_keep(&b, ev->arena);

	ks_buf_release(&b);
	return text;
}

static const struct ks_remedy *default_remedy(struct ks_store *ev, enum ks_refusal code)
{
	if (ev->remedy[code])
		return ev->remedy[code];
	const struct ks_refusal_info *info = ks_refusal_info(code);
	ks_str list = ks_str_c(info->answers);
	size_t n = count_pieces(list);
	struct ks_remedy *r = KS_ARENA_NEW(ev->arena, struct ks_remedy);
	ks_str *answers = KS_ARENA_NEWS(ev->arena, ks_str, n);

	if (!r || !answers)
		return NULL;
	r->command = ks_store_command(ev, code, KS_STR_NONE);
	r->cost_s = info->cost_s;
	r->cost_kind = info->cost_kind;
	for (size_t i = 0; i < n; i++)
		answers[i] = ks_str_trim(ks_str_cut(&list, ','));
	r->answers = answers;
	r->n_answers = n;
	ev->remedy[code] = r;
	return r;
}

const struct ks_refused *ks_refused_make(struct ks_store *ev, const struct ks_refuse_spec *why)
{
	enum ks_refusal code = why->code;

	BUG_ON(code == KS_REFUSAL_NONE || (unsigned)code >= KS_REFUSAL_COUNT);
	if (code == KS_REFUSAL_NONE || (unsigned)code >= KS_REFUSAL_COUNT)
		code = KS_REFUSAL_INTERNAL_UNKNOWN;
	const struct ks_remedy *remedy = default_remedy(ev, code);

	if (!remedy)
		return NULL;
	struct ks_refused r = {
		.code = code,
		.severity = why->degraded ? KS_SEV_DEGRADED : ks_refusal_info(code)->severity,
		.message = why->message,
		.observed = why->observed,
		.n_observed = why->n_observed,
		.threshold = why->threshold,
		.n_threshold = why->n_threshold,
		.remedy = *remedy,
		.rule = why->rule,
	};

	if (why->action.id != KS_TEXT_NONE)
		r.remedy.action = why->action;
	if (why->command.n > 0)
		r.remedy.command = why->command;
	if (why->has_cost) {
		r.remedy.cost_s = why->cost_s;
		r.remedy.cost_kind = why->cost_kind;
	}
	return ks_store_refusal(ev, &r);
}

const struct ks_refused *ks_refused_broken(struct ks_store *ev, const char *rule)
{
	struct ks_kv observed = { KS_LIT("rule"), KS_VAL_TEXT(ks_str_c(rule)) };

	return ks_refused_make(
		ev, &(struct ks_refuse_spec){
			    .code = KS_REFUSAL_INTERNAL_UNKNOWN,
			    .message = ks_store_msg(ev, KS_TEXT_EV_RULE_BROKEN, rule, NULL),
			    .observed = &observed,
			    .n_observed = 1,
			    .rule = ks_str_c(rule),
		    });
}

const struct ks_refused *ks_refused_copy(struct ks_store *ev, const struct ks_refused *src)
{
	struct ks_refused r = *src;

	if (!ks_refused_is_slug(r.read_code))
		r.read_code = KS_STR_NONE;
	r.causes = NULL; /* ids of another store mean nothing here */
	r.n_causes = 0;
	return ks_store_refusal(ev, &r);
}

void ks_store_refuse_row(struct ks_store *ev, struct ks_ev *row, const struct ks_refused *why)
{
	if (!why) {
		ev->no_memory = true;
		return;
	}
	row->value = KS_VAL_NONE;
	row->unit = KS_UNIT_NONE;
	if (row->metric != KS_METRIC_NONE)
		row->unit = ks_metric_info(row->metric)->unit;
	row->prov = KS_PROV_UNAVAILABLE;
	row->has_resolution = false;
	row->resolution = 0.0;
	row->refused = why;
}

/* --- inheriting and merging (contract 02 §2, §3) ---------------------------------------------- */

static bool same_cause(const struct ks_refused *a, const struct ks_refused *b)
{
	return a == b || (a->code == b->code && ks_msg_same(&a->message, &b->message));
}

struct causes {
	const struct ks_store *ev;
	const struct ks_refused *first;
	ks_id *id;
	size_t n;
};

static void add_cause(struct causes *c, ks_id id)
{
	const struct ks_ev *row = ks_store_row(c->ev, id);

	if (!row || !row->refused || same_cause(row->refused, c->first))
		return;
	for (size_t i = 0; i < c->n; i++)
		if (same_cause(ks_store_row(c->ev, c->id[i])->refused, row->refused))
			return;
	c->id[c->n++] = id;
}

/* How many entries the merged list can have at most; 0 when the first refusal says it all. */
static size_t most_causes(const struct ks_store *ev, const ks_id *input, size_t n,
			  const struct ks_refused *first)
{
	size_t most = first->n_causes;
	bool others = false;

	for (size_t i = 0; i < n; i++) {
		const struct ks_ev *row = ks_store_row(ev, input[i]);

		if (!row || !row->refused || row->refused == first)
			continue;
		others = true;
		most += 1 + row->refused->n_causes;
	}
	return others ? most : 0;
}

const struct ks_refused *ks_refused_of_inputs(struct ks_store *ev, const ks_id *input, size_t n)
{
	const struct ks_refused *first = NULL;

	for (size_t i = 0; i < n && !first; i++)
		first = ks_store_row(ev, input[i])->refused;
	if (!first)
		return NULL;
	size_t most = most_causes(ev, input, n, first);

	if (most == 0)
		return first;
	struct causes c = { .ev = ev, .first = first, .id = KS_ARENA_NEWS(ev->arena, ks_id, most) };
	struct ks_refused *merged = KS_ARENA_NEW(ev->arena, struct ks_refused);

	if (!c.id || !merged)
		return first; /* the arena is sticky now: the row is not kept */
	for (size_t i = 0; i < first->n_causes; i++)
		add_cause(&c, first->causes[i]);
	for (size_t i = 0; i < n; i++) {
		const struct ks_refused *r = ks_store_row(ev, input[i])->refused;

		add_cause(&c, input[i]);
		for (size_t j = 0; r && j < r->n_causes; j++)
			add_cause(&c, r->causes[j]);
	}
	if (c.n == 0)
		return first;
	*merged = *first;
	merged->causes = c.id;
	merged->n_causes = c.n;
	return merged;
}

/* --- the sanity pass -------------------------------------------------------------------------- */

static void add_arg(struct ks_store *ev, ks_str *arg, const struct ks_value *v)
{
	struct ks_buf b;

	ks_buf_init(&b, 1u << 16);
	ks_value_text(&b, v);
	*arg = ks_buf_keep(&b, ev->arena);
	ks_buf_release(&b);
}

static const struct ks_refused *inconsistent(struct ks_store *ev, ks_str rule, struct ks_kv a,
					     struct ks_kv b)
{
	struct ks_kv observed[2] = { { KS_LIT("rule"), KS_VAL_TEXT(rule) }, a };
	ks_str arg[5] = { rule, a.key, KS_STR_NONE, b.key, KS_STR_NONE };

	add_arg(ev, &arg[2], &a.value);
	add_arg(ev, &arg[4], &b.value);
	return ks_refused_make(
		ev, &(struct ks_refuse_spec){
			    .code = KS_REFUSAL_INCONSISTENT_EVIDENCE,
			    .message = { .id = KS_TEXT_EV_INCONSISTENT, .n = 5, .arg = arg },
			    .observed = observed,
			    .n_observed = 2,
			    .threshold = &b,
			    .n_threshold = 1,
			    .rule = rule,
		    });
}

void ks_ev_condemn(struct ks_store *ev, ks_id id, ks_str rule, struct ks_kv a, struct ks_kv b)
{
	struct ks_ev *row = ks_store_row(ev, id);

	if (ks_store_sticky(ev) || !row || row->refused)
		return;
	const struct ks_refused *why = inconsistent(ev, rule, a, b);

	ks_store_refuse_row(ev, row, why);
	if (ks_store_sticky(ev))
		return;
	/* Inputs always have smaller ids than what was made from them: one pass reaches everything.
	 */
	for (ks_id next = id + 1; next <= ev->n; next++) {
		struct ks_ev *later = ks_store_row(ev, next);

		for (size_t i = 0; !later->refused && i < later->n_inputs; i++)
			if (ks_store_row(ev, later->inputs[i])->refused == why)
				ks_store_refuse_row(ev, later, why);
	}
}

/* --- text ------------------------------------------------------------------------------------- */

bool ks_refused_is_slug(ks_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
			return false;
	}
	return s.n > 0 && s.n <= 40;
}

ks_str ks_refused_slug(const struct ks_refused *r)
{
	return r->read_code.n > 0 ? r->read_code : ks_str_c(ks_refusal_info(r->code)->slug);
}

static void one_message(const struct ks_refused *r, enum ks_lang lang, struct ks_buf *out)
{
	if (r->message.id == KS_TEXT_NONE)
		ks_buf_cstr(out, ks_refusal_info(r->code)->title[lang]);
	else
		ks_msg_fmt(out, lang, &r->message);
}

void ks_refused_message(const struct ks_store *ev, const struct ks_refused *r, enum ks_lang lang,
			struct ks_buf *out)
{
	one_message(r, lang, out);
	for (size_t i = 0; ev && i < r->n_causes; i++) {
		const struct ks_ev *row = ks_ev_get(ev, r->causes[i]);

		if (!row || !row->refused)
			continue;
		ks_buf_cstr(out, ks_text_get(KS_TEXT_EV_SEPARATOR, lang));
		one_message(row->refused, lang, out);
	}
}

void ks_refused_action(const struct ks_refused *r, enum ks_lang lang, struct ks_buf *out)
{
	if (r->remedy.action.id == KS_TEXT_NONE)
		ks_buf_cstr(out, ks_refusal_info(r->code)->action[lang]);
	else
		ks_msg_fmt(out, lang, &r->remedy.action);
}
