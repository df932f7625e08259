/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: the two halves of the sink. sink.c has facts, copies, memsets and launches,
 * which every run gets; sink_events.c what only the timeline asks for.
 */
#ifndef KS_ANALYZE_SINK_H
#define KS_ANALYZE_SINK_H

#include "analyze/analysis.h"

/* sink.c */
enum ks_status ks_sink_no_memory(struct ks_err *err);
enum ks_status ks_sink_too_many(struct ks_err *err, const char *what, enum ks_limit limit);
/* Number of a name reference; UINT32_MAX for none and when out of memory (a->no_memory). */
uint32_t ks_sink_name(struct ks_analysis *a, ks_nameref ref);
/* Index in ks_devices; UINT32_MAX with *err set when there is no room. */
uint32_t ks_sink_device(struct ks_analysis *a, int64_t process, int64_t ordinal,
			struct ks_err *err);

/* sink_events.c */
struct ks_sink_span { /* of a row, clipped to the window */
	ks_ns start_ns, end_ns;
};
enum ks_status ks_sink_launch(struct ks_analysis *a, const struct ks_launch *row,
			      const struct ks_pair_key *at, const struct ks_sink_span *inside,
			      struct ks_err *err);
enum ks_status ks_sink_copy_slice(struct ks_analysis *a, const struct ks_copy *c, uint32_t device,
				  struct ks_err *err);
enum ks_status ks_sink_memset_slice(struct ks_analysis *a, const struct ks_memset *m,
				    uint32_t device, struct ks_err *err);
/* sink_manner.c: only where there is a timeline */
enum ks_status ks_sink_host_work(struct ks_analysis *a, const struct ks_call *c, uint32_t name,
				 struct ks_err *err);
enum ks_status ks_sink_copy_manner(struct ks_analysis *a, const struct ks_copy *c, uint32_t device,
				   enum ks_copy_manner *manner, struct ks_err *err);
enum ks_status ks_sink_memset_manner(struct ks_analysis *a, const struct ks_memset *m,
				     enum ks_copy_manner *manner, struct ks_err *err);
enum ks_status ks_sink_on_thread(void *self, const struct ks_trace_thread *t, struct ks_err *err);
enum ks_status ks_sink_on_schema(void *self, const struct ks_payload_entry *e, struct ks_err *err);
enum ks_status ks_sink_on_range(void *self, const struct ks_range *r, struct ks_err *err);
enum ks_status ks_sink_on_ranges_done(void *self, struct ks_err *err);
enum ks_status ks_sink_on_overhead(void *self, const struct ks_overhead *o, struct ks_err *err);
enum ks_status ks_sink_on_call(void *self, const struct ks_call *c, struct ks_err *err);
enum ks_status ks_sink_on_calls_done(void *self, struct ks_err *err);
enum ks_status ks_sink_on_graph_run(void *self, const struct ks_graph_run *g, struct ks_err *err);
enum ks_status ks_sink_on_sync(void *self, const struct ks_sync *s, struct ks_err *err);
enum ks_status ks_sink_on_memory(void *self, const struct ks_memory *m, struct ks_err *err);
enum ks_status ks_sink_on_frame(void *self, const struct ks_frame *f, struct ks_err *err);

#endif
