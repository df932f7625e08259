/* SPDX-License-Identifier: Apache-2.0
 *
 * What a trace source is: it recognises an input and streams it into a sink. It does no arithmetic
 * beyond unit conversion, keeps nothing per row, and never writes.
 */
#ifndef KS_SOURCE_SOURCE_H
#define KS_SOURCE_SOURCE_H

#include "base/ctx.h"
#include "model/trace.h"

struct ks_source_ops {
	const char *name;
	/* Streams the input into the sink, twice where the sink asks. Errors: KS_E_INPUT with path
	 * and row or byte. */
	enum ks_status (*stream)(const struct ks_ctx *ctx, const char *path,
				 const struct ks_sink *sink, struct ks_err *err);
};

extern const struct ks_source_ops ks_source_nsys_sqlite; /* source/nsys_sqlite.c */
extern const struct ks_source_ops
	ks_source_nsys_rep; /* source/nsys_rep.c: exports with nsys first */
/* The command line that exports `report` into `db`, ended by NULL: what nsys_rep runs, and a plan
 * prints. The words borrow. */
#define KS_NSYS_EXPORT_WORDS 9
void ks_nsys_export_words(const char *words[KS_NSYS_EXPORT_WORDS], const char *nsys,
			  const char *report, const char *db);
extern const struct ks_source_ops ks_source_nothing; /* source/nothing.c; path is ignored */
extern const struct ks_source_ops ks_source_synth;   /* source/synth.c; path is ignored */

/* What a file is by its first bytes and its name, so that a wrong one gets the right advice. */
enum ks_input_kind {
	KS_INPUT_SQLITE,
	KS_INPUT_NSYS_REP,
	KS_INPUT_QDREP,
	KS_INPUT_JSON,
	KS_INPUT_NCU_REP,
	KS_INPUT_EMPTY,
	KS_INPUT_DIRECTORY,
	KS_INPUT_MISSING,
	KS_INPUT_UNREADABLE,
	KS_INPUT_GZIP,
	KS_INPUT_ELF,
	KS_INPUT_OTHER,
};
enum ks_input_kind ks_input_sniff(const char *path);
/* A path as one word of a command to paste: quoted unless every byte is harmless in a shell.
 * Returns out. */
const char *ks_input_quoted(char *out, size_t size, const char *word);

/* Reads a .ksreport.json (ours or the original's) into a report; source/ksreport.c. */
struct ks_report;
enum ks_status ks_ksreport_read(const struct ks_ctx *ctx, const char *path,
				struct ks_report **report, struct ks_err *err);
/* Kernels of a report that was read were chosen with -k: says so wherever the report is written
 * again. `filter` must outlive the report. KS_E_ENV: no memory. */
enum ks_status ks_ksreport_refilter(const struct ks_ctx *ctx, const char *path,
				    struct ks_report *report, ks_str filter, struct ks_err *err);
/* The result of a selftest, for the bands and smallest differences of the report's decisions, which
 * come after. The report keeps it where it is written; nothing is added unless KS_OK. KS_E_INPUT:
 * unreadable, or no such result. source/selfcheck.c. */
enum ks_status ks_selfcheck_add(const struct ks_ctx *ctx, const char *path,
				struct ks_report *report, struct ks_err *err);

#endif
