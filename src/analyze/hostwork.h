/* SPDX-License-Identifier: Apache-2.0
 *
 * How copies are made, and what a process does that can hold its devices up.
 */
#ifndef KS_ANALYZE_HOSTWORK_H
#define KS_ANALYZE_HOSTWORK_H

/* In the order in which a wait is told, where several calls wait at once. */
enum ks_host_work {
	KS_HOST_COPY,	/* in a call that waits for its copy */
	KS_HOST_MEMSET, /* the same of memory that is set */
	KS_HOST_SYNC,
	KS_HOST_ALLOC,
	KS_HOST_MODULE,
	KS_HOST_WORKS
};
/* Of several that run at once the last of these counts. */
enum ks_copy_manner {
	KS_COPY_NONE,	  /* memory that is set while nobody waits: no rule's */
	KS_COPY_PLAIN,	  /* by a call that did not wait */
	KS_COPY_PAGEABLE, /* the same, from or to pageable memory */
	KS_COPY_SETS,	  /* memory, by a call that waited until it was done */
	KS_COPY_BLOCKING, /* by a call that waited until it was done */
	KS_COPY_SCALAR,	  /* a few bytes to the host */
	KS_COPY_MANNERS
};

#endif
