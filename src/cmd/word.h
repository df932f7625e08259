/* SPDX-License-Identifier: Apache-2.0
 *
 * What a bare word of the command line is: a recording, a program, or neither. Opens a file only to
 * look at its first bytes.
 */
#ifndef KS_CMD_WORD_H
#define KS_CMD_WORD_H

#include "cmd/app.h"

/* The option that reads it ("--ks-sqlite", "-i", ...) when it is a recording, by content or, where
 * the content is damaged or the file is missing, by its name; NULL when it is none. */
const char *ks_word_reader(const char *word);

/* Why a bare word cannot be run here. KS_OK: it is a program that could be started. */
enum ks_status ks_word_check(const struct ks_app *app, const char *word, struct ks_err *err);

#endif
