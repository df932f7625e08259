/* SPDX-License-Identifier: Apache-2.0
 *
 * What texts and names become, each once: the same text is the same word for the whole run. Reads
 * nothing and prints nothing.
 */
#include "base/redact.h"

#include <nettle/hmac.h>
#include <nettle/sha2.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/scrub.h"
#include "base/str.h"

#define REDACTED       KS_LIT("<redacted>")
#define TEXT_MAX       ((size_t)64 << 20)
#define MAX_TEXTS      ((size_t)1 << 26)
#define HEX_CHARS      12 /* of a hashed name; more where two would be one */
#define HEX_MORE       4
#define ANYWHERE_BYTES 4   /* a shorter word is found as a whole text only */
#define HEAD_BYTES     4   /* words are looked up by how they begin */
#define CUT_BYTES      200 /* messages cut what is longer than about that */

static const char *const class_word[KS_NAME_CLASSES] = {
	[KS_NAME_KERNEL] = "kernel", [KS_NAME_RANGE] = "range",	    [KS_NAME_DOMAIN] = "domain",
	[KS_NAME_THREAD] = "thread", [KS_NAME_PROCESS] = "process", [KS_NAME_FUNCTION] = "function",
	[KS_NAME_RULE] = "rule",
};

struct word {
	ks_str text, to;
	bool anywhere; /* not only as a whole text */
};
/* How long the words are that begin alike: "void " begins the name of every other kernel. */
struct length {
	size_t n;
	uint32_t next; /* the longer first; KS_MAP_NONE: the last */
};

struct ks_redact {
	struct ks_arena *arena;
	enum ks_redact_mode mode;
	ks_str key;
	struct ks_scrub_words finder;

	/* names: "k" and the name -> what it became; and back */
	struct ks_intern names, taken;
	ks_str *became;
	size_t became_cap;
	uint32_t *owner; /* by number in `taken`: number in `names` */
	size_t owner_cap;

	/* words */
	struct ks_intern words;
	struct word *word; /* by number */
	size_t word_cap;
	struct ks_map heads;
	uint32_t *first; /* length, by number in `heads` */
	size_t first_cap;
	struct length *length;
	size_t n_lengths, length_cap;

	struct ks_buf text;
	bool failed; /* a word could not be kept: no text is safe from here on */
	bool lost;   /* something became REDACTED that should have become something else */
};

static ks_str gone(struct ks_redact *r)
{
	r->lost = true;
	return REDACTED;
}

bool ks_redact_failed(const struct ks_redact *r)
{
	return r != NULL && (r->failed || r->lost);
}

/* --- words ---------------------------------------------------------------------------------------
 */

static bool is_plain_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word_char(char c)
{
	return is_plain_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/* A plain word of letters, "report", would be found in sentences that do not mean it. */
static bool is_telling(ks_str word)
{
	if (word.n < ANYWHERE_BYTES)
		return false;
	for (size_t i = 0; i < word.n; i++) {
		if (!is_plain_letter(word.p[i]) && !(word.p[i] >= '0' && word.p[i] <= '9'))
			return true;
	}
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] >= '0' && word.p[i] <= '9' && is_plain_letter(word.p[0]))
			return true;
	}
	return word.n >= 2 * ANYWHERE_BYTES && word.p[0] >= '0' && word.p[0] <= '9';
}

static size_t find_word(const void *self, ks_str rest, ks_str *to)
{
	const struct ks_redact *r = self;
	uint32_t at = rest.n >= HEAD_BYTES ? ks_map_find(&r->heads, rest.p) : KS_MAP_NONE;

	for (at = at == KS_MAP_NONE ? at : r->first[at]; at != KS_MAP_NONE;
	     at = r->length[at].next) {
		const size_t n = r->length[at].n;

		if (n > rest.n)
			continue;
		if (n < rest.n && n < CUT_BYTES && is_word_char(rest.p[n - 1]) &&
		    is_word_char(rest.p[n]))
			continue;
		const uint32_t number = ks_intern_find(&r->words, (ks_str){ rest.p, n });

		if (number == KS_MAP_NONE || number >= r->word_cap || !r->word[number].anywhere)
			continue;
		*to = r->word[number].to;
		return n;
	}
	return 0;
}

static void add_length(struct ks_redact *r, ks_str word)
{
	const uint32_t head = ks_map_add(&r->heads, word.p, NULL);
	const size_t before = r->first_cap;

	if (head == KS_MAP_NONE || !KS_GROW(r->first, r->first_cap, (size_t)head + 1, UINT32_MAX) ||
	    !KS_GROW(r->length, r->length_cap, r->n_lengths + 1, MAX_TEXTS)) {
		r->failed = true;
		return;
	}
	for (size_t i = before; i < r->first_cap; i++)
		r->first[i] = KS_MAP_NONE;
	uint32_t *at = &r->first[head];

	while (*at != KS_MAP_NONE && r->length[*at].n > word.n)
		at = &r->length[*at].next;
	if (*at != KS_MAP_NONE && r->length[*at].n == word.n)
		return;
	r->length[r->n_lengths] = (struct length){ word.n, *at };
	*at = (uint32_t)r->n_lengths++;
}

static void add_word(struct ks_redact *r, ks_str word, ks_str to, bool anywhere)
{
	bool fresh = false;
	const uint32_t number = ks_intern_add(&r->words, word, &fresh);

	if (number == KS_MAP_NONE || !KS_GROW(r->word, r->word_cap, (size_t)number + 1, UINT32_MAX))
		r->failed = true;
	if (r->failed || !fresh)
		return;
	r->word[number] = (struct word){ ks_intern_get(&r->words, number),
					 ks_arena_dup(r->arena, to), anywhere };
	if (anywhere)
		add_length(r, word);
}

void ks_redact_word(struct ks_redact *r, ks_str word, ks_str to)
{
	if (r != NULL && word.n > 0)
		add_word(r, word, to, word.n >= ANYWHERE_BYTES);
}

void ks_redact_argument(struct ks_redact *r, ks_str word, ks_str to)
{
	if (r == NULL || word.n == 0 || ks_str_eqc(word, "-"))
		return;
	add_word(r, word, to, is_telling(word));
	if (word.n > CUT_BYTES)
		add_word(r, (ks_str){ word.p, CUT_BYTES }, to, true);
}

/* --- texts ---------------------------------------------------------------------------------------
 */

static ks_str scrubbed(struct ks_redact *r, ks_str s, bool with_words)
{
	ks_buf_reset(&r->text);
	ks_scrub(&r->text, s, with_words ? &r->finder : NULL);
	if (ks_buf_failed(&r->text))
		return gone(r);
	if (ks_str_eq(ks_buf_view(&r->text), s))
		return s;
	const ks_str own = ks_arena_dup(r->arena, ks_buf_view(&r->text));

	return ks_arena_failed(r->arena) ? gone(r) : own;
}

ks_str ks_redact_text(struct ks_redact *r, ks_str s)
{
	if (r == NULL || s.n == 0)
		return s;
	if (r->failed)
		return gone(r);
	const uint32_t whole = ks_intern_find(&r->words, s);

	if (whole != KS_MAP_NONE && whole < r->word_cap && r->word[whole].text.n > 0)
		return r->word[whole].to;
	return scrubbed(r, s, true);
}

ks_str ks_redact_path(struct ks_redact *r, ks_str s)
{
	if (r == NULL || s.n == 0 || ks_str_eqc(s, "-") || ks_str_starts(s, "<path>"))
		return s;
	const ks_str ending = ks_scrub_ending(s);
	const ks_str own = ks_arena_fmt(r->arena, "<path>%.*s", (int)ending.n, ending.p);

	return ks_arena_failed(r->arena) ? gone(r) : own;
}

/* --- names ---------------------------------------------------------------------------------------
 */

static void hash(const struct ks_redact *r, ks_str s, char hex[2 * SHA256_DIGEST_SIZE])
{
	uint8_t digest[SHA256_DIGEST_SIZE];

	if (r->key.n > 0) {
		struct hmac_sha256_ctx mac;

		hmac_sha256_set_key(&mac, r->key.n, (const uint8_t *)r->key.p);
		hmac_sha256_update(&mac, s.n, (const uint8_t *)s.p);
		hmac_sha256_digest(&mac, sizeof(digest), digest);
	} else {
		struct sha256_ctx sha;

		sha256_init(&sha);
		sha256_update(&sha, s.n, (const uint8_t *)s.p);
		sha256_digest(&sha, sizeof(digest), digest);
	}
	for (size_t i = 0; i < sizeof(digest); i++) {
		hex[2 * i] = "0123456789abcdef"[digest[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
	}
}

/* "kernel_3f9a1c02b4d7": one of ours already. */
static bool is_hashed(enum ks_name_class c, ks_str s)
{
	const size_t from = strlen(class_word[c]) + 1;

	if (s.n < from + HEX_CHARS || !ks_str_starts(s, class_word[c]) || s.p[from - 1] != '_')
		return false;
	for (size_t i = from; i < s.n; i++) {
		if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] >= 'a' && s.p[i] <= 'f')))
			return false;
	}
	return true;
}

static bool is_ours(enum ks_name_class c, ks_str s)
{
	return ks_str_eqc(s, "(device)") || ks_str_eqc(s, "<unknown>") ||
	       ks_str_eqc(s, "<unnamed>") || is_hashed(c, s);
}

/* A name of the class that nobody has yet; *number is its place in `taken`. */
static bool take(struct ks_redact *r, enum ks_name_class c, ks_str candidate, uint32_t *number)
{
	bool fresh = false;

	ks_buf_reset(&r->text);
	ks_buf_ch(&r->text, (char)('a' + (int)c));
	ks_buf_str(&r->text, candidate);
	*number = ks_buf_failed(&r->text) ? KS_MAP_NONE
					  : ks_intern_add(&r->taken, ks_buf_view(&r->text), &fresh);
	return fresh || *number == KS_MAP_NONE;
}

static uint32_t choose(struct ks_redact *r, enum ks_name_class c, ks_str s)
{
	char hex[2 * SHA256_DIGEST_SIZE];
	const bool hashed = r->mode == KS_REDACT_NAMES;
	const ks_str plain = hashed ? s : scrubbed(r, s, false);
	uint32_t number = KS_MAP_NONE;

	if (!hashed && take(r, c, plain, &number))
		return number;
	hash(r, s, hex);
	for (size_t n = hashed ? HEX_CHARS : HEX_MORE; n <= sizeof(hex); n += HEX_MORE) {
		const ks_str front = hashed ? ks_str_c(class_word[c]) : plain;
		const ks_str next = ks_arena_fmt(r->arena, "%.*s%c%.*s", (int)front.n, front.p,
						 hashed ? '_' : '~', (int)n, hex);

		if (ks_arena_failed(r->arena))
			return KS_MAP_NONE;
		if (take(r, c, next, &number))
			return number;
	}
	return KS_MAP_NONE;
}

static ks_str without_class(ks_str s)
{
	return s.n > 0 ? (ks_str){ s.p + 1, s.n - 1 } : s;
}

/* Some record the whole command line as the name of a process. */
static ks_str program_of(ks_str s)
{
	return ks_str_cut(&s, ' ');
}

/* Names of processes and threads may become alike. */
ks_str ks_redact_name(struct ks_redact *r, enum ks_name_class c, ks_str s)
{
	bool fresh = false;

	if (r == NULL || s.n == 0)
		return s;
	if (is_ours(c, s))
		return s;
	if (r->mode != KS_REDACT_NAMES && (c == KS_NAME_PROCESS || c == KS_NAME_THREAD))
		return ks_redact_text(r, c == KS_NAME_PROCESS ? program_of(s) : s);
	ks_buf_reset(&r->text);
	ks_buf_ch(&r->text, (char)('a' + (int)c));
	ks_buf_str(&r->text, s);
	const uint32_t at = ks_buf_failed(&r->text)
				    ? KS_MAP_NONE
				    : ks_intern_add(&r->names, ks_buf_view(&r->text), &fresh);

	if (at == KS_MAP_NONE || !KS_GROW(r->became, r->became_cap, (size_t)at + 1, UINT32_MAX))
		return gone(r);
	if (!fresh)
		return r->became[at];
	r->became[at] = REDACTED;
	const uint32_t number = choose(r, c, without_class(ks_intern_get(&r->names, at)));

	if (number == KS_MAP_NONE ||
	    !KS_GROW(r->owner, r->owner_cap, (size_t)number + 1, UINT32_MAX))
		return gone(r);
	r->owner[number] = at;
	r->became[at] = without_class(ks_intern_get(&r->taken, number));
	return r->became[at];
}

ks_str ks_redact_original(struct ks_redact *r, enum ks_name_class c, ks_str s)
{
	if (r == NULL || s.n == 0)
		return s;
	ks_buf_reset(&r->text);
	ks_buf_ch(&r->text, (char)('a' + (int)c));
	ks_buf_str(&r->text, s);
	const uint32_t at = ks_buf_failed(&r->text)
				    ? KS_MAP_NONE
				    : ks_intern_find(&r->taken, ks_buf_view(&r->text));

	return at < r->owner_cap && at < r->taken.count
		       ? without_class(ks_intern_get(&r->names, r->owner[at]))
		       : s;
}

ks_str ks_redact_choice(struct ks_redact *r, ks_str s)
{
	if (r == NULL || s.n == 0)
		return s;
	if (!ks_str_starts(s, "regex:"))
		return ks_redact_name(r, KS_NAME_KERNEL, s);
	return r->mode == KS_REDACT_NAMES ? KS_LIT("regex:<pattern>") : ks_redact_text(r, s);
}

ks_str ks_redact_within(struct ks_redact *r, ks_str s)
{
	const size_t front = strlen("nvtx:");

	if (r == NULL || !ks_str_starts(s, "nvtx:"))
		return s;
	const ks_str name = ks_redact_name(r, KS_NAME_RANGE, (ks_str){ s.p + front, s.n - front });
	const ks_str own = ks_arena_fmt(r->arena, "nvtx:%.*s", (int)name.n, name.p);

	return ks_arena_failed(r->arena) ? gone(r) : own;
}

ks_str ks_redact_rule(struct ks_redact *r, ks_str s)
{
	ks_str rest = s;

	if (r == NULL || !ks_str_has(s, KS_LIT(":")))
		return s;
	const ks_str name = ks_redact_name(r, KS_NAME_RULE, ks_str_trim(ks_str_cut(&rest, ':')));
	const ks_str own =
		ks_arena_fmt(r->arena, "%.*s:%.*s", (int)name.n, name.p, (int)rest.n, rest.p);

	return ks_arena_failed(r->arena) ? gone(r) : own;
}

/* --- life ----------------------------------------------------------------------------------------
 */

enum ks_redact_mode ks_redact_mode_of(const struct ks_redact *r)
{
	return r != NULL ? r->mode : KS_REDACT_NO;
}

struct ks_redact *ks_redact_open(struct ks_arena *a, enum ks_redact_mode mode, const char *key)
{
	struct ks_redact *r = KS_ARENA_NEW(a, struct ks_redact);

	if (r == NULL)
		return NULL;
	r->arena = a;
	r->mode = mode;
	r->key = ks_arena_dup(a, ks_str_c(key));
	r->finder = (struct ks_scrub_words){ find_word, r };
	ks_intern_init(&r->names, MAX_TEXTS);
	ks_intern_init(&r->taken, MAX_TEXTS);
	ks_intern_init(&r->words, MAX_TEXTS);
	ks_map_init(&r->heads, HEAD_BYTES, MAX_TEXTS);
	ks_buf_init(&r->text, TEXT_MAX);
	return ks_arena_failed(a) ? NULL : r;
}

void ks_redact_close(struct ks_redact *r)
{
	if (r == NULL)
		return;
	ks_intern_release(&r->names);
	ks_intern_release(&r->taken);
	ks_intern_release(&r->words);
	ks_map_release(&r->heads);
	ks_mem_free(r->became);
	ks_mem_free(r->owner);
	ks_mem_free(r->word);
	ks_mem_free(r->first);
	ks_mem_free(r->length);
	ks_buf_release(&r->text);
}
