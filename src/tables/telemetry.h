/* SPDX-License-Identifier: Apache-2.0
 *
 * Look-ups over telemetry.def and throttle.def. Rows only: what a text holds is source's.
 */
#ifndef KS_TABLES_TELEMETRY_H
#define KS_TABLES_TELEMETRY_H

#include "tables/tables.h"

enum ks_tel_source {
	KS_TEL_DCGM,	 /* dcgm-exporter */
	KS_TEL_EXPORTER, /* the exporter that prints nvidia_smi_* */
	KS_TEL_XML,	 /* nvidia-smi -q -x */
	KS_TEL_LISTING,	 /* nvidia-smi -q */
	KS_TEL_QUERY	 /* nvidia-smi --query-gpu=... --format=csv */
};

enum ks_quantity {
	KS_QUANTITY_POWER,
	KS_QUANTITY_ENERGY,
	KS_QUANTITY_PERCENT,
	KS_QUANTITY_RATIO,
	KS_QUANTITY_FREQUENCY,
	KS_QUANTITY_MEMORY_SIZE,
	KS_QUANTITY_BYTES_PER_SECOND,
	KS_QUANTITY_TEMPERATURE,
	KS_QUANTITY_COUNT,
	KS_QUANTITY_ERROR_CODE,
	KS_QUANTITY_MASK
};

struct ks_tel_field {
	enum ks_tel_source source;
	const char *field;
	enum ks_metric metric, family; /* of a device alone; of one among several */
	enum ks_unit unit;	       /* where the source prints none; NONE: it must print one */
	enum ks_quantity quantity;
	bool profiling;
	const char *alias_of; /* "" none: another field of the same metric that is preferred */
};
size_t ks_tel_field_count(void);
const struct ks_tel_field *ks_tel_field_at(size_t i);
/* NULL: the field is none that is published. */
const struct ks_tel_field *ks_tel_field_find(enum ks_tel_source source, ks_str field);

enum ks_identity {
	KS_IDENTITY_NONE,
	KS_IDENTITY_MODEL,
	KS_IDENTITY_UUID,
	KS_IDENTITY_NUMBER,
	KS_IDENTITY_BUS,
	KS_IDENTITY_INSTANCE /* of a GPU that is split */
};
enum ks_identity ks_tel_identity(enum ks_tel_source source, ks_str field);

struct ks_throttle_bit {
	uint64_t bit;
	const char *name, *element, *label;
};
size_t ks_throttle_count(void);
const struct ks_throttle_bit *ks_throttle_at(size_t i);

#endif
