/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs another program and keeps what it prints. No shell, no PATH look-up: argv[0] is the file to
 * run. Its standard input is /dev/null. What it prints on standard error is kept with the rest, in
 * the order it comes; where the pieces are taken it goes nowhere, for it would fall into their
 * lines.
 */
#ifndef KS_BASE_SPAWN_H
#define KS_BASE_SPAWN_H

#include "base/buf.h"

struct ks_spawn {
	const char *const *argv; /* ends with NULL */
	/* > 0: after so long it is killed with all its children. It then has a process group of its
	 * own, and dies when we do. 0: no limit; it stays in our group, so that ^C reaches it. */
	int64_t timeout_ms;
	struct ks_buf
		*kept; /* initialised; what is printed beyond its ceiling is read and dropped */
	bool keep_end; /* drop from the beginning instead */
	/* Gets every piece of standard output as it is printed, instead of `kept`; NULL: none. */
	void (*take)(void *arg, const char *p, size_t n);
	void *arg;
};

enum ks_spawn_how {
	KS_SPAWN_EXITED,  /* code: the exit status */
	KS_SPAWN_KILLED,  /* code: the signal */
	KS_SPAWN_TIMEOUT, /* it was cut; code 0 */
	KS_SPAWN_FAILED	  /* it never ran, or its end is not known; code: the errno */
};
struct ks_spawn_end {
	enum ks_spawn_how how;
	int code;
};

struct ks_spawn_end ks_spawn_run(const struct ks_spawn *s);

#endif
