/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines for people on stderr, and the same lines in --log-file. No library code writes to a
 * stream itself: it calls ks_log_line with a finished, unescaped text.
 */
#ifndef KS_BASE_LOG_H
#define KS_BASE_LOG_H

#include "base/clock.h"
#include "base/io.h"
#include "base/redact.h"

enum ks_log_kind {
	KS_LOG_NOTE,
	KS_LOG_WARN,
	KS_LOG_ERROR,
	KS_LOG_STRICT,
	KS_LOG_HINT,
	KS_LOG_PROF,
	KS_LOG_PLAIN
};

struct ks_log {
	struct ks_out *err;	  /* stderr */
	struct ks_out *file;	  /* --log-file or NULL */
	struct ks_redact *redact; /* NULL: lines are written as they come */
	bool quiet; /* only ERROR, STRICT, HINT and PROF lines of written files pass */
};

/* "note: ", "warn: ", "error: ", "error(strict): ", "hint: ", "==PROF== " or no prefix; the text is
 * made visible (base/utf8.h), one line. */
void ks_log_line(struct ks_log *log, enum ks_log_kind kind, ks_str text);

/* A progress line on stderr, only on a terminal, at most ten times a second; erased by done(). */
struct ks_progress {
	struct ks_out *err; /* NULL: silent */
	const struct ks_clock *clock;
	ks_ns last;
	bool shown;
};
void ks_progress_show(struct ks_progress *p, ks_str text, uint64_t done, uint64_t total);
void ks_progress_done(struct ks_progress *p);

#endif
