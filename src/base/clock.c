/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's clocks. SOURCE_DATE_EPOCH (reproducible-builds.org) stands in for the time of day.
 */
#include "base/clock.h"

#include "base/num.h"
#include "base/str.h"

#define YEAR_1	  INT64_C(-62135596800) /* 0001-01-01T00:00:00Z */
#define YEAR_9999 INT64_C(253402300799) /* 9999-12-31T23:59:59Z */

static ks_ns monotonic(void)
{
	struct timespec ts = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (ks_ns)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static int64_t epoch_s(void)
{
	int64_t fixed;

	if (ks_num_parse_i64(ks_str_c(getenv("SOURCE_DATE_EPOCH")), &fixed) && fixed >= 0 &&
	    fixed <= YEAR_9999)
		return fixed;
	return (int64_t)time(NULL);
}

const struct ks_clock ks_clock_system = { .monotonic = monotonic, .epoch_s = epoch_s };

size_t ks_clock_iso(char out[32], int64_t epoch)
{
	const int64_t clamped = epoch < YEAR_1 ? YEAR_1 : epoch > YEAR_9999 ? YEAR_9999 : epoch;
	const time_t t = (time_t)clamped;
	struct tm tm = { 0 };

	(void)gmtime_r(&t, &tm);

	/* The remainders tell the compiler what the clamp already made sure of: nothing is cut. */
	const int n = snprintf(out, 32, "%04d-%02d-%02dT%02d:%02d:%02d+0000",
			       (tm.tm_year + 1900) % 10000, (tm.tm_mon + 1) % 100, tm.tm_mday % 100,
			       tm.tm_hour % 100, tm.tm_min % 100, tm.tm_sec % 100);

	return n > 0 && n < 32 ? (size_t)n : 0;
}
