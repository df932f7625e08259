/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of what stands beside a gap: the function of a kernel, or words for a copy that are the
 * same in every language. Made one by one as they are asked for.
 */
#include "analyze/sweep_names.h"

#include "analyze/name.h"
#include "base/mem.h"
#include "base/str.h"

void ks_sweep_names_init(struct ks_sweep_names *n, struct ks_analysis *a)
{
	*n = (struct ks_sweep_names){ .a = a };
	ks_buf_init(&n->text, (size_t)ks_limit(KS_LIMIT_NAME_BYTES));
}

void ks_sweep_names_release(struct ks_sweep_names *n)
{
	ks_buf_release(&n->text);
	ks_mem_free(n->group);
}

static ks_str function_of(struct ks_sweep_names *n, uint32_t group)
{
	const struct ks_group_key *key = ks_launches_group_key(&n->a->launches, group);
	ks_str name = ks_analysis_text(n->a, key->function);

	if (name.n)
		return name;
	name = ks_analysis_text(n->a, key->demangled);
	if (name.n)
		return ks_name_function(name);
	name = ks_analysis_text(n->a, key->mangled);
	if (name.n && ks_analysis_demangle(n->a, name, &n->text))
		return ks_arena_dup(n->a->arena, ks_name_function(ks_buf_view(&n->text)));
	return name.n ? name : KS_LIT("<unknown>");
}

/* The text that stands for the kernel when names are hashed: what the report hashes. */
static ks_str whole_of(struct ks_sweep_names *n, uint32_t group)
{
	const struct ks_group_key *key = ks_launches_group_key(&n->a->launches, group);
	const ks_str name = ks_analysis_text(n->a, key->demangled);
	const ks_str mangled = ks_analysis_text(n->a, key->mangled);

	if (name.n)
		return name;
	if (ks_analysis_text(n->a, key->function).n == 0 && mangled.n &&
	    ks_analysis_demangle(n->a, mangled, &n->text))
		return ks_arena_dup(n->a->arena, ks_buf_view(&n->text));
	return function_of(n, group);
}

/* As people read it; a hash is that of the whole name, so that it is the same everywhere. */
static ks_str public_name(struct ks_sweep_names *n, uint32_t group)
{
	struct ks_redact *redact = n->a->ctx->redact;

	if (ks_redact_mode_of(redact) == KS_REDACT_NAMES)
		return ks_redact_name(redact, KS_NAME_KERNEL, whole_of(n, group));
	return ks_redact_name(redact, KS_NAME_KERNEL, function_of(n, group));
}

static ks_str kernel_name(struct ks_sweep_names *n, uint32_t pair)
{
	const uint32_t group = ks_launches_pair_key(&n->a->launches, pair)->group;

	if (!n->group)
		n->group = ks_mem_alloc(n->a->launches.groups.count * sizeof(*n->group));
	if (!n->group) {
		n->no_memory = true;
		return KS_LIT("");
	}
	if (!n->group[group].p)
		n->group[group] = public_name(n, group);
	return n->group[group];
}

static ks_str work_name(struct ks_sweep_names *n, uint32_t kind)
{
	if (kind == KS_SWEEP_MEMSET)
		return KS_LIT("memset");
	if (kind >= KS_ARRAY_LEN(n->work))
		return KS_LIT("copy");
	if (!n->work[kind].p) {
		const ks_str word = ks_copy_kind_name(kind);

		n->work[kind] = word.n ? ks_arena_fmt(n->a->arena, "copy %.*s", (int)word.n, word.p)
				       : ks_arena_fmt(n->a->arena, "copy kind_%u", kind);
	}
	return n->work[kind];
}

ks_str ks_sweep_name(struct ks_sweep_names *n, uint32_t what)
{
	if (what == KS_SWEEP_NOTHING)
		return KS_LIT("");
	return what & KS_SWEEP_WORK ? work_name(n, what & KS_SWEEP_KIND) : kernel_name(n, what);
}

int ks_sweep_names_compare(void *arg, uint32_t a, uint32_t b)
{
	return ks_str_cmp(ks_sweep_name(arg, a), ks_sweep_name(arg, b));
}
