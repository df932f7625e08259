/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for command lines that people copy. Runs nothing.
 */
#ifndef KS_CMD_SHELL_H
#define KS_CMD_SHELL_H

#include "base/buf.h"

/* Appends a word, quoted where a shell would read it differently, after a blank if there is text.
 */
void ks_shell_word(struct ks_buf *b, const char *word);

#endif
