/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside render/ only: the word for the number of a copy kind, the same in every language.
 */
#ifndef KS_RENDER_COPY_WORD_H
#define KS_RENDER_COPY_WORD_H

#include "base/arena.h"

/* "htod", "um_dtoh"; "kind_17" for a number without a word. */
ks_str ks_copy_word(struct ks_arena *a, int64_t kind);

#endif
