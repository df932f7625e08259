/* SPDX-License-Identifier: Apache-2.0
 *
 * Which code a kernel of the recording is, and how many of either side stay without the other.
 * The file is never taken for the code that ran: it only adds rows.
 */
#include "analyze/analysis.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

enum { OFFERED = 5, CONSIDERED = 4096 };

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "code", NULL);
}

static void count_files(struct ks_analysis *a)
{
	const struct ks_code *c = a->sel->code;
	struct ks_code_tally *t = &a->code_tally;

	for (size_t i = 0; i < c->n_functions; i++) {
		t->kernels += c->function[i].is_kernel;
		t->functions += !c->function[i].is_kernel;
	}
	for (size_t i = 0; i < c->n_members; i++) {
		t->cubins += c->member[i].kind == KS_CODE_ELF;
		t->ptx += c->member[i].kind == KS_CODE_PTX;
		t->unread += c->member[i].fate != KS_CODE_READ;
	}
}

/* --- a recording beside the code ----------------------------------------------------------------
 */

/* The architecture of the devices a kernel ran on; KS_UNKNOWN where they differ or do not say. */
static int64_t arch_of(const struct ks_kernel_work *k, const struct ks_report *r)
{
	int64_t arch = KS_UNKNOWN;

	for (size_t i = 0; i < k->n_places; i++) {
		const struct ks_gpu *g = &r->gpu[k->place[i].gpu];
		const int64_t own = 10 * (int64_t)g->cc_major + g->cc_minor;

		if (g->cc_major < 0 || g->cc_minor < 0 || (i > 0 && own != arch))
			return KS_UNKNOWN;
		arch = own;
	}
	return arch;
}

static int by_text(const void *x, const void *y)
{
	return ks_str_cmp(*(const ks_str *)x, *(const ks_str *)y);
}

/* Whether a function name stands once among those in order. */
static bool is_single(const ks_str *base, size_t n, ks_str name)
{
	const ks_str *at = bsearch(&name, base, n, sizeof(*base), by_text);

	if (at == NULL)
		return false;
	return (at == base || !ks_str_eq(at[-1], name)) &&
	       (at + 1 == base + n || !ks_str_eq(at[1], name));
}

static void tally(struct ks_analysis *a, const struct ks_kernel_work *k,
		  const struct ks_code_found *f)
{
	struct ks_code_tally *t = &a->code_tally;

	t->matched += f->how == KS_MATCH_FOUND;
	t->unmatched += f->how != KS_MATCH_FOUND;
	t->unclear += f->how == KS_MATCH_SEVERAL || f->how == KS_MATCH_OTHER_ARCH;
	if (f->how != KS_MATCH_FOUND)
		return;
	const int64_t code = f->entry->f->registers, launch = k->config[0].regs;

	t->differ += code != KS_UNKNOWN && launch != KS_UNKNOWN && code != launch;
}

/* Names of kernels are those of the report by now. */
static ks_str original(const struct ks_analysis *a, ks_str name)
{
	return ks_redact_original(a->ctx->redact, KS_NAME_KERNEL, name);
}

static enum ks_status match_kernels(struct ks_analysis *a, const struct ks_report *r,
				    struct ks_err *err)
{
	size_t n_entries = 0;
	const struct ks_code_entry *entry = ks_codebook_entries(a->codebook, &n_entries);
	bool *used = KS_ARENA_NEWS(a->arena, bool, n_entries + 1);

	a->code_found = KS_ARENA_NEWS(a->arena, struct ks_code_found, a->n_kernels + 1);
	if (used == NULL || a->code_found == NULL)
		return no_memory(err);
	qsort(a->base, a->total_kernels, sizeof(*a->base), by_text);
	for (size_t i = 0; i < a->n_kernels; i++) {
		const struct ks_kernel_work *k = &a->kernel[i];
		const ks_str base = original(a, k->base);
		const struct ks_code_wanted wanted = {
			.name = original(a, k->name),
			.mangled = k->n_names == 1 ? original(a, k->mangled) : KS_LIT(""),
			.base = is_single(a->base, a->total_kernels, base) ? base : KS_LIT(""),
			.arch = arch_of(k, r),
		};

		a->code_found[i] = ks_codebook_find(a->codebook, &wanted);
		tally(a, k, &a->code_found[i]);
		if (a->code_found[i].how == KS_MATCH_FOUND)
			used[a->code_found[i].entry - entry] = true;
	}
	for (size_t i = 0; i < n_entries; i++)
		a->code_tally.unused += entry[i].f->is_kernel && !used[i];
	return KS_OK;
}

/* --- the code alone -----------------------------------------------------------------------------
 */

/* What -k looks at. */
static ks_str match_name(const struct ks_analysis *a, const struct ks_code_entry *e)
{
	if (a->sel->base == KS_NAMES_MANGLED)
		return e->f->name;
	return a->sel->base == KS_NAMES_DEMANGLED ? e->name : e->base;
}

static enum ks_status is_chosen(const struct ks_analysis *a, const struct ks_code_entry *e,
				bool *hit, struct ks_err *err)
{
	struct ks_redact *redact = a->ctx->redact;
	const ks_str name = match_name(a, e);

	KS_TRY(ks_matcher_test(a->matcher, name, hit, err));
	if (*hit || ks_redact_mode_of(redact) != KS_REDACT_NAMES)
		return KS_OK;
	return ks_matcher_test(a->matcher, ks_redact_name(redact, KS_NAME_KERNEL, name), hit, err);
}

static enum ks_status no_match(const struct ks_analysis *a, const struct ks_code_entry *entry,
			       size_t n, struct ks_err *err)
{
	const size_t most = n < CONSIDERED ? n : CONSIDERED;
	ks_str *name = KS_ARENA_NEWS(a->arena, ks_str, most + 1), near[OFFERED];
	struct ks_buf asked, list;
	size_t n_names = 0;

	if (name == NULL)
		return no_memory(err);
	for (size_t i = 0; i < n && n_names < most; i++)
		if (i == 0 || !ks_str_eq(match_name(a, &entry[i]), name[n_names - 1]))
			name[n_names++] = match_name(a, &entry[i]);
	const size_t n_near = ks_nearest_names(a->sel->kernel, name, n_names, near, OFFERED);

	ks_buf_init(&asked, KS_ERR_ARG_LEN);
	ks_buf_init(&list, OFFERED * KS_ERR_ARG_LEN);
	ks_buf_add(&asked, a->sel->kernel.p, ks_utf8_prefix(a->sel->kernel, KS_ERR_ARG_LEN / 2));
	for (size_t i = 0; i < n_near; i++) {
		const ks_str one = ks_redact_name(a->ctx->redact, KS_NAME_KERNEL, near[i]);

		ks_buf_fmt(&list, "%s%.*s", i > 0 ? ", " : "",
			   (int)ks_utf8_prefix(one, KS_ERR_ARG_LEN / 2), one.p);
	}
	const enum ks_status status =
		ks_err_set(err, KS_E_NOMATCH,
			   n_near > 0 ? KS_TEXT_ERR_CODE_NO_MATCH : KS_TEXT_ERR_CODE_NO_MATCH_NEAR,
			   ks_buf_text(&asked), ks_buf_text(&list), NULL);

	ks_buf_release(&asked);
	ks_buf_release(&list);
	return status;
}

/* As a person looks for them. */
static int by_name(const void *x, const void *y)
{
	const struct ks_code_entry *a = *(const struct ks_code_entry *const *)x;
	const struct ks_code_entry *b = *(const struct ks_code_entry *const *)y;
	int c = ks_str_cmp(a->base, b->base);

	if (c == 0)
		c = ks_str_cmp(a->name, b->name);
	return c != 0 ? c : (a > b) - (a < b); /* entries of a name stand by architecture */
}

static enum ks_status choose_kernels(struct ks_analysis *a, struct ks_err *err)
{
	size_t n = 0;
	const struct ks_code_entry *entry = ks_codebook_entries(a->codebook, &n);

	a->code_kernel = KS_ARENA_NEWS(a->arena, const struct ks_code_entry *, n + 1);
	if (a->code_kernel == NULL)
		return no_memory(err);
	for (size_t i = 0; i < n; i++) {
		bool hit = false;

		KS_TRY(is_chosen(a, &entry[i], &hit, err));
		if (hit)
			a->code_kernel[a->n_code_kernels++] = &entry[i];
	}
	qsort(a->code_kernel, a->n_code_kernels, sizeof(*a->code_kernel), by_name);
	a->total_kernels = n;
	if (a->n_code_kernels == 0 && a->sel->kernel.n > 0)
		return no_match(a, entry, n, err);
	return KS_OK;
}

ks_str ks_code_title(const struct ks_analysis *a, const struct ks_code_entry *e)
{
	const ks_str name = ks_redact_name(a->ctx->redact, KS_NAME_KERNEL, e->name);
	char variant[KS_NUM_LEN + 4] = "";

	if (!e->several_archs && e->n_variants <= 1)
		return name;
	if (e->n_variants > 1)
		(void)snprintf(variant, sizeof(variant), " #%u", e->variant);
	const char *arch = "?";
	char number[KS_NUM_LEN];

	if (e->f->arch != KS_UNKNOWN) {
		ks_num_i64(number, e->f->arch);
		arch = number;
	}
	return ks_arena_fmt(a->arena, "%.*s [sm_%s%s]", (int)name.n, name.p, arch, variant);
}

enum ks_status ks_code_match(struct ks_analysis *a, const struct ks_report *r, struct ks_err *err)
{
	if (a->sel->code == NULL)
		return KS_OK;
	a->codebook = ks_codebook_open(a->sel->code, a->arena);
	if (a->codebook == NULL)
		return no_memory(err);
	count_files(a);
	return a->sel->code_alone ? choose_kernels(a, err) : match_kernels(a, r, err);
}
