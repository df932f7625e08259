/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside perfetto*.c only: field numbers of the format and what the protobuf writer holds.
 */
#ifndef KS_RENDER_PERFETTO_WRITER_H
#define KS_RENDER_PERFETTO_WRITER_H

#include "base/map.h"
#include "base/pbw.h"
#include "base/zpack.h"
#include "render/perfetto.h"

/* Field numbers of Perfetto's public trace format (protos/perfetto/trace), each compared with the
 * message classes of PyPI's perfetto 0.59.1; tests/known/perfetto.t reads traces with them. */
enum {
	TRACE_PACKET = 1,

	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_DEFLATED = 50,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,

	DEFAULTS_EVENT = 11,
	DEFAULTS_EVENT_TRACK = 11,
	DEFAULTS_CLOCK = 58,

	SNAPSHOT_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIME = 2,
	CLOCK_INCREMENTAL = 3,

	INTERNED_NAME = 2,
	INTERNED_KEY = 3,
	INTERNED_VALUE = 29,
	ENTRY_ID = 1,
	ENTRY_TEXT = 2,

	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_ID = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,

	ANNOTATION_KEY_ID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_INT = 4,
	ANNOTATION_VALUE_ID = 17,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_CHILDREN = 11,
	TRACK_RANK = 12,
	TRACK_DESCRIPTION = 14,

	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,
	COUNTER_UNIT = 3,
};
enum { CLEARED = 1, NEEDS_STATE = 2 };		      /* TracePacket.SequenceFlags */
enum { BEGIN = 1, END = 2, INSTANT = 3, SAMPLE = 4 }; /* TrackEvent.Type */
enum { UNIT_BYTES = 3, ORDER_EXPLICIT = 3, BOOTTIME = 6 };
enum { LANE_CLOCK = 64 }; /* 64 to 127 belong to a sequence alone */
enum { KEY_CONFIG = 1, KEY_BYTES, KEY_GRAPH };

#define KS_PERFETTO_PACKET_MAX                                                                     \
	((size_t)256 << 20) /* bytes of one packet: a name and little more                         \
			     */

/* Every track needs an id of its own; the upper bits say what it is. */
enum ks_perfetto_uuid_kind {
	KS_UUID_GPU = 1,
	KS_UUID_PROCESS,
	KS_UUID_THREAD,
	KS_UUID_LANE,
	KS_UUID_NOTE
};

struct ks_perfetto_writer {
	const struct ks_ctx *ctx;
	const struct ks_report *r;
	const struct ks_slice_log *log;
	struct ks_out *out;
	struct ks_zpack *zip;
	struct ks_pbw block; /* whole packets that wait to be deflated */
	ks_ns zero_ns;	     /* time of the trace that is 0 in the file */
	uint32_t *seen;	     /* by name: lane + 1 that has told it last */
	struct ks_map configs;
	uint32_t *config_seen; /* by number in configs, the same */
	size_t config_cap;
	struct { /* found before; another with the same place takes its room */
		const struct ks_config *config;
		uint32_t number; /* in configs, from 1 */
	} known[64];
	/* of the lane at work */
	uint32_t lane;
	bool any_lane;
	struct ks_pbw head; /* of a packet that ends a slice; its first n_head bytes: of every */
	size_t n_head;
	ks_ns last_ns;
	ks_ns *end; /* of the slices that are open, outermost first */
	size_t depth, end_cap;
};

/* perfetto_packet.c */
enum ks_status ks_perfetto_no_memory(struct ks_err *err);
void ks_perfetto_put_block(void *arg, const void *deflated, size_t n); /* arg: the writer */
/* A packet lies between open and close; start: where the block ended before it. */
size_t ks_perfetto_open(struct ks_perfetto_writer *w);
enum ks_status ks_perfetto_close(struct ks_perfetto_writer *w, size_t start, size_t at,
				 struct ks_err *err);
uint64_t ks_perfetto_uuid(enum ks_perfetto_uuid_kind kind, uint64_t number);
/* Sequence 1 tells tracks; lane i writes sequence i + 2. */
void ks_perfetto_sequence(struct ks_pbw *b, uint64_t sequence, unsigned flags);

/* perfetto_tracks.c: every process, thread and lane. */
enum ks_status ks_perfetto_tracks(struct ks_perfetto_writer *w, struct ks_err *err);

#endif
