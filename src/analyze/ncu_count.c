/* SPDX-License-Identifier: Apache-2.0
 *
 * The sink of `ncu-command`: counts the launches of each place and name, and those that come before
 * the chosen one. Whose name is the chosen one's is known at the end.
 */
#include "analyze/ncu_count.h"

#include "analyze/ncu_internal.h"
#include "analyze/ncu_words.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

enum { PID_BITS = 18 }; /* KS_LIMIT_PROCESSES; the rest of a key is the correlation id */

enum ks_status ks_ncu_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "ncu-command", NULL);
}

/* --- names ---------------------------------------------------------------------------------------
 */

ks_str ks_ncu_text(const struct ks_ncu_count *n, int64_t ref)
{
	return ks_told_text(&n->names, ref);
}

static void on_wanted(void *self, const ks_nameref **ref, size_t *count)
{
	struct ks_ncu_count *n = self;

	ks_told_wanted(&n->names, ref, count);
}

static enum ks_status on_name(void *self, ks_nameref ref, ks_str text, struct ks_err *err)
{
	struct ks_ncu_count *n = self;

	ks_told_tell(&n->names, &n->arena, ref, text);
	return ks_arena_failed(&n->arena) ? ks_ncu_no_memory(err) : KS_OK;
}

/* --- the program ---------------------------------------------------------------------------------
 */

static ks_str hidden(struct ks_ncu_count *n, ks_str s, bool path)
{
	struct ks_redact *r = n->ctx->redact;
	const ks_str shown =
		ks_arena_dup(&n->arena, path ? ks_redact_path(r, s) : ks_redact_text(r, s));

	n->hidden |= !ks_str_eq(shown, s);
	return shown;
}

static enum ks_status on_meta(void *self, const struct ks_trace_meta *m, struct ks_err *err)
{
	struct ks_ncu_count *n = self;
	ks_str *argument = KS_ARENA_NEWS(&n->arena, ks_str, m->n_arguments + 1);

	if (argument == NULL)
		return ks_ncu_no_memory(err);
	for (size_t i = 0; i < m->n_arguments; i++)
		argument[i] = hidden(n, m->argument[i], false);
	n->program = m->program.n > 0 ? hidden(n, m->program, false) : KS_LIT("");
	n->folder = m->folder.n > 0 ? hidden(n, m->folder, true) : KS_LIT("");
	n->argument = argument;
	n->n_arguments = m->n_arguments;
	return ks_arena_failed(&n->arena) ? ks_ncu_no_memory(err) : KS_OK;
}

/* --- calls ---------------------------------------------------------------------------------------
 */

static bool call_key(struct ks_ncu_count *n, int64_t process, int64_t correlation, uint32_t *pid,
		     int64_t *key)
{
	const int64_t id = ks_global_pid(process);

	*pid = ks_map_add(&n->pids, &id, NULL);
	*key = correlation << PID_BITS | (int64_t)*pid;
	return *pid != KS_MAP_NONE;
}

static bool is_id(int64_t correlation)
{
	return correlation > 0 && correlation < INT64_C(1) << (62 - PID_BITS);
}

static enum ks_status on_call(void *self, const struct ks_call *c, struct ks_err *err)
{
	struct ks_ncu_count *n = self;
	int64_t rec[KS_CALLINDEX_WORDS] = { 0, c->start_ns, c->thread };
	uint32_t pid = 0;

	if (c->event_class == KS_CALL_BACKTRACE || !ks_time_is_span(c->start_ns, c->end_ns) ||
	    !is_id(c->correlation))
		return KS_OK;
	if (!call_key(n, ks_global_process(c->thread), c->correlation, &pid, &rec[0]))
		return ks_ncu_no_memory(err);
	return ks_callindex_add(&n->calls, rec, err);
}

static enum ks_status on_calls_done(void *self, struct ks_err *err)
{
	struct ks_ncu_count *n = self;

	return ks_callindex_settle(&n->calls, NULL, NULL, err);
}

/* The call that launched it: the first with its id in its process. */
static enum ks_status find_call(struct ks_ncu_count *n, const struct ks_launch *l, ks_ns *at,
				bool *inside, struct ks_err *err)
{
	struct ks_callfound found;
	uint32_t pid = 0;
	int64_t key = 0;

	*at = KS_UNKNOWN;
	*inside = false;
	if (!is_id(l->correlation))
		return KS_OK;
	if (!call_key(n, l->process, l->correlation, &pid, &key))
		return ks_ncu_no_memory(err);
	KS_TRY(ks_callindex_find(&n->calls, pid, key, &found, err));
	if (found.rec == NULL)
		return KS_OK;
	*at = found.rec[1];
	*inside = n->range != NULL && ks_ncu_is_inside(n, found.rec[2], *at);
	return KS_OK;
}

/* --- launches ------------------------------------------------------------------------------------
 */

static enum ks_status place_of(struct ks_ncu_count *n, const struct ks_launch *l, uint32_t *at,
			       struct ks_err *err)
{
	const uint32_t device = ks_devices_resolve(&n->devices, l->process, l->device);
	const struct ks_ncu_place key = { l->process, device, l->function, l->demangled,
					  l->mangled };

	if (device == UINT32_MAX || !ks_told_wish(&n->names, l->function) ||
	    !ks_told_wish(&n->names, l->demangled) || !ks_told_wish(&n->names, l->mangled))
		return ks_ncu_no_memory(err);
	*at = ks_map_add(&n->places, &key, NULL);
	return *at != KS_MAP_NONE && KS_GROW(n->tally, n->tally_cap, (size_t)*at + 1, n->places.max)
		       ? KS_OK
		       : ks_ncu_no_memory(err);
}

static bool precedes(const struct ks_launch *l, const struct ks_found_event *e, int64_t row)
{
	int c = ks_num_cmp_i64(l->start_ns, e->start_ns);

	if (c == 0)
		c = ks_num_cmp_i64(l->row, row);
	return c < 0;
}

static int64_t row_of(const struct ks_ncu_count *n)
{
	enum ks_find_table table = KS_FIND_T_KERNEL;
	int64_t pid = 0, row = 0;

	return ks_find_id_parse(n->shown->event.of.id, &table, &pid, &row) ? row : KS_UNKNOWN;
}

static void count(struct ks_ncu_count *n, struct ks_ncu_tally *t, const struct ks_launch *l,
		  ks_ns called, bool inside)
{
	const struct ks_found_event *e = &n->shown->event.of;
	const ks_ns mine =
		n->shown->launch_call != NULL ? n->shown->launch_call->of.start_ns : KS_UNKNOWN;
	const bool earlier = precedes(l, e, n->row);

	t->n++;
	t->by_start += earlier;
	t->inside += inside;
	t->called += called != KS_UNKNOWN;
	if (called != KS_UNKNOWN && (called < mine || (called == mine && earlier))) {
		t->by_call++;
		t->by_call_inside += inside;
	}
}

static enum ks_status on_launch(void *self, const struct ks_launch *l, struct ks_err *err)
{
	struct ks_ncu_count *n = self;
	const struct ks_found_event *e = &n->shown->event.of;
	const bool is_it = l->row == n->row && ks_global_pid(l->process) == e->pid;
	uint32_t at = 0;
	ks_ns called = 0;
	bool inside = false;

	if (!ks_time_is_known(l->start_ns))
		return KS_OK; /* no launch that has a place in time */
	KS_TRY(place_of(n, l, &at, err));
	KS_TRY(find_call(n, l, &called, &inside, err));
	count(n, &n->tally[at], l, called, inside);
	if (is_it) {
		n->target = at;
		n->graph = l->graph_node > 0;
	} else if (ks_time_is_span(l->start_ns, l->end_ns) &&
		   l->start_ns < e->start_ns + e->duration_ns && l->end_ns > e->start_ns) {
		n->tally[at].overlaps = true;
	}
	return KS_OK;
}

/* --- the rest of a trace -------------------------------------------------------------------------
 */

static enum ks_status on_range(void *self, const struct ks_range *r, struct ks_err *err)
{
	return ks_ncu_add_range(self, r, err);
}

static enum ks_status on_ranges_done(void *self, struct ks_err *err)
{
	(void)err;
	ks_ncu_settle_ranges(self);
	return KS_OK;
}

static enum ks_status on_gpu(void *self, const struct ks_trace_gpu *g, struct ks_err *err)
{
	struct ks_ncu_count *n = self;

	return ks_devices_add_gpu(&n->devices, g, err);
}

static enum ks_status on_gpu_map(void *self, const struct ks_trace_gpu_map *m, struct ks_err *err)
{
	struct ks_ncu_count *n = self;

	return ks_devices_add_map(&n->devices, m, err);
}

static void set_ops(struct ks_sink_ops *o)
{
	*o = ks_sink_nothing;
	o->meta = on_meta;
	o->gpu = on_gpu;
	o->gpu_map = on_gpu_map;
	o->range = on_range;
	o->ranges_done = on_ranges_done;
	o->call = on_call;
	o->calls_done = on_calls_done;
	o->launch = on_launch;
	o->wanted = on_wanted;
	o->name = on_name;
}

/* The innermost range that ncu can be told; NULL for none. */
static const struct ks_shown_range *choose_range(struct ks_ncu_count *n)
{
	for (size_t i = n->shown->n_path; i > 0; i--) {
		if (ks_ncu_range_filter(&n->arena, &n->shown->range[i - 1]).n > 0)
			return &n->shown->range[i - 1];
	}
	return NULL;
}

enum ks_status ks_ncu_open(const struct ks_ctx *ctx, const struct ks_shown *shown,
			   struct ks_ncu_count **out, struct ks_err *err)
{
	struct ks_ncu_count *n = ks_mem_alloc(sizeof(*n));

	if (n == NULL)
		return ks_ncu_no_memory(err);
	n->ctx = ctx;
	n->shown = shown;
	n->target = KS_MAP_NONE;
	ks_arena_init(&n->arena, (size_t)ks_limit(KS_LIMIT_RUN_ARENA_BYTES));
	ks_devices_init(&n->devices, &n->arena);
	ks_told_init(&n->names);
	ks_map_init(&n->domains, sizeof(struct ks_ncu_domain), (size_t)ks_limit(KS_LIMIT_TRACKS));
	ks_map_init(&n->pids, sizeof(int64_t), (size_t)ks_limit(KS_LIMIT_PROCESSES));
	ks_map_init(&n->places, sizeof(struct ks_ncu_place), (size_t)ks_limit(KS_LIMIT_GROUPS));
	n->row = row_of(n);
	n->range = choose_range(n);
	set_ops(&n->ops);
	n->sink = (struct ks_sink){ &n->ops, n,
				    KS_ROWS_NUMBERS | KS_ROWS_CALLS |
					    (n->range != NULL ? KS_ROWS_RANGES : 0),
				    KS_SPARED_COPIES };
	if (!ks_callindex_open(&n->calls, ctx->io, (size_t)ks_limit(KS_LIMIT_CALL_SPILL_BYTES))) {
		ks_ncu_close(n);
		return ks_ncu_no_memory(err);
	}
	*out = n;
	return KS_OK;
}

void ks_ncu_close(struct ks_ncu_count *n)
{
	if (n == NULL)
		return;
	ks_callindex_release(&n->calls);
	ks_told_release(&n->names);
	ks_map_release(&n->domains);
	ks_map_release(&n->pids);
	ks_map_release(&n->places);
	ks_mem_free(n->domain_name);
	ks_mem_free(n->span);
	ks_mem_free(n->tally);
	ks_arena_release(&n->arena);
	ks_mem_free(n);
}

const struct ks_sink *ks_ncu_sink(struct ks_ncu_count *n)
{
	return &n->sink;
}
