/* SPDX-License-Identifier: Apache-2.0
 *
 * What identifies goes before a report sees it: the place, UUIDs and addresses, every label but
 * those that number a device, and the text of lines that could not be read. Names of fields stay.
 */
#include "base/str.h"
#include "source/telemetry_internal.h"

/* name{gpu="0",GPU_I_ID="3"} of a series; of nvidia-smi's fields the path, which ends the key. */
static ks_str key_without_labels(struct ks_arena *a, const struct ks_tel_device *d, ks_str key)
{
	const char *brace = memchr(key.p, '{', key.n);

	if (d->set.n > 0 && key.n > d->set.n && memcmp(key.p, d->set.p, d->set.n) == 0)
		key = (ks_str){ key.p + d->set.n + 1, key.n - d->set.n - 1 };
	const char *slash = memchr(key.p, '/', key.n);

	if (brace != NULL)
		return ks_arena_fmt(a, "%.*s{gpu=\"%.*s\"%s%.*s%s}", (int)(brace - key.p), key.p,
				    (int)d->gpu.n, d->gpu.p,
				    d->instance.n > 0 ? ",GPU_I_ID=\"" : "", (int)d->instance.n,
				    d->instance.p, d->instance.n > 0 ? "\"" : "");
	return slash != NULL ? (ks_str){ slash + 1, key.n - (size_t)(slash + 1 - key.p) } : key;
}

/* A number of a device says nothing; a name does. */
static ks_str number_only(ks_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return KS_STR_NONE;
	return s;
}

static void hide_items(struct ks_redact *r, struct ks_tel_items *list, bool whole)
{
	for (size_t i = 0; i < list->n; i++) {
		const char *brace = memchr(list->item[i].name.p, '{', list->item[i].name.n);

		if (whole)
			list->item[i].name = KS_LIT("");
		else if (brace != NULL)
			list->item[i].name.n = (size_t)(brace - list->item[i].name.p);
		list->item[i].name = ks_redact_text(r, list->item[i].name);
	}
}

void ks_tel_hide(struct ks_tel_work *w, struct ks_redact *r)
{
	for (size_t i = 0; i < w->n_devices; i++) {
		struct ks_tel_device *d = &w->device[i];

		d->gpu = number_only(d->gpu);
		d->instance = d->instance.n > 0 && number_only(d->instance).n == 0
				      ? KS_LIT(KS_TEL_INSTANCE_UNKNOWN)
				      : d->instance;
		d->uuid = d->uuid.n > 0 ? KS_LIT("<uuid>") : d->uuid; /* however it is written */
		d->model = ks_redact_text(r, d->model);
	}
	for (size_t i = 0; i < w->n_samples; i++) {
		struct ks_tel_reading *v = &w->sample[i].r;

		v->key = key_without_labels(w->a, &w->device[v->device], v->key);
		v->text = v->why == KS_TEL_BAD_VALUE ? KS_LIT("") : ks_redact_text(r, v->text);
	}
	hide_items(r, &w->skipped, false);
	hide_items(r, &w->duplicates, false);
	hide_items(r, &w->bad, true);
	hide_items(r, &w->unused, true);
}
