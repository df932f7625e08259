/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the .ksreport.json renderer only: its parts, each streamed straight to the output.
 */
#ifndef KS_RENDER_JSON_H
#define KS_RENDER_JSON_H

#include "base/jsonw.h"
#include "render/render.h"

struct ks_json {
	struct ks_jsonw w;
	const struct ks_ctx *ctx;
	const struct ks_report *r;
	const struct ks_view *v;
	enum ks_lang lang;  /* of texts inside the document */
	struct ks_buf text; /* scratch for one text at a time */
};

/* A message in the document's language. */
void ks_json_msg(struct ks_json *j, const char *key, const struct ks_msg *m);
/* KS_UNKNOWN and what is below zero: null. */
void ks_json_known(struct ks_json *j, const char *key, int64_t v);
/* KS_UNKNOWN alone: null. 0 and what is below it are values here. */
void ks_json_number(struct ks_json *j, const char *key, int64_t v);

void ks_json_device(struct ks_json *j);	   /* "device", "device_ids", "multi_device" */
void ks_json_meta(struct ks_json *j);	   /* "meta" */
void ks_json_telemetry(struct ks_json *j); /* "telemetry" of meta, where it was read */
void ks_json_phases(struct ks_json *j);	   /* "nvtx_phases" of meta, where there are ranges */
void ks_json_timeline(struct ks_json *j);  /* "timeline", where it was asked for */
void ks_json_findings(struct ks_json *j);  /* "findings", where they were looked for */
void ks_json_families(struct ks_json *j);  /* "families", where there are rows of them */
void ks_json_context(struct ks_json *j);   /* our additions about the whole run */
enum ks_status ks_json_kernels(struct ks_json *j, struct ks_err *err);

#endif
