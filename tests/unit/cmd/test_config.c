/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration: what files and variables say, which of them wins, what is refused, and how a
 * file is changed. Expectations are written out by hand from the rules of cmd/config.h.
 */
#include "tests.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/str.h"
#include "cmd/config.h"

#define MOST_VARIABLES 8

/* The environment of a test; the look-up has no argument for it. */
static struct {
	const char *name[MOST_VARIABLES], *value[MOST_VARIABLES];
	size_t n;
} world;

static const char *look_up(const char *name)
{
	for (size_t i = 0; i < world.n; i++) {
		if (strcmp(world.name[i], name) == 0)
			return world.value[i];
	}
	return NULL;
}

static void given_variable(const char *name, const char *value)
{
	world.name[world.n] = name;
	world.value[world.n++] = value;
}

struct place {
	struct ks_app app;
	struct ks_err err;
	struct ks_configured c;
	struct ks_buf said;
	char root[PATH_MAX], back[PATH_MAX];
};

/* An empty home with a folder project/deep, where the test then stands. */
static void setup(struct place *p)
{
	static const char *const folders[] = { "%s/home", "%s/home/.config",
					       "%s/home/.config/kernoscope", "%s/home/project",
					       "%s/home/project/deep" };
	char path[2 * PATH_MAX];
	const char *tmp = getenv("TMPDIR");

	world.n = 0;
	assert_non_null(getcwd(p->back, sizeof(p->back)));
	(void)snprintf(p->root, sizeof(p->root), "%s/ks-config.XXXXXX", tmp != NULL ? tmp : "/tmp");
	assert_non_null(mkdtemp(p->root));
	for (size_t i = 0; i < KS_ARRAY_LEN(folders); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		(void)snprintf(path, sizeof(path), folders[i], p->root);
#pragma GCC diagnostic pop
		assert_int_equal(mkdir(path, 0700), 0);
	}
	assert_int_equal(chdir(path), 0);
	ks_app_init(&p->app, &(struct ks_app_world){ &ks_io_system, &ks_clock_system, look_up });
	ks_buf_init(&p->said, (size_t)1 << 16);
	ks_out_abandon(&p->app.err);
	ks_out_open_mem(&p->app.err, &p->said);
	ks_err_init(&p->err);
	given_variable("HOME", ks_arena_fmt(&p->app.arena, "%s/home", p->root).p);
}

static void teardown(struct place *p)
{
	static const char *const left[] = { "home/.config/kernoscope/config",
					    "home/project/.kernoscope",
					    "home/project/deep/.kernoscope",
					    "home/project/deep/named",
					    "home/project/.git",
					    "home/project/deep",
					    "home/project",
					    "home/.config/kernoscope",
					    "home/.config",
					    "home/.kernoscope",
					    "home",
					    "" };
	char path[2 * PATH_MAX];

	assert_int_equal(chdir(p->back), 0);
	for (size_t i = 0; i < KS_ARRAY_LEN(left); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", p->root, left[i]);
		if (remove(path) != 0)
			(void)rmdir(path);
	}
	assert_int_not_equal(access(p->root, F_OK), 0);
	ks_out_abandon(&p->app.out);
	ks_out_abandon(&p->app.err);
	ks_buf_release(&p->said);
	ks_arena_release(&p->app.arena);
}

static void given_bytes(struct place *p, const char *name, const char *bytes, size_t n)
{
	char path[2 * PATH_MAX];
	struct ks_out out;

	(void)snprintf(path, sizeof(path), "%s/home/%s", p->root, name);
	assert_int_equal(ks_out_open_file(&out, &ks_io_system, path, KS_OUT_FORCE, NULL), KS_OK);
	ks_out_write(&out, bytes, n);
	assert_int_equal(ks_out_commit(&out, NULL), KS_OK);
}

#define USER	".config/kernoscope/config"
#define PROJECT "project/.kernoscope"

static void given_file(struct place *p, const char *name, const char *text)
{
	given_bytes(p, name, text, strlen(text));
}

static const struct ks_setting *setting(const struct place *p, enum ks_option id)
{
	return &p->c.set[id];
}

static void expect_setting(const struct place *p, enum ks_option id, const char *value)
{
	if (value == NULL) {
		assert_null(setting(p, id)->value);
		return;
	}
	assert_non_null(setting(p, id)->value);
	assert_string_equal(setting(p, id)->value, value);
}

static void a_file_says_keys_and_values(void **state)
{
	static const struct {
		const char *text;
		enum ks_option id;
		const char *value; /* NULL: not set */
		int line;
	} cases[] = {
		{ "set = full\n", KS_OPT_SET, "full", 1 },
		{ "set=full", KS_OPT_SET, "full", 1 },
		{ "\xEF\xBB\xBFset = full\n", KS_OPT_SET, "full", 1 },
		{ "# set = full\n; set = full\n\n", KS_OPT_SET, NULL, 0 },
		{ "# first\n\n  set : full  \r\n", KS_OPT_SET, "full", 3 },
		{ "[what people call a group]\nset = full ; a remark\n", KS_OPT_SET, "full", 2 },
		{ "set = basic\nset = full\n", KS_OPT_SET, "full", 2 },
		{ "set = basic\n\tpage = raw\n", KS_OPT_PAGE, "raw", 2 },
		{ "quiet = true\n", KS_OPT_QUIET, "yes", 1 },
		{ "quiet = off\n", KS_OPT_QUIET, "no", 1 },
		{ "progress = 0\n", KS_OPT_NO_PROGRESS, "no", 1 },
		{ "pager = on\n", KS_OPT_NO_PAGER, "yes", 1 },
		{ "", KS_OPT_SET, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct place p;
		char where[2 * PATH_MAX];

		setup(&p);
		given_file(&p, USER, cases[i].text);
		if (ks_config_load(&p.app, NULL, &p.c, &p.err) != KS_OK)
			fail_msg("%s: %s", cases[i].text, p.err.arg[0]);
		expect_setting(&p, cases[i].id, cases[i].value);
		if (cases[i].value != NULL) {
			(void)snprintf(where, sizeof(where), "%s/home/" USER ":%d", p.root,
				       cases[i].line);
			assert_string_equal(setting(&p, cases[i].id)->where, where);
			assert_int_equal(setting(&p, cases[i].id)->origin, KS_BY_USER);
		}
		teardown(&p);
	}
}

static void a_fault_names_its_line(void **state)
{
	static const struct {
		const char *text;
		enum ks_text message;
		int line;
		const char *near; /* in the message; NULL: none */
	} cases[] = {
		{ "sett = full\n", KS_TEXT_ERR_CONFIG_KEY_NEAR, 1, "set" },
		{ "\nprint-detail = all\n", KS_TEXT_ERR_CONFIG_KEY_NEAR, 2, "print-details" },
		{ "no-progress = yes\n", KS_TEXT_ERR_CONFIG_KEY_NEAR, 1, "progress" },
		{ "qqqqqqqq = 1\n", KS_TEXT_ERR_CONFIG_KEY, 1, NULL },
		{ "export = here\n", KS_TEXT_ERR_CONFIG_KEY, 1, NULL },
		{ "set = full\nnonsense\n", KS_TEXT_ERR_CONFIG_LINE, 2, NULL },
		{ "[open\nset = full\n", KS_TEXT_ERR_CONFIG_LINE, 1, NULL },
		{ "nonsense\nsett = full\n", KS_TEXT_ERR_CONFIG_LINE, 1, NULL },
		{ "sett = full\nnonsense\n", KS_TEXT_ERR_CONFIG_KEY_NEAR, 1, "set" },
		{ "set = fulll\n", KS_TEXT_ERR_CMD_CHOICE_NEAR, 0, "full" },
		{ "quiet = maybe\n", KS_TEXT_ERR_CONFIG_YES_NO, 1, NULL },
		{ "quiet =\n", KS_TEXT_ERR_CONFIG_YES_NO, 1, NULL },
		{ "format =\n", KS_TEXT_ERR_CMD_CHOICE, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct place p;
		char where[2 * PATH_MAX];

		setup(&p);
		given_file(&p, USER, cases[i].text);
		assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_USAGE);
		if (p.err.text != (int)cases[i].message)
			fail_msg("%s: text %d: %s", cases[i].text, p.err.text, p.err.arg[0]);
		(void)snprintf(where, sizeof(where), "%s/home/" USER ":%d", p.root,
			       cases[i].line > 0 ? cases[i].line : 1);
		assert_string_equal(cases[i].line > 0 ? p.err.arg[0] : p.err.where, where);
		if (cases[i].near != NULL)
			assert_string_equal(p.err.arg[2], cases[i].near);
		teardown(&p);
	}
}

/* 197 bytes are the most of a line; both sides of the border. */
static void a_line_has_an_end(void **state)
{
	static const size_t sizes[] = { 197, 198, 65000 };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(sizes); i++) {
		static char text[65536];
		struct place p;

		memset(text, '#', sizes[i]);
		(void)snprintf(text + sizes[i], sizeof(text) - sizes[i], "\nset = full\n");
		setup(&p);
		given_file(&p, USER, text);
		const enum ks_status status = ks_config_load(&p.app, NULL, &p.c, &p.err);

		assert_int_equal(status, sizes[i] == 197 ? KS_OK : KS_E_USAGE);
		if (status != KS_OK)
			assert_int_equal(p.err.text, KS_TEXT_ERR_CONFIG_LONG);
		else
			expect_setting(&p, KS_OPT_SET, "full");
		teardown(&p);
	}
}

static void what_is_no_text_file_is_refused(void **state)
{
	static const char zero[] = "set = full\nlang = \0zh\n";
	char path[2 * PATH_MAX];
	struct place p;

	(void)state;
	setup(&p);
	given_bytes(&p, USER, zero, sizeof(zero) - 1);
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_USAGE);
	assert_int_equal(p.err.text, KS_TEXT_ERR_CONFIG_ZERO);
	assert_true(ks_str_ends(ks_str_c(p.err.arg[0]), "config:2"));
	teardown(&p);

	setup(&p); /* opening a pipe without a writer would wait for ever */
	(void)snprintf(path, sizeof(path), "%s/home/" USER, p.root);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_INPUT);
	assert_int_equal(p.err.text, KS_TEXT_ERR_IN_SPECIAL);
	teardown(&p);

	setup(&p);
	(void)snprintf(path, sizeof(path), "%s/home/" USER, p.root);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_INPUT);
	assert_int_equal(p.err.text, KS_TEXT_ERR_IN_SPECIAL);
	teardown(&p);

	static char big[70000];

	memset(big, '\n', sizeof(big));
	setup(&p);
	given_bytes(&p, USER, big, sizeof(big));
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_INPUT);
	assert_int_equal(p.err.text, KS_TEXT_ERR_IN_TOO_BIG);
	teardown(&p);
}

/* The user may link the own file; a project's link would show what it points to in a message. */
static void only_the_users_file_may_be_a_link(void **state)
{
	char path[2 * PATH_MAX];
	struct place p;

	(void)state;
	setup(&p);
	given_file(&p, "project/deep/named", "set = full\n");
	(void)snprintf(path, sizeof(path), "%s/home/" USER, p.root);
	assert_int_equal(symlink("../../project/deep/named", path), 0);
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, "full");
	(void)snprintf(path, sizeof(path), "%s/home/" PROJECT, p.root);
	assert_int_equal(symlink("deep/named", path), 0);
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_INPUT);
	assert_int_equal(p.err.text, KS_TEXT_ERR_IN_SPECIAL);
	teardown(&p);
}

static void the_nearer_one_wins(void **state)
{
	struct place p;

	(void)state;
	setup(&p);
	given_file(&p, USER, "set = detailed\npage = raw\nprint-units = base\n");
	given_file(&p, PROJECT, "set = full\npage = source\n");
	given_variable("KERNOSCOPE_PAGE", "details");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_PAGE, "details");
	assert_string_equal(setting(&p, KS_OPT_PAGE)->where, "KERNOSCOPE_PAGE");
	expect_setting(&p, KS_OPT_SET, "full");
	assert_int_equal(setting(&p, KS_OPT_SET)->origin, KS_BY_PROJECT);
	expect_setting(&p, KS_OPT_PRINT_UNITS, "base");
	expect_setting(&p, KS_OPT_SCREEN, NULL);

	given_file(&p, "project/deep/named", "set = basic\n");
	assert_int_equal(ks_config_load(&p.app, "named", &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, "basic");
	expect_setting(&p, KS_OPT_PRINT_UNITS, NULL);
	expect_setting(&p, KS_OPT_PAGE, "details");
	assert_int_equal(ks_config_load(&p.app, "none", &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, NULL);
	expect_setting(&p, KS_OPT_PAGE, "details");
	teardown(&p);
}

static void a_projects_file_is_the_nearest_up_to_its_top(void **state)
{
	struct place p;
	char path[2 * PATH_MAX];

	(void)state;
	setup(&p);
	given_file(&p, ".kernoscope", "set = detailed\n");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, "detailed"); /* the home itself is looked at */
	world.value[0] = ks_arena_fmt(&p.app.arena, "%s/home/project", p.root).p;
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, NULL); /* and nothing above it */
	world.value[0] = ks_arena_fmt(&p.app.arena, "%s/home", p.root).p;
	(void)snprintf(path, sizeof(path), "%s/home/project/.git", p.root);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, NULL); /* above the project's top */
	given_file(&p, PROJECT, "set = full\n");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, "full"); /* at its top */
	given_file(&p, "project/deep/.kernoscope", "set = basic\n");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, "basic");
	teardown(&p);
}

static void a_project_may_not_silence_its_user(void **state)
{
	static const char *const texts[] = { "quiet = yes\n", "pager = no\n" };

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(texts); i++) {
		struct place p;

		setup(&p);
		given_file(&p, USER, texts[i]);
		assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
		given_file(&p, PROJECT, texts[i]);
		assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_USAGE);
		assert_int_equal(p.err.text, KS_TEXT_ERR_CONFIG_PROJECT);
		teardown(&p);
	}
}

static void variables_are_checked_and_empty_ones_are_unset(void **state)
{
	struct place p;

	(void)state;
	setup(&p);
	given_variable("KERNOSCOPE_SET", "");
	given_variable("KERNOSCOPE_LANG", "zh_CN.UTF-8");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_SET, NULL);
	expect_setting(&p, KS_OPT_LANG, "zh");
	given_variable("KERNOSCOPE_PRINT_UNITS", "bas");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_E_USAGE);
	assert_string_equal(p.err.where, "KERNOSCOPE_PRINT_UNITS");
	assert_string_equal(p.err.arg[2], "base");
	teardown(&p);
}

static void no_color_goes_before_a_file(void **state)
{
	struct place p;

	(void)state;
	setup(&p);
	given_file(&p, USER, "color = always\n");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_COLOR, "always");
	given_variable("NO_COLOR", "1");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_COLOR, "auto"); /* which then honours NO_COLOR */
	given_variable("KERNOSCOPE_COLOR", "always");
	assert_int_equal(ks_config_load(&p.app, NULL, &p.c, &p.err), KS_OK);
	expect_setting(&p, KS_OPT_COLOR, "always");
	teardown(&p);
}

/* Options as they are after the line was parsed and the configuration put behind it. */
static void settled(struct place *p, struct ks_opts *o, const char *words)
{
	char *copy = (char *)ks_arena_alloc(&p->app.arena, strlen(words) + 1);
	char *argv[12] = { (char[]){ "kernoscope" } };
	int argc = 1;

	memcpy(copy, words, strlen(words));
	for (char *w = copy; w != NULL && *w != '\0';) {
		argv[argc++] = w;
		w = strchr(w, ' ');
		if (w != NULL)
			*w++ = '\0';
	}
	const struct ks_opt_spec spec = { KS_CMD_NONE, false };

	assert_int_equal(ks_opts_parse(o, &p->app.arena, &spec, argc, argv, &p->err), KS_OK);
	assert_int_equal(ks_config_settle(&p->app, o, KS_CMD_NONE, &p->err), KS_OK);
}

static void what_was_said_goes_before_what_was_configured(void **state)
{
	static const struct {
		const char *file, *line;
		enum ks_option id;
		unsigned times;
		const char *value;
	} cases[] = {
		{ "set = full\n", "", KS_OPT_SET, 1, "full" },
		{ "set = full\n", "--set basic", KS_OPT_SET, 1, "basic" },
		{ "quiet = yes\n", "", KS_OPT_QUIET, 1, NULL },
		{ "quiet = no\n", "", KS_OPT_QUIET, 0, NULL },
		{ "progress = no\n", "", KS_OPT_NO_PROGRESS, 1, NULL },
		{ "progress = yes\n", "", KS_OPT_NO_PROGRESS, 0, NULL },
		{ "format = json\n", "", KS_OPT_FORMAT, 1, "json" },
		{ "format = json\n", "--csv", KS_OPT_FORMAT, 0, NULL },
		{ "format = json\n", "--launch-csv", KS_OPT_FORMAT, 0, NULL },
		{ "format = json\n", "--screen only", KS_OPT_FORMAT, 0, NULL },
		{ "format = json\n", "--packet -", KS_OPT_FORMAT, 0, NULL },
		{ "format = json\n", "--packet file", KS_OPT_FORMAT, 1, "json" },
		{ "screen = only\n", "--format json", KS_OPT_SCREEN, 0, NULL },
		{ "screen = only\n", "--packet -", KS_OPT_SCREEN, 0, NULL },
		{ "print-details = header\n", "--metrics ks__busy", KS_OPT_PRINT_DETAILS, 0, NULL },
		{ "print-details = header\n", "", KS_OPT_PRINT_DETAILS, 1, "header" },
		{ "set = full\n", "--help", KS_OPT_SET, 0, NULL },
		{ "not even right\n", "--version", KS_OPT_SET, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		struct place p;
		struct ks_opts o;

		setup(&p);
		given_file(&p, USER, cases[i].file);
		settled(&p, &o, cases[i].line);
		if (o.opt[cases[i].id].times != cases[i].times)
			fail_msg("%s with '%s': %u times", cases[i].file, cases[i].line,
				 o.opt[cases[i].id].times);
		if (cases[i].value != NULL)
			assert_string_equal(o.opt[cases[i].id].value, cases[i].value);
		teardown(&p);
	}
}

static void a_change_keeps_every_other_byte(void **state)
{
	static const struct {
		const char *before;
		enum ks_option id;
		const char *value; /* NULL: taken out */
		const char *after;
	} cases[] = {
		{ "", KS_OPT_SET, "full", "set = full\n" },
		{ "# mine\n", KS_OPT_SET, "full", "# mine\nset = full\n" },
		{ "# mine", KS_OPT_SET, "full", "# mine\nset = full\n" },
		{ "set=basic\npage = raw\n", KS_OPT_SET, "full", "set=full\npage = raw\n" },
		{ "  set  =  basic  ; why\r\n# end\n", KS_OPT_SET, "full",
		  "  set  =  full  ; why\r\n# end\n" },
		{ "set = basic\nset = detailed\n", KS_OPT_SET, "full",
		  "set = basic\nset = full\n" },
		{ "set = basic\npage = raw\nset = detailed", KS_OPT_SET, NULL, "page = raw\n" },
		{ "# set = basic\nset = full\n", KS_OPT_SET, NULL, "# set = basic\n" },
		{ "[a]\nset = full\n[b]\n", KS_OPT_SET, NULL, "[a]\n[b]\n" },
	};

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(cases); i++) {
		char path[2 * PATH_MAX];
		struct ks_buf after;
		struct place p;

		setup(&p);
		(void)snprintf(path, sizeof(path), "%s/home/" USER, p.root);
		given_file(&p, USER, cases[i].before);
		assert_int_equal(ks_config_edit(&p.app,
						&(struct ks_config_change){ path, true, cases[i].id,
									    cases[i].value },
						&p.err),
				 KS_OK);
		ks_buf_init(&after, 4096);
		assert_int_equal(ks_io_read_file(path, &after, NULL), KS_OK);
		assert_string_equal(ks_buf_text(&after), cases[i].after);
		ks_buf_release(&after);
		teardown(&p);
	}
}

static void a_change_that_cannot_be_read_back_is_refused(void **state)
{
	static const char *const values[] = { "a\nb", " a", "a ", "a ;b", ";", "a\tb\t;" };
	char path[2 * PATH_MAX];
	struct place p;

	(void)state;
	setup(&p);
	(void)snprintf(path, sizeof(path), "%s/home/" USER, p.root);
	for (size_t i = 0; i < KS_ARRAY_LEN(values); i++) {
		struct ks_err err;

		ks_err_init(&err);
		assert_int_equal(ks_config_edit(&p.app,
						&(struct ks_config_change){
							path, true, KS_OPT_FORMAT, values[i] },
						&err),
				 KS_E_USAGE);
		assert_int_equal(err.text, KS_TEXT_ERR_CONFIG_VALUE);
	}
	assert_int_not_equal(access(path, F_OK), 0);
	given_file(&p, USER, "nonsense\n");
	assert_int_equal(
		ks_config_edit(&p.app, &(struct ks_config_change){ path, true, KS_OPT_SET, "full" },
			       &p.err),
		KS_E_USAGE);
	assert_int_equal(p.err.text, KS_TEXT_ERR_CONFIG_LINE);
	teardown(&p);
}

/* Site and taste have keys; what names an input, an output or a program has none. */
static void no_key_names_a_file_or_a_program(void **state)
{
	unsigned keys = 0;

	(void)state;
	for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++) {
		const struct ks_option_info *o = ks_option_info((enum ks_option)i);
		const char *near = NULL;

		if (o->config_key[0] == '\0')
			continue;
		keys++;
		assert_int_not_equal(o->arg, KS_ARG_FILE);
		assert_false(o->output);
		assert_int_equal(ks_config_key(ks_str_c(o->config_key), &near), i);
		if (o->arg != KS_ARG_NONE)
			assert_string_equal(o->config_key, o->name);
		else
			assert_true(strcmp(o->config_key, o->name) == 0 ||
				    (strncmp(o->name, "no-", 3) == 0 &&
				     strcmp(o->config_key, o->name + 3) == 0));
	}
	assert_true(keys >= 15);
}

int test_config(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_says_keys_and_values),
		cmocka_unit_test(a_fault_names_its_line),
		cmocka_unit_test(a_line_has_an_end),
		cmocka_unit_test(what_is_no_text_file_is_refused),
		cmocka_unit_test(only_the_users_file_may_be_a_link),
		cmocka_unit_test(the_nearer_one_wins),
		cmocka_unit_test(a_projects_file_is_the_nearest_up_to_its_top),
		cmocka_unit_test(a_project_may_not_silence_its_user),
		cmocka_unit_test(variables_are_checked_and_empty_ones_are_unset),
		cmocka_unit_test(no_color_goes_before_a_file),
		cmocka_unit_test(what_was_said_goes_before_what_was_configured),
		cmocka_unit_test(a_change_keeps_every_other_byte),
		cmocka_unit_test(a_change_that_cannot_be_read_back_is_refused),
		cmocka_unit_test(no_key_names_a_file_or_a_program),
	};

	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
