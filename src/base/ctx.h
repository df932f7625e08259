/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run has in place of globals. Passed down as const; the pointed-to log and arenas do the
 * changing.
 */
#ifndef KS_BASE_CTX_H
#define KS_BASE_CTX_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/io.h"
#include "base/log.h"
#include "base/redact.h"

struct ks_ctx {
	const struct ks_io *io;
	const struct ks_clock *clock;
	const char *(*env)(const char *name); /* getenv in the product */
	struct ks_log *log;
	struct ks_progress *progress; /* may be NULL */
	struct ks_redact *redact;     /* NULL: nothing is redacted */
	struct ks_arena *run;	      /* evidence, names, report: lives to the end */
	int lang;		      /* enum ks_lang for people (terminal) */
	int doc_lang; /* enum ks_lang inside JSON, CSV and packets: English unless --lang */
};

#endif
