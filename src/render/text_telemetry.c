/* SPDX-License-Identifier: Apache-2.0
 *
 * The block about telemetry: where it is from, a line for each device, what was not understood.
 * Values are those of the rows; their names here are the ends of the rows' names.
 */
#include "base/str.h"
#include "render/text_timeline.h"

#define DEVICES_CROWDED 1
#define DEVICES_SOME	4
#define DEVICES_MOST	16
#define DEVICES_ALL	256 /* with every detail; the rows below and JSON have the rest */
#define UNKNOWN_NAMED	6

static bool fails(const struct ks_telemetry *t)
{
	return t->probe == KS_TEL_FAILED;
}

static void add_number(struct ks_say *s, enum ks_text text, uint64_t n)
{
	struct ks_pen *p = &s->t->pen;

	if (n > 0)
		ks_say_add(s, KS_PEN_SAY(p, text, ks_pen_u64(p, n)));
}

/* "timeout", "http_error:500". */
static ks_str reason(struct ks_pen *p, const struct ks_telemetry *t)
{
	const ks_str word = ks_str_c(ks_tel_why_word(t->why));

	if (t->detail.n == 0)
		return word;
	return ks_pen_cat(p, ks_pen_cat(p, word, KS_LIT(":")), t->detail);
}

static void source_line(struct ks_say *s)
{
	const struct ks_telemetry *t = s->t->r->telemetry;
	struct ks_pen *p = &s->t->pen;

	if (fails(t)) {
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_TEL_T_FAILED, t->where, reason(p, t)));
	} else {
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_TEL_T_FROM, t->where, t->format));
		ks_say_line(s, KS_PEN_WORD(p, KS_TEXT_TEL_T_SOURCE));
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_TEL_T_READINGS, ks_pen_u64(p, t->n_values),
					 ks_pen_u64(p, t->series)));
		add_number(s, KS_TEXT_TEL_T_BLANK, t->n_readings - t->n_values);
	}
	if (t->why == KS_TEL_CUT)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_TEL_T_CUT,
					 ks_pen_bytes(
						 p, (uint64_t)ks_limit(KS_LIMIT_TELEMETRY_BYTES))));
	add_number(s, KS_TEXT_TEL_T_BAD, t->bad.all);
	add_number(s, KS_TEXT_TEL_T_AGAIN, t->duplicates.all);
	add_number(s, KS_TEXT_TEL_T_UNUSED, t->unused.all);
	ks_say_line(s, fails(t) ? KS_PEN_WORD(p, KS_TEXT_TEL_T_SOURCE) : KS_LIT(""));
}

/* meas__telemetry_dcgm_power_w: power_w. */
static ks_str short_name(const struct ks_tel_reading *r)
{
	static const char *const stem[] = { "meas__telemetry_dcgm_", "meas__telemetry_smi_" };
	const ks_str name = ks_str_c(ks_metric_info(r->base)->name);

	for (size_t i = 0; i < KS_ARRAY_LEN(stem); i++)
		if (ks_str_starts(name, stem[i]))
			return (ks_str){ name.p + strlen(stem[i]), name.n - strlen(stem[i]) };
	return name;
}

/* For each device whether it has a value, in one pass; NULL: no memory, which the pen says. */
static const bool *with_values(struct ks_pen *p, const struct ks_telemetry *t)
{
	bool *has = KS_ARENA_NEWS(p->tmp, bool, t->n_devices);

	for (size_t i = 0; has != NULL && i < t->n_readings; i++)
		if (t->reading[i].why == KS_TEL_FINE)
			has[t->reading[i].device] = true;
	return has;
}

static ks_str label(struct ks_pen *p, const struct ks_tel_device *d)
{
	return ks_arena_fmt(p->tmp, "%s%.*s", d->gpu.n > 0 ? "gpu " : "", (int)d->gpu.n, d->gpu.p);
}

static void device_line(struct ks_say *s, size_t i)
{
	const struct ks_report *r = s->t->r;
	const struct ks_tel_device *d = &r->telemetry->device[i];
	struct ks_pen *p = &s->t->pen;

	ks_say_add(s, d->set);
	if (d->instance.n > 0)
		ks_say_add(s, KS_PEN_SAY(p, KS_TEXT_TEL_T_INSTANCE, d->instance));
	if (r->n_gpus > 0 && r->telemetry_join != NULL) {
		const size_t gpu = r->telemetry_join[i].gpu;

		ks_say_add(s, gpu < r->n_gpus ? KS_PEN_SAY(p, KS_TEXT_TEL_T_IS,
							   ks_pen_i64(p, r->gpu[gpu].label))
					      : KS_PEN_WORD(p, KS_TEXT_TEL_T_NOT_JOINED));
	}
	for (size_t k = 0; k < r->telemetry->n_readings; k++) {
		const struct ks_tel_reading *v = &r->telemetry->reading[k];

		if (v->device == i && v->why == KS_TEL_FINE)
			ks_say_add(s, ks_pen_cat(p, ks_pen_cat(p, short_name(v), KS_LIT(" ")),
						 ks_pen_real(p, v->value)));
	}
	ks_say_line(s, label(p, d));
}

static void device_lines(struct ks_say *s, const bool *has, size_t most)
{
	const struct ks_telemetry *t = s->t->r->telemetry;
	size_t shown = 0, more = 0;

	for (size_t i = 0; has != NULL && i < t->n_devices; i++) {
		if (!has[i])
			continue;
		if (shown++ < most)
			device_line(s, i);
		else
			more++;
	}
	add_number(s, KS_TEXT_TEL_T_MORE, more);
	ks_say_line(s, KS_LIT(""));
}

/* Why a device stands apart, in a line of its own. */
static void apart_lines(struct ks_say *s, const bool *has, size_t most)
{
	const struct ks_report *r = s->t->r;
	size_t shown = 0;

	if (has == NULL || r->telemetry_join == NULL || r->n_gpus == 0)
		return;
	for (size_t i = 0; i < r->telemetry->n_devices && shown < most; i++) {
		if (!has[i] || r->telemetry_join[i].gpu < r->n_gpus)
			continue;
		shown++;
		ks_say_add(s, ks_pen_msg(&s->t->pen, &r->telemetry_join[i].how));
		ks_say_line(s, KS_LIT(""));
	}
}

static void unknown_line(struct ks_say *s)
{
	const struct ks_tel_list *u = &s->t->r->telemetry->unknown;

	add_number(s, KS_TEXT_TEL_T_UNKNOWN, u->n);
	for (size_t i = 0; i < u->n && i < UNKNOWN_NAMED; i++)
		ks_say_add(s, u->item[i].name);
	ks_say_line(s, KS_LIT(""));
}

void ks_text_telemetry(struct ks_sheet *t, enum ks_text_level level)
{
	static const size_t devices[] = {
		[KS_TEXT_LEVEL_CODES] = DEVICES_CROWDED,
		[KS_TEXT_LEVEL_LINES] = DEVICES_SOME,
		[KS_TEXT_LEVEL_FULL] = DEVICES_MOST,
	};
	struct ks_say s = { .t = t, .left = SIZE_MAX };

	const bool all = t->all;

	if (t->r->telemetry == NULL)
		return;
	/* where it is all there is, nothing is cut */
	t->all = all || t->r->contents.why_no_kernels == KS_NK_NO_TRACE;
	ks_pen_nl(&t->pen);
	ks_text_heading(&t->pen, KS_PEN_WORD(&t->pen, KS_TEXT_TEL_TITLE));
	source_line(&s);
	const bool *has = with_values(&t->pen, t->r->telemetry);

	device_lines(&s, has, t->all ? DEVICES_ALL : devices[level]);
	if (level != KS_TEXT_LEVEL_CODES || t->all)
		apart_lines(&s, has, t->all ? DEVICES_ALL : 2);
	unknown_line(&s);
	t->all = all;
}
