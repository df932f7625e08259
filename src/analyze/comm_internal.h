/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the modules of communication only: patterns, the answer per group, and what NCCL's
 * payloads said.
 */
#ifndef KS_ANALYZE_COMM_INTERNAL_H
#define KS_ANALYZE_COMM_INTERNAL_H

#include "analyze/comm.h"
#include "base/map.h"
#include "base/sorter.h"

struct ks_comm_schema_key { /* compared bytewise: 64-bit fields only */
	int64_t domain, schema;
};
struct ks_comm_size_field { /* where a payload has the size of the message */
	bool there, usable;
	int64_t offset;
	unsigned width; /* bytes */
	bool is_signed;
};

struct ks_comm {
	const struct ks_io *io;
	const struct ks_window *window; /* NULL: none */
	const ks_str *pattern;		/* prefixes and regexes as given */
	struct ks_matcher **regex;	/* beside pattern; NULL: a prefix */
	bool *seen;			/* beside pattern: some name matched */
	size_t n_patterns;
	bool *group; /* by number */
	size_t n_groups;

	struct ks_map schemas;
	struct ks_comm_size_field *field; /* by number */
	size_t field_cap;
	struct ks_redact *redact;
	struct ks_sorter *calls; /* name, start, bytes (-1: unknown) */
};

enum ks_status ks_comm_no_memory(struct ks_err *err);

#endif
