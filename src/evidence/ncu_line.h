/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer of `ncu-command`: the words that make ncu profile one launch of a trace. Plain data,
 * made by analyze/ncu_count and analyze/ncu_words, written by render/ncu_line.
 */
#ifndef KS_EVIDENCE_NCU_LINE_H
#define KS_EVIDENCE_NCU_LINE_H

#include "base/err.h"

/* What a replay cannot give back, or what the line rests on. Each applies or does not. */
enum ks_ncu_limit {
	KS_NCU_REPLAY, /* always: several passes, memory restored, caches flushed, clocks locked */
	KS_NCU_GRAPH,  /* the launch belongs to a CUDA graph */
	KS_NCU_CONCURRENT, /* another kernel ran on the device at the same time */
	KS_NCU_COLLECTIVE, /* it communicates: it waits for other ranks */
	KS_NCU_PROCESSES,  /* other processes launch kernels of the name too */
	KS_NCU_ORDER,	   /* not every launch has its call: counted by start on the device */
	KS_NCU_REDACTED,   /* words of the line are not those of the program */
	KS_NCU_LIMITS
};
/* The word of JSON. */
const char *ks_ncu_limit_word(enum ks_ncu_limit limit);

struct ks_ncu_line {
	ks_str id;	 /* of the launch */
	ks_str kernel;	 /* its whole name, as it may be shown */
	ks_str function; /* the name that ncu compares */
	const ks_str *argv;
	size_t n_argv;
	ks_str command; /* one line for a shell, from the folder on */
	ks_str folder;	/* "" when not known */
	bool program_known;
	uint64_t skip;	   /* launches that fit the filters and come before it */
	uint64_t launches; /* that fit the filters */
	ks_str nvtx;	   /* the filter; "" for none */
	uint64_t named;	   /* launches that the name chose from; 0: chosen by id */
	ks_ns duration_ns;
	int64_t pid;
	uint64_t skip_in_process; /* as skip, of its own process */
	bool limit[KS_NCU_LIMITS];
};

#endif
