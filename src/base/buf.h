/* SPDX-License-Identifier: Apache-2.0
 *
 * A growable byte buffer that is created with its ceiling. Sticky: after a failure every call is a
 * no-op and ks_buf_failed() is true.
 */
#ifndef KS_BASE_BUF_H
#define KS_BASE_BUF_H

#include <stdarg.h>

#include "base/arena.h"
#include "base/base.h"

struct ks_buf {
	char *p; /* NUL-terminated behind n bytes once anything was added */
	size_t n, cap, max;
	bool failed;
};

void ks_buf_init(struct ks_buf *b, size_t max_bytes);
void ks_buf_release(struct ks_buf *b);
/* n = 0, keep the memory. A failure stays, so that one check at the end of the work is enough. */
void ks_buf_reset(struct ks_buf *b);
void ks_buf_add(struct ks_buf *b, const void *p, size_t n);
void ks_buf_str(struct ks_buf *b, ks_str s);
void ks_buf_cstr(struct ks_buf *b, const char *s);
void ks_buf_ch(struct ks_buf *b, char c);
void ks_buf_fmt(struct ks_buf *b, const char *fmt, ...) KS_PRINTF(2, 3);
void ks_buf_vfmt(struct ks_buf *b, const char *fmt, va_list ap) KS_PRINTF(2, 0);
bool ks_buf_failed(const struct ks_buf *b);
ks_str ks_buf_view(const struct ks_buf *b);
/* A copy in the arena. A buffer that failed makes the arena failed too: text is never cut silently.
 */
ks_str ks_buf_keep(const struct ks_buf *b, struct ks_arena *a);
const char *ks_buf_text(const struct ks_buf *b); /* "" when empty; never NULL */

#endif
