/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the routing only: the tasks of a sentence.
 */
#ifndef KS_VERDICT_ROUTE_TASK_H
#define KS_VERDICT_ROUTE_TASK_H

#include "verdict/route.h"
#include "verdict/route_text.h"

/* `s` is the sentence folded. A code that it names comes first, then the order of the table. */
void ks_route_find_tasks(ks_str sentence, const struct ks_sentence *s, struct ks_route_tasks *out);

#endif
