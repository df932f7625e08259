/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for command lines that people copy. Runs nothing.
 */
#ifndef KS_BASE_SHELL_H
#define KS_BASE_SHELL_H

#include "base/arena.h"
#include "base/buf.h"

/* Appends a word, quoted where a shell would read it differently, after a blank if there is text.
 */
void ks_shell_word(struct ks_buf *b, const char *word);
/* The word alone; "" when it would take more than `most` bytes or holds a NUL. */
ks_str ks_shell_quoted(struct ks_arena *a, ks_str word, size_t most);

#endif
