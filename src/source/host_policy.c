/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver's policy and the kernel allow this process, by the three files of contract 05
 * §11. A file that is missing, too large, or holds something else leaves its reading unread.
 */
#include "base/num.h"
#include "base/str.h"
#include "source/host_internal.h"

/* The real files have a few KiB. */
enum { FILE_BYTES = 65536 };

static ks_str path_of(const struct ks_host_run *r, enum ks_place_kind kind)
{
	const struct ks_paths p = ks_host_paths(r, kind, false);

	return p.n > 0 ? p.path[0] : ks_str_c("");
}

/* The value of "Key: value"; false when it is not there or cannot be whole. */
static bool find(ks_str text, bool whole, const char *key, ks_str *value)
{
	while (text.p != NULL) {
		ks_str rest = ks_str_cut(&text, '\n');

		if (text.p == NULL && !whole)
			return false; /* the line that was cut */
		if (ks_str_eqc(ks_str_cut(&rest, ':'), key) && rest.p != NULL) {
			*value = ks_str_trim(rest);
			return true;
		}
	}
	return false;
}

static void read_params(const struct ks_host_run *r)
{
	struct ks_host *h = r->host;
	ks_str text, value;
	uint64_t v = 0;
	bool whole;

	h->params_path = path_of(r, KS_PLACE_PARAMS);
	if (ks_host_file(r->a, h->params_path, FILE_BYTES, &text, &whole) &&
	    find(text, whole, "RmProfilingAdminOnly", &value) && ks_num_parse_u64(value, &v))
		h->admin_only = v != 0 ? KS_KNOWN_YES : KS_KNOWN_NO;
}

static bool hex(ks_str s, uint64_t *mask)
{
	uint64_t v = 0;

	if (s.n == 0 || s.n > 16)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		const char c = s.p[i];

		if (c >= '0' && c <= '9')
			v = v * 16 + (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v * 16 + (uint64_t)(c - 'a') + 10;
		else if (c >= 'A' && c <= 'F')
			v = v * 16 + (uint64_t)(c - 'A') + 10;
		else
			return false;
	}
	*mask = v;
	return true;
}

static void read_status(const struct ks_host_run *r)
{
	struct ks_host *h = r->host;
	ks_str text, eff, bnd;
	bool whole;

	h->status_path = path_of(r, KS_PLACE_STATUS);
	h->caps_read = ks_host_file(r->a, h->status_path, FILE_BYTES, &text, &whole) &&
		       find(text, whole, "CapEff", &eff) && find(text, whole, "CapBnd", &bnd) &&
		       hex(eff, &h->cap_eff) && hex(bnd, &h->cap_bnd);
}

static void read_paranoid(const struct ks_host_run *r)
{
	struct ks_host *h = r->host;
	ks_str text;
	int64_t v = 0;
	bool whole;

	h->paranoid_path = path_of(r, KS_PLACE_PARANOID);
	if (ks_host_file(r->a, h->paranoid_path, FILE_BYTES, &text, &whole) && whole &&
	    ks_num_parse_i64(ks_str_trim(text), &v))
		h->perf_paranoid = v;
}

void ks_host_policy(const struct ks_host_run *r)
{
	read_params(r);
	read_status(r);
	read_paranoid(r);
}
