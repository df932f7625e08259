/* SPDX-License-Identifier: Apache-2.0
 *
 * The text for people and the choice of its language. Escapes nothing: that is the sink's part.
 */
#include "tables/tables.h"
#include "tables/find.h"

static const char *const texts[KS_TEXT_COUNT][KS_LANG_COUNT] = { [KS_TEXT_NONE] = { "", "" },
#define KS_TEXT(id, en, zh) [KS_TEXT_##id] = { en, zh },
								 KS_TEXT(LITERAL, "{0}", "{0}")
#include "tables/text.def"
#undef KS_TEXT
};

const char *ks_text_get(enum ks_text id, enum ks_lang lang)
{
	return texts[(unsigned)id < KS_TEXT_COUNT ? id : KS_TEXT_NONE][lang == KS_LANG_ZH];
}

/* Length of a placeholder {digits} at the front of `s`, and its number; 0 if there is none. */
static size_t placeholder(const char *s, unsigned *number)
{
	size_t i = 1;

	*number = 0;
	if (s[0] != '{')
		return 0;
	for (; s[i] >= '0' && s[i] <= '9' && i < 4; i++)
		*number = *number * 10 + (unsigned)(s[i] - '0');
	return i > 1 && s[i] == '}' ? i + 1 : 0;
}

void ks_text_fmt(struct ks_buf *out, enum ks_lang lang, enum ks_text id, unsigned n,
		 const ks_str *arg)
{
	const char *s = ks_text_get(id, lang);

	while (*s) {
		const size_t plain = strcspn(s, "{");
		unsigned number;

		ks_buf_add(out, s, plain);
		s += plain;
		const size_t len = placeholder(s, &number);

		if (len && number < n)
			ks_buf_str(out, arg[number]);
		else if (!len && *s)
			ks_buf_ch(out, *s);
		s += len ? len : (*s != '\0');
	}
}

void ks_msg_fmt(struct ks_buf *out, enum ks_lang lang, const struct ks_msg *m)
{
	ks_text_fmt(out, lang, m->id, m->n, m->arg);
}

static const char *const lang_codes[KS_LANG_COUNT] = {
#define KS_LANG(id, code, name) [KS_LANG_##id] = (code),
#include "tables/langs.def"
#undef KS_LANG
};

static char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The language of a locale name: the letters before _ . @ or -. "C" and "POSIX" are English. */
bool ks_lang_parse(ks_str word, enum ks_lang *lang)
{
	char code[8] = { 0 };
	size_t n = 0;

	while (n < word.n && !memchr("_.@-", word.p[n], 4)) {
		if (n + 1 >= sizeof(code))
			return false;
		code[n] = ascii_lower(word.p[n]);
		n++;
	}
	for (unsigned i = 0; i < KS_LANG_COUNT; i++) {
		if (!strcmp(code, lang_codes[i])) {
			*lang = (enum ks_lang)i;
			return true;
		}
	}
	if (strcmp(code, "c") != 0 && strcmp(code, "posix") != 0)
		return false;
	*lang = KS_LANG_EN;
	return true;
}

/* As in POSIX the first variable that is set decides, even when we do not have its language; our
 * own variable and the option are skipped when they name none. */
enum ks_lang ks_lang_pick(const char *option, const char *(*env)(const char *name))
{
	static const char *const locale[] = { "LC_ALL", "LC_MESSAGES", "LANG" };
	const char *own = env ? env("KERNOSCOPE_LANG") : NULL;
	enum ks_lang lang = KS_LANG_EN;

	if (option && ks_lang_parse((ks_str){ option, strlen(option) }, &lang))
		return lang;
	if (own && ks_lang_parse((ks_str){ own, strlen(own) }, &lang))
		return lang;
	for (size_t i = 0; env && i < KS_ARRAY_LEN(locale); i++) {
		const char *value = env(locale[i]);

		if (!value || !*value)
			continue;
		return ks_lang_parse((ks_str){ value, strlen(value) }, &lang) ? lang : KS_LANG_EN;
	}
	return KS_LANG_EN;
}
