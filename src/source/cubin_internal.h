/* SPDX-License-Identifier: Apache-2.0
 *
 * Between the files of the reader of device code only: bytes that are read within bounds, one
 * cubin, one container, and the unpackers.
 */
#ifndef KS_SOURCE_CUBIN_INTERNAL_H
#define KS_SOURCE_CUBIN_INTERNAL_H

#include "base/dl.h"
#include "base/io.h"
#include "source/cubin.h"

/* A file, or bytes in memory where `bytes` is set. */
struct ks_code_input {
	const struct ks_io *io;
	int fd;
	const unsigned char *bytes;
	uint64_t size;
	int err_no; /* of the first read that the system refused; 0 */
};
/* False when the range is not inside, or cannot be read. */
bool ks_code_get(struct ks_code_input *in, uint64_t at, void *to, size_t n);

struct ks_bytes {
	const unsigned char *p;
	size_t n;
};
static inline uint64_t ks_le(const unsigned char *p, size_t bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

/* unpack.c. Libraries are loaded when the first member needs them. */
struct ks_unpacker {
	const char *name[2]; /* of LZ4 and Zstandard: sonames; a test puts others here */
	struct ks_dl dl[2];
	bool no_memory; /* and so nothing is said about the library or the part */
};
void ks_unpacker_init(struct ks_unpacker *u);
void ks_unpacker_release(struct ks_unpacker *u);
enum ks_code_fate ks_unpack(struct ks_unpacker *u, enum ks_code_packing packing,
			    struct ks_bytes packed, unsigned char *plain, size_t n);

struct ks_code_reader {
	const struct ks_ctx *ctx;
	struct ks_code *code;
	size_t file; /* index of the one that is read */
	struct ks_unpacker unpacker;
	uint64_t plain_left; /* bytes that its members may still unpack to */
	bool no_memory;
};

/* cubin_elf.c: the functions of one cubin are added to the code. DAMAGED: none was. Without memory
 * the reader says so. */
bool ks_cubin_is(struct ks_bytes elf);
enum ks_code_fate ks_cubin_elf(struct ks_code_reader *r, struct ks_bytes elf,
			       struct ks_code_member *m);
/* Appends to the list of members; false: no memory, or more than any file has. */
bool ks_code_member_add(struct ks_code_reader *r, const struct ks_code_member *m);

/* fatbin.c: containers one behind another in [from, from + n). False when it is torn. */
#define KS_FATBIN_MAGIC UINT32_C(0xba55ed50)
bool ks_fatbin_read(struct ks_code_reader *r, struct ks_code_input *in, uint64_t from, uint64_t n);

#endif
