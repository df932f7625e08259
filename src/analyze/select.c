/* SPDX-License-Identifier: Apache-2.0
 *
 * -k. Patterns are PCRE2 with limits on steps and memory; names are bytes, invalid UTF-8 in them
 * matches nothing but does not stop the search.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "analyze/select.h"

#include <pcre2.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

struct ks_matcher {
	ks_str expr;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
};

static const char regex_prefix[] = "regex:";

void ks_matcher_close(struct ks_matcher *m)
{
	if (!m)
		return;
	pcre2_match_context_free(m->limits);
	pcre2_match_data_free(m->data);
	pcre2_code_free(m->code);
	ks_mem_free(m);
}

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "-k", NULL);
}

static enum ks_status compile(struct ks_matcher *m, struct ks_err *err)
{
	const ks_str pattern = { m->expr.p + sizeof(regex_prefix) - 1,
				 m->expr.n - (sizeof(regex_prefix) - 1) };
	int code = 0;
	PCRE2_SIZE at = 0;

	m->code = pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n,
				PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &at, NULL);
	if (!m->code) {
		PCRE2_UCHAR what[128] = { 0 };
		char place[KS_NUM_LEN], text[KS_ERR_ARG_LEN];
		const size_t n = pattern.n < sizeof(text) - 1 ? pattern.n : sizeof(text) - 1;

		if (code == PCRE2_ERROR_NOMEMORY)
			return no_memory(err);
		pcre2_get_error_message(code, what, sizeof(what));
		ks_num_u64(place, at);
		memcpy(text, pattern.p, n);
		text[n] = '\0';
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_AN_BAD_PATTERN, text, place,
				  (const char *)what, NULL);
	}
	m->data = pcre2_match_data_create_from_pattern(m->code, NULL);
	m->limits = pcre2_match_context_create(NULL);
	if (!m->data || !m->limits)
		return no_memory(err);
	pcre2_set_match_limit(m->limits, (uint32_t)ks_limit(KS_LIMIT_REGEX_STEPS));
	pcre2_set_heap_limit(m->limits,
			     (uint32_t)(ks_limit(KS_LIMIT_REGEX_BYTES) / 1024)); /* KiB */
	return KS_OK;
}

enum ks_status ks_matcher_open(struct ks_matcher **out, ks_str expr, struct ks_err *err)
{
	struct ks_matcher *m = ks_mem_alloc(sizeof(*m));
	enum ks_status st = KS_OK;

	if (!m)
		return no_memory(err);
	m->expr = expr;
	if (ks_str_starts(expr, regex_prefix))
		st = compile(m, err);
	if (st != KS_OK) {
		ks_matcher_close(m);
		return st;
	}
	*out = m;
	return KS_OK;
}

bool ks_matcher_is_regex(const struct ks_matcher *m)
{
	return m->code != NULL;
}

enum ks_status ks_matcher_test(struct ks_matcher *m, ks_str name, bool *hit, struct ks_err *err)
{
	if (!m->code) {
		*hit = m->expr.n == 0 || ks_str_eq(m->expr, name);
		return KS_OK;
	}
	int rc = pcre2_match(m->code, (PCRE2_SPTR)(name.n ? name.p : ""), name.n, 0, 0, m->data,
			     m->limits);

	*hit = rc >= 0;
	if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
		return KS_OK;
	if (rc == PCRE2_ERROR_NOMEMORY)
		return no_memory(err);
	return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_AN_PATTERN_COST, NULL);
}

/* --- nearest names -------------------------------------------------------------------------------
 */

#define FAR 64 /* a name further away than this is not near at all */

static size_t rate(ks_str asked, ks_str name)
{
	if (asked.n == 0 || ks_str_has(name, asked))
		return 0;
	if (name.n && ks_str_has(asked, name))
		return 1;
	if (asked.n > 4 * FAR || name.n > 4 * FAR)
		return FAR + 2;
	return 1 + ks_str_distance(asked, name, FAR);
}

size_t ks_nearest_names(ks_str asked, const ks_str *name, size_t n, ks_str *out, size_t max)
{
	size_t rating[16] = { 0 }, have = 0;

	if (max > KS_ARRAY_LEN(rating))
		max = KS_ARRAY_LEN(rating);
	for (size_t i = 0; i < n; i++) {
		size_t r = rate(asked, name[i]), at = have;

		while (at > 0 && rating[at - 1] > r)
			at--;
		if (at >= max)
			continue;
		if (have < max)
			have++;
		for (size_t k = have - 1; k > at; k--) {
			rating[k] = rating[k - 1];
			out[k] = out[k - 1];
		}
		rating[at] = r;
		out[at] = name[i];
	}
	return have;
}
