/* SPDX-License-Identifier: Apache-2.0
 *
 * Strings and line pieces for people. Everything that came from an input goes through ks_term_text,
 * and its width is that of the escaped form.
 */
#include "render/pen.h"

#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "evidence/value.h"
#include "render/fit.h"

/* Kernel names may be megabytes long; a text that holds one must still fit. */
#define PEN_TEXT_MAX ((size_t)256 << 20)

static ks_str take(struct ks_pen *p, struct ks_buf *b)
{
	ks_str s = ks_buf_keep(b, p->tmp);

	ks_buf_release(b);
	return s;
}

ks_str ks_pen_text(struct ks_pen *p, enum ks_text id, unsigned n, const ks_str *arg)
{
	struct ks_buf b;

	if (n == 0)
		return ks_str_c(ks_text_get(id, p->lang));
	ks_buf_init(&b, PEN_TEXT_MAX);
	ks_text_fmt(&b, p->lang, id, n, arg);
	return take(p, &b);
}

ks_str ks_pen_msg(struct ks_pen *p, const struct ks_msg *m)
{
	struct ks_buf b;

	if (m->id == KS_TEXT_NONE)
		return KS_LIT("");
	ks_buf_init(&b, PEN_TEXT_MAX);
	ks_msg_fmt(&b, p->lang, m);
	return take(p, &b);
}

/* Durations inside a message carry the micro sign; a terminal without UTF-8 gets its spelling. */
static ks_str plain_micro(struct ks_pen *p, ks_str arg)
{
	const ks_str micro = KS_LIT(" \xc2\xb5s");

	if (p->term->utf8 || !ks_str_ends(arg, " \xc2\xb5s") || arg.p[0] < '0' || arg.p[0] > '9')
		return arg;
	arg.n -= micro.n;
	return ks_pen_cat(p, arg, KS_LIT(" us"));
}

ks_str ks_pen_msg_short(struct ks_pen *p, const struct ks_msg *m, size_t cols)
{
	if (m->id == KS_TEXT_LITERAL || m->n == 0)
		return ks_pen_msg(p, m);
	ks_str *arg = KS_ARENA_NEWS(p->tmp, ks_str, m->n);

	if (arg == NULL)
		return KS_LIT("");
	for (unsigned i = 0; i < m->n; i++)
		arg[i] = ks_pen_name(p, plain_micro(p, m->arg[i]), cols, KS_LIT(""));
	struct ks_msg shorter = { .id = m->id, .n = m->n, .arg = arg };

	return ks_pen_msg(p, &shorter);
}

ks_str ks_pen_refused_message(struct ks_pen *p, const struct ks_store *ev,
			      const struct ks_refused *r)
{
	struct ks_buf b;

	ks_buf_init(&b, PEN_TEXT_MAX);
	ks_refused_message(ev, r, p->lang, &b);
	return take(p, &b);
}

ks_str ks_pen_refused_action(struct ks_pen *p, const struct ks_refused *r)
{
	struct ks_buf b;

	ks_buf_init(&b, PEN_TEXT_MAX);
	ks_refused_action(r, p->lang, &b);
	return take(p, &b);
}

ks_str ks_pen_cost(struct ks_pen *p, enum ks_cost_kind kind, double cost_s)
{
	if (kind == KS_COST_IMPOSSIBLE)
		return KS_PEN_WORD(p, KS_TEXT_R_COST_IMPOSSIBLE);
	if (kind == KS_COST_MANUAL)
		return KS_PEN_WORD(p, KS_TEXT_R_COST_MANUAL);
	if (cost_s <= 0.0)
		return KS_PEN_WORD(p, KS_TEXT_R_COST_NONE);
	if (cost_s < 90.0)
		return KS_PEN_SAY(p, KS_TEXT_R_COST_SECONDS, ks_pen_real(p, cost_s));
	return KS_PEN_SAY(p, KS_TEXT_R_COST_MINUTES, ks_pen_fixed(p, cost_s / 60.0, 0));
}

ks_str ks_pen_i64(struct ks_pen *p, int64_t v)
{
	char text[KS_NUM_LEN];

	return ks_arena_dup(p->tmp, (ks_str){ text, ks_num_i64(text, v) });
}

ks_str ks_pen_u64(struct ks_pen *p, uint64_t v)
{
	char text[KS_NUM_LEN];
	size_t n = v <= INT64_MAX ? ks_num_grouped(text, (int64_t)v) : ks_num_u64(text, v);

	return ks_arena_dup(p->tmp, (ks_str){ text, n });
}

ks_str ks_pen_real(struct ks_pen *p, double v)
{
	char text[KS_NUM_LEN];

	return ks_arena_dup(p->tmp, (ks_str){ text, ks_num_human(text, v) });
}

ks_str ks_pen_fixed(struct ks_pen *p, double v, int decimals)
{
	ks_str digits = ks_arena_fmt(p->tmp, "%.*f", decimals, v);
	size_t whole = 0, sign = digits.n > 0 && digits.p[0] == '-';
	struct ks_buf b;

	while (whole < digits.n && digits.p[whole] != '.')
		whole++;
	ks_buf_init(&b, PEN_TEXT_MAX);
	for (size_t i = 0; i < digits.n; i++) {
		if (i > sign && i < whole && (whole - i) % 3 == 0)
			ks_buf_ch(&b, ',');
		ks_buf_ch(&b, digits.p[i]);
	}
	return take(p, &b);
}

/* Four significant digits, the fewest zeros: 4.755, 12.35, 123.5. */
static int decimals_of(double v)
{
	return v >= 1000.0 ? 0 : v >= 100.0 ? 1 : v >= 10.0 ? 2 : 3;
}

ks_str ks_pen_duration(struct ks_pen *p, ks_ns ns)
{
	static const struct {
		double from, per;
		const char *utf8, *ascii;
	} unit[] = {
		{ 1e9, 1e9, "s", "s" },
		{ 1e6, 1e6, "ms", "ms" },
		{ 1e3, 1e3, "\xc2\xb5s", "us" },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(unit); i++) {
		double v = (double)ns / unit[i].per;

		if ((double)ns < unit[i].from)
			continue;
		return ks_arena_fmt(p->tmp, "%s %s", ks_pen_fixed(p, v, decimals_of(v)).p,
				    p->term->utf8 ? unit[i].utf8 : unit[i].ascii);
	}
	return ks_arena_fmt(p->tmp, "%lld ns", (long long)ns);
}

ks_str ks_pen_bytes(struct ks_pen *p, uint64_t n)
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	double v = (double)n;
	size_t i = 0;

	while (v >= 1000.0 && i + 1 < KS_ARRAY_LEN(unit)) {
		v /= 1000.0;
		i++;
	}
	return ks_arena_fmt(p->tmp, "%s %s", ks_pen_fixed(p, v, i == 0 ? 0 : decimals_of(v)).p,
			    unit[i]);
}

/* Names inside lists of a packet are whole; here a list stays readable. */
#define NESTED_COLS  60
#define NESTED_DEPTH 4

static void value_text(struct ks_pen *p, struct ks_buf *b, const struct ks_value *v, int depth);

static void nested_text(struct ks_pen *p, struct ks_buf *b, const struct ks_value *v, int depth)
{
	bool object = v->kind == KS_V_OBJECT;

	if (depth > NESTED_DEPTH) {
		ks_buf_cstr(b, "...");
		return;
	}
	ks_buf_ch(b, object ? '{' : '[');
	for (size_t i = 0; i < v->n; i++) {
		ks_buf_cstr(b, i == 0 ? "" : object ? " " : ", ");
		if (object) {
			ks_buf_str(b, v->field[i].key);
			ks_buf_ch(b, '=');
		}
		value_text(p, b, object ? &v->field[i].value : &v->item[i], depth);
	}
	ks_buf_ch(b, object ? '}' : ']');
}

static void value_text(struct ks_pen *p, struct ks_buf *b, const struct ks_value *v, int depth)
{
	char text[KS_NUM_LEN];

	if (v->kind == KS_V_REAL)
		ks_buf_add(b, text, ks_num_human(text, v->d));
	else if (v->kind == KS_V_ARRAY || v->kind == KS_V_OBJECT)
		nested_text(p, b, v, depth + 1);
	else if (v->kind == KS_V_TEXT && depth > 0)
		ks_buf_str(b, ks_pen_name(p, v->s, NESTED_COLS, KS_LIT("")));
	else
		ks_value_text(b, v);
}

ks_str ks_pen_value(struct ks_pen *p, const struct ks_value *v)
{
	struct ks_buf b;

	ks_buf_init(&b, PEN_TEXT_MAX);
	value_text(p, &b, v, 0);
	return take(p, &b);
}

ks_str ks_pen_kvs(struct ks_pen *p, const struct ks_kv *kv, size_t n)
{
	struct ks_buf b;

	ks_buf_init(&b, PEN_TEXT_MAX);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			ks_buf_cstr(&b, ks_pen_dot(p));
		ks_buf_str(&b, kv[i].key);
		ks_buf_ch(&b, '=');
		if (kv[i].value.kind == KS_V_NONE)
			ks_buf_cstr(&b, ks_text_get(KS_TEXT_R_UNREADABLE, p->lang));
		value_text(p, &b, &kv[i].value, 0);
	}
	return take(p, &b);
}

ks_str ks_pen_name(struct ks_pen *p, ks_str name, size_t cols, ks_str apart)
{
	const struct ks_fit fit = { .cols = cols, .utf8 = p->term->utf8, .apart = apart };
	struct ks_buf b;

	if (ks_utf8_columns(name) <= cols)
		return name;
	ks_buf_init(&b, PEN_TEXT_MAX);
	ks_fit_name(&b, &fit, name);
	return take(p, &b);
}

ks_str ks_pen_cat(struct ks_pen *p, ks_str a, ks_str b)
{
	struct ks_buf both;

	ks_buf_init(&both, PEN_TEXT_MAX);
	ks_buf_str(&both, a);
	ks_buf_str(&both, b);
	return take(p, &both);
}

const char *ks_pen_dot(const struct ks_pen *p)
{
	return p->term->utf8 ? " \xc2\xb7 " : " | ";
}

void ks_pen_put(struct ks_pen *p, enum ks_style style, ks_str s)
{
	if (style != KS_STYLE_PLAIN)
		ks_term_style(p->term, p->out, style);
	ks_term_text(p->out, s);
	if (style != KS_STYLE_PLAIN)
		ks_term_style(p->term, p->out, KS_STYLE_PLAIN);
}

void ks_pen_put_c(struct ks_pen *p, enum ks_style style, const char *s)
{
	ks_pen_put(p, style, ks_str_c(s));
}

size_t ks_pen_label(struct ks_pen *p, size_t indent, enum ks_text label)
{
	ks_str word = KS_PEN_WORD(p, label);
	/* a full-width colon brings its own blank */
	bool blank = word.n > 0 && (word.p[word.n - 1] & 0x80) == 0;

	ks_pen_spaces(p, indent);
	ks_pen_put(p, KS_STYLE_DIM, word);
	if (blank)
		ks_pen_spaces(p, 1);
	return indent + ks_utf8_columns(word) + blank;
}

void ks_pen_labelled(struct ks_pen *p, size_t indent, enum ks_text label, ks_str text)
{
	if (text.n == 0)
		return;
	const struct ks_wrap how = { .at = ks_pen_label(p, indent, label), .hang = indent + 2 };

	ks_pen_wrap(p, &how, text);
}

void ks_pen_spaces(struct ks_pen *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ks_out_ch(p->out, ' ');
}

void ks_pen_rule(struct ks_pen *p, size_t cols)
{
	ks_term_style(p->term, p->out, KS_STYLE_DIM);
	for (size_t i = 0; i < cols; i++)
		ks_out_cstr(p->out, p->term->utf8 ? "\xe2\x94\x80" : "-");
	ks_term_style(p->term, p->out, KS_STYLE_PLAIN);
	ks_pen_nl(p);
}

void ks_pen_nl(struct ks_pen *p)
{
	ks_out_ch(p->out, '\n');
	p->lines++;
}

void ks_pen_cell(struct ks_pen *p, enum ks_style style, ks_str s, size_t cols, bool right)
{
	if (style != KS_STYLE_PLAIN)
		ks_term_style(p->term, p->out, style);
	ks_term_cell(p->term, p->out, s, cols, right);
	if (style != KS_STYLE_PLAIN)
		ks_term_style(p->term, p->out, KS_STYLE_PLAIN);
}

enum ks_status ks_pen_done(struct ks_pen *p, struct ks_err *err)
{
	if (ks_arena_failed(p->tmp))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL);
	return KS_OK;
}
