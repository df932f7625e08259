/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for what a replay cannot give back.
 */
#include "evidence/ncu_line.h"

static const char *const words[KS_NCU_LIMITS] = {
	[KS_NCU_REPLAY] = "replay",	    [KS_NCU_GRAPH] = "graph",
	[KS_NCU_CONCURRENT] = "concurrent", [KS_NCU_COLLECTIVE] = "collective",
	[KS_NCU_PROCESSES] = "processes",   [KS_NCU_ORDER] = "order",
	[KS_NCU_REDACTED] = "redacted",
};

const char *ks_ncu_limit_word(enum ks_ncu_limit limit)
{
	return words[limit];
}
