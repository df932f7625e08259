/* SPDX-License-Identifier: Apache-2.0
 *
 * From a source to a finished report: a trace is analysed, a report or packet is read back.
 */
#ifndef KS_CMD_PROFILE_H
#define KS_CMD_PROFILE_H

#include "cmd/settings.h"
#include "model/code.h"
#include "verdict/packet.h"
#include "verdict/verdict.h"

struct ks_profile {
	struct ks_report *report;     /* NULL when the input was a packet */
	struct ks_packet *packet;     /* read from a file, or made for screen and --packet */
	struct ks_analysis *analysis; /* the report borrows from it; NULL when re-read */
	struct ks_code code;	      /* of --ks-cubin; the analysis borrows from it */
};

/* With verdicts. Errors as of the source, the analysis and the readers. */
enum ks_status ks_profile_open(struct ks_app *app, const struct ks_settings *s,
			       struct ks_profile *p, struct ks_err *err);
void ks_profile_close(struct ks_profile *p);
/* What streams a trace; NULL for KS_FROM_NONE and KS_FROM_IMPORT. */
const struct ks_source_ops *ks_profile_source(enum ks_from from);
/* The trace of a source through the analysis; also used by explain. */
/* The option that names this input, as shell words; "" when there is none. */
ks_str ks_profile_input(struct ks_app *app, enum ks_from from, const char *path);
enum ks_status ks_profile_trace(struct ks_app *app, enum ks_from from, const char *path,
				const struct ks_selection *sel, struct ks_profile *p,
				struct ks_err *err);
/* The decisions of a finished report, with what the command line brings to them. */
enum ks_status ks_profile_decide(struct ks_app *app, const struct ks_selection *sel,
				 struct ks_report *report, struct ks_err *err);
/* import.c: -i FILE, a report or a packet. */
enum ks_status ks_profile_import(struct ks_app *app, const struct ks_settings *s,
				 struct ks_profile *p, struct ks_err *err);
/* code.c: the files of --ks-cubin into p->code, and that into *sel. A file that cannot be read is
 * said and left out; where no other input is, one must be read. */
enum ks_status ks_code_read(struct ks_app *app, const struct ks_settings *s, struct ks_profile *p,
			    struct ks_selection *sel, struct ks_err *err);
/* telemetry.c: --ks-telemetry into the selection, what is wrong with it onto standard error. That
 * it cannot be read is an error only where nothing else makes a report. */
enum ks_status ks_profile_telemetry(struct ks_app *app, const struct ks_settings *s,
				    struct ks_selection *sel, struct ks_err *err);
/* One line of advice for a file that is not what an option reads. KS_OK when it is an nsys export.
 */
enum ks_status ks_profile_sniff(const char *path, struct ks_err *err);
/* Our run time in seconds; 0 under SOURCE_DATE_EPOCH, so that the same input gives the same bytes.
 */
double ks_profile_wall_s(const struct ks_app *app);

#endif
