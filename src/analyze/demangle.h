/* SPDX-License-Identifier: Apache-2.0
 *
 * Our own declaration of the one function of libiberty we call. demangle.h of that library is not
 * included: it drags in headers whose licence differs from that of the object we link (DESIGN §3).
 */
#ifndef KS_ANALYZE_DEMANGLE_H
#define KS_ANALYZE_DEMANGLE_H

#include <stddef.h>

#define KS_DMGL_PARAMS 1 /* DMGL_PARAMS: print the parameter list */
#define KS_DMGL_ANSI   2 /* DMGL_ANSI: print const, volatile and the like */

/* Calls `put` with pieces of the text; 0 when `mangled` is not a name of that ABI. */
int cplus_demangle_v3_callback(const char *mangled, int options,
			       void (*put)(const char *piece, size_t n, void *arg), void *arg);

#endif
