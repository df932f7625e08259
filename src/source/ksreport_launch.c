/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a report that has them: the original writes every one, we only on request. Kept as
 * short records; a report without any has no launch log, rather than an empty one.
 */
#include "base/str.h"
#include "source/ksreport.h"

struct read_launch {
	ks_ns start_ns, end_ns;
	int64_t stream, device;
	size_t config; /* index in its kernel */
};

struct ks_read_launches {
	struct ks_launch_log log;
	const struct ks_kernel **kernel;
	const struct read_launch **row; /* by kernel */
	size_t *n;
	size_t n_kernels, total;
	size_t at_kernel, at_row; /* the cursor */
};

static enum ks_status rewind_log(void *self, const struct ks_kernel *k, struct ks_err *err)
{
	struct ks_read_launches *all = self;

	(void)err;
	all->at_row = 0;
	for (all->at_kernel = 0; all->at_kernel < all->n_kernels; all->at_kernel++)
		if (all->kernel[all->at_kernel] &&
		    all->kernel[all->at_kernel]->log_key == k->log_key)
			break;
	return KS_OK;
}

static enum ks_status next_row(void *self, struct ks_launch_view *row, bool *got,
			       struct ks_err *err)
{
	struct ks_read_launches *all = self;
	const size_t k = all->at_kernel;

	(void)err;
	*got = k < all->n_kernels && all->at_row < all->n[k];
	if (!*got)
		return KS_OK;

	const struct read_launch *l = &all->row[k][all->at_row];

	*row = (struct ks_launch_view){
		.kernel = all->kernel[k]->name,
		.index = all->at_row++,
		.config = &all->kernel[k]->config[l->config],
		.start_ns = l->start_ns,
		.end_ns = l->end_ns,
		.stream = l->stream,
		.device = l->device,
	};
	return KS_OK;
}

struct ks_read_launches *ks_reader_launches_open(struct ks_reader *r, size_t n_kernels)
{
	struct ks_read_launches *all = KS_ARENA_NEW(r->arena, struct ks_read_launches);

	if (!all)
		return NULL;
	all->n_kernels = n_kernels;
	all->kernel = KS_ARENA_NEWS(r->arena, const struct ks_kernel *, n_kernels);
	all->row = KS_ARENA_NEWS(r->arena, const struct read_launch *, n_kernels);
	all->n = KS_ARENA_NEWS(r->arena, size_t, n_kernels);
	all->log = (struct ks_launch_log){ .self = all, .rewind = rewind_log, .next = next_row };
	return all->kernel && all->row && all->n ? all : NULL;
}

/* By key; the launches of one configuration mostly come in a row, so the last one is tried first.
 */
static size_t find_config(const struct ks_kernel *k, const char *key, size_t last)
{
	const ks_str want = ks_str_c(key);

	if (last < k->n_configs && ks_str_eq(k->config[last].key, want))
		return last;
	for (size_t i = 0; i < k->n_configs; i++)
		if (ks_str_eq(k->config[i].key, want))
			return i;
	return k->n_configs;
}

static void read_launch(struct ks_reader *r, const json_t *o, const struct ks_kernel *k,
			struct read_launch *l, size_t last)
{
	const char *key = json_string_value(json_object_get(o, "config"));

	l->start_ns = ks_reader_int(r, o, "start_ns", KS_UNKNOWN);
	l->end_ns = ks_reader_int(r, o, "end_ns", KS_UNKNOWN);
	l->stream = ks_reader_int(r, o, "stream_id", KS_UNKNOWN);
	l->device = ks_reader_int(r, o, "device_id", KS_UNKNOWN);
	l->config = find_config(k, key, last);
	if (!key || l->config == k->n_configs)
		ks_reader_wrong(r, "config", KS_TEXT_SRC_SHAPE_TEXT);
	if (l->start_ns == KS_UNKNOWN || l->end_ns == KS_UNKNOWN ||
	    l->start_ns < -(INT64_MAX / 2) || l->end_ns > INT64_MAX / 2)
		ks_reader_wrong(r, "start_ns", KS_TEXT_SRC_SHAPE_INT);
}

/* Minimum and maximum of configurations that do not state them: their launches do. */
static void fill_extremes(struct ks_kernel *k, struct ks_config *config,
			  const struct read_launch *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ks_config *c = &config[row[i].config];
		const ks_ns dur = row[i].end_ns - row[i].start_ns;

		if (c->min_ns == KS_UNKNOWN || dur < c->min_ns)
			c->min_ns = dur;
		if (c->max_ns == KS_UNKNOWN || dur > c->max_ns)
			c->max_ns = dur;
	}
	k->config = config;
}

static bool extremes_known(const struct ks_kernel *k)
{
	for (size_t i = 0; i < k->n_configs; i++)
		if (k->config[i].min_ns == KS_UNKNOWN || k->config[i].max_ns == KS_UNKNOWN)
			return false;
	return true;
}

void ks_reader_launches(struct ks_reader *r, const json_t *kernel, struct ks_kernel *k,
			size_t number, struct ks_read_launches *all)
{
	const json_t *list = ks_reader_array(r, kernel, "launches");
	const size_t n = json_array_size(list);
	struct read_launch *row = KS_ARENA_NEWS(r->arena, struct read_launch, n);

	k->log_key = (uint32_t)number;
	if (!row) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "launches", i);

		read_launch(r, ks_reader_element(r, list, i), k, &row[i],
			    i ? row[i - 1].config : 0);
		ks_reader_leave(r, mark);
	}
	if (r->failed)
		return;
	if (n && !extremes_known(k)) {
		struct ks_config *config = KS_ARENA_NEWS(r->arena, struct ks_config, k->n_configs);

		if (!config) {
			ks_reader_no_memory(r);
			return;
		}
		memcpy(config, k->config, k->n_configs * sizeof(*config));
		fill_extremes(k, config, row, n);
	}
	all->kernel[number] = k;
	all->row[number] = row;
	all->n[number] = n;
	all->total += n;
}

void ks_reader_launches_done(struct ks_reader *r, struct ks_read_launches *all)
{
	r->report->launches = all->total ? &all->log : NULL;
}
