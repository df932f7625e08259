/* SPDX-License-Identifier: Apache-2.0
 *
 * --redact for a report or packet that is read back: the document itself is changed before anything
 * is made of it, what is kept as text included. Knows what a string is by where it stands; a string
 * in no known place is a text.
 */
#ifndef KS_SOURCE_REDACT_JSON_H
#define KS_SOURCE_REDACT_JSON_H

#include <jansson.h>

#include "base/ctx.h"

/* Nothing without ctx->redact. The document of a report says afterwards that it is redacted. False:
 * no memory; the document is then not fit to be read. */
bool ks_redact_json(const struct ks_ctx *ctx, json_t *doc);

#endif
