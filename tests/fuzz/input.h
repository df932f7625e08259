/* SPDX-License-Identifier: Apache-2.0
 *
 * What the targets share: no environment, and the bytes as a file where a reader wants a path.
 */
#ifndef KS_FUZZ_INPUT_H
#define KS_FUZZ_INPUT_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline const char *no_environment(const char *name)
{
	(void)name;
	return NULL;
}

#define INPUT_PATH 64

/* One name for each process, so that nothing piles up. */
static inline bool put(char path[INPUT_PATH], const uint8_t *data, size_t size)
{
	(void)snprintf(path, INPUT_PATH, "/tmp/ks-fuzz-%d", (int)getpid());

	const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		return false;

	const bool good = pwrite(fd, data, size, 0) == (ssize_t)size;

	(void)close(fd);
	return good;
}

#endif
