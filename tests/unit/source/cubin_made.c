/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds cubins and fatbins byte by byte.
 */
#include "cubin_made.h"

#include <stdlib.h>

enum { SECTIONS = 16 };

void made_le(struct made *m, size_t at, uint64_t v, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		m->p[at + i] = (unsigned char)(v >> 8 * i);
}

size_t made_put(struct made *m, const void *p, size_t n)
{
	const size_t at = m->n;

	if (n > 0 && p != NULL)
		memcpy(m->p + m->n, p, n);
	m->n += n;
	return at;
}

struct section {
	const char *name;
	uint64_t type, flags, size, link, info;
	const void *bytes;
};

/* Sections are laid out in order; names last, so that their offsets are known. */
static void lay_out(struct made *m, const struct section *s, size_t n)
{
	size_t at[SECTIONS], names[SECTIONS];

	m->n = 64;
	for (size_t i = 0; i < n; i++) {
		at[i] = m->n;
		if (s[i].type != 8)
			(void)made_put(m, s[i].bytes, s[i].size);
	}
	const size_t strings = m->n;

	(void)made_put(m, "", 1);
	for (size_t i = 0; i < n; i++)
		names[i] = made_put(m, s[i].name, strlen(s[i].name) + 1) - strings;
	const size_t own = made_put(m, ".shstrtab", 10) - strings, size = m->n - strings;

	m->n = (m->n + 7) / 8 * 8;
	const size_t headers = m->n;

	m->n += 64 * (n + 2);
	for (size_t i = 0; i < n; i++) {
		const size_t h = headers + 64 * (i + 1);

		made_le(m, h, names[i], 4);
		made_le(m, h + 4, s[i].type, 4);
		made_le(m, h + 8, s[i].flags, 8);
		made_le(m, h + 24, at[i], 8);
		made_le(m, h + 32, s[i].size, 8);
		made_le(m, h + 40, s[i].link, 4);
		made_le(m, h + 44, s[i].info, 4);
	}
	const size_t h = headers + 64 * (n + 1);

	made_le(m, h, own, 4);
	made_le(m, h + 4, 3, 4);
	made_le(m, h + 24, strings, 8);
	made_le(m, h + 32, size, 8);
	made_le(m, 40, headers, 8);
	made_le(m, 58, 64, 2);
	made_le(m, 60, n + 2, 2);
	made_le(m, 62, n + 1, 2);
	m->sections = headers;
}

/* A kernel "k" and a device function "d", with everything the contract names. */
void made_cubin(struct made *m, bool old)
{
	static const unsigned char own_info[] = { 4, 0x37, 4, 0, 1, 2, 3, 4, 2, 0x4c, 7, 0 };
	static const char strings[] = "\0k\0d";
	unsigned char symbols[3 * 24] = { 0 };
	unsigned char info[3 * 12];
	static const unsigned char code[256];

	*m = (struct made){ .n = 0 };
	for (size_t i = 1; i < 3; i++) {
		symbols[24 * i] = i == 1 ? 1 : 3;
		symbols[24 * i + 4] = 0x12;		 /* a global function */
		symbols[24 * i + 5] = i == 1 ? 0x10 : 0; /* the first is a kernel */
	}
	for (size_t i = 0; i < 3; i++) {
		static const unsigned char attribute[] = { 0x2f, 0x12, 0x23 };
		static const unsigned char v[] = { 40, 16, 24 };
		const unsigned char one[12] = { 4, attribute[i], 8, 0, 1, 0, 0, 0, v[i], 0, 0, 0 };

		memcpy(info + 12 * i, one, 12);
	}
	const struct section s[] = {
		{ ".strtab", 3, 0, sizeof(strings), 0, 0, strings },
		{ ".symtab", 2, 0, sizeof(symbols), 1, 0, symbols },
		{ ".nv.info", 0x70000000, 0, sizeof(info), 2, 0, info },
		{ ".nv.info.k", 0x70000000, 0, old ? 8 : 12, 2, 5, own_info },
		{ ".text.k", 1, old ? 3u << 20 | 6 : 6, 256, 2, old ? 38u << 24 | 1 : 1, code },
		{ ".text.d", 1, 6, 128, 2, old ? 24u << 24 | 2 : 2, code },
		{ ".nv.shared.k", 8, 3, 2048, 0, 5, NULL },
		{ ".nv.local.k", 8, 3, 96, 0, 5, NULL },
		{ ".nv.constant0.k", 1, 2, 64, 0, 5, code },
		{ old ? ".other" : ".nv.shared.reserved.0", 8, 3, 64, 0, 0, NULL },
	};

	lay_out(m, s, KS_ARRAY_LEN(s));
	static const unsigned char ident[] = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };

	memcpy(m->p, ident, sizeof(ident));
	m->p[7] = old ? 51 : 65;
	m->p[8] = old ? 7 : 8;
	made_le(m, 16, 2, 2);
	made_le(m, 18, 190, 2);
	made_le(m, 48, old ? 0x560556 : 0x6005a02, 4);
}

void made_container(struct made *m, const struct made_member *member, size_t n)
{
	const size_t start = m->n;

	m->n += 16;
	for (size_t i = 0; i < n; i++) {
		const size_t h = m->n;

		m->n += 64;
		made_le(m, h, member[i].kind, 2);
		made_le(m, h + 4, 64, 4);
		made_le(m, h + 8, member[i].n, 8);
		made_le(m, h + 16, member[i].plain > 0 ? member[i].n : 0, 4);
		made_le(m, h + 28, member[i].arch, 4);
		made_le(m, h + 40, member[i].flags, 8);
		made_le(m, h + 56, member[i].plain, 8);
		(void)made_put(m, member[i].p, member[i].n);
	}
	made_le(m, start, 0xba55ed50, 4);
	made_le(m, start + 4, 1, 2);
	made_le(m, start + 6, 16, 2);
	made_le(m, start + 8, m->n - start - 16, 8);
}
