/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables that single events come from, and ids of events: TABLE:PID:ROW. Each table numbers its
 * own rows.
 */
#ifndef KS_ANALYZE_FIND_TABLE_H
#define KS_ANALYZE_FIND_TABLE_H

#include "base/arena.h"
#include "evidence/found.h"

enum ks_find_table {
	KS_FIND_T_KERNEL,
	KS_FIND_T_COPY,
	KS_FIND_T_PEER,
	KS_FIND_T_MEMSET,
	KS_FIND_T_RANGE,
	KS_FIND_T_RUNTIME,
	KS_FIND_T_DRIVER,
	KS_FIND_T_GAP, /* no table: a device in place of the process, and the gap's number */
	KS_FIND_TABLES
};

enum ks_find_kind ks_find_kind_in(enum ks_find_table table);
/* "" for a row without a number. process: globalPid. */
ks_str ks_find_id(struct ks_arena *a, enum ks_find_table table, int64_t process, int64_t row);
/* gap:DEVICE:NUMBER; "" for a device that is not known. */
ks_str ks_find_gap_id(struct ks_arena *a, int64_t label, int64_t number);
/* pid KS_UNKNOWN where it is written as '-'. False: no id. */
bool ks_find_id_parse(ks_str id, enum ks_find_table *table, int64_t *pid, int64_t *row);

#endif
