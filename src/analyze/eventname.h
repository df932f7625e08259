/* SPDX-License-Identifier: Apache-2.0
 *
 * What single events are called in `stats` and `find`: the words of nsys.
 */
#ifndef KS_ANALYZE_EVENTNAME_H
#define KS_ANALYZE_EVENTNAME_H

#include "base/redact.h"

/* "[CUDA memcpy Host-to-Device]" by enum ks_copy_kind, or KS_EVENT_MEMSET. */
ks_str ks_event_copy(struct ks_arena *a, int64_t kind);
#define KS_EVENT_MEMSET (-1)
/* "cudaMalloc_v3020" is cudaMalloc: the version of the entry point is no part of the name. */
ks_str ks_event_call(ks_str name);
/* A kernel's name as people write it: demangled, and redacted where `redact` says so. */
ks_str ks_event_kernel(struct ks_arena *a, struct ks_redact *redact, ks_str name);

#endif
