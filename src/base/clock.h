/* SPDX-License-Identifier: Apache-2.0
 *
 * Time as a table of functions, so that tests hand in their own.
 */
#ifndef KS_BASE_CLOCK_H
#define KS_BASE_CLOCK_H

#include "base/base.h"

struct ks_clock {
	ks_ns (*monotonic)(void);
	int64_t (*epoch_s)(void); /* SOURCE_DATE_EPOCH when set and valid, else the real time */
};
extern const struct ks_clock ks_clock_system;

/* 2026-11-30T17:41:04+0000 (always UTC); returns the length. */
size_t ks_clock_iso(char out[32], int64_t epoch_s);

#endif
