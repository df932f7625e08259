/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a program that owns the terminal, such as a pager, and hands it a text on its standard
 * input. No shell; the program is looked up in PATH. Captures nothing and judges no exit status.
 */
#ifndef KS_BASE_FEED_H
#define KS_BASE_FEED_H

#include "base/base.h"

/* Returns once the program has ended. argv ends with NULL. `defaults` are NAME=VALUE words, ended
 * by NULL, that the program gets where the environment has no such name. While it runs, keys that
 * interrupt are for it alone. A program that stops reading early is no failure.
 * 0, or the errno for which it could not be started: then nothing was shown. */
int ks_feed(const char *const *argv, const char *const *defaults, ks_str text);

#endif
