/* SPDX-License-Identifier: Apache-2.0
 *
 * One cubin, which is an ELF file of machine 190: its functions are the sections .text.NAME, their
 * resources stand in sections of the same name and in .nv.info (contract 05 §4, checked against
 * NVIDIA's cuobjdump). A walk of our own and not libelf's: it never trusts a size, and costs no
 * library at every start.
 */
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "source/cubin_internal.h"

enum { EHDR = 64, SHDR = 64, SYM = 24, MACHINE_CUDA = 190 };
enum { SHT_NULL_ = 0, SHT_SYMTAB_ = 2, SHT_NOBITS_ = 8, SHN_XINDEX_ = 0xffff, STT_FUNC_ = 2 };
enum { OTHER_ENTRY = 0x10 }; /* st_other of a kernel */
/* Attributes of .nv.info and how their values are stored. */
enum { ATTR_FRAME = 0x12, ATTR_STACK = 0x23, ATTR_REGISTERS = 0x2f, ATTR_BARRIERS = 0x4c };
enum { FORMAT_NONE = 1, FORMAT_BYTE, FORMAT_HALF, FORMAT_BYTES };
enum { RESERVED_SHARED = 1024 }; /* taken by the system where .nv.shared.reserved.0 stands */
#define SIZE_MAX_SANE UINT64_C(0x7fffffff)

struct section {
	ks_str name;
	uint64_t type, flags, at, size, link, info;
};

struct cubin {
	struct ks_code_reader *r;
	struct ks_bytes elf;
	uint64_t sections_at, n_sections;
	struct section names; /* the section of names */
	bool old;	      /* ABI version 7: registers and barriers stand beside the section */
	int64_t arch;
	size_t first;		/* of its functions */
	struct ks_intern index; /* name -> function - first */
	uint64_t *info, *flags; /* by function - first: sh_info and sh_flags */
	int64_t *frame;		/* attribute 0x12, for those without 0x23 */
	size_t info_cap, flags_cap, frame_cap;
	uint32_t *of_symbol; /* function - first, KS_MAP_NONE for others */
	size_t n_symbols;
	bool reserves_shared;
	uint64_t text_left; /* bytes of names that may still be looked at */
	uint64_t info_left; /* and of lists of attributes: sections may lie over each other */
};

/* Names are looked at thrice, and each stands in the file: more than that, and they lie over each
 * other so that reading them would take for ever. */
#define NAME_PASSES 4

static struct ks_code_function *function_at(const struct cubin *c, uint32_t i)
{
	return &c->r->code->function[c->first + i];
}

static bool has(const struct cubin *c, uint64_t at, uint64_t n)
{
	return at <= c->elf.n && n <= c->elf.n - at;
}

/* --- sections -----------------------------------------------------------------------------------
 */

/* Text at an offset of a section of strings; false without an end inside of it. */
static bool text_at(struct cubin *c, const struct section *s, uint64_t offset, ks_str *text)
{
	if (offset >= s->size)
		return false;
	const uint64_t rest = s->size - offset;
	const char *p = (const char *)c->elf.p + s->at + offset;
	const char *end = memchr(p, '\0', (size_t)(rest < c->text_left ? rest : c->text_left));

	if (end == NULL)
		return false;
	*text = (ks_str){ p, (size_t)(end - p) };
	c->text_left -= text->n;
	return true;
}

/* False when the header or the bytes it speaks of are not in the file. */
static bool section_at(const struct cubin *c, uint64_t i, struct section *s)
{
	if (i >= c->n_sections)
		return false;
	const unsigned char *h = c->elf.p + c->sections_at + i * SHDR;

	*s = (struct section){
		.type = ks_le(h + 4, 4),
		.flags = ks_le(h + 8, 8),
		.at = ks_le(h + 24, 8),
		.size = ks_le(h + 32, 8),
		.link = ks_le(h + 40, 4),
		.info = ks_le(h + 44, 4),
	};
	if (s->type == SHT_NULL_)
		s->size = 0; /* what its header says means something else, or nothing */
	if (s->type == SHT_NOBITS_ || s->size == 0)
		s->at = 0; /* it has no bytes */
	return s->type == SHT_NOBITS_ ? s->size <= SIZE_MAX_SANE : has(c, s->at, s->size);
}

static bool named_section(struct cubin *c, uint64_t i, struct section *s)
{
	return section_at(c, i, s) &&
	       text_at(c, &c->names, ks_le(c->elf.p + c->sections_at + i * SHDR, 4), &s->name);
}

/* Where the sections are, with the numbers that do not fit the header taken from section 0. */
static bool find_sections(struct cubin *c)
{
	const unsigned char *e = c->elf.p;
	uint64_t n = ks_le(e + 60, 2), names = ks_le(e + 62, 2);

	c->sections_at = ks_le(e + 40, 8);
	if (ks_le(e + 58, 2) != SHDR || !has(c, c->sections_at, SHDR))
		return false;
	if (n == 0)
		n = ks_le(e + c->sections_at + 32, 8);
	if (names == SHN_XINDEX_)
		names = ks_le(e + c->sections_at + 40, 4);
	if (n > (c->elf.n - c->sections_at) / SHDR)
		return false;
	c->n_sections = n;
	return section_at(c, names, &c->names) && c->names.type != SHT_NOBITS_;
}

static int64_t arch_of(const unsigned char *e, bool *old)
{
	const uint64_t flags = ks_le(e + 48, 4);

	*old = e[7] == 51 && e[8] == 7;
	if (*old)
		return (int64_t)(flags & 0xff);
	return e[7] == 65 && e[8] == 8 ? (int64_t)(flags >> 8 & 0xff) : KS_UNKNOWN;
}

/* --- functions ----------------------------------------------------------------------------------
 */

static bool no_memory(struct cubin *c)
{
	c->r->no_memory = true;
	return false;
}

static bool add_function(struct cubin *c, ks_str name, const struct section *s)
{
	struct ks_code *code = c->r->code;
	const size_t most = (size_t)ks_limit(KS_LIMIT_CODE_FUNCTIONS);
	bool fresh = false;

	if (code->n_functions >= most)
		return false;
	const uint32_t i = ks_intern_add(&c->index, name, &fresh);

	if (i == KS_MAP_NONE ||
	    !KS_GROW(code->function, code->function_cap, code->n_functions + 1, most) ||
	    !KS_GROW(c->info, c->info_cap, (size_t)i + 1, most) ||
	    !KS_GROW(c->flags, c->flags_cap, (size_t)i + 1, most) ||
	    !KS_GROW(c->frame, c->frame_cap, (size_t)i + 1, most))
		return no_memory(c);
	if (!fresh)
		return false; /* two functions of one name: which resources are whose? */
	c->info[i] = s->info;
	c->flags[i] = s->flags;
	c->frame[i] = KS_UNKNOWN;
	code->function[code->n_functions++] = (struct ks_code_function){
		.name = ks_arena_dup(code->arena, name),
		.arch = c->arch,
		.file = c->r->file,
		.registers = KS_UNKNOWN,
		.shared = KS_UNKNOWN,
		.local = KS_UNKNOWN,
		.stack = KS_UNKNOWN,
		.constant = KS_UNKNOWN,
		.barriers = KS_UNKNOWN,
		.code_bytes = (int64_t)s->size,
	};
	return true;
}

static bool add_functions(struct cubin *c)
{
	static const char text[] = ".text.";
	struct section s;

	for (uint64_t i = 1; i < c->n_sections; i++) {
		if (!named_section(c, i, &s))
			return false;
		if (ks_str_eqc(s.name, ".nv.shared.reserved.0"))
			c->reserves_shared = true;
		if (!ks_str_starts(s.name, text) || s.name.n == sizeof(text) - 1)
			continue;
		const ks_str name = { s.name.p + sizeof(text) - 1, s.name.n - sizeof(text) + 1 };

		if (!add_function(c, name, &s))
			return false;
	}
	return true;
}

/* Which symbol is which function, and which of them are kernels. */
static bool read_symbols(struct cubin *c, const struct section *s)
{
	struct section strings;

	if (!section_at(c, s->link, &strings) || strings.type == SHT_NOBITS_)
		return false;
	c->n_symbols = (size_t)(s->size / SYM);
	c->of_symbol = ks_mem_alloc((c->n_symbols + 1) * sizeof(*c->of_symbol));
	if (c->of_symbol == NULL)
		return no_memory(c);
	for (size_t i = 0; i < c->n_symbols; i++) {
		const unsigned char *sym = c->elf.p + s->at + i * SYM;
		ks_str name;

		c->of_symbol[i] = KS_MAP_NONE;
		if ((sym[4] & 15) != STT_FUNC_)
			continue;
		if (!text_at(c, &strings, ks_le(sym, 4), &name))
			return false;
		const uint32_t f = ks_intern_find(&c->index, name);

		c->of_symbol[i] = f;
		if (f != KS_MAP_NONE && (sym[5] & OTHER_ENTRY) != 0)
			function_at(c, f)->is_kernel = true;
	}
	return true;
}

static bool find_symbols(struct cubin *c)
{
	struct section s;

	for (uint64_t i = 1; i < c->n_sections; i++) {
		if (!section_at(c, i, &s))
			return false;
		if (s.type == SHT_SYMTAB_)
			return read_symbols(c, &s);
	}
	return c->r->code->n_functions ==
	       c->first; /* functions without symbols: which are kernels? */
}

/* --- resources ----------------------------------------------------------------------------------
 */

/* False: the file said something else before. */
static bool say(int64_t *to, int64_t v)
{
	const bool good = *to == KS_UNKNOWN || *to == v;

	*to = v;
	return good;
}

/* A value of .nv.info: which attribute, whose, how much. */
static bool take_attribute(struct cubin *c, uint64_t attribute, const unsigned char *p, uint64_t n)
{
	const uint64_t symbol = n >= 8 ? ks_le(p, 4) : UINT64_MAX;
	const uint32_t f = symbol < c->n_symbols ? c->of_symbol[symbol] : KS_MAP_NONE;

	if (f == KS_MAP_NONE)
		return true;
	const int64_t v = (int64_t)ks_le(p + 4, 4);

	if (attribute == ATTR_REGISTERS && function_at(c, f)->is_kernel)
		return say(&function_at(c, f)->registers, v);
	if (attribute == ATTR_STACK && function_at(c, f)->is_kernel)
		return say(&function_at(c, f)->stack, v);
	return attribute != ATTR_FRAME || say(&c->frame[f], v);
}

/* A list of attributes; `own`: of that function alone, else of any. False when it ends within one,
 * or says two things of one function. */
static bool read_info(struct cubin *c, const struct section *s, struct ks_code_function *own)
{
	const unsigned char *p = c->elf.p + s->at;
	uint64_t left = s->size;

	if (left > c->info_left)
		return false;
	c->info_left -= left;
	while (left >= 4) {
		const unsigned format = p[0], attribute = p[1];
		const uint64_t v = ks_le(p + 2, 2), n = format == FORMAT_BYTES ? v : 0;

		if (format < FORMAT_NONE || format > FORMAT_BYTES || n > left - 4)
			return false;
		if (format == FORMAT_BYTES && own == NULL &&
		    !take_attribute(c, attribute, p + 4, n))
			return false;
		if (attribute == ATTR_BARRIERS && own != NULL && format != FORMAT_BYTES &&
		    !say(&own->barriers, (int64_t)(format == FORMAT_BYTE ? v & 0xff : v)))
			return false;
		p += 4 + n;
		left -= 4 + n;
	}
	return left == 0;
}

/* The function that a section is about by its name behind `prefix`; NULL: none. */
static struct ks_code_function *function_behind(const struct cubin *c, ks_str name,
						const char *prefix)
{
	const size_t n = strlen(prefix);

	if (!ks_str_starts(name, prefix))
		return NULL;
	const uint32_t f = ks_intern_find(&c->index, (ks_str){ name.p + n, name.n - n });

	return f == KS_MAP_NONE ? NULL : function_at(c, f);
}

static bool take_section(struct cubin *c, const struct section *s)
{
	struct ks_code_function *f;

	if (ks_str_eqc(s->name, ".nv.info"))
		return s->type == SHT_NOBITS_ || read_info(c, s, NULL);
	if ((f = function_behind(c, s->name, ".nv.info.")) != NULL)
		return s->type == SHT_NOBITS_ || read_info(c, s, f);
	if ((f = function_behind(c, s->name, ".nv.shared.")) != NULL) {
		if (!say(&f->shared, (int64_t)s->size))
			return false;
		f->reserved =
			c->reserves_shared && s->size >= RESERVED_SHARED ? RESERVED_SHARED : 0;
	} else if ((f = function_behind(c, s->name, ".nv.local.")) != NULL) {
		return say(&f->local, (int64_t)s->size);
	} else if ((f = function_behind(c, s->name, ".nv.constant0.")) != NULL) {
		return say(&f->constant, (int64_t)s->size);
	}
	return true;
}

/* What old files keep beside the section, and what stands in for what is missing. A zero there is
 * "left to the linker". */
static void settle(struct cubin *c, uint32_t i)
{
	struct ks_code_function *f = function_at(c, i);
	const int64_t beside = (int64_t)(c->info[i] >> 24);

	if (f->shared == KS_UNKNOWN)
		f->shared = 0; /* it has no section of it */
	if (f->local == KS_UNKNOWN)
		f->local = 0;
	if (f->registers == KS_UNKNOWN && c->old && beside > 0)
		f->registers = beside;
	if (f->is_kernel && f->stack == KS_UNKNOWN)
		f->stack = c->frame[i];
	if (f->barriers == KS_UNKNOWN && f->is_kernel && c->arch != KS_UNKNOWN)
		f->barriers = c->old ? (int64_t)(c->flags[i] >> 20 & 0x7f) : 0;
}

static bool read_all(struct cubin *c)
{
	struct section s;

	if (!find_sections(c) || !add_functions(c) || !find_symbols(c))
		return false;
	for (uint64_t i = 1; i < c->n_sections; i++) {
		if (!named_section(c, i, &s) || !take_section(c, &s))
			return false;
	}
	return true;
}

bool ks_cubin_is(struct ks_bytes elf)
{
	static const unsigned char magic[] = { 0x7f, 'E', 'L', 'F', 2, 1 }; /* 64 bits, little */

	return elf.n >= EHDR && memcmp(elf.p, magic, sizeof(magic)) == 0 &&
	       ks_le(elf.p + 18, 2) == MACHINE_CUDA;
}

enum ks_code_fate ks_cubin_elf(struct ks_code_reader *r, struct ks_bytes elf,
			       struct ks_code_member *m)
{
	struct cubin c = { .r = r,
			   .elf = elf,
			   .first = r->code->n_functions,
			   .text_left = NAME_PASSES * (uint64_t)elf.n,
			   .info_left = elf.n };

	if (!ks_cubin_is(elf))
		return KS_CODE_DAMAGED;
	c.arch = arch_of(elf.p, &c.old);
	ks_intern_init(&c.index, (size_t)ks_limit(KS_LIMIT_CODE_FUNCTIONS));
	const bool good = read_all(&c);

	if (!good)
		r->code->n_functions = c.first;
	for (uint32_t i = 0; good && i < c.index.count; i++) {
		settle(&c, i);
		m->kernels += function_at(&c, i)->is_kernel;
	}
	if (good && c.arch != KS_UNKNOWN)
		m->arch = c.arch;
	ks_intern_release(&c.index);
	ks_mem_free(c.info);
	ks_mem_free(c.flags);
	ks_mem_free(c.frame);
	ks_mem_free(c.of_symbol);
	return good ? KS_CODE_READ : KS_CODE_DAMAGED;
}
