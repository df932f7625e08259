/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and domains of ranges numbered by what they are, not by when they came. Makes up no name
 * but that of ranges without one.
 */
#include "analyze/ranges_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* --- names ---------------------------------------------------------------------------------------
 */

struct name_key {
	uint64_t head; /* the first eight bytes, so that most comparisons end without the text */
	ks_str text;
	uint32_t number;
};

static int by_text(const void *x, const void *y)
{
	const struct name_key *a = x, *b = y;

	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	return ks_str_cmp(a->text, b->text);
}

static uint64_t head_of(ks_str s)
{
	uint64_t head = 0;

	for (size_t i = 0; i < sizeof(head); i++)
		head = head << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
	return head;
}

size_t ks_range_name_slot(const struct ks_range_settling *s, uint32_t number)
{
	return number < s->n_texts ? number : s->n_texts;
}

/* The text of a name; blank ones are as good as none (contract 05 §1.11). */
static ks_str name_text(const struct ks_range_settling *s, size_t slot)
{
	const bool blank = slot >= s->n_texts || ks_str_trim(s->text[slot]).n == 0;

	return blank ? KS_LIT("<unnamed>") : s->text[slot];
}

static void rank_names(struct ks_range_settling *s, struct name_key *key, size_t n)
{
	struct ks_ranges *r = s->r;

	qsort(key, n, sizeof(*key), by_text);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || by_text(&key[i], &key[i - 1]) != 0)
			r->name[r->n_names++] = key[i].text;
		s->name_of[key[i].number] = (uint32_t)(r->n_names - 1);
	}
}

bool ks_range_settle_names(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;
	size_t used = 0;

	s->name_of = ks_mem_alloc((s->n_texts + 1) * sizeof(*s->name_of));
	if (!s->name_of)
		return false;
	for (size_t i = 0; i < r->n_raw; i++)
		s->name_of[ks_range_name_slot(s, r->raw[i].name)] = 1;
	for (size_t i = 0; i < r->n_points; i++)
		s->name_of[ks_range_name_slot(s, r->point[i].name)] = 1;
	for (size_t i = 0; i <= s->n_texts; i++)
		used += s->name_of[i];

	struct name_key *key = ks_mem_alloc(used * sizeof(*key));
	size_t n = 0;

	r->name = ks_mem_alloc((used + 1) * sizeof(*r->name));
	if (!key || !r->name) {
		ks_mem_free(key);
		return false;
	}
	for (size_t i = 0; i <= s->n_texts; i++) {
		const ks_str text = name_text(s, i);

		if (s->name_of[i])
			key[n++] = (struct name_key){ head_of(text), text, (uint32_t)i };
	}
	rank_names(s, key, n);
	ks_mem_free(key);
	return true;
}

/* --- what a report calls them --------------------------------------------------------------------
 */

void ks_ranges_redact(struct ks_ranges *r, struct ks_redact *redact)
{
	r->redact = redact;
}

enum ks_status ks_ranges_publish(struct ks_ranges *r, struct ks_err *err)
{
	if (!r->redact || r->raw_name || r->n_names == 0)
		return KS_OK;
	ks_str *name = ks_mem_alloc(r->n_names * sizeof(*name));

	if (!name)
		return ks_ranges_no_memory(err);
	for (size_t i = 0; i < r->n_names; i++)
		name[i] = ks_redact_name(r->redact, KS_NAME_RANGE, r->name[i]);
	for (size_t i = 0; i < r->n_domains; i++)
		r->domain[i].name = ks_redact_name(r->redact, KS_NAME_DOMAIN, r->domain[i].name);
	r->raw_name = r->name;
	r->name = name;
	return KS_OK;
}

/* --- domains -------------------------------------------------------------------------------------
 */

struct domain_entry {
	struct ks_range_domain domain;
	uint32_t key;
};

static int by_domain(const void *x, const void *y)
{
	const struct domain_entry *a = x, *b = y;
	const int c = ks_num_cmp_i64(a->domain.id, b->domain.id);

	return c ? c : ks_str_cmp(a->domain.name, b->domain.name);
}

/* What each process calls its domains; of several names the first by text. */
static void title_domains(const struct ks_range_settling *s, struct domain_entry *entry)
{
	const struct ks_ranges *r = s->r;

	for (size_t i = 0; i < r->n_titles; i++) {
		const struct ks_range_domain_title *t = &r->title[i];
		const size_t slot = ks_range_name_slot(s, t->name);
		const ks_str text = slot < s->n_texts ? ks_str_trim(s->text[slot]) : KS_STR_NONE;
		ks_str *name = &entry[t->key].domain.name;

		if (text.n > 0 && (name->n == 0 || ks_str_cmp(text, *name) < 0))
			*name = text;
	}
}

static int by_id_then_name(const void *x, const void *y)
{
	const struct domain_entry *a = x, *b = y;
	const int c = ks_num_cmp_i64(a->domain.id, b->domain.id);

	if (c)
		return c;
	if ((a->domain.name.n == 0) != (b->domain.name.n == 0))
		return a->domain.name.n == 0 ? 1 : -1; /* named ones first */
	return ks_str_cmp(a->domain.name, b->domain.name);
}

/* Entries sorted by id, named ones first: the rest of an id take its first name. Id 0 is the
 * default domain, which has none; another one without a name is called by its number. */
static bool borrow_names(struct ks_ranges *r, struct domain_entry *entry, size_t n)
{
	const struct ks_range_domain *first = NULL;

	for (size_t i = 0; i < n; i++) {
		struct ks_range_domain *d = &entry[i].domain;

		if (i == 0 || entry[i - 1].domain.id != d->id)
			first = d;
		if (d->name.n == 0 && d != first)
			d->name = first->name;
		else if (d->name.n == 0 && d->id != 0)
			d->name = ks_arena_fmt(&r->text, "%lld", (long long)d->id);
		if (ks_arena_failed(&r->text))
			return false;
	}
	return true;
}

bool ks_range_settle_domains(struct ks_range_settling *s)
{
	struct ks_ranges *r = s->r;
	const size_t n = r->domain_map.count;
	struct domain_entry *entry = ks_mem_alloc((n + 1) * sizeof(*entry));

	r->domain = ks_mem_alloc((n + 1) * sizeof(*r->domain));
	s->domain_of = ks_mem_alloc((n + 1) * sizeof(*s->domain_of));
	if (!entry || !r->domain || !s->domain_of) {
		ks_mem_free(entry);
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		const struct ks_range_domain_key *key = ks_map_key(&r->domain_map, (uint32_t)i);

		entry[i] = (struct domain_entry){ { key->id, KS_STR_NONE }, (uint32_t)i };
	}
	title_domains(s, entry);
	qsort(entry, n, sizeof(*entry), by_id_then_name);

	const bool ok = borrow_names(r, entry, n);

	qsort(entry, ok ? n : 0, sizeof(*entry), by_domain);
	for (size_t i = 0; ok && i < n; i++) {
		if (i == 0 || by_domain(&entry[i], &entry[i - 1]) != 0)
			r->domain[r->n_domains++] = entry[i].domain;
		s->domain_of[entry[i].key] = (uint32_t)(r->n_domains - 1);
	}
	ks_mem_free(entry);
	return ok;
}
