/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan: what a command line would do to the world, step by step (contract 01 §9). Plain data; cmd
 * fills it from the values that the run itself is made with, and nothing is done.
 */
#ifndef KS_RENDER_PLAN_H
#define KS_RENDER_PLAN_H

#include "render/render.h"

#define KS_PLAN_STEPS 24

struct ks_plan_step {
	enum ks_operation op;
	ks_str target;	  /* a path or a name; "" none */
	bool if_needed;	  /* only under the condition that the reason of the table's row names */
	bool may_discard; /* an old file may go: only then is that effect of the row a fact */
	const ks_str *writes, *commands, *reads;
	const ks_str *origins; /* of the network; with one, the step uses it */
	size_t n_writes, n_commands, n_reads, n_origins;
};

struct ks_plan {
	const ks_str *argv;
	size_t n_argv;
	struct ks_plan_step step[KS_PLAN_STEPS];
	size_t n;
	ks_str note; /* "" none */
};

enum ks_status ks_plan_text(const struct ks_plan *p, const struct ks_view *v, struct ks_out *out,
			    struct ks_err *err);
enum ks_status ks_plan_json(const struct ks_plan *p, enum ks_lang lang, struct ks_out *out,
			    struct ks_err *err);

#endif
