/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside analyze/ only: the kernels of device code by name and architecture, and which of them a
 * kernel of the recording is. Nothing is matched by likeness.
 */
#ifndef KS_ANALYZE_CODE_H
#define KS_ANALYZE_CODE_H

#include "analyze/analyze.h"
#include "model/code.h"

struct ks_code_entry {
	const struct ks_code_function *f; /* the first of those that are alike */
	ks_str name;			  /* demangled where that can be; else as in the file */
	ks_str base;			  /* its function name */
	unsigned variant, n_variants;	  /* of the same name and architecture; they differ */
	bool several_archs;		  /* the same name is there for another one as well */
};

struct ks_codebook; /* opaque */
/* The kernels of `code`; of a file that has none, its device functions. Those that are alike in
 * all they say are one. NULL: no memory. `code` must outlive it. */
struct ks_codebook *ks_codebook_open(const struct ks_code *code, struct ks_arena *arena);
/* In order of name, architecture and variant. */
const struct ks_code_entry *ks_codebook_entries(const struct ks_codebook *b, size_t *n);

enum ks_code_match { KS_MATCH_NONE, KS_MATCH_FOUND, KS_MATCH_SEVERAL, KS_MATCH_OTHER_ARCH };
struct ks_code_found {
	enum ks_code_match how;
	const struct ks_code_entry *entry; /* of FOUND */
	bool by_base;
};
struct ks_code_wanted {
	ks_str name, base, mangled; /* as the recording has them; base "" where it is not unique */
	int64_t arch;		    /* of the device it ran on; KS_UNKNOWN */
};
/* Equal names first, mangled or demangled; then an equal function name that one kernel of the code
 * alone has. Of several architectures the one that the device would take. */
struct ks_code_found ks_codebook_find(const struct ks_codebook *b, const struct ks_code_wanted *w);

struct ks_code_tally {
	size_t kernels, functions; /* in the files: entry points, and what is none */
	size_t cubins, ptx, unread;
	size_t matched, unmatched, unclear; /* kernels of the report; unclear: of the unmatched */
	size_t unused;			    /* kernels of the files, each architecture counted */
	size_t differ;			    /* matched, with other registers than recorded */
};

struct ks_analysis;
/* code_match.c, once the kernels, their devices and places are known: which of them is which code,
 * and without a recording which kernels of the code are shown. KS_E_NOMATCH: -k leaves none. */
enum ks_status ks_code_match(struct ks_analysis *a, const struct ks_report *r, struct ks_err *err);
/* What a report calls it: the architecture and the variant where the name alone is not one. */
ks_str ks_code_title(const struct ks_analysis *a, const struct ks_code_entry *e);

struct ks_emit;
/* sec_code.c; all of the kernel at work and its code, in the section at work. */
void ks_emit_code_resources(struct ks_emit *e);
void ks_emit_code_mix(struct ks_emit *e);
void ks_emit_static_code(struct ks_emit *e);
/* The kernels of code that no recording is beside; `out` has room for them. */
void ks_emit_code_kernel(struct ks_emit *e, const struct ks_code_entry *code);

#endif
