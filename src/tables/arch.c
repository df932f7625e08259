/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of archs.def. Answers for a listed compute capability or not at all.
 */
#include "tables/tables.h"

static const struct ks_arch_info archs[] = {
#define KS_ARCH(maj, min, threads, warps, blocks, rsm, rblock, rgran, rthread, ssm, soptin, sres,  \
		sgran, parts, bthreads, bars, fam)                                                 \
	{ .major = (maj),                                                                          \
	  .minor = (min),                                                                          \
	  .threads_per_sm = (threads),                                                             \
	  .warps_per_sm = (warps),                                                                 \
	  .blocks_per_sm = (blocks),                                                               \
	  .regs_per_sm = (rsm),                                                                    \
	  .regs_per_block = (rblock),                                                              \
	  .reg_gran_per_warp = (rgran),                                                            \
	  .max_regs_per_thread = (rthread),                                                        \
	  .smem_per_sm = (ssm),                                                                    \
	  .smem_optin = (soptin),                                                                  \
	  .smem_reserved = (sres),                                                                 \
	  .smem_gran = (sgran),                                                                    \
	  .sub_partitions = (parts),                                                               \
	  .max_threads_per_block = (bthreads),                                                     \
	  .barriers_factor = (bars),                                                               \
	  .family = (fam) },
#include "tables/archs.def"
#undef KS_ARCH
};

const struct ks_arch_info *ks_arch_find(int major, int minor)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(archs); i++) {
		if (archs[i].major == major && archs[i].minor == minor)
			return &archs[i];
	}
	return NULL;
}

size_t ks_arch_count(void)
{
	return KS_ARRAY_LEN(archs);
}

const struct ks_arch_info *ks_arch_at(size_t i)
{
	return i < KS_ARRAY_LEN(archs) ? &archs[i] : NULL;
}
