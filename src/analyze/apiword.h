/* SPDX-License-Identifier: Apache-2.0
 *
 * What a CUDA call does, by its name, and which frames of a call chain belong to CUDA and not to
 * the program. Knows names only.
 */
#ifndef KS_ANALYZE_APIWORD_H
#define KS_ANALYZE_APIWORD_H

#include "base/base.h"

enum ks_api_kind {
	KS_API_OTHER,
	KS_API_LAUNCH,
	KS_API_GRAPH,
	KS_API_SYNC,
	KS_API_COPY, /* the form that waits, as MEMSET */
	KS_API_MEMSET,
	KS_API_ALLOC,  /* or frees, or pins */
	KS_API_MODULE, /* loads, unloads, links */
};

/* Of a name as traces write it: "cudaLaunchKernel_v7000", "cuLaunchKernel". */
enum ks_api_kind ks_api_kind(ks_str name);
/* The file name of a path of either kind of slash. */
ks_str ks_api_basename(ks_str path);
/* A library of CUDA or of the profiler, by its path. */
bool ks_api_is_module(ks_str module);
/* A launching function of CUDA, or what the compiler puts before it, by its demangled name: they
 * are in the program itself where the runtime was linked into it. */
bool ks_api_is_frame(ks_str symbol);

#endif
