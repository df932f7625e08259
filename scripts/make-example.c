/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the example trace: runs an SQL script into a new SQLite file. The sqlite3 shell is not part
 * of the build's needs, its library is. Refuses to touch a file that cannot be replaced whole:
 * works under a temporary name and renames at the end. make-example SCRIPT.sql OUT.sqlite
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	long n;

	if (!f)
		return NULL;
	if (fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0 &&
	    (text = malloc((size_t)n + 1)) != NULL) {
		size_t got = fread(text, 1, (size_t)n, f);

		text[got] = '\0';
		if (got != (size_t)n) {
			free(text);
			text = NULL;
		}
	}
	fclose(f);
	return text;
}

static int make(const char *script, const char *path)
{
	sqlite3 *db = NULL;
	char *why = NULL;
	int rc = sqlite3_open(path, &db);

	if (rc == SQLITE_OK) /* a file that is thrown away on failure needs no journal */
		rc = sqlite3_exec(db, "pragma journal_mode = off; pragma synchronous = off", NULL,
				  NULL, &why);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, script, NULL, NULL, &why);
	if (rc != SQLITE_OK)
		fprintf(stderr, "error: %s: %s\n", path, why ? why : sqlite3_errmsg(db));
	sqlite3_free(why);
	sqlite3_close(db);
	return rc == SQLITE_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
	char tmp[4096];
	char *script;
	int rc;

	if (argc != 3 || snprintf(tmp, sizeof(tmp), "%s.part", argv[2]) >= (int)sizeof(tmp)) {
		fprintf(stderr, "usage: make-example SCRIPT.sql OUT.sqlite\n");
		return 2;
	}
	script = read_whole(argv[1]);
	if (!script) {
		fprintf(stderr, "error: cannot read %s\n", argv[1]);
		return 1;
	}
	remove(tmp);
	rc = make(script, tmp);
	free(script);
	if (rc == 0 && rename(tmp, argv[2]) != 0) {
		perror(argv[2]);
		rc = 1;
	}
	if (rc != 0)
		remove(tmp);
	return rc;
}
