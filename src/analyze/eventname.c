/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of single events, as nsys writes them. Keeps nothing but in the arena it is given.
 */
#include "analyze/eventname.h"

#include "analyze/name.h"
#include "base/str.h"
#include "model/trace.h"
#include "tables/tables.h"

ks_str ks_event_copy(struct ks_arena *a, int64_t kind)
{
	static const char *const words[] = {
		[KS_COPY_HTOD] = "Host-to-Device",
		[KS_COPY_DTOH] = "Device-to-Host",
		[KS_COPY_HTOA] = "Host-to-Array",
		[KS_COPY_ATOH] = "Array-to-Host",
		[KS_COPY_ATOA] = "Array-to-Array",
		[KS_COPY_ATOD] = "Array-to-Device",
		[KS_COPY_DTOA] = "Device-to-Array",
		[KS_COPY_DTOD] = "Device-to-Device",
		[KS_COPY_HTOH] = "Host-to-Host",
		[KS_COPY_PTOP] = "Peer-to-Peer",
		[KS_COPY_UM_HTOD] = "Unified Host-to-Device",
		[KS_COPY_UM_DTOH] = "Unified Device-to-Host",
		[KS_COPY_UM_DTOD] = "Unified Device-to-Device",
	};

	if (kind == KS_EVENT_MEMSET)
		return KS_LIT("[CUDA memset]");
	if (kind > 0 && kind < (int64_t)KS_ARRAY_LEN(words))
		return ks_arena_fmt(a, "[CUDA memcpy %s]", words[kind]);
	if (kind == KS_UNKNOWN)
		return KS_LIT("[CUDA memcpy]");
	return ks_arena_fmt(a, "[CUDA memcpy kind %lld]", (long long)kind);
}

ks_str ks_event_call(ks_str name)
{
	size_t n = name.n;

	while (n > 0 && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	if (name.n - n >= 4 && n > 2 && name.p[n - 1] == 'v' && name.p[n - 2] == '_')
		name.n = n - 2;
	return name;
}

ks_str ks_event_kernel(struct ks_arena *a, struct ks_redact *redact, ks_str name)
{
	struct ks_buf text;

	if (name.n == 0)
		return KS_LIT("(unknown)");
	if (!ks_str_starts(name, "_Z"))
		return ks_redact_name(redact, KS_NAME_KERNEL, name);
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	if (ks_name_demangle(name, &text))
		name = ks_buf_keep(&text, a);
	a->failed |= ks_buf_failed(&text);
	ks_buf_release(&text);
	return ks_redact_name(redact, KS_NAME_KERNEL, name);
}
