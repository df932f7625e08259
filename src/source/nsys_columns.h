/* SPDX-License-Identifier: Apache-2.0
 *
 * How the tables of columns are written: one line for each column of a row type. Private to the
 * files that stream rows.
 */
#ifndef KS_SOURCE_NSYS_COLUMNS_H
#define KS_SOURCE_NSYS_COLUMNS_H

#include "source/nsys.h"

#define COLUMN(type, column, field, kind, absent, invalid, min, max)                               \
	{                                                                                          \
		column, offsetof(struct type, field), kind, absent, invalid, min, max              \
	}
#define TIME(type, column, field)                                                                  \
	COLUMN(type, column, field, KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, -KS_NSYS_TIME_MAX,        \
	       KS_NSYS_TIME_MAX)
#define NUMBER(type, column, field, absent, min, max)                                              \
	COLUMN(type, column, field, KS_NSYS_INT, absent, KS_UNKNOWN, min, max)
/* where the model says 0 for "none" */
#define OR_NONE(type, column, field, min, max)                                                     \
	COLUMN(type, column, field, KS_NSYS_INT, 0, 0, min, max)
#define NAME(type, column, field)  COLUMN(type, column, field, KS_NSYS_NAME, 0, 0, 0, 0)
#define TEXT(type, column, field)  COLUMN(type, column, field, KS_NSYS_TEXT, 0, 0, 0, 0)
#define BYTES(type, column, field) COLUMN(type, column, field, KS_NSYS_BYTES, 0, 0, 0, 0)

#define ID_MIN	    (INT64_MIN + 1) /* INT64_MIN is KS_UNKNOWN */
#define ID_MAX	    INT64_MAX
#define DIM	    INT32_MAX /* cuda limits gridDim.x to 2^31 - 1, everything else to less */
#define BLOCK_BYTES (INT64_C(1) << 40) /* more than any GPU's shared or local memory of a block */
#define SIZE	    (INT64_C(1) << 56) /* bytes of one copy or allocation */

/* The row's number in its table, for a sink that asks for it. */
#define ROW(type, field)                                                                           \
	COLUMN(type, KS_NSYS_ROW, field, KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, 0, ID_MAX)

/* Any identifier that may be unknown. */
#define ID(type, column, field) NUMBER(type, column, field, KS_UNKNOWN, ID_MIN, ID_MAX)

#endif
