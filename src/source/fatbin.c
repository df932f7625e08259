/* SPDX-License-Identifier: Apache-2.0
 *
 * Fatbins: containers of device code for several architectures, one behind another. Members are
 * read one at a time, so that memory holds one of them. PTX is listed and never read: it has no
 * registers yet.
 */
#include "base/mem.h"
#include "source/cubin_internal.h"

/* Offsets and flags: contract 05 §4; the Zstandard bit was read off files of nvcc 13.0, whose
 * packed members begin with the magic of a Zstandard frame. */
enum { CONTAINER = 16, MEMBER = 64, PADDING = 4096 };
enum { KIND_PTX = 1, KIND_ELF = 2 };
#define FLAG_LZ4  UINT64_C(0x2000)
#define FLAG_ZSTD UINT64_C(0x8000)
#define ARCH_MAX  9999

struct member {
	struct ks_code_member listed;
	uint64_t at, stored, packed, plain; /* of the payload */
	bool packing_known;
};

static enum ks_code_kind kind_of(uint64_t kind)
{
	if (kind == KIND_ELF)
		return KS_CODE_ELF;
	return kind == KIND_PTX ? KS_CODE_PTX : KS_CODE_OTHER;
}

/* False when the header does not fit what is left of the container. */
static bool read_header(struct ks_code_input *in, uint64_t at, uint64_t end, struct member *m)
{
	unsigned char h[MEMBER];

	if (end - at < MEMBER || !ks_code_get(in, at, h, MEMBER))
		return false;
	const uint64_t header = ks_le(h + 4, 4), flags = ks_le(h + 40, 8), arch = ks_le(h + 28, 4);
	const bool lz4 = (flags & FLAG_LZ4) != 0, zstd = (flags & FLAG_ZSTD) != 0;

	m->stored = ks_le(h + 8, 8);
	if (header < MEMBER || header > end - at || m->stored > end - at - header)
		return false;
	m->at = at + header;
	m->packed = ks_le(h + 16, 4);
	m->plain = ks_le(h + 56, 8);
	m->packing_known = !(lz4 && zstd);
	m->listed = (struct ks_code_member){
		.kind = kind_of(ks_le(h, 2)),
		.packing = lz4	  ? KS_CODE_LZ4
			   : zstd ? KS_CODE_ZSTD
				  : KS_CODE_PLAIN,
		.arch = arch > 0 && arch <= ARCH_MAX ? (int64_t)arch : KS_UNKNOWN,
		.stored = m->stored,
	};
	return true;
}

static enum ks_code_fate unpack(struct ks_code_reader *r, const struct member *m,
				struct ks_bytes stored, struct ks_code_member *listed)
{
	if (m->packed == 0 || m->packed > stored.n)
		return KS_CODE_DAMAGED;
	if (m->plain > (uint64_t)ks_limit(KS_LIMIT_CODE_BYTES) || m->plain > r->plain_left)
		return KS_CODE_TOO_LARGE;
	r->plain_left -= m->plain;
	unsigned char *plain = ks_mem_alloc((size_t)m->plain + 1);

	if (plain == NULL) {
		r->no_memory = true;
		return KS_CODE_TOO_LARGE;
	}
	enum ks_code_fate fate = ks_unpack(&r->unpacker, listed->packing,
					   (struct ks_bytes){ stored.p, (size_t)m->packed }, plain,
					   (size_t)m->plain);

	if (fate == KS_CODE_READ)
		fate = ks_cubin_elf(r, (struct ks_bytes){ plain, (size_t)m->plain }, listed);
	ks_mem_free(plain);
	r->no_memory |= r->unpacker.no_memory;
	return fate;
}

static enum ks_code_fate read_payload(struct ks_code_reader *r, struct ks_code_input *in,
				      const struct member *m, struct ks_code_member *listed)
{
	if (m->listed.kind != KS_CODE_ELF)
		return KS_CODE_READ;
	if (!m->packing_known)
		return KS_CODE_NO_UNPACKER;
	if (m->stored > (uint64_t)ks_limit(KS_LIMIT_CODE_BYTES))
		return KS_CODE_TOO_LARGE;
	unsigned char *stored = ks_mem_alloc((size_t)m->stored + 1);
	enum ks_code_fate fate = KS_CODE_DAMAGED;

	if (stored == NULL) {
		r->no_memory = true;
		return KS_CODE_TOO_LARGE;
	}
	const struct ks_bytes all = { stored, (size_t)m->stored };

	if (ks_code_get(in, m->at, stored, all.n))
		fate = m->listed.packing == KS_CODE_PLAIN ? ks_cubin_elf(r, all, listed)
							  : unpack(r, m, all, listed);
	ks_mem_free(stored);
	return fate;
}

static bool read_members(struct ks_code_reader *r, struct ks_code_input *in, uint64_t at,
			 uint64_t end)
{
	struct member m;

	while (at < end && !r->no_memory) {
		if (!read_header(in, at, end, &m))
			return false;
		struct ks_code_member listed = m.listed;

		listed.file = r->file;
		listed.fate = read_payload(r, in, &m, &listed);
		if (in->err_no != 0 || r->no_memory || !ks_code_member_add(r, &listed))
			return false;
		at = m.at + m.stored;
	}
	return true;
}

/* Past the zeros between two containers; false when there are more of them than a linker puts. */
static bool skip_padding(struct ks_code_input *in, uint64_t *at, uint64_t end)
{
	unsigned char gap[PADDING];
	const size_t n = end - *at < PADDING ? (size_t)(end - *at) : PADDING;
	size_t i = 0;

	if (!ks_code_get(in, *at, gap, n))
		return false;
	while (i < n && gap[i] == 0)
		i++;
	*at += i;
	return i < PADDING;
}

bool ks_fatbin_read(struct ks_code_reader *r, struct ks_code_input *in, uint64_t from, uint64_t n)
{
	if (from > in->size || n > in->size - from)
		return false;
	const uint64_t end = from + n;

	for (uint64_t at = from; skip_padding(in, &at, end);) {
		unsigned char h[CONTAINER];

		if (at == end)
			return true;
		if (end - at < CONTAINER || !ks_code_get(in, at, h, CONTAINER) ||
		    ks_le(h, 4) != KS_FATBIN_MAGIC)
			return false;
		const uint64_t header = ks_le(h + 6, 2), size = ks_le(h + 8, 8);

		if (ks_le(h + 4, 2) != 1 || header < CONTAINER || header > end - at ||
		    size > end - at - header)
			return false;
		if (!read_members(r, in, at + header, at + header + size))
			return false;
		at += header + size;
	}
	return false;
}
