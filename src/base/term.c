/* SPDX-License-Identifier: Apache-2.0
 *
 * What the terminal can do, and text in columns. Changes no terminal setting and waits for no
 * answer.
 */
#include "base/term.h"

#include <strings.h>
#include <sys/ioctl.h>

#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

#define DEFAULT_COLS 80
#define DEFAULT_ROWS 24
#define MOST_CELLS   10000 /* a wider or higher answer is no terminal */

/* A size from the environment; `other` when it is not a sensible number. */
static int env_size(const char *text, int other)
{
	int64_t v;

	if (ks_num_parse_i64(ks_str_c(text), &v) && v > 0 && v <= MOST_CELLS)
		return (int)v;
	return other;
}

static bool is_set(const char *text)
{
	return text && text[0] != '\0';
}

static bool is_capable(const char *(*env)(const char *))
{
	const char *name = env("TERM");

	return is_set(name) && strcmp(name, "dumb") != 0;
}

bool ks_term_can_erase(int fd, const char *(*env)(const char *))
{
	return fd >= 0 && isatty(fd) && is_capable(env);
}

static bool wants_color(bool is_tty, enum ks_color_mode mode, const char *(*env)(const char *))
{
	if (mode != KS_COLOR_AUTO)
		return mode == KS_COLOR_ALWAYS;
	if (is_set(env("NO_COLOR")))
		return false;

	const char *force = env("CLICOLOR_FORCE");

	if (is_set(force) && strcmp(force, "0") != 0)
		return true;
	return is_tty && is_capable(env);
}

static const char *const order[] = { "LC_ALL", "LC_CTYPE", "LANG" }; /* POSIX: first one set wins */

static bool names_utf8(const char *(*env)(const char *))
{
	for (size_t i = 0; i < KS_ARRAY_LEN(order); i++) {
		const char *value = env(order[i]);

		if (is_set(value))
			return strcasestr(value, "UTF-8") || strcasestr(value, "UTF8");
	}
	return false;
}

void ks_term_probe(struct ks_term *t, int fd, enum ks_color_mode mode,
		   const char *(*env)(const char *))
{
	struct winsize size = { 0 };

	t->is_tty = fd >= 0 && isatty(fd);
	if (t->is_tty)
		(void)ioctl(fd, TIOCGWINSZ, &size);
	t->cols = env_size(env("COLUMNS"), size.ws_col > 0 ? size.ws_col : DEFAULT_COLS);
	t->rows = env_size(env("LINES"), size.ws_row > 0 ? size.ws_row : DEFAULT_ROWS);
	t->color = wants_color(t->is_tty, mode, env);
	t->utf8 = names_utf8(env);
}

/* SGR parameters, ECMA-48 8.3.117; only the eight colours every terminal has. */
static const char *const styles[] = {
	[KS_STYLE_PLAIN] = "\033[0m",	[KS_STYLE_BOLD] = "\033[1m",  [KS_STYLE_DIM] = "\033[2m",
	[KS_STYLE_GOOD] = "\033[32m",	[KS_STYLE_WARN] = "\033[33m", [KS_STYLE_BAD] = "\033[31m",
	[KS_STYLE_ACCENT] = "\033[36m",
};

void ks_term_style(const struct ks_term *t, struct ks_out *out, enum ks_style style)
{
	if (t->color)
		ks_out_cstr(out, styles[style]);
}

static void put_out(void *arg, const char *p, size_t n)
{
	ks_out_write(arg, p, n);
}

void ks_term_text(struct ks_out *out, ks_str s)
{
	ks_utf8_visible(s, put_out, out);
}

static void put_blanks(struct ks_out *out, size_t n)
{
	while (n-- > 0)
		ks_out_ch(out, ' ');
}

void ks_term_cell(const struct ks_term *t, struct ks_out *out, ks_str s, size_t cols,
		  bool align_right)
{
	const ks_str dots = t->utf8 ? KS_LIT("\xE2\x80\xA6") : KS_LIT("...");
	const size_t dots_cols = t->utf8 ? 1 : 3;
	const bool cut = ks_utf8_prefix_columns(s, cols) < s.n;
	const bool marked = cut && cols > dots_cols;

	if (cut)
		s.n = ks_utf8_prefix_columns(s, marked ? cols - dots_cols : cols);

	const size_t used = ks_utf8_columns(s) + (marked ? dots_cols : 0);

	if (align_right)
		put_blanks(out, cols - used);
	ks_term_text(out, s);
	if (marked)
		ks_out_str(out, dots);
	if (!align_right)
		put_blanks(out, cols - used);
}
