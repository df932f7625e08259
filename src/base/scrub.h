/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds what tells who and where in a text: paths, URLs, mail and network addresses, UUIDs, PCI bus
 * ids. Knows them by their shape alone, so that it may take too much and never asks what it means;
 * a relative path without "./" and a bare host name have no shape and are left.
 */
#ifndef KS_BASE_SCRUB_H
#define KS_BASE_SCRUB_H

#include "base/buf.h"

/* Words that are to go whatever their shape. Asked at every place where a word may begin; returns
 * how many bytes of `rest` go (0: none) and what stands there instead. */
struct ks_scrub_words {
	size_t (*find)(const void *self, ks_str rest, ks_str *to);
	const void *self;
};

/* Appends `s` to `out`, each finding replaced: "<path>.py" (the ending stays where it is a known
 * one), "<url>", "<mail>", "<address>", "<uuid>", "<pci>". `words` may be NULL. What was replaced
 * before is left as it is. */
void ks_scrub(struct ks_buf *out, ks_str s, const struct ks_scrub_words *words);
/* The ending of a file name that may stay, with its dot: ".sqlite", ".nsys-rep", ".py"; "" for all
 * others. */
ks_str ks_scrub_ending(ks_str path);

#endif
