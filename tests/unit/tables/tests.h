/* SPDX-License-Identifier: Apache-2.0
 *
 * What the test files of this folder share: cmocka, the group functions, and helpers on names.
 */
#ifndef KS_TESTS_TABLES_H
#define KS_TESTS_TABLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka after its standard headers */
#include <cmocka.h>

#include "tables/tables.h"

int test_metric(void);
int test_refusal(void);
int test_question(void);
int test_unit(void);
int test_section(void);
int test_verdict(void);
int test_option(void);
int test_arch(void);
int test_ncu(void);
int test_limit(void);
int test_telemetry(void);
int test_text(void);
int test_words(void);
int test_printed(void);

#define STR(s) ((ks_str){ (s), strlen(s) })

/* The id that a name should have: upper case, each run of other characters one underscore. */
void id_of(const char *name, char *out, size_t cap);
/* Code points of valid UTF-8. */
size_t code_points(const char *s);
/* Whether `word` is an element of the comma-separated `list`. */
bool in_list(const char *list, const char *word, size_t n);
/* Fails the test unless en and zh are a complete pair; `what` names the row. */
void expect_pair(const char *what, const char *en, const char *zh);
/* Whether s holds a Chinese character. */
bool has_cjk(const char *s);

#endif
