/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain main for a fuzz target: replays the seed files of a folder, one TAP line each, and the
 * empty input. A crash leaves the plan unmet, which the runner counts as a failure. Finds nothing
 * new: that is what `make fuzz` is for. replay-NAME FOLDER
 */
#define KS_BASE_DOOR
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int by_name(const struct dirent **a, const struct dirent **b)
{
	const char *x = (*a)->d_name, *y = (*b)->d_name;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	return (unsigned char)*x - (unsigned char)*y;
}

static int is_file_name(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* The input is handed over in a block of exactly its size, so that ASan sees one byte too many. */
static int replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long n = -1;
	int rc = 1;

	if (!f)
		return 1;
	if (fseek(f, 0, SEEK_END) == 0)
		n = ftell(f);
	if (n >= 0 && fseek(f, 0, SEEK_SET) == 0 && (data = malloc((size_t)n + (n == 0))) != NULL &&
	    fread(data, 1, (size_t)n, f) == (size_t)n) {
		LLVMFuzzerTestOneInput(data, (size_t)n);
		rc = 0;
	}
	free(data);
	fclose(f);
	return rc;
}

int main(int argc, char **argv)
{
	struct dirent **entry = NULL;
	int n = argc == 2 ? scandir(argv[1], &entry, is_file_name, by_name) : -1;
	int failed = 0;

	if (n < 0) {
		printf("Bail out! no folder of seeds: %s\n", argc == 2 ? argv[1] : "(none named)");
		return 1;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%d\n", n + 1);
	for (int i = 0; i < n; i++) {
		char path[4096];
		int bad = snprintf(path, sizeof(path), "%s/%s", argv[1], entry[i]->d_name) >=
			  (int)sizeof(path);

		bad = bad || replay(path);
		printf("%sok %d - %s\n", bad ? "not " : "", i + 1, entry[i]->d_name);
		failed += bad;
		free(entry[i]);
	}
	free(entry);
	LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
	printf("ok %d - the empty input\n", n + 1);
	return failed != 0;
}
