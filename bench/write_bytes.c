/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes N bytes to stdout in blocks of 64 KiB: the yardstick for outputs that grow with the
 * launches. write_bytes N > FILE
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char block[65536];
	long long left = argc == 2 ? strtoll(argv[1], NULL, 10) : -1;

	if (left < 0) {
		fprintf(stderr, "usage: write_bytes N\n");
		return 2;
	}
	memset(block, 'x', sizeof(block));
	while (left > 0) {
		size_t n = left < (long long)sizeof(block) ? (size_t)left : sizeof(block);
		ssize_t got = write(STDOUT_FILENO, block, n);

		if (got <= 0) {
			perror("write");
			return 1;
		}
		left -= got;
	}
	return 0;
}
