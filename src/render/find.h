/* SPDX-License-Identifier: Apache-2.0
 *
 * The answer of `find` as a table for people, and as JSON (contract 03 §23). Computes nothing.
 */
#ifndef KS_RENDER_FIND_H
#define KS_RENDER_FIND_H

#include "base/jsonw.h"
#include "evidence/found.h"
#include "render/render.h"

enum ks_status ks_find_text_out(const struct ks_found *f, const struct ks_view *v,
				struct ks_out *out, struct ks_err *err);
/* The keys of one event, into an object that is begun. */
void ks_find_event_json(struct ks_jsonw *w, const struct ks_found_event *e);
/* file: as it may be shown. */
enum ks_status ks_find_json_out(const struct ks_found *f, ks_str file, struct ks_out *out,
				struct ks_err *err);

#endif
