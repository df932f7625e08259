/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of metrics.def and how a name finds its row, instances of families included.
 */
#include "tables/tables.h"
#include "tables/find.h"
#define KS_LOOKUP_METRIC
#include "tables/lookup.h"

#define VALUE_NUMBER false
#define VALUE_TEXT   true
#define ROW(id, family, nm, un, pr, sec, own, st, ref, kind, snc, form, en, zh)                    \
	[KS_METRIC_##id] = { .name = (nm),                                                         \
			     .is_pattern = (family),                                               \
			     .unit = KS_UNIT_##un,                                                 \
			     .prov = KS_PROV_##pr,                                                 \
			     .section = KS_SECTION_##sec,                                          \
			     .owner = KS_OWNER_##own,                                              \
			     .state = KS_STATE_##st,                                               \
			     .planned_refusal = KS_REFUSAL_##ref,                                  \
			     .is_text = VALUE_##kind,                                              \
			     .formula = (form),                                                    \
			     .what = { (en), (zh) },                                               \
			     .since = (snc) },

static const struct ks_metric_info metrics[KS_METRIC_COUNT] = {
	[KS_METRIC_NONE] = { .name = "",
			     .prov = KS_PROV_UNAVAILABLE,
			     .planned_refusal = KS_REFUSAL_METRIC_ABSENT,
			     .formula = "",
			     .what = { "", "" },
			     .since = "" },
#define KS_METRIC(id, ...)	  ROW(id, false, __VA_ARGS__)
#define KS_METRIC_FAMILY(id, ...) ROW(id, true, __VA_ARGS__)
#include "tables/metrics.def"
#undef KS_METRIC
};

const struct ks_metric_info *ks_metric_info(enum ks_metric id)
{
	return &metrics[(unsigned)id < KS_METRIC_COUNT ? id : KS_METRIC_NONE];
}

static const char *metric_name(unsigned id)
{
	return metrics[id].name;
}

/* What may stand for a placeholder. */
enum slot { SLOT_NUMBER, SLOT_LABEL, SLOT_ANY };

static enum slot slot_of(ks_str word)
{
	if (word.n == 1 && strchr("NSPI", word.p[0]))
		return SLOT_NUMBER;
	return word.n == 4 && !memcmp(word.p, "SIZE", 4) ? SLOT_LABEL : SLOT_ANY;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_label(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z');
}

/* Length of a number or "unknown" at the front of `s`; 0 if there is none. */
static size_t number_len(ks_str s)
{
	static const char unknown[] = "unknown";
	size_t i = s.n && s.p[0] == '-' ? 1 : 0;
	const size_t sign = i;

	while (i < s.n && is_digit(s.p[i]))
		i++;
	if (i > sign)
		return i;
	if (s.n >= sizeof(unknown) - 1 && !memcmp(s.p, unknown, sizeof(unknown) - 1))
		return sizeof(unknown) - 1;
	return 0;
}

static ks_str drop_front(ks_str s, size_t n)
{
	return (ks_str){ s.p + n, s.n - n };
}

/* Takes literals and numbers off the fronts of both for as long as they agree; stops in front of a
 * slot of another kind. False: they disagree. */
static bool match_front(ks_str *pattern, ks_str *name)
{
	while (pattern->n) {
		if (pattern->p[0] != '{') {
			if (!name->n || name->p[0] != pattern->p[0])
				return false;
			*pattern = drop_front(*pattern, 1);
			*name = drop_front(*name, 1);
			continue;
		}
		const char *end = memchr(pattern->p, '}', pattern->n);
		const size_t len = (size_t)(end - pattern->p) + 1;

		if (slot_of((ks_str){ pattern->p + 1, len - 2 }) != SLOT_NUMBER)
			return true;
		const size_t got = number_len(*name);

		if (!got)
			return false;
		*pattern = drop_front(*pattern, len);
		*name = drop_front(*name, got);
	}
	return true;
}

/* The same from the backs, for literals and labels: stops behind the slot that takes any name. */
static bool match_back(ks_str *pattern, ks_str *name)
{
	while (pattern->n) {
		if (pattern->p[pattern->n - 1] != '}') {
			if (!name->n || name->p[name->n - 1] != pattern->p[pattern->n - 1])
				return false;
			pattern->n--;
			name->n--;
			continue;
		}
		size_t at = pattern->n - 1;
		size_t got = 0;

		while (pattern->p[at] != '{')
			at--;
		if (slot_of((ks_str){ pattern->p + at + 1, pattern->n - at - 2 }) != SLOT_LABEL)
			return true;
		while (got < name->n && is_label(name->p[name->n - 1 - got]))
			got++;
		if (!got)
			return false;
		pattern->n = at;
		name->n -= got;
	}
	return true;
}

/* A family has at most one slot that takes any name, so one pass from each side decides. */
static bool is_instance(const char *family, ks_str name)
{
	ks_str pattern = { family, strlen(family) };

	if (!match_front(&pattern, &name))
		return false;
	if (!pattern.n)
		return !name.n;
	if (!match_back(&pattern, &name))
		return false;
	return pattern.n && name.n;
}

enum ks_metric ks_metric_find(ks_str name)
{
	const size_t at =
		ks_find_sorted(sorted_metrics, KS_ARRAY_LEN(sorted_metrics), metric_name, name);

	if (at != SIZE_MAX)
		return (enum ks_metric)sorted_metrics[at];
	for (size_t i = 0; i < KS_ARRAY_LEN(metric_patterns); i++) {
		const char *family = metrics[metric_patterns[i]].name;

		if (!ks_name_cmp(name, family) || is_instance(family, name))
			return (enum ks_metric)metric_patterns[i];
	}
	return KS_METRIC_NONE;
}
