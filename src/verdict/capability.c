/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier, state of every question, and what to do next. Opens nothing and knows no path.
 */
#include "verdict/capability.h"

#include <stdlib.h>

#include "base/str.h"

const char *ks_answerable_name(enum ks_answerable s)
{
	static const char *const name[] = { "available", "degraded", "refused" };

	return name[s];
}

static enum ks_tier tier_of(const struct ks_means *m)
{
	if (!m->gpu || !m->nsys)
		return m->gpu && m->nvml && !m->nvml_disabled ? KS_TIER_DEVICE : KS_TIER_DEMO;
	if (m->counters == KS_COUNTER_STATE_AVAILABLE)
		return KS_TIER_COUNTERS;
	return m->nvbit ? KS_TIER_INSTRUMENTED : KS_TIER_TRACE;
}

static enum ks_refusal counter_code(const struct ks_means *m)
{
	switch (m->counters) {
	case KS_COUNTER_STATE_AVAILABLE:
		return KS_REFUSAL_NONE;
	case KS_COUNTER_STATE_DENIED:
		return KS_REFUSAL_COUNTERS_DENIED;
	case KS_COUNTER_STATE_NOT_INSTALLED:
		return KS_REFUSAL_COUNTERS_NOT_INSTALLED;
	case KS_COUNTER_STATE_NOT_IN_PATH:
	case KS_COUNTER_STATE_UNKNOWN:
	case KS_COUNTER_STATE_COUNT:
		break;
	}
	return KS_REFUSAL_COUNTERS_UNKNOWN;
}

static enum ks_refusal cubin_code(const struct ks_means *m)
{
	if (!m->cubin)
		return KS_REFUSAL_NO_STATIC_INPUT;
	return m->cuobjdump ? KS_REFUSAL_NONE : KS_REFUSAL_CUOBJDUMP_MISSING;
}

/* The first thing that is missing, in the order of contract 06 §21. */
static enum ks_refusal blocked_by(unsigned needs, const struct ks_means *m)
{
	const struct {
		enum ks_need need;
		enum ks_refusal code; /* NONE: it is there */
	} check[] = {
		{ KS_NEED_GPU, m->gpu ? KS_REFUSAL_NONE : KS_REFUSAL_NO_GPU },
		{ KS_NEED_NVML, !m->nvml	   ? KS_REFUSAL_NO_NVML
				: m->nvml_disabled ? KS_REFUSAL_NO_NVML_SAMPLES
						   : KS_REFUSAL_NONE },
		{ KS_NEED_NSYS, m->nsys ? KS_REFUSAL_NONE : KS_REFUSAL_NSYS_MISSING },
		{ KS_NEED_NVBIT, m->nvbit ? KS_REFUSAL_NONE : KS_REFUSAL_NVBIT_MISSING },
		{ KS_NEED_MEMTRACE, m->memtrace ? KS_REFUSAL_NONE : KS_REFUSAL_NO_MEMTRACE },
		{ KS_NEED_HISTOGRAM, m->histogram ? KS_REFUSAL_NONE : KS_REFUSAL_NO_INSTR_HIST },
		{ KS_NEED_OCC_PROBE,
		  m->occupancy_probe ? KS_REFUSAL_NONE : KS_REFUSAL_NO_OCCUPANCY_PROBE },
		{ KS_NEED_NVLINK, m->nvlinks > 0 ? KS_REFUSAL_NONE : KS_REFUSAL_NO_NVLINK },
		{ KS_NEED_COUNTERS, counter_code(m) },
		{ KS_NEED_CUBIN, cubin_code(m) },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(check); i++) {
		if ((needs & check[i].need) != 0 && check[i].code != KS_REFUSAL_NONE)
			return check[i].code;
	}
	return KS_REFUSAL_NONE;
}

static struct ks_answer answer(enum ks_question q, const struct ks_means *m)
{
	const unsigned needs = ks_question_info(q)->needs;
	struct ks_answer a = { .id = q, .state = KS_ANSWER_AVAILABLE };

	a.code = blocked_by(needs, m);
	if ((needs & KS_NEED_OR_CUBIN) != 0 && cubin_code(m) == KS_REFUSAL_NONE)
		a.code = KS_REFUSAL_NONE;
	if (a.code != KS_REFUSAL_NONE) {
		a.state = KS_ANSWER_REFUSED;
		return a;
	}
	if ((needs & KS_NEED_WORKLOAD) != 0 && !m->workload)
		a.code = KS_REFUSAL_NO_WORKLOAD;
	else if ((needs & KS_NEED_CALIBRATION) != 0 && !m->calibration)
		a.code = KS_REFUSAL_NO_CALIBRATION;
	if (a.code != KS_REFUSAL_NONE)
		a.state = KS_ANSWER_DEGRADED;
	return a;
}

static void unlock(struct ks_capability *c, enum ks_refusal code, enum ks_question q)
{
	size_t i = 0;

	while (i < c->n_next && c->next[i].code != code)
		i++;
	if (i == c->n_next)
		c->next[c->n_next++] = (struct ks_action){ .code = code };
	c->next[i].unlocks[c->next[i].n_unlocks++] = q;
}

/* By hand counts as a second, and nothing as less than one (contract 06 §21). */
static double price(const struct ks_action *a)
{
	const struct ks_refusal_info *r = ks_refusal_info(a->code);
	const double s = r->cost_kind == KS_COST_MANUAL || r->cost_s < 1.0 ? 1.0 : r->cost_s;

	return s / (double)a->n_unlocks;
}

static int by_price(const void *x, const void *y)
{
	const struct ks_action *a = x, *b = y;
	const double pa = price(a), pb = price(b);

	if (pa < pb || pa > pb)
		return pa < pb ? -1 : 1;
	if (a->n_unlocks != b->n_unlocks)
		return a->n_unlocks > b->n_unlocks ? -1 : 1;
	return strcmp(ks_refusal_info(a->code)->slug, ks_refusal_info(b->code)->slug);
}

void ks_capability_judge(const struct ks_means *means, struct ks_capability *c)
{
	*c = (struct ks_capability){ .means = *means, .tier = tier_of(means) };
	for (unsigned q = 0; q < KS_QUESTION_COUNT; q++) {
		const struct ks_answer a = answer((enum ks_question)q, means);

		c->answer[q] = a;
		if (a.state == KS_ANSWER_REFUSED &&
		    ks_refusal_info(a.code)->cost_kind != KS_COST_IMPOSSIBLE)
			unlock(c, a.code, a.id);
	}
	qsort(c->next, c->n_next, sizeof(c->next[0]), by_price);
}

bool ks_action_helps_now(const struct ks_action *a)
{
	/* a file that has only to be handed in is nothing that this machine lacks */
	for (size_t i = 0; i < a->n_unlocks; i++) {
		const struct ks_question_info *q = ks_question_info(a->unlocks[i]);

		if (q->now && (q->needs & KS_NEED_CUBIN) == 0)
			return !ks_refusal_info(a->code)->later;
	}
	return false;
}

const struct ks_action *ks_capability_first(const struct ks_capability *c)
{
	for (size_t i = 0; i < c->n_next; i++) {
		if (ks_action_helps_now(&c->next[i]))
			return &c->next[i];
	}
	return NULL;
}

static bool found(const struct ks_host *host, enum ks_host_tool tool)
{
	return host->tool[tool].path.n > 0;
}

struct ks_means ks_capability_means(const struct ks_host *host, enum ks_counter_state counters)
{
	struct ks_means m = {
		.gpu = host->has_gpu == KS_KNOWN_YES,
		.nvml = host->has_nvml,
		.nsys = found(host, KS_TOOL_NSYS),
		.cuobjdump = found(host, KS_TOOL_CUOBJDUMP),
		.ncu = found(host, KS_TOOL_NCU),
		.nvbit = host->nvbit_path.n > 0,
		.counters = counters,
		.gpu_name = KS_LIT(""),
		.n_gpus = host->n_gpus,
	};

	if (host->n_gpus > 0)
		m.gpu_name = host->gpu[0].name;
	for (size_t i = 0; i < host->n_gpus; i++) {
		if (host->gpu[i].nvlinks > 0)
			m.nvlinks += host->gpu[i].nvlinks;
	}
	return m;
}
