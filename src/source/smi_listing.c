/* SPDX-License-Identifier: Apache-2.0
 *
 * `nvidia-smi -q`: lines "Name : value", whose depth of indentation says what they are a part of.
 * Instances of a split GPU are devices of their own.
 */
#include "base/str.h"
#include "source/telemetry_internal.h"

#define LEVELS	   16		     /* of indentation; nvidia-smi writes 6 */
#define STEP	   4		     /* blanks of one level */
#define PATH_BYTES ((size_t)1 << 24) /* above the limit of the whole text */

struct listing {
	struct ks_tel_work *w;
	struct ks_tel_text t;
	ks_str name[LEVELS]; /* of the lines above, by level */
	size_t board, instance;
	size_t instance_level;
	uint64_t gpus, instances;
	ks_str bus;
	struct ks_buf path, key;
	struct ks_tel_mask mask;
	size_t mask_level; /* of the group that the bits are in */
	ks_str mask_group;
};

/* Bits stand in a group of their own, some a level deeper than others. */
static bool is_mask_group(ks_str name)
{
	return ks_str_eqc(name, "Clocks Event Reasons") ||
	       ks_str_eqc(name, "Clocks Throttle Reasons");
}

static uint64_t mask_bit(ks_str label)
{
	for (size_t i = 0; i < ks_throttle_count(); i++)
		if (ks_str_eqc(label, ks_throttle_at(i)->label))
			return ks_throttle_at(i)->bit;
	return 0;
}

static void key_of(struct listing *l, ks_str path)
{
	ks_buf_reset(&l->key);
	if (l->t.set.n > 0)
		ks_buf_fmt(&l->key, "%.*s/", (int)l->t.set.n, l->t.set.p);
	if (l->board != SIZE_MAX)
		ks_buf_fmt(&l->key, "GPU[%llu] %.*s/", (unsigned long long)(l->gpus - 1),
			   (int)l->bus.n, l->bus.p);
	if (l->instance != SIZE_MAX)
		ks_buf_fmt(&l->key, "MIG Device[%llu]/", (unsigned long long)(l->instances - 1));
	ks_buf_str(&l->key, path);
}

static void end_mask(struct listing *l)
{
	key_of(l, l->mask_group);
	const struct ks_tel_at at = { KS_TEL_LISTING, l->board, l->mask_group, ks_buf_view(&l->key),
				      0 };

	ks_tel_mask_end(l->w, &l->mask, &at);
	l->mask_group = KS_STR_NONE;
}

static void end_board(struct listing *l)
{
	if (l->board != SIZE_MAX)
		ks_tel_same_board(l->w, l->board);
	l->board = l->instance = SIZE_MAX;
}

static void begin_board(struct listing *l, ks_str bus)
{
	end_board(l);
	const struct ks_tel_device d = {
		.gpu = ks_arena_fmt(l->w->a, "%llu", (unsigned long long)l->gpus++),
		.set = l->t.set,
	};

	l->bus = ks_tel_short(bus);
	l->board = ks_tel_add_device(l->w, &d);
	l->instances = 0;
}

static void begin_instance(struct listing *l, size_t level)
{
	struct ks_tel_device d = l->w->device[l->board];

	d.instance = KS_LIT(KS_TEL_INSTANCE_UNKNOWN);
	l->instance = ks_tel_add_device(l->w, &d);
	l->instance_level = level;
	l->instances++;
}

static void field(struct listing *l, size_t level, ks_str value)
{
	const bool split = l->instance != SIZE_MAX;
	const size_t from = split ? l->instance_level + 1 : l->board != SIZE_MAX ? 1 : 0;

	ks_buf_reset(&l->path);
	for (size_t i = from; i <= level; i++) {
		if (i > from)
			ks_buf_ch(&l->path, '/');
		ks_buf_str(&l->path, l->name[i]);
	}
	key_of(l, ks_buf_view(&l->path));
	const struct ks_tel_at at = { KS_TEL_LISTING, split ? l->instance : l->board,
				      ks_buf_view(&l->path), ks_buf_view(&l->key), l->t.line };

	ks_tel_field_seen(l->w, &at, value, KS_STR_NONE);
}

/* A line that begins nothing and says nothing is a heading. */
static void heading(struct listing *l, size_t level, ks_str name)
{
	if (level == 0 && ks_str_starts(name, "GPU "))
		begin_board(l, (ks_str){ name.p + 4, name.n - 4 });
	else if (l->board != SIZE_MAX && ks_str_eqc(name, "MIG Device"))
		begin_instance(l, level);
	else if (l->board != SIZE_MAX && is_mask_group(name)) {
		l->mask_group = name;
		l->mask_level = level;
	}
}

static void read_line(struct listing *l, ks_str line)
{
	size_t blanks = 0;

	while (blanks < line.n && line.p[blanks] == ' ')
		blanks++;
	const size_t level = blanks / STEP;
	const char *colon = memmem(line.p, line.n, " : ", 3);
	const ks_str whole = ks_str_trim(line);

	if (whole.n == 0 || ks_str_starts(whole, "=="))
		return;
	if (level >= LEVELS) {
		ks_tel_item_add(l->w, &l->w->bad, line, KS_TEL_BAD_LINE, l->t.line);
		return;
	}
	if (l->mask_group.n > 0 && level <= l->mask_level)
		end_mask(l);
	if (l->instance != SIZE_MAX && level <= l->instance_level)
		l->instance = SIZE_MAX;
	l->name[level] = ks_tel_short(
		ks_str_trim(colon != NULL ? (ks_str){ line.p, (size_t)(colon - line.p) } : whole));
	if (colon == NULL) {
		heading(l, level, whole);
		return;
	}
	const ks_str value = { colon + 3, line.n - (size_t)(colon + 3 - line.p) };
	const uint64_t bit = l->mask_group.n > 0 ? mask_bit(l->name[level]) : 0;

	if (bit != 0) {
		ks_tel_mask_bit(&l->mask, bit, value, l->t.line);
		l->w->series++;
	} else {
		field(l, level, value);
	}
}

void ks_tel_read_listing(struct ks_tel_work *w, struct ks_tel_text t)
{
	struct listing l = { .w = w, .t = t, .board = SIZE_MAX, .instance = SIZE_MAX };
	ks_str line;
	bool ended;

	for (size_t i = 0; i < LEVELS; i++)
		l.name[i] = KS_LIT("");
	ks_buf_init(&l.path, PATH_BYTES * LEVELS);
	ks_buf_init(&l.key, 2 * PATH_BYTES * LEVELS);
	while (!w->failed && ks_tel_line(&l.t, &line, &ended)) {
		if (ended)
			read_line(&l, line);
		else if (ks_str_trim(line).n > 0) /* it may be half a number */
			ks_tel_item_add(w, &w->bad, line, KS_TEL_UNENDED, l.t.line);
	}
	if (l.mask_group.n > 0)
		end_mask(&l);
	end_board(&l);
	w->failed = w->failed || ks_buf_failed(&l.path) || ks_buf_failed(&l.key);
	ks_buf_release(&l.path);
	ks_buf_release(&l.key);
}
