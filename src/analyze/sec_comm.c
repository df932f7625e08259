/* SPDX-License-Identifier: Apache-2.0
 *
 * Section CommLedger of the pseudo kernel "(device)": copies, memsets, communication kernels and
 * NCCL's calls. Where the trace records no copies their bytes are refused, never 0 (contract 04).
 */
#include "analyze/sec_comm.h"

#include "base/num.h"
#include "base/str.h"

#define MOST_CALLS 32 /* of NCCL, each two rows; it has fewer than twenty */

/* --- communication kernels -----------------------------------------------------------------------
 */

struct comm_time { /* over all devices */
	ks_ns sum_ns, union_ns, overlap_ns;
};

static struct comm_time time_of(const struct ks_emit *e)
{
	const struct ks_timeline *t = e->r->timeline;
	struct comm_time c = { 0 };

	for (size_t i = 0; t->device && i < e->r->n_gpus_used; i++) {
		const struct ks_device_time *d = &t->device[i];

		c.sum_ns += d->comm_sum_ns;
		for (unsigned mix = KS_MIX_COMM; mix < 8; mix++) { /* every one with that bit */
			c.union_ns += d->mix_ns[mix];
			if (mix & KS_MIX_COMPUTE)
				c.overlap_ns += d->mix_ns[mix];
		}
	}
	return c;
}

static struct ks_ev_spec comm_spec(const struct ks_emit *e, enum ks_metric metric)
{
	return ks_emit_spec(e, metric, (struct ks_msg){ .id = KS_TEXT_AN_SRC_COMM },
			    "start,end,deviceId,demangledName", e->r->total_launches);
}

static ks_id emit_ms(struct ks_emit *e, struct ks_ev_spec *spec, ks_ns ns)
{
	return ks_emit_row(e, ks_ev_exact(e->ev, spec, KS_VAL_REAL((double)ns / KS_NS_PER_MS)));
}

static void emit_pct(struct ks_emit *e, enum ks_metric metric, ks_id input, ks_ns part, ks_ns of)
{
	struct ks_ev_spec spec = comm_spec(e, metric);

	if (of <= 0 || input == 0)
		return;
	spec.inputs = &input;
	spec.n_inputs = 1;
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_REAL(100.0 * (double)part / (double)of)));
}

static void emit_kernels(struct ks_emit *e)
{
	const struct comm_time c = time_of(e);
	struct ks_ev_spec spec = comm_spec(e, KS_METRIC_KS_COMM_KERNEL_MS);

	if (c.sum_ns <= 0)
		return;
	const ks_id sum = emit_ms(e, &spec, c.sum_ns);

	emit_pct(e, KS_METRIC_KS_COMM_KERNEL_SHARE_PCT, sum, c.sum_ns, e->r->kernel_ns);
	emit_pct(e, KS_METRIC_KS_COMM_COMPUTE_OVERLAP_PCT, sum, c.overlap_ns, c.union_ns);
	spec = comm_spec(e, KS_METRIC_KS_COMM_EXPOSED_MS);
	spec.note = (struct ks_msg){ .id = KS_TEXT_AN_NOTE_EXPOSED };
	emit_ms(e, &spec, c.union_ns - c.overlap_ns);
}

static void emit_device_kernels(struct ks_emit *e)
{
	const struct ks_timeline *t = e->r->timeline;

	for (size_t i = 0; t->device && i < e->r->n_gpus_used; i++) {
		struct ks_ev_spec spec = comm_spec(e, KS_METRIC_KS_DEVICE_N_COMM_KERNEL_MS);
		char label[KS_NUM_LEN] = "unknown";

		if (t->device[i].comm_sum_ns <= 0)
			continue;
		if (e->r->gpu[i].label >= 0)
			ks_num_i64(label, e->r->gpu[i].label);
		spec.name = ks_arena_fmt(e->a->arena, "ks__device_%s__comm_kernel_ms", label);
		emit_ms(e, &spec, t->device[i].comm_sum_ns);
	}
}

/* --- NCCL's calls --------------------------------------------------------------------------------
 */

struct call {
	ks_str word; /* "allreduce" */
	uint64_t calls, bytes, unknown_rows;
};

/* "allreduce" of "ncclAllReduce"; "" for what is "nccl" alone. */
static ks_str word_of(struct ks_emit *e, ks_str name)
{
	struct ks_buf b;

	ks_buf_init(&b, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	for (size_t i = sizeof("nccl") - 1; i < name.n; i++) {
		const char c = name.p[i];

		ks_buf_ch(&b, c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
	}
	const ks_str word = ks_buf_keep(&b, e->a->arena);

	ks_buf_release(&b);
	return word;
}

/* Names that differ in case alone are one call. */
static size_t gather_calls(struct ks_emit *e, struct call *call)
{
	const struct ks_timeline *t = e->r->timeline;
	size_t n = 0;

	for (size_t i = 0; i < t->n_comm_calls; i++) {
		const ks_str word = word_of(e, t->comm_call[i].name);
		size_t at = 0;

		while (at < n && !ks_str_eq(call[at].word, word))
			at++;
		if (word.n == 0 || at == MOST_CALLS)
			continue;
		n = at == n ? n + 1 : n;
		call[at].word = word;
		call[at].calls += t->comm_call[i].calls;
		call[at].bytes += t->comm_call[i].bytes;
		call[at].unknown_rows += t->comm_call[i].unknown_rows;
	}
	return n;
}

static void emit_call(struct ks_emit *e, const struct call *c)
{
	struct ks_ev_spec spec = ks_emit_spec(e, KS_METRIC_KS_NCCL_K_CALLS,
					      (struct ks_msg){ .id = KS_TEXT_AN_SRC_NCCL },
					      "text,binaryData,jsonText", c->calls);
	char calls[KS_NUM_LEN], unknown[KS_NUM_LEN];

	spec.origin.table = KS_LIT("NVTX_EVENTS");
	spec.name = ks_arena_fmt(e->a->arena, "ks__nccl_%.*s_calls", (int)c->word.n, c->word.p);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)c->calls)));
	if (c->calls == c->unknown_rows)
		return; /* a call that moves nothing, such as the set-up of a communicator */
	spec.metric = KS_METRIC_KS_NCCL_K_BYTES;
	spec.name = ks_arena_fmt(e->a->arena, "ks__nccl_%.*s_bytes", (int)c->word.n, c->word.p);
	ks_num_u64(calls, c->calls);
	ks_num_u64(unknown, c->unknown_rows);
	if (c->unknown_rows)
		spec.note = ks_store_msg(e->ev, KS_TEXT_AN_NOTE_NCCL_BOUND, calls, unknown, NULL);
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)c->bytes)));
}

/* --- the section ---------------------------------------------------------------------------------
 */

void ks_emit_comm_ledger(struct ks_emit *e)
{
	const struct ks_timeline *t = e->r->timeline;
	const struct ks_copy_facts *f = ks_copies_facts(e->a->copies);
	struct call call[MOST_CALLS] = { { .calls = 0 } };

	if (!t || !f) {
		if (e->a->any_copies)
			return; /* there are, and the timeline was not asked for */
		ks_emit_no_copies(e);
		ks_emit_section(e, KS_SECTION_COMMLEDGER, (struct ks_msg){ 0 });
		return;
	}
	ks_emit_copy_bytes(e, f);
	ks_emit_copy_rates(e, f);
	emit_kernels(e);
	ks_emit_memsets(e, f);
	ks_emit_copy_paths(e);
	emit_device_kernels(e);
	const size_t n = gather_calls(e, call);

	for (size_t i = 0; i < n; i++)
		emit_call(e, &call[i]);
	ks_emit_section(e, KS_SECTION_COMMLEDGER, (struct ks_msg){ 0 });
}
