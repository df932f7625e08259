/* SPDX-License-Identifier: Apache-2.0
 *
 * The driver's mask of reasons why clocks are held down: from text, and into names (contract 05
 * §3.4). -1 is a mask that is not known.
 */
#ifndef KS_EVIDENCE_THROTTLE_H
#define KS_EVIDENCE_THROTTLE_H

#include "base/buf.h"

#define KS_THROTTLE_UNKNOWN (-1)

/* "0x24", "36", "Not Active" (0). Anything else, "Active" included, is not known. */
int64_t ks_throttle_read(ks_str token);
/* Names in order of their bits, ", " between; bits without one as "bit12", an unknown mask as
 * "unspecified"; nothing for 0. */
void ks_throttle_names(struct ks_buf *out, int64_t mask);

#endif
