/* SPDX-License-Identifier: Apache-2.0
 *
 * POSIX shell quoting.
 */
#include "cmd/shell.h"

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
