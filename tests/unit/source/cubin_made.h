/* SPDX-License-Identifier: Apache-2.0
 *
 * Cubins and fatbins that a test makes of bytes it knows. Nothing of them comes from a compiler.
 */
#ifndef KS_TEST_CUBIN_MADE_H
#define KS_TEST_CUBIN_MADE_H

#include "all.h"

struct made {
	unsigned char p[16384];
	size_t n;
	size_t sections; /* where the section headers are */
};

void made_le(struct made *m, size_t at, uint64_t v, size_t bytes);
size_t made_put(struct made *m, const void *p, size_t n); /* where it was put */
/* A kernel k (40 registers, stack 24, shared 2048, local 96, constant 64; 3 barriers by the flags
 * where `old`, else 7 by an attribute) and a device function d. old: ABI version 7 for sm_86 with
 * registers beside the sections (38, 24); else version 8 for sm_90. */
void made_cubin(struct made *m, bool old);

struct made_member {
	unsigned kind, arch;
	uint64_t flags;
	const void *p;
	size_t n;
	uint64_t plain; /* unpacked size; 0: stored as it is */
};
void made_container(struct made *m, const struct made_member *member, size_t n);

#endif
