/* SPDX-License-Identifier: Apache-2.0
 *
 * The lists of device code: made empty, given back.
 */
#include "model/code.h"

#include "base/mem.h"

void ks_code_init(struct ks_code *c, struct ks_arena *arena)
{
	*c = (struct ks_code){ .arena = arena };
}

void ks_code_release(struct ks_code *c)
{
	ks_mem_free(c->file);
	ks_mem_free(c->function);
	ks_mem_free(c->member);
	*c = (struct ks_code){ .arena = c->arena };
}
