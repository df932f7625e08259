/* SPDX-License-Identifier: Apache-2.0
 *
 * Which class a machine instruction is of: the rows of sass_ops.def, matched whole.
 */
#include "base/str.h"
#include "tables/tables.h"

static const char *const slugs[KS_SASS_CLASS_COUNT] = {
#define KS_SASS_CLASS(id, slug) [KS_SASS_##id] = slug,
#include "tables/sass_ops.def"
};

static const struct {
	const char *stem;
	enum ks_sass_class class;
} ops[] = {
#define KS_SASS_OP(class, stem) { stem, KS_SASS_##class },
#include "tables/sass_ops.def"
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Nothing, or digits with an I behind them or not. */
static bool is_width(ks_str rest)
{
	size_t i = 0;

	while (i < rest.n && is_digit(rest.p[i]))
		i++;
	if (i > 0 && i < rest.n && rest.p[i] == 'I')
		i++;
	return i == rest.n;
}

static bool matches(ks_str op, const char *stem)
{
	const char *star = strchr(stem, '*');
	const size_t head = star != NULL ? (size_t)(star - stem) : strlen(stem);
	const size_t tail = star != NULL ? strlen(star + 1) : 0;

	if (op.n < head + tail || memcmp(op.p, stem, head) != 0)
		return false;
	if (star != NULL)
		return memcmp(op.p + op.n - tail, star + 1, tail) == 0;
	return is_width((ks_str){ op.p + head, op.n - head });
}

enum ks_sass_class ks_sass_class_of(ks_str op)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(ops); i++)
		if (matches(op, ops[i].stem))
			return ops[i].class;
	return KS_SASS_OTHER;
}

const char *ks_sass_class_slug(enum ks_sass_class c)
{
	return slugs[(unsigned)c < KS_SASS_CLASS_COUNT ? c : KS_SASS_OTHER];
}
