/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside source/ only: the bench on which readers of the single formats put what they found. They
 * say which field of which device had which text; names, units and values are made here, once.
 */
#ifndef KS_SOURCE_TELEMETRY_INTERNAL_H
#define KS_SOURCE_TELEMETRY_INTERNAL_H

#include "base/map.h"
#include "source/telemetry.h"
#include "tables/telemetry.h"

struct ks_tel_sample { /* a reading before it has its name */
	const struct ks_tel_field *field;
	struct ks_tel_reading r;
	ks_str id; /* of its device in the name; "" none */
	bool done; /* left out */
};

struct ks_tel_items { /* growing */
	struct ks_tel_item *item;
	size_t n, cap;
	uint64_t all;
};

struct ks_tel_work {
	struct ks_arena *a;
	struct ks_tel_sample *sample;
	size_t n_samples, sample_cap;
	struct ks_tel_device *device;
	size_t n_devices, device_cap;
	struct ks_intern unknown; /* names of fields; their counts are unknown_n */
	uint64_t *unknown_n;
	size_t unknown_cap;
	struct ks_tel_items missing, skipped, duplicates, bad, unused;
	uint64_t series;
	bool failed;		  /* no memory */
	struct ks_redact *redact; /* NULL: nothing is hidden */
};

void ks_tel_work_init(struct ks_tel_work *w, struct ks_arena *a);
void ks_tel_work_release(struct ks_tel_work *w);
/* The device's number; SIZE_MAX without memory, which every other call survives. */
size_t ks_tel_add_device(struct ks_tel_work *w, const struct ks_tel_device *d);
/* A reading whose text is `value`, with the unit inside or in `unit` ("" none). Says why where it
 * is none. The sample, until the next one is added; NULL: no memory. */
struct ks_tel_sample *ks_tel_add(struct ks_tel_work *w, const struct ks_tel_field *f, size_t device,
				 ks_str value, ks_str unit);
/* True, and the line is listed, where there are as many samples as there may be. */
bool ks_tel_is_full(struct ks_tel_work *w, ks_str line, uint64_t number);
void ks_tel_unknown(struct ks_tel_work *w, ks_str field);
void ks_tel_item_add(struct ks_tel_work *w, struct ks_tel_items *list, ks_str name,
		     enum ks_tel_why why, uint64_t n);
/* Names that many fields repeat, or many lines stand below, are cut: the real ones are far shorter.
 */
#define KS_TEL_NAME_BYTES 256
static inline ks_str ks_tel_short(ks_str name)
{
	return (ks_str){ name.p, name.n < KS_TEL_NAME_BYTES ? name.n : KS_TEL_NAME_BYTES };
}
/* An instance whose number is not there is no board all the same. */
#define KS_TEL_INSTANCE_UNKNOWN "?"
/* A field of nvidia-smi: a reading, a fact about its device, or unknown. */
struct ks_tel_at {
	enum ks_tel_source source;
	size_t device;
	ks_str field; /* as in the table */
	ks_str key;   /* as the report shows it; copied */
	uint64_t line;
};
void ks_tel_field_seen(struct ks_tel_work *w, const struct ks_tel_at *at, ks_str value,
		       ks_str unit);
/* Whether the text stands for "there is no value": empty, N/A, in brackets, an all-zero UUID. */
bool ks_tel_is_blank(ks_str s);

/* The instances of a board follow it: they get what was said of the board behind them. */
void ks_tel_same_board(struct ks_tel_work *w, size_t board);

/* The bits of the mask one by one, as -q and -q -x print them. */
struct ks_tel_mask {
	uint64_t seen, set, blank;
	uint64_t line;
};
void ks_tel_mask_bit(struct ks_tel_mask *m, uint64_t bit, ks_str word, uint64_t line);
/* The whole mask as a reading of that field: only where every bit was there. Clears it. */
void ks_tel_mask_end(struct ks_tel_work *w, struct ks_tel_mask *m, const struct ks_tel_at *at);

/* A part of a text, read line by line. */
struct ks_tel_text {
	ks_str text;   /* what is still to come */
	uint64_t line; /* number of the line that was read last */
	ks_str set;    /* of a capture; "" */
	ks_str fields; /* names of columns where the text has no row of them; "" */
};
/* The next line without its end; false at the end of the text. *ended: it had one. */
bool ks_tel_line(struct ks_tel_text *t, ks_str *line, bool *ended);
/* telemetry_prom.c, smi_xml.c, smi_listing.c, smi_query.c, smi_capture.c: one format each. `set`
 * lives as long as the arena. */
void ks_tel_read_prometheus(struct ks_tel_work *w, struct ks_tel_text t);
void ks_tel_read_xml(struct ks_tel_work *w, struct ks_tel_text t);
void ks_tel_read_listing(struct ks_tel_work *w, struct ks_tel_text t);
void ks_tel_read_query(struct ks_tel_work *w, struct ks_tel_text t);
void ks_tel_read_capture(struct ks_tel_work *w, struct ks_tel_text t);
/* Whether the first line of the text names columns of --query-gpu. */
bool ks_tel_is_query(ks_str text);

/* telemetry_redact.c: after the names are made: the keys tell series apart until then. */
void ks_tel_hide(struct ks_tel_work *w, struct ks_redact *r);
/* telemetry_names.c: the final name of every sample, no two the same. */
void ks_tel_name_all(struct ks_tel_work *w);

#endif
