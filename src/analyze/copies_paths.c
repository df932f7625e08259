/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of CommLedger about where bytes went: pageable and pinned host memory, pairs of devices,
 * migrations by cause; and memsets. Migrations are no copies of the program: pageable and pinned do
 * not count them.
 */
#include "analyze/sec_comm.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

struct bytes {
	uint64_t rows, unknown_rows, bytes;
};

static void add(struct bytes *to, const struct ks_copy_kind_sum *s)
{
	to->rows += s->count;
	to->unknown_rows += s->unknown_bytes_rows;
	to->bytes += s->bytes;
}

/* Nothing when no row says its size: the row of copies without a size says so. */
static void emit_bytes(struct ks_emit *e, struct ks_ev_spec *spec, const struct bytes *b)
{
	char rows[KS_NUM_LEN], unknown[KS_NUM_LEN];

	if (b->rows == b->unknown_rows)
		return;
	ks_num_u64(rows, b->rows);
	ks_num_u64(unknown, b->unknown_rows);
	spec->origin.rows = b->rows;
	if (b->unknown_rows)
		spec->note = ks_store_msg(e->ev, KS_TEXT_AN_NOTE_COPIES_BOUND, rows, unknown, NULL);
	ks_emit_row(e, ks_ev_exact(e->ev, spec, KS_VAL_INT((int64_t)b->bytes)));
}

/* --- host memory ---------------------------------------------------------------------------------
 */

static int64_t host_side(const struct ks_copy_kind_sum *s)
{
	switch (s->number) {
	case KS_COPY_HTOD:
	case KS_COPY_HTOA:
		return s->src_kind;
	case KS_COPY_DTOH:
	case KS_COPY_ATOH:
		return s->dst_kind;
	default:
		return KS_UNKNOWN;
	}
}

static void emit_host_memory(struct ks_emit *e, enum ks_mem_kind kind, enum ks_metric metric)
{
	const struct ks_timeline *t = e->r->timeline;
	struct ks_ev_spec spec = ks_copy_spec(e, metric, "bytes,copyKind,srcKind,dstKind", 0);
	struct bytes b = { 0 };

	for (size_t i = 0; i < t->n_copy_kinds; i++) {
		if (host_side(&t->copy_kind[i]) == (int64_t)kind)
			add(&b, &t->copy_kind[i]);
	}
	emit_bytes(e, &spec, &b);
}

/* --- peers ---------------------------------------------------------------------------------------
 */

static bool is_peer(const struct ks_copy_kind_sum *s)
{
	return s->src_device != KS_UNKNOWN || s->dst_device != KS_UNKNOWN;
}

static int by_devices(const void *x, const void *y)
{
	const struct ks_copy_kind_sum *a = x, *b = y;
	const int c = ks_num_cmp_i64(a->src_device, b->src_device);

	return c ? c : ks_num_cmp_i64(a->dst_device, b->dst_device);
}

static void put_label(char out[KS_NUM_LEN], int64_t label)
{
	if (label < 0)
		memcpy(out, "unknown", sizeof("unknown"));
	else
		ks_num_i64(out, label);
}

static void emit_pair(struct ks_emit *e, const struct ks_copy_kind_sum *s, const struct bytes *b)
{
	struct ks_ev_spec spec = ks_copy_spec(e, KS_METRIC_KS_COMM_BYTES_PEER_S_N,
					      "bytes,copyKind,srcDeviceId,dstDeviceId", 0);
	char from[KS_NUM_LEN], to[KS_NUM_LEN];

	put_label(from, s->src_device);
	put_label(to, s->dst_device);
	spec.name = ks_arena_fmt(e->a->arena, "ks__comm_bytes_peer_%s_%s", from, to);
	emit_bytes(e, &spec, b);
}

static void emit_peers(struct ks_emit *e)
{
	const struct ks_timeline *t = e->r->timeline;
	struct ks_copy_kind_sum *peer = ks_mem_alloc((t->n_copy_kinds + 1) * sizeof(*peer));
	size_t n = 0;

	if (!peer) {
		e->a->no_memory = true;
		return;
	}
	for (size_t i = 0; i < t->n_copy_kinds; i++) {
		if (is_peer(&t->copy_kind[i]))
			peer[n++] = t->copy_kind[i];
	}
	qsort(peer, n, sizeof(*peer), by_devices);
	for (size_t i = 0; i < n;) {
		const struct ks_copy_kind_sum *first = &peer[i];
		struct bytes b = { 0 };

		for (; i < n && by_devices(first, &peer[i]) == 0; i++)
			add(&b, &peer[i]);
		emit_pair(e, first, &b);
	}
	ks_mem_free(peer);
}

/* --- migrations ----------------------------------------------------------------------------------
 */

static void emit_cause(struct ks_emit *e, ks_str name, const struct bytes *b)
{
	struct ks_ev_spec spec = ks_copy_spec(e, KS_METRIC_KS_UM_MIGRATION_BYTES_K,
					      "bytes,copyKind,migrationCause", 0);

	spec.name = ks_arena_fmt(e->a->arena, "ks__um_migration_bytes_%.*s", (int)name.n, name.p);
	emit_bytes(e, &spec, b);
}

static void emit_migrations(struct ks_emit *e)
{
	const struct ks_timeline *t = e->r->timeline;
	struct bytes other = { 0 };

	for (int64_t cause = 0; ks_migration_cause_name(cause).n; cause++) {
		struct bytes b = { 0 };

		for (size_t i = 0; i < t->n_copy_kinds; i++) {
			if (t->copy_kind[i].cause == cause)
				add(&b, &t->copy_kind[i]);
		}
		emit_cause(e, ks_migration_cause_name(cause), &b);
	}
	for (size_t i = 0; i < t->n_copy_kinds; i++) {
		const struct ks_copy_kind_sum *s = &t->copy_kind[i];

		if (s->cause != KS_UNKNOWN && s->cause_name.n == 0)
			add(&other, s);
	}
	emit_cause(e, KS_LIT("other"), &other);
}

void ks_emit_copy_paths(struct ks_emit *e)
{
	emit_host_memory(e, KS_MEM_PAGEABLE, KS_METRIC_KS_COMM_BYTES_PAGEABLE);
	emit_host_memory(e, KS_MEM_PINNED, KS_METRIC_KS_COMM_BYTES_PINNED);
	emit_peers(e);
	emit_migrations(e);
}

/* --- memsets -------------------------------------------------------------------------------------
 */

void ks_emit_memsets(struct ks_emit *e, const struct ks_copy_facts *f)
{
	const struct ks_copy_device *all = &f->all;
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_MEMSET_BYTES_TOTAL,
					      (struct ks_msg){ .id = KS_TEXT_AN_SRC_MEMSETS },
					      "bytes", all->memsets);
	char rows[KS_NUM_LEN], unknown[KS_NUM_LEN];

	if (all->memsets == 0)
		return;
	if (all->memsets == all->memset_unknown_rows) {
		ks_emit_refuse(e, KS_METRIC_KS_MEMSET_BYTES_TOTAL, KS_REFUSAL_METRIC_ABSENT,
			       KS_TEXT_AN_MEMSETS_WITHOUT_SIZE);
		return;
	}
	ks_num_u64(rows, all->memsets);
	ks_num_u64(unknown, all->memset_unknown_rows);
	if (!e->a->meta.synthetic)
		spec.origin.table = KS_LIT("CUPTI_ACTIVITY_KIND_MEMSET");
	if (all->memset_unknown_rows)
		spec.note = ks_store_msg(e->ev, KS_TEXT_AN_NOTE_MEMSETS_BOUND, rows, unknown, NULL);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)all->memset_bytes)));
}
