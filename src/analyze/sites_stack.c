/* SPDX-License-Identifier: Apache-2.0
 *
 * From call chains to call sites: frames of CUDA, of the profiler and of the compiler's launch stub
 * are passed over, equal stacks are added up, the most frequent ones of each kernel become text.
 * Invents no frame: a chain without a resolved one of the program has no site.
 */
#include "analyze/apiword.h"
#include "analyze/sites.h"
#include "base/mem.h"
#include "base/str.h"

#define SITES_OF_KERNEL 3
#define STACK_BYTES	65536	   /* of a stack as text */
#define CUT_MARK	UINT32_MAX /* symbol of the entry that stands for frames cut off */

/* A frame of a stack: texts by their number in `texts`. symbol 0: not resolved, the module alone.
 */
struct entry {
	uint32_t symbol, module;
};
/* A stack of one kernel, innermost entry first. */
struct site {
	uint64_t launches;
	size_t n;
	struct entry entry[KS_SITE_FRAMES + 1];
};

struct stacks {
	struct ks_analysis *a;
	struct ks_intern texts;	 /* 0 is "" */
	struct ks_intern stacks; /* arrays of entries */
	struct ks_tally sites;	 /* (kernel, stack) */
	struct ks_frame_reader reader;
	struct entry own[KS_SITE_FRAMES + 1]; /* the stack at work */
	size_t n_own;
};

static uint32_t text_number(struct stacks *s, ks_str text)
{
	return ks_intern_add(&s->texts, text, NULL);
}

/* --- one chain -----------------------------------------------------------------------------------
 */

static int frame_order(const struct ks_analysis *a, const struct ks_site_frame *x,
		       const struct ks_site_frame *y)
{
	const int symbols = ks_str_cmp(ks_calls_text(a, x->symbol), ks_calls_text(a, y->symbol));

	return symbols ? symbols
		       : ks_str_cmp(ks_calls_text(a, x->module), ks_calls_text(a, y->module));
}

/* A depth that occurs twice in a chain: the row whose texts come first counts. */
static size_t drop_doubles(const struct ks_analysis *a, struct ks_site_frame *f, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || f[kept - 1].depth != f[i].depth)
			f[kept++] = f[i];
		else if (f[kept - 1].unresolved == f[i].unresolved &&
			 frame_order(a, &f[i], &f[kept - 1]) < 0)
			f[kept - 1] = f[i];
	}
	return kept;
}

/* Demanglers differ in blanks: "f(double *)" is "f(double*)". */
static bool is_same_function(ks_str a, ks_str b)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < a.n && a.p[i] == ' ')
			i++;
		while (j < b.n && b.p[j] == ' ')
			j++;
		if (i == a.n || j == b.n)
			return i == a.n && j == b.n;
		if (a.p[i] != b.p[j])
			return false;
	}
}

/* False: no memory. `stub`: the kernel's own name, by which its launch stub goes. */
static bool build_stack(struct stacks *s, ks_str stub)
{
	const struct ks_frame_reader *r = &s->reader;
	bool inside = true; /* still in what belongs to the launch itself */

	s->n_own = 0;
	for (size_t i = 0; i < r->n_frames; i++) {
		const struct ks_site_frame *f = &r->frame[i];
		const ks_str symbol = ks_calls_text(s->a, f->symbol);
		const ks_str module = ks_calls_text(s->a, f->module);
		const bool known = !f->unresolved && symbol.n > 0;
		const struct entry e = { known ? text_number(s, symbol) : 0,
					 text_number(s, ks_api_basename(module)) };

		if (e.symbol == KS_MAP_NONE || e.module == KS_MAP_NONE)
			return false;
		if (ks_api_is_module(module) ||
		    (inside &&
		     (!known || is_same_function(symbol, stub) || ks_api_is_frame(symbol))))
			continue;
		inside = false;
		s->own[s->n_own++] = e;
	}
	if (s->n_own && r->cut)
		s->own[s->n_own++] = (struct entry){ CUT_MARK, 0 };
	return true;
}

static enum ks_status add_site(struct stacks *s, const struct ks_tally_row *row, struct ks_err *err)
{
	struct ks_analysis *a = s->a;
	const uint32_t group = (uint32_t)row->key.b, kernel = a->kernel_of_group[group];
	const struct ks_group_key *key = ks_launches_group_key(&a->launches, group);

	if (kernel >= a->n_kernels)
		return KS_OK;

	const ks_str full = ks_analysis_text(a, key->demangled);

	if (!build_stack(s, full.n ? full : a->kernel[kernel].name))
		return ks_calls_no_memory(err);
	if (s->n_own == 0)
		return KS_OK;

	const ks_str bytes = { (const char *)(const void *)s->own, s->n_own * sizeof(*s->own) };
	const uint32_t stack = ks_intern_add(&s->stacks, bytes, NULL);

	if (stack == KS_MAP_NONE)
		return s->stacks.count >= s->stacks.max ? KS_OK : ks_calls_no_memory(err);

	const struct ks_tally_row site = { { kernel, stack }, row->n, 0 };

	return ks_tally_add(&s->sites, &site, err);
}

static enum ks_status join_chains(struct stacks *s, struct ks_err *err)
{
	struct ks_sites_work *w = &s->a->calls->sites;
	const int64_t shift = ks_sites_shift(w);
	struct ks_tally_row row;
	int64_t chain = -1;
	bool got;

	s->reader.frames = w->frames;
	KS_TRY(ks_sorter_finish(w->frames, NULL, NULL, err));
	KS_TRY(ks_tally_settle(&w->launches, NULL, NULL, err));
	for (;;) {
		KS_TRY(ks_tally_next(&w->launches, &row, &got, err));
		if (!got)
			return KS_OK;
		if (row.key.a != chain) {
			chain = row.key.a;
			KS_TRY(ks_frames_of(&s->reader, chain + shift, err));
			s->reader.n_frames =
				drop_doubles(s->a, s->reader.frame, s->reader.n_frames);
		}
		KS_TRY(add_site(s, &row, err));
	}
}

/* --- the most frequent ---------------------------------------------------------------------------
 */

static ks_str symbol_text(const struct stacks *s, const struct entry *e)
{
	return e->symbol == CUT_MARK ? KS_LIT("...") : ks_intern_get(&s->texts, e->symbol);
}

static int stack_order(const struct stacks *s, const struct site *x, const struct site *y)
{
	for (size_t i = 0; i < x->n && i < y->n; i++) {
		const int symbols =
			ks_str_cmp(symbol_text(s, &x->entry[i]), symbol_text(s, &y->entry[i]));
		const int modules = ks_str_cmp(ks_intern_get(&s->texts, x->entry[i].module),
					       ks_intern_get(&s->texts, y->entry[i].module));

		if (symbols || modules)
			return symbols ? symbols : modules;
	}
	return (x->n > y->n) - (x->n < y->n);
}

static void insert_site(const struct stacks *s, struct site *top, size_t *n,
			const struct site *site)
{
	size_t at = *n;

	while (at > 0 &&
	       (site->launches > top[at - 1].launches ||
		(site->launches == top[at - 1].launches && stack_order(s, site, &top[at - 1]) < 0)))
		at--;
	if (at == SITES_OF_KERNEL)
		return;
	if (*n < SITES_OF_KERNEL)
		++*n;
	for (size_t i = *n - 1; i > at; i--)
		top[i] = top[i - 1];
	top[at] = *site;
}

static void add_name(const struct stacks *s, struct ks_buf *b, const struct entry *e, bool module)
{
	struct ks_redact *redact = s->a->ctx->redact;
	const ks_str file = ks_redact_path(redact, ks_intern_get(&s->texts, e->module));
	ks_str symbol = symbol_text(s, e);

	if (e->symbol != CUT_MARK)
		symbol = ks_redact_name(redact, KS_NAME_FUNCTION, symbol);
	if (e->symbol == 0)
		ks_buf_fmt(b, "[%.*s]", (int)file.n, file.p);
	else
		ks_buf_str(b, symbol);
	if (module && file.n)
		ks_buf_fmt(b, " (%.*s)", (int)file.n, file.p);
}

static struct ks_call_site print_site(const struct stacks *s, ks_str kernel,
				      const struct site *site)
{
	struct ks_call_site out = { .kernel = kernel, .launches = site->launches };
	struct ks_buf b;

	ks_buf_init(&b, (size_t)ks_limit(KS_LIMIT_NAME_BYTES) * 2);
	add_name(s, &b, &site->entry[0], true);
	out.frame = ks_buf_keep(&b, s->a->arena);
	ks_buf_reset(&b);
	for (size_t i = site->n; i-- > 0 && b.n < STACK_BYTES;) {
		add_name(s, &b, &site->entry[i], false);
		if (i > 0)
			ks_buf_ch(&b, ';');
	}
	out.stack = ks_buf_keep(&b, s->a->arena);
	ks_buf_release(&b);
	return out;
}

struct list {
	struct ks_call_site *site;
	size_t n, cap;
	uint32_t *of_kernel; /* UINT32_MAX: none */
};

static enum ks_status print_kernel(const struct stacks *s, struct list *l, ks_str kernel,
				   const struct site *top, size_t n)
{
	if (!KS_GROW(l->site, l->cap, l->n + n, SIZE_MAX / sizeof(*l->site)))
		return KS_E_ENV;
	for (size_t i = 0; i < n; i++)
		l->site[l->n++] = print_site(s, kernel, &top[i]);
	return KS_OK;
}

static enum ks_status list_sites(struct stacks *s, struct list *l, struct ks_err *err)
{
	struct site top[SITES_OF_KERNEL];
	struct ks_tally_row row;
	int64_t kernel = -1;
	size_t n = 0;
	bool got;

	KS_TRY(ks_tally_settle(&s->sites, NULL, NULL, err));
	do {
		KS_TRY(ks_tally_next(&s->sites, &row, &got, err));
		if (n > 0 && (!got || row.key.a != kernel)) {
			l->of_kernel[kernel] = (uint32_t)l->n;
			if (print_kernel(s, l, s->a->kernel[kernel].name, top, n) != KS_OK)
				return ks_calls_no_memory(err);
			n = 0;
		}
		if (!got)
			break;
		const ks_str bytes = ks_intern_get(&s->stacks, (uint32_t)row.key.b);
		struct site site = { .launches = (uint64_t)row.n,
				     .n = bytes.n / sizeof(site.entry[0]) };

		memcpy(site.entry, bytes.p, bytes.n); /* the copy there has no alignment */
		kernel = row.key.a;
		insert_site(s, top, &n, &site);
	} while (got);
	return KS_OK;
}

/* --- the answer ----------------------------------------------------------------------------------
 */

static enum ks_status answer(struct stacks *s, struct ks_timeline *t, struct ks_err *err)
{
	const struct ks_calls_budget *budget = &s->a->calls->budget;
	struct ks_call_site *kept;
	struct list l = { .of_kernel = KS_ARENA_NEWS(s->a->arena, uint32_t, s->a->n_kernels) };

	if (!l.of_kernel || text_number(s, KS_LIT("")) != 0 ||
	    !ks_tally_open(&s->sites, s->a->ctx->io, budget->keys, budget->side_bytes))
		return ks_calls_no_memory(err);
	memset(l.of_kernel, 0xff, s->a->n_kernels * sizeof(*l.of_kernel));

	enum ks_status status = join_chains(s, err);

	if (status == KS_OK)
		status = list_sites(s, &l, err);
	if (status == KS_OK && l.n) {
		kept = KS_ARENA_NEWS(s->a->arena, struct ks_call_site, l.n);
		if (kept)
			memcpy(kept, l.site, l.n * sizeof(*kept));
		t->call_site = kept;
		t->n_call_sites = kept ? l.n : 0;
		s->a->calls->sum.site_of_kernel = l.of_kernel;
		if (!kept || ks_arena_failed(s->a->arena))
			status = ks_calls_no_memory(err);
	}
	ks_mem_free(l.site);
	return status;
}

enum ks_status ks_sites_answer(struct ks_analysis *a, struct ks_timeline *t, struct ks_err *err)
{
	struct stacks *s;

	if (!ks_tally_any(&a->calls->sites.launches) || !a->kernel_of_group)
		return KS_OK;
	s = ks_mem_alloc(sizeof(*s));
	if (!s)
		return ks_calls_no_memory(err);
	s->a = a;
	ks_intern_init(&s->texts, (size_t)ks_limit(KS_LIMIT_KERNEL_NAMES));
	ks_intern_init(&s->stacks, (size_t)ks_limit(KS_LIMIT_CALL_STACKS));

	const enum ks_status status = answer(s, t, err);

	ks_tally_release(&s->sites);
	ks_intern_release(&s->texts);
	ks_intern_release(&s->stacks);
	ks_mem_free(s);
	return status;
}
