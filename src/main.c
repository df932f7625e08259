/* SPDX-License-Identifier: Apache-2.0
 *
 * Entry: hands the machine's clock, files and environment to the program and returns its exit code.
 */
#include "cmd/app.h"

#include <fcntl.h>
#include <signal.h>

static const char *environment(const char *name)
{
	return getenv(name);
}

/* A closed standard stream would be taken by the first file we open, and text for people would land
 * in it. Each is filled with a handle that fails in the direction we use, so that it is noticed. */
static void fill_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
	}
}

int main(int argc, char **argv)
{
	struct ks_app app;

	fill_standard_streams();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a file-size limit then fails the write, and we clean up */
	ks_app_init(&app, &(struct ks_app_world){ &ks_io_system, &ks_clock_system, environment });
	return ks_app_main(&app, argc, argv);
}
