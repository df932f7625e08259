/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside verdict/ only: a packet while it is built and trimmed.
 */
#ifndef KS_VERDICT_PACKET_INTERNAL_H
#define KS_VERDICT_PACKET_INTERNAL_H

#include "verdict/packet.h"

struct json_t;

#define KS_CLIP_FACT   48 /* characters, contract 03 §3 */
#define KS_CLIP_NEXT   120
#define KS_CLIP_HINT   90
#define KS_CLIP_CMD    56  /* longer ones are left out: what is cut runs something else */
#define KS_CLIP_ACTION 160 /* before trimming */
#define KS_CLIP_SHORT  46  /* once trimmed */
#define KS_CLIP_ENV    120

struct ks_packet_work {
	const struct ks_ctx *ctx;
	struct ks_arena *arena;
	const struct ks_store *ev;
	struct ks_packet *p;
	size_t n_all; /* entries of p->remedy, the omitted ones behind the shown */
	size_t budget;
};

/* At most `chars` code points, the last one an ellipsis when something was cut. */
ks_str ks_clip(struct ks_arena *a, ks_str s, size_t chars);
/* The first `chars` code points, nothing copied. */
ks_str ks_clip_view(ks_str s, size_t chars);
/* The longest prefix that takes at most `bytes` bytes in JSON whatever it holds. */
ks_str ks_clip_plain(ks_str s, size_t bytes);
/* Texts and keys at the top clipped; `nested`: those inside lists and objects as well. */
const struct ks_kv *ks_clip_kvs(struct ks_arena *a, const struct ks_kv *kv, size_t *n, bool nested);

/* One value, nested texts included. */
struct ks_value ks_clip_value(struct ks_arena *a, struct ks_value v);

/* One entry for every code that decisions, groups and the environment name. False: no memory. */
bool ks_packet_add_remedies(struct ks_packet_work *w, const struct ks_verdicts *v);
/* Sets `cited` on every remedy, orders them (cited with a command, cited, others; each by name),
 * and lists what is not shown. */
void ks_packet_cite(struct ks_packet_work *w);
/* Whether anything the packet shows names this code. */
bool ks_packet_is_cited(const struct ks_packet *p, ks_str slug);
/* Serialized size with packet_bytes at its fixed point. */
size_t ks_packet_measure(const struct ks_ctx *ctx, struct ks_packet *p);
void ks_packet_trim(struct ks_packet_work *w);

/* packet_json.c: pieces of a packet as jansson holds them; texts are copied into the arena. */
ks_str ks_pj_str(struct ks_arena *a, const struct json_t *object, const char *key); /* "" if none */
double ks_pj_real(const struct json_t *object, const char *key, double otherwise);
int64_t ks_pj_int(const struct json_t *object, const char *key); /* 0 if none */
bool ks_pj_true(const struct json_t *object, const char *key);
struct ks_value ks_pj_value(struct ks_arena *a, const struct json_t *value);
const struct ks_kv *ks_pj_object(struct ks_arena *a, const struct json_t *object, size_t *n);
/* The texts of a list, at most `max`. */
const ks_str *ks_pj_strings(struct ks_arena *a, const struct json_t *list, size_t max, size_t *n);
struct ks_msg ks_pj_literal(struct ks_arena *a, ks_str text);

/* packet_read.c and packet_read_decide.c: a packet while it is read back. */
#define KS_READ_VERDICTS 64 /* the schema has fifteen */
#define KS_READ_CODES	 256
struct ks_reader {
	const struct ks_ctx *ctx;
	struct ks_arena *a;
	struct ks_packet *p;
	struct ks_report *report;
	struct ks_verdicts *v;
	struct ks_verdict_row *row;
	struct ks_unmeasured *group;
	const char *where;
	struct ks_err *err;
};
enum ks_status ks_reader_bad_field(const struct ks_reader *r, const char *field);
void ks_reader_remedies(struct ks_reader *r, const struct json_t *map);
enum ks_status ks_reader_decisions(struct ks_reader *r, const struct json_t *list);
void ks_reader_groups(struct ks_reader *r, const struct json_t *list);

#endif
