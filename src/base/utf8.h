/* SPDX-License-Identifier: Apache-2.0
 *
 * Byte strings that should be UTF-8 but need not be. Every sink escapes at its last step with the
 * visible forms made here, so nothing from an input reaches a terminal or a document as a command.
 */
#ifndef KS_BASE_UTF8_H
#define KS_BASE_UTF8_H

#include "base/base.h"

/* Decodes one code point at s.p[*i], advances *i. An invalid byte yields -1 and advances by one. */
int32_t ks_utf8_next(ks_str s, size_t *i);
/* Writes cp as UTF-8; returns 1 to 4. */
size_t ks_utf8_put(char out[4], uint32_t cp);
bool ks_utf8_valid(ks_str s);
/* Must not be shown raw: C0, DEL, C1, bidi controls (U+061C, 200E-200F, 202A-202E, 2066-2069),
 * other format characters (Cf), line and paragraph separators, surrogates, noncharacters. */
bool ks_utf8_is_hostile(int32_t cp);
/* Terminal columns of a code point that is shown (0, 1 or 2). */
int ks_utf8_width(int32_t cp);
/* Columns the text takes after escaping as in ks_utf8_visible. */
size_t ks_utf8_columns(ks_str s);

/* Feeds `put` with the text in which an invalid byte is written \xNN and a hostile code point
 * \u{HEX} (\n, \t, \r, \e by name). One line, safe for a terminal. */
void ks_utf8_visible(ks_str s, void (*put)(void *arg, const char *p, size_t n), void *arg);
/* The longest prefix of s that is at most `bytes` long and ends between code points. */
size_t ks_utf8_prefix(ks_str s, size_t bytes);
/* Prefix of at most `cols` columns (escaped width). */
size_t ks_utf8_prefix_columns(ks_str s, size_t cols);

#endif
