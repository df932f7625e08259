/* SPDX-License-Identifier: Apache-2.0
 *
 * Palettes by what a slice is, and the choice of a colour for a name. Knows no geometry.
 */
#include "render/svg_colour.h"

#include "base/str.h"

#define DARK  "#111827"
#define LIGHT "#ffffff"

/* After the palettes of Okabe and Ito (2008) and of Paul Tol (2021); communication has the reds and
 * purples for itself. */
static const struct ks_svg_colour compute[] = {
	{ "#0072b2", "", LIGHT }, { "#e69f00", "", DARK },  { "#009e73", "", LIGHT },
	{ "#56b4e9", "", DARK },  { "#332288", "", LIGHT }, { "#999933", "", DARK },
	{ "#44aa99", "", DARK },  { "#ddcc77", "", DARK },
};
static const struct ks_svg_colour comm[] = {
	{ "#d55e00", "", LIGHT },
	{ "#cc79a7", "", DARK },
	{ "#882255", "", LIGHT },
	{ "#cc6677", "", DARK },
};
static const struct ks_svg_colour copies[] = {
	{ "#64748b", "", LIGHT },
	{ "#94a3b8", "", DARK },
	{ "#475569", "", LIGHT },
};
static const struct ks_svg_colour ranges[] = {
	{ "#dbeafe", "#93b4e8", DARK }, { "#dcfce7", "#8cc7a0", DARK },
	{ "#fef3c7", "#d9bd6a", DARK }, { "#f3e8ff", "#bfa3dd", DARK },
	{ "#e0f2fe", "#84bbd8", DARK }, { "#fce7f3", "#d99abb", DARK },
};
static const struct ks_svg_colour calls[] = {
	{ "#e7e5e4", "#a8a29e", DARK },
	{ "#d6d3d1", "#8f8984", DARK },
};
static const struct ks_svg_colour waits[] = { { "#fde2cf", "#d9a27a", DARK } };
static const struct ks_svg_colour memory[] = { { "#5eead4", "", DARK } };

static const struct palette {
	const struct ks_svg_colour *colour;
	unsigned n;
} palettes[] = {
	[KS_LANE_STREAM] = { compute, KS_ARRAY_LEN(compute) },
	[KS_LANE_COPY] = { copies, KS_ARRAY_LEN(copies) },
	[KS_LANE_SYNC] = { waits, KS_ARRAY_LEN(waits) },
	[KS_LANE_NVTX] = { ranges, KS_ARRAY_LEN(ranges) },
	[KS_LANE_API] = { calls, KS_ARRAY_LEN(calls) },
	[KS_LANE_MEMORY] = { memory, KS_ARRAY_LEN(memory) },
};
static const struct palette of_comm = { comm, KS_ARRAY_LEN(comm) };

static struct palette palette_of(enum ks_lane_kind kind, bool is_comm)
{
	if (kind == KS_LANE_STREAM && is_comm)
		return of_comm;
	return palettes[(unsigned)kind < KS_ARRAY_LEN(palettes) ? kind : KS_LANE_STREAM];
}

/* FNV-1a over the bytes of the name, http://www.isthe.com/chongo/tech/comp/fnv/ */
static unsigned slot_of(ks_str name, unsigned n)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 16777619u;
	return (h ^ h >> 16) % n;
}

static bool is_drawn(const struct ks_timeline_picture *p, ks_str name, bool *is_comm)
{
	for (size_t i = 0; i < p->n_bars; i++)
		if (p->row[p->bar[i].row].kind == KS_LANE_STREAM &&
		    ks_str_eq(p->bar[i].name, name)) {
			*is_comm = p->bar[i].comm;
			return true;
		}
	return false;
}

static bool is_taken(const struct ks_svg_keys *k, unsigned slot, bool is_comm)
{
	for (size_t i = 0; i < k->n; i++)
		if (k->key[i].slot == slot && k->key[i].comm == is_comm)
			return true;
	return false;
}

/* Its own slot, or the next one that is free; false when none is. */
static bool find_slot(const struct ks_svg_keys *k, struct ks_svg_key *key)
{
	const unsigned n = palette_of(KS_LANE_STREAM, key->comm).n;
	const unsigned own = slot_of(key->name, n);

	for (unsigned i = 0; i < n; i++) {
		key->slot = (own + i) % n;
		if (!is_taken(k, key->slot, key->comm))
			return true;
	}
	return false;
}

void ks_svg_keys_make(struct ks_svg_keys *k, const struct ks_report *r,
		      const struct ks_timeline_picture *p)
{
	k->n = 0;
	for (size_t i = 0; i < r->n_kernels && i < 4 * KS_SVG_KEYS && k->n < KS_SVG_KEYS; i++) {
		struct ks_svg_key key = { .name = r->kernel[i].name };

		if (!r->kernel[i].is_device && is_drawn(p, key.name, &key.comm) &&
		    find_slot(k, &key))
			k->key[k->n++] = key;
	}
}

const struct ks_svg_colour *ks_svg_key_colour(const struct ks_svg_key *key)
{
	return &palette_of(KS_LANE_STREAM, key->comm).colour[key->slot];
}

const struct ks_svg_colour *ks_svg_colour_of(const struct ks_svg_keys *k, enum ks_lane_kind kind,
					     ks_str name, bool is_comm)
{
	const struct palette p = palette_of(kind, is_comm);

	for (size_t i = 0; kind == KS_LANE_STREAM && i < k->n; i++)
		if (ks_str_eq(k->key[i].name, name))
			return ks_svg_key_colour(&k->key[i]);
	return &p.colour[slot_of(name, p.n)];
}
