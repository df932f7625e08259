/* SPDX-License-Identifier: Apache-2.0
 *
 * Theoretical occupancy by the rules of contract 06 §7. Pure arithmetic: no table look-up, no
 * allocation, no opinion about a launch that cannot run.
 */
#include "analyze/occupancy.h"

/* 48 KiB per block without opting in, on every architecture (CUDA programming guide, compute
 * capabilities: "maximum amount of shared memory per thread block" before opt-in). */
#define SMEM_WITHOUT_OPTIN 49152
#define LANES		   32

static int64_t divide_up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

static int64_t round_up(int64_t a, int64_t b)
{
	return divide_up(a, b) * b;
}

void ks_occ_limits_of(struct ks_occ_limits *l, const struct ks_arch_info *arch)
{
	*l = (struct ks_occ_limits){
		.threads_per_sm = arch->threads_per_sm,
		.warps_per_sm = arch->warps_per_sm,
		.blocks_per_sm = arch->blocks_per_sm,
		.regs_per_sm = arch->regs_per_sm,
		.regs_per_block = arch->regs_per_block,
		.reg_gran = arch->reg_gran_per_warp,
		.max_regs_per_thread = arch->max_regs_per_thread,
		.smem_per_sm = arch->smem_per_sm,
		.smem_optin = arch->smem_optin,
		.smem_reserved = arch->smem_reserved,
		.smem_gran = arch->smem_gran,
		.sub_partitions = arch->sub_partitions,
		.max_threads_per_block = arch->max_threads_per_block,
		.barriers_per_sm = (int64_t)arch->barriers_factor * arch->blocks_per_sm,
		.from_table = KS_OCC_FROM_WARPS | KS_OCC_FROM_BLOCKS | KS_OCC_FROM_REGS |
			      KS_OCC_FROM_SMEM,
	};
}

static bool known(int64_t v)
{
	return v > 0;
}

void ks_occ_limits_from_trace(struct ks_occ_limits *l, const struct ks_occ_trace_limits *t)
{
	if (known(t->warps_per_sm)) {
		l->warps_per_sm = t->warps_per_sm;
		if (known(t->threads_per_warp))
			l->threads_per_sm = t->warps_per_sm * t->threads_per_warp;
		l->from_table &= ~(unsigned)KS_OCC_FROM_WARPS;
	}
	if (known(t->blocks_per_sm)) {
		int64_t factor = l->blocks_per_sm ? l->barriers_per_sm / l->blocks_per_sm : 0;

		l->blocks_per_sm = t->blocks_per_sm;
		l->barriers_per_sm = factor * t->blocks_per_sm;
		l->from_table &= ~(unsigned)KS_OCC_FROM_BLOCKS;
	}
	if (known(t->regs_per_sm)) {
		l->regs_per_sm = t->regs_per_sm;
		l->from_table &= ~(unsigned)KS_OCC_FROM_REGS;
	}
	if (known(t->smem_per_sm)) {
		l->smem_per_sm = t->smem_per_sm;
		l->from_table &= ~(unsigned)KS_OCC_FROM_SMEM;
	}
	if (known(t->regs_per_block))
		l->regs_per_block = t->regs_per_block;
	if (known(t->smem_optin))
		l->smem_optin = t->smem_optin;
	if (known(t->max_threads_per_block))
		l->max_threads_per_block = t->max_threads_per_block;
	l->from_trace = known(t->warps_per_sm) || known(t->blocks_per_sm) ||
			known(t->regs_per_sm) || known(t->smem_per_sm);
}

static int64_t limit_registers(const struct ks_occ_limits *l, int64_t regs, int64_t warps)
{
	if (regs == 0)
		return KS_OCC_UNLIMITED;
	const int64_t per_warp = round_up(LANES * regs, l->reg_gran), parts = l->sub_partitions;
	/* sm_60 has two partitions, yet a block must also fit an SM with four (06 §7). */
	const int64_t strict_parts = parts < 4 ? 4 : parts;

	if (per_warp * round_up(warps, parts) > l->regs_per_block ||
	    per_warp * round_up(warps, strict_parts) > l->regs_per_block)
		return 0;
	return l->regs_per_sm / parts / per_warp * parts / warps;
}

static int64_t limit_smem(const struct ks_occ_limits *l, const struct ks_occ_in *in)
{
	const int64_t asked = in->static_smem + in->dynamic_smem;
	const int64_t alloc = round_up(asked + l->smem_reserved, l->smem_gran);
	const int64_t most = asked <= SMEM_WITHOUT_OPTIN ? SMEM_WITHOUT_OPTIN : l->smem_optin;
	int64_t carve_out = l->smem_per_sm;

	if (alloc == 0)
		return KS_OCC_UNLIMITED;
	if (alloc > most + l->smem_reserved)
		return 0;
	if (in->smem_executed > 0 && in->smem_executed < carve_out)
		carve_out = in->smem_executed;
	return carve_out / alloc;
}

static void find_limiters(struct ks_occ_out *out)
{
	const struct {
		int64_t limit;
		unsigned bit;
	} all[] = {
		{ out->limit_barriers, KS_OCC_BARRIERS },   { out->limit_blocks, KS_OCC_BLOCKS },
		{ out->limit_registers, KS_OCC_REGISTERS }, { out->limit_smem, KS_OCC_SMEM },
		{ out->limit_threads, KS_OCC_THREADS },	    { out->limit_warps, KS_OCC_WARPS },
	};

	out->blocks = KS_OCC_UNLIMITED;
	for (size_t i = 0; i < KS_ARRAY_LEN(all); i++) {
		if (all[i].limit < out->blocks) {
			out->blocks = all[i].limit;
			out->limiters = 0;
		}
		if (all[i].limit == out->blocks)
			out->limiters |= all[i].bit;
	}
}

enum ks_occ_status ks_occupancy(const struct ks_occ_limits *l, const struct ks_occ_in *in,
				struct ks_occ_out *out)
{
	*out = (struct ks_occ_out){ 0 };
	if (in->block_threads < 1 || in->block_threads > l->max_threads_per_block || in->regs < 0 ||
	    in->regs > l->max_regs_per_thread)
		return KS_OCC_INVALID_LAUNCH;
	if (in->static_smem < 0 || in->dynamic_smem < 0 || in->static_smem > UINT32_MAX ||
	    in->dynamic_smem > UINT32_MAX)
		return KS_OCC_INVALID_LAUNCH;
	const int64_t warps = divide_up(in->block_threads, LANES);

	out->warps_per_block = warps;
	out->limit_registers = limit_registers(l, in->regs, warps);
	out->limit_threads = l->threads_per_sm / in->block_threads;
	out->limit_warps = l->warps_per_sm / warps;
	out->limit_smem = limit_smem(l, in);
	out->limit_blocks = l->blocks_per_sm;
	out->limit_barriers = l->barriers_per_sm > 0 && in->barriers > 0
				      ? l->barriers_per_sm / in->barriers
				      : KS_OCC_UNLIMITED;
	find_limiters(out);
	out->warps = out->blocks * warps;
	out->occupancy_pct = 100.0 * (double)out->warps / (double)l->warps_per_sm;
	return KS_OCC_OK;
}

/* Most registers with which so many blocks fit; 0: none. */
static int64_t most_regs(const struct ks_occ_limits *l, struct ks_occ_in in, int64_t blocks)
{
	struct ks_occ_out out;

	for (; in.regs > 0; in.regs--)
		if (ks_occupancy(l, &in, &out) == KS_OCC_OK && out.limit_registers >= blocks)
			return in.regs;
	return 0;
}

/* Most dynamic shared memory with which so many blocks fit; -1: not even without any. */
static int64_t most_smem(const struct ks_occ_limits *l, struct ks_occ_in in, int64_t blocks)
{
	int64_t low = -1, high = in.dynamic_smem;
	struct ks_occ_out out;

	while (low < high) {
		in.dynamic_smem = low + (high - low + 1) / 2;
		if (ks_occupancy(l, &in, &out) == KS_OCC_OK && out.limit_smem >= blocks)
			low = in.dynamic_smem;
		else
			high = in.dynamic_smem - 1;
	}
	return low;
}

bool ks_occ_step_up(const struct ks_occ_limits *l, const struct ks_occ_in *in, unsigned less,
		    struct ks_occ_in *next, struct ks_occ_out *then)
{
	struct ks_occ_out now;

	*next = *in;
	if (ks_occupancy(l, in, &now) != KS_OCC_OK)
		return false;
	if (less & KS_OCC_REGISTERS)
		next->regs = most_regs(l, *in, now.blocks + 1);
	if (less & KS_OCC_SMEM)
		next->dynamic_smem = most_smem(l, *in, now.blocks + 1);
	return next->regs > 0 && next->dynamic_smem >= 0 &&
	       ks_occupancy(l, next, then) == KS_OCC_OK && then->blocks > now.blocks;
}

size_t ks_occ_limiter_text(char out[80], unsigned limiters)
{
	static const struct {
		unsigned bit;
		const char *name;
	} names[] = {
		/* sorted by name */
		{ KS_OCC_BARRIERS, "barriers" },   { KS_OCC_BLOCKS, "block_limit" },
		{ KS_OCC_REGISTERS, "registers" }, { KS_OCC_SMEM, "shared_mem" },
		{ KS_OCC_THREADS, "threads" },	   { KS_OCC_WARPS, "warps" },
	};
	size_t n = 0;

	for (size_t i = 0; i < KS_ARRAY_LEN(names); i++) {
		if (!(limiters & names[i].bit))
			continue;
		if (n)
			out[n++] = '+';
		size_t len = strlen(names[i].name);

		memcpy(out + n, names[i].name, len);
		n += len;
	}
	out[n] = '\0';
	return n;
}
