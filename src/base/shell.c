/* SPDX-License-Identifier: Apache-2.0
 *
 * POSIX shell quoting.
 */
#include "base/shell.h"

void ks_shell_word(struct ks_buf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_@%+=:,./-";

	if (b->n > 0)
		ks_buf_ch(b, ' ');
	if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
		ks_buf_cstr(b, word);
		return;
	}
	ks_buf_ch(b, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			ks_buf_cstr(b, "'\\''");
		else
			ks_buf_ch(b, *word);
	}
	ks_buf_ch(b, '\'');
}

ks_str ks_shell_quoted(struct ks_arena *a, ks_str word, size_t most)
{
	ks_str whole = ks_arena_dup(a, word), quoted = KS_STR_NONE;
	struct ks_buf b;

	if (word.n == 0 || word.n > most || strlen(whole.p) != word.n)
		return KS_STR_NONE;
	ks_buf_init(&b, 4 * most + 8);
	ks_shell_word(&b, whole.p);
	if (b.n <= most)
		quoted = ks_buf_keep(&b, a);
	ks_buf_release(&b);
	return quoted;
}
