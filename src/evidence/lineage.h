/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks a value back to where it came from: the rows it was derived from, down to the tables,
 * columns and row counts that were read. Reads the store, changes nothing, computes nothing.
 */
#ifndef KS_EVIDENCE_LINEAGE_H
#define KS_EVIDENCE_LINEAGE_H

#include "evidence/store.h"

/* Deeper chains are not followed; the step that would go deeper says `cut`. */
#define KS_LINEAGE_DEPTH 64

struct ks_lineage_step {
	ks_id id;
	const struct ks_ev *ev; /* ev->origin: table, columns, rows of what was read */
	const char *formula;	/* of the metric's row; "" when it has none */
	unsigned depth;		/* 0: the value that was asked for */
	size_t index, siblings; /* position among the inputs of its parent */
	bool repeated;		/* shown before in this walk: its inputs are not followed again */
	bool cut;		/* has inputs below KS_LINEAGE_DEPTH that are not followed */
	bool has_children;	/* steps with depth + 1 follow before leave */
};

/* enter before, leave after the inputs of a row; either may be NULL. A status other than KS_OK ends
 * the walk and is returned. */
struct ks_lineage_visitor {
	enum ks_status (*enter)(void *arg, const struct ks_lineage_step *step, struct ks_err *err);
	enum ks_status (*leave)(void *arg, const struct ks_lineage_step *step, struct ks_err *err);
};

/* Depth first, inputs in the order they were given. An id that is not in the store: KS_E_INTERNAL.
 */
enum ks_status ks_lineage_walk(const struct ks_store *ev, ks_id id,
			       const struct ks_lineage_visitor *visitor, void *arg,
			       struct ks_err *err);

#endif
