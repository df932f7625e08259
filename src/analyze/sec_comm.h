/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the section CommLedger only: its parts, in the order in which they are printed.
 */
#ifndef KS_ANALYZE_SEC_COMM_H
#define KS_ANALYZE_SEC_COMM_H

#include "analyze/emit.h"

/* copies_rows.c: bytes by kind and device, rates, memsets. */
void ks_emit_no_copies(struct ks_emit *e);
void ks_emit_copy_bytes(struct ks_emit *e, const struct ks_copy_facts *f);
void ks_emit_copy_rates(struct ks_emit *e, const struct ks_copy_facts *f);
/* copies_paths.c: pageable and pinned, peers, migrations by cause; memsets. */
void ks_emit_copy_paths(struct ks_emit *e);
void ks_emit_memsets(struct ks_emit *e, const struct ks_copy_facts *f);
/* A spec whose rows are of the table of copies. */
struct ks_ev_spec ks_copy_spec(const struct ks_emit *e, enum ks_metric metric, const char *columns,
			       uint64_t rows);

#endif
