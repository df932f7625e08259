/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel names: the function name inside a demangled one, and the demangled form of a mangled one.
 * Names come from strangers; whatever they hold, the answer is a part of the input or "unknown".
 */
#ifndef KS_ANALYZE_NAME_H
#define KS_ANALYZE_NAME_H

#include "base/arena.h"
#include "base/buf.h"

/* The function name: without return type, namespaces, template arguments and parameters. A view
 * into `demangled`; the whole of it when it has no such shape. */
ks_str ks_name_function(ks_str demangled);
/* Demangles an Itanium-ABI name into `out`; false when it is not one or longer than `out` may
 * become, and when memory ran out: then `out` has failed. */
bool ks_name_demangle(ks_str mangled, struct ks_buf *out);

#endif
