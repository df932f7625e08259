/* SPDX-License-Identifier: Apache-2.0
 *
 * What was found: names are matched once each, records read in order, all counted and the first few
 * kept. Reads no row of a trace.
 */
#include "analyze/eventname.h"
#include "analyze/find_internal.h"
#include "analyze/name.h"
#include "base/mem.h"
#include "base/str.h"
#include "tables/tables.h"

#define READ_AT_ONCE 256

struct called {		 /* a shape's name */
	ks_str shown;	 /* as the answer writes it */
	ks_str asked[3]; /* what a choice may be compared with, besides */
	ks_str nearest;	 /* what to offer when nothing fits */
};

static ks_str bare_kernel(struct ks_find *f, ks_str name)
{
	return ks_event_kernel(&f->arena, NULL, name);
}

static struct called call_it(struct ks_find *f, const struct ks_find_shape *s)
{
	struct ks_redact *redact = f->ctx->redact;
	const ks_str text = ks_find_text(f, s->name);
	struct called c = { .shown = KS_LIT("") };

	switch (ks_find_kind_in((enum ks_find_table)s->table)) {
	case KS_FIND_KERNEL:
		c.shown = ks_event_kernel(&f->arena, redact, text);
		c.asked[0] = bare_kernel(f, text);
		c.asked[1] = ks_name_function(c.asked[0]);
		c.asked[2] = text;
		c.nearest = ks_redact_mode_of(redact) == KS_REDACT_NAMES
				    ? c.shown
				    : ks_name_function(c.shown);
		return c;
	case KS_FIND_COPY:
		c.shown = ks_event_copy(&f->arena, s->name);
		break;
	case KS_FIND_RANGE:
		c.shown = ks_redact_name(redact, KS_NAME_RANGE, text);
		c.asked[0] = text;
		break;
	case KS_FIND_API:
		c.shown = ks_event_call(ks_redact_text(redact, text));
		c.asked[0] = text;
		break;
	case KS_FIND_GAP:
	case KS_FIND_KINDS:
		break;
	}
	c.nearest = c.shown;
	return c;
}

static enum ks_status fits(struct ks_find *f, const struct called *c, bool *hit, struct ks_err *err)
{
	KS_TRY(ks_matcher_test(f->matcher, c->shown, hit, err));
	for (size_t i = 0; i < KS_ARRAY_LEN(c->asked) && !*hit; i++) {
		if (c->asked[i].n > 0)
			KS_TRY(ks_matcher_test(f->matcher, c->asked[i], hit, err));
	}
	return KS_OK;
}

struct shapes { /* beside f->shapes */
	ks_str *shown;
	bool *hit;
};

static void offer_near(struct ks_find *f, const struct ks_intern *names)
{
	const size_t max = (size_t)ks_limit(KS_LIMIT_NEAREST_NAMES);
	ks_str *near = KS_ARENA_NEWS(&f->arena, ks_str, max);
	const bool pattern = ks_matcher_is_regex(f->matcher);

	f->out.no_such_name = true;
	if (near == NULL)
		return;
	f->out.n_near = ks_nearest_names(pattern ? KS_LIT("") : f->choice->name, names->items,
					 names->count, near, max);
	for (size_t i = 0; i < f->out.n_near; i++)
		near[i] = ks_arena_dup(&f->arena, near[i]);
	f->out.near = near;
}

static enum ks_status look_at(struct ks_find *f, struct shapes *t, struct ks_intern *names,
			      struct ks_err *err)
{
	size_t hits = 0;

	for (uint32_t i = 0; i < f->shapes.count; i++) {
		const struct called c = call_it(f, ks_map_key(&f->shapes, i));

		t->shown[i] = c.shown;
		KS_TRY(fits(f, &c, &t->hit[i], err));
		hits += t->hit[i];
		if (f->choice->name.n > 0 && ks_intern_add(names, c.nearest, NULL) == KS_MAP_NONE)
			return ks_find_no_memory(err);
	}
	if (f->choice->name.n > 0 && hits == 0 && f->shapes.count > 0)
		offer_near(f, names);
	return ks_arena_failed(&f->arena) ? ks_find_no_memory(err) : KS_OK;
}

/* A device is chosen by its label, which is known only now. */
static void drop_other_devices(const struct ks_find *f, struct shapes *t)
{
	if (f->choice->device == KS_UNKNOWN)
		return;
	for (uint32_t i = 0; i < f->shapes.count; i++) {
		const struct ks_find_shape *s = ks_map_key(&f->shapes, i);

		t->hit[i] = t->hit[i] && f->devices.device[s->device].label == f->choice->device;
	}
}

int64_t ks_find_label(const struct ks_find *f, int64_t device)
{
	const int64_t label = device < 0 ? -1 : f->devices.device[device].label;

	return label < 0 ? KS_UNKNOWN : label;
}

struct ks_found_event ks_find_event_of(struct ks_find *f, const ks_str *shown, int64_t word,
				       ks_ns start, ks_ns duration)
{
	const uint32_t at = (uint32_t)word & ((UINT32_C(1) << KS_FIND_SHAPE_BITS) - 1);
	const struct ks_find_shape *s = ks_map_key(&f->shapes, at);
	const int64_t row = word >> KS_FIND_SHAPE_BITS;

	return (struct ks_found_event){
		.kind = ks_find_kind_in((enum ks_find_table)s->table),
		.id = ks_find_id(&f->arena, (enum ks_find_table)s->table, s->process,
				 row == 0 ? KS_UNKNOWN : row - 1),
		.name = shown[at],
		.domain = KS_LIT(""),
		.start_ns = start,
		.duration_ns = duration,
		.device = ks_find_label(f, s->device),
		.stream = s->stream,
		.pid = ks_global_pid(s->process),
		.tid = ks_global_tid(s->thread),
		.context = s->context,
		.correlation = KS_UNKNOWN,
		.bytes = KS_UNKNOWN,
	};
}

static struct ks_found_event event_of(struct ks_find *f, const struct shapes *t, const int64_t *rec)
{
	const bool by_duration = f->choice->by_duration;
	const enum ks_find_kind kind = f->choice->kind;
	const struct ks_find_shape *s = ks_map_key(
		&f->shapes, (uint32_t)rec[2] & ((UINT32_C(1) << KS_FIND_SHAPE_BITS) - 1));
	struct ks_found_event e = ks_find_event_of(
		f, t->shown, rec[2], by_duration ? rec[1] : rec[0], by_duration ? -rec[0] : rec[1]);

	if (kind == KS_FIND_COPY)
		e.bytes = rec[3];
	if ((kind == KS_FIND_KERNEL || kind == KS_FIND_API) && rec[3] != 0)
		e.correlation = rec[3];
	if (kind == KS_FIND_RANGE)
		e.domain = ks_redact_name(f->ctx->redact, KS_NAME_DOMAIN,
					  ks_find_text(f, f->domain_name[s->domain]));
	return e;
}

/* Counts what fits and keeps `most` of it from place `first` on. */
static enum ks_status walk(struct ks_find *f, const struct shapes *t, uint64_t first, uint64_t most,
			   struct ks_err *err)
{
	int64_t rec[READ_AT_ONCE * KS_FIND_WORDS];
	size_t n = 0, kept = 0;
	uint64_t at = 0;

	f->out.total = 0;
	do {
		KS_TRY(ks_sorter_read(f->events, at, rec, READ_AT_ONCE, &n, err));
		at += n;
		for (size_t i = 0; i < n; i++) {
			const int64_t *r = &rec[i * KS_FIND_WORDS];

			if (!t->hit[r[2] & ((INT64_C(1) << KS_FIND_SHAPE_BITS) - 1)])
				continue;
			if (f->out.total++ < first || kept >= most)
				continue;
			if (!KS_GROW(f->event, f->event_cap, kept + 1,
				     SIZE_MAX / sizeof(*f->event)))
				return ks_find_no_memory(err);
			f->event[kept++] = event_of(f, t, r);
		}
	} while (n > 0);
	f->out.event = f->event;
	f->out.n = kept;
	return ks_arena_failed(&f->arena) ? ks_find_no_memory(err) : KS_OK;
}

/* A pattern goes with names; a name becomes what names of its kind become. */
static ks_str shown_choice(struct ks_find *f)
{
	struct ks_redact *redact = f->ctx->redact;
	const ks_str name = f->choice->name;

	if (name.n == 0 || ks_matcher_is_regex(f->matcher))
		return ks_redact_choice(redact, name);
	if (f->choice->kind == KS_FIND_KERNEL)
		return ks_redact_name(redact, KS_NAME_KERNEL, name);
	if (f->choice->kind == KS_FIND_RANGE)
		return ks_redact_name(redact, KS_NAME_RANGE, name);
	return ks_redact_text(redact, name); /* no name that a program chose */
}

enum ks_status ks_find_finish(struct ks_find *f, const struct ks_found **out, struct ks_err *err)
{
	struct shapes t = { KS_ARENA_NEWS(&f->arena, ks_str, f->shapes.count + 1),
			    KS_ARENA_NEWS(&f->arena, bool, f->shapes.count + 1) };
	struct ks_intern names;

	if (t.shown == NULL || t.hit == NULL)
		return ks_find_no_memory(err);
	KS_TRY(ks_sorter_finish(f->events, NULL, NULL, err));
	ks_devices_label(&f->devices);
	f->out.name = shown_choice(f);
	ks_intern_init(&names, f->shapes.max);
	const enum ks_status looked = look_at(f, &t, &names, err);

	ks_intern_release(&names);
	KS_TRY(looked);
	drop_other_devices(f, &t);
	if (f->choice->kind == KS_FIND_GAP)
		KS_TRY(ks_find_gaps(f, t.shown, err));
	else
		KS_TRY(walk(f, &t, 0, f->choice->median ? 0 : f->choice->limit, err));
	if (f->choice->median && f->out.total > 0) /* longest first */
		KS_TRY(walk(f, &t, f->out.total / 2, 1, err));
	*out = &f->out;
	return KS_OK;
}
