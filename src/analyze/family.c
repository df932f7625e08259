/* SPDX-License-Identifier: Apache-2.0
 *
 * Rules anchored at the start of a qualified name. A pattern has at most one star, which stands for
 * letters, digits and underscores, so that a name costs its length for each rule and no more.
 */
#include "analyze/family.h"

#include "analyze/analysis.h"
#include "base/mem.h"
#include "base/str.h"
#include "tables/tables.h"

#define SLUG_MOST 32

struct rule {
	enum ks_family family;
	const char *prefix, *part;
};
static const struct rule rules[] = {
#define KS_FAMILY_RULE(family, prefix, part) { KS_FAMILY_##family, prefix, part },
#include "tables/kclass.def"
};

struct user_rule {
	uint32_t family;
	ks_str pattern;
	struct ks_matcher *regex; /* NULL: a prefix */
	bool seen;
};

struct ks_families {
	const ks_str *rule; /* as given */
	struct user_rule *user;
	size_t n_user;
	struct ks_family_sum *sum;
	size_t n;
	struct ks_buf plain;
};

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "families", NULL);
}

/* --- the user's rules ----------------------------------------------------------------------------
 */

/* The matcher speaks of -k. */
static enum ks_status about_family(const struct ks_err *why, enum ks_status st, struct ks_err *err)
{
	if (why->text == KS_TEXT_ERR_AN_BAD_PATTERN)
		return ks_err_set(err, st, KS_TEXT_ERR_AN_FAMILY_PATTERN, why->arg[0], why->arg[1],
				  why->arg[2], NULL);
	if (why->text == KS_TEXT_ERR_AN_PATTERN_COST)
		return ks_err_set(err, st, KS_TEXT_ERR_AN_FAMILY_COST, NULL);
	return no_memory(err);
}

/* It becomes a part of metric names: two underscores stand between those. */
static bool is_slug(ks_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		const char c = s.p[i];
		const bool letter = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';

		if (!letter && (i == 0 || (!digit && c != '_')))
			return false;
		if (c == '_' && (i + 1 == s.n || s.p[i + 1] == '_'))
			return false;
	}
	return s.n > 0 && s.n <= SLUG_MOST;
}

static uint32_t number_of(struct ks_families *f, ks_str slug)
{
	size_t i = 0;

	while (i < f->n && !ks_str_eq(f->sum[i].slug, slug))
		i++;
	if (i == f->n)
		f->sum[f->n++].slug = slug;
	return (uint32_t)i;
}

static enum ks_status open_rule(struct ks_families *f, size_t i, struct ks_err *err)
{
	ks_str pattern = f->rule[i];
	const ks_str slug = ks_str_cut(&pattern, '=');
	struct user_rule *u = &f->user[i];
	struct ks_err why;

	ks_err_init(&why);
	if (!is_slug(slug) || pattern.n == 0 || ks_str_eqc(pattern, "regex:"))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_AN_FAMILY_FORM, f->rule[i].p, NULL);
	u->family = number_of(f, slug);
	u->pattern = pattern;
	if (!ks_str_starts(pattern, "regex:"))
		return KS_OK;
	const enum ks_status st = ks_matcher_open(&u->regex, pattern, &why);

	return st == KS_OK ? KS_OK : about_family(&why, st, err);
}

enum ks_status ks_families_open(struct ks_families **out, const ks_str *rule, size_t n,
				struct ks_err *err)
{
	struct ks_families *f = ks_mem_alloc(sizeof(*f));

	if (!f)
		return no_memory(err);
	f->rule = rule;
	f->n_user = n;
	ks_buf_init(&f->plain, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	f->user = ks_mem_alloc((n + 1) * sizeof(*f->user));
	f->sum = ks_mem_alloc((KS_FAMILY_COUNT + n) * sizeof(*f->sum));
	enum ks_status st = f->user && f->sum ? KS_OK : no_memory(err);

	for (; st == KS_OK && f->n < KS_FAMILY_COUNT; f->n++)
		f->sum[f->n].slug = ks_str_c(ks_family_slug((enum ks_family)f->n));
	for (size_t i = 0; st == KS_OK && i < n; i++)
		st = open_rule(f, i, err);
	if (st != KS_OK) {
		ks_families_close(f);
		return st;
	}
	*out = f;
	return KS_OK;
}

void ks_families_close(struct ks_families *f)
{
	if (!f)
		return;
	for (size_t i = 0; f->user && i < f->n_user; i++)
		ks_matcher_close(f->user[i].regex);
	ks_buf_release(&f->plain);
	ks_mem_free(f->user);
	ks_mem_free(f->sum);
	ks_mem_free(f);
}

size_t ks_families_count(const struct ks_families *f)
{
	return f->n;
}

const struct ks_family_sum *ks_families_sum(const struct ks_families *f, size_t family)
{
	return &f->sum[family];
}

bool ks_families_is_known(size_t family)
{
	return family < KS_FAMILY_COUNT;
}

ks_str ks_families_unmatched(const struct ks_families *f)
{
	for (size_t i = 0; i < f->n_user; i++) {
		if (!f->user[i].seen)
			return f->rule[i];
	}
	return KS_LIT("");
}

/* --- one name ------------------------------------------------------------------------------------
 */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static ks_str behind(ks_str s, size_t n)
{
	return (ks_str){ s.p + n, s.n - n };
}

/* Length of a namespace at the front that tells builds apart and says nothing; 0: none. */
static size_t noise(ks_str s)
{
	static const char *const whole[] = { "<unnamed>::", "(anonymous namespace)::",
					     "at_cuda_detail::" };
	static const char version[] = "_NS::";
	size_t n = 0;

	for (size_t i = 0; i < KS_ARRAY_LEN(whole); i++) {
		if (ks_str_starts(s, whole[i]))
			return strlen(whole[i]);
	}
	if (!ks_str_starts(s, "CUB_") && !ks_str_starts(s, "THRUST_"))
		return 0;
	while (n < s.n && is_word(s.p[n]))
		n++;
	if (n < 3 || !ks_str_starts(behind(s, n - 3), version))
		return 0;
	return n + 2;
}

static ks_str plain(struct ks_buf *b, ks_str name)
{
	ks_buf_reset(b);
	for (size_t i = 0; i < name.n;) {
		const bool starts = i == 0 || !is_word(name.p[i - 1]);
		const size_t skip = starts ? noise(behind(name, i)) : 0;

		if (skip == 0)
			ks_buf_ch(b, name.p[i]);
		i += skip ? skip : 1;
	}
	return ks_buf_view(b);
}

static bool begins(ks_str name, const char *pattern)
{
	const char *star = strchr(pattern, '*');
	const size_t head = star ? (size_t)(star - pattern) : strlen(pattern);

	if (name.n < head || memcmp(name.p, pattern, head) != 0)
		return false;
	for (size_t i = head; star; i++) {
		if (ks_str_starts(behind(name, i), star + 1))
			return true;
		if (i == name.n || !is_word(name.p[i]))
			return false;
	}
	return true;
}

/* A name inside `name`, such as that of a template argument, begins so. */
static bool has_part(ks_str name, const char *pattern)
{
	for (size_t i = 1; i < name.n; i++) {
		const char before = name.p[i - 1];

		if (!is_word(before) && before != ':' && begins(behind(name, i), pattern))
			return true;
	}
	return false;
}

static enum ks_status by_user(struct ks_families *f, ks_str name, uint32_t *family, bool *is,
			      struct ks_err *err)
{
	for (size_t i = 0; i < f->n_user; i++) {
		struct user_rule *u = &f->user[i];
		bool hit =
			name.n >= u->pattern.n && memcmp(name.p, u->pattern.p, u->pattern.n) == 0;
		struct ks_err why;

		ks_err_init(&why);
		const enum ks_status st =
			u->regex ? ks_matcher_test(u->regex, name, &hit, &why) : KS_OK;

		if (st != KS_OK)
			return about_family(&why, st, err);
		u->seen |= hit;
		if (hit && !*is)
			*family = u->family;
		*is |= hit;
	}
	return KS_OK;
}

/* What the user calls communication is that, unless a rule of theirs says otherwise. */
static enum ks_status settle(struct ks_families *f, ks_str name, bool is_comm, uint32_t *family,
			     struct ks_err *err)
{
	const ks_str q = name.n ? ks_comm_qualified(name) : name;
	bool is = false;

	*family = KS_FAMILY_OTHER;
	if (q.n == 0)
		return KS_OK;
	KS_TRY(by_user(f, q, family, &is, err));
	if (is)
		return KS_OK;
	if (is_comm || *ks_comm_library(name)) {
		*family = KS_FAMILY_COMMUNICATION;
		return KS_OK;
	}
	const ks_str p = plain(&f->plain, q);

	if (ks_buf_failed(&f->plain))
		return no_memory(err);
	for (size_t i = 0; i < KS_ARRAY_LEN(rules); i++) {
		if (!begins(p, rules[i].prefix) || (*rules[i].part && !has_part(p, rules[i].part)))
			continue;
		*family = rules[i].family;
		break;
	}
	return KS_OK;
}

enum ks_status ks_families_of(struct ks_families *f, ks_str name, uint32_t *family,
			      struct ks_err *err)
{
	return settle(f, name, false, family, err);
}

/* --- sums ----------------------------------------------------------------------------------------
 */

struct settled { /* answers: by reference, of which several may have one text, and by text */
	struct ks_map refs;
	struct ks_intern names;
	uint32_t *name; /* by reference */
	uint32_t *family;
	bool *counted;
	size_t name_cap, family_cap, counted_cap;
	struct ks_buf text;
};

static enum ks_status settle_name(struct ks_analysis *a, struct settled *s, uint32_t group,
				  ks_nameref ref, uint32_t *at, struct ks_err *err)
{
	const ks_str name = ks_comm_text(a, ref, &s->text);
	bool fresh = false;

	*at = ks_intern_add(&s->names, name, &fresh);
	if (*at == KS_MAP_NONE || !KS_GROW(s->family, s->family_cap, (size_t)*at + 1, UINT32_MAX) ||
	    !KS_GROW(s->counted, s->counted_cap, (size_t)*at + 1, UINT32_MAX))
		return no_memory(err);
	if (!fresh)
		return KS_OK;
	return settle(a->families, name, a->comm && ks_comm_is_group(a->comm, group),
		      &s->family[*at], err);
}

static enum ks_status count_group(struct ks_analysis *a, struct settled *s, uint32_t group,
				  struct ks_err *err)
{
	const struct ks_group *g = &a->launches.group[group];
	const ks_nameref ref = ks_comm_ref(a, ks_launches_group_key(&a->launches, group));
	bool fresh = false;
	const uint32_t r = ks_map_add(&s->refs, &ref, &fresh);

	if (r == KS_MAP_NONE || !KS_GROW(s->name, s->name_cap, (size_t)r + 1, UINT32_MAX))
		return no_memory(err);
	if (fresh)
		KS_TRY(settle_name(a, s, group, ref, &s->name[r], err));
	const uint32_t at = s->name[r];
	struct ks_family_sum *sum = &a->families->sum[s->family[at]];

	if (g->durations.n == 0)
		return KS_OK;
	sum->launches += g->durations.n;
	sum->total_ns += g->total_ns;
	sum->kernels += !s->counted[at];
	s->counted[at] = true;
	return KS_OK;
}

enum ks_status ks_families_count_groups(struct ks_analysis *a, struct ks_err *err)
{
	const uint32_t n = (uint32_t)a->launches.groups.count;
	struct settled s = { .name = NULL };
	enum ks_status st = ks_families_open(&a->families, a->sel->family, a->sel->n_families, err);

	ks_map_init(&s.refs, sizeof(ks_nameref), UINT32_MAX);
	ks_intern_init(&s.names, (size_t)n + 1);
	ks_buf_init(&s.text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	for (uint32_t i = 0; i < n && st == KS_OK; i++) {
		const struct ks_group_key *key = ks_launches_group_key(&a->launches, i);

		if (a->device[key->device].selected)
			st = count_group(a, &s, i, err);
	}
	ks_map_release(&s.refs);
	ks_intern_release(&s.names);
	ks_buf_release(&s.text);
	ks_mem_free(s.name);
	ks_mem_free(s.family);
	ks_mem_free(s.counted);
	return st;
}
