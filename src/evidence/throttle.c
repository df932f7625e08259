/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads and names the mask bit by bit. Judges no reason.
 */
#include "evidence/throttle.h"

#include "base/num.h"
#include "base/str.h"
#include "tables/telemetry.h"

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* 63 bits: the sign is taken by what is not known. */
static int64_t read_hex(ks_str digits)
{
	int64_t v = 0;

	if (digits.n == 0)
		return KS_THROTTLE_UNKNOWN;
	for (size_t i = 0; i < digits.n; i++) {
		const int d = hex_digit(digits.p[i]);

		if (d < 0 || v > INT64_MAX >> 4)
			return KS_THROTTLE_UNKNOWN;
		v = v << 4 | d;
	}
	return v;
}

int64_t ks_throttle_read(ks_str token)
{
	int64_t v = 0;

	token = ks_str_trim(token);
	if (ks_str_eqc(token, "Not Active"))
		return 0;
	if (ks_str_starts(token, "0x") || ks_str_starts(token, "0X"))
		return read_hex((ks_str){ token.p + 2, token.n - 2 });
	return ks_num_parse_i64(token, &v) && v >= 0 ? v : KS_THROTTLE_UNKNOWN;
}

static const char *name_of(uint64_t bit)
{
	for (size_t i = 0; i < ks_throttle_count(); i++)
		if (ks_throttle_at(i)->bit == bit)
			return ks_throttle_at(i)->name;
	return NULL;
}

void ks_throttle_names(struct ks_buf *out, int64_t mask)
{
	const char *between = "";

	if (mask < 0) {
		ks_buf_cstr(out, "unspecified");
		return;
	}
	for (unsigned bit = 0; bit < 63; bit++) {
		const char *name = name_of(UINT64_C(1) << bit);

		if (((uint64_t)mask >> bit & 1) == 0)
			continue;
		ks_buf_cstr(out, between);
		if (name != NULL)
			ks_buf_cstr(out, name);
		else
			ks_buf_fmt(out, "bit%u", bit);
		between = ", ";
	}
}
