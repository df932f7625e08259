/* SPDX-License-Identifier: Apache-2.0
 *
 * A hand-made world for the tests of calls, graphs and call sites: calls, launches and frames go
 * straight into struct ks_calls, with the names, groups, devices and kernels the answers need.
 */
#ifndef KS_TESTS_CALLS_WORLD_H
#define KS_TESTS_CALLS_WORLD_H

#include "all.h"

#include "analyze/calls_internal.h"
#include "analyze/emit.h"

#define PID(n)	  ((int64_t)(n) << 24)
#define TID(p, t) (PID(p) | (t))

struct world {
	struct ks_arena arena;
	struct ks_ctx ctx;
	struct ks_err err;
	struct ks_window window;
	struct ks_analysis a;
	struct ks_report r;
	struct ks_timeline t;
	struct ks_device_work device[4];
	struct ks_kernel_work kernel[16];
	uint32_t kernel_of_group[64];
	struct ks_emit emit;
	bool emitting;
};

/* Four devices, all selected; no window. call_bytes 0: the budget of the program. */
void given_world(struct world *w, size_t call_bytes);
void world_release(struct world *w);
/* Number of a name, as the sink numbers them. */
uint32_t world_name(struct world *w, const char *text);
/* A group of a kernel of that name on a device, the kernel made at first use. */
uint32_t world_group(struct world *w, const char *kernel, int64_t device);

void put_call(struct world *w, int64_t thread, int64_t id, ks_ns start, ks_ns end,
	      const char *name);
void put_row(struct world *w, const struct ks_call *row, const char *name);
void no_more_calls(struct world *w);
struct ks_call_hit find(struct world *w, int64_t process, int64_t id);
/* On device 0; group 0 unless there are others. */
struct ks_call_hit put_launch(struct world *w, const struct ks_launch *row, uint32_t group);
struct node { /* a kernel of a graph node */
	int64_t process, id, node;
	uint32_t group;
	ks_ns start, end;
};
#define NODE(...) (&(const struct node){ __VA_ARGS__ })
void put_node(struct world *w, const struct node *n);
void put_run(struct world *w, int64_t device, int64_t id, ks_ns start, ks_ns end);
void put_frame(struct world *w, int64_t chain, int64_t depth, const char *symbol,
	       const char *module);
void answer(struct world *w);

/* Rows as they would go into the report. NULL: there is none. */
const struct ks_ev *device_row(struct world *w, const char *name);
const struct ks_ev *site_row(struct world *w, const char *kernel);

#endif
