/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers to text and back. Relies on the C locale, which is the only one as setlocale is banned.
 * Refuses blanks, tails, hexadecimal, infinities and NaN.
 */
#include "base/num.h"

#include <math.h>
#include <stdlib.h>

#define EXACT_INT     9007199254740992.0 /* 2^53: integers below it are doubles one to one */
#define MICRO	      1e6
#define MICRO_MOST    1e9   /* below it a value in millionths has at most 15 digits */
#define MICRO_LEAST   1e-4  /* below it %g switches to an exponent */
#define PARSE_LONGEST 1100u /* a denormal written out in full has 1,077 characters */

/* Two digits a division: launch tables print ten million numbers. */
static const char pairs[] = "0001020304050607080910111213141516171819"
			    "2021222324252627282930313233343536373839"
			    "4041424344454647484950515253545556575859"
			    "6061626364656667686970717273747576777879"
			    "8081828384858687888990919293949596979899";

static const uint64_t powers[] = {
	1u,
	10u,
	100u,
	1000u,
	10000u,
	100000u,
	1000000u,
	10000000u,
	100000000u,
	1000000000u,
	10000000000u,
	100000000000u,
	1000000000000u,
	10000000000000u,
	100000000000000u,
	1000000000000000u,
	10000000000000000u,
	100000000000000000u,
	1000000000000000000u,
	10000000000000000000u,
};

/* 1233 / 4096 is log10(2) from above, near enough for 64 bits to be at most one too many. */
static size_t count_digits(uint64_t v)
{
	const unsigned bits = 64 - (unsigned)__builtin_clzll(v | 1);
	const unsigned guess = bits * 1233 >> 12;

	return guess + (v >= powers[guess]) + (v == 0);
}

size_t ks_num_u64(char out[KS_NUM_LEN], uint64_t v)
{
	const size_t n = count_digits(v);
	size_t at = n;

	while (at >= 2) {
		at -= 2;
		memcpy(out + at, pairs + 2 * (v % 100), 2);
		v /= 100;
	}
	if (at > 0)
		out[0] = (char)('0' + v);
	out[n] = '\0';
	return n;
}

static uint64_t magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

size_t ks_num_i64(char out[KS_NUM_LEN], int64_t v)
{
	const size_t sign = v < 0;

	out[0] = '-';
	return sign + ks_num_u64(out + sign, magnitude(v));
}

static bool is_exact_int(double v)
{
	return fabs(v) < EXACT_INT && !(v > trunc(v)) && !(v < trunc(v));
}

static bool same(double a, double b)
{
	return !(a < b) && !(a > b);
}

/* Values with at most six decimals, such as milliseconds of a nanosecond clock: with at most 15
 * digits there is only one such text, so it is the shortest, and dividing two exact integers rounds
 * as reading the text does. 0 when v is none of these. */
static size_t put_decimals(char out[KS_NUM_LEN], double v)
{
	const double a = fabs(v);

	if (!(a >= MICRO_LEAST && a < MICRO_MOST))
		return 0;

	const double micro = nearbyint(a * MICRO);

	if (!same(micro / MICRO, a))
		return 0;

	const uint64_t whole = (uint64_t)micro / (uint64_t)MICRO;
	uint64_t part = (uint64_t)micro % (uint64_t)MICRO;
	size_t n = v < 0, end;

	out[0] = '-';
	n += ks_num_u64(out + n, whole);
	out[n] = '.';
	end = n + 6;
	for (size_t i = end; i > n; i--, part /= 10)
		out[i] = (char)('0' + part % 10);
	while (out[end] == '0')
		end--;
	out[end + 1] = '\0';
	return end + 1;
}

size_t ks_num_double(char out[KS_NUM_LEN], double v)
{
	if (is_exact_int(v) && !(same(v, 0.0) && signbit(v)))
		return ks_num_i64(out, (int64_t)v);

	const size_t n = put_decimals(out, v);

	if (n > 0)
		return n;
	/* Up to 15 digits a normal double is given back; denormals hold fewer. */
	for (int digits = fpclassify(v) == FP_SUBNORMAL ? 1 : 15; digits < 17; digits++) {
		const int len = snprintf(out, KS_NUM_LEN, "%.*g", digits, v);

		if (same(strtod(out, NULL), v))
			return (size_t)len;
	}
	return (size_t)snprintf(out, KS_NUM_LEN, "%.17g", v);
}

size_t ks_num_human(char out[KS_NUM_LEN], double v)
{
	if (is_exact_int(v))
		return ks_num_i64(out, (int64_t)v);
	return (size_t)snprintf(out, KS_NUM_LEN, "%.6g", v);
}

size_t ks_num_grouped(char out[KS_NUM_LEN], int64_t v)
{
	char digits[KS_NUM_LEN];
	const size_t n = ks_num_u64(digits, magnitude(v));
	size_t at = 0;

	if (v < 0)
		out[at++] = '-';
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return at;
}

/* Takes an optional sign off *s. */
static bool cut_sign(ks_str *s)
{
	const bool minus = s->n > 0 && s->p[0] == '-';

	if (minus || (s->n > 0 && s->p[0] == '+')) {
		s->p++;
		s->n--;
	}
	return minus;
}

static bool parse_digits(ks_str s, uint64_t *v)
{
	uint64_t sum = 0;

	if (s.n == 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		const unsigned digit = (unsigned)(unsigned char)s.p[i] - '0';

		if (digit > 9 || sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*v = sum;
	return true;
}

bool ks_num_parse_u64(ks_str s, uint64_t *v)
{
	return !(s.n > 0 && s.p[0] == '-') && (cut_sign(&s), parse_digits(s, v));
}

bool ks_num_parse_i64(ks_str s, int64_t *v)
{
	const bool minus = cut_sign(&s);
	uint64_t u;

	if (!parse_digits(s, &u) || u > (uint64_t)INT64_MAX + minus)
		return false;
	*v = minus ? -(int64_t)(u - (u > 0)) - (u > 0) : (int64_t)u;
	return true;
}

static size_t cut_digits(ks_str *s)
{
	size_t n = 0;

	while (n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
		n++;
	s->p += n;
	s->n -= n;
	return n;
}

/* [sign] digits [. digits] [e [sign] digits], with a digit on one side of the point at least. */
static bool is_decimal(ks_str s)
{
	(void)cut_sign(&s);

	size_t digits = cut_digits(&s);

	if (s.n > 0 && s.p[0] == '.') {
		s.p++;
		s.n--;
		digits += cut_digits(&s);
	}
	if (digits == 0)
		return false;
	if (s.n > 0 && (s.p[0] == 'e' || s.p[0] == 'E')) {
		s.p++;
		s.n--;
		(void)cut_sign(&s);
		if (cut_digits(&s) == 0)
			return false;
	}
	return s.n == 0;
}

bool ks_num_parse_double(ks_str s, double *v)
{
	char text[PARSE_LONGEST + 1];

	if (s.n == 0 || s.n > PARSE_LONGEST || !is_decimal(s))
		return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';

	const double read = strtod(text, NULL);

	if (!isfinite(read))
		return false;
	*v = read;
	return true;
}

int ks_num_cmp_i64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_value(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

double ks_num_median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2.0;
}

bool ks_num_add_u64(uint64_t *sum, uint64_t v)
{
	if (v > UINT64_MAX - *sum)
		return false;
	*sum += v;
	return true;
}
