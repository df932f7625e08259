/* SPDX-License-Identifier: Apache-2.0
 *
 * Names wished for and told. Looks at no text.
 */
#include "analyze/told.h"

#include "base/mem.h"
#include "base/str.h"
#include "tables/tables.h"

static void open_refs(struct ks_told *t)
{
	/* functions and whole names */
	ks_map_init(&t->refs, sizeof(ks_nameref), 2 * (size_t)ks_limit(KS_LIMIT_KERNEL_NAMES));
}

void ks_told_init(struct ks_told *t)
{
	*t = (struct ks_told){ .text = NULL };
	open_refs(t);
}

void ks_told_release(struct ks_told *t)
{
	ks_map_release(&t->refs);
	ks_mem_free(t->text);
	ks_mem_free(t->wish);
}

void ks_told_reset(struct ks_told *t)
{
	ks_map_release(&t->refs);
	open_refs(t);
	for (size_t i = 0; i < t->text_cap; i++)
		t->text[i] = KS_LIT("");
	t->n_wish = 0;
}

bool ks_told_wish(struct ks_told *t, ks_nameref ref)
{
	bool fresh = false;

	if (ref == 0)
		return true;
	const uint32_t at = ks_map_add(&t->refs, &ref, &fresh);

	if (at == KS_MAP_NONE || !KS_GROW(t->text, t->text_cap, (size_t)at + 1, t->refs.max))
		return false;
	if (!fresh)
		return true;
	if (!KS_GROW(t->wish, t->wish_cap, t->n_wish + 1, t->refs.max))
		return false;
	t->wish[t->n_wish++] = ref;
	return true;
}

uint32_t ks_told_number(const struct ks_told *t, ks_nameref ref)
{
	return ref == 0 ? KS_MAP_NONE : ks_map_find(&t->refs, &ref);
}

ks_str ks_told_text(const struct ks_told *t, ks_nameref ref)
{
	const uint32_t at = ks_told_number(t, ref);

	/* a wish for which there was no memory has a number and no place */
	return at == KS_MAP_NONE || at >= t->text_cap || !t->text[at].p ? KS_LIT("") : t->text[at];
}

void ks_told_wanted(const struct ks_told *t, const ks_nameref **ref, size_t *n)
{
	*ref = t->wish;
	*n = t->n_wish;
}

void ks_told_tell(struct ks_told *t, struct ks_arena *arena, ks_nameref ref, ks_str text)
{
	const uint32_t at = ks_told_number(t, ref);

	t->n_wish = 0; /* what was wished for is being told now */
	if (at != KS_MAP_NONE && at < t->text_cap)
		t->text[at] = ks_arena_dup(arena, text);
}
