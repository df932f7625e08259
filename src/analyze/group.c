/* SPDX-License-Identifier: Apache-2.0
 *
 * From groups to kernels: names are resolved, groups of one name become one kernel, -k and
 * --devices choose. The result is the same for any order of rows: everything is sorted by numbers
 * and names, never by arrival.
 */
#include "analyze/configs.h"
#include "analyze/name.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

#define NAME_UNKNOWN KS_LIT("<unknown>")

struct names { /* of one group */
	ks_str full, function, mangled, key, match;
};

/* Kernels before selection, numbered as their names came up. */
struct build {
	struct ks_analysis *a;
	struct ks_intern kernels, fulls;
	struct ks_map pairs; /* (kernel, full name) */
	uint32_t *of_group;
	struct ks_kernel_work *work; /* by number */
	size_t work_cap;
	ks_str *match; /* by number */
	size_t match_cap;
	uint32_t *place; /* by number: index in a->kernel, KS_MAP_NONE when not selected */
	struct ks_buf text;
};

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "kernels", NULL);
}

ks_str ks_analysis_text(const struct ks_analysis *a, ks_nameref ref)
{
	uint32_t at = ref == 0 ? KS_MAP_NONE : ks_map_find(&a->refs, &ref);

	return at == KS_MAP_NONE || at >= a->ref_cap ? KS_STR_NONE : a->ref_text[at];
}

bool ks_analysis_demangle(const struct ks_analysis *a, ks_str mangled, struct ks_buf *out)
{
	const bool fine = ks_name_demangle(mangled, out);

	a->arena->failed |= ks_buf_failed(out);
	return fine;
}

static struct names names_of(struct build *b, uint32_t group)
{
	const struct ks_group_key *key = ks_launches_group_key(&b->a->launches, group);
	struct names n = {
		.full = ks_analysis_text(b->a, key->demangled),
		.function = ks_analysis_text(b->a, key->function),
		.mangled = ks_analysis_text(b->a, key->mangled),
	};

	if (n.full.n == 0 && n.function.n == 0 && n.mangled.n &&
	    ks_analysis_demangle(b->a, n.mangled, &b->text))
		n.full = ks_buf_keep(&b->text, b->a->arena);
	if (n.full.n == 0)
		n.full = n.function.n ? n.function : n.mangled;
	if (n.full.n == 0)
		n.full = NAME_UNKNOWN;
	if (n.function.n == 0)
		n.function = ks_name_function(n.full);
	switch (b->a->sel->base) {
	case KS_NAMES_FUNCTION:
		n.key = n.match = n.function;
		break;
	case KS_NAMES_MANGLED:
		n.key = n.match = n.mangled.n ? n.mangled : n.full;
		break;
	case KS_NAMES_DEMANGLED:
		n.key = n.match = n.full;
		break;
	case KS_NAMES_DEFAULT:
		n.key = n.full;
		n.match = n.function;
		break;
	}
	return n;
}

/* The smaller of two names by bytes; an empty one gives way. */
static ks_str smaller(ks_str have, ks_str candidate)
{
	if (candidate.n == 0 || (have.n && ks_str_cmp(have, candidate) <= 0))
		return have;
	return candidate;
}

static void add_statistics(struct ks_kernel_work *k, const struct ks_group *g)
{
	const struct ks_sketch *s = &g->durations;

	if (s->n && (k->launches == 0 || s->min < k->min_ns))
		k->min_ns = s->min;
	if (s->n && (k->launches == 0 || s->max > k->max_ns))
		k->max_ns = s->max;
	k->launches += s->n;
	k->total_ns += g->total_ns; /* each track's sum is checked and these are parts of it */
	k->cut_ns += g->cut_ns;
	k->bad_rows += g->bad_rows;
	k->graph_launches += g->graph_launches;
}

static enum ks_status too_many_names(const struct ks_intern *t, struct ks_err *err)
{
	if (t->count < t->max)
		return no_memory(err);
	return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY_NAMES, NULL);
}

static enum ks_status add_group(struct build *b, uint32_t group, struct ks_err *err)
{
	const struct ks_group_key *key = ks_launches_group_key(&b->a->launches, group);
	const struct names n = names_of(b, group);
	bool fresh = false;
	const uint32_t at = ks_intern_add(&b->kernels, n.key, &fresh);
	const uint32_t full = ks_intern_add(&b->fulls, n.full, NULL);

	if (at == KS_MAP_NONE || full == KS_MAP_NONE)
		return too_many_names(&b->kernels, err);
	if (!KS_GROW(b->work, b->work_cap, (size_t)at + 1, UINT32_MAX) ||
	    !KS_GROW(b->match, b->match_cap, (size_t)at + 1, UINT32_MAX))
		return no_memory(err);
	b->of_group[group] = at;
	struct ks_kernel_work *k = &b->work[at];

	if (!b->a->device[key->device].selected)
		return KS_OK;
	k->base = smaller(k->base, n.function);
	k->mangled = smaller(k->mangled, n.mangled);
	b->match[at] = smaller(b->match[at], n.match);
	k->n_groups++;
	add_statistics(k, &b->a->launches.group[group]);
	const uint32_t pair[2] = { at, full };

	if (ks_map_add(&b->pairs, pair, &fresh) == KS_MAP_NONE)
		return no_memory(err);
	k->n_names += fresh;
	return KS_OK;
}

/* --- selection and order -------------------------------------------------------------------------
 */

struct ranked {
	const struct ks_kernel_work *work;
	ks_str name;
	uint32_t number;
};

static int by_time(const void *x, const void *y)
{
	const struct ranked *a = x, *b = y;

	if (a->work->total_ns != b->work->total_ns)
		return a->work->total_ns > b->work->total_ns ? -1 : 1;
	return ks_str_cmp(a->name, b->name);
}

/* All kernels with launches, most time first. */
static struct ranked *rank_all(const struct build *b, size_t *n)
{
	struct ranked *r = ks_mem_alloc((b->kernels.count + 1) * sizeof(*r));

	*n = 0;
	if (!r)
		return NULL;
	for (uint32_t i = 0; i < b->kernels.count; i++) {
		if (b->work[i].launches)
			r[(*n)++] =
				(struct ranked){ &b->work[i], ks_intern_get(&b->kernels, i), i };
	}
	qsort(r, *n, sizeof(*r), by_time);
	return r;
}

/* Distinct names that -k is matched against, most time first. */
static size_t match_names(const struct build *b, const struct ranked *r, size_t n, ks_str *out,
			  size_t max)
{
	const bool hashed = ks_redact_mode_of(b->a->ctx->redact) == KS_REDACT_NAMES;
	size_t have = 0;

	for (size_t i = 0; i < n && have < max; i++) {
		ks_str name = hashed ? r[i].name : b->match[r[i].number];
		size_t k = 0;

		while (k < have && !ks_str_eq(out[k], name))
			k++;
		if (k == have)
			out[have++] = name;
	}
	return have;
}

#define CONSIDERED 512 /* names looked at for "nearest"; those with most time */

/* Which sentence: a pattern that already saw whole names needs another pattern, not another name.
 */
static int no_match_text(const struct ks_analysis *a, size_t n_kernels)
{
	if (n_kernels == 0)
		return KS_TEXT_ERR_AN_NO_KERNELS_TO_MATCH;
	if (!ks_matcher_is_regex(a->matcher))
		return KS_TEXT_ERR_AN_NAME_NO_MATCH;
	if (a->sel->base == KS_NAMES_DEMANGLED || a->sel->base == KS_NAMES_MANGLED)
		return KS_TEXT_ERR_AN_PATTERN_NO_MATCH_WHOLE;
	return KS_TEXT_ERR_AN_PATTERN_NO_MATCH;
}

/* Nothing is near to a pattern: those with most time come first then. */
static size_t names_to_offer(const struct ks_analysis *a, const ks_str *name, size_t n, ks_str *out,
			     size_t max)
{
	if (!ks_matcher_is_regex(a->matcher))
		return ks_nearest_names(a->sel->kernel, name, n, out, max);
	for (size_t i = 0; i < n && i < max; i++)
		out[i] = name[i];
	return n < max ? n : max;
}

static enum ks_status no_match(const struct build *b, const struct ranked *r, size_t n,
			       struct ks_err *err)
{
	const struct ks_analysis *a = b->a;
	struct ks_buf asked, list;
	ks_str *name = ks_mem_alloc(CONSIDERED * sizeof(*name)), near[5] = { 0 };
	size_t max = (size_t)ks_limit(KS_LIMIT_NEAREST_NAMES);

	if (!name)
		return no_memory(err);
	ks_buf_init(&asked, KS_ERR_ARG_LEN);
	ks_buf_init(&list, 64 * KS_ERR_ARG_LEN);
	ks_buf_add(&asked, a->sel->kernel.p, a->sel->kernel.n < 120 ? a->sel->kernel.n : 120);
	size_t n_names = match_names(b, r, n, name, CONSIDERED);
	size_t n_near = names_to_offer(a, name, n_names, near, max < 5 ? max : 5);

	for (size_t i = 0; i < n_near; i++) {
		near[i] = ks_redact_name(a->ctx->redact, KS_NAME_KERNEL, near[i]);
		const size_t room = (KS_ERR_ARG_LEN - 8) / n_near - 2;
		const bool cut = near[i].n > room;

		ks_buf_fmt(&list, "%s%.*s%s", i ? ", " : "",
			   (int)(cut ? ks_utf8_prefix(near[i], room - 3) : near[i].n), near[i].p,
			   cut ? "..." : "");
	}
	ks_mem_free(name);
	enum ks_status st = ks_err_set(err, KS_E_NOMATCH, no_match_text(a, n), ks_buf_text(&asked),
				       ks_buf_text(&list), NULL);

	ks_buf_release(&asked);
	ks_buf_release(&list);
	return st;
}

/* By its name, or by what a redacted report calls it: the hash of the function's name or of the
 * whole one. */
static enum ks_status is_chosen(const struct ks_analysis *a, ks_str name, ks_str whole, bool *hit,
				struct ks_err *err)
{
	struct ks_redact *redact = a->ctx->redact;

	KS_TRY(ks_matcher_test(a->matcher, name, hit, err));
	if (*hit || ks_redact_mode_of(redact) != KS_REDACT_NAMES)
		return KS_OK;
	KS_TRY(ks_matcher_test(a->matcher, ks_redact_name(redact, KS_NAME_KERNEL, name), hit, err));
	if (*hit)
		return KS_OK;
	return ks_matcher_test(a->matcher, ks_redact_name(redact, KS_NAME_KERNEL, whole), hit, err);
}

/* The names that a look at the code needs; false: no memory. */
static bool keep_bases(struct ks_analysis *a, const struct ranked *r, size_t n)
{
	if (a->sel->code == NULL)
		return true;
	a->base = KS_ARENA_NEWS(a->arena, ks_str, n + 1);
	for (size_t i = 0; a->base != NULL && i < n; i++)
		a->base[i] = ks_arena_dup(a->arena, r[i].work->base);
	return a->base != NULL;
}

static enum ks_status select_kernels(struct build *b, const struct ranked *r, size_t n,
				     struct ks_err *err)
{
	struct ks_analysis *a = b->a;

	a->total_kernels = n;
	a->kernel = KS_ARENA_NEWS(a->arena, struct ks_kernel_work, n);
	b->place = ks_mem_alloc((b->kernels.count + 1) * sizeof(*b->place));
	if (!a->kernel || !b->place || !keep_bases(a, r, n))
		return no_memory(err);
	for (size_t i = 0; i < b->kernels.count; i++)
		b->place[i] = KS_MAP_NONE;
	for (size_t i = 0; i < n; i++) {
		bool hit = false;

		KS_TRY(is_chosen(a, b->match[r[i].number], r[i].name, &hit, err));
		if (!hit)
			continue;
		struct ks_kernel_work *k = &a->kernel[a->n_kernels];

		b->place[r[i].number] = (uint32_t)a->n_kernels++;
		*k = *r[i].work;
		k->name = ks_arena_dup(a->arena, r[i].name);
		k->base = ks_arena_dup(a->arena, k->base); /* a view until here */
		a->matched_ns += (ks_ns)k->total_ns;
	}
	return a->n_kernels == 0 && a->sel->kernel.n && !a->sel->code_alone ? no_match(b, r, n, err)
									    : KS_OK;
}

/* Gives every selected kernel its groups. */
static enum ks_status hand_out_groups(struct build *b, struct ks_err *err)
{
	struct ks_analysis *a = b->a;
	const size_t n = a->launches.groups.count;
	size_t at = 0;
	uint32_t *list = KS_ARENA_NEWS(a->arena, uint32_t, n);

	a->kernel_of_group = KS_ARENA_NEWS(a->arena, uint32_t, n);
	if (!list || !a->kernel_of_group)
		return no_memory(err);
	for (size_t i = 0; i < a->n_kernels; i++) {
		a->kernel[i].group = list + at;
		at += a->kernel[i].n_groups;
		a->kernel[i].n_groups = 0;
	}
	for (uint32_t g = 0; g < n; g++) {
		const struct ks_group_key *key = ks_launches_group_key(&a->launches, g);
		const uint32_t place = b->place[b->of_group[g]];

		a->kernel_of_group[g] = (uint32_t)a->n_kernels;
		if (place == KS_MAP_NONE || !a->device[key->device].selected)
			continue;
		struct ks_kernel_work *k = &a->kernel[place];

		a->kernel_of_group[g] = place;
		list[(size_t)(k->group - list) + k->n_groups++] = g;
	}
	return KS_OK;
}

static enum ks_status count_on_devices(struct build *b, struct ks_err *err)
{
	struct ks_analysis *a = b->a;
	struct ks_map seen;

	ks_map_init(&seen, 2 * sizeof(uint32_t), a->launches.groups.count + 1);
	for (uint32_t g = 0; g < a->launches.groups.count; g++) {
		const struct ks_group_key *key = ks_launches_group_key(&a->launches, g);
		const uint32_t pair[2] = { (uint32_t)key->device, b->of_group[g] };
		bool fresh = false;

		if (a->launches.group[g].durations.n == 0)
			continue;
		if (ks_map_add(&seen, pair, &fresh) == KS_MAP_NONE) {
			ks_map_release(&seen);
			return no_memory(err);
		}
		a->device[key->device].kernels += fresh;
	}
	ks_map_release(&seen);
	return KS_OK;
}

static void count_bad_only(struct build *b)
{
	for (uint32_t i = 0; i < b->kernels.count; i++) {
		if (b->work[i].launches == 0)
			b->a->bad_only_rows += b->work[i].bad_rows;
	}
}

static enum ks_status build(struct build *b, struct ks_err *err)
{
	struct ks_analysis *a = b->a;
	const size_t n_groups = a->launches.groups.count;
	size_t n = 0;

	b->of_group = ks_mem_alloc((n_groups + 1) * sizeof(*b->of_group));
	if (!b->of_group)
		return no_memory(err);
	for (uint32_t g = 0; g < n_groups; g++)
		KS_TRY(add_group(b, g, err));
	count_bad_only(b);
	KS_TRY(count_on_devices(b, err));
	struct ranked *r = rank_all(b, &n);

	if (!r)
		return no_memory(err);
	enum ks_status st = select_kernels(b, r, n, err);

	ks_mem_free(r);
	if (st == KS_OK)
		st = hand_out_groups(b, err);
	for (size_t i = 0; st == KS_OK && i < a->n_kernels; i++)
		st = ks_configs_build(a, &a->kernel[i], err);
	return st;
}

enum ks_status ks_kernels_build(struct ks_analysis *a, struct ks_err *err)
{
	struct build b = { .a = a };
	const size_t max = (size_t)ks_limit(KS_LIMIT_KERNEL_NAMES);

	ks_intern_init(&b.kernels, max);
	ks_intern_init(&b.fulls, a->launches.groups.count + 1);
	ks_map_init(&b.pairs, 2 * sizeof(uint32_t), a->launches.groups.count + 1);
	ks_buf_init(&b.text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	enum ks_status st = build(&b, err);

	ks_buf_release(&b.text);
	ks_map_release(&b.pairs);
	ks_intern_release(&b.kernels);
	ks_intern_release(&b.fulls);
	ks_mem_free(b.of_group);
	ks_mem_free(b.work);
	ks_mem_free(b.match);
	ks_mem_free(b.place);
	if (st == KS_OK && ks_arena_failed(a->arena))
		st = no_memory(err);
	return st;
}

const struct ks_sketch *ks_kernel_sketch(const struct ks_analysis *a,
					 const struct ks_kernel_work *k, struct ks_sketch *own)
{
	struct ks_sketch *only = NULL;
	size_t n = 0;

	for (size_t i = 0; i < k->n_groups; i++) {
		struct ks_sketch *s = &a->launches.group[k->group[i]].durations;

		if (s->n) {
			only = s;
			n++;
		}
	}
	if (n == 1) {
		ks_sketch_settle(only);
		return only;
	}
	for (size_t i = 0; i < k->n_groups; i++) {
		if (!ks_sketch_merge(own, &a->launches.group[k->group[i]].durations))
			return NULL;
	}
	ks_sketch_settle(own);
	return own;
}
