/* SPDX-License-Identifier: Apache-2.0
 *
 * What device code says about itself: the functions of cubins, fatbins and shared objects, and
 * what became of every part of those files. Plain facts, nothing computed. Made by source/cubin.h,
 * read by the analysis; everything lives in the arena it was read with.
 */
#ifndef KS_MODEL_CODE_H
#define KS_MODEL_CODE_H

#include "base/arena.h"
#include "tables/tables.h"

#define KS_CODE_TOP 12 /* opcodes that are named, most frequent first */

struct ks_code_opcode {
	ks_str name;
	uint64_t count;
};
/* The instructions of one function as a disassembler lists them. */
struct ks_code_mix {
	uint64_t instructions;
	uint64_t count[KS_SASS_CLASS_COUNT];
	struct ks_code_opcode top[KS_CODE_TOP];
	size_t n_top;
};

/* Numbers are KS_UNKNOWN where the file does not say them. */
struct ks_code_function {
	ks_str name;	/* of the symbol, NUL-terminated */
	int64_t arch;	/* 86 for sm_86; KS_UNKNOWN where the header is of a kind we do not know */
	bool is_kernel; /* an entry point; else a function that the linker joins to one */
	size_t file;	/* index in the files */
	int64_t registers;  /* per thread */
	int64_t shared;	    /* static, bytes per block, with what the system reserves */
	int64_t reserved;   /* of those: bytes the system takes (sm_90 and later), else 0 */
	int64_t stack;	    /* bytes per thread */
	int64_t local;	    /* bytes of its section of local memory */
	int64_t constant;   /* bytes of constant bank 0: the parameters and what is before them */
	int64_t barriers;   /* named barriers */
	int64_t code_bytes; /* of machine code */
	const struct ks_code_mix *mix; /* NULL: not disassembled */
};

enum ks_code_kind { KS_CODE_ELF, KS_CODE_PTX, KS_CODE_OTHER };
enum ks_code_packing { KS_CODE_PLAIN, KS_CODE_LZ4, KS_CODE_ZSTD };
enum ks_code_fate {
	KS_CODE_READ, /* its functions are in the list; PTX and others: it has none to read */
	KS_CODE_NO_UNPACKER, /* the library that unpacks it is not on this machine */
	KS_CODE_DAMAGED,     /* it breaks the rules of its format */
	KS_CODE_TOO_LARGE    /* unpacked it would be over the limit */
};
struct ks_code_member { /* one part of a fatbin, or the one cubin that a file is */
	size_t file;
	enum ks_code_kind kind;
	enum ks_code_packing packing;
	enum ks_code_fate fate;
	int64_t arch;
	uint64_t stored; /* bytes in the file */
	uint64_t kernels;
};

/* Why a file has no instruction counts. */
enum ks_code_dump {
	KS_CODE_NOT_ASKED,
	KS_CODE_DUMPED,
	KS_CODE_NO_TOOL,    /* neither cuobjdump nor, for a plain cubin, nvdisasm */
	KS_CODE_DUMP_FAILED /* the tool ended with an error, was stopped, or listed nothing */
};
struct ks_code_file {
	ks_str path;   /* as given, NUL-terminated */
	bool is_cubin; /* one ELF of device code, and no container */
	bool torn;     /* a container in it ends where none may: what follows was not read */
	enum ks_code_dump dump;
	ks_str tool;	   /* name of the program that listed its instructions; "" */
	int64_t tool_exit; /* its exit status where it failed; 124, 126: it was stopped, never ran
			    */
};

struct ks_code {
	struct ks_arena *arena;
	struct ks_code_file *file;
	struct ks_code_function *function;
	struct ks_code_member *member;
	size_t n_files, n_functions, n_members;
	size_t file_cap, function_cap, member_cap;
};

void ks_code_init(struct ks_code *c, struct ks_arena *arena);
void ks_code_release(struct ks_code *c); /* the lists; names and counts stay the arena's */

#endif
