/* SPDX-License-Identifier: Apache-2.0
 *
 * Which kernels are communication: anchored patterns, never words inside a name. Each distinct name
 * is asked about once.
 */
#include "analyze/comm_internal.h"

#include "analyze/analysis.h"
#include "analyze/name.h"
#include "base/mem.h"
#include "base/str.h"
#include "tables/tables.h"

#define DEPTH 256 /* of brackets in a name, as in name.c */

struct kclass {
	const char *prefix, *library;
};
static const struct kclass kclass[] = {
#define KS_KCLASS(prefix, library) { prefix, library },
#include "tables/kclass.def"
};

enum ks_status ks_comm_no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_NO_MEMORY, "communication", NULL);
}

/* --- patterns ------------------------------------------------------------------------------------
 */

/* The matcher speaks of -k. */
static enum ks_status about_comm(const struct ks_err *why, enum ks_status st, struct ks_err *err)
{
	if (why->text == KS_TEXT_ERR_AN_BAD_PATTERN)
		return ks_err_set(err, st, KS_TEXT_ERR_AN_COMM_PATTERN, why->arg[0], why->arg[1],
				  why->arg[2], NULL);
	if (why->text == KS_TEXT_ERR_AN_PATTERN_COST)
		return ks_err_set(err, st, KS_TEXT_ERR_AN_COMM_COST, NULL);
	return ks_comm_no_memory(err);
}

static enum ks_status open_pattern(struct ks_comm *c, size_t i, struct ks_err *err)
{
	const ks_str p = c->pattern[i];
	struct ks_err why;

	ks_err_init(&why);
	if (p.n == 0 || ks_str_eqc(p, "regex:"))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_AN_COMM_EMPTY, NULL);
	if (!ks_str_starts(p, "regex:"))
		return KS_OK;
	const enum ks_status st = ks_matcher_open(&c->regex[i], p, &why);

	return st == KS_OK ? KS_OK : about_comm(&why, st, err);
}

enum ks_status ks_comm_open(struct ks_comm **out, const ks_str *pattern, size_t n,
			    struct ks_err *err)
{
	struct ks_comm *c = ks_mem_alloc(sizeof(*c));

	if (!c)
		return ks_comm_no_memory(err);
	c->io = &ks_io_system;
	c->pattern = pattern;
	c->n_patterns = n;
	ks_map_init(&c->schemas, sizeof(struct ks_comm_schema_key),
		    (size_t)ks_limit(KS_LIMIT_PAYLOAD_SCHEMAS));
	c->regex = ks_mem_alloc((n + 1) * sizeof(struct ks_matcher *));
	c->seen = ks_mem_alloc(n + 1);
	enum ks_status st = c->regex && c->seen ? KS_OK : ks_comm_no_memory(err);

	for (size_t i = 0; i < n && st == KS_OK; i++)
		st = open_pattern(c, i, err);
	if (st != KS_OK) {
		ks_comm_close(c);
		return st;
	}
	*out = c;
	return KS_OK;
}

void ks_comm_close(struct ks_comm *c)
{
	if (!c)
		return;
	for (size_t i = 0; c->regex && i < c->n_patterns; i++)
		ks_matcher_close(c->regex[i]);
	ks_mem_free(c->regex);
	ks_mem_free(c->seen);
	ks_sorter_close(c->calls);
	ks_map_release(&c->schemas);
	ks_mem_free(c->field);
	ks_mem_free(c->group);
	ks_mem_free(c);
}

void ks_comm_within(struct ks_comm *c, const struct ks_io *io, const struct ks_window *window)
{
	c->io = io;
	c->window = window;
}

/* --- one name ------------------------------------------------------------------------------------
 */

static char partner(char close)
{
	return close == ')' ? '(' : close == ']' ? '[' : close == '}' ? '{' : '<';
}

struct scan {
	size_t depth;
	char open[DEPTH];
};

/* As in name.c: a closing bracket without its partner is plain text. */
static void see(struct scan *s, char c)
{
	switch (c) {
	case '(':
	case '[':
	case '{':
	case '<':
		if (s->depth < DEPTH)
			s->open[s->depth++] = c;
		break;
	case ')':
	case ']':
	case '}':
	case '>':
		for (size_t d = s->depth; d > 0; d--) {
			if (s->open[d - 1] == partner(c)) {
				s->depth = d - 1;
				break;
			}
			if (c == '>')
				break;
		}
		break;
	default:
		break;
	}
}

/* From the first namespace on: behind the last blank outside brackets that is before the function's
 * own name. Everything before it is the return type and qualifiers. */
ks_str ks_comm_qualified(ks_str name)
{
	const ks_str whole = ks_str_trim(name), function = ks_name_function(whole);
	const size_t end = function.n ? (size_t)(function.p - whole.p) : 0;
	struct scan s = { .depth = 0 };
	size_t from = 0;

	for (size_t i = 0; i < end; i++) {
		if (s.depth == 0 && (whole.p[i] == ' ' || whole.p[i] == '*' || whole.p[i] == '&'))
			from = i + 1;
		see(&s, whole.p[i]);
	}
	return (ks_str){ whole.p + from, whole.n - from };
}

static bool begins(ks_str name, ks_str prefix)
{
	return name.n >= prefix.n && memcmp(name.p, prefix.p, prefix.n) == 0;
}

static enum ks_status matches(struct ks_comm *c, size_t i, ks_str name, bool *is,
			      struct ks_err *err)
{
	struct ks_err why;

	if (!c->regex[i]) {
		*is = begins(name, c->pattern[i]);
		return KS_OK;
	}
	ks_err_init(&why);
	const enum ks_status st = ks_matcher_test(c->regex[i], name, is, &why);

	return st == KS_OK ? KS_OK : about_comm(&why, st, err);
}

enum ks_status ks_comm_is(struct ks_comm *c, ks_str name, bool *is, struct ks_err *err)
{
	const ks_str q = name.n ? ks_comm_qualified(name) : name;

	*is = false;
	if (q.n == 0)
		return KS_OK;
	for (size_t i = 0; i < KS_ARRAY_LEN(kclass) && !*is; i++)
		*is = ks_str_starts(q, kclass[i].prefix);
	for (size_t i = 0; i < c->n_patterns; i++) {
		bool hit = false;

		KS_TRY(matches(c, i, q, &hit, err));
		c->seen[i] |= hit;
		*is |= hit;
	}
	return KS_OK;
}

ks_str ks_comm_unmatched(const struct ks_comm *c)
{
	for (size_t i = 0; i < c->n_patterns; i++) {
		if (!c->seen[i])
			return c->pattern[i];
	}
	return KS_LIT("");
}

const char *ks_comm_library(ks_str name)
{
	const ks_str q = name.n ? ks_comm_qualified(name) : name;

	for (size_t i = 0; i < KS_ARRAY_LEN(kclass) && q.n; i++) {
		if (ks_str_starts(q, kclass[i].prefix))
			return kclass[i].library;
	}
	return "";
}

/* --- groups --------------------------------------------------------------------------------------
 */

struct settled { /* answers by name */
	struct ks_map refs;
	bool *is;
	size_t cap;
	struct ks_buf text;
};

ks_nameref ks_comm_ref(const struct ks_analysis *a, const struct ks_group_key *key)
{
	if (ks_analysis_text(a, key->demangled).n)
		return key->demangled;
	return ks_analysis_text(a, key->function).n ? key->function : key->mangled;
}

/* The text that decides; a mangled name that nobody demangled is demangled here. */
ks_str ks_comm_text(const struct ks_analysis *a, ks_nameref ref, struct ks_buf *text)
{
	const ks_str name = ks_analysis_text(a, ref);

	return ks_analysis_demangle(a, name, text) ? ks_buf_view(text) : name;
}

static enum ks_status settle_group(struct ks_analysis *a, struct settled *s, uint32_t group,
				   struct ks_err *err)
{
	const ks_nameref ref = ks_comm_ref(a, ks_launches_group_key(&a->launches, group));
	bool fresh = false;
	const uint32_t at = ks_map_add(&s->refs, &ref, &fresh);

	if (at == KS_MAP_NONE || !KS_GROW(s->is, s->cap, (size_t)at + 1, UINT32_MAX))
		return ks_comm_no_memory(err);
	if (fresh)
		KS_TRY(ks_comm_is(a->comm, ks_comm_text(a, ref, &s->text), &s->is[at], err));
	a->comm->group[group] = s->is[at];
	return KS_OK;
}

enum ks_status ks_comm_groups(struct ks_analysis *a, struct ks_err *err)
{
	struct ks_comm *c = a->comm;
	const uint32_t n = (uint32_t)a->launches.groups.count;
	struct settled s = { .cap = 0 };
	enum ks_status st = KS_OK;

	ks_mem_free(c->group);
	c->n_groups = n;
	c->group = ks_mem_alloc((size_t)n + 1);
	if (!c->group)
		return ks_comm_no_memory(err);
	ks_map_init(&s.refs, sizeof(ks_nameref), UINT32_MAX);
	ks_buf_init(&s.text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	for (uint32_t i = 0; i < n && st == KS_OK; i++)
		st = settle_group(a, &s, i, err);
	ks_map_release(&s.refs);
	ks_buf_release(&s.text);
	ks_mem_free(s.is);
	return st;
}

bool ks_comm_is_group(const struct ks_comm *c, uint32_t group)
{
	return group < c->n_groups && c->group[group];
}
