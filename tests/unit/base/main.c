/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests of base/, one group per module, and holds the helpers they share.
 */
#include "all.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

void capture_start(struct capture *c)
{
	ks_buf_init(&c->buf, 1u << 24);
	ks_out_open_mem(&c->out, &c->buf);
}

void capture_end(struct capture *c)
{
	assert_int_equal(ks_out_commit(&c->out, NULL), KS_OK);
	ks_buf_release(&c->buf);
}

void expect_written(struct capture *c, const char *text)
{
	assert_string_equal(ks_buf_text(&c->buf), text);
	ks_buf_reset(&c->buf);
}

void scratch_start(struct scratch *s)
{
	const char *root = getenv("TMPDIR");

	(void)snprintf(s->dir, sizeof(s->dir), "%s/ks-base-XXXXXX", root ? root : "/tmp");
	assert_non_null(mkdtemp(s->dir));
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

void scratch_end(struct scratch *s)
{
	(void)chmod(s->dir, 0700);
	remove_all(s->dir);
}

const char *in_scratch(struct scratch *s, const char *name)
{
	(void)snprintf(s->path, sizeof(s->path), "%s/%s", s->dir, name);
	return s->path;
}

void given_file(const char *path, const char *content)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(content, 1, strlen(content), f), strlen(content));
	assert_int_equal(fclose(f), 0);
}

void expect_file(const char *path, const char *content)
{
	static char text[1u << 20];
	FILE *f = fopen(path, "rb");

	assert_non_null(f);

	const size_t n = fread(text, 1, sizeof(text) - 1, f);

	text[n] = '\0';
	assert_int_equal(fclose(f), 0);
	assert_string_equal(text, content);
}

size_t count_files(const char *dir)
{
	DIR *d = opendir(dir);
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	(void)closedir(d);
	return n - 2; /* . and .. */
}

#define NOBODY 65534

void become_nobody(void)
{
	if (geteuid() == 0 && seteuid(NOBODY) != 0) {
		print_message("root cannot give up its rights here\n");
		skip();
	}
}

void become_root_again(void)
{
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
}

/* The sanitizer must hand NULL back for absurd sizes, as the allocator does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

int main(void)
{
	return test_arena() + test_buf() + test_clock() + test_csvw() + test_err() + test_feed() +
	       test_folder() + test_io() + test_jsonw() + test_log() + test_map() + test_mem() +
	       test_num() + test_out() + test_pbw() + test_redact() + test_sorter() + test_spawn() +
	       test_dl() + test_str() + test_term() + test_utf8() + test_xmlw();
}
