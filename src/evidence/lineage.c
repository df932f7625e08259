/* SPDX-License-Identifier: Apache-2.0
 *
 * Depth-first walk over the inputs of a row, with a stack of fixed depth: no recursion, so a long
 * chain cannot exhaust the machine's stack.
 */
#include "evidence/lineage.h"

#include "base/mem.h"
#include "base/num.h"

struct walk {
	const struct ks_store *ev;
	const struct ks_lineage_visitor *visitor;
	void *arg;
	unsigned char *seen; /* a bit per row */
	struct {
		struct ks_lineage_step step;
		size_t next; /* input to visit next */
	} frame[KS_LINEAGE_DEPTH];
	size_t depth; /* frames in use */
};

static bool mark(struct walk *w, ks_id id)
{
	unsigned char bit = (unsigned char)(1u << (id % 8));
	bool before = (w->seen[id / 8] & bit) != 0;

	w->seen[id / 8] |= bit;
	return before;
}

static enum ks_status enter(struct walk *w, ks_id id, size_t index, size_t siblings,
			    struct ks_err *err)
{
	const struct ks_ev *row = ks_ev_get(w->ev, id);
	struct ks_lineage_step *s = &w->frame[w->depth].step;

	*s = (struct ks_lineage_step){
		.id = id,
		.ev = row,
		.formula =
			row->metric == KS_METRIC_NONE ? "" : ks_metric_info(row->metric)->formula,
		.depth = (unsigned)w->depth,
		.index = index,
		.siblings = siblings,
	};
	s->repeated = mark(w, id);
	s->cut = !s->repeated && row->n_inputs > 0 && w->depth + 1 == KS_LINEAGE_DEPTH;
	s->has_children = !s->repeated && !s->cut && row->n_inputs > 0;
	w->frame[w->depth].next = 0;
	w->depth++;
	return w->visitor->enter ? w->visitor->enter(w->arg, s, err) : KS_OK;
}

static enum ks_status walk(struct walk *w, ks_id id, struct ks_err *err)
{
	KS_TRY(enter(w, id, 0, 1, err));
	while (w->depth > 0) {
		const struct ks_lineage_step *s = &w->frame[w->depth - 1].step;
		size_t i = w->frame[w->depth - 1].next++;

		if (s->has_children && i < s->ev->n_inputs) {
			KS_TRY(enter(w, s->ev->inputs[i], i, s->ev->n_inputs, err));
			continue;
		}
		w->depth--;
		if (w->visitor->leave)
			KS_TRY(w->visitor->leave(w->arg, s, err));
	}
	return KS_OK;
}

enum ks_status ks_lineage_walk(const struct ks_store *ev, ks_id id,
			       const struct ks_lineage_visitor *visitor, void *arg,
			       struct ks_err *err)
{
	if (!ks_ev_get(ev, id)) {
		char num[KS_NUM_LEN];

		ks_num_u64(num, id);
		return ks_err_set(err, KS_E_INTERNAL, KS_TEXT_ERR_EV_NO_ROW, num, NULL);
	}
	struct walk *w = ks_mem_alloc(sizeof(*w));
	enum ks_status st = KS_OK;

	if (w)
		w->seen = ks_mem_alloc(ks_store_count(ev) / 8 + 1);
	if (!w || !w->seen) {
		st = ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_EV_NO_MEMORY, NULL);
	} else {
		w->ev = ev;
		w->visitor = visitor;
		w->arg = arg;
		st = walk(w, id, err);
	}
	if (w)
		ks_mem_free(w->seen);
	ks_mem_free(w);
	return st;
}
