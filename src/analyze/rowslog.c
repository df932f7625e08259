/* SPDX-License-Identifier: Apache-2.0
 *
 * The report's launches: rows of the launch log with names and configurations put beside them.
 * Exists only when a per-launch output was asked for.
 */
#include "analyze/configs.h"
#include "analyze/evidence.h"
#include "base/num.h"

struct log_view {
	struct ks_analysis *a;
	const struct ks_report *r;
	const struct ks_kernel *k;
	const uint32_t *config_of_group; /* within its kernel */
	struct ks_launch_log log;
};

/* Device, stream, then whatever else tells two launches of the same moment apart. */
static int compare_pairs(const void *arg, uint32_t group_a, uint32_t track_a, uint32_t group_b,
			 uint32_t track_b)
{
	const struct ks_analysis *a = arg;
	const struct ks_track_key *x = ks_launches_track_key(&a->launches, track_a);
	const struct ks_track_key *y = ks_launches_track_key(&a->launches, track_b);
	const struct ks_device *d = a->devices.device;
	int c = ks_num_cmp_i64(d[a->launches.track[track_a].device].label,
			       d[a->launches.track[track_b].device].label);

	if (!c)
		c = ks_num_cmp_i64(x->stream, y->stream);
	if (!c)
		c = ks_num_cmp_i64(x->process, y->process);
	if (!c)
		c = ks_num_cmp_i64(x->context, y->context);
	return c ? c : ks_groups_compare(a, group_a, group_b);
}

static enum ks_status log_rewind(void *self, const struct ks_kernel *k, struct ks_err *err)
{
	struct log_view *v = self;

	v->k = k;
	return ks_launchlog_rewind(v->a->log, k->is_device ? UINT32_MAX : k->log_key, err);
}

static enum ks_status log_next(void *self, struct ks_launch_view *row, bool *got,
			       struct ks_err *err)
{
	struct log_view *v = self;
	const struct ks_analysis *a = v->a;
	struct ks_launchlog_row raw;

	KS_TRY(ks_launchlog_next(a->log, &raw, got, err));
	if (!*got)
		return KS_OK;
	*row = (struct ks_launch_view){
		.kernel = v->k->name,
		.index = raw.index,
		.config = &v->k->config[v->config_of_group[raw.group]],
		.start_ns = raw.start_ns,
		.end_ns = raw.start_ns + raw.duration_ns,
		.stream = ks_launches_track_key(&a->launches, raw.track)->stream,
		.device = a->devices.device[a->launches.track[raw.track].device].label,
	};
	return KS_OK;
}

static uint32_t *configs_of_groups(const struct ks_analysis *a)
{
	uint32_t *config = KS_ARENA_NEWS(a->arena, uint32_t, a->launches.groups.count);

	for (size_t k = 0; config && k < a->n_kernels; k++) {
		for (size_t c = 0; c < a->kernel[k].n_configs; c++) {
			const struct ks_config_groups *g = &a->kernel[k].config_group[c];

			for (size_t i = 0; i < g->n; i++)
				config[g->group[i]] = (uint32_t)c;
		}
	}
	return config;
}

enum ks_status ks_rows_open(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	if (!a->log)
		return KS_OK;
	const struct ks_launchlog_order order = {
		.kernel_of_group = a->kernel_of_group,
		.n_kernels = (uint32_t)a->n_kernels,
		.compare = compare_pairs,
		.arg = a,
		.first_ns = a->any_rows ? a->first_ns : 0,
		.skip = a->sel->launch_skip,
		.count = a->sel->launch_count,
		.globally = a->sel->count_globally,
	};
	struct log_view *v = KS_ARENA_NEW(a->arena, struct log_view);
	const uint32_t *config = configs_of_groups(a);

	if (!v || !config)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "launch rows", NULL);
	KS_TRY(ks_launchlog_finish(a->log, &order, err));
	*v = (struct log_view){ .a = a, .r = r, .config_of_group = config };
	v->log = (struct ks_launch_log){ .self = v, .rewind = log_rewind, .next = log_next };
	r->launches = &v->log;
	return KS_OK;
}
