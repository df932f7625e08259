/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of device code, folded and looked up by three names. Which code a device takes when a
 * file has several is CUDA's rule: the newest of the same major version that is not newer than it.
 */
#include "analyze/code.h"

#include "analyze/name.h"
#include "base/num.h"
#include "base/str.h"

/* Orders to look a kernel up by. */
enum order { BY_SYMBOL, BY_DEMANGLED, BY_BASE, ORDERS };

struct ks_codebook {
	struct ks_code_entry *entry;
	size_t n;
	const struct ks_code_entry **at[ORDERS];
};

static ks_str key_of(const struct ks_code_entry *e, enum order by)
{
	return by == BY_SYMBOL ? e->f->name : by == BY_DEMANGLED ? e->name : e->base;
}

static int by_place(const struct ks_code_entry *a, const struct ks_code_entry *b, enum order by)
{
	int c = ks_str_cmp(key_of(a, by), key_of(b, by));

	if (c == 0)
		c = ks_str_cmp(a->f->name, b->f->name);
	if (c == 0)
		c = ks_num_cmp_i64(a->f->arch, b->f->arch);
	return c != 0 ? c : (a->f > b->f) - (a->f < b->f);
}

static int by_symbol(const void *x, const void *y)
{
	return by_place(x, y, BY_SYMBOL);
}
static int by_symbol_at(const void *x, const void *y)
{
	return by_place(*(const struct ks_code_entry *const *)x,
			*(const struct ks_code_entry *const *)y, BY_SYMBOL);
}
static int by_demangled_at(const void *x, const void *y)
{
	return by_place(*(const struct ks_code_entry *const *)x,
			*(const struct ks_code_entry *const *)y, BY_DEMANGLED);
}
static int by_base_at(const void *x, const void *y)
{
	return by_place(*(const struct ks_code_entry *const *)x,
			*(const struct ks_code_entry *const *)y, BY_BASE);
}

/* --- made ---------------------------------------------------------------------------------------
 */

static bool same_mix(const struct ks_code_mix *a, const struct ks_code_mix *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return a->instructions == b->instructions &&
	       memcmp(a->count, b->count, sizeof(a->count)) == 0;
}

static bool alike(const struct ks_code_function *a, const struct ks_code_function *b)
{
	return a->registers == b->registers && a->shared == b->shared &&
	       a->reserved == b->reserved && a->stack == b->stack && a->local == b->local &&
	       a->constant == b->constant && a->barriers == b->barriers &&
	       a->code_bytes == b->code_bytes && same_mix(a->mix, b->mix);
}

static bool same_name(const struct ks_code_function *a, const struct ks_code_function *b)
{
	return ks_str_eq(a->name, b->name);
}

/* Whether one of the variants in [from, to) says the same as this function. */
static bool is_told(const struct ks_codebook *b, size_t from, size_t to,
		    const struct ks_code_function *f)
{
	for (size_t i = from; i < to; i++)
		if (alike(b->entry[i].f, f))
			return true;
	return false;
}

/* Of those with one name and architecture: each that differs, once. Nobody needs to see more than
 * a few, and none of them is matched then. */
#define VARIANTS_MAX 64

static void fold(struct ks_codebook *b)
{
	size_t n = 0, from = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct ks_code_function *f = b->entry[i].f;
		const bool fresh = n == 0 || !same_name(b->entry[n - 1].f, f) ||
				   b->entry[n - 1].f->arch != f->arch;

		if (fresh)
			from = n;
		else if (n - from >= VARIANTS_MAX || is_told(b, from, n, f))
			continue;
		b->entry[n] = b->entry[i];
		n++;
		b->entry[n - 1].variant = (unsigned)(n - from);
		for (size_t k = from; k < n; k++)
			b->entry[k].n_variants = (unsigned)(n - from);
	}
	b->n = n;
}

static void mark_archs(struct ks_codebook *b)
{
	for (size_t i = 1; i < b->n; i++) {
		if (!same_name(b->entry[i - 1].f, b->entry[i].f) ||
		    b->entry[i - 1].f->arch == b->entry[i].f->arch)
			continue;
		for (size_t k = i; k > 0 && same_name(b->entry[k - 1].f, b->entry[i].f); k--)
			b->entry[k - 1].several_archs = true;
		b->entry[i].several_archs = true;
	}
	for (size_t i = 1; i < b->n; i++)
		if (same_name(b->entry[i - 1].f, b->entry[i].f) && b->entry[i - 1].several_archs)
			b->entry[i].several_archs = true;
}

/* False: no memory. A name that is longer than a name may be stays as the file has it. */
static bool name_all(struct ks_codebook *b, struct ks_arena *arena)
{
	struct ks_buf text;
	bool good = true;

	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	for (size_t i = 0; i < b->n && good; i++) {
		struct ks_code_entry *e = &b->entry[i];

		e->name = e->f->name;
		if (i > 0 && same_name(b->entry[i - 1].f, e->f))
			e->name = b->entry[i - 1].name;
		else if (ks_name_demangle(e->f->name, &text))
			e->name = ks_buf_keep(&text, arena);
		good = !ks_buf_failed(&text) && !ks_arena_failed(arena);
		ks_buf_reset(&text);
		e->base = ks_name_function(e->name);
	}
	ks_buf_release(&text);
	return good;
}

static bool order_all(struct ks_codebook *b, struct ks_arena *arena)
{
	static int (*const compare[ORDERS])(
		const void *, const void *) = { by_symbol_at, by_demangled_at, by_base_at };

	for (size_t o = 0; o < ORDERS; o++) {
		b->at[o] = KS_ARENA_NEWS(arena, const struct ks_code_entry *, b->n + 1);
		if (b->at[o] == NULL)
			return false;
		for (size_t i = 0; i < b->n; i++)
			b->at[o][i] = &b->entry[i];
		qsort(b->at[o], b->n, sizeof(*b->at[o]), compare[o]);
	}
	return true;
}

/* Which files have kernels: of the others, device functions are listed. */
static bool collect(struct ks_codebook *b, const struct ks_code *code, struct ks_arena *arena)
{
	bool *has = KS_ARENA_NEWS(arena, bool, code->n_files + 1);

	b->entry = KS_ARENA_NEWS(arena, struct ks_code_entry, code->n_functions + 1);
	if (has == NULL || b->entry == NULL)
		return false;
	for (size_t i = 0; i < code->n_functions; i++)
		has[code->function[i].file] |= code->function[i].is_kernel;
	for (size_t i = 0; i < code->n_functions; i++) {
		const struct ks_code_function *f = &code->function[i];

		if (f->is_kernel || !has[f->file])
			b->entry[b->n++].f = f;
	}
	return true;
}

struct ks_codebook *ks_codebook_open(const struct ks_code *code, struct ks_arena *arena)
{
	struct ks_codebook *b = KS_ARENA_NEW(arena, struct ks_codebook);

	if (b == NULL || !collect(b, code, arena))
		return NULL;
	qsort(b->entry, b->n, sizeof(*b->entry), by_symbol);
	fold(b);
	mark_archs(b);
	return name_all(b, arena) && order_all(b, arena) ? b : NULL;
}

const struct ks_code_entry *ks_codebook_entries(const struct ks_codebook *b, size_t *n)
{
	*n = b->n;
	return b->entry;
}

/* --- asked --------------------------------------------------------------------------------------
 */

struct range {
	size_t from, to;
};

static struct range equal(const struct ks_codebook *b, enum order by, ks_str key)
{
	struct range r = { 0, b->n };

	while (r.from < r.to) {
		const size_t mid = r.from + (r.to - r.from) / 2;

		if (ks_str_cmp(key_of(b->at[by][mid], by), key) < 0)
			r.from = mid + 1;
		else
			r.to = mid;
	}
	while (r.to < b->n && ks_str_eq(key_of(b->at[by][r.to], by), key))
		r.to++;
	return r;
}

/* How well code of one architecture suits a device: -1 not at all, else the higher the better. */
static int64_t suits(int64_t arch, int64_t device)
{
	if (device == KS_UNKNOWN || arch == KS_UNKNOWN)
		return 0;
	return arch / 10 == device / 10 && arch <= device ? arch : -1;
}

/* Among entries that all answer to the name asked for. */
static struct ks_code_found choose(const struct ks_codebook *b, enum order by, struct range r,
				   int64_t device)
{
	const struct ks_code_entry *best = NULL, *first = NULL;
	bool names_differ = false;
	int64_t most = -1;
	size_t n_best = 0;

	for (size_t i = r.from; i < r.to; i++) {
		const struct ks_code_entry *e = b->at[by][i];
		const int64_t how = suits(e->f->arch, device);

		if (!e->f->is_kernel)
			continue; /* nothing launches a device function */
		if (first == NULL)
			first = e;
		names_differ |= !same_name(e->f, first->f);
		if (how > most) {
			most = how;
			best = e;
			n_best = 0;
		}
		n_best += how >= 0 && how == most;
	}
	if (first == NULL)
		return (struct ks_code_found){ .how = KS_MATCH_NONE };
	if (best == NULL)
		return (struct ks_code_found){ .how = KS_MATCH_OTHER_ARCH };
	if (names_differ || n_best > 1)
		return (struct ks_code_found){ .how = KS_MATCH_SEVERAL };
	return (struct ks_code_found){ .how = KS_MATCH_FOUND, .entry = best };
}

struct ks_code_found ks_codebook_find(const struct ks_codebook *b, const struct ks_code_wanted *w)
{
	const struct {
		enum order by;
		ks_str key;
	} step[] = {
		{ BY_SYMBOL, w->mangled },
		{ BY_SYMBOL, w->name },
		{ BY_DEMANGLED, w->name },
		{ BY_BASE, w->base },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(step); i++) {
		if (step[i].key.n == 0)
			continue;
		const struct range r = equal(b, step[i].by, step[i].key);

		struct ks_code_found found = choose(b, step[i].by, r, w->arch);

		if (found.how == KS_MATCH_NONE)
			continue;
		found.by_base = step[i].by == BY_BASE;
		return found;
	}
	return (struct ks_code_found){ .how = KS_MATCH_NONE };
}
