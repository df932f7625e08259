/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of copy kinds for tables and files. Knows numbers, no rows.
 */
#include "render/copy_word.h"

#include "base/str.h"
#include "model/trace.h"

ks_str ks_copy_word(struct ks_arena *a, int64_t kind)
{
	static const char *const words[] = {
		[KS_COPY_HTOD] = "htod",       [KS_COPY_DTOH] = "dtoh",
		[KS_COPY_HTOA] = "htoa",       [KS_COPY_ATOH] = "atoh",
		[KS_COPY_ATOA] = "atoa",       [KS_COPY_ATOD] = "atod",
		[KS_COPY_DTOA] = "dtoa",       [KS_COPY_DTOD] = "dtod",
		[KS_COPY_HTOH] = "htoh",       [KS_COPY_PTOP] = "ptop",
		[KS_COPY_UM_HTOD] = "um_htod", [KS_COPY_UM_DTOH] = "um_dtoh",
		[KS_COPY_UM_DTOD] = "um_dtod",
	};

	if (kind > 0 && kind < (int64_t)KS_ARRAY_LEN(words))
		return ks_str_c(words[kind]);
	return kind == KS_UNKNOWN ? KS_LIT("unknown")
				  : ks_arena_fmt(a, "kind_%lld", (long long)kind);
}
