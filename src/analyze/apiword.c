/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-ups in tables/api_words.def. Holds no name of its own.
 */
#include "analyze/apiword.h"

#include "base/str.h"

static const struct {
	const char *name;
	enum ks_api_kind kind;
} words[] = {
#define KS_API_WORD(name, kind) { name, KS_API_##kind },
#include "tables/api_words.def"
};

static const char *const modules[] = {
#define KS_API_MODULE(prefix) prefix,
#include "tables/api_words.def"
};

static const char *const frames[] = {
#define KS_API_FRAME(prefix) prefix,
#include "tables/api_words.def"
};

/* Without "_v" and digits at the end. */
static bool cut_version(ks_str *name)
{
	size_t n = name->n;

	while (n > 0 && name->p[n - 1] >= '0' && name->p[n - 1] <= '9')
		n--;
	if (n == name->n || n < 2 || name->p[n - 1] != 'v' || name->p[n - 2] != '_')
		return false;
	name->n = n - 2;
	return true;
}

static ks_str plain_name(ks_str name)
{
	while (cut_version(&name))
		;
	if (ks_str_ends(name, "_ptsz") || ks_str_ends(name, "_ptds"))
		name.n -= 5;
	while (cut_version(&name))
		;
	return name;
}

enum ks_api_kind ks_api_kind(ks_str name)
{
	const ks_str plain = plain_name(name);

	for (size_t i = 0; i < KS_ARRAY_LEN(words); i++) {
		if (ks_str_eqc(plain, words[i].name))
			return words[i].kind;
	}
	return KS_API_OTHER;
}

ks_str ks_api_basename(ks_str path)
{
	size_t at = path.n;

	while (at > 0 && path.p[at - 1] != '/' && path.p[at - 1] != '\\')
		at--;
	return (ks_str){ path.n ? path.p + at : path.p, path.n - at };
}

static bool starts_with_one(ks_str s, const char *const *prefix, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (ks_str_starts(s, prefix[i]))
			return true;
	}
	return false;
}

bool ks_api_is_module(ks_str module)
{
	return starts_with_one(ks_api_basename(module), modules, KS_ARRAY_LEN(modules));
}

/* "cudaError cudaLaunchKernel<char>(char const*, ...)" -> "cudaLaunchKernel": templates of the
 * runtime's headers are demangled with their result and arguments. */
static ks_str bare_function(ks_str symbol)
{
	size_t end = 0, start = 0;

	while (end < symbol.n && symbol.p[end] != '(' && symbol.p[end] != '<') {
		end++;
		if (symbol.p[end - 1] == ' ')
			start = end;
	}
	return (ks_str){ symbol.n ? symbol.p + start : symbol.p, end - start };
}

bool ks_api_is_frame(ks_str symbol)
{
	const enum ks_api_kind kind = ks_api_kind(bare_function(symbol));

	return kind == KS_API_LAUNCH || kind == KS_API_GRAPH ||
	       starts_with_one(symbol, frames, KS_ARRAY_LEN(frames));
}
