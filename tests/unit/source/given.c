/* SPDX-License-Identifier: Apache-2.0
 *
 * Inputs for the tests of source/: a scratch folder, databases from SQL, the shared data.
 */
#include "all.h"

#include <dirent.h>
#include <sqlite3.h>
#include <sys/stat.h>

static struct {
	char name[64], value[1024];
} environment[8];
static char folder[256];

static const char *look_up(const char *name)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(environment); i++)
		if (environment[i].name[0] && strcmp(environment[i].name, name) == 0)
			return environment[i].value;
	return NULL;
}

void test_setenv(const char *name, const char *value)
{
	size_t at = 0;

	for (size_t i = KS_ARRAY_LEN(environment); i-- > 0;)
		if (!environment[i].name[0] || strcmp(environment[i].name, name) == 0)
			at = i;
	for (size_t i = 0; i < KS_ARRAY_LEN(environment); i++)
		if (strcmp(environment[i].name, name) == 0)
			at = i;
	environment[at].name[0] = '\0';
	if (!value)
		return;
	(void)snprintf(environment[at].name, sizeof(environment[at].name), "%s", name);
	(void)snprintf(environment[at].value, sizeof(environment[at].value), "%s", value);
}

static struct ks_arena run;

const struct ks_ctx *test_ctx(void)
{
	static struct ks_ctx ctx;

	if (!run.limit)
		ks_arena_init(&run, (size_t)1 << 30);
	ctx = (struct ks_ctx){ .io = &ks_io_system,
			       .clock = &ks_clock_system,
			       .env = look_up,
			       .run = &run,
			       .lang = KS_LANG_EN,
			       .doc_lang = KS_LANG_EN };
	return &ctx;
}

const char *shared_folder(void)
{
	const char *path = getenv("KS_SHARED");
	struct stat st;

	if (!path || !path[0])
		path = "../shared";
	if (stat(path, &st) == 0)
		return path;
	print_message("skipped: no shared folder at %s (set KS_SHARED)\n", path);
	return NULL;
}

void scratch_start(void)
{
	const char *root = getenv("TMPDIR");

	(void)snprintf(folder, sizeof(folder), "%s/ks-source-XXXXXX", root ? root : "/tmp");
	assert_non_null(mkdtemp(folder));
}

static void remove_all(const char *dir)
{
	DIR *d = opendir(dir);
	char path[1024];

	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		(void)snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (unlink(path) != 0)
			remove_all(path);
	}
	(void)closedir(d);
	(void)rmdir(dir);
}

void scratch_end(void)
{
	(void)chmod(folder, 0700);
	remove_all(folder);
	ks_arena_release(&run);
}

const char *in_scratch(const char *name)
{
	static char path[16][512];
	static size_t turn;
	char *p = path[turn++ % 16];

	(void)snprintf(p, sizeof(path[0]), "%s/%s", folder, name);
	return p;
}

void given_bytes(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

size_t read_bytes(const char *path, unsigned char **bytes)
{
	FILE *f = fopen(path, "rb");
	struct stat st;

	assert_non_null(f);
	assert_int_equal(fstat(fileno(f), &st), 0);
	*bytes = malloc((size_t)st.st_size + 1);
	assert_non_null(*bytes);
	assert_int_equal(fread(*bytes, 1, (size_t)st.st_size, f), st.st_size);
	assert_int_equal(fclose(f), 0);
	return (size_t)st.st_size;
}

void copy_file(const char *from, const char *to)
{
	unsigned char *bytes;
	const size_t n = read_bytes(from, &bytes);

	given_bytes(to, bytes, n);
	free(bytes);
}

void given_db(const char *path, const char *sql)
{
	sqlite3 *db;
	char *why = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	(void)sqlite3_exec(db, "pragma synchronous=off", NULL, NULL,
			   NULL); /* tests need no fsync */
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

json_t *load_json(const char *path)
{
	json_error_t why;
	json_t *j = json_load_file(path, 0, &why);

	if (!j)
		fail_msg("%s: line %d: %s", path, why.line, why.text);
	return j;
}
