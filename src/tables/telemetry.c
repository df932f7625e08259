/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of telemetry.def and throttle.def.
 */
#include "tables/telemetry.h"

#include "base/str.h"

#define GROUP_MANAGEMENT false
#define GROUP_PROFILING	 true

static const struct ks_tel_field fields[] = {
#define KS_TELEMETRY(src, nm, mt, un, qt, group, alias)                                            \
	{ .source = KS_TEL_##src,                                                                  \
	  .field = (nm),                                                                           \
	  .metric = KS_METRIC_MEAS_TELEMETRY_##mt,                                                 \
	  .family = KS_METRIC_MEAS_TELEMETRY_##mt##_GPU_G,                                         \
	  .unit = KS_UNIT_##un,                                                                    \
	  .quantity = KS_QUANTITY_##qt,                                                            \
	  .profiling = GROUP_##group,                                                              \
	  .alias_of = (alias) },
#include "tables/telemetry.def"
};

static const struct {
	enum ks_tel_source source;
	const char *field;
	enum ks_identity what;
} identities[] = {
#define KS_IDENTITY(src, nm, what) { KS_TEL_##src, (nm), KS_IDENTITY_##what },
#include "tables/telemetry.def"
};

static const struct ks_throttle_bit bits[] = {
#define KS_THROTTLE(bit, name, element, label) { (bit), (name), (element), (label) },
#include "tables/throttle.def"
};

size_t ks_tel_field_count(void)
{
	return KS_ARRAY_LEN(fields);
}

const struct ks_tel_field *ks_tel_field_at(size_t i)
{
	return &fields[i];
}

const struct ks_tel_field *ks_tel_field_find(enum ks_tel_source source, ks_str field)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(fields); i++)
		if (fields[i].source == source && ks_str_eqc(field, fields[i].field))
			return &fields[i];
	return NULL;
}

enum ks_identity ks_tel_identity(enum ks_tel_source source, ks_str field)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(identities); i++)
		if (identities[i].source == source && ks_str_eqc(field, identities[i].field))
			return identities[i].what;
	return KS_IDENTITY_NONE;
}

size_t ks_throttle_count(void)
{
	return KS_ARRAY_LEN(bits);
}

const struct ks_throttle_bit *ks_throttle_at(size_t i)
{
	return &bits[i];
}
