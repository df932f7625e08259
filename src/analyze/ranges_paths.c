/* SPDX-License-Identifier: Apache-2.0
 *
 * Open ranges as lists in order of start, and the tree of the paths they make. A node is made when
 * time falls on its path, never before, so that the tree grows with what was launched. Paths have
 * at most KS_LIMIT_PATH_DEPTH levels; what is open below is counted into the last.
 */
#include "analyze/ranges_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "tables/tables.h"

#define DEEP 255 /* place of a range that is below the last level */

struct path_key {
	uint32_t parent, frame;
};
struct path_sum {
	ks_ns own;
	uint64_t kernels;
};

struct ks_range_paths {
	const struct ks_ranges *r;
	bool by_group;
	unsigned depth;
	size_t most; /* nodes */
	struct ks_map nodes;
	struct path_sum *sum; /* by node */
	size_t sum_cap;
	uint32_t *node;	      /* by range; valid for the first ones of each list */
	unsigned char *place; /* by range: from 0, or DEEP */
	uint32_t *last;	      /* by list: the last one that is not DEEP */
};

/* --- lists ---------------------------------------------------------------------------------------
 */

bool ks_range_lists_open(struct ks_range_lists *l, const struct ks_ranges *r, size_t n_lists)
{
	*l = (struct ks_range_lists){
		.prev = ks_mem_alloc(r->n_ranges * sizeof(*l->prev)),
		.next = ks_mem_alloc(r->n_ranges * sizeof(*l->next)),
		.tail = ks_mem_alloc(n_lists * sizeof(*l->tail)),
	};
	if (!l->prev || !l->next || !l->tail)
		return false;
	for (size_t i = 0; i < n_lists; i++)
		l->tail[i] = KS_RANGE_NONE;
	return true;
}

void ks_range_lists_close(struct ks_range_lists *l)
{
	ks_mem_free(l->prev);
	ks_mem_free(l->next);
	ks_mem_free(l->tail);
	ks_range_paths_close(l->paths);
	*l = (struct ks_range_lists){ 0 };
}

static void place_pushed(struct ks_range_paths *p, uint32_t list, uint32_t range)
{
	const uint32_t last = p->last[list];
	const unsigned place = last == KS_RANGE_NONE ? 0 : p->place[last] + 1u;

	p->node[range] = KS_RANGE_NONE;
	p->place[range] = DEEP;
	if (place < p->depth) {
		p->place[range] = (unsigned char)place;
		p->last[list] = range;
	}
}

/* What stands behind a removed range moves up by one, and the first of the deep ones into view. */
static void place_removed(const struct ks_range_lists *l, uint32_t list, uint32_t range)
{
	struct ks_range_paths *p = l->paths;
	uint32_t last = l->prev[range];

	if (p->place[range] == DEEP)
		return;
	for (uint32_t i = l->next[range]; i != KS_RANGE_NONE; i = l->next[i]) {
		const bool was_deep = p->place[i] == DEEP;

		p->node[i] = KS_RANGE_NONE;
		p->place[i] = last == KS_RANGE_NONE ? 0 : (unsigned char)(p->place[last] + 1);
		last = i;
		if (was_deep)
			break;
	}
	p->last[list] = last;
}

void ks_range_lists_push(struct ks_range_lists *l, uint32_t list, uint32_t range)
{
	const uint32_t tail = l->tail[list];

	l->prev[range] = tail;
	l->next[range] = KS_RANGE_NONE;
	if (tail != KS_RANGE_NONE)
		l->next[tail] = range;
	l->tail[list] = range;
	if (l->paths)
		place_pushed(l->paths, list, range);
}

void ks_range_lists_remove(struct ks_range_lists *l, uint32_t list, uint32_t range)
{
	const uint32_t prev = l->prev[range], next = l->next[range];

	if (l->paths)
		place_removed(l, list, range);
	if (prev != KS_RANGE_NONE)
		l->next[prev] = next;
	if (next != KS_RANGE_NONE)
		l->prev[next] = prev;
	else
		l->tail[list] = prev;
}

/* --- paths ---------------------------------------------------------------------------------------
 */

struct ks_range_paths *ks_range_paths_open(const struct ks_ranges *r, size_t n_lists, bool by_group)
{
	struct ks_range_paths *p = ks_mem_alloc(sizeof(*p));

	if (!p)
		return NULL;
	p->r = r;
	p->by_group = by_group;
	p->depth = (unsigned)ks_limit(KS_LIMIT_PATH_DEPTH);
	p->most = (size_t)ks_limit(KS_LIMIT_PATH_NODES);
	ks_map_init(&p->nodes, sizeof(struct path_key), p->most + r->n_groups + n_lists);
	p->node = ks_mem_alloc(r->n_ranges * sizeof(*p->node));
	p->place = ks_mem_alloc(r->n_ranges * sizeof(*p->place));
	p->last = ks_mem_alloc(n_lists * sizeof(*p->last));
	if (!p->node || !p->place || !p->last) {
		ks_range_paths_close(p);
		return NULL;
	}
	for (size_t i = 0; i < n_lists; i++)
		p->last[i] = KS_RANGE_NONE;
	return p;
}

void ks_range_paths_close(struct ks_range_paths *p)
{
	if (!p)
		return;
	ks_map_release(&p->nodes);
	ks_mem_free(p->sum);
	ks_mem_free(p->node);
	ks_mem_free(p->place);
	ks_mem_free(p->last);
	ks_mem_free(p);
}

/* A node that cannot be numbered any more is its parent; KS_RANGE_NONE: no memory. */
static uint32_t child_of(struct ks_range_paths *p, uint32_t parent, uint32_t frame)
{
	const struct path_key key = { parent, frame };

	/* the first level is as long as the list of names, which is here already */
	if (p->nodes.count >= p->most && parent != KS_RANGE_NONE) {
		const uint32_t known = ks_map_find(&p->nodes, &key);

		return known == KS_MAP_NONE ? parent : known;
	}
	return ks_map_add(&p->nodes, &key, NULL);
}

static uint32_t frame_of(const struct ks_range_paths *p, uint32_t range)
{
	const uint32_t group = p->r->range[range].group;

	return p->by_group ? group : p->r->group[group].name;
}

uint32_t ks_range_paths_node(struct ks_range_lists *l, uint32_t list)
{
	struct ks_range_paths *p = l->paths;
	uint32_t missing[DEEP];
	size_t n = 0;
	uint32_t at = p->last[list], node = KS_RANGE_NONE;

	for (; at != KS_RANGE_NONE && p->node[at] == KS_RANGE_NONE; at = l->prev[at])
		missing[n++] = at;
	if (at != KS_RANGE_NONE)
		node = p->node[at];
	else if (!p->by_group)
		node = child_of(p, KS_RANGE_NONE, list);
	while (n > 0 && (p->by_group || node != KS_RANGE_NONE)) {
		node = child_of(p, node, frame_of(p, missing[--n]));
		p->node[missing[n]] = node;
		if (node == KS_RANGE_NONE)
			break;
	}
	return node;
}

size_t ks_range_paths_count(const struct ks_range_paths *p)
{
	return p->nodes.count;
}

size_t ks_range_paths_frames(const struct ks_range_paths *p, uint32_t node, uint32_t *frame,
			     size_t cap)
{
	size_t n = 0;

	for (uint32_t at = node; at != KS_RANGE_NONE && n < cap;) {
		const struct path_key *key = ks_map_key(&p->nodes, at);

		frame[n++] = key->frame;
		at = key->parent;
	}
	return n;
}

bool ks_range_paths_add(struct ks_range_lists *l, uint32_t list, ks_ns ns, uint64_t kernels)
{
	struct ks_range_paths *p = l->paths;
	const uint32_t node = ks_range_paths_node(l, list);

	if (node == KS_RANGE_NONE || !KS_GROW(p->sum, p->sum_cap, p->nodes.count, p->nodes.max))
		return false;
	p->sum[node].own += ns;
	p->sum[node].kernels += kernels;
	return true;
}

/* --- the tree as an answer -----------------------------------------------------------------------
 */

struct tree_node {
	uint32_t number, parent, depth;
	ks_str name;
	ks_ns total;
	uint32_t first_child, next_sibling, at; /* at: index in the answer */
};

/* Totals go up from children to parents; a child always has a higher number than its parent. */
static bool total_up(const struct ks_range_paths *p, struct tree_node *t)
{
	const size_t n = p->nodes.count;

	for (size_t i = 0; i < n; i++) {
		const struct path_key *key = ks_map_key(&p->nodes, (uint32_t)i);
		const bool root = key->parent == KS_RANGE_NONE;

		t[i] = (struct tree_node){ .number = (uint32_t)i,
					   .parent = root ? (uint32_t)i : key->parent,
					   .depth = root ? 0 : t[key->parent].depth + 1,
					   .name = root ? p->r->domain[key->frame].name
							: p->r->name[key->frame],
					   .total = p->sum[i].own };
	}
	for (size_t i = n; i-- > 0;) {
		if (t[i].parent != i &&
		    __builtin_add_overflow(t[t[i].parent].total, t[i].total, &t[t[i].parent].total))
			return false;
	}
	return true;
}

/* Most time first; of equal ones the upper, so that a node never comes before its parent. */
static int by_total(const void *x, const void *y)
{
	const struct tree_node *a = x, *b = y;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;

	const int c = ks_str_cmp(a->name, b->name);

	return c ? c : (a->number > b->number) - (a->number < b->number);
}

/* Links the kept nodes, which are sorted, so that children come in that order too. */
static void link_tree(struct tree_node *t, uint32_t *place_of, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		place_of[t[i].number] = (uint32_t)i;
		t[i].first_child = t[i].next_sibling = KS_RANGE_NONE;
	}
	for (size_t i = n; i-- > 0;) {
		if (t[i].parent == t[i].number)
			continue;
		struct tree_node *parent = &t[place_of[t[i].parent]];

		t[i].next_sibling = parent->first_child;
		parent->first_child = (uint32_t)i;
	}
}

static size_t put_root(const struct ks_range_paths *p, struct tree_node *t, uint32_t root,
		       const uint32_t *place_of, struct ks_path_node *out, size_t n)
{
	for (uint32_t i = root; i != KS_RANGE_NONE;) {
		const bool is_root = t[i].parent == t[i].number;

		t[i].at = (uint32_t)n;
		out[n++] = (struct ks_path_node){
			.name = t[i].name,
			.parent = is_root ? t[i].at : t[place_of[t[i].parent]].at,
			.depth = t[i].depth,
			.kernels = p->sum[t[i].number].kernels,
			.own_ns = p->sum[t[i].number].own,
			.total_ns = t[i].total,
		};
		if (t[i].first_child != KS_RANGE_NONE) {
			i = t[i].first_child;
			continue;
		}
		while (i != root && t[i].next_sibling == KS_RANGE_NONE)
			i = place_of[t[i].parent];
		i = i == root ? KS_RANGE_NONE : t[i].next_sibling;
	}
	return n;
}

static void put_tree(const struct ks_range_paths *p, struct tree_node *t, size_t keep,
		     uint32_t *place_of, struct ks_path_node *out)
{
	size_t n = 0;

	link_tree(t, place_of, keep);
	for (size_t i = 0; i < keep; i++) {
		if (t[i].parent == t[i].number)
			n = put_root(p, t, (uint32_t)i, place_of, out, n);
	}
}

/* Nodes that are not listed, under the listed ones they hang on: those above a listed node are all
 * listed, as none has more time than what is above it. */
static void put_left_out(const struct tree_node *t, size_t n, size_t keep, uint32_t *place_of,
			 struct ks_path_node *out)
{
	for (size_t i = keep; i < n; i++)
		place_of[t[i].number] = KS_RANGE_NONE;
	for (size_t i = keep; i < n; i++) {
		const uint32_t parent = place_of[t[i].parent];

		if (parent != KS_RANGE_NONE && t[i].parent != t[i].number)
			out[t[parent].at].left_out_ns += t[i].total;
	}
}

enum ks_status ks_range_paths_answer(struct ks_range_lists *l, const struct ks_ranges_ask *ask,
				     struct ks_arena *arena, struct ks_timeline *t,
				     struct ks_err *err)
{
	struct ks_range_paths *p = l->paths;
	const size_t n = p->nodes.count, keep = n < ask->max_paths ? n : ask->max_paths;
	struct tree_node *node = ks_mem_alloc(n * sizeof(*node));
	uint32_t *place_of = ks_mem_alloc(n * sizeof(*place_of));
	struct ks_path_node *out = KS_ARENA_NEWS(arena, struct ks_path_node, keep);
	bool ok = node && place_of && out && KS_GROW(p->sum, p->sum_cap, n, p->nodes.max);
	enum ks_status s = KS_OK;

	if (!ok) {
		s = ks_ranges_no_memory(err);
	} else if (!total_up(p, node)) {
		s = ks_ranges_overflow(err);
	} else {
		if (n > 0)
			qsort(node, n, sizeof(*node), by_total);
		put_tree(p, node, keep, place_of, out);
		put_left_out(node, n, keep, place_of, out);
		for (size_t i = 0; t->by_overlap && i < keep; i++)
			out[i].kernels = UINT64_MAX; /* no launch is known to have a path */
		t->path = out;
		t->n_paths = keep;
		t->paths_left_out = n - keep;
	}
	ks_mem_free(node);
	ks_mem_free(place_of);
	return s;
}
