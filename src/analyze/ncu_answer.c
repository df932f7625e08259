/* SPDX-License-Identifier: Apache-2.0
 *
 * From the counts to the line: whose name is the chosen one's, how many of them come before it, and
 * what of the launch a replay cannot give back.
 */
#include "analyze/comm.h"
#include "analyze/eventname.h"
#include "analyze/name.h"
#include "analyze/ncu_internal.h"
#include "analyze/ncu_words.h"
#include "base/mem.h"
#include "base/str.h"

/* The name that ncu compares: of the function, without templates, namespaces and parameters. */
static ks_str function_of(struct ks_ncu_count *n, const struct ks_ncu_place *p)
{
	const ks_str name = ks_ncu_text(n, p->function);
	const ks_str whole = ks_ncu_text(n, p->demangled != 0 ? p->demangled : p->mangled);

	if (name.n > 0)
		return name;
	return whole.n == 0 ? whole : ks_name_function(ks_event_kernel(&n->arena, NULL, whole));
}

struct sums { /* over the places of one name */
	uint64_t n, inside, called, by_call, by_call_inside, by_start;
};

static void add(struct sums *s, const struct ks_ncu_tally *t)
{
	s->n += t->n;
	s->inside += t->inside;
	s->called += t->called;
	s->by_call += t->by_call;
	s->by_call_inside += t->by_call_inside;
	s->by_start += t->by_start;
}

struct counts {
	struct sums all, own; /* own: of the chosen launch's process */
	bool overlapped;
};

static void sum_up(struct ks_ncu_count *n, ks_str function, struct counts *c)
{
	const struct ks_ncu_place *mine = ks_map_key(&n->places, n->target);

	for (uint32_t i = 0; i < n->places.count; i++) {
		const struct ks_ncu_place *p = ks_map_key(&n->places, i);

		c->overlapped |= n->tally[i].overlaps && p->device == mine->device;
		if (!ks_str_eq(function_of(n, p), function))
			continue;
		add(&c->all, &n->tally[i]);
		if (ks_global_pid(p->process) == ks_global_pid(mine->process))
			add(&c->own, &n->tally[i]);
	}
}

static uint64_t before(const struct sums *s, bool by_call, bool filtered)
{
	if (!by_call)
		return s->by_start;
	return filtered ? s->by_call_inside : s->by_call;
}

/* A text for the line; whether --redact changed it. */
static ks_str shown_name(struct ks_ncu_count *n, enum ks_name_class c, ks_str s)
{
	const ks_str shown = s.n == 0 ? s : ks_redact_name(n->ctx->redact, c, s);

	n->hidden |= !ks_str_eq(shown, s);
	return shown;
}

static ks_str filter_of(struct ks_ncu_count *n)
{
	const struct ks_shown_range r = {
		.name = shown_name(n, KS_NAME_RANGE, n->range->name),
		.domain = shown_name(n, KS_NAME_DOMAIN, n->range->domain),
		.start_end = n->range->start_end,
	};

	return ks_ncu_range_filter(&n->arena, &r);
}

static bool is_collective(struct ks_ncu_count *n, ks_str function)
{
	const struct ks_ncu_place *p = ks_map_key(&n->places, n->target);
	const ks_str whole = ks_ncu_text(n, p->demangled);

	return ks_comm_library(function)[0] != '\0' || ks_comm_library(whole)[0] != '\0';
}

static void fill_counts(struct ks_ncu_count *n, ks_str function, bool *filtered)
{
	struct ks_ncu_line *line = &n->line;
	struct counts c = { .overlapped = false };

	sum_up(n, function, &c);
	/* an order is of calls or of starts, never of both */
	const bool by_call = n->shown->launch_call != NULL && c.all.called == c.all.n;

	*filtered = by_call && n->range != NULL;
	line->skip = before(&c.all, by_call, *filtered);
	line->skip_in_process = before(&c.own, by_call, *filtered);
	line->launches = *filtered ? c.all.inside : c.all.n;
	line->limit[KS_NCU_REPLAY] = true;
	line->limit[KS_NCU_GRAPH] = n->graph;
	line->limit[KS_NCU_CONCURRENT] = c.overlapped;
	line->limit[KS_NCU_PROCESSES] = c.own.n != c.all.n;
	line->limit[KS_NCU_ORDER] = !by_call;
}

enum ks_status ks_ncu_finish(struct ks_ncu_count *n, const struct ks_ncu_line **out,
			     struct ks_err *err)
{
	struct ks_ncu_line *line = &n->line;
	const struct ks_found_event *e = &n->shown->event.of;
	bool filtered = false;

	if (n->target == KS_MAP_NONE) /* it was there a reading ago */
		return ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_SHOW_NONE, e->id.p, NULL);
	const ks_str function = function_of(n, ks_map_key(&n->places, n->target));

	if (function.n == 0 || !ks_ncu_is_plain(function))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_NCU_NAME, e->id.p, NULL);
	fill_counts(n, function, &filtered);
	line->id = e->id;
	line->kernel = e->name;
	line->duration_ns = e->duration_ns;
	line->pid = e->pid;
	line->function = shown_name(n, KS_NAME_KERNEL, function);
	line->nvtx = filtered ? filter_of(n) : KS_LIT("");
	line->limit[KS_NCU_COLLECTIVE] = is_collective(n, function);
	ks_ncu_words(&n->arena,
		     &(struct ks_ncu_ask){ .function = line->function,
					   .nvtx = line->nvtx,
					   .skip = line->skip,
					   .graph = line->limit[KS_NCU_GRAPH],
					   .collective = line->limit[KS_NCU_COLLECTIVE],
					   .program = n->program,
					   .folder = n->folder,
					   .argument = n->argument,
					   .n_arguments = n->n_arguments },
		     line);
	line->limit[KS_NCU_REDACTED] = n->hidden;
	*out = line;
	return ks_arena_failed(&n->arena) ? ks_ncu_no_memory(err) : KS_OK;
}
