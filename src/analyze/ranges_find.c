/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranges by name: one instance of them, and the names nearest to one that is not there. Takes a
 * name as it is; patterns are not known here.
 */
#include "analyze/ranges_internal.h"

#include "base/num.h"
#include "base/str.h"

uint32_t ks_range_name_find(const struct ks_ranges *r, ks_str name)
{
	const ks_str *sorted = r->raw_name ? r->raw_name : r->name;
	size_t lo = 0, hi = r->n_names;

	if (r->raw_name) /* published names are in the order of what they were */
		name = ks_redact_original(r->redact, KS_NAME_RANGE, name);
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const int c = ks_str_cmp(sorted[mid], name);

		if (c == 0)
			return (uint32_t)mid;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return KS_RANGE_NONE;
}

uint32_t ks_range_group_find(const struct ks_ranges *r, int64_t domain_id, ks_str domain,
			     ks_str name)
{
	const uint32_t rank = ks_range_name_find(r, name);
	uint32_t d = 0;
	size_t lo = 0, hi = r->n_groups;

	while (d < r->n_domains &&
	       (r->domain[d].id != domain_id || !ks_str_eq(r->domain[d].name, domain)))
		d++;
	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;
		const struct ks_range_group *g = &r->group[mid];

		if (g->domain < d || (g->domain == d && g->name < rank))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->n_groups && r->group[lo].domain == d && r->group[lo].name == rank
		       ? (uint32_t)lo
		       : KS_RANGE_NONE;
}

/* --- one instance --------------------------------------------------------------------------------
 */

struct wanted {
	const struct ks_ranges *r;
	uint32_t name;
	ks_str domain;
};

/* A domain goes by its name and by its number. */
static bool is_wanted(const struct wanted *w, const struct ks_range_group *g)
{
	const struct ks_range_domain *d = &w->r->domain[g->domain];
	char number[KS_NUM_LEN];

	if (g->name != w->name)
		return false;
	if (w->domain.n == 0 || ks_str_eq(w->domain, d->name))
		return true;
	ks_num_i64(number, d->id);
	return ks_str_eqc(w->domain, number);
}

/* Instances of a group that start before `at`. */
static uint32_t starts_before(const struct ks_ranges *r, const struct ks_range_group *g, ks_ns at)
{
	uint32_t lo = g->at, hi = g[1].at;

	while (lo < hi) {
		const uint32_t mid = lo + (hi - lo) / 2;

		if (ks_range_start(r, r->order[mid]) < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - g->at;
}

static uint64_t all_before(const struct wanted *w, ks_ns at)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->r->n_groups; i++) {
		if (is_wanted(w, &w->r->group[i]))
			n += starts_before(w->r, &w->r->group[i], at);
	}
	return n;
}

/* The latest time before which no more than `number` instances start: where that one starts. */
static ks_ns start_of(const struct wanted *w, uint64_t number)
{
	uint64_t lo = 0, hi = UINT64_MAX; /* times, moved up so that they order as unsigned */
	const uint64_t zero = (uint64_t)1 << 63;

	while (lo < hi) {
		const uint64_t mid = hi - (hi - lo) / 2;

		if (all_before(w, (ks_ns)(mid - zero)) <= number)
			lo = mid;
		else
			hi = mid - 1;
	}
	return (ks_ns)(lo - zero);
}

bool ks_ranges_instance(const struct ks_ranges *r, ks_str name, ks_str domain, uint64_t number,
			struct ks_range_found *found)
{
	const struct wanted w = { r, ks_range_name_find(r, name), domain };

	found->have = 0;
	for (size_t i = 0; w.name != KS_RANGE_NONE && i < r->n_groups; i++) {
		if (is_wanted(&w, &r->group[i]))
			found->have += r->group[i + 1].at - r->group[i].at;
	}
	if (number >= found->have)
		return false;

	const ks_ns start = start_of(&w, number);
	uint64_t left = number - all_before(&w, start);

	for (size_t i = 0; i < r->n_groups; i++) {
		const struct ks_range_group *g = &r->group[i];

		if (!is_wanted(&w, g))
			continue;
		for (uint32_t k = g->at + starts_before(r, g, start);
		     k < g[1].at && ks_range_start(r, r->order[k]) == start; k++) {
			if (left-- > 0)
				continue;
			found->from = start;
			found->to = ks_range_end(r, r->order[k]);
			return true;
		}
	}
	return false;
}

/* --- nearest names -------------------------------------------------------------------------------
 */

/* 0 for names that hold the word, then by edits; SIZE_MAX: not near. */
static size_t distance(ks_str name, ks_str word)
{
	const size_t most = word.n / 3 > 0 ? word.n / 3 : 1;
	size_t edits;

	if (word.n > 0 && ks_str_has(name, word))
		return 0;
	edits = ks_str_distance(name, word, most);
	return edits <= most ? edits : SIZE_MAX;
}

size_t ks_ranges_nearest(const struct ks_ranges *r, ks_str name, ks_str *out, size_t max)
{
	size_t far[16], n = 0;

	max = max < KS_ARRAY_LEN(far) ? max : KS_ARRAY_LEN(far);
	for (size_t i = 0; i < r->n_names; i++) { /* in order of text, which breaks ties */
		const size_t d = distance(r->name[i], name);
		size_t at = n;

		while (at > 0 && d < far[at - 1])
			at--;
		if (d == SIZE_MAX || at == max)
			continue;
		n += n < max;
		for (size_t k = n - 1; k > at; k--) {
			far[k] = far[k - 1];
			out[k] = out[k - 1];
		}
		far[at] = d;
		out[at] = r->name[i];
	}
	for (size_t i = 0; n == 0 && i < r->n_names && i < max; i++)
		out[i] = r->name[i];
	return n > 0 ? n : r->n_names < max ? r->n_names : max;
}
