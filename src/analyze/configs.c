/* SPDX-License-Identifier: Apache-2.0
 *
 * Launch configurations and their printed keys (contract 06 §1). A key is as short as the
 * original's; only where two configurations of a kernel would print alike, what differs is
 * appended.
 */
#include "analyze/configs.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* Bytes per block; unknown when one part is, or when they are beyond anything a device has. */
static int64_t shared_memory(int64_t static_smem, int64_t dynamic_smem)
{
	if (static_smem < 0 || dynamic_smem < 0 || static_smem > INT64_MAX / 2 ||
	    dynamic_smem > INT64_MAX / 2)
		return KS_UNKNOWN;
	return static_smem + dynamic_smem;
}

/* Those that print alike without a suffix come together. */
int ks_configs_compare(const struct ks_group_key *a, const struct ks_group_key *b)
{
	int c = 0;

	for (size_t i = 0; i < 3 && !c; i++)
		c = ks_num_cmp_i64(a->grid[i], b->grid[i]);
	for (size_t i = 0; i < 3 && !c; i++)
		c = ks_num_cmp_i64(a->block[i], b->block[i]);
	if (!c)
		c = ks_num_cmp_i64(shared_memory(a->static_smem, a->dynamic_smem),
				   shared_memory(b->static_smem, b->dynamic_smem));
	if (!c)
		c = ks_num_cmp_i64(a->static_smem, b->static_smem);
	if (!c)
		c = ks_num_cmp_i64(a->dynamic_smem, b->dynamic_smem);
	if (!c)
		c = ks_num_cmp_i64(a->regs, b->regs);
	for (size_t i = 0; i < 3 && !c; i++)
		c = ks_num_cmp_i64(a->cluster[i], b->cluster[i]);
	return c;
}

int ks_groups_compare(const struct ks_analysis *a, uint32_t x, uint32_t y)
{
	const struct ks_group_key *p = ks_launches_group_key(&a->launches, x);
	const struct ks_group_key *q = ks_launches_group_key(&a->launches, y);
	int c = ks_configs_compare(p, q);

	if (!c)
		c = ks_num_cmp_i64(a->devices.device[p->device].label,
				   a->devices.device[q->device].label);
	if (!c)
		c = ks_num_cmp_i64(p->smem_executed, q->smem_executed);
	if (!c)
		c = ks_num_cmp_i64(p->local_mem, q->local_mem);
	if (!c)
		c = ks_str_cmp(ks_analysis_text(a, p->demangled),
			       ks_analysis_text(a, q->demangled));
	if (!c)
		c = ks_str_cmp(ks_analysis_text(a, p->function), ks_analysis_text(a, q->function));
	if (!c)
		c = ks_str_cmp(ks_analysis_text(a, p->mangled), ks_analysis_text(a, q->mangled));
	return c;
}

static int by_group(const void *x, const void *y, void *arg)
{
	return ks_groups_compare(arg, *(const uint32_t *)x, *(const uint32_t *)y);
}

/* --- keys ----------------------------------------------------------------------------------------
 */

static void put_number(struct ks_buf *b, int64_t v)
{
	char text[KS_NUM_LEN];

	if (v == KS_UNKNOWN) {
		ks_buf_ch(b, '?');
		return;
	}
	ks_num_i64(text, v);
	ks_buf_cstr(b, text);
}

static void put_shape(struct ks_buf *b, const char *name, const int64_t v[3])
{
	ks_buf_cstr(b, name);
	for (size_t i = 0; i < 3; i++) {
		if (i)
			ks_buf_ch(b, 'x');
		put_number(b, v[i]);
	}
}

enum { DIFFERS_STATIC = 1, DIFFERS_DYNAMIC = 2, DIFFERS_REGS = 4, DIFFERS_CLUSTER = 8 };

static void put_key(struct ks_buf *b, const struct ks_config *c, unsigned differs)
{
	put_shape(b, "grid", c->grid);
	put_shape(b, "_block", c->block);
	ks_buf_cstr(b, "_smem");
	put_number(b, shared_memory(c->static_smem, c->dynamic_smem));
	if (differs & DIFFERS_STATIC) {
		ks_buf_cstr(b, "_static");
		put_number(b, c->static_smem);
	}
	if (differs & DIFFERS_DYNAMIC) {
		ks_buf_cstr(b, "_dynamic");
		put_number(b, c->dynamic_smem);
	}
	if (differs & DIFFERS_REGS) {
		ks_buf_cstr(b, "_regs");
		put_number(b, c->regs);
	}
	if (differs & DIFFERS_CLUSTER)
		put_shape(b, "_cluster", c->cluster);
}

static bool same_short_key(const struct ks_config *a, const struct ks_config *b)
{
	return memcmp(a->grid, b->grid, sizeof(a->grid)) == 0 &&
	       memcmp(a->block, b->block, sizeof(a->block)) == 0 &&
	       shared_memory(a->static_smem, a->dynamic_smem) ==
		       shared_memory(b->static_smem, b->dynamic_smem);
}

/* What differs among configurations that would print alike. */
static unsigned differences(const struct ks_config *c, size_t n)
{
	const bool sum_unknown = shared_memory(c->static_smem, c->dynamic_smem) == KS_UNKNOWN;
	unsigned differs = 0;

	for (size_t i = 1; i < n; i++) {
		if (c[i].static_smem != c->static_smem)
			differs |= DIFFERS_STATIC;
		if (sum_unknown && c[i].dynamic_smem != c->dynamic_smem)
			differs |= DIFFERS_DYNAMIC;
		if (c[i].regs != c->regs)
			differs |= DIFFERS_REGS;
		if (memcmp(c[i].cluster, c->cluster, sizeof(c->cluster)) != 0)
			differs |= DIFFERS_CLUSTER;
	}
	return differs;
}

static void make_keys(struct ks_analysis *a, struct ks_config *config, size_t n)
{
	struct ks_buf b;

	ks_buf_init(&b, 1024);
	for (size_t i = 0; i < n;) {
		size_t alike = 1;

		while (i + alike < n && same_short_key(&config[i], &config[i + alike]))
			alike++;
		unsigned differs = differences(&config[i], alike);

		for (; alike > 0; alike--, i++) {
			ks_buf_reset(&b);
			put_key(&b, &config[i], differs);
			config[i].key = ks_buf_keep(&b, a->arena);
			if (ks_buf_failed(&b))
				a->no_memory = true;
		}
	}
	ks_buf_release(&b);
}

/* --- building ------------------------------------------------------------------------------------
 */

static void start_config(struct ks_config *c, const struct ks_group_key *key)
{
	*c = (struct ks_config){
		.grid = { key->grid[0], key->grid[1], key->grid[2] },
		.block = { key->block[0], key->block[1], key->block[2] },
		.regs = key->regs,
		.static_smem = key->static_smem,
		.dynamic_smem = key->dynamic_smem,
		.cluster = { key->cluster[0], key->cluster[1], key->cluster[2] },
	};
}

static void add_to_config(struct ks_config *c, const struct ks_group *g)
{
	const struct ks_sketch *s = &g->durations;

	if (c->launches == 0 || s->min < c->min_ns)
		c->min_ns = s->min;
	if (c->launches == 0 || s->max > c->max_ns)
		c->max_ns = s->max;
	c->launches += s->n;
	c->total_ns += (ks_ns)g->total_ns;
	c->whole_ns += (ks_ns)(g->total_ns + g->cut_ns);
	c->mean_ns = (double)c->whole_ns / (double)c->launches;
}

struct ordered {
	struct ks_config config;
	struct ks_config_groups groups;
};

static int by_launches(const void *x, const void *y)
{
	const struct ordered *a = x, *b = y;

	if (a->config.launches != b->config.launches)
		return a->config.launches > b->config.launches ? -1 : 1;
	return ks_str_cmp(a->config.key, b->config.key);
}

/* Sorted groups with launches only: those with none but bad rows have no configuration to show. */
static size_t sort_groups(struct ks_analysis *a, struct ks_kernel_work *k, uint32_t *group)
{
	size_t n = 0;

	for (size_t i = 0; i < k->n_groups; i++) {
		if (a->launches.group[k->group[i]].durations.n)
			group[n++] = k->group[i];
	}
	qsort_r(group, n, sizeof(*group), by_group, a);
	return n;
}

static void fill(struct ks_analysis *a, struct ks_kernel_work *k, const uint32_t *group, size_t n,
		 struct ordered *all)
{
	for (size_t i = 0; i < n; i++) {
		const struct ks_group_key *key = ks_launches_group_key(&a->launches, group[i]);

		if (i == 0 || ks_configs_compare(ks_launches_group_key(&a->launches, group[i - 1]),
						 key) != 0) {
			k->config[k->n_configs] = (struct ks_config){ 0 };
			start_config(&k->config[k->n_configs], key);
			k->config_group[k->n_configs++] = (struct ks_config_groups){ group + i, 0 };
		}
		add_to_config(&k->config[k->n_configs - 1], &a->launches.group[group[i]]);
		k->config_group[k->n_configs - 1].n++;
	}
	make_keys(a, k->config, k->n_configs);
	for (size_t i = 0; i < k->n_configs; i++)
		all[i] = (struct ordered){ k->config[i], k->config_group[i] };
	qsort(all, k->n_configs, sizeof(*all), by_launches);
	for (size_t i = 0; i < k->n_configs; i++) {
		k->config[i] = all[i].config;
		k->config_group[i] = all[i].groups;
	}
}

enum ks_status ks_configs_build(struct ks_analysis *a, struct ks_kernel_work *k, struct ks_err *err)
{
	uint32_t *group = KS_ARENA_NEWS(a->arena, uint32_t, k->n_groups);

	k->n_configs = 0;
	if (!group)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "kernels", NULL);
	size_t n = sort_groups(a, k, group);
	struct ordered *all = ks_mem_alloc((n + 1) * sizeof(*all));

	k->group = group;
	k->n_groups = n;
	k->config = KS_ARENA_NEWS(a->arena, struct ks_config, n);
	k->config_group = KS_ARENA_NEWS(a->arena, struct ks_config_groups, n);
	if (all && k->config && k->config_group)
		fill(a, k, group, n, all);
	else
		a->no_memory = true;
	ks_mem_free(all);
	return a->no_memory ? ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "kernels", NULL)
			    : KS_OK;
}
