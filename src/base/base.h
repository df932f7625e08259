/* SPDX-License-Identifier: Apache-2.0
 *
 * The few types and macros every layer shares. Includes nothing of ours but the ban list.
 */
#ifndef KS_BASE_BASE_H
#define KS_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A borrowed view of bytes, not NUL-terminated unless the producer says so. Lives as long as what
 * it points into. Names in traces come from strangers: any byte may occur, 0 included. */
typedef struct {
	const char *p;
	size_t n;
} ks_str;

typedef uint32_t ks_id; /* row of the evidence store; 0 = none */
typedef int64_t ks_ns;	/* nanoseconds */

/* What a function that can fail returns. KS_OK is 0. The class decides the exit code
 * (exit_codes.def) and the `cause` field of the JSON error envelope. */
enum ks_status {
	KS_OK = 0,
	KS_E_USAGE,    /* the command line is wrong: exit 2 */
	KS_E_INPUT,    /* an input cannot be read or is not what it should be: exit 1 */
	KS_E_OUTPUT,   /* an output could not be written whole: exit 1 */
	KS_E_ENV,      /* something of the machine is missing (a tool, memory, a right): exit 1 */
	KS_E_NOMATCH,  /* the selection matches nothing: exit 1 */
	KS_E_STRICT,   /* --strict found a violation: exit 2 */
	KS_E_INTERNAL, /* our own mistake: exit 1 */
};

#define KS_LIT(s)	((ks_str){ (s), sizeof(s) - 1 })
#define KS_STR_NONE	((ks_str){ NULL, 0 })
#define KS_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define KS_NS_PER_MS	1e6
#define KS_UNKNOWN	INT64_MIN /* an integer column that was absent or NULL; never 0 */

/* Returns from the enclosing function when `expr` is not KS_OK. */
#define KS_TRY(expr)                                                                               \
	do {                                                                                       \
		enum ks_status ks_try_ = (expr);                                                   \
		if (ks_try_ != KS_OK)                                                              \
			return ks_try_;                                                            \
	} while (0)

#if defined(__GNUC__)
#define KS_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define KS_MUST_USE	     __attribute__((warn_unused_result))
#define KS_UNUSED	     __attribute__((unused))
#else
#define KS_PRINTF(fmt, args)
#define KS_MUST_USE
#define KS_UNUSED
#endif

/* For our own mistakes only, never for input. Aborts with file and line in debug builds
 * (-DKS_DEBUG); a no-op otherwise, the caller then takes its internal_unknown path. */
#ifdef KS_DEBUG
#define BUG_ON(cond)                                                                               \
	do {                                                                                       \
		if (cond)                                                                          \
			ks_bug(__FILE__, __LINE__, #cond);                                         \
	} while (0)
#else
#define BUG_ON(cond) ((void)sizeof(cond))
#endif
void ks_bug(const char *file, int line, const char *what) __attribute__((noreturn));

#include "base/banned.h"
#endif
