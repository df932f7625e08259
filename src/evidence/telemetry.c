/* SPDX-License-Identifier: Apache-2.0
 *
 * The words for why a reading has no value; those of the original where it has one (contract 05
 * §8).
 */
#include "evidence/telemetry.h"

const char *ks_tel_why_word(enum ks_tel_why why)
{
	static const char *const word[KS_TEL_WHY_COUNT] = {
		[KS_TEL_FINE] = "",
		[KS_TEL_NO_SOURCE] = "no_source",
		[KS_TEL_IO_ERROR] = "io_error",
		[KS_TEL_NETWORK_ERROR] = "network_error",
		[KS_TEL_TIMEOUT] = "timeout",
		[KS_TEL_HTTP_ERROR] = "http_error",
		[KS_TEL_UNSUPPORTED_SCHEME] = "unsupported_scheme",
		[KS_TEL_BAD_TIMEOUT] = "bad_timeout",
		[KS_TEL_NO_SERIES] = "no_prometheus_series",
		[KS_TEL_CUT] = "truncated",
		[KS_TEL_NOT_BUILT_IN] = "not_built_in",
		[KS_TEL_ABSENT] = "absent",
		[KS_TEL_SEMANTICS_UNKNOWN] = "semantics_unknown",
		[KS_TEL_UNKNOWN_FIELD] = "unknown_field",
		[KS_TEL_NAN] = "nan",
		[KS_TEL_INF] = "inf",
		[KS_TEL_BLANK] = "blank",
		[KS_TEL_BAD_VALUE] = "bad_value",
		[KS_TEL_BAD_TIMESTAMP] = "bad_timestamp",
		[KS_TEL_EXTRA_TOKENS] = "extra_tokens",
		[KS_TEL_NO_UNIT] = "no_unit",
		[KS_TEL_COUNTER] = "counter",
		[KS_TEL_OTHER_FIELD] = "other_field",
		[KS_TEL_SAME_NAME] = "same_name",
		[KS_TEL_BAD_LINE] = "bad_line",
		[KS_TEL_UNENDED] = "unended",
		[KS_TEL_TOO_MANY] = "too_many",
	};

	return (unsigned)why < KS_TEL_WHY_COUNT ? word[why] : "";
}
