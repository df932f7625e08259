/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test of base/ includes: cmocka in its required order, one group per module, and views
 * of C strings.
 */
#ifndef KS_TESTS_BASE_ALL_H
#define KS_TESTS_BASE_ALL_H

#define KS_BASE_DOOR /* tests prepare files and memory by the system's own calls */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/io.h"

int test_arena(void);
int test_buf(void);
int test_clock(void);
int test_csvw(void);
int test_dl(void);
int test_err(void);
int test_feed(void);
int test_folder(void);
int test_io(void);
int test_jsonw(void);
int test_log(void);
int test_map(void);
int test_mem(void);
int test_num(void);
int test_out(void);
int test_pbw(void);
int test_redact(void);
int test_sorter(void);
int test_spawn(void);
int test_str(void);
int test_term(void);
int test_utf8(void);
int test_xmlw(void);

/* A string literal that may hold NUL bytes. */
#define STR(literal) KS_LIT(literal)
/* The same as an initialiser of a static table. */
#define BYTES(literal)                                                                             \
	{                                                                                          \
		(literal), sizeof(literal) - 1                                                     \
	}

/* An output that collects in memory. */
struct capture {
	struct ks_buf buf;
	struct ks_out out;
};

void capture_start(struct capture *c);
void capture_end(struct capture *c);
/* Fails the test unless exactly `text` was written since the start or the last call. */
void expect_written(struct capture *c, const char *text);

/* A fresh folder under $TMPDIR or /tmp, its path in a static-size array; removed by scratch_end. */
struct scratch {
	char dir[256];
	char path[320]; /* room for the path of a file in it */
};
void scratch_start(struct scratch *s);
void scratch_end(struct scratch *s);
const char *in_scratch(struct scratch *s, const char *name); /* path of a file in it */
void given_file(const char *path, const char *content);
void expect_file(const char *path, const char *content);
size_t count_files(const char *dir);
/* Root may do everything, so tests of missing rights become somebody else for a while. Skips the
 * test where that is not possible. */
void become_nobody(void);
void become_root_again(void);

#endif
