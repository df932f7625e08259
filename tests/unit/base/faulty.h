/* SPDX-License-Identifier: Apache-2.0
 *
 * An io table over the real one whose calls can be made to fail, to be interrupted or to be short.
 */
#ifndef KS_TESTS_BASE_FAULTY_H
#define KS_TESTS_BASE_FAULTY_H

#include "base/io.h"

struct faulty {
	int calls;   /* made so far */
	int fail_at; /* number of the call that fails, from 1; 0 = none */
	int fail_errno;
	const char *failed; /* the call that did: "open", "write", ... */
	size_t most;	    /* bytes one read or write moves at most; 0 = all */
	bool interrupt;	    /* every second read or write ends with EINTR */
	bool no_tmpfile;    /* O_TMPFILE is unknown to this file system */
};
extern struct faulty faulty; /* reset by its users */
extern const struct ks_io faulty_io;

#endif
