/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets of a Perfetto trace: gathered into blocks, deflated, written as packets that hold
 * packets.
 */
#include "render/perfetto_writer.h"

enum ks_status ks_perfetto_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL);
}

void ks_perfetto_put_block(void *arg, const void *deflated, size_t n)
{
	struct ks_perfetto_writer *w = arg;
	struct ks_pbw head;

	ks_pbw_init(&head, KS_PERFETTO_PACKET_MAX);
	const size_t at = ks_pbw_open(&head, TRACE_PACKET);

	ks_pbw_bytes(&head, PACKET_DEFLATED, deflated, n);
	ks_pbw_close(&head, at);
	if (ks_pbw_failed(&head))
		w->block.failed = true;
	else
		ks_out_write(w->out, head.p, head.n);
	ks_pbw_release(&head);
}

size_t ks_perfetto_open(struct ks_perfetto_writer *w)
{
	return ks_pbw_open(&w->block, TRACE_PACKET);
}

/* Hands the whole packets over; one that is larger than a block goes out as it is. */
static enum ks_status block_full(struct ks_perfetto_writer *w, size_t start, struct ks_err *err)
{
	struct ks_pbw *b = &w->block;

	if (start > 0)
		KS_TRY(ks_zpack_add(w->zip, b->p, start, err));
	memmove(b->p, b->p + start, b->n - start);
	b->n -= start;
	if (b->n <= KS_ZPACK_BLOCK)
		return KS_OK;
	KS_TRY(ks_zpack_flush(w->zip, err));
	ks_out_write(w->out, b->p, b->n);
	ks_pbw_reset(b);
	return KS_OK;
}

/* start: where the packet with its tag begins. */
enum ks_status ks_perfetto_close(struct ks_perfetto_writer *w, size_t start, size_t at,
				 struct ks_err *err)
{
	ks_pbw_close(&w->block, at);
	if (ks_pbw_failed(&w->block))
		return ks_perfetto_no_memory(err);
	return w->block.n <= KS_ZPACK_BLOCK ? KS_OK : block_full(w, start, err);
}

uint64_t ks_perfetto_uuid(enum ks_perfetto_uuid_kind kind, uint64_t number)
{
	return (uint64_t)kind << 56 | (number & ((UINT64_C(1) << 56) - 1));
}

void ks_perfetto_sequence(struct ks_pbw *b, uint64_t sequence, unsigned flags)
{
	ks_pbw_uint(b, PACKET_SEQUENCE, sequence);
	ks_pbw_uint(b, PACKET_FLAGS, flags);
}
