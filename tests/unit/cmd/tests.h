/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of unit tests of the cmd layer, and what cmocka needs before it.
 */
#ifndef KS_TESTS_UNIT_CMD_TESTS_H
#define KS_TESTS_UNIT_CMD_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

int test_casepath(void);
int test_options(void);
int test_config(void);
int test_names(void);
int test_suggest(void);
int test_settings(void);
int test_timeline(void);
int test_shell(void);

#endif
