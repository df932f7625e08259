/* SPDX-License-Identifier: Apache-2.0
 *
 * Occupancy against block size, registers and shared memory: which values are asked for, and what
 * the rows' own arithmetic says of each.
 */
#include "analyze/occpicture.h"

#include "analyze/configocc.h"
#include "evidence/occ_picture.h"

/* Values of an axis at most, whatever limits a file states. */
enum { BLOCK_LAST = 1024, REGS_LAST = 1024, SMEM_LAST = 1 << 20, SMEM_BY = 1024 };
enum { POINTS = 1024 + 8 };

struct work {
	const struct ks_occ_limits *limits;
	struct ks_occ_in launch; /* all its shared memory is dynamic_smem: only the sum counts */
	struct ks_occ_out now;
	struct ks_arena *arena;
};

static int64_t *value_of(struct ks_occ_in *in, enum ks_occ_axis axis)
{
	if (axis == KS_OCC_AXIS_BLOCK)
		return &in->block_threads;
	return axis == KS_OCC_AXIS_REGS ? &in->regs : &in->dynamic_smem;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* --- the nearest step up -------------------------------------------------------------------------
 */

/* Whole warps only; of two that are equally near the smaller one. */
static bool block_step(const struct work *w, int64_t *value)
{
	const int64_t last = least(w->limits->max_threads_per_block, BLOCK_LAST);
	struct ks_occ_in in = w->launch;
	struct ks_occ_out out;

	for (int64_t away = 1; away < BLOCK_LAST; away++) {
		for (int64_t sign = -1; sign <= 1; sign += 2) {
			in.block_threads = w->launch.block_threads + sign * away;
			if (in.block_threads % 32 != 0 || in.block_threads < 32 ||
			    in.block_threads > last ||
			    ks_occupancy(w->limits, &in, &out) != KS_OCC_OK ||
			    out.warps <= w->now.warps)
				continue;
			*value = in.block_threads;
			return true;
		}
	}
	return false;
}

static bool step_up(const struct work *w, enum ks_occ_axis axis, int64_t *value)
{
	const unsigned less = axis == KS_OCC_AXIS_REGS ? KS_OCC_REGISTERS : KS_OCC_SMEM;
	struct ks_occ_in next;
	struct ks_occ_out then;

	if (axis == KS_OCC_AXIS_BLOCK)
		return block_step(w, value);
	if (!ks_occ_step_up(w->limits, &w->launch, less, &next, &then))
		return false;
	*value = *value_of(&next, axis);
	return true;
}

/* --- the curves ----------------------------------------------------------------------------------
 */

struct values { /* ascending, each once */
	int64_t v[POINTS];
	size_t n;
};

static void range(struct values *l, int64_t first, int64_t last, int64_t by)
{
	for (int64_t v = first; v <= last && l->n < POINTS - 8; v += by)
		l->v[l->n++] = v;
}

static void insert(struct values *l, int64_t value)
{
	size_t at = l->n;

	while (at > 0 && l->v[at - 1] >= value)
		at--;
	if (at < l->n && l->v[at] == value)
		return;
	memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof(l->v[0]));
	l->v[at] = value;
	l->n++;
}

/* With a carve-out as launched, what is above it would be launched with another one. */
static int64_t most_smem(const struct work *w)
{
	const int64_t carve_out = w->launch.smem_executed;
	const int64_t most = least(w->limits->smem_optin, SMEM_LAST);

	if (carve_out <= 0 || carve_out >= w->limits->smem_per_sm)
		return most;
	return least(most, carve_out - w->limits->smem_reserved);
}

static void choose_values(const struct work *w, enum ks_occ_axis axis, struct values *l)
{
	l->n = 0;
	if (axis == KS_OCC_AXIS_BLOCK) {
		range(l, 32, least(w->limits->max_threads_per_block, BLOCK_LAST), 32);
	} else if (axis == KS_OCC_AXIS_REGS) {
		range(l, 1, least(w->limits->max_regs_per_thread, REGS_LAST), 1);
	} else {
		range(l, 0, most_smem(w), SMEM_BY);
		if (most_smem(w) > 0)
			insert(l, most_smem(w));
	}
}

static void fill(const struct work *w, enum ks_occ_axis axis, const struct values *l,
		 struct ks_occ_point *point)
{
	unsigned before = 0;
	char text[80];

	for (size_t i = 0; i < l->n; i++) {
		struct ks_occ_in in = w->launch;
		struct ks_occ_out out;

		*value_of(&in, axis) = l->v[i];
		(void)ks_occupancy(w->limits, &in, &out); /* 0 blocks where it cannot run */
		const size_t n = ks_occ_limiter_text(text, out.limiters);

		point[i] = (struct ks_occ_point){
			.value = l->v[i],
			.blocks = out.blocks,
			.warps = out.warps,
			.pct = out.occupancy_pct,
			.limiter = i > 0 && out.limiters == before
					   ? point[i - 1].limiter
					   : ks_arena_dup(w->arena, (ks_str){ text, n }),
		};
		before = out.limiters;
	}
}

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "occupancy", NULL);
}

static enum ks_status make_curve(struct work *w, enum ks_occ_axis axis, struct ks_occ_curve *c,
				 struct ks_err *err)
{
	const int64_t launched = *value_of(&w->launch, axis);
	struct values l;
	int64_t step = 0;
	const bool has_step = step_up(w, axis, &step);

	choose_values(w, axis, &l);
	insert(&l, launched);
	if (has_step)
		insert(&l, step);
	struct ks_occ_point *point = KS_ARENA_NEWS(w->arena, struct ks_occ_point, l.n);

	if (!point)
		return no_memory(err);
	fill(w, axis, &l, point);
	*c = (struct ks_occ_curve){ .point = point, .n = l.n, .step_up = l.n };
	for (size_t i = 0; i < l.n; i++) {
		if (l.v[i] == launched) {
			point[i].current = true;
			c->current = i;
		} else if (has_step && l.v[i] == step) {
			point[i].step_up = true;
			c->step_up = i;
		}
	}
	return KS_OK;
}

/* Neither alone is enough where both are at the limit. */
static void step_by_both(const struct work *w, struct ks_occ_picture *p)
{
	const unsigned both = KS_OCC_REGISTERS | KS_OCC_SMEM;
	struct ks_occ_in next;
	struct ks_occ_out then;

	if ((w->now.limiters & both) != both ||
	    !ks_occ_step_up(w->limits, &w->launch, both, &next, &then))
		return;
	p->both_regs = next.regs;
	p->both_smem = next.dynamic_smem;
	p->both_pct = then.occupancy_pct;
}

static void refuse(struct ks_occ_picture *p, enum ks_refusal code, enum ks_text why)
{
	p->refusal = code;
	p->why = (struct ks_msg){ .id = why };
}

/* What stands in the way; a row that a rule of the report refused stays refused here. */
static void look_for_refusal(const struct ks_report *r, const struct ks_config *c,
			     const struct ks_config_occ *occ, struct ks_occ_picture *p)
{
	const struct ks_ev *row = c->occupancy_pct ? ks_ev_get(r->ev, c->occupancy_pct) : NULL;

	if (occ->refusal != KS_REFUSAL_NONE)
		refuse(p, occ->refusal, occ->why);
	else if (occ->carve_outs_differ)
		refuse(p, KS_REFUSAL_MIXED_LAUNCH_CONFIG, KS_TEXT_AN_CARVE_OUTS_DISAGREE);
	else if (occ->limits_differ)
		refuse(p, KS_REFUSAL_MULTI_DEVICE_AGGREGATE, KS_TEXT_AN_DEVICES_DISAGREE);
	else if (row && row->refused) {
		p->refusal = row->refused->code;
		p->why = row->refused->message;
	}
}

enum ks_status ks_occ_picture_make(struct ks_analysis *a, struct ks_report *r, struct ks_err *err)
{
	struct ks_occ_picture *p = KS_ARENA_NEW(a->arena, struct ks_occ_picture);
	struct ks_config_occ occ;

	if (!p)
		return no_memory(err);
	*p = (struct ks_occ_picture){ .kernel = KS_LIT(""),
				      .refusal = KS_REFUSAL_NO_LAUNCH_ACTIVITY };
	r->occupancy = p;
	if (a->n_kernels == 0 || a->kernel[0].n_configs == 0)
		return KS_OK;
	const struct ks_kernel_work *k = &a->kernel[0];

	p->refusal = KS_REFUSAL_NONE;
	p->kernel = k->name;
	p->launches = k->launches;
	p->config_launches = k->config[0].launches;
	ks_config_occupancy(a, &k->config[0], &k->config_group[0], &occ);
	look_for_refusal(r, &k->config[0], &occ, p);
	if (p->refusal != KS_REFUSAL_NONE)
		return KS_OK;
	struct work w = {
		.limits = &occ.limits, .launch = occ.in, .now = occ.out, .arena = a->arena
	};

	w.launch.dynamic_smem += w.launch.static_smem;
	w.launch.static_smem = 0;
	if (occ.in.smem_executed < occ.limits.smem_per_sm)
		p->carve_out = occ.in.smem_executed;
	step_by_both(&w, p);
	for (int axis = 0; axis < KS_OCC_AXIS_COUNT; axis++)
		KS_TRY(make_curve(&w, (enum ks_occ_axis)axis, &p->curve[axis], err));
	return KS_OK;
}
