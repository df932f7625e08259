/* SPDX-License-Identifier: Apache-2.0
 *
 * The only place that knows libcurl. Its functions are declared here as its documentation has them;
 * the numbers of options and results are part of its stable ABI (curl.h, libcurl 4).
 */
#include "source/http.h"

#include <strings.h>

#include "base/dl.h"
#include "base/str.h"

#define ERROR_BYTES 256 /* CURL_ERROR_SIZE */
#define REDIRECTS   3
#define STATUS_FINE 200

enum {
	OPT_WRITEDATA = 10001,
	OPT_URL = 10002,
	OPT_PROXY = 10004,
	OPT_ERRORBUFFER = 10010,
	OPT_USERAGENT = 10018,
	OPT_HEADERDATA = 10029,
	OPT_WRITEFUNCTION = 20011,
	OPT_HEADERFUNCTION = 20079,
	OPT_FOLLOWLOCATION = 52,
	OPT_NOSIGNAL = 99,
	OPT_TIMEOUT_MS = 155,
	OPT_CONTENT_DECODING = 158,
	OPT_PROTOCOLS = 181,
	PROTOCOLS_HTTP_HTTPS = 1 | 2,
	INFO_STATUS = 0x200002,
	INFO_REDIRECT_URL = 0x10001f,
	CODE_OK = 0,
	CODE_TIMEOUT = 28,
};

struct curl {
	struct ks_dl dl;
	void *(*init)(void);
	int (*setopt)(void *easy, int option, ...);
	int (*perform)(void *easy);
	int (*getinfo)(void *easy, int info, ...);
	void (*cleanup)(void *easy);
	const char *(*strerror)(int code);
};

#define URL_LONGEST 2048

struct said { /* what came of one request */
	char *detail;
	size_t size;
	bool terse;		/* see ks_http_ask */
	char next[URL_LONGEST]; /* where to ask again; "" nowhere */
};

struct answer { /* while it comes */
	const struct curl *lib;
	void *easy;
	struct ks_buf *body;
	char encoding[32]; /* "" none */
	bool cut;
};

#define FIND(field, symbol) lib->field = (__typeof__(lib->field))ks_dl_find(&lib->dl, symbol)

static bool find_functions(struct curl *lib)
{
	FIND(init, "curl_easy_init");
	FIND(setopt, "curl_easy_setopt");
	FIND(perform, "curl_easy_perform");
	FIND(getinfo, "curl_easy_getinfo");
	FIND(cleanup, "curl_easy_cleanup");
	FIND(strerror, "curl_easy_strerror");
	return lib->init && lib->setopt && lib->perform && lib->getinfo && lib->cleanup &&
	       lib->strerror;
}

/* It stays loaded: its TLS library has work to do when the program ends. */
static bool load(struct curl *lib, const char *own)
{
	static const char *const usual[] = { "libcurl.so.4", "libcurl-gnutls.so.4" };
	char why[ERROR_BYTES];

	if (own != NULL)
		return ks_dl_open(&lib->dl, own, why, sizeof(why)) && find_functions(lib);
	for (size_t i = 0; i < KS_ARRAY_LEN(usual); i++)
		if (ks_dl_open(&lib->dl, usual[i], why, sizeof(why)) && find_functions(lib))
			return true;
	return false;
}

/* --- while the answer comes
 * ----------------------------------------------------------------------- */

static long status_of(const struct answer *a)
{
	long status = 0;

	return a->lib->getinfo(a->easy, INFO_STATUS, &status) == CODE_OK ? status : 0;
}

static void keep_encoding(struct answer *a, ks_str value)
{
	value = ks_str_trim(value);
	if (value.n >= sizeof(a->encoding))
		value.n = sizeof(a->encoding) - 1;
	memcpy(a->encoding, value.p, value.n);
	a->encoding[value.n] = '\0';
	if (strcasecmp(a->encoding, "identity") == 0)
		a->encoding[0] = '\0';
}

static size_t on_header(char *p, size_t size, size_t n, void *user)
{
	static const char name[] = "content-encoding:";
	const size_t len = sizeof(name) - 1;
	struct answer *a = user;

	if (size * n > len && strncasecmp(p, name, len) == 0)
		keep_encoding(a, (ks_str){ p + len, size * n - len });
	return size * n;
}

/* Any other count than it was given ends the transfer: nothing more of it is of use. */
static size_t on_body(char *p, size_t size, size_t n, void *user)
{
	struct answer *a = user;
	const size_t room = a->body->max - a->body->n;

	if (a->encoding[0] != '\0' || status_of(a) != STATUS_FINE)
		return 0;
	a->cut = size * n > room;
	ks_buf_add(a->body, p, a->cut ? room : size * n);
	return a->cut || ks_buf_failed(a->body) ? 0 : size * n;
}

/* --- one request
 * ---------------------------------------------------------------------------------- */

static void prepare(struct answer *a, const char *url, long timeout_ms, char *error)
{
	const struct curl *lib = a->lib;

	lib->setopt(a->easy, OPT_URL, url);
	lib->setopt(a->easy, OPT_PROTOCOLS, (long)PROTOCOLS_HTTP_HTTPS);
	lib->setopt(a->easy, OPT_PROXY, "");
	lib->setopt(a->easy, OPT_FOLLOWLOCATION, 0L);
	lib->setopt(a->easy, OPT_CONTENT_DECODING, 0L);
	lib->setopt(a->easy, OPT_NOSIGNAL, 1L);
	lib->setopt(a->easy, OPT_TIMEOUT_MS, timeout_ms);
	lib->setopt(a->easy, OPT_USERAGENT, "kernoscope/" KS_VERSION);
	lib->setopt(a->easy, OPT_ERRORBUFFER, error);
	lib->setopt(a->easy, OPT_HEADERFUNCTION, on_header);
	lib->setopt(a->easy, OPT_HEADERDATA, (void *)a);
	lib->setopt(a->easy, OPT_WRITEFUNCTION, on_body);
	lib->setopt(a->easy, OPT_WRITEDATA, (void *)a);
}

static enum ks_tel_why outcome(const struct answer *a, int code, const char *error, char *detail,
			       size_t size)
{
	const long status = status_of(a);

	detail[0] = '\0';
	if (status != 0 && status != STATUS_FINE) {
		(void)snprintf(detail, size, "%ld", status);
		return KS_TEL_HTTP_ERROR;
	}
	if (a->encoding[0] != '\0') {
		(void)snprintf(detail, size, "%s", a->encoding);
		return KS_TEL_NETWORK_ERROR;
	}
	if (a->cut)
		return KS_TEL_CUT;
	if (code == CODE_OK)
		return KS_TEL_FINE;
	if (code == CODE_TIMEOUT)
		return KS_TEL_TIMEOUT;
	(void)snprintf(detail, size, "%s", error[0] != '\0' ? error : a->lib->strerror(code));
	return KS_TEL_NETWORK_ERROR;
}

/* Where the answer sends us, when that is the same origin; copied, because it goes with the handle.
 */
static bool follows(const struct answer *a, const char *url, char *next, size_t size)
{
	const char *to = NULL;
	const size_t origin = ks_http_origin_len(url);

	if (a->lib->getinfo(a->easy, INFO_REDIRECT_URL, &to) != CODE_OK || to == NULL ||
	    strlen(to) >= size || ks_http_origin_len(to) != origin ||
	    strncasecmp(to, url, origin) != 0)
		return false;
	(void)snprintf(next, size, "%s", to);
	return true;
}

static enum ks_tel_why get_once(const struct curl *lib, const char *url, long timeout_ms,
				struct ks_buf *body, struct said *said)
{
	struct answer a = { .lib = lib, .body = body, .easy = lib->init() };
	char error[ERROR_BYTES] = "";

	said->next[0] = '\0';
	if (a.easy == NULL) {
		(void)snprintf(said->detail, said->size, "no memory");
		return KS_TEL_NETWORK_ERROR;
	}
	ks_buf_reset(body);
	prepare(&a, url, timeout_ms, error);
	const int code = lib->perform(a.easy);

	if (said->terse)
		error[0] = '\0';
	const enum ks_tel_why why = outcome(&a, code, error, said->detail, said->size);

	if (why != KS_TEL_HTTP_ERROR || !follows(&a, url, said->next, sizeof(said->next)))
		said->next[0] = '\0';
	lib->cleanup(a.easy);
	return why;
}

/* --- the whole
 * ------------------------------------------------------------------------------------ */

size_t ks_http_origin_len(const char *url)
{
	const char *at = strstr(url, "://");

	if (at == NULL || at == url)
		return 0;
	for (const char *c = url; c < at; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '+' ||
		      (c > url && ((*c >= '0' && *c <= '9') || *c == '.' || *c == '-'))))
			return 0;
	/* as libcurl divides it: slashes too many count for nothing, and no other sign ends a host
	 */
	at += 3 + strspn(at + 3, "/");
	return (size_t)(at - url) + strcspn(at, "/?#");
}

bool ks_http_has_credentials(const char *url)
{
	return memchr(url, '@', ks_http_origin_len(url)) != NULL;
}

static bool is_web(const char *url)
{
	return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

static enum ks_tel_why get(const struct curl *lib, const struct ks_http_ask *ask,
			   struct ks_buf *body, struct said *said)
{
	const ks_ns until = ask->clock->monotonic() + (ks_ns)(ask->timeout_s * 1e9);
	char url[URL_LONGEST];
	enum ks_tel_why why = KS_TEL_NETWORK_ERROR;

	(void)snprintf(url, sizeof(url), "%s", ask->url);
	for (int i = 0; i <= REDIRECTS; i++) {
		const ks_ns left = until - ask->clock->monotonic();

		if (left <= 0)
			return KS_TEL_TIMEOUT;
		/* 0 would be no limit at all */
		why = get_once(lib, url, (long)(left / 1000000) + 1, body, said);
		if (said->next[0] == '\0')
			break;
		(void)snprintf(url, sizeof(url), "%s", said->next);
	}
	return why;
}

static enum ks_tel_why refuse(struct said *said, enum ks_tel_why why, const char *detail)
{
	(void)snprintf(said->detail, said->size, "%s", detail);
	return why;
}

enum ks_tel_why ks_http_get(const struct ks_http_ask *ask, struct ks_buf *body, char *detail,
			    size_t size)
{
	struct curl lib = { .dl = { NULL } };
	struct said said = { .detail = detail, .size = size, .terse = ask->terse };

	if (!is_web(ask->url))
		return refuse(&said, KS_TEL_UNSUPPORTED_SCHEME, "");
	if (ks_http_has_credentials(ask->url))
		return refuse(&said, KS_TEL_NETWORK_ERROR, "credentials");
	if (strlen(ask->url) >= URL_LONGEST)
		return refuse(&said, KS_TEL_NETWORK_ERROR, "URL too long");
	if (!load(&lib, ask->library))
		return refuse(&said, KS_TEL_NOT_BUILT_IN, "libcurl");
	return get(&lib, ask, body, &said);
}
