/* SPDX-License-Identifier: Apache-2.0
 *
 * What a report says of the machine it was made on, as decisions and --strict see it.
 */
#ifndef KS_VERDICT_ENVIRONMENT_H
#define KS_VERDICT_ENVIRONMENT_H

#include "evidence/report.h"

/* "locked", "unlocked" or "unknown": the word that is part of the protocol identity. */
ks_str ks_clock_lock(const struct ks_report *r);
/* Everything of the environment that was refused: what the report lists, and clocks that are known
 * to be unlocked. `list` lives in the arena; what is no code is listed as internal_unknown. NULL:
 * no memory. */
const struct ks_env_refusal *ks_environment(const struct ks_report *r, enum ks_lang lang,
					    struct ks_arena *a, size_t *n);

#endif
