/* SPDX-License-Identifier: Apache-2.0
 *
 * Deflates blocks of bytes, each by itself in zlib's format, and gives them back in the order they
 * were handed over. Uses the other processors for it where there are any; the bytes are the same
 * with and without. The only place that makes threads, and the only one that knows zlib.
 */
#ifndef KS_BASE_ZPACK_H
#define KS_BASE_ZPACK_H

#include "base/err.h"

#define KS_ZPACK_BLOCK	 ((size_t)256 << 10) /* bytes of one block, at most */
#define KS_ZPACK_WORKERS 3		     /* enough that writing, not deflating, decides */

struct ks_zpack;

/* Called in the thread that adds blocks, in their order. */
typedef void ks_zpack_put(void *arg, const void *deflated, size_t n);

/* workers: threads beside the caller's, at most; fewer where the machine has not so many
 * processors or a thread cannot be made. NULL: no memory. */
struct ks_zpack *ks_zpack_open(ks_zpack_put *put, void *arg, unsigned workers);
/* The bytes are copied; n is 1 to KS_ZPACK_BLOCK. Hands out what is ready. */
enum ks_status ks_zpack_add(struct ks_zpack *z, const void *p, size_t n, struct ks_err *err);
/* Hands out the rest. */
enum ks_status ks_zpack_flush(struct ks_zpack *z, struct ks_err *err);
void ks_zpack_close(struct ks_zpack *z); /* NULL is fine; what was not handed out is dropped */

#endif
