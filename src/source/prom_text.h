/* SPDX-License-Identifier: Apache-2.0
 *
 * One line of the Prometheus text format: name{label="value",...} value [timestamp]. Borrows from
 * the line and allocates nothing. Knows no metric; an OpenMetrics exemplar behind the value is
 * passed over.
 */
#ifndef KS_SOURCE_PROM_TEXT_H
#define KS_SOURCE_PROM_TEXT_H

#include "base/buf.h"
#include "evidence/telemetry.h"

#define KS_PROM_LABELS 64 /* dcgm-exporter writes up to 12 */

struct ks_prom_label {
	ks_str name, value; /* the value as it stands there, escapes and all */
};

struct ks_prom_series {
	ks_str name;
	struct ks_prom_label label[KS_PROM_LABELS]; /* sorted by name */
	size_t n_labels;
	ks_str value;
	double number; /* of KS_TEL_FINE */
};

/* FINE, the reason why the series has no value (name and labels are there all the same), or
 * BAD_LINE: it is no series. */
enum ks_tel_why ks_prom_line(ks_str line, struct ks_prom_series *s);
/* "# TYPE name type": true, and both words. */
bool ks_prom_type(ks_str line, ks_str *name, ks_str *type);
/* name{a="1",b="2"}, labels sorted by name, escapes as they stand there. */
void ks_prom_key(struct ks_buf *out, const struct ks_prom_series *s);
/* The value of a label as it is meant, in the arena; "" when there is none. */
ks_str ks_prom_label_text(struct ks_arena *a, const struct ks_prom_series *s, const char *name);

#endif
