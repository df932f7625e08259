/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of operations.def. Does none of them.
 */
#include "tables/tables.h"

enum repeat { IDEMPOTENT, REPEATED };
enum where { LOCAL, EXTERNAL };

static const struct ks_operation_info operations[KS_OPERATION_COUNT] = {
	[KS_OPERATION_NONE] = { .name = "", .label = { "", "" }, .why = { "", "" } },
#define KS_OPERATION(id, nm, fx, rep, out, en, zh, wen, wzh)                                       \
	[KS_OPERATION_##id] = { .name = (nm),                                                      \
				.effects = (fx),                                                   \
				.idempotent = (rep) == IDEMPOTENT,                                 \
				.external = (out) == EXTERNAL,                                     \
				.label = { (en), (zh) },                                           \
				.why = { (wen), (wzh) } },
#include "tables/operations.def"
#undef KS_OPERATION
};

const struct ks_operation_info *ks_operation_info(enum ks_operation o)
{
	return &operations[(unsigned)o < KS_OPERATION_COUNT ? o : KS_OPERATION_NONE];
}

const char *ks_effect_name(unsigned bit)
{
	static const char *const names[KS_FX_COUNT] = {
		"mutates_target",   "mutates_session",	"writes_filesystem", "launches_process",
		"accesses_network", "changes_ui_state", "may_discard_data",
	};

	return bit < KS_FX_COUNT ? names[bit] : "";
}
