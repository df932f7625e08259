/* SPDX-License-Identifier: Apache-2.0
 *
 * What slices are called and where they go: names numbered by their text, tracks in the order of
 * their places, keys ranked by both, so that nothing depends on the order of rows.
 */
#include "analyze/slices_internal.h"

#include "analyze/configs.h"
#include "analyze/name.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

#define NAME_UNKNOWN KS_LIT("<unknown>")
#define LABEL_MAX    ((size_t)1 << 16)

ks_str ks_slices_name(const struct ks_slices *s, uint32_t number)
{
	return ks_intern_get(&s->names, number);
}

static bool intern(struct ks_slices *s, ks_str text, uint32_t *number)
{
	*number = ks_intern_add(&s->names, text.n ? text : NAME_UNKNOWN, NULL);
	return *number != KS_MAP_NONE;
}

/* --- kernels -------------------------------------------------------------------------------------
 */

/* As the report would call it; for kernels that -k left out of the report. */
static ks_str name_of_group(struct ks_slices *s, uint32_t group, struct ks_buf *text)
{
	const struct ks_analysis *a = s->a;
	const struct ks_group_key *key = ks_launches_group_key(&a->launches, group);
	const ks_str function = ks_analysis_text(a, key->function),
		     mangled = ks_analysis_text(a, key->mangled);
	ks_str full = ks_analysis_text(a, key->demangled);

	if (a->sel->base == KS_NAMES_MANGLED && mangled.n)
		return mangled;
	if (full.n == 0 && function.n == 0 && mangled.n && ks_analysis_demangle(a, mangled, text))
		full = ks_buf_view(text);
	if (full.n == 0)
		full = function.n ? function : mangled;
	if (a->sel->base != KS_NAMES_FUNCTION)
		return full;
	return function.n ? function : ks_name_function(full);
}

static enum ks_status name_groups(struct ks_slices *s, struct ks_err *err)
{
	const struct ks_analysis *a = s->a;
	const size_t n = a->launches.groups.count;
	struct ks_buf text;
	bool whole = true;

	s->group_name = ks_mem_alloc((n + 1) * sizeof(*s->group_name));
	s->group_config = ks_mem_alloc((n + 1) * sizeof(*s->group_config));
	if (!s->group_name || !s->group_config)
		return ks_slices_no_memory(err);
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
	for (uint32_t g = 0; g < n && whole; g++) {
		const uint32_t kernel = a->kernel_of_group[g];

		ks_buf_reset(&text);
		whole = intern(s,
			       kernel < a->n_kernels
				       ? a->kernel[kernel].name
				       : ks_redact_name(a->ctx->redact, KS_NAME_KERNEL,
							name_of_group(s, g, &text)),
			       &s->group_name[g]);
	}
	ks_buf_release(&text);
	for (size_t k = 0; k < a->n_kernels; k++) {
		for (size_t c = 0; c < a->kernel[k].n_configs; c++) {
			const struct ks_config_groups *of = &a->kernel[k].config_group[c];

			for (size_t i = 0; i < of->n; i++)
				s->group_config[of->group[i]] = &a->kernel[k].config[c];
		}
	}
	return whole ? KS_OK : ks_slices_no_memory(err);
}

/* --- keys ----------------------------------------------------------------------------------------
 */

/* Index in the report's GPUs; SIZE_MAX for a device that was not selected. */
static size_t gpu_of(const struct ks_slices *s, uint32_t device)
{
	if (device >= s->a->n_devices || !s->a->device[device].selected)
		return SIZE_MAX;
	const int64_t label = s->a->devices.device[device].label;

	for (size_t i = 0; i < s->r->n_gpus; i++) {
		if (s->r->gpu[i].label == label)
			return i;
	}
	return SIZE_MAX;
}

static bool open_keys(struct ks_slice_keys *k, size_t n)
{
	k->n = n;
	k->track = ks_mem_alloc((n + 1) * sizeof(*k->track));
	k->name = ks_mem_alloc((n + 1) * sizeof(*k->name));
	k->rank = ks_mem_alloc((n + 1) * sizeof(*k->rank));
	k->key = ks_mem_alloc((n + 1) * sizeof(*k->key));
	return k->track && k->name && k->rank && k->key;
}

static bool set_place(struct ks_slices *s, const struct ks_slice_place *place, uint32_t *track)
{
	*track = ks_map_add(&s->places, place, NULL);
	return *track != KS_MAP_NONE;
}

static enum ks_status place_kernels(struct ks_slices *s, struct ks_err *err)
{
	const struct ks_launches *l = &s->a->launches;
	struct ks_slice_keys *k = &s->keys[KS_SLICE_KERNEL];

	if (!open_keys(k, l->pairs.count))
		return ks_slices_no_memory(err);
	for (uint32_t i = 0; i < k->n; i++) {
		const struct ks_pair_key *pair = ks_launches_pair_key(l, i);
		const struct ks_track_key *track = ks_launches_track_key(l, pair->track);
		const size_t gpu = gpu_of(s, l->track[pair->track].device);
		const struct ks_slice_place place = { .whose = (int64_t)gpu,
						      .kind = KS_LANE_STREAM,
						      .process = track->process,
						      .stream = track->stream };

		k->name[i] = s->group_name[pair->group];
		if (gpu == SIZE_MAX)
			k->track[i] = KS_SLICE_NO_TRACK;
		else if (!set_place(s, &place, &k->track[i]))
			return ks_slices_no_memory(err);
	}
	return KS_OK;
}

static ks_str label(struct ks_slices *s, enum ks_text id, ks_str arg)
{
	struct ks_buf b;

	ks_buf_init(&b, LABEL_MAX);
	ks_text_fmt(&b, (enum ks_lang)s->a->ctx->doc_lang, id, 1, &arg);
	const ks_str text = ks_buf_keep(&b, s->a->arena);

	ks_buf_release(&b);
	return text;
}

static ks_str copy_name(struct ks_slices *s, int64_t kind)
{
	static const char *const word[] = {
		[KS_COPY_HTOD] = "HtoD",       [KS_COPY_DTOH] = "DtoH",
		[KS_COPY_HTOA] = "HtoA",       [KS_COPY_ATOH] = "AtoH",
		[KS_COPY_ATOA] = "AtoA",       [KS_COPY_ATOD] = "AtoD",
		[KS_COPY_DTOA] = "DtoA",       [KS_COPY_DTOD] = "DtoD",
		[KS_COPY_HTOH] = "HtoH",       [KS_COPY_PTOP] = "PtoP",
		[KS_COPY_UM_HTOD] = "UM HtoD", [KS_COPY_UM_DTOH] = "UM DtoH",
		[KS_COPY_UM_DTOD] = "UM DtoD",
	};
	char number[KS_NUM_LEN];

	if (kind > 0 && (size_t)kind < KS_ARRAY_LEN(word))
		return label(s, KS_TEXT_AN_SLICE_COPY, ks_str_c(word[kind]));
	return label(s, KS_TEXT_AN_SLICE_COPY_KIND,
		     kind == KS_UNKNOWN ? KS_LIT("?")
					: (ks_str){ number, ks_num_i64(number, kind) });
}

static ks_str work_name(struct ks_slices *s, const struct ks_slice_work_key *key)
{
	static const enum ks_text sync[] = { KS_TEXT_AN_SLICE_SYNC, KS_TEXT_AN_SLICE_SYNC_EVENT,
					     KS_TEXT_AN_SLICE_SYNC_WAIT,
					     KS_TEXT_AN_SLICE_SYNC_STREAM,
					     KS_TEXT_AN_SLICE_SYNC_CONTEXT };
	const bool known = key->what > 0 && (size_t)key->what < KS_ARRAY_LEN(sync);

	if (key->kind == KS_LANE_SYNC)
		return label(s, sync[known ? key->what : 0], KS_STR_NONE);
	if (key->kind == KS_LANE_MEMORY)
		return label(s, KS_TEXT_AN_LANE_MEMORY, KS_STR_NONE);
	if (key->what == KS_SWEEP_MEMSET)
		return label(s, KS_TEXT_AN_SLICE_MEMSET, KS_STR_NONE);
	return copy_name(s, key->what);
}

static enum ks_status place_works(struct ks_slices *s, struct ks_err *err)
{
	struct ks_slice_keys *k = &s->keys[KS_SLICE_WORK];
	int64_t last[2] = { -1, -1 }; /* kind and what of the name before: few occur */
	uint32_t name = 0;

	if (!open_keys(k, s->work_map.count))
		return ks_slices_no_memory(err);
	for (uint32_t i = 0; i < k->n; i++) {
		const struct ks_slice_work_key *key = ks_map_key(&s->work_map, i);
		const size_t gpu = gpu_of(s, (uint32_t)key->device);
		const struct ks_slice_place place = { .whose = (int64_t)gpu,
						      .kind = key->kind,
						      .process = key->process,
						      .stream = key->stream };

		if ((key->kind != last[0] || key->what != last[1]) &&
		    !intern(s, work_name(s, key), &name))
			return ks_slices_no_memory(err);
		last[0] = key->kind;
		last[1] = key->what;
		k->name[i] = name;
		if (gpu == SIZE_MAX)
			k->track[i] = KS_SLICE_NO_TRACK;
		else if (!set_place(s, &place, &k->track[i]))
			return ks_slices_no_memory(err);
	}
	return ks_arena_failed(s->a->arena) ? ks_slices_no_memory(err) : KS_OK;
}

static enum ks_status place_calls(struct ks_slices *s, struct ks_err *err)
{
	struct ks_slice_keys *k = &s->keys[KS_SLICE_CALL];

	if (!open_keys(k, s->call_map.count))
		return ks_slices_no_memory(err);
	for (uint32_t i = 0; i < k->n; i++) {
		const struct ks_slice_call_key *key = ks_map_key(&s->call_map, i);
		const struct ks_slice_place place = { .host = 1,
						      .whose = key->thread,
						      .kind = KS_LANE_API };
		const ks_str name = (uint64_t)key->name < s->a->ref_cap ? s->a->ref_text[key->name]
									: KS_STR_NONE;

		if (!intern(s, ks_redact_text(s->a->ctx->redact, name), &k->name[i]) ||
		    !set_place(s, &place, &k->track[i]))
			return ks_slices_no_memory(err);
	}
	return KS_OK;
}

/* --- ranges --------------------------------------------------------------------------------------
 */

static enum ks_status name_ranges(struct ks_slices *s, struct ks_err *err)
{
	struct ks_range_view v;

	if (s->lanes && !(s->lanes >> KS_LANE_NVTX & 1))
		return KS_OK;
	KS_TRY(ks_ranges_rewind(s->a->ranges, err));
	while (ks_ranges_next(s->a->ranges, &v)) {
		s->any_range = true;
		if (!KS_GROW(s->range_name, s->range_name_cap, (size_t)v.name_number + 1,
			     UINT32_MAX))
			return ks_slices_no_memory(err);
		if (s->range_name[v.name_number])
			continue;
		if (!intern(s, v.name, &s->range_name[v.name_number]))
			return ks_slices_no_memory(err);
		s->range_name[v.name_number]++;
	}
	return KS_OK;
}

/* --- order ---------------------------------------------------------------------------------------
 */

static int by_text(const void *x, const void *y, void *arg)
{
	const struct ks_slices *s = arg;

	return ks_str_cmp(ks_slices_name(s, *(const uint32_t *)x),
			  ks_slices_name(s, *(const uint32_t *)y));
}

static enum ks_status number_names(struct ks_slices *s, struct ks_err *err)
{
	const size_t n = s->names.count;
	uint32_t *order = ks_mem_alloc((n + 1) * sizeof(*order));

	s->name_id = ks_mem_alloc((n + 1) * sizeof(*s->name_id));
	if (!order || !s->name_id) {
		ks_mem_free(order);
		return ks_slices_no_memory(err);
	}
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_text, s);
	for (uint32_t i = 0; i < n; i++)
		s->name_id[order[i]] = i + 1;
	ks_mem_free(order);
	return KS_OK;
}

static int by_place(const void *x, const void *y)
{
	const struct ks_slice_place *a = &((const struct ks_slice_track *)x)->place,
				    *b = &((const struct ks_slice_track *)y)->place;
	int c = ks_num_cmp_i64(a->host, b->host);

	if (!c)
		c = ks_num_cmp_i64(a->whose, b->whose);
	if (!c)
		c = ks_num_cmp_i64(a->kind, b->kind);
	if (!c)
		c = ks_num_cmp_i64(a->process, b->process);
	return c ? c : ks_num_cmp_i64(a->stream, b->stream);
}

/* Tracks in order; keys learn their numbers. */
static enum ks_status order_tracks(struct ks_slices *s, struct ks_err *err)
{
	static const enum ks_slice_source source_of[] = {
		[KS_LANE_STREAM] = KS_SLICE_KERNEL, [KS_LANE_COPY] = KS_SLICE_WORK,
		[KS_LANE_SYNC] = KS_SLICE_WORK,	    [KS_LANE_API] = KS_SLICE_CALL,
		[KS_LANE_MEMORY] = KS_SLICE_WORK,
	};
	uint32_t *number;

	s->n_tracks = s->places.count;
	s->track = ks_mem_alloc((s->n_tracks + 1) * sizeof(*s->track));
	number = ks_mem_alloc((s->n_tracks + 1) * sizeof(*number));
	if (!s->track || !number) {
		ks_mem_free(number);
		return ks_slices_no_memory(err);
	}
	for (uint32_t i = 0; i < s->n_tracks; i++) {
		memcpy(&s->track[i].place, ks_map_key(&s->places, i), sizeof(s->track[i].place));
		s->track[i].source = source_of[s->track[i].place.kind];
	}
	qsort(s->track, s->n_tracks, sizeof(*s->track), by_place);
	for (uint32_t i = 0; i < s->n_tracks; i++)
		number[ks_map_find(&s->places, &s->track[i].place)] = i;
	for (unsigned source = 0; source < KS_SLICE_KEYED; source++) {
		struct ks_slice_keys *k = &s->keys[source];

		for (size_t i = 0; i < k->n; i++) {
			if (k->track[i] != KS_SLICE_NO_TRACK)
				k->track[i] = number[k->track[i]];
		}
	}
	ks_mem_free(number);
	return KS_OK;
}

struct ranking {
	const struct ks_slices *s;
	const struct ks_slice_keys *k;
	enum ks_slice_source source;
};

static int compare_keys(const struct ranking *r, uint32_t x, uint32_t y)
{
	const struct ks_slices *s = r->s;
	int c = ks_num_cmp_i64(r->k->track[x], r->k->track[y]);

	if (!c)
		c = ks_num_cmp_i64(s->name_id[r->k->name[x]], s->name_id[r->k->name[y]]);
	if (!c && r->source == KS_SLICE_KERNEL)
		c = ks_groups_compare(s->a, ks_launches_pair_key(&s->a->launches, x)->group,
				      ks_launches_pair_key(&s->a->launches, y)->group);
	if (!c && r->source == KS_SLICE_WORK) {
		const struct ks_slice_work_key *a = ks_map_key(&s->work_map, x),
					       *b = ks_map_key(&s->work_map, y);

		c = ks_num_cmp_i64(a->what, b->what);
		if (!c)
			c = ks_num_cmp_i64(a->bytes, b->bytes);
	}
	return c;
}

static int by_rank(const void *x, const void *y, void *arg)
{
	return compare_keys(arg, *(const uint32_t *)x, *(const uint32_t *)y);
}

static void rank_keys(struct ks_slices *s, enum ks_slice_source source)
{
	struct ks_slice_keys *k = &s->keys[source];
	struct ranking r = { s, k, source };
	uint32_t rank = 0;

	for (uint32_t i = 0; i < k->n; i++)
		k->key[i] = i;
	qsort_r(k->key, k->n, sizeof(*k->key), by_rank, &r);
	for (uint32_t i = 0; i < k->n; i++) {
		if (i > 0 && compare_keys(&r, k->key[i], k->key[rank]) != 0)
			rank++;
		k->rank[k->key[i]] = rank;
		k->key[rank] = k->key[i];
	}
}

enum ks_status ks_slices_keys(struct ks_slices *s, struct ks_err *err)
{
	ks_intern_init(&s->names, UINT32_MAX / 2);
	ks_map_init(&s->places, sizeof(struct ks_slice_place), UINT32_MAX / 2);
	KS_TRY(name_groups(s, err));
	KS_TRY(place_kernels(s, err));
	KS_TRY(place_works(s, err));
	KS_TRY(place_calls(s, err));
	KS_TRY(name_ranges(s, err));
	KS_TRY(number_names(s, err));
	KS_TRY(order_tracks(s, err));
	for (unsigned source = 0; source < KS_SLICE_KEYED; source++)
		rank_keys(s, (enum ks_slice_source)source);
	return KS_OK;
}
