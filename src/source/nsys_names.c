/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of rows. An integer is an id of StringIds and is looked up after the rows, one by one or in
 * one pass over that table; text is kept once. An id that StringIds does not have is shown as its
 * decimal digits, not dropped.
 *
 * References: 0 none; 1.. id + 1; -1..-2^32 the texts; below that the negative ids.
 */
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "source/nsys.h"

#define TEXT_REFS (INT64_C(1) << 32)
#define MAX_ID	  ((int64_t)KS_NSYS_MAX_ID)

ks_nameref ks_nsys_ref_of_text(struct ks_nsys *n, ks_str text, bool *failed)
{
	if (!text.n)
		return 0;

	const uint32_t number = ks_intern_add(&n->text, text, NULL);

	if (number == KS_MAP_NONE) {
		*failed = true;
		return 0;
	}
	return -(ks_nameref)number - 1;
}

ks_nameref ks_nsys_ref_of_id(struct ks_nsys *n, int64_t id, bool *failed)
{
	if (id >= 0 && id < MAX_ID)
		return id + 1;
	if (id < 0 && id > -MAX_ID)
		return id - TEXT_REFS;

	char digits[KS_NUM_LEN];
	const size_t length = ks_num_i64(digits, id);

	return ks_nsys_ref_of_text(n, (ks_str){ digits, length }, failed);
}

static bool is_text(ks_nameref ref)
{
	return ref < 0 && ref >= -TEXT_REFS;
}

static ks_str text_of(const struct ks_nsys *n, ks_nameref ref)
{
	return ks_intern_get(&n->text, (uint32_t)(-(ref + 1)));
}

bool ks_nsys_ref_is_blank(const struct ks_nsys *n, ks_nameref ref)
{
	return is_text(ref) && ks_str_trim(text_of(n, ref)).n == 0;
}

int ks_nsys_ref_cmp(const struct ks_nsys *n, ks_nameref a, ks_nameref b)
{
	if (is_text(a) && is_text(b))
		return ks_str_cmp(text_of(n, a), text_of(n, b));
	return (a > b) - (a < b);
}

static int64_t id_of(ks_nameref ref)
{
	return ref > 0 ? ref - 1 : ref + TEXT_REFS;
}

/* Of an id within +-2^62. */
static ks_nameref ref_of(int64_t id)
{
	return id >= 0 ? id + 1 : id - TEXT_REFS;
}

struct string_row {
	int64_t id;
	ks_str value;
};

static const struct ks_nsys_column string_columns[] = {
	{ "id", offsetof(struct string_row, id), KS_NSYS_INT, KS_UNKNOWN, KS_UNKNOWN, -MAX_ID,
	  MAX_ID },
	{ "value", offsetof(struct string_row, value), KS_NSYS_TEXT, 0, 0, 0, 0 },
};

/* Whom the texts are told. */
struct listener {
	enum ks_status (*tell)(void *self, ks_nameref ref, ks_str text, struct ks_err *err);
	void *self;
};

/* So many are looked up one by one, a microsecond each; StringIds of long runs has millions of rows
 * and is asked three times. */
enum { FEW_IDS = 1 << 14 };

static enum ks_status look_up(struct ks_nsys *n, const struct ks_map *ids, unsigned char *found,
			      const struct listener *l, struct ks_err *err)
{
	n->ticks = 0;
	for (uint32_t i = 0; i < ids->count && ids->count <= FEW_IDS; i++) {
		bool is_there = false;
		ks_str text;
		int64_t id;

		memcpy(&id, ks_map_key(ids, i), sizeof(id));
		KS_TRY(ks_nsys_string(n, id, &text, &is_there, err));
		if (!is_there)
			continue;
		found[i] = 1;
		KS_TRY(l->tell(l->self, ref_of(id), text, err));
	}
	return KS_OK;
}

/* One pass over StringIds for those that are not found yet; `found` has one byte per wanted id. The
 * first row of an id counts. */
static enum ks_status scan_strings(struct ks_nsys *n, const struct ks_map *ids,
				   unsigned char *found, const struct listener *l,
				   struct ks_err *err)
{
	struct ks_nsys_table *t = ks_nsys_table(n, "StringIds");
	struct ks_nsys_scan s;
	struct string_row row;
	bool got = true;
	size_t left = ids->count;

	for (size_t i = 0; i < ids->count; i++)
		left -= found[i];
	if (t)
		t->analysed = true;
	if (!t || !left)
		return KS_OK;
	ks_nsys_row_clear(&row, string_columns, KS_ARRAY_LEN(string_columns));

	enum ks_status st =
		ks_nsys_scan_open(&s, n, t, string_columns, KS_ARRAY_LEN(string_columns), err);

	if (st == KS_OK)
		ks_nsys_scan_expect(&s, KS_TEXT_SRC_PROGRESS_NAMES);
	while (st == KS_OK && left && (st = ks_nsys_scan_next(&s, &row, &got, err)) == KS_OK &&
	       got) {
		const uint32_t number = ks_map_find(ids, &row.id);

		if (number == KS_MAP_NONE || found[number])
			continue;
		found[number] = 1;
		left--;
		st = l->tell(l->self, ref_of(row.id), row.value, err);
	}
	ks_nsys_scan_close(&s);
	return st;
}

/* Ids without a string. */
static enum ks_status name_rest(const struct ks_map *ids, const unsigned char *found,
				const struct listener *l, struct ks_err *err)
{
	for (size_t i = 0; i < ids->count; i++) {
		char digits[KS_NUM_LEN];
		int64_t id;

		if (found[i])
			continue;
		memcpy(&id, ks_map_key(ids, (uint32_t)i), sizeof(id));

		const size_t length = ks_num_i64(digits, id);

		KS_TRY(l->tell(l->self, ref_of(id), (ks_str){ digits, length }, err));
	}
	return KS_OK;
}

static enum ks_status name_texts(struct ks_nsys *n, struct ks_map *ids, const ks_nameref *ref,
				 size_t count, const struct listener *l, struct ks_err *err)
{
	for (size_t i = 0; i < count; i++) {
		if (is_text(ref[i])) {
			KS_TRY(l->tell(l->self, ref[i], text_of(n, ref[i]), err));
		} else if (ref[i]) {
			const int64_t id = id_of(ref[i]);

			if (ks_map_add(ids, &id, NULL) == KS_MAP_NONE)
				return ks_nsys_no_memory(err);
		}
	}
	return KS_OK;
}

enum ks_status ks_nsys_resolve(struct ks_nsys *n, const ks_nameref *ref, size_t count,
			       enum ks_status (*tell)(void *self, ks_nameref ref, ks_str text,
						      struct ks_err *err),
			       void *self, struct ks_err *err)
{
	const struct listener l = { tell, self };
	struct ks_map ids;

	ks_map_init(&ids, sizeof(int64_t), UINT32_MAX - 1);

	enum ks_status st = name_texts(n, &ids, ref, count, &l, err);
	unsigned char *found = st == KS_OK ? ks_mem_alloc(ids.count + 1) : NULL;

	if (st == KS_OK && !found)
		st = ks_nsys_no_memory(err);
	if (st == KS_OK)
		st = look_up(n, &ids, found, &l, err);
	if (st == KS_OK)
		st = scan_strings(n, &ids, found, &l, err);
	if (st == KS_OK)
		st = name_rest(&ids, found, &l, err);
	ks_mem_free(found);
	ks_map_release(&ids);
	return st;
}

enum ks_status ks_nsys_name_now(void *self, ks_nameref ref, ks_str *text, struct ks_err *err)
{
	struct ks_nsys *n = self;
	bool is_there;

	*text = (ks_str){ "", 0 };
	if (!ref)
		return KS_OK;
	if (!is_text(ref))
		return ks_nsys_string(n, id_of(ref), text, &is_there, err);
	*text = text_of(n, ref);
	return KS_OK;
}

enum ks_status ks_nsys_names(struct ks_nsys *n, struct ks_err *err)
{
	const ks_nameref *ref = NULL;
	size_t count = 0;

	n->sink->ops->wanted(n->sink->self, &ref, &count);
	return ks_nsys_resolve(n, ref, count, n->sink->ops->name, n->sink->self, err);
}
