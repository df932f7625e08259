/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside redact_*.c only: what a string of a document is by where it stands, and what it becomes.
 */
#ifndef KS_SOURCE_REDACT_STRING_H
#define KS_SOURCE_REDACT_STRING_H

#include <jansson.h>

#include "base/buf.h"
#include "base/redact.h"

enum ks_redact_role {
	KS_ROLE_TEXT,
	KS_ROLE_OURS,
	KS_ROLE_GONE, /* an id: nothing stands in its place */
	KS_ROLE_PATH,
	KS_ROLE_PLATFORM, /* "Linux-6.1.0-x86_64": the system's name stays */
	KS_ROLE_COMMAND,
	KS_ROLE_MESSAGE, /* of the profiler */
	KS_ROLE_KERNEL,
	KS_ROLE_CHOICE, /* of kernels */
	KS_ROLE_WITHIN,
	KS_ROLE_RANGE,
	KS_ROLE_PATH_NODE, /* of the tree of ranges: a root has the domain's name */
	KS_ROLE_DOMAIN,
	KS_ROLE_PROCESS,
	KS_ROLE_STACK,
	KS_ROLE_WORK, /* a kernel, "copy HtoD" or "memset" */
	KS_ROLE_WHY,  /* a sentence about a name that stands nowhere else */
};

struct ks_redact_walk { /* of one document */
	struct ks_redact *redact;
	struct ks_buf text;
	bool names;    /* the first walk */
	bool was;      /* the document is redacted already */
	bool in_phase; /* the name of a range was changed: words made of such names go */
	bool failed;
};

/* By its key and the key that its object or list stands under. */
enum ks_redact_role ks_redact_role_of(const char *in, const char *key);
/* What a string becomes in this walk; NULL: it stays, or w->failed. `root`: of an object that has
 * no parent in its tree. */
json_t *ks_redact_string(struct ks_redact_walk *w, enum ks_redact_role role, bool root,
			 const json_t *v);

#endif
