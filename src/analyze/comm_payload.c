/* SPDX-License-Identifier: Apache-2.0
 *
 * NCCL's calls and the sizes of their messages, from the payloads of its NVTX ranges. A payload
 * that is too short, or whose layout is not recorded, gives no size and is counted.
 */
#include "analyze/comm_internal.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

#define NO_BYTES -1

/* --- layouts -------------------------------------------------------------------------------------
 */

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool has_word(ks_str s, const char *word)
{
	const size_t n = strlen(word);

	for (size_t at = 0; at + n <= s.n; at++) {
		size_t i = 0;

		while (i < n && lower(s.p[at + i]) == word[i])
			i++;
		if (i == n)
			return true;
	}
	return false;
}

/* "Message size [bytes]" in NCCL 2.17 to 2.27; other spellings of the same are taken too. */
static bool names_a_size(ks_str field)
{
	return has_word(field, "size") && has_word(field, "byte");
}

/* Integer types of an NVTX payload entry (nvtxDetail: NVTX_PAYLOAD_ENTRY_TYPE_*), 64-bit platforms:
 * 3 short ... 10 unsigned long long, 11 int8 ... 18 uint64, 22 size_t. */
static unsigned width_of(int64_t type, bool *is_signed)
{
	static const unsigned char width[] = {
		[3] = 2,  [4] = 2,  [5] = 4,  [6] = 4,	[7] = 8,  [8] = 8,
		[9] = 8,  [10] = 8, [11] = 1, [12] = 1, [13] = 2, [14] = 2,
		[15] = 4, [16] = 4, [17] = 8, [18] = 8, [22] = 8
	};

	*is_signed = type % 2 != 0;
	return (uint64_t)type < KS_ARRAY_LEN(width) ? width[type] : 0;
}

/* Pointers and arrays (bits 1 to 6 of the flags) hold no value in place. */
#define IN_PLACE_MASK 0x7e

static struct ks_comm_size_field field_of(const struct ks_payload_entry *e)
{
	struct ks_comm_size_field f = { .there = true };

	f.width = width_of(e->type, &f.is_signed);
	f.offset = e->offset == KS_UNKNOWN && e->index == 0 ? 0 : e->offset;
	f.usable = f.width && f.offset >= 0 &&
		   (e->flags == KS_UNKNOWN || (e->flags & IN_PLACE_MASK) == 0);
	return f;
}

static bool same_field(const struct ks_comm_size_field *a, const struct ks_comm_size_field *b)
{
	return a->usable == b->usable && a->offset == b->offset && a->width == b->width &&
	       a->is_signed == b->is_signed;
}

enum ks_status ks_comm_schema(struct ks_comm *c, const struct ks_payload_entry *e,
			      struct ks_err *err)
{
	const struct ks_comm_schema_key key = { e->domain, e->schema };

	if (!names_a_size(e->name))
		return KS_OK;
	const uint32_t at = ks_map_add(&c->schemas, &key, NULL);

	if (at == KS_MAP_NONE && c->schemas.count >= c->schemas.max) {
		char limit[KS_NUM_LEN];

		ks_num_u64(limit, c->schemas.max);
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_TOO_MANY, "PAYLOAD_SCHEMAS",
				  limit, NULL);
	}
	if (at == KS_MAP_NONE || !KS_GROW(c->field, c->field_cap, (size_t)at + 1, UINT32_MAX))
		return ks_comm_no_memory(err);
	const struct ks_comm_size_field f = field_of(e);

	/* Each process registers its schemas, so the same entry comes several times. Two that
	 * differ leave it open which one a payload follows. */
	if (!c->field[at].there)
		c->field[at] = f;
	else if (!same_field(&c->field[at], &f))
		c->field[at].usable = false;
	return KS_OK;
}

/* --- one payload ---------------------------------------------------------------------------------
 */

static int64_t read_field(const struct ks_comm_size_field *f, ks_str payload)
{
	uint64_t v = 0;

	if (f->width == 0 || payload.n < f->width || (uint64_t)f->offset > payload.n - f->width)
		return NO_BYTES;
	for (unsigned i = f->width; i-- > 0;)
		v = v << 8 | (unsigned char)payload.p[(size_t)f->offset + i];
	if (f->is_signed && v >> (8 * f->width - 1))
		return NO_BYTES;
	return v <= INT64_MAX ? (int64_t)v : NO_BYTES;
}

static size_t skip_blanks(ks_str s, size_t at)
{
	while (at < s.n &&
	       (s.p[at] == ' ' || s.p[at] == '\t' || s.p[at] == '\n' || s.p[at] == '\r'))
		at++;
	return at;
}

/* Behind the string that begins at `at` with a quote; s.n when it does not end. */
static size_t string_end(ks_str s, size_t at)
{
	for (at++; at < s.n && s.p[at] != '"'; at++) {
		if (s.p[at] == '\\')
			at++;
	}
	return at < s.n ? at + 1 : s.n;
}

/* The whole number behind the first key that names a size, in an object of whatever depth. A string
 * that is followed by a colon is a key. */
static int64_t read_json(ks_str s)
{
	for (size_t at = 0; at < s.n; at++) {
		if (s.p[at] != '"')
			continue;
		const size_t from = at + 1, end = string_end(s, at);
		size_t v = skip_blanks(s, end);

		at = end - 1;
		if (v >= s.n || s.p[v] != ':' ||
		    !names_a_size((ks_str){ s.p + from, end - 1 - from }))
			continue;
		v = skip_blanks(s, v + 1);
		size_t digits = v;
		int64_t n;

		while (digits < s.n && s.p[digits] >= '0' && s.p[digits] <= '9')
			digits++;
		if (digits < s.n &&
		    (s.p[digits] == '.' || s.p[digits] == 'e' || s.p[digits] == 'E'))
			return NO_BYTES;
		return ks_num_parse_i64((ks_str){ s.p + v, digits - v }, &n) ? n : NO_BYTES;
	}
	return NO_BYTES;
}

/* The size of the message that a range's payload tells. */
static int64_t message_bytes(const struct ks_comm *c, const struct ks_range *row)
{
	const struct ks_comm_schema_key key = { row->domain, row->schema };
	const uint32_t at = row->payload.n ? ks_map_find(&c->schemas, &key) : KS_MAP_NONE;

	if (at != KS_MAP_NONE)
		return c->field[at].usable ? read_field(&c->field[at], row->payload) : NO_BYTES;
	return row->json.n ? read_json(row->json) : NO_BYTES;
}

/* --- calls ---------------------------------------------------------------------------------------
 */

enum ks_status ks_comm_range(struct ks_comm *c, const struct ks_range *row, uint32_t name,
			     struct ks_err *err)
{
	const int64_t rec[3] = { name, row->start_ns, message_bytes(c, row) };

	if (name == UINT32_MAX)
		return KS_OK;
	if (!c->calls)
		c->calls = ks_sorter_open(c->io, 3, (size_t)ks_limit(KS_LIMIT_COPY_SPILL_BYTES));
	return c->calls ? ks_sorter_add(c->calls, rec, err) : ks_comm_no_memory(err);
}

/* "ncclAllReduce" of "ncclAllReduce (256 MB)"; empty for what is none of NCCL's. */
static ks_str call_name(ks_str text)
{
	size_t n = 0;

	if (!ks_str_starts(text, "nccl"))
		return KS_STR_NONE;
	while (n < text.n &&
	       ((text.p[n] >= 'a' && text.p[n] <= 'z') || (text.p[n] >= 'A' && text.p[n] <= 'Z') ||
		(text.p[n] >= '0' && text.p[n] <= '9') || text.p[n] == '_'))
		n++;
	return (ks_str){ text.p, n };
}

struct calls {
	struct ks_intern names;
	struct ks_comm_call *call; /* by number */
	size_t cap;
};

static enum ks_status count_call(struct calls *k, ks_str name, int64_t bytes, struct ks_err *err)
{
	const uint32_t at = ks_intern_add(&k->names, name, NULL);

	if (at == KS_MAP_NONE || !KS_GROW(k->call, k->cap, (size_t)at + 1, UINT32_MAX))
		return ks_comm_no_memory(err);
	struct ks_comm_call *call = &k->call[at];

	call->calls++;
	if (bytes == NO_BYTES)
		call->unknown_rows++;
	else if (!ks_num_add_u64(&call->bytes, (uint64_t)bytes) || call->bytes > INT64_MAX)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_AN_OVERFLOW, NULL);
	return KS_OK;
}

static enum ks_status count_calls(struct ks_comm *c, const ks_str *text, struct calls *k,
				  struct ks_err *err)
{
	const struct ks_window *w = c->window;
	int64_t rec[128 * 3];
	uint64_t at = 0;
	size_t n = 0;

	KS_TRY(ks_sorter_finish(c->calls, NULL, NULL, err));
	for (;; at += n) {
		KS_TRY(ks_sorter_read(c->calls, at, rec, 128, &n, err));
		if (n == 0)
			return KS_OK;
		for (size_t i = 0; i < n; i++) {
			const int64_t *r = rec + i * 3;
			const ks_str name = call_name(text[r[0]]);

			if (name.n && (!w || !w->on || (r[1] >= w->from && r[1] < w->to)))
				KS_TRY(count_call(k, name, r[2], err));
		}
	}
}

static int by_bytes(const void *x, const void *y)
{
	const struct ks_comm_call *a = x, *b = y;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	if (a->calls != b->calls)
		return a->calls > b->calls ? -1 : 1;
	return ks_str_cmp(a->name, b->name);
}

static enum ks_status list_calls(const struct ks_comm *c, const struct calls *k,
				 struct ks_arena *arena, struct ks_timeline *t, struct ks_err *err)
{
	const size_t n = k->names.count;
	struct ks_comm_call *call = KS_ARENA_NEWS(arena, struct ks_comm_call, n);

	if (!call)
		return ks_comm_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		call[i] = k->call[i];
		call[i].name =
			ks_redact_name(c->redact, KS_NAME_RANGE,
				       ks_arena_dup(arena, ks_intern_get(&k->names, (uint32_t)i)));
	}
	qsort(call, n, sizeof(*call), by_bytes);
	t->comm_call = call;
	t->n_comm_calls = n;
	return ks_arena_failed(arena) ? ks_comm_no_memory(err) : KS_OK;
}

void ks_comm_redact(struct ks_comm *c, struct ks_redact *redact)
{
	c->redact = redact;
}

enum ks_status ks_comm_answer(struct ks_comm *c, const ks_str *text, struct ks_arena *arena,
			      struct ks_timeline *t, struct ks_err *err)
{
	struct calls k = { .cap = 0 };

	if (!c->calls)
		return KS_OK;
	ks_intern_init(&k.names, UINT32_MAX);
	enum ks_status st = count_calls(c, text, &k, err);

	if (st == KS_OK)
		st = list_calls(c, &k, arena, t, err);
	ks_intern_release(&k.names);
	ks_mem_free(k.call);
	return st;
}
