/* SPDX-License-Identifier: Apache-2.0
 *
 * Telemetry of devices: one scrape of an exporter, or what nvidia-smi printed, from a file or a URL
 * (contract 05 §8). What a text is, is seen from its bytes. Reads at most KS_LIMIT_TELEMETRY_BYTES
 * of it, follows no reference to another host, and converts no value but to the unit of its metric.
 */
#ifndef KS_SOURCE_TELEMETRY_H
#define KS_SOURCE_TELEMETRY_H

#include "base/ctx.h"
#include "evidence/telemetry.h"

struct ks_tel_ask {
	const char *where;    /* URL, file, or "-": standard input */
	double timeout_s;     /* of a URL, for the whole answer */
	const char *library;  /* of the network: as in http.h */
	const ks_str *wanted; /* metrics that are asked for by name; others may have no reading */
	size_t n_wanted;
};

/* Whether the text names a place in the network: it has a scheme. */
bool ks_telemetry_is_url(const char *where);
/* SCHEME://HOST:PORT of a URL as a plan lists it, without what may be a password; "" for none. */
ks_str ks_telemetry_origin(struct ks_arena *a, const char *where);

/* In ctx->run. That nothing could be read is no error: the probe says so. KS_E_ENV: no memory. */
enum ks_status ks_telemetry_read(const struct ks_ctx *ctx, const struct ks_tel_ask *ask,
				 const struct ks_telemetry **tel, struct ks_err *err);
/* The same for a text that is there already. */
enum ks_status ks_telemetry_parse(const struct ks_ctx *ctx, const struct ks_tel_ask *ask,
				  ks_str text, const struct ks_telemetry **tel, struct ks_err *err);

#endif
