/* SPDX-License-Identifier: Apache-2.0
 *
 * Contents of the files of a case directory (contract 03 §9): what one run asked, decided and left
 * to do. Drawn from the packet, so that both say the same. Opens nothing and knows no path that it
 * is not given.
 */
#ifndef KS_RENDER_CASE_H
#define KS_RENDER_CASE_H

#include "base/ctx.h"
#include "verdict/packet.h"

enum ks_case_file { /* in the order in which they are written */
		    KS_CASE_MANIFEST,
		    KS_CASE_ENV,
		    KS_CASE_NEXT,
		    KS_CASE_README, /* only when it is not there */
		    KS_CASE_JOURNAL,
		    KS_CASE_FILES
};
/* "manifest.json" ...: what a plan lists; nothing else is opened. */
const char *ks_case_file_name(enum ks_case_file f);

struct ks_case_output { /* "report" and where it is, seen from the case directory */
	const char *key;
	ks_str path;
};

struct ks_case_run {
	const struct ks_packet *packet; /* of this run, with its report */
	int64_t epoch_s;		/* when; SOURCE_DATE_EPOCH where that is set */
	const ks_str *command;		/* the arguments, paths already replaced */
	size_t n_command;
	const struct ks_case_output *output;
	size_t n_outputs;
	int rc;
	enum ks_lang lang; /* of what people read: next.md, README.md */
};

/* What fills one file. KS_E_ENV when out of memory; a failed write is the output's. */
typedef enum ks_status ks_case_fill_fn(const struct ks_ctx *ctx, const struct ks_case_run *run,
				       struct ks_out *out, struct ks_err *err);
ks_case_fill_fn ks_case_manifest;
ks_case_fill_fn ks_case_env;
ks_case_fill_fn ks_case_journal; /* one line with its end */
ks_case_fill_fn ks_case_next;
ks_case_fill_fn ks_case_readme; /* at most 1024 bytes */

#endif
