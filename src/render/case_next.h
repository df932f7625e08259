/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the case directory's renderers only.
 */
#ifndef KS_RENDER_CASE_NEXT_H
#define KS_RENDER_CASE_NEXT_H

#include "render/case.h"

/* The command that resolves the i-th next step: of its decision, of its code in the packet, or of
 * the code in this run where the packet had no room for it. "" when there is none. */
ks_str ks_case_command(const struct ks_packet *p, size_t i);

#endif
