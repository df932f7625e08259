/* SPDX-License-Identifier: Apache-2.0
 *
 * Well-formedness by the judgement of xmllint, a program that is not ours.
 */
#include "all.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include "base/io.h"

/* 0 well-formed, other: not; -1: there is no xmllint. */
static int judged(const char *text)
{
	extern char **environ;
	char path[] = "/tmp/ks-svg-XXXXXX";
	char *const argv[] = { (char[]){ "xmllint" }, (char[]){ "--noout" }, path, NULL };
	int fd = mkostemp(path, O_CLOEXEC), rc = -1;
	pid_t child;
	struct ks_out out;

	assert_true(fd >= 0);
	ks_out_open_fd(&out, &ks_io_system, fd);
	ks_out_cstr(&out, text);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
	if (posix_spawnp(&child, "xmllint", NULL, NULL, argv, environ) == 0) {
		assert_int_equal(waitpid(child, &rc, 0), child);
		rc = WIFEXITED(rc) ? WEXITSTATUS(rc) : 1;
		rc = rc == 127 ? -1 : rc;
	}
	(void)close(fd);
	(void)unlink(path);
	return rc;
}

void expect_well_formed(const char *text)
{
	int rc = judged(text);

	if (rc < 0) {
		print_message("xmllint is not installed: well-formedness not judged\n");
		skip();
	}
	assert_int_equal(rc, 0);
}
