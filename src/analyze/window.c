/* SPDX-License-Identifier: Apache-2.0
 *
 * What --within means, as far as its text tells. Whether the trace has such a range, such steps or
 * such a time is seen when it is read.
 */
#include "analyze/window.h"

#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

static enum ks_status bad(ks_str text, enum ks_text why, struct ks_err *err)
{
	char shown[KS_ERR_ARG_LEN];
	const size_t n = text.n < sizeof(shown) - 1 ? text.n : sizeof(shown) - 1;

	memcpy(shown, text.p, n);
	shown[n] = '\0';
	return ks_err_set(err, KS_E_USAGE, (int)why, shown, NULL);
}

static bool has_prefix(ks_str s, const char *prefix)
{
	const size_t n = strlen(prefix);

	return s.n >= n && memcmp(s.p, prefix, n) == 0;
}

static ks_str skip(ks_str s, size_t n)
{
	return (ks_str){ s.p + n, s.n - n };
}

/* Cuts s at the first "..". False when there is none. */
static bool cut_dots(ks_str s, ks_str *left, ks_str *right)
{
	for (size_t i = 0; i + 1 < s.n; i++) {
		if (s.p[i] != '.' || s.p[i + 1] != '.')
			continue;
		*left = (ks_str){ s.p, i };
		*right = skip(s, i + 2);
		return true;
	}
	return false;
}

/* --- times ---------------------------------------------------------------------------------------
 */

struct unit {
	const char *name;
	int digits; /* decimal places that are whole nanoseconds */
};

static const struct unit units[] = { { "ns", 0 }, { "us", 3 }, { "ms", 6 }, { "s", 9 }, { "", 0 } };

static const struct unit *unit_of(ks_str *number)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(units); i++) {
		const size_t n = strlen(units[i].name);

		if (number->n > n && memcmp(number->p + number->n - n, units[i].name, n) == 0) {
			number->n -= n;
			return &units[i];
		}
	}
	return NULL;
}

static bool add_digit(int64_t *value, int digit)
{
	return !__builtin_mul_overflow(*value, 10, value) &&
	       !__builtin_add_overflow(*value, digit, value);
}

/* A decimal number as nanoseconds, exactly: digits below a nanosecond are an error, never rounded
 * away. */
bool ks_window_time(ks_str text, ks_ns *ns)
{
	ks_str number = ks_str_trim(text);
	const bool negative = number.n > 0 && number.p[0] == '-';

	if (negative)
		number = skip(number, 1);
	const struct unit *u = unit_of(&number);
	int64_t value = 0;
	int places = -1; /* behind the point; -1: no point yet */
	bool any = false;

	if (!u)
		return false;
	for (size_t i = 0; i < number.n; i++) {
		const char c = number.p[i];

		if (c == '.' && places < 0) {
			places = 0;
			continue;
		}
		if (c < '0' || c > '9' || !add_digit(&value, c - '0'))
			return false;
		any = true;
		places += places >= 0;
	}
	for (int i = places < 0 ? 0 : places; i < u->digits; i++) {
		if (!add_digit(&value, 0))
			return false;
	}
	if (!any || places > u->digits || value >= INT64_C(1) << 62)
		return false;
	*ns = negative ? -value : value;
	return true;
}

static enum ks_status parse_times(ks_str text, struct ks_window_spec *spec, struct ks_err *err)
{
	ks_str left, right;

	if (!cut_dots(text, &left, &right))
		return bad(text, KS_TEXT_ERR_AN_WITHIN_FORM, err);
	spec->kind = KS_WINDOW_TIME;
	spec->from = spec->to = KS_UNKNOWN;
	if (ks_str_trim(left).n > 0 && !ks_window_time(left, &spec->from))
		return bad(left, KS_TEXT_ERR_AN_WITHIN_TIME, err);
	if (ks_str_trim(right).n > 0 && !ks_window_time(right, &spec->to))
		return bad(right, KS_TEXT_ERR_AN_WITHIN_TIME, err);
	if (spec->from == KS_UNKNOWN && spec->to == KS_UNKNOWN)
		return bad(text, KS_TEXT_ERR_AN_WITHIN_FORM, err);
	if (spec->from != KS_UNKNOWN && spec->to != KS_UNKNOWN && spec->from >= spec->to)
		return bad(text, KS_TEXT_ERR_AN_WITHIN_EMPTY, err);
	return KS_OK;
}

/* --- ranges and steps ----------------------------------------------------------------------------
 */

static bool parse_index(ks_str text, int64_t *n)
{
	return ks_num_parse_i64(text, n) && *n >= 0;
}

/* NAME[@DOMAIN][/N], read from behind, so that a name may hold both signs: a '/' that is not
 * followed by digits alone belongs to the name. */
static enum ks_status parse_range(ks_str text, struct ks_window_spec *spec, struct ks_err *err)
{
	ks_str rest = text;
	size_t at = rest.n;

	spec->kind = KS_WINDOW_RANGE;
	while (at > 0 && rest.p[at - 1] != '/')
		at--;
	if (at > 0 && parse_index(skip(rest, at), &spec->first))
		rest.n = at - 1;
	for (at = rest.n; at > 0 && rest.p[at - 1] != '@';)
		at--;
	if (at > 0) {
		spec->domain = skip(rest, at);
		rest.n = at - 1;
	}
	spec->name = rest;
	return rest.n > 0 ? KS_OK : bad(spec->text, KS_TEXT_ERR_AN_WITHIN_FORM, err);
}

static enum ks_status parse_steps(ks_str text, struct ks_window_spec *spec, struct ks_err *err)
{
	ks_str left = text, right = KS_STR_NONE;
	const bool several = cut_dots(text, &left, &right);

	spec->kind = KS_WINDOW_STEPS;
	if (!parse_index(left, &spec->first) || spec->first == INT64_MAX)
		return bad(text, KS_TEXT_ERR_AN_WITHIN_STEPS, err);
	spec->last = spec->first + 1;
	if (several && !parse_index(right, &spec->last))
		return bad(text, KS_TEXT_ERR_AN_WITHIN_STEPS, err);
	return spec->first < spec->last ? KS_OK : bad(spec->text, KS_TEXT_ERR_AN_WITHIN_EMPTY, err);
}

enum ks_status ks_window_parse(ks_str text, struct ks_window_spec *spec, struct ks_err *err)
{
	*spec = (struct ks_window_spec){ .kind = KS_WINDOW_ALL, .text = text };
	if (text.n == 0)
		return KS_OK;
	if (has_prefix(text, "nvtx:"))
		return parse_range(skip(text, 5), spec, err);
	if (has_prefix(text, "step:"))
		return parse_steps(skip(text, 5), spec, err);
	return parse_times(text, spec, err);
}
