/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of reading the host, each in its own file. All write into the ks_host they are given
 * and into ctx->run; a part that cannot read something leaves it unread.
 */
#ifndef KS_SOURCE_HOST_INTERNAL_H
#define KS_SOURCE_HOST_INTERNAL_H

#include "source/host_places.h"

struct ks_host_run {
	const struct ks_ctx *ctx;
	const struct ks_host_ask *ask;
	const char *root; /* never NULL */
	struct ks_arena *a;
	struct ks_host *host;
};

void ks_host_devices(const struct ks_host_run *r);   /* host_devices.c */
void ks_host_nvml(const struct ks_host_run *r);	     /* host_nvml.c: gpu, driver, cuda, nvml */
void ks_host_sm_count(const struct ks_host_run *r);  /* host_cuda.c: into host->gpu */
void ks_host_policy(const struct ks_host_run *r);    /* host_policy.c */
void ks_host_libraries(const struct ks_host_run *r); /* host_libs.c */
void ks_host_nvbit(const struct ks_host_run *r);     /* host_nvbit.c */
void ks_host_probe(const struct ks_host_run *r);     /* host_probe.c */

void ks_host_redact(const struct ks_host_run *r); /* host_redact.c: after all others */

/* A device of which nothing was read yet. */
struct ks_host_gpu ks_host_gpu_unread(void);
/* All places of a kind, in this run's environment and arena. */
struct ks_paths ks_host_paths(const struct ks_host_run *r, enum ks_place_kind kind, bool look);

#endif
