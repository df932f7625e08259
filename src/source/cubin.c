/* SPDX-License-Identifier: Apache-2.0
 *
 * A file with device code: a cubin, a fatbin, or an object of the host that carries fatbins. Reads
 * only what it needs of it, never a device or a pipe.
 */
#include "source/cubin.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "source/cubin_internal.h"

enum { EHDR = 64, SHDR = 64, SHT_NOBITS_ = 8, SHN_XINDEX_ = 0xffff, NAME_MAX_ = 16 };

bool ks_code_get(struct ks_code_input *in, uint64_t at, void *to, size_t n)
{
	if (at > in->size || n > in->size - at)
		return false;
	if (in->bytes != NULL) {
		memcpy(to, in->bytes + at, n);
		return true;
	}
	const int why = ks_io_pread_all(in->io, in->fd, to, n, (off_t)at);

	if (why != 0 && in->err_no == 0)
		in->err_no = why;
	return why == 0;
}

bool ks_code_member_add(struct ks_code_reader *r, const struct ks_code_member *m)
{
	const size_t most = (size_t)ks_limit(KS_LIMIT_CODE_MEMBERS);
	struct ks_code *c = r->code;

	if (c->n_members >= most)
		return false;
	if (!KS_GROW(c->member, c->member_cap, c->n_members + 1, most)) {
		r->no_memory = true;
		return false;
	}
	c->member[c->n_members++] = *m;
	return true;
}

/* --- an object of the host ----------------------------------------------------------------------
 */

struct host {
	struct ks_code_input *in;
	uint64_t at, n, names_at, names_size;
};

static bool header(const struct host *h, uint64_t i, unsigned char s[SHDR])
{
	return i < h->n && ks_code_get(h->in, h->at + i * SHDR, s, SHDR);
}

static bool open_host(struct host *h)
{
	unsigned char e[EHDR], s[SHDR];

	if (!ks_code_get(h->in, 0, e, EHDR) || e[4] != 2 || e[5] != 1 || ks_le(e + 58, 2) != SHDR)
		return false;
	uint64_t names = ks_le(e + 62, 2);

	h->at = ks_le(e + 40, 8);
	h->n = ks_le(e + 60, 2);
	if (h->at == 0 || !ks_code_get(h->in, h->at, s, SHDR))
		return false;
	if (h->n == 0)
		h->n = ks_le(s + 32, 8);
	if (names == SHN_XINDEX_)
		names = ks_le(s + 40, 4);
	if (h->n > (h->in->size - h->at) / SHDR || !header(h, names, s))
		return false;
	h->names_at = ks_le(s + 24, 8);
	h->names_size = ks_le(s + 32, 8);
	return h->names_at <= h->in->size && h->names_size <= h->in->size - h->names_at;
}

/* Whether the section's name is that of a section of fatbins; relocatable code has its own. */
static bool holds_fatbins(const struct host *h, uint64_t name)
{
	static const char *const names[] = { ".nv_fatbin", "__nv_relfatbin" };
	char text[NAME_MAX_] = "";

	if (name >= h->names_size)
		return false;
	const uint64_t left = h->names_size - name;
	const size_t n = left < NAME_MAX_ ? (size_t)left : NAME_MAX_;

	if (!ks_code_get(h->in, h->names_at + name, text, n) || memchr(text, '\0', n) == NULL)
		return false;
	return strcmp(text, names[0]) == 0 || strcmp(text, names[1]) == 0;
}

/* False: it carries no device code. */
static bool read_host(struct ks_code_reader *r, struct ks_code_input *in)
{
	struct host h = { .in = in };
	unsigned char s[SHDR];
	uint64_t left = in->size; /* sections that lie over each other would be read for ever */
	bool any = false;

	if (!open_host(&h))
		return false;
	for (uint64_t i = 1; i < h.n && !r->no_memory && in->err_no == 0; i++) {
		if (!header(&h, i, s) || ks_le(s + 4, 4) == SHT_NOBITS_ ||
		    !holds_fatbins(&h, ks_le(s, 4)))
			continue;
		any = true;
		const uint64_t n = ks_le(s + 32, 8);

		if (n > left || !ks_fatbin_read(r, in, ks_le(s + 24, 8), n))
			r->code->file[r->file].torn = true;
		left -= n < left ? n : left;
	}
	return any;
}

/* --- a file -------------------------------------------------------------------------------------
 */

static enum ks_status fail(struct ks_err *err, int text, const char *path)
{
	return ks_err_set(err, KS_E_INPUT, text, path, (char *)NULL);
}

static enum ks_status read_cubin(struct ks_code_reader *r, struct ks_code_input *in,
				 const char *path, struct ks_err *err)
{
	struct ks_code_member m = { .file = r->file, .kind = KS_CODE_ELF, .arch = KS_UNKNOWN };
	char most[KS_NUM_LEN];

	ks_num_i64(most, ks_limit(KS_LIMIT_CODE_BYTES));
	if (in->size > (uint64_t)ks_limit(KS_LIMIT_CODE_BYTES))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_CODE_LARGE, path, most,
				  (char *)NULL);
	unsigned char *p = ks_mem_alloc((size_t)in->size + 1);

	r->no_memory = p == NULL;
	if (p != NULL && ks_code_get(in, 0, p, (size_t)in->size)) {
		m.stored = in->size;
		m.fate = ks_cubin_elf(r, (struct ks_bytes){ p, (size_t)in->size }, &m);
		r->code->file[r->file].is_cubin = true;
		if (m.fate == KS_CODE_DAMAGED && !r->no_memory)
			(void)fail(err, KS_TEXT_ERR_SRC_CODE_DAMAGED, path);
		else
			(void)ks_code_member_add(r, &m);
	}
	ks_mem_free(p);
	return err->status;
}

static enum ks_status read_kind(struct ks_code_reader *r, struct ks_code_input *in,
				const char *path, struct ks_err *err)
{
	unsigned char e[EHDR] = { 0 };
	const size_t n = in->size < EHDR ? (size_t)in->size : EHDR;

	if (!ks_code_get(in, 0, e, n))
		return KS_OK; /* the system said why */
	if (ks_cubin_is((struct ks_bytes){ e, n }))
		return read_cubin(r, in, path, err);
	if (ks_le(e, 4) == KS_FATBIN_MAGIC) {
		r->code->file[r->file].torn = !ks_fatbin_read(r, in, 0, in->size);
		return KS_OK;
	}
	if (memcmp(e,
		   "\x7f"
		   "ELF",
		   4) != 0)
		return fail(err, KS_TEXT_ERR_SRC_NOT_CODE, path);
	return read_host(r, in) || r->no_memory || in->err_no != 0
		       ? KS_OK
		       : fail(err, KS_TEXT_ERR_SRC_NO_CODE, path);
}

/* A container that breaks before its first member holds nothing to report on. */
static enum ks_status judge(const struct ks_code_reader *r, const struct ks_code_input *in,
			    size_t members, const char *path, struct ks_err *err)
{
	char name[32];

	if (r->no_memory || ks_arena_failed(r->code->arena))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, path, (char *)NULL);
	if (in->err_no != 0)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_SRC_READ, path,
				  ks_err_errno(name, in->err_no), (char *)NULL);
	if (r->code->file[r->file].torn && r->code->n_members == members)
		return fail(err, KS_TEXT_ERR_SRC_CODE_DAMAGED, path);
	return err->status;
}

static enum ks_status read_open(const struct ks_ctx *ctx, int fd, uint64_t size, const char *path,
				struct ks_code *code, struct ks_err *err)
{
	const size_t functions = code->n_functions, members = code->n_members;
	struct ks_code_input in = { .io = ctx->io, .fd = fd, .size = size };
	struct ks_code_reader r = { .ctx = ctx, .code = code, .file = code->n_files };
	const uint64_t most = (uint64_t)ks_limit(KS_LIMIT_CODE_BYTES);
	const uint64_t ratio = (uint64_t)ks_limit(KS_LIMIT_CODE_UNPACKED_RATIO);

	r.plain_left = size < (UINT64_MAX - most) / ratio ? most + ratio * size : UINT64_MAX;

	if (!KS_GROW(code->file, code->file_cap, code->n_files + 1, UINT16_MAX))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, path, (char *)NULL);
	code->file[code->n_files++] =
		(struct ks_code_file){ .path = ks_arena_dup(code->arena, ks_str_c(path)) };
	ks_unpacker_init(&r.unpacker);
	(void)read_kind(&r, &in, path, err);
	const enum ks_status status = judge(&r, &in, members, path, err);

	ks_unpacker_release(&r.unpacker);
	if (status != KS_OK) {
		code->n_files--;
		code->n_functions = functions;
		code->n_members = members;
	}
	return status;
}

enum ks_status ks_cubin_read(const struct ks_ctx *ctx, const char *path, struct ks_code *code,
			     struct ks_err *err)
{
	struct ks_err own;
	struct stat st;
	char name[32];
	enum ks_status status;

	ks_err_init(&own);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		status = ks_err_set(&own, KS_E_INPUT,
				    errno == ENOENT ? KS_TEXT_ERR_IN_MISSING : KS_TEXT_ERR_SRC_READ,
				    path, ks_err_errno(name, errno), (char *)NULL);
	else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		status = fail(&own, KS_TEXT_ERR_IN_SPECIAL, path);
	else
		status = read_open(ctx, fd, (uint64_t)st.st_size, path, code, &own);
	if (fd >= 0)
		(void)close(fd);
	if (status == KS_OK)
		return KS_OK;
	ks_err_at(&own, path, -1);
	if (err != NULL)
		*err = own;
	return status;
}
