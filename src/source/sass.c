/* SPDX-License-Identifier: Apache-2.0
 *
 * Instructions of a disassembly, counted. Which function a line belongs to is what the line of its
 * name said; a name that several parts of one file have is told apart by architecture and order.
 */
#include "source/sass.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

enum { OPCODES = 4096 }; /* different mnemonics of one function; there are some 300 */
enum { MNEMONIC = 64 };	 /* and their longest has some 12 letters */

struct slot { /* a function of the file, in order of name, architecture and place */
	ks_str name;
	int64_t arch;
	size_t function;
};

struct ks_sass {
	struct ks_code *code;
	struct slot *slot;
	size_t *listed; /* beside slot, at the first of a name and architecture: how often it came
			 */
	size_t n_slots, done;
	struct ks_buf line;
	bool too_long; /* the line is left out */
	bool no_memory;
	bool nonsense; /* of the function at work: these are no instructions */
	int64_t arch;
	/* of the function at work */
	bool inside;
	size_t function;
	struct ks_code_mix mix;
	struct ks_intern opcode;
	uint64_t *count; /* beside opcode */
	size_t count_cap;
};

/* --- lines --------------------------------------------------------------------------------------
 */

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static bool is_word(char c)
{
	return is_upper(c) || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static void skip_blanks(ks_str *s)
{
	while (s->n > 0 && (s->p[0] == ' ' || s->p[0] == '\t')) {
		s->p++;
		s->n--;
	}
}

static void drop(ks_str *s, size_t n)
{
	s->p += n;
	s->n -= n;
}

/* Past an address comment of at least 4 hexadecimal digits at the beginning; false: there is none.
 */
static bool skip_address(ks_str *s)
{
	size_t n = 2;

	skip_blanks(s);
	if (!ks_str_starts(*s, "/*"))
		return false;
	while (n < s->n && is_hex(s->p[n]))
		n++;
	if (n < 6 || s->n < n + 2 || s->p[n] != '*' || s->p[n + 1] != '/')
		return false;
	drop(s, n + 2);
	return true;
}

/* @P0, @!P0, @UP1. */
static void skip_predicate(ks_str *s)
{
	size_t n = 1;

	skip_blanks(s);
	if (s->n == 0 || s->p[0] != '@')
		return;
	while (n < s->n && (s->p[n] == '!' || is_word(s->p[n])))
		n++;
	drop(s, n);
}

ks_str ks_sass_mnemonic(ks_str line)
{
	size_t n = 0;

	if (!skip_address(&line))
		return KS_LIT("");
	skip_predicate(&line);
	skip_blanks(&line);
	/* dual issue of old architectures puts a brace before the first of two */
	if (line.n > 0 && line.p[0] == '{') {
		drop(&line, 1);
		skip_predicate(&line);
		skip_blanks(&line);
	}
	if (line.n == 0 || !is_upper(line.p[0]))
		return KS_LIT("");
	while (n < line.n && is_word(line.p[n]) && line.p[n] != '.')
		n++;
	return n <= MNEMONIC ? (ks_str){ line.p, n } : KS_LIT("");
}

/* --- functions ----------------------------------------------------------------------------------
 */

static int by_key(const struct slot *a, const struct slot *b)
{
	const int c = ks_str_cmp(a->name, b->name);

	return c != 0 ? c : ks_num_cmp_i64(a->arch, b->arch);
}

static int by_name(const void *x, const void *y)
{
	const struct slot *a = x, *b = y;
	const int c = by_key(a, b);

	if (c != 0)
		return c;
	return ks_num_cmp_i64((int64_t)a->function, (int64_t)b->function);
}

/* The first place of (name, arch) among the slots. */
static size_t first_slot(const struct ks_sass *s, ks_str name)
{
	const struct slot wanted = { name, s->arch, 0 };
	size_t from = 0, to = s->n_slots;

	while (from < to) {
		const size_t mid = from + (to - from) / 2;

		if (by_name(&s->slot[mid], &wanted) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static int by_count(const void *x, const void *y)
{
	const struct ks_code_opcode *a = x, *b = y;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return ks_str_cmp(a->name, b->name);
}

static void choose_top(struct ks_sass *s, struct ks_code_mix *mix)
{
	const size_t n = s->opcode.count;
	struct ks_code_opcode *all = ks_mem_alloc((n + 1) * sizeof(*all));

	if (all == NULL) {
		s->no_memory = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		all[i] = (struct ks_code_opcode){ ks_intern_get(&s->opcode, i), s->count[i] };
	qsort(all, n, sizeof(*all), by_count);
	for (mix->n_top = 0; mix->n_top < n && mix->n_top < KS_CODE_TOP; mix->n_top++) {
		mix->top[mix->n_top] = all[mix->n_top];
		mix->top[mix->n_top].name = ks_arena_dup(s->code->arena, all[mix->n_top].name);
	}
	ks_mem_free(all);
}

static void end_function(struct ks_sass *s)
{
	if (s->inside && s->mix.instructions > 0 && !s->nonsense) {
		struct ks_code_mix *mix = KS_ARENA_NEW(s->code->arena, struct ks_code_mix);

		if (mix != NULL) {
			choose_top(s, &s->mix);
			*mix = s->mix;
			s->code->function[s->function].mix = mix;
		}
		s->no_memory |= mix == NULL;
	}
	s->inside = false;
	s->nonsense = false;
	s->mix = (struct ks_code_mix){ .instructions = 0 };
	ks_intern_release(&s->opcode);
	ks_intern_init(&s->opcode, OPCODES);
}

static bool answers(const struct ks_sass *s, size_t i, ks_str name)
{
	return i < s->n_slots && s->slot[i].arch == s->arch && ks_str_eq(s->slot[i].name, name);
}

static void begin_function(struct ks_sass *s, ks_str name)
{
	end_function(s);
	const size_t first = first_slot(s, name);

	if (!answers(s, first, name))
		return;
	const size_t i = first + s->listed[first]++;

	if (!answers(s, i, name))
		return; /* more often than the file has it: settled at the end */
	s->inside = true;
	s->function = s->slot[i].function;
}

/* A name that was listed more or less often than it was read: which listing is whose, nobody knows.
 */
static void settle(struct ks_sass *s)
{
	for (size_t from = 0, to; from < s->n_slots; from = to) {
		const struct slot *first = &s->slot[from];

		for (to = from + 1; to < s->n_slots && by_key(first, &s->slot[to]) == 0;)
			to++;
		for (size_t i = from; i < to; i++) {
			struct ks_code_function *f = &s->code->function[s->slot[i].function];

			if (s->listed[from] != to - from)
				f->mix = NULL;
			s->done += f->mix != NULL;
		}
	}
}

static void count(struct ks_sass *s, ks_str op)
{
	bool fresh = false;

	if (s->opcode.count >= OPCODES - 1 && ks_intern_find(&s->opcode, op) == KS_MAP_NONE) {
		s->nonsense = true;
		return;
	}
	const uint32_t i = ks_intern_add(&s->opcode, op, &fresh);

	if (i == KS_MAP_NONE || !KS_GROW(s->count, s->count_cap, (size_t)i + 1, OPCODES)) {
		s->no_memory = true;
		return;
	}
	s->count[i] = fresh ? 1 : s->count[i] + 1;
	s->mix.instructions++;
	s->mix.count[ks_sass_class_of(op)]++;
}

/* What follows `before` in the line without blanks around it; false: the line does not begin so. */
static bool behind(ks_str line, const char *before, ks_str *rest)
{
	if (!ks_str_starts(line, before))
		return false;
	drop(&line, strlen(before));
	*rest = ks_str_trim(line);
	return true;
}

static void take_line(struct ks_sass *s, ks_str raw)
{
	const ks_str line = ks_str_trim(raw), op = ks_sass_mnemonic(line);
	ks_str rest;

	if (op.n > 0) {
		if (s->inside)
			count(s, op);
	} else if (behind(line, "Function :", &rest)) { /* cuobjdump */
		begin_function(s, rest);
	} else if (behind(line, "code for sm_", &rest) || behind(line, ".target", &rest)) {
		const size_t skip = ks_str_starts(rest, "sm_") ? 3 : 0;

		drop(&rest, skip);
		while (rest.n > 0 && (rest.p[rest.n - 1] < '0' || rest.p[rest.n - 1] > '9'))
			rest.n--; /* the a of sm_90a */
		if (!ks_num_parse_i64(rest, &s->arch))
			s->arch = KS_UNKNOWN;
	} else if (ks_str_starts(line, ".section")) { /* nvdisasm */
		end_function(s);
	} else if (behind(line, ".text.", &rest) && ks_str_ends(rest, ":")) {
		rest.n--;
		begin_function(s, rest);
	}
}

static void end_line(struct ks_sass *s)
{
	if (!s->too_long)
		take_line(s, ks_buf_view(&s->line));
	ks_buf_reset(&s->line);
	s->too_long = false;
}

void ks_sass_take(void *sass, const char *p, size_t n)
{
	struct ks_sass *s = sass;

	while (n > 0) {
		const char *end = memchr(p, '\n', n);
		const size_t piece = end != NULL ? (size_t)(end - p) : n;

		if (s->line.n + piece > (size_t)ks_limit(KS_LIMIT_SASS_LINE_BYTES))
			s->too_long = true;
		if (!s->too_long)
			ks_buf_add(&s->line, p, piece);
		if (end != NULL)
			end_line(s);
		p += piece + (end != NULL);
		n -= piece + (end != NULL);
	}
}

/* --- life ---------------------------------------------------------------------------------------
 */

struct ks_sass *ks_sass_open(struct ks_code *code, size_t file)
{
	struct ks_sass *s = ks_mem_alloc(sizeof(*s));

	if (s == NULL)
		return NULL;
	s->code = code;
	s->arch = KS_UNKNOWN;
	s->slot = ks_mem_alloc((code->n_functions + 1) * sizeof(*s->slot));
	s->listed = ks_mem_alloc((code->n_functions + 1) * sizeof(*s->listed));
	ks_buf_init(&s->line, (size_t)ks_limit(KS_LIMIT_SASS_LINE_BYTES) + 1);
	ks_intern_init(&s->opcode, OPCODES);
	if (s->slot == NULL || s->listed == NULL) {
		ks_sass_close(s);
		return NULL;
	}
	for (size_t i = 0; i < code->n_functions; i++) {
		if (code->function[i].file == file)
			s->slot[s->n_slots++] =
				(struct slot){ code->function[i].name, code->function[i].arch, i };
	}
	qsort(s->slot, s->n_slots, sizeof(*s->slot), by_name);
	return s;
}

bool ks_sass_done(struct ks_sass *s, size_t *functions)
{
	if (s->line.n > 0)
		end_line(s);
	end_function(s);
	settle(s);
	*functions = s->done;
	return !s->no_memory && !ks_buf_failed(&s->line) && !ks_arena_failed(s->code->arena);
}

void ks_sass_close(struct ks_sass *s)
{
	if (s == NULL)
		return;
	ks_buf_release(&s->line);
	ks_intern_release(&s->opcode);
	ks_mem_free(s->count);
	ks_mem_free(s->slot);
	ks_mem_free(s->listed);
	ks_mem_free(s);
}
