/* SPDX-License-Identifier: Apache-2.0
 *
 * `nvidia-smi -q -x`: every element that holds a text is a field, named by the elements around it
 * below <gpu>. Instances of a split GPU are devices of their own.
 */
#include "base/str.h"
#include "source/telemetry_internal.h"
#include "source/xml_pull.h"

#define PATH_BYTES ((size_t)1 << 24) /* above the limit of the whole text */

struct smi_xml {
	struct ks_tel_work *w;
	struct ks_xml x;
	struct ks_tel_text t;
	size_t board, instance; /* devices; SIZE_MAX: outside of one */
	size_t base;		/* depth at which the path of the device begins */
	size_t instance_base;
	uint64_t gpus, instances;
	ks_str bus;
	ks_str text; /* of the element that is open */
	bool leaf;   /* it has no other inside */
	bool torn;   /* its text is not in one piece: no value is made of the pieces */
	struct ks_buf path, key;
	struct ks_tel_mask mask;
};

static void path_from(struct smi_xml *s, size_t depth, struct ks_buf *out)
{
	for (size_t i = depth; i < s->x.depth; i++) {
		if (i > depth)
			ks_buf_ch(out, '/');
		ks_buf_str(out, ks_tel_short(s->x.open[i]));
	}
}

/* "gpu[0] 00000000:01:00.0/fb_memory_usage/used" */
static void key_of(struct smi_xml *s)
{
	ks_buf_reset(&s->key);
	if (s->t.set.n > 0)
		ks_buf_fmt(&s->key, "%.*s/", (int)s->t.set.n, s->t.set.p);
	if (s->board != SIZE_MAX)
		ks_buf_fmt(&s->key, "gpu[%llu] %.*s/", (unsigned long long)(s->gpus - 1),
			   (int)s->bus.n, s->bus.p);
	if (s->instance != SIZE_MAX)
		ks_buf_fmt(&s->key, "mig_device[%llu]/", (unsigned long long)(s->instances - 1));
	ks_buf_str(&s->key, ks_buf_view(&s->path));
}

static uint64_t mask_bit(ks_str element)
{
	static const char *const stem[] = { "clocks_event_reason_", "clocks_throttle_reason_" };

	for (size_t i = 0; i < KS_ARRAY_LEN(stem); i++) {
		if (!ks_str_starts(element, stem[i]))
			continue;
		const size_t len = strlen(stem[i]);
		const ks_str name = { element.p + len, element.n - len };

		for (size_t k = 0; k < ks_throttle_count(); k++)
			if (ks_str_eqc(name, ks_throttle_at(k)->element))
				return ks_throttle_at(k)->bit;
	}
	return 0;
}

static void open_element(struct smi_xml *s)
{
	const ks_str name = s->x.name;

	s->leaf = true;
	s->torn = false;
	s->text = KS_STR_NONE;
	if (s->x.depth == 2 && ks_str_eqc(name, "gpu")) {
		const struct ks_tel_device board = {
			.gpu = ks_arena_fmt(s->w->a, "%llu", (unsigned long long)s->gpus++),
			.set = s->t.set,
		};

		s->bus = ks_arena_dup(s->w->a, ks_tel_short(ks_xml_attribute(&s->x, "id")));
		s->board = ks_tel_add_device(s->w, &board);
		s->base = s->x.depth;
		s->instances = 0;
	} else if (s->board != SIZE_MAX && ks_str_eqc(name, "mig_device")) {
		struct ks_tel_device part = s->w->device[s->board];

		part.instance = KS_LIT(KS_TEL_INSTANCE_UNKNOWN);
		s->instance = ks_tel_add_device(s->w, &part);
		s->instance_base = s->x.depth;
		s->instances++;
	}
}

static void end_mask(struct smi_xml *s, ks_str field)
{
	ks_buf_reset(&s->path);
	ks_buf_str(&s->path, field);
	key_of(s);
	const struct ks_tel_at at = { KS_TEL_XML, s->board, field, ks_buf_view(&s->key), 0 };

	ks_tel_mask_end(s->w, &s->mask, &at);
}

static void field(struct smi_xml *s, ks_str text)
{
	const bool split = s->instance != SIZE_MAX;
	const size_t device = split ? s->instance : s->board;
	const size_t from = split ? s->instance_base : s->board != SIZE_MAX ? s->base : 1;

	ks_buf_reset(&s->path);
	path_from(s, from, &s->path);
	key_of(s);
	const struct ks_tel_at at = { KS_TEL_XML, device, ks_buf_view(&s->path),
				      ks_buf_view(&s->key), s->x.line };

	ks_tel_field_seen(s->w, &at, ks_xml_plain(s->w->a, text), KS_STR_NONE);
}

/* Called while the element is still on the stack of names: depth counts it. */
static void close_element(struct smi_xml *s)
{
	const ks_str name = s->x.name;
	const uint64_t bit = s->leaf ? mask_bit(name) : 0;

	s->x.depth++; /* its name still stands there */
	if (bit != 0 && s->board != SIZE_MAX) {
		ks_tel_mask_bit(&s->mask, bit, s->text, s->x.line);
		s->w->series++;
	} else if (s->leaf) {
		field(s, s->text);
	}
	s->x.depth--;
	s->leaf = false;
	if (s->board == SIZE_MAX)
		return;
	if (ks_str_eqc(name, "clocks_event_reasons") || ks_str_eqc(name, "clocks_throttle_reasons"))
		end_mask(s, name);
	if (s->instance != SIZE_MAX && s->x.depth + 1 == s->instance_base)
		s->instance = SIZE_MAX;
	if (s->x.depth + 1 == s->base) {
		ks_tel_same_board(s->w, s->board);
		s->board = SIZE_MAX;
	}
}

static void take_text(struct smi_xml *s)
{
	s->torn = s->torn || s->text.n > 0;
	s->text = s->torn ? KS_STR_NONE : s->x.text;
}

void ks_tel_read_xml(struct ks_tel_work *w, struct ks_tel_text t)
{
	struct smi_xml s = { .w = w, .t = t, .board = SIZE_MAX, .instance = SIZE_MAX };
	enum ks_xml_event e = KS_XML_END;

	ks_xml_init(&s.x, t.text, t.line + 1);
	ks_buf_init(&s.path, PATH_BYTES);
	ks_buf_init(&s.key, 2 * PATH_BYTES);
	while (!w->failed && (e = ks_xml_next(&s.x)) != KS_XML_END && e != KS_XML_BAD) {
		if (e == KS_XML_OPEN)
			open_element(&s);
		else if (e == KS_XML_TEXT)
			take_text(&s);
		else if (e == KS_XML_CLOSE)
			close_element(&s);
	}
	if (e == KS_XML_BAD)
		ks_tel_item_add(w, &w->bad, s.x.text, KS_TEL_BAD_LINE, s.x.line);
	w->failed = w->failed || ks_buf_failed(&s.path) || ks_buf_failed(&s.key);
	ks_buf_release(&s.path);
	ks_buf_release(&s.key);
}
