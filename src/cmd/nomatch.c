/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the kernels of a report beside a choice that fits none: the nearest to a name, those with
 * most time for a pattern. Chooses nothing itself.
 */
#include "cmd/nomatch.h"

#include "analyze/name.h"
#include "analyze/select.h"
#include "base/str.h"
#include "tables/tables.h"

ks_str ks_match_name(const struct ks_kernel *k, enum ks_name_base base)
{
	switch (base) {
	case KS_NAMES_DEMANGLED:
		return k->name;
	case KS_NAMES_MANGLED:
		return k->mangled.n > 0 ? k->mangled : k->name;
	case KS_NAMES_DEFAULT:
	case KS_NAMES_FUNCTION:
		break;
	}
	return k->base.n > 0 ? k->base : ks_name_function(k->name);
}

enum ks_status ks_match_kernel(struct ks_matcher *m, struct ks_redact *redact,
			       const struct ks_kernel *k, enum ks_name_base base, bool *hit,
			       struct ks_err *err)
{
	struct ks_kernel raw = *k;

	KS_TRY(ks_matcher_test(m, ks_match_name(k, base), hit, err));
	if (*hit || redact == NULL)
		return KS_OK;
	raw.name = ks_redact_original(redact, KS_NAME_KERNEL, k->name);
	raw.base = ks_redact_original(redact, KS_NAME_KERNEL, k->base);
	raw.mangled = ks_redact_original(redact, KS_NAME_KERNEL, k->mangled);
	return ks_matcher_test(m, ks_match_name(&raw, base), hit, err);
}

static bool has(const ks_str *name, size_t n, ks_str s)
{
	for (size_t i = 0; i < n; i++) {
		if (ks_str_eq(name[i], s))
			return true;
	}
	return false;
}

static size_t with_most_time(const struct ks_report *r, enum ks_name_base base, ks_str *out,
			     size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_kernels && n < max; i++) { /* by time */
		const ks_str name = ks_match_name(&r->kernel[i], base);

		if (!r->kernel[i].is_device && !has(out, n, name))
			out[n++] = name;
	}
	return n;
}

enum ks_status ks_nomatch(struct ks_arena *a, const struct ks_nomatch *what,
			  const struct ks_report *r, struct ks_err *err)
{
	ks_str *all = KS_ARENA_NEWS(a, ks_str, r->n_kernels + 1);
	ks_str *near = KS_ARENA_NEWS(a, ks_str, what->max + 1);
	struct ks_buf list;
	size_t n = 0;

	if (all == NULL || near == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	for (size_t i = 0; i < r->n_kernels; i++) {
		if (!r->kernel[i].is_device)
			all[n++] = ks_match_name(&r->kernel[i], what->base);
	}
	n = what->pattern ? with_most_time(r, what->base, near, what->max)
			  : ks_nearest_names(what->asked, all, n, near, what->max);
	ks_buf_init(&list, (size_t)64 * 1024);
	for (size_t i = 0; i < n; i++)
		ks_buf_fmt(&list, "%s%.*s", i > 0 ? ", " : "", (int)near[i].n, near[i].p);
	const enum ks_status status = ks_err_set(
		err, KS_E_NOMATCH, (int)(what->pattern ? what->pattern_text : what->name_text),
		what->asked.p, what->path, n > 0 ? ks_buf_text(&list) : "-", NULL);

	ks_buf_release(&list);
	return status;
}
