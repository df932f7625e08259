/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes of paths, addresses and ids, tried one after the other at every place where one may begin.
 * Replaces, never judges: what looks like an address is one.
 */
#include "base/scrub.h"

#include "base/str.h"

enum { UUID_LEN = 36, UUID_BARE = 32, MAC_LEN = 17, PCI_TAIL = 8 };

/* --- characters ----------------------------------------------------------------------------------
 */

static char at_of(ks_str s, size_t i)
{
	return i < s.n ? s.p[i] : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

static bool is_wide(char c) /* a byte of a character beyond ASCII */
{
	return ((unsigned char)c & 0x80) != 0;
}

static bool among(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static size_t run(ks_str s, size_t at, bool (*fits)(char))
{
	size_t n = 0;

	while (at + n < s.n && fits(s.p[at + n]))
		n++;
	return n;
}

static bool starts_word(ks_str s, size_t at)
{
	return at == 0 || !is_word(s.p[at - 1]);
}

static bool ends_word(ks_str s, size_t end)
{
	return end >= s.n || !is_word(s.p[end]);
}

/* A text that is looked through from its front to its end, and where the runs that were looked at
 * last end: in one of 16 MiB every letter of "a.a.a" may begin an address of the same rest. */
struct text {
	ks_str s;
	size_t scheme_end, mail_end;
};

/* Where the run that `at` is in ends. */
static size_t run_end(ks_str s, size_t at, bool (*fits)(char), size_t *known)
{
	if (at >= *known)
		*known = at + run(s, at, fits);
	return *known;
}

/* --- paths ---------------------------------------------------------------------------------------
 */

ks_str ks_scrub_ending(ks_str path)
{
	static const char *const known[] = {
		".sqlite", ".nsys-rep", ".qdrep",  ".ncu-rep",
		".json",   ".csv",	".txt",	   ".log",
		".md",	   ".html",	".svg",	   ".py",
		".ipynb",  ".cu",	".cuh",	   ".c",
		".cc",	   ".cpp",	".cxx",	   ".h",
		".hpp",	   ".f90",	".jl",	   ".rs",
		".go",	   ".so",	".a",	   ".o",
		".ptx",	   ".cubin",	".fatbin", ".dll",
		".exe",	   ".sh",	".yaml",   ".yml",
		".toml",   ".gz",	".zip",	   ".db",
		".folded", ".xml",	".toml",   ".perfetto-trace",
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(known); i++) {
		if (path.n > strlen(known[i]) && ks_str_ends(path, known[i]))
			return ks_str_c(known[i]);
	}
	/* libx.so.1.2 */
	for (size_t i = 1; i + 4 <= path.n; i++) {
		if (memcmp(path.p + i, ".so.", 4) == 0)
			return KS_LIT(".so");
	}
	return KS_LIT("");
}

static bool is_path_char(char c)
{
	return is_wide(c) || is_word(c) || among(c, "/\\.-+@%~=,#$!&*?^");
}

/* To the end of the word that `at` is in: escaped blanks belong to it, a comma or a full stop at
 * the end does not. */
static size_t path_word(ks_str s, size_t at)
{
	size_t end = at;

	while (end < s.n) {
		if (s.p[end] == '\\' && at_of(s, end + 1) == ' ')
			end += 2;
		else if (is_path_char(s.p[end]))
			end++;
		else
			break;
	}
	while (end > at && among(s.p[end - 1], ".,!?"))
		end--;
	return end;
}

/* A name with blanks goes on: "/srv/a/My Files/run" is told by the slash in its second word. */
static size_t further_words(ks_str s, size_t end)
{
	while (at_of(s, end) == ' ' && end + 1 < s.n) {
		const size_t next = path_word(s, end + 1);
		bool inside = false;

		for (size_t i = end + 2; i < next; i++)
			inside = inside || s.p[i] == '/' || s.p[i] == '\\';
		if (!inside || among(s.p[end + 1], "/~-"))
			break;
		end = next;
	}
	return end;
}

static size_t whole_path(ks_str s, size_t at)
{
	const char before = at > 0 ? s.p[at - 1] : '\0';

	if (before == '"' || before == '\'') { /* up to the other quote, whatever is between */
		for (size_t i = at; i < s.n; i++) {
			if (s.p[i] == before)
				return i - at;
		}
	}
	return further_words(s, path_word(s, at)) - at;
}

/* What a path may stand behind. "-I/usr/include" and "name:/x" count; "a/b" and "op/(" do not. */
static bool before_path(ks_str s, size_t at)
{
	if (at == 0 || is_blank(s.p[at - 1]) || is_wide(s.p[at - 1]) ||
	    among(s.p[at - 1], "\"'`=:([{,;|<@!&>"))
		return true;
	return at >= 2 && is_letter(s.p[at - 1]) && s.p[at - 2] == '-' &&
	       (at == 2 || is_blank(s.p[at - 3]));
}

static bool is_name_start(char c)
{
	return is_wide(c) || is_word(c) || among(c, ".-~+@%$");
}

static bool is_home(ks_str s, size_t at)
{
	static const char *const home[] = { "/home/", "/Users/", "\\Users\\" };
	const ks_str rest = { s.p + at, s.n - at };

	for (size_t i = 0; i < KS_ARRAY_LEN(home); i++) {
		if (ks_str_starts(rest, home[i]))
			return true;
	}
	return false;
}

/* "./x", "../x", "~/x", "~user/x" */
static bool is_near(ks_str s, size_t at)
{
	if (s.p[at] == '~')
		return at_of(s, at + 1 + run(s, at + 1, is_word)) == '/';
	if (s.p[at] != '.')
		return false;
	return at_of(s, at + 1) == '/' || (at_of(s, at + 1) == '.' && at_of(s, at + 2) == '/');
}

/* "/x", "//host/x", "\\\\host\\x" */
static bool is_absolute(ks_str s, size_t at)
{
	const char next = at_of(s, at + 1);
	const bool twice = next == s.p[at] && is_name_start(at_of(s, at + 2));

	return s.p[at] == '\\' ? twice : s.p[at] == '/' && (twice || is_name_start(next));
}

/* "C:\\x", "C:/x", but not "a://x" */
static bool is_drive(ks_str s, size_t at)
{
	const char sign = at_of(s, at + 2);

	return is_letter(s.p[at]) && at_of(s, at + 1) == ':' &&
	       (sign == '\\' || (sign == '/' && at_of(s, at + 3) != '/'));
}

static size_t find_path(struct text *t, size_t at)
{
	const ks_str s = t->s;

	if (is_home(s, at))
		return whole_path(s, at);
	if (!before_path(s, at))
		return 0;
	if (is_near(s, at) || is_absolute(s, at))
		return whole_path(s, at);
	return is_drive(s, at) ? whole_path(s, at + 2) + 2 : 0;
}

/* --- addresses -----------------------------------------------------------------------------------
 */

static bool is_scheme_char(char c)
{
	return is_letter(c) || is_digit(c) || among(c, "+.-");
}

static size_t find_url(struct text *t, size_t at)
{
	const ks_str s = t->s;

	if (!starts_word(s, at) || !is_letter(s.p[at]))
		return 0;
	size_t end = run_end(s, at, is_scheme_char, &t->scheme_end);

	if (end + 3 >= s.n || memcmp(s.p + end, "://", 3) != 0)
		return 0;
	while (end < s.n && !is_blank(s.p[end]) && !among(s.p[end], "\"'<>`"))
		end++;
	while (among(s.p[end - 1], ".,;)"))
		end--;
	return end - at;
}

static bool is_mail_char(char c)
{
	return is_word(c) || among(c, ".%+-");
}

static bool is_host_char(char c)
{
	return is_letter(c) || is_digit(c) || among(c, ".-");
}

/* name@host, but not memcpy@GLIBC_2.14 and call@plt. */
static size_t find_mail(struct text *t, size_t at)
{
	const ks_str s = t->s;

	if (!starts_word(s, at) || !is_word(s.p[at]))
		return 0;
	const size_t sign = run_end(s, at, is_mail_char, &t->mail_end);

	if (at_of(s, sign) != '@')
		return 0;
	size_t host = run(s, sign + 1, is_host_char);

	while (host > 0 && among(s.p[sign + host], ".-"))
		host--;
	const ks_str rest = { s.p + sign + 1, host };

	if (host < 2 || !is_letter(rest.p[0]) || at_of(s, sign + 1 + host) == '_' ||
	    ks_str_eqc(rest, "plt") || ks_str_eqc(rest, "got") || ks_str_eqc(rest, "GLIBC"))
		return 0;
	return sign - at + 1 + host;
}

static size_t find_ipv4(struct text *t, size_t at)
{
	const ks_str s = t->s;
	size_t end = at;

	if (!starts_word(s, at) || (at > 0 && s.p[at - 1] == '.'))
		return 0;
	for (int part = 0; part < 4; part++) {
		const size_t n = run(s, end, is_digit);
		unsigned value = 0;

		for (size_t i = 0; i < n && i < 4; i++)
			value = value * 10 + (unsigned)(s.p[end + i] - '0');
		if (n == 0 || n > 3 || value > 255)
			return 0;
		end += n;
		if (part < 3 && at_of(s, end++) != '.')
			return 0;
	}
	if (!ends_word(s, end) || (at_of(s, end) == '.' && is_digit(at_of(s, end + 1))))
		return 0;
	return end - at;
}

struct groups { /* of an address of hexadecimal digits between colons */
	size_t n, colons, digit_first, decimal_pairs;
	bool gap; /* "::" */
};

/* C++ has colons and letters a to f too: groups that begin with a digit tell them apart, since no
 * name does, and so does their number. Three pairs of digits are a time of day. */
static bool is_ipv6(const struct groups *g, ks_str first)
{
	if (g->colons < 2 || g->colons > 7 || (!g->gap && g->n != 8))
		return false;
	if (g->n == 3 && g->decimal_pairs == 3)
		return false;
	return g->digit_first > 0 || g->n >= 4 || ks_str_eqc(first, "fe80");
}

static size_t find_ipv6(struct text *t, size_t at)
{
	const ks_str s = t->s;
	struct groups g = { 0 };
	size_t end = at;

	if (!starts_word(s, at) || (at > 0 && s.p[at - 1] == ':'))
		return 0;
	const size_t first = run(s, at, is_hex);

	for (;;) {
		const size_t n = run(s, end, is_hex);

		if (n > 4)
			return 0;
		g.n += n > 0;
		g.digit_first += n > 0 && is_digit(s.p[end]);
		g.decimal_pairs += n == 2 && is_digit(s.p[end]) && is_digit(s.p[end + 1]);
		end += n;
		if (at_of(s, end) != ':')
			break;
		g.gap = g.gap || at_of(s, end + 1) == ':';
		g.colons++;
		end++;
	}
	if (end > at && s.p[end - 1] == ':' && !(end > at + 1 && s.p[end - 2] == ':'))
		end--; /* "address: it" */
	return g.n > 0 && ends_word(s, end) && is_ipv6(&g, (ks_str){ s.p + at, first }) ? end - at
											: 0;
}

static size_t find_mac(struct text *t, size_t at)
{
	const ks_str s = t->s;
	const char sign = at_of(s, at + 2);

	if (!starts_word(s, at) || (sign != ':' && sign != '-') || at + MAC_LEN > s.n)
		return 0;
	for (size_t i = 0; i < MAC_LEN; i++) {
		if (i % 3 == 2 ? s.p[at + i] != sign : !is_hex(s.p[at + i]))
			return 0;
	}
	return ends_word(s, at + MAC_LEN) && at_of(s, at + MAC_LEN) != sign ? MAC_LEN : 0;
}

/* --- ids -----------------------------------------------------------------------------------------
 */

static size_t find_uuid(struct text *t, size_t at)
{
	const ks_str s = t->s;
	const size_t plain = starts_word(s, at) ? run(s, at, is_hex) : 0;

	if (plain == UUID_BARE)
		return ends_word(s, at + plain) ? plain : 0;
	if (plain != 8 || at + UUID_LEN > s.n)
		return 0;
	for (size_t i = 0; i < UUID_LEN; i++) {
		const bool sign = i == 8 || i == 13 || i == 18 || i == 23;

		if (sign ? s.p[at + i] != '-' : !is_hex(s.p[at + i]))
			return 0;
	}
	return ends_word(s, at + UUID_LEN) ? UUID_LEN : 0;
}

/* 0000:3b:00.0, 00000000:3B:00.0 */
static size_t find_pci(struct text *t, size_t at)
{
	const ks_str s = t->s;
	const size_t domain = starts_word(s, at) ? run(s, at, is_hex) : 0;
	const size_t tail = at + domain;

	if ((domain != 4 && domain != 8) || tail + PCI_TAIL > s.n)
		return 0;
	for (size_t i = 0; i < PCI_TAIL; i++) {
		static const char form[] = ":xx:xx.x";
		const char c = s.p[tail + i];

		if (form[i] == 'x' ? !is_hex(c) : c != form[i])
			return 0;
	}
	return ends_word(s, tail + PCI_TAIL) ? domain + PCI_TAIL : 0;
}

/* --- all of them ---------------------------------------------------------------------------------
 */

static const struct {
	size_t (*find)(struct text *t, size_t at);
	const char *to;
	bool keeps_ending;
} shapes[] = {
	{ find_url, "<url>", false },	   { find_mail, "<mail>", false },
	{ find_path, "<path>", true },	   { find_uuid, "<uuid>", false },
	{ find_pci, "<pci>", false },	   { find_mac, "<address>", false },
	{ find_ipv6, "<address>", false }, { find_ipv4, "<address>", false },
};

/* "<path>" of an earlier pass: its letters are no name. */
static size_t placeholder(ks_str s, size_t at)
{
	const ks_str rest = { s.p + at, s.n - at };

	for (size_t i = 0; i < KS_ARRAY_LEN(shapes); i++) {
		if (ks_str_starts(rest, shapes[i].to))
			return strlen(shapes[i].to);
	}
	return 0;
}

/* What is found at a place: how many bytes of the text, and what stands there instead. */
struct found {
	size_t n;
	ks_str to, ending;
};

static struct found find_shape(struct text *t, size_t at)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(shapes); i++) {
		const size_t n = shapes[i].find(t, at);

		if (n > 0)
			return (struct found){ n, ks_str_c(shapes[i].to),
					       shapes[i].keeps_ending
						       ? ks_scrub_ending((ks_str){ t->s.p + at, n })
						       : KS_STR_NONE };
	}
	return (struct found){ .n = 0 };
}

/* A word and a shape may begin at one place: the longer takes the other with it. */
static struct found find_at(struct text *t, size_t at, const struct ks_scrub_words *words)
{
	const ks_str s = t->s;
	struct found shape = find_shape(t, at), word = { .n = 0 };

	if (words != NULL && (starts_word(s, at) || !is_word(s.p[at])))
		word.n = words->find(words->self, (ks_str){ s.p + at, s.n - at }, &word.to);
	return word.n >= shape.n ? word : shape;
}

void ks_scrub(struct ks_buf *out, ks_str s, const struct ks_scrub_words *words)
{
	struct text t = { .s = s };
	size_t at = 0;

	while (at < s.n) {
		size_t n = s.p[at] == '<' ? placeholder(s, at) : 0;

		if (n > 0) {
			ks_buf_add(out, s.p + at, n);
			at += n;
			continue;
		}
		const struct found f = find_at(&t, at, words);

		n = f.n;
		ks_buf_str(out, f.to);
		ks_buf_str(out, f.ending);
		if (n == 0)
			ks_buf_ch(out, s.p[at]);
		at += n > 0 ? n : 1;
	}
}
