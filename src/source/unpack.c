/* SPDX-License-Identifier: Apache-2.0
 *
 * Compressed parts of fatbins: LZ4 blocks and Zstandard frames, by the libraries of that name where
 * this machine has them. The one file that knows these libraries; they are never linked.
 */
#include "source/cubin_internal.h"

#include <limits.h>

/* lz4.h: int LZ4_decompress_safe(const char *src, char *dst, int compressedSize, int dstCapacity):
 * the bytes written, negative where the block is not one. zstd.h: size_t ZSTD_decompress(void *dst,
 * size_t dstCapacity, const void *src, size_t compressedSize): the bytes written, or the negative
 * of an error code; 64 is that of no memory (zstd_errors.h). */
typedef int lz4_fn(const char *, char *, int, int);
typedef size_t zstd_fn(void *, size_t, const void *, size_t);

enum { LZ4, ZSTD };
enum { ZSTD_NO_MEMORY = 64 };

void ks_unpacker_init(struct ks_unpacker *u)
{
	*u = (struct ks_unpacker){ .name = { "liblz4.so.1", "libzstd.so.1" } };
}

void ks_unpacker_release(struct ks_unpacker *u)
{
	ks_dl_close(&u->dl[LZ4]);
	ks_dl_close(&u->dl[ZSTD]);
}

static ks_dl_fn *load(struct ks_unpacker *u, int which, const char *symbol)
{
	char why[256] = "";

	if (u->dl[which].handle == NULL &&
	    !ks_dl_open(&u->dl[which], u->name[which], why, sizeof(why))) {
		u->no_memory |= ks_dl_no_memory(why);
		return NULL;
	}
	return ks_dl_find(&u->dl[which], symbol);
}

static enum ks_code_fate unpack_lz4(struct ks_unpacker *u, struct ks_bytes packed,
				    unsigned char *plain, size_t n)
{
	lz4_fn *decompress = (lz4_fn *)load(u, LZ4, "LZ4_decompress_safe");

	if (decompress == NULL)
		return KS_CODE_NO_UNPACKER;
	if (packed.n > INT_MAX || n > INT_MAX)
		return KS_CODE_TOO_LARGE;
	const int got = decompress((const char *)packed.p, (char *)plain, (int)packed.n, (int)n);

	return got >= 0 && (size_t)got == n ? KS_CODE_READ : KS_CODE_DAMAGED;
}

enum ks_code_fate ks_unpack(struct ks_unpacker *u, enum ks_code_packing packing,
			    struct ks_bytes packed, unsigned char *plain, size_t n)
{
	if (packing == KS_CODE_LZ4)
		return unpack_lz4(u, packed, plain, n);
	zstd_fn *decompress = (zstd_fn *)load(u, ZSTD, "ZSTD_decompress");

	if (decompress == NULL)
		return KS_CODE_NO_UNPACKER;
	const size_t got = decompress(plain, n, packed.p, packed.n);

	u->no_memory |= got == (size_t)-ZSTD_NO_MEMORY;
	return got == n ? KS_CODE_READ : KS_CODE_DAMAGED;
}
