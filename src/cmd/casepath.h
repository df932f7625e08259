/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths as a case directory shows them, so that it can be handed on: relative to itself, or without
 * their folder. Looks at no file; a path is taken as it is written.
 */
#ifndef KS_CMD_CASEPATH_H
#define KS_CMD_CASEPATH_H

#include "base/arena.h"

struct ks_case_place {
	ks_str cwd;    /* absolute */
	ks_str folder; /* the case directory, absolute or seen from cwd */
};

/* Where an output is, seen from the case directory; "<abs>/NAME" when nothing but the root is
 * common to both. */
ks_str ks_case_output_path(struct ks_arena *a, const struct ks_case_place *place, ks_str path);
/* One argument of the command line. An absolute path, alone, behind --opt= or behind a short
 * option, becomes relative to the case directory when it is at most one step up from it, else
 * "<abs>/NAME". Everything else stays. */
ks_str ks_case_argument(struct ks_arena *a, const struct ks_case_place *place, ks_str arg);

#endif
