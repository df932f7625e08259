/* SPDX-License-Identifier: Apache-2.0
 *
 * Where results go. Every file is whole or not there; all are looked at before the work begins.
 */
#ifndef KS_CMD_OUTPUTS_H
#define KS_CMD_OUTPUTS_H

#include "cmd/profile.h"

bool ks_is_dash(const char *path);

/* files.c: no name stands for two outputs, and none for the input: before anything is opened. */
enum ks_status ks_outputs_distinct(const struct ks_settings *s, struct ks_err *err);
/* Each one can be written now. Nothing stays behind. */
enum ks_status ks_outputs_check(struct ks_app *app, const struct ks_settings *s,
				struct ks_err *err);

/* Files first (the packet tells the report's size), then standard output. */
enum ks_status ks_outputs_write(struct ks_app *app, const struct ks_settings *s,
				struct ks_profile *p, struct ks_err *err);

/* The case directory, once everything else is written and --strict has passed. */
enum ks_status ks_outputs_case(struct ks_app *app, const struct ks_settings *s,
			       const struct ks_profile *p, struct ks_err *err);

/* Opens `path`, lets `fill` write it, commits it, and says its size on stderr. */
typedef enum ks_status ks_fill_fn(struct ks_app *app, void *arg, struct ks_out *out,
				  struct ks_err *err);
struct ks_file_job {
	const char *path;
	int flags; /* KS_OUT_* */
	ks_fill_fn *fill;
	void *arg;
};
enum ks_status ks_output_file(struct ks_app *app, const struct ks_file_job *job, uint64_t *bytes,
			      struct ks_err *err);

/* namemap.c: --export-name-map; CSV when the name ends in .csv, else JSON. */
enum ks_status ks_name_map_write(struct ks_app *app, const char *path, int flags,
				 struct ks_err *err);

/* The same as JSON onto a stream. */
enum ks_status ks_name_map_print(struct ks_app *app, struct ks_out *out, struct ks_err *err);

#endif
