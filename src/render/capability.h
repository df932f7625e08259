/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine can answer, as JSON, as one short line for agents, and as text for people. Judges
 * nothing: the states come from verdict/capability.h.
 */
#ifndef KS_RENDER_CAPABILITY_H
#define KS_RENDER_CAPABILITY_H

#include "base/ctx.h"
#include "base/jsonw.h"
#include "render/render.h"
#include "verdict/capability.h"
#include "verdict/counters.h"

struct ks_capability_page {
	const struct ks_capability *c;
	struct ks_counter_note note; /* why the counters are in that state, and by which probe */
	ks_str driver;		     /* "" unknown */
	bool probed;		     /* --probe was given: the same question needs it again */
};

#define KS_BRIEF_BYTES 1300

enum ks_status ks_capability_json(const struct ks_ctx *ctx, const struct ks_capability_page *p,
				  struct ks_out *out, struct ks_err *err);
/* One line of at most `budget` bytes, the line end not counted. What does not fit is dropped in the
 * order of contract 03 §13 and named under "trimmed"; if all that is not enough, the line is longer
 * (KS_BRIEF_BYTES always is enough). */
enum ks_status ks_capability_brief(const struct ks_ctx *ctx, const struct ks_capability_page *p,
				   size_t budget, struct ks_out *out, struct ks_err *err);
enum ks_status ks_capability_text(const struct ks_ctx *ctx, const struct ks_capability_page *p,
				  const struct ks_view *v, struct ks_out *out, struct ks_err *err);

/* Shared by the commands that print refusals as rows: {"code","message",...,"remedy":{...}} of
 * contract 02 §3, with the defaults of the table. `observed` is written by the caller between. */
void ks_json_remedy(struct ks_jsonw *w, enum ks_refusal code, enum ks_lang lang);
/* The command of a remedy or question with words in its places. */
void ks_json_command(struct ks_jsonw *w, const char *key, const char *command);
/* "a,b" as ["a","b"]. */
void ks_json_list(struct ks_jsonw *w, const char *key, const char *commas);

#endif
