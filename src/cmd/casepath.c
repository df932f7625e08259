/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic on paths: made absolute, without dots and doubled slashes, then seen from the case
 * directory.
 */
#include "cmd/casepath.h"

#include "base/buf.h"
#include "base/str.h"

#define ONE_STEP 1 /* contract 03 §9: "within one level" */

struct parts {
	ks_str *part;
	size_t n;
};

static void add_parts(struct parts *p, ks_str path)
{
	ks_str rest = path;

	while (rest.p != NULL) {
		const ks_str part = ks_str_cut(&rest, '/');

		if (part.n == 0 || ks_str_eqc(part, "."))
			continue;
		if (!ks_str_eqc(part, ".."))
			p->part[p->n++] = part;
		else if (p->n > 0)
			p->n--;
	}
}

static bool split(struct ks_arena *a, const struct ks_case_place *place, ks_str path,
		  struct parts *p)
{
	*p = (struct parts){ .part = KS_ARENA_NEWS(a, ks_str, place->cwd.n + path.n + 2) };
	if (p->part == NULL)
		return false;
	if (!ks_str_starts(path, "/"))
		add_parts(p, place->cwd);
	add_parts(p, path);
	return true;
}

static ks_str hidden(struct ks_arena *a, const struct parts *p)
{
	const ks_str name = p->n > 0 ? p->part[p->n - 1] : KS_STR_NONE;

	return ks_arena_fmt(a, "<abs>/%.*s", (int)name.n, name.p != NULL ? name.p : "");
}

/* The path seen from the folder. `most`: steps up; more, or nothing in common, hides it. */
static ks_str seen_from(struct ks_arena *a, const struct ks_case_place *place, ks_str path,
			size_t most)
{
	struct parts to, from;
	size_t common = 0;
	struct ks_buf b;

	if (!split(a, place, path, &to) || !split(a, place, place->folder, &from))
		return KS_STR_NONE;
	while (common < to.n && common < from.n && ks_str_eq(to.part[common], from.part[common]))
		common++;
	if (from.n - common > most || (common == 0 && from.n > 1))
		return hidden(a, &to);
	ks_buf_init(&b, SIZE_MAX);
	for (size_t i = common; i < from.n; i++)
		ks_buf_cstr(&b, b.n > 0 ? "/.." : "..");
	for (size_t i = common; i < to.n; i++) {
		ks_buf_cstr(&b, b.n > 0 ? "/" : "");
		ks_buf_str(&b, to.part[i]);
	}
	if (b.n == 0)
		ks_buf_ch(&b, '.');
	const ks_str out = ks_buf_keep(&b, a);

	ks_buf_release(&b);
	return out;
}

ks_str ks_case_output_path(struct ks_arena *a, const struct ks_case_place *place, ks_str path)
{
	return seen_from(a, place, path, SIZE_MAX);
}

/* Bytes before the value that may be a path: "--opt=", "-o", or none. */
static size_t value_at(ks_str arg)
{
	if (ks_str_starts(arg, "--")) {
		for (size_t i = 0; i < arg.n; i++)
			if (arg.p[i] == '=')
				return i + 1;
		return arg.n;
	}
	return ks_str_starts(arg, "-") && arg.n > 2 ? 2 : 0;
}

ks_str ks_case_argument(struct ks_arena *a, const struct ks_case_place *place, ks_str arg)
{
	const size_t at = value_at(arg);
	const ks_str value = { arg.p + at, arg.n - at };
	struct ks_buf b;

	if (!ks_str_starts(value, "/"))
		return arg;
	ks_buf_init(&b, SIZE_MAX);
	ks_buf_add(&b, arg.p, at);
	ks_buf_str(&b, seen_from(a, place, value, ONE_STEP));
	const ks_str out = ks_buf_keep(&b, a);

	ks_buf_release(&b);
	return out;
}
