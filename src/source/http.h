/* SPDX-License-Identifier: Apache-2.0
 *
 * One GET. libcurl is loaded at the first one, never linked. Total time and bytes have a ceiling;
 * http and https only, no proxy, no stored credentials, no compressed body, and no redirect that
 * leaves scheme, host or port.
 */
#ifndef KS_SOURCE_HTTP_H
#define KS_SOURCE_HTTP_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "evidence/telemetry.h"

struct ks_http_ask {
	const char *url;
	double timeout_s; /* for everything, redirects included */
	const struct ks_clock *clock;
	bool terse;	     /* what went wrong is said without names of hosts */
	const char *library; /* NULL: libcurl by its usual names */
};

/* FINE and the body in `body`; CUT: it was longer than body->max, which is what there is; else why
 * not, and the particulars in `detail` ("500", "gzip", ...). */
enum ks_tel_why ks_http_get(const struct ks_http_ask *ask, struct ks_buf *body, char *detail,
			    size_t size);
/* Length of SCHEME://AUTHORITY at the front; 0 when the text has no scheme. */
size_t ks_http_origin_len(const char *url);
/* Whether a name or password stands in front of the host. */
bool ks_http_has_credentials(const char *url);

#endif
