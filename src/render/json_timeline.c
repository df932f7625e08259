/* SPDX-License-Identifier: Apache-2.0
 *
 * The "timeline" object of a report, ours alone: nanoseconds as integers, exact names, null for
 * what is not known. Of a report that was read it is written back as it was.
 */
#include "base/str.h"
#include "evidence/ratio.h"
#include "render/copy_word.h"
#include "render/json.h"

static void real_or_null(struct ks_json *j, const char *key, double v)
{
	ks_jsonw_key(&j->w, key);
	if (v < 0.0)
		ks_jsonw_null(&j->w);
	else
		ks_jsonw_double(&j->w, v);
}

static void count(struct ks_json *j, const char *key, uint64_t n)
{
	ks_jsonw_key(&j->w, key);
	ks_jsonw_u64(&j->w, n);
}

static void begin_list(struct ks_json *j, const char *key)
{
	ks_jsonw_key(&j->w, key);
	ks_jsonw_arr(&j->w);
}

static void begin_object(struct ks_json *j, const char *key)
{
	ks_jsonw_key(&j->w, key);
	ks_jsonw_obj(&j->w);
}

static void device_label(struct ks_json *j, const char *key, size_t gpu)
{
	ks_json_number(j, key, gpu < j->r->n_gpus ? j->r->gpu[gpu].label : KS_UNKNOWN);
}

static void window(struct ks_json *j, const struct ks_window_facts *w)
{
	ks_jsonw_key(&j->w, "window");
	if (!w->on) {
		ks_jsonw_null(&j->w);
		return;
	}
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "text", w->text);
	ks_jsonw_kv_i64(&j->w, "start_ns", w->from_ns);
	ks_jsonw_kv_i64(&j->w, "end_ns", w->to_ns);
	count(j, "cut_launches", w->cut_launches);
	ks_jsonw_obj_end(&j->w);
}

static void steps(struct ks_json *j, const struct ks_steps *s)
{
	static const char *const mark[] = {
		[KS_STEP_PLAIN] = "",
		[KS_STEP_FIRST] = "first",
		[KS_STEP_WARMUP] = "warmup",
		[KS_STEP_OUTLIER] = "outlier",
	};

	begin_object(j, "steps");
	ks_jsonw_kv_str(&j->w, "name", s->name);
	ks_jsonw_kv_str(&j->w, "domain", s->domain);
	count(j, "count", s->n);
	count(j, "first_number", s->first_number);
	count(j, "warmup", s->n_warmup);
	count(j, "outliers", s->n_outliers);
	ks_json_msg(j, "why", &s->why);
	begin_list(j, "list");
	for (size_t i = 0; i < s->n; i++) {
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_i64(&j->w, "start_ns", s->step[i].start_ns);
		ks_jsonw_kv_i64(&j->w, "end_ns", s->step[i].end_ns);
		ks_json_number(j, "kernel_ns", s->step[i].kernel_ns);
		ks_jsonw_kv_cstr(&j->w, "mark", mark[s->step[i].mark]);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}

static void phase_keys(struct ks_json *j, const struct ks_phase *p)
{
	ks_jsonw_kv_str(&j->w, "name", p->name);
	ks_jsonw_kv_str(&j->w, "domain", p->domain);
	ks_json_number(j, "type", p->type);
	count(j, "depth", p->depth);
	count(j, "instances", p->instances);
	ks_jsonw_kv_i64(&j->w, "wall_ns", p->wall_ns);
	ks_jsonw_kv_i64(&j->w, "min_ns", p->min_ns);
	ks_jsonw_kv_i64(&j->w, "max_ns", p->max_ns);
	count(j, "kernels", p->kernels);
	ks_jsonw_kv_i64(&j->w, "kernel_ns", p->kernel_ns);
	ks_jsonw_kv_i64(&j->w, "own_ns", p->own_ns);
	ks_jsonw_kv_i64(&j->w, "worst_kernel_ns", p->worst_kernel_ns);
	ks_json_number(j, "gpu_ns", p->gpu_ns);
	ks_json_number(j, "overlap_ns", p->overlap_ns);
	ks_json_number(j, "overlap_same_process_ns", p->overlap_process_ns);
	ks_json_number(j, "overlap_of_union_ns", p->overlap_union_ns);
	real_or_null(j, "share_pct", ks_share_pct(p->kernel_ns, j->r->kernel_ns));
}

static void phases(struct ks_json *j, const struct ks_timeline *t)
{
	begin_list(j, "phases");
	for (size_t i = 0; i < t->n_phases; i++) {
		ks_jsonw_obj(&j->w);
		phase_keys(j, &t->phase[i]);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	begin_list(j, "folded");
	for (size_t i = 0; i < t->n_folded_phases; i++) {
		ks_jsonw_obj(&j->w);
		phase_keys(j, &t->folded_phase[i]);
		count(j, "names", t->folded_names[i]);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
}

/* In preorder; a parent is the number of its node, null for a root. */
static void paths(struct ks_json *j, const struct ks_timeline *t)
{
	if (t->path == NULL)
		return;
	begin_list(j, "paths");
	for (size_t i = 0; i < t->n_paths; i++) {
		const struct ks_path_node *n = &t->path[i];

		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "name", n->name);
		ks_json_number(j, "parent", n->parent == i ? KS_UNKNOWN : (int64_t)n->parent);
		count(j, "depth", n->depth);
		ks_json_number(j, "kernels",
			       n->kernels == UINT64_MAX ? KS_UNKNOWN : (int64_t)n->kernels);
		ks_jsonw_kv_i64(&j->w, "own_ns", n->own_ns);
		ks_jsonw_kv_i64(&j->w, "total_ns", n->total_ns);
		ks_jsonw_kv_i64(&j->w, "left_out_ns", n->left_out_ns);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	count(j, "paths_left_out", t->paths_left_out);
}

static void nvtx(struct ks_json *j, const struct ks_timeline *t)
{
	begin_object(j, "nvtx");
	ks_jsonw_kv_cstr(&j->w, "reading", t->by_overlap ? "overlap" : "projection");
	count(j, "ranges", t->ranges);
	count(j, "open_ranges", t->open_ranges);
	count(j, "marks", t->marks);
	count(j, "bad_ranges", t->bad_ranges);
	count(j, "names", t->n_names);
	count(j, "domains", t->n_domains);
	ks_jsonw_kv_i64(&j->w, "attributed_ns", t->attributed_ns);
	ks_jsonw_kv_i64(&j->w, "unattributed_ns", t->unattributed_ns);
	count(j, "launches_without_call", t->no_call_launches);
	count(j, "phases_with_time", t->phases_with_time);
	phases(j, t);
	paths(j, t);
	ks_jsonw_obj_end(&j->w);
}

/* The buckets exclude each other: idle and the seven others are the span. */
static void mix(struct ks_json *j, const struct ks_device_time *d)
{
	static const char *const key[8] = {
		"idle", "compute",	"copy",	     "compute_copy",
		"comm", "compute_comm", "copy_comm", "compute_copy_comm",
	};

	begin_object(j, "mix_ns");
	for (size_t i = 0; i < KS_ARRAY_LEN(key); i++)
		ks_jsonw_kv_i64(&j->w, key[i], d->mix_ns[i]);
	ks_jsonw_obj_end(&j->w);
}

static void devices(struct ks_json *j, const struct ks_timeline *t)
{
	begin_list(j, "devices");
	for (size_t i = 0; t->device != NULL && i < j->r->n_gpus_used; i++) {
		const struct ks_device_time *d = &t->device[i];

		ks_jsonw_obj(&j->w);
		device_label(j, "device", i);
		mix(j, d);
		count(j, "max_streams", d->max_streams);
		count(j, "gaps", d->gaps);
		ks_jsonw_kv_i64(&j->w, "longest_gap_ns", d->longest_gap_ns);
		ks_jsonw_kv_i64(&j->w, "gap_overhead_ns", d->gap_overhead_ns);
		ks_jsonw_kv_i64(&j->w, "comm_sum_ns", d->comm_sum_ns);
		ks_json_number(j, "memory_peak_bytes", d->memory_peak_bytes);
		ks_json_number(j, "memory_end_bytes", d->memory_end_bytes);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	begin_list(j, "idle_gaps");
	for (size_t i = 0; i < t->n_gaps; i++) {
		ks_jsonw_obj(&j->w);
		device_label(j, "device", t->gap[i].gpu);
		ks_jsonw_kv_i64(&j->w, "start_ns", t->gap[i].start_ns);
		ks_jsonw_kv_i64(&j->w, "end_ns", t->gap[i].end_ns);
		ks_jsonw_kv_i64(&j->w, "overhead_ns", t->gap[i].overhead_ns);
		ks_jsonw_kv_str(&j->w, "before", t->gap[i].before);
		ks_jsonw_kv_str(&j->w, "after", t->gap[i].after);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
}

static void copy_groups(struct ks_json *j, const struct ks_timeline *t)
{
	struct ks_arena word;

	ks_arena_init(&word, (size_t)1 << 16);
	begin_list(j, "groups");
	for (size_t i = 0; i < t->n_copy_groups; i++) {
		const struct ks_copy_group *g = &t->copy_group[i];

		ks_arena_reset(&word);
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "kind", ks_copy_word(&word, g->kind));
		ks_json_number(j, "bytes", g->bytes);
		count(j, "count", g->count);
		ks_jsonw_kv_i64(&j->w, "max_ns", g->max_ns);
		ks_json_number(j, "median_ns", g->median_ns > 0 ? g->median_ns : KS_UNKNOWN);
		real_or_null(j, "gb_per_s", g->gb_per_s);
		real_or_null(j, "typical_gb_per_s", g->typical_gb_per_s);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	ks_arena_release(&word);
}

static void copies(struct ks_json *j, const struct ks_timeline *t)
{
	begin_object(j, "copies");
	copy_groups(j, t);
	begin_list(j, "kinds");
	for (size_t i = 0; i < t->n_copy_kinds; i++) {
		const struct ks_copy_kind_sum *k = &t->copy_kind[i];

		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "kind", k->kind);
		ks_jsonw_kv_known(&j->w, "source", k->src_name);
		ks_jsonw_kv_known(&j->w, "destination", k->dst_name);
		ks_jsonw_kv_known(&j->w, "cause", k->cause_name);
		ks_json_number(j, "source_device", k->src_device);
		ks_json_number(j, "destination_device", k->dst_device);
		count(j, "count", k->count);
		count(j, "unknown_bytes_rows", k->unknown_bytes_rows);
		count(j, "bytes", k->bytes);
		ks_jsonw_kv_i64(&j->w, "total_ns", k->total_ns);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}

static void communication(struct ks_json *j, const struct ks_timeline *t)
{
	begin_object(j, "communication");
	begin_list(j, "calls");
	for (size_t i = 0; i < t->n_comm_calls; i++) {
		const struct ks_comm_call *c = &t->comm_call[i];

		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "name", c->name);
		count(j, "calls", c->calls);
		count(j, "bytes", c->bytes);
		count(j, "unknown_rows", c->unknown_rows);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	begin_list(j, "kernels");
	for (size_t i = 0; i < t->n_comm_kernels; i++) {
		const struct ks_kernel_overlap *k = &t->comm_kernel[i];

		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "kernel", k->kernel);
		ks_jsonw_kv_i64(&j->w, "with_ns", k->with_ns);
		ks_jsonw_kv_i64(&j->w, "without_ns", k->without_ns);
		count(j, "with_launches", k->with_launches);
		count(j, "without_launches", k->without_launches);
		ks_json_number(j, "with_median_ns",
			       k->with_launches > 0 ? k->with_median_ns : KS_UNKNOWN);
		ks_json_number(j, "without_median_ns",
			       k->without_launches > 0 ? k->without_median_ns : KS_UNKNOWN);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}

static void graphs(struct ks_json *j, const struct ks_graphs *g)
{
	begin_object(j, "graphs");
	count(j, "launch_calls", g->launch_calls);
	count(j, "replays", g->replays);
	count(j, "node_launches", g->node_launches);
	ks_jsonw_kv_i64(&j->w, "node_ns", g->node_ns);
	count(j, "runs", g->runs);
	ks_jsonw_kv_i64(&j->w, "run_ns", g->run_ns);
	ks_jsonw_kv_i64(&j->w, "run_union_ns", g->run_union_ns);
	begin_list(j, "top");
	for (size_t i = 0; i < g->n_top; i++) {
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "kernel", g->top[i].kernel);
		ks_json_number(j, "node", g->top[i].node);
		count(j, "launches", g->top[i].launches);
		ks_jsonw_kv_i64(&j->w, "total_ns", g->top[i].total_ns);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}

static void calls(struct ks_json *j, const struct ks_timeline *t)
{
	begin_list(j, "api");
	for (size_t i = 0; i < t->n_api; i++) {
		const struct ks_api_call *c = &t->api[i];

		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "name", c->name);
		ks_jsonw_kv_bool(&j->w, "synchronises", c->is_sync);
		ks_jsonw_kv_bool(&j->w, "launches_work", c->is_launch);
		count(j, "calls", c->calls);
		count(j, "failed", c->failed);
		ks_jsonw_kv_i64(&j->w, "total_ns", c->total_ns);
		ks_jsonw_kv_i64(&j->w, "max_ns", c->max_ns);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
	count(j, "api_names", t->n_api_names);
	begin_list(j, "call_sites");
	for (size_t i = 0; i < t->n_call_sites; i++) {
		ks_jsonw_obj(&j->w);
		ks_jsonw_kv_str(&j->w, "kernel", t->call_site[i].kernel);
		ks_jsonw_kv_str(&j->w, "frame", t->call_site[i].frame);
		ks_jsonw_kv_str(&j->w, "stack", t->call_site[i].stack);
		count(j, "launches", t->call_site[i].launches);
		ks_jsonw_obj_end(&j->w);
	}
	ks_jsonw_arr_end(&j->w);
}

void ks_json_timeline(struct ks_json *j)
{
	const struct ks_timeline *t = j->r->timeline;

	if (t == NULL && j->r->raw_timeline.n == 0)
		return;
	ks_jsonw_key(&j->w, "timeline");
	if (t == NULL) {
		ks_out_str(j->w.out, j->r->raw_timeline);
		j->w.after_key = false;
		return;
	}
	ks_jsonw_obj(&j->w);
	window(j, &t->window);
	steps(j, &t->steps);
	nvtx(j, t);
	devices(j, t);
	copies(j, t);
	communication(j, t);
	graphs(j, &t->graphs);
	calls(j, t);
	ks_jsonw_obj_end(&j->w);
}
