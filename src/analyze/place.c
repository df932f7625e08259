/* SPDX-License-Identifier: Apache-2.0
 *
 * From pairs of group and track to the places of each kernel: contexts of one process and stream
 * are one place. Counts nothing itself; what was left out of the groups is left out here.
 */
#include "analyze/place.h"

#include "base/mem.h"
#include "base/num.h"

struct placed {
	uint32_t kernel;
	struct ks_place at;
};

static int by_position(const struct ks_place *a, const struct ks_place *b)
{
	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	if (a->pid != b->pid)
		return ks_num_cmp_i64(a->pid, b->pid);
	return ks_num_cmp_i64(a->stream, b->stream);
}

static int by_kernel(const void *x, const void *y)
{
	const struct placed *a = x, *b = y;

	if (a->kernel != b->kernel)
		return a->kernel < b->kernel ? -1 : 1;
	return by_position(&a->at, &b->at);
}

static int by_time(const void *x, const void *y)
{
	const struct ks_place *a = x, *b = y;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return by_position(a, b);
}

/* The pairs of selected kernels. */
static size_t collect(const struct ks_analysis *a, struct placed *p)
{
	const struct ks_launches *l = &a->launches;
	size_t n = 0;

	for (uint32_t i = 0; i < l->pairs.count; i++) {
		const struct ks_pair_key *key = ks_launches_pair_key(l, i);
		const struct ks_track_key *track = ks_launches_track_key(l, key->track);
		const uint32_t kernel = a->kernel_of_group[key->group];

		if (kernel >= a->n_kernels)
			continue;
		p[n++] = (struct placed){
			kernel,
			{ .gpu = a->device[l->track[key->track].device].gpu,
			  .pid = ks_global_pid(track->process),
			  .stream = track->stream,
			  .launches = l->pair[i].launches,
			  .total_ns = (ks_ns)l->pair[i].total_ns },
		};
	}
	return n;
}

/* Adds up what ran at the same place; returns how many are left. */
static size_t fold(struct placed *p, size_t n)
{
	size_t kept = 0;

	qsort(p, n, sizeof(*p), by_kernel);
	for (size_t i = 0; i < n; i++) {
		if (kept && by_kernel(&p[kept - 1], &p[i]) == 0) {
			p[kept - 1].at.launches += p[i].at.launches;
			p[kept - 1].at.total_ns += p[i].at.total_ns;
		} else {
			p[kept++] = p[i];
		}
	}
	return kept;
}

static void hand_out(struct ks_analysis *a, const struct placed *p, size_t n, struct ks_place *list)
{
	for (size_t i = 0; i < n;) {
		struct ks_kernel_work *k = &a->kernel[p[i].kernel];
		const size_t first = i;

		for (; i < n && p[i].kernel == p[first].kernel; i++)
			list[i] = p[i].at;
		k->n_places = i - first;
		qsort(list + first, k->n_places, sizeof(*list), by_time);
		k->place = list + first;
	}
}

enum ks_status ks_places_build(struct ks_analysis *a, struct ks_err *err)
{
	struct placed *p = ks_mem_alloc((a->launches.pairs.count + 1) * sizeof(*p));

	if (!p)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "places", NULL);
	ks_launches_settle(&a->launches);
	const size_t n = fold(p, collect(a, p));
	struct ks_place *list = KS_ARENA_NEWS(a->arena, struct ks_place, n);

	if (list)
		hand_out(a, p, n, list);
	ks_mem_free(p);
	return list ? KS_OK : ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "places", NULL);
}
