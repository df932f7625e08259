/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication: which kernels are collectives, by patterns anchored at the start of the qualified
 * function name (tables/kclass.def and --ks-comm), and NCCL's own calls as its NVTX payloads record
 * them.
 */
#ifndef KS_ANALYZE_COMM_H
#define KS_ANALYZE_COMM_H

#include "base/redact.h"
#include "analyze/select.h"
#include "analyze/window.h"
#include "base/io.h"
#include "evidence/timeline.h"
#include "model/trace.h"

struct ks_comm;
struct ks_analysis;
struct ks_group_key;

/* pattern: of --ks-comm; each is a prefix of the function name, or regex:PATTERN. KS_E_USAGE for a
 * bad one. */
enum ks_status ks_comm_open(struct ks_comm **c, const ks_str *pattern, size_t n,
			    struct ks_err *err);
void ks_comm_close(struct ks_comm *c);
/* Where calls are spilled to, and the window they must start in (settled by the time of the
 * answer); the system's and none unless said before the first range. */
void ks_comm_within(struct ks_comm *c, const struct ks_io *io, const struct ks_window *window);
/* Of a demangled or plain name; a return type and qualifiers before the function are skipped. */
enum ks_status ks_comm_is(struct ks_comm *c, ks_str name, bool *is, struct ks_err *err);
/* The first pattern that no name matched so far; "" when each did. */
ks_str ks_comm_unmatched(const struct ks_comm *c);
/* The library of a built-in pattern, "NCCL"; "" for none. */
const char *ks_comm_library(ks_str name);
/* From the function's first namespace on; a view into `name`. */
ks_str ks_comm_qualified(ks_str name);
/* The name that decides about a group, and its text, demangled in `text` where nobody did. */
ks_nameref ks_comm_ref(const struct ks_analysis *a, const struct ks_group_key *key);
ks_str ks_comm_text(const struct ks_analysis *a, ks_nameref ref, struct ks_buf *text);
/* Settles every group of the analysis once, after the names. */
enum ks_status ks_comm_groups(struct ks_analysis *a, struct ks_err *err);
bool ks_comm_is_group(const struct ks_comm *c, uint32_t group);

enum ks_status ks_comm_schema(struct ks_comm *c, const struct ks_payload_entry *e,
			      struct ks_err *err);
/* A range with a payload; `name`: number of its name in the caller's table. */
enum ks_status ks_comm_range(struct ks_comm *c, const struct ks_range *row, uint32_t name,
			     struct ks_err *err);
/* Fills comm_call, for calls that start in the window; text: names by number. */
/* Calls are named as `redact` says from then on; NULL: as they are. */
void ks_comm_redact(struct ks_comm *c, struct ks_redact *redact);
enum ks_status ks_comm_answer(struct ks_comm *c, const ks_str *text, struct ks_arena *arena,
			      struct ks_timeline *t, struct ks_err *err);

#endif
