/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts instructions in what a disassembler prints, piece by piece as it comes. Understands
 * cuobjdump -sass and nvdisasm; keeps one line and the counts of one function.
 */
#ifndef KS_SOURCE_SASS_H
#define KS_SOURCE_SASS_H

#include "model/code.h"

/* The mnemonic of an instruction line, up to its first dot; empty for every other line. */
ks_str ks_sass_mnemonic(ks_str line);

struct ks_sass; /* opaque */
/* For the functions of one file of `code`. NULL: no memory. */
struct ks_sass *ks_sass_open(struct ks_code *code, size_t file);
void ks_sass_take(void *sass, const char *p, size_t n); /* as struct ks_spawn wants it */
/* The last line and function are done. False: no memory. *functions: how many got a mix. */
bool ks_sass_done(struct ks_sass *s, size_t *functions);
void ks_sass_close(struct ks_sass *s);

#endif
