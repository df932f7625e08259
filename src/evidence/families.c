/* SPDX-License-Identifier: Apache-2.0
 *
 * Gathers ks__family_* of the pseudo kernel "(device)". Equal times go by name.
 */
#include "evidence/families.h"

#include "base/str.h"
#include "evidence/value.h"

struct part {
	enum ks_metric metric;
	const char *tail;
};

static const struct part parts[] = {
	{ KS_METRIC_KS_FAMILY_F_KERNEL_MS, "__kernel_ms" },
	{ KS_METRIC_KS_FAMILY_F_SHARE_PCT, "__share_pct" },
	{ KS_METRIC_KS_FAMILY_F_LAUNCHES, "__launches" },
	{ KS_METRIC_KS_FAMILY_F_KERNELS, "__kernels" },
};

static ks_str slug_of(const struct ks_ev *row, const char *tail)
{
	const size_t head = strlen("ks__family_"), end = strlen(tail);

	if (row->name.n <= head + end)
		return KS_LIT("");
	return (ks_str){ row->name.p + head, row->name.n - head - end };
}

static void set(struct ks_family_line *line, enum ks_metric metric, double v)
{
	const uint64_t count = v > 0.0 ? (uint64_t)v : 0;

	if (metric == KS_METRIC_KS_FAMILY_F_KERNEL_MS)
		line->kernel_ms = v;
	else if (metric == KS_METRIC_KS_FAMILY_F_SHARE_PCT)
		line->share_pct = v;
	else if (metric == KS_METRIC_KS_FAMILY_F_LAUNCHES)
		line->launches = count;
	else
		line->kernels = count;
}

/* False: the list cannot be whole. */
static bool take(const struct ks_ev *row, struct ks_family_line *line, size_t *n)
{
	const struct part *p = NULL;
	size_t at = 0;

	for (size_t i = 0; i < KS_ARRAY_LEN(parts); i++)
		p = row->metric == parts[i].metric ? &parts[i] : p;
	if (p == NULL)
		return true;
	const ks_str slug = slug_of(row, p->tail);

	while (at < *n && !ks_str_eq(line[at].slug, slug))
		at++;
	if (slug.n == 0 || at == KS_FAMILIES_MOST || !ks_value_is_number(&row->value))
		return false;
	if (at == *n)
		line[(*n)++] = (struct ks_family_line){ .slug = slug };
	set(&line[at], row->metric, ks_value_real(&row->value));
	return true;
}

static int by_time(const void *x, const void *y)
{
	const struct ks_family_line *a = x, *b = y;

	if (a->kernel_ms < b->kernel_ms || a->kernel_ms > b->kernel_ms)
		return a->kernel_ms < b->kernel_ms ? 1 : -1;
	return ks_str_cmp(a->slug, b->slug);
}

size_t ks_report_families(const struct ks_report *r, struct ks_family_line *line)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_kernels; i++) {
		const struct ks_kernel *k = &r->kernel[i];

		for (size_t s = 0; k->is_device && s < k->n_sections; s++) {
			for (size_t j = 0; j < k->section[s].n; j++) {
				const struct ks_ev *row = ks_ev_get(r->ev, k->section[s].row[j]);

				if (row != NULL && !take(row, line, &n))
					return 0;
			}
		}
	}
	qsort(line, n, sizeof(*line), by_time);
	return n;
}

struct ks_family_line ks_families_rest(const struct ks_family_line *line, size_t n, size_t shown)
{
	struct ks_family_line rest = { .slug = KS_LIT("") };

	for (size_t i = shown; i < n; i++) {
		rest.kernel_ms += line[i].kernel_ms;
		rest.share_pct += line[i].share_pct;
		rest.launches += line[i].launches;
		rest.kernels += line[i].kernels;
	}
	return rest;
}
