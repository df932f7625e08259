/* SPDX-License-Identifier: Apache-2.0
 *
 * What calls do, by name, while they stream in, and in which manner copies were made. Each name is
 * asked about once; only calls that can hold a device up are kept.
 */
#include "analyze/apiword.h"
#include "analyze/sink.h"
#include "base/mem.h"

static enum ks_status ask_kind(struct ks_analysis *a, const struct ks_call *c, unsigned char *kind,
			       struct ks_err *err)
{
	ks_str text = KS_STR_NONE;

	if (a->meta.names)
		KS_TRY(a->meta.names->text(a->meta.names->self, c->name, &text, err));
	/* 0 stays: it will be asked about again, and counted again */
	if (text.n > 0)
		*kind = (unsigned char)(1 + ks_api_kind(text));
	return KS_OK;
}

static enum ks_status kind_of(struct ks_analysis *a, const struct ks_call *c, uint32_t name,
			      enum ks_api_kind *kind, struct ks_err *err)
{
	*kind = KS_API_OTHER;
	if (name == UINT32_MAX) {
		a->unnamed_calls++;
		return KS_OK;
	}
	if (!KS_GROW(a->api_kind, a->api_kind_cap, (size_t)name + 1, UINT32_MAX))
		return ks_sink_no_memory(err);
	if (a->api_kind[name] == 0)
		KS_TRY(ask_kind(a, c, &a->api_kind[name], err));
	if (a->api_kind[name] == 0)
		a->unnamed_calls++;
	else
		*kind = (enum ks_api_kind)(a->api_kind[name] - 1);
	return KS_OK;
}

static bool host_work_of(enum ks_api_kind kind, enum ks_host_work *work)
{
	switch (kind) {
	case KS_API_COPY:
		*work = KS_HOST_COPY;
		return true;
	case KS_API_MEMSET:
		*work = KS_HOST_MEMSET;
		return true;
	case KS_API_SYNC:
		*work = KS_HOST_SYNC;
		return true;
	case KS_API_ALLOC:
		*work = KS_HOST_ALLOC;
		return true;
	case KS_API_MODULE:
		*work = KS_HOST_MODULE;
		return true;
	case KS_API_OTHER:
	case KS_API_LAUNCH:
	case KS_API_GRAPH:
		break;
	}
	return false;
}

enum ks_status ks_sink_host_work(struct ks_analysis *a, const struct ks_call *c, uint32_t name,
				 struct ks_err *err)
{
	enum ks_host_work work;
	enum ks_api_kind kind;

	KS_TRY(kind_of(a, c, name, &kind, err));
	if (!host_work_of(kind, &work))
		return KS_OK;
	if (kind == KS_API_COPY || kind == KS_API_MEMSET)
		KS_TRY(ks_calls_waits(a->calls, c, err));
	if (!ks_launch_is_good(c->start_ns, c->end_ns))
		return KS_OK;
	return ks_sweep_call(a->sweep, c->thread == KS_UNKNOWN ? KS_UNKNOWN : c->thread >> 24, work,
			     c->start_ns, c->end_ns, err);
}

static bool is_pageable(const struct ks_copy *c)
{
	return c->src_kind == KS_MEM_PAGEABLE || c->dst_kind == KS_MEM_PAGEABLE;
}

static bool is_scalar(const struct ks_copy *c)
{
	return c->kind == KS_COPY_DTOH && c->bytes >= 0 &&
	       c->bytes <= ks_limit(KS_LIMIT_SCALAR_BYTES);
}

/* The streams that copies of a device use: the only one, or that there are several. A stream's
 * number is one of its context. */
static enum ks_status see_stream(struct ks_analysis *a, uint32_t device, const struct ks_copy *c,
				 struct ks_err *err)
{
	if (!KS_GROW(a->copy_stream, a->copy_stream_cap, (size_t)device + 1, UINT32_MAX))
		return ks_sink_no_memory(err);
	struct ks_only_stream *only = &a->copy_stream[device];

	if (!only->any)
		*only = (struct ks_only_stream){ c->process, c->context, c->stream, true, false };
	else if (only->process != c->process || only->context != c->context ||
		 only->stream != c->stream)
		only->several = true;
	return KS_OK;
}

enum ks_status ks_sink_copy_manner(struct ks_analysis *a, const struct ks_copy *c, uint32_t device,
				   enum ks_copy_manner *manner, struct ks_err *err)
{
	bool waited;

	*manner = KS_COPY_PLAIN;
	if (c->kind >= KS_COPY_UM_HTOD && c->kind <= KS_COPY_UM_DTOD)
		return KS_OK;
	KS_TRY(see_stream(a, device, c, err));
	KS_TRY(ks_calls_made_waiting(
		a->calls, &(struct ks_call_work){ c->process, c->correlation, c->end_ns }, &waited,
		err));
	if (is_scalar(c))
		*manner = KS_COPY_SCALAR;
	else if (waited)
		*manner = KS_COPY_BLOCKING;
	else if (is_pageable(c))
		*manner = KS_COPY_PAGEABLE;
	return KS_OK;
}

enum ks_status ks_sink_memset_manner(struct ks_analysis *a, const struct ks_memset *m,
				     enum ks_copy_manner *manner, struct ks_err *err)
{
	bool waited;

	KS_TRY(ks_calls_made_waiting(
		a->calls, &(struct ks_call_work){ m->process, m->correlation, m->end_ns }, &waited,
		err));
	*manner = waited ? KS_COPY_SETS : KS_COPY_NONE;
	return KS_OK;
}
