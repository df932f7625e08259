/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads --ks-rule. Knows no report.
 */
#include "verdict/findings_rule.h"

#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "base/str.h"

static enum ks_status wrong(enum ks_text id, ks_str text, struct ks_err *err)
{
	char shown[KS_ERR_ARG_LEN];

	snprintf(shown, sizeof(shown), "%.*s", (int)text.n, text.p);
	return ks_err_set(err, KS_E_USAGE, (int)id, shown, NULL);
}

static bool is_name(ks_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (!(s.p[i] >= 'a' && s.p[i] <= 'z') && !(s.p[i] >= '0' && s.p[i] <= '9') &&
		    s.p[i] != '_')
			return false;
	}
	return s.n > 0 && s.n <= 40;
}

static bool is_number(ks_str s, double *v)
{
	return s.n > 0 && ks_num_parse_double(s, v) && isfinite(*v);
}

/* NAME=PCT, NAME=off */
static enum ks_status read_change(ks_str text, size_t at, struct ks_own_rule *out,
				  struct ks_err *err)
{
	const ks_str value = ks_str_trim((ks_str){ text.p + at + 1, text.n - at - 1 });
	const char *slug[KS_RULE_COUNT];
	char name[KS_ERR_ARG_LEN];

	out->rule = ks_rule_find(out->name);
	if (out->rule == KS_RULE_NONE) {
		for (unsigned i = 0; i + 1 < KS_RULE_COUNT; i++)
			slug[i] = ks_rule_info((enum ks_rule)(i + 1))->slug;
		const char *near = ks_str_nearest(out->name, slug, KS_RULE_COUNT - 1);

		snprintf(name, sizeof(name), "%.*s", (int)out->name.n, out->name.p);
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_VD_RULE_NAME, name,
				  near ? near : slug[0], NULL);
	}
	out->off = ks_str_eqc(value, "off");
	if (out->off)
		return KS_OK;
	if (!is_number(value, &out->least_pct) || out->least_pct < 0.0 || out->least_pct > 100.0)
		return wrong(KS_TEXT_ERR_VD_RULE_PCT, text, err);
	return KS_OK;
}

/* NAME:METRIC>VALUE, NAME:METRIC<VALUE */
static enum ks_status read_own(ks_str text, size_t at, struct ks_own_rule *out, struct ks_err *err)
{
	const ks_str rest = { text.p + at + 1, text.n - at - 1 };
	size_t sign = 0;

	while (sign < rest.n && rest.p[sign] != '>' && rest.p[sign] != '<')
		sign++;
	if (ks_rule_find(out->name) != KS_RULE_NONE)
		return wrong(KS_TEXT_ERR_VD_RULE_TAKEN, out->name, err);
	if (sign == rest.n)
		return wrong(KS_TEXT_ERR_VD_RULE, text, err);
	out->above = rest.p[sign] == '>';
	out->metric = ks_str_trim((ks_str){ rest.p, sign });
	if (ks_metric_find(out->metric) == KS_METRIC_NONE)
		return wrong(KS_TEXT_ERR_VD_RULE_METRIC, out->metric, err);
	if (!is_number(ks_str_trim((ks_str){ rest.p + sign + 1, rest.n - sign - 1 }),
		       &out->threshold))
		return wrong(KS_TEXT_ERR_VD_RULE, text, err);
	return KS_OK;
}

enum ks_status ks_own_rule_read(ks_str text, struct ks_own_rule *out, struct ks_err *err)
{
	size_t at = 0;

	while (at < text.n && text.p[at] != '=' && text.p[at] != ':')
		at++;
	*out = (struct ks_own_rule){ .name = ks_str_trim((ks_str){ text.p, at }) };
	if (at == text.n || !is_name(out->name))
		return wrong(KS_TEXT_ERR_VD_RULE, text, err);
	return text.p[at] == '=' ? read_change(text, at, out, err) : read_own(text, at, out, err);
}

enum ks_status ks_findings_check(const ks_str *rule, size_t n, struct ks_err *err)
{
	struct ks_own_rule read;

	for (size_t i = 0; i < n; i++)
		KS_TRY(ks_own_rule_read(rule[i], &read, err));
	return KS_OK;
}
