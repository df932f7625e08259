/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what this machine is (evidence/host.h). Judges nothing, writes nothing, uses no network.
 * Every reading may fail alone and is then marked as unread; the call itself fails only when there
 * is no memory left.
 */
#ifndef KS_SOURCE_HOST_H
#define KS_SOURCE_HOST_H

#include "base/ctx.h"
#include "evidence/host.h"

struct ks_host_ask {
	bool devices;	/* NVML (loaded into this process), else /proc/driver/nvidia */
	bool sm_count;	/* with devices: also ask libcuda for the SMs; cuInit, no context */
	bool tools;	/* where nsys, ncu, cuobjdump, nvdisasm and nvidia-smi are */
	bool policy;	/* driver policy, capabilities of the process, perf_event_paranoid */
	bool libraries; /* CUPTI and NVML candidates; CUPTI is never loaded */
	bool nvbit;	/* where NVBit is: a bounded search */
	bool probe; /* run `ncu --query-metrics` if ncu is found (implies tools): a child process */
	const char *root;	  /* what stands before fixed paths; NULL or "": the real machine */
	int64_t probe_timeout_ms; /* 0: KS_HOST_PROBE_MS */
};

#define KS_HOST_PROBE_MS 60000

/* Everything lies in ctx->run; the environment is ctx->env. Parts that were not asked for are in
 * the state "not read" (KS_UNKNOWN, KS_KNOWN_UNREAD, "", 0 entries). Platform, user, container and
 * injection slots are always read. With a root, libraries are loaded from below it and from
 * LD_LIBRARY_PATH only, never by soname. */
enum ks_status ks_host_read(const struct ks_ctx *ctx, const struct ks_host_ask *ask,
			    struct ks_host **host, struct ks_err *err);

/* What ks_host_read(ask) looks at, for a plan: told from the table that the reading itself goes by,
 * with this environment. A path may hold `*` (any name there). RUNS: the command line, where the
 * program is found only when it is looked for. */
enum ks_host_does { KS_HOST_OPENS, KS_HOST_SEARCHES, KS_HOST_LOADS, KS_HOST_RUNS };
typedef void ks_host_plan_fn(void *arg, enum ks_host_does does, ks_str path);
void ks_host_plan(const struct ks_ctx *ctx, const struct ks_host_ask *ask, ks_host_plan_fn *say,
		  void *arg);

#endif
