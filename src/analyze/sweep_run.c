/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep of an analysis: tells it which device, track and kernel a launch belongs to, which
 * kernels communicate, and who uses which device. Computes nothing itself.
 */
#include "analyze/sweep_names.h"
#include "base/mem.h"

/* --- what the sweep has to be told ---------------------------------------------------------------
 */

struct tables {
	struct ks_sweep_pair *pair;
	bool *on;
	int64_t *label;
	struct ks_sweep_user *user;
	size_t n_users;
	bool *graph;	  /* by pair: launched as part of a CUDA graph */
	bool *one_stream; /* by device: kernels and copies, all in one */
};

static void tables_release(struct tables *t)
{
	ks_mem_free(t->pair);
	ks_mem_free(t->on);
	ks_mem_free(t->label);
	ks_mem_free(t->user);
	ks_mem_free(t->graph);
	ks_mem_free(t->one_stream);
}

static void fill_pairs(const struct ks_analysis *a, struct ks_sweep_pair *pair)
{
	const struct ks_launches *l = &a->launches;

	for (uint32_t i = 0; i < l->pairs.count; i++) {
		const struct ks_pair_key *key = ks_launches_pair_key(l, i);
		const uint32_t device = l->track[key->track].device;

		pair[i] = (struct ks_sweep_pair){
			.device = a->device[device].selected ? device : UINT32_MAX,
			.track = key->track,
			.kernel = a->kernel_of_group ? a->kernel_of_group[key->group] : UINT32_MAX,
			.comm = a->comm && ks_comm_is_group(a->comm, key->group),
		};
	}
}

static void fill_graph(const struct ks_analysis *a, bool *graph)
{
	for (uint32_t i = 0; i < a->launches.pairs.count; i++) {
		const uint32_t group = ks_launches_pair_key(&a->launches, i)->group;

		graph[i] = a->launches.group[group].graph_launches > 0;
	}
}

static bool is_in(const struct ks_only_stream *s, const struct ks_track_key *track)
{
	return track->process == s->process && track->context == s->context &&
	       track->stream == s->stream;
}

/* Devices whose kernels are all in the stream of their copies. */
static void fill_one_stream(const struct ks_analysis *a, bool *one)
{
	const struct ks_launches *l = &a->launches;

	for (size_t i = 0; i < a->n_devices; i++)
		one[i] = i < a->copy_stream_cap && a->copy_stream[i].any &&
			 !a->copy_stream[i].several;
	for (uint32_t i = 0; i < l->tracks.count; i++) {
		const struct ks_track_key *key = ks_launches_track_key(l, i);
		const uint32_t device = l->track[i].device;

		if (one[device] && l->track[i].launches > 0)
			one[device] = is_in(&a->copy_stream[device], key);
	}
}

static int by_process(const void *x, const void *y)
{
	const struct ks_sweep_user *a = x, *b = y;

	if (a->process != b->process)
		return a->process < b->process ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

/* Who uses which device, by the rows of whatever kind. Devices that somebody unknown uses come
 * first, and only there: everybody's overhead is theirs. */
static size_t fill_users(const struct ks_devices *d, struct ks_sweep_user *user, bool *of_all)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < d->n_keys; i++)
		of_all[d->key[i].device] |= d->key[i].process == KS_UNKNOWN;
	for (size_t i = 0; i < d->n_keys; i++) {
		const struct ks_device_key *key = &d->key[i];

		user[n++] = (struct ks_sweep_user){
			.process = of_all[key->device] ? KS_UNKNOWN : key->process >> 24,
			.device = key->device,
		};
	}
	qsort(user, n, sizeof(*user), by_process);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || by_process(&user[kept - 1], &user[i]) != 0)
			user[kept++] = user[i];
	}
	return kept;
}

static enum ks_status tables_make(struct tables *t, const struct ks_analysis *a, struct ks_err *err)
{
	bool *of_all = ks_mem_alloc(a->n_devices * sizeof(*of_all));

	*t = (struct tables){
		.pair = ks_mem_alloc(a->launches.pairs.count * sizeof(*t->pair)),
		.on = ks_mem_alloc(a->n_devices * sizeof(*t->on)),
		.label = ks_mem_alloc(a->n_devices * sizeof(*t->label)),
		.user = ks_mem_alloc(a->devices.n_keys * sizeof(*t->user)),
		.graph = ks_mem_alloc(a->launches.pairs.count * sizeof(*t->graph)),
		.one_stream = ks_mem_alloc(a->n_devices * sizeof(*t->one_stream)),
	};
	if (!of_all || !t->pair || !t->on || !t->label || !t->user || !t->graph || !t->one_stream) {
		ks_mem_free(of_all);
		tables_release(t);
		return ks_sweep_no_memory(err);
	}
	fill_pairs(a, t->pair);
	fill_graph(a, t->graph);
	fill_one_stream(a, t->one_stream);
	for (size_t i = 0; i < a->n_devices; i++) {
		t->on[i] = a->device[i].selected && a->device[i].used;
		t->label[i] = a->devices.device[i].label;
	}
	t->n_users = fill_users(&a->devices, t->user, of_all);
	ks_mem_free(of_all);
	return KS_OK;
}

enum ks_status ks_sweep_run(struct ks_analysis *a, ks_ns from, ks_ns to, struct ks_err *err)
{
	struct ks_sweep_names names;
	struct tables t;

	KS_TRY(tables_make(&t, a, err));
	ks_sweep_names_init(&names, a);
	const struct ks_claims_ask claims = {
		.from = from,
		.to = to < from ? from : to,
		.n_devices = a->n_devices,
		.n_pairs = a->launches.pairs.count,
		.ranges = a->ranges,
		.step = a->steps.step,
		.n_steps = a->steps.n,
		.window = a->window.on ? &a->window : NULL,
		.graph = t.graph,
	};
	const struct ks_sweep_plan plan = {
		.from = from,
		.to = to < from ? from : to,
		.pair = t.pair,
		.n_pairs = a->launches.pairs.count,
		.n_tracks = a->launches.tracks.count,
		.device_on = t.on,
		.label = t.label,
		.n_devices = a->n_devices,
		/* which launches were skipped is not known here: no part of a kernel then */
		.n_kernels = a->skip_keys ? 0 : a->n_kernels,
		.user = t.user,
		.n_users = t.n_users,
		.claims = &claims,
		.compare = ks_sweep_names_compare,
		.arg = &names,
	};
	enum ks_status st = ks_sweep_merge(a->sweep, &plan, err);

	if (st == KS_OK)
		ks_claims_settle(a->sweep->claims, a->contents.graph_launches > 0, t.one_stream);
	if (st == KS_OK && (names.no_memory || ks_arena_failed(a->arena)))
		st = ks_sweep_no_memory(err);
	ks_sweep_names_release(&names);
	tables_release(&t);
	a->sweep->plan = (struct ks_sweep_plan){ 0 }; /* it borrowed all of this */
	return st;
}
