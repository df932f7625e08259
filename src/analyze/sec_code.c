/* SPDX-License-Identifier: Apache-2.0
 *
 * What device code says: resources and instruction mix of a kernel, and what became of the files.
 * Occupancy is not among them: a file knows no block size.
 */
#include "analyze/emit.h"
#include "base/num.h"
#include "base/str.h"

#define CODE_TABLE "device code"

static ks_str arch_name(const struct ks_emit *e, int64_t arch)
{
	return arch != KS_UNKNOWN ? ks_arena_fmt(e->a->arena, "sm_%lld", (long long)arch)
				  : KS_LIT("sm_?");
}

static ks_str path_of(const struct ks_emit *e, const struct ks_code_function *f)
{
	return ks_redact_path(e->a->ctx->redact, e->a->sel->code->file[f->file].path);
}

static struct ks_ev_spec code_spec(const struct ks_emit *e, enum ks_metric metric,
				   const char *columns)
{
	const struct ks_code_function *f = e->code->entry->f;

	return (struct ks_ev_spec){
		.metric = metric,
		.subject = e->subject,
		.source = ks_store_msg(e->ev, KS_TEXT_CODE_SRC, arch_name(e, f->arch).p,
				       path_of(e, f).p, NULL),
		.origin = { KS_LIT(CODE_TABLE), ks_str_c(columns), 1 },
	};
}

/* --- resources ----------------------------------------------------------------------------------
 */

static void resource(struct ks_emit *e, enum ks_metric metric, const char *columns, int64_t v,
		     struct ks_msg note)
{
	struct ks_ev_spec spec = code_spec(e, metric, columns);
	const struct ks_refuse_spec unsaid = { .code = KS_REFUSAL_METRIC_ABSENT,
					       .message = { .id = KS_TEXT_CODE_NOT_SAID } };

	spec.note = note;
	if (v == KS_UNKNOWN)
		ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &unsaid));
	else
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT(v)));
}

static struct ks_msg with_number(struct ks_emit *e, enum ks_text id, int64_t v)
{
	char number[KS_NUM_LEN];

	ks_num_i64(number, v);
	return ks_store_msg(e->ev, id, number, NULL);
}

/* Whether what the launch recorded is what the code says; nothing without a launch. */
static struct ks_msg registers_note(struct ks_emit *e)
{
	const int64_t launch = e->k != NULL ? e->k->config[0].regs : KS_UNKNOWN;
	const int64_t code = e->code->entry->f->registers;

	if (launch == KS_UNKNOWN || code == KS_UNKNOWN)
		return (struct ks_msg){ 0 };
	return launch == code ? (struct ks_msg){ .id = KS_TEXT_CODE_NOTE_AGREES }
			      : with_number(e, KS_TEXT_CODE_NOTE_DIFFERS, launch);
}

/* From sm_90 on the section holds what the system reserves as well, which a launch does not count:
 * ptxas -v of nvcc 13.0 says 3072 for a kernel whose section has 4096 bytes. */
static struct ks_msg shared_note(struct ks_emit *e)
{
	const struct ks_code_function *f = e->code->entry->f;
	const int64_t launch = e->k != NULL ? e->k->config[0].static_smem : KS_UNKNOWN;

	if (launch != KS_UNKNOWN && launch == f->shared)
		return (struct ks_msg){ .id = KS_TEXT_CODE_NOTE_AGREES };
	if (launch != KS_UNKNOWN && launch == f->shared - f->reserved)
		return with_number(e, KS_TEXT_CODE_NOTE_AGREES_RESERVED, f->reserved);
	if (launch != KS_UNKNOWN)
		return with_number(e, KS_TEXT_CODE_NOTE_DIFFERS, launch);
	return f->reserved > 0 ? with_number(e, KS_TEXT_CODE_NOTE_RESERVED, f->reserved)
			       : (struct ks_msg){ 0 };
}

static void arch_row(struct ks_emit *e)
{
	const struct ks_code_function *f = e->code->entry->f;
	struct ks_ev_spec spec = code_spec(e, KS_METRIC_KS_CUBIN_ARCH, "header");
	const struct ks_refuse_spec unknown = { .code = KS_REFUSAL_UNKNOWN_ARCH,
						.message = { .id = KS_TEXT_CODE_NO_ARCH } };

	if (!f->is_kernel)
		spec.note.id = KS_TEXT_CODE_NOTE_FUNCTION;
	else if (e->code->by_base)
		spec.note.id = KS_TEXT_CODE_NOTE_BY_BASE;
	if (f->arch == KS_UNKNOWN)
		ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &unknown));
	else
		ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_TEXT(arch_name(e, f->arch))));
}

void ks_emit_code_resources(struct ks_emit *e)
{
	if (e->code->how != KS_MATCH_FOUND)
		return; /* the instruction statistics and a note say why */
	const struct ks_code_function *f = e->code->entry->f;
	const struct ks_msg none = { 0 };

	arch_row(e);
	resource(e, KS_METRIC_KS_CUBIN_REGISTERS_PER_THREAD, ".nv.info", f->registers,
		 registers_note(e));
	resource(e, KS_METRIC_KS_CUBIN_SHARED_BYTES, ".nv.shared", f->shared, shared_note(e));
	resource(e, KS_METRIC_KS_CUBIN_STACK_BYTES, ".nv.info", f->stack, none);
	resource(e, KS_METRIC_KS_CUBIN_LOCAL_BYTES, ".nv.local", f->local, none);
	resource(e, KS_METRIC_KS_CUBIN_CONSTANT_BYTES, ".nv.constant0", f->constant, none);
	resource(e, KS_METRIC_KS_CUBIN_BARRIERS, ".nv.info", f->barriers, none);
	resource(e, KS_METRIC_KS_CUBIN_CODE_BYTES, ".text", f->code_bytes, none);
}

/* --- instructions -------------------------------------------------------------------------------
 */

static void no_match(struct ks_emit *e)
{
	static const enum ks_text why[] = {
		[KS_MATCH_NONE] = KS_TEXT_CODE_NO_MATCH,
		[KS_MATCH_FOUND] = KS_TEXT_NONE,
		[KS_MATCH_SEVERAL] = KS_TEXT_CODE_AMBIGUOUS,
		[KS_MATCH_OTHER_ARCH] = KS_TEXT_CODE_OTHER_ARCH,
	};
	const struct ks_ev_spec spec = { .metric = KS_METRIC_KS_STATIC_SASS_INSTRUCTIONS,
					 .subject = e->subject };
	const struct ks_refuse_spec refused = {
		.code = KS_REFUSAL_NO_STATIC_INPUT,
		.message = { .id = why[e->code->how] },
		.action = { .id = KS_TEXT_CODE_DO_MATCH },
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refused));
}

static void no_mix(struct ks_emit *e)
{
	const struct ks_code_file *file = &e->a->sel->code->file[e->code->entry->f->file];
	const struct ks_ev_spec spec = code_spec(e, KS_METRIC_KS_STATIC_SASS_INSTRUCTIONS, ".text");
	const struct ks_kv seen[] = {
		{ KS_LIT("tool"), KS_VAL_TEXT(file->tool) },
		{ KS_LIT("exit_status"), KS_VAL_INT(file->tool_exit) },
	};
	const bool failed = file->dump != KS_CODE_NO_TOOL;
	const struct ks_refuse_spec refused = {
		.code = failed ? KS_REFUSAL_METRIC_ABSENT : KS_REFUSAL_CUOBJDUMP_MISSING,
		.message = { .id = failed ? KS_TEXT_CODE_DUMP_FAILED : KS_TEXT_NONE },
		.action = { .id = failed ? KS_TEXT_CODE_DO_DUMP : KS_TEXT_NONE },
		.observed = seen,
		.n_observed = failed && file->tool.n > 0 ? KS_ARRAY_LEN(seen) : 0,
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refused));
}

static ks_str top_text(const struct ks_emit *e, const struct ks_code_mix *mix)
{
	struct ks_buf b;

	ks_buf_init(&b, 4096);
	for (size_t i = 0; i < mix->n_top; i++)
		ks_buf_fmt(&b, "%s%.64s %llu", i > 0 ? ", " : "", mix->top[i].name.p,
			   (unsigned long long)mix->top[i].count);
	const ks_str text = ks_buf_keep(&b, e->a->arena);

	ks_buf_release(&b);
	return text;
}

static void shares(struct ks_emit *e, const struct ks_code_mix *mix, struct ks_ev_spec spec,
		   ks_id all)
{
	static const enum ks_metric metric[KS_SASS_CLASS_COUNT] = {
		[KS_SASS_TENSOR] = KS_METRIC_KS_STATIC_SASS_SHARE_TENSOR,
		[KS_SASS_FP] = KS_METRIC_KS_STATIC_SASS_SHARE_FP,
		[KS_SASS_ALU] = KS_METRIC_KS_STATIC_SASS_SHARE_ALU,
		[KS_SASS_MEMORY] = KS_METRIC_KS_STATIC_SASS_SHARE_MEMORY,
		[KS_SASS_SYNC] = KS_METRIC_KS_STATIC_SASS_SHARE_SYNC,
		[KS_SASS_CONTROL] = KS_METRIC_KS_STATIC_SASS_SHARE_CONTROL,
		[KS_SASS_COMMUNICATION] = KS_METRIC_KS_STATIC_SASS_SHARE_COMMUNICATION,
		[KS_SASS_OTHER] = KS_METRIC_KS_STATIC_SASS_SHARE_OTHER,
	};

	spec.inputs = &all;
	spec.n_inputs = all != 0;
	for (size_t c = 0; c < KS_SASS_CLASS_COUNT; c++) {
		spec.metric = metric[c];
		ks_emit_row(e, ks_ev_exact(e->ev, &spec,
					   KS_VAL_REAL(100.0 * (double)mix->count[c] /
						       (double)mix->instructions)));
	}
}

void ks_emit_code_mix(struct ks_emit *e)
{
	if (e->code->how != KS_MATCH_FOUND) {
		no_match(e);
		return;
	}
	const struct ks_code_function *f = e->code->entry->f;

	if (f->mix == NULL) {
		no_mix(e);
		return;
	}
	const struct ks_code_file *file = &e->a->sel->code->file[f->file];
	struct ks_ev_spec spec = code_spec(e, KS_METRIC_KS_STATIC_SASS_INSTRUCTIONS, ".text");

	spec.source = ks_store_msg(e->ev, KS_TEXT_CODE_SRC_SASS, arch_name(e, f->arch).p,
				   path_of(e, f).p, file->tool.p, NULL);
	spec.origin.rows = f->mix->instructions;
	const ks_id all = ks_emit_row(
		e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)f->mix->instructions)));

	shares(e, f->mix, spec, all);
	spec.metric = KS_METRIC_KS_STATIC_SASS_TOP;
	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_TEXT(top_text(e, f->mix))));
}

void ks_emit_code_kernel(struct ks_emit *e, const struct ks_code_entry *code)
{
	const struct ks_code_found found = { .how = KS_MATCH_FOUND, .entry = code };
	const bool *on = e->a->sel->section_on;
	const struct ks_msg none = { 0 };

	e->code = &found;
	if (on[KS_SECTION_DURATION]) {
		ks_emit_refuse(e, KS_METRIC_GPU_TIME_DURATION_SUM, KS_REFUSAL_NO_LAUNCH_ACTIVITY,
			       KS_TEXT_CODE_NK);
		ks_emit_section(e, KS_SECTION_DURATION, none);
	}
	if (on[KS_SECTION_LAUNCHSTATS]) {
		ks_emit_code_resources(e);
		ks_emit_section(e, KS_SECTION_LAUNCHSTATS, none);
	}
	if (on[KS_SECTION_INSTRUCTIONSTATS]) {
		ks_emit_code_mix(e);
		ks_emit_section(e, KS_SECTION_INSTRUCTIONSTATS, none);
	}
	e->code = NULL;
}

/* --- the files ----------------------------------------------------------------------------------
 */

static void number(struct ks_emit *e, enum ks_metric metric, const char *columns, uint64_t v)
{
	const struct ks_ev_spec spec = {
		.metric = metric,
		.subject = e->subject,
		.source = { .id = KS_TEXT_CODE_SRC_FILES },
		.origin = { KS_LIT(CODE_TABLE), ks_str_c(columns), v },
	};

	ks_emit_row(e, ks_ev_exact(e->ev, &spec, KS_VAL_INT((int64_t)v)));
}

struct fault {
	enum ks_refusal code;
	enum ks_text why;
	struct ks_msg action;
};

static struct fault fault_of(struct ks_emit *e, const struct ks_code_member *m)
{
	if (m->fate == KS_CODE_DAMAGED)
		return (struct fault){ KS_REFUSAL_METRIC_ABSENT,
				       KS_TEXT_CODE_MEMBER_DAMAGED,
				       { .id = KS_TEXT_CODE_DO_REBUILD } };
	if (m->fate == KS_CODE_TOO_LARGE)
		return (struct fault){ KS_REFUSAL_NOT_BUILT_IN,
				       KS_TEXT_CODE_MEMBER_LARGE,
				       { .id = KS_TEXT_CODE_DO_OTHER_PACKING } };
	if (m->packing == KS_CODE_PLAIN)
		return (struct fault){ KS_REFUSAL_NOT_BUILT_IN,
				       KS_TEXT_CODE_UNKNOWN_PACKING,
				       { .id = KS_TEXT_CODE_DO_OTHER_PACKING } };
	return (struct fault){ KS_REFUSAL_NOT_BUILT_IN, KS_TEXT_CODE_NO_UNPACKER,
			       ks_store_msg(e->ev, KS_TEXT_CODE_DO_UNPACKER,
					    m->packing == KS_CODE_LZ4 ? "liblz4-1" : "libzstd1",
					    NULL) };
}

static void unread_member(struct ks_emit *e, size_t number_of, const struct ks_code_member *m)
{
	static const char *const packing[] = {
		[KS_CODE_PLAIN] = "none", [KS_CODE_LZ4] = "lz4", [KS_CODE_ZSTD] = "zstd"
	};
	const struct fault fault = fault_of(e, m);
	const struct ks_ev_spec spec = {
		.metric = KS_METRIC_KS_CODE_MEMBER_M_KERNELS,
		.name = ks_arena_fmt(e->a->arena, "ks__code_member_%zu_kernels", number_of),
		.subject = e->subject,
	};
	const ks_str path = ks_redact_path(e->a->ctx->redact, e->a->sel->code->file[m->file].path);
	const struct ks_kv seen[] = {
		{ KS_LIT("file"), KS_VAL_TEXT(path) },
		{ KS_LIT("arch"), KS_VAL_TEXT(arch_name(e, m->arch)) },
		{ KS_LIT("bytes"), KS_VAL_INT((int64_t)m->stored) },
		{ KS_LIT("packing"), KS_VAL_TEXT(ks_str_c(packing[m->packing])) },
	};
	const struct ks_refuse_spec refused = {
		.code = fault.code,
		.message = { .id = fault.why },
		.action = fault.action,
		.observed = seen,
		.n_observed = KS_ARRAY_LEN(seen),
	};

	ks_emit_row(e, ks_ev_refuse(e->ev, &spec, &refused));
}

void ks_emit_static_code(struct ks_emit *e)
{
	const struct ks_code *code = e->a->sel->code;
	const struct ks_code_tally *t = &e->a->code_tally;
	const size_t most = (size_t)ks_limit(KS_LIMIT_CODE_MEMBERS_LISTED);
	size_t listed = 0;

	if (code == NULL)
		return;
	number(e, KS_METRIC_KS_CODE_KERNELS, ".text", t->kernels);
	number(e, KS_METRIC_KS_CODE_DEVICE_FUNCTIONS, ".text", t->functions);
	number(e, KS_METRIC_KS_CODE_MEMBERS, "member", t->cubins);
	number(e, KS_METRIC_KS_CODE_PTX_MEMBERS, "member", t->ptx);
	number(e, KS_METRIC_KS_CODE_UNREAD_MEMBERS, "member", t->unread);
	for (size_t i = 0; i < code->n_members && listed < most; i++)
		if (code->member[i].fate != KS_CODE_READ)
			unread_member(e, ++listed, &code->member[i]);
	if (!e->a->sel->code_alone) {
		number(e, KS_METRIC_KS_CODE_MATCHED_KERNELS, ".symtab", t->matched);
		number(e, KS_METRIC_KS_CODE_UNMATCHED_KERNELS, ".symtab", t->unmatched);
		number(e, KS_METRIC_KS_CODE_UNUSED_KERNELS, ".symtab", t->unused);
	}
	ks_emit_section(e, KS_SECTION_STATICCODE, (struct ks_msg){ 0 });
}
