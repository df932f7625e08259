/* SPDX-License-Identifier: Apache-2.0
 *
 * A command line that was read, for the tests of settings. Holds no expectation.
 */
#ifndef KS_TESTS_CMD_FIXTURE_H
#define KS_TESTS_CMD_FIXTURE_H

#include "cmd/settings.h"

#define MAX_WORDS 24

/* A run whose streams are buffers. */
struct fixture {
	struct ks_app app;
	struct ks_settings s;
	struct ks_err err;
	struct ks_buf out, log;
	enum ks_status status;
	char copy[400];
	char *argv[MAX_WORDS];
};

/* Words are parted by single blanks. */
void given(struct fixture *f, const char *words);
void done(struct fixture *f);

#endif
