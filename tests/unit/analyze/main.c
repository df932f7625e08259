/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests of analyze/, one group per module, and holds the hand-made trace they share.
 */
#include "all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static const char *no_env(const char *name)
{
	(void)name;
	return NULL;
}

static int64_t fixed_epoch(void)
{
	return 1700000000;
}

static ks_ns no_time(void)
{
	return 0;
}

static const struct ks_clock still = { no_time, fixed_epoch };

void given_trace(struct given *g)
{
	*g = (struct given){ 0 };
	ks_arena_init(&g->arena, (size_t)1 << 30);
	ks_err_init(&g->err);
	g->ctx = (struct ks_ctx){
		.io = &ks_io_system, .clock = &still, .env = no_env, .run = &g->arena
	};
	for (unsigned s = 1; s < KS_SECTION_COUNT; s++) {
		const unsigned sets = ks_section_info((enum ks_section)s)->sets;

		g->sel.section_on[s] = sets == 0 || (sets & (1u << KS_SET_BASIC));
	}
	g->meta = (struct ks_trace_meta){
		.cuda_traced = -1,
		.kind = KS_LIT("nsys sqlite"),
		.path = KS_LIT("hand.sqlite"),
		.product = KS_LIT("nsys"),
		.product_version = KS_LIT("2024.1"),
		.schema_version = KS_LIT("3.9"),
		.utc_epoch_ns = KS_UNKNOWN,
		.capture_ns = KS_UNKNOWN,
		.has_kernel_table = true,
		.has_cuda_tables = true,
		.other_first_ns = KS_UNKNOWN,
		.other_last_ns = KS_UNKNOWN,
	};
}

static void forget_run(struct given *g)
{
	ks_analysis_close(g->a);
	g->a = NULL;
	g->r = NULL;
	ks_err_init(&g->err);
}

void given_release(struct given *g)
{
	forget_run(g);
	ks_mem_free(g->copy);
	ks_mem_free(g->launch);
	ks_arena_release(&g->arena);
}

ks_nameref given_name(struct given *g, const char *text)
{
	if (!text)
		return 0;
	for (size_t i = 0; i < g->n_names; i++) {
		if (strcmp(g->name[i], text) == 0)
			return (ks_nameref)i + 1;
	}
	assert_true(g->n_names < KS_ARRAY_LEN(g->name));
	g->name[g->n_names++] = text;
	return (ks_nameref)g->n_names;
}

struct ks_trace_gpu *given_gpu(struct given *g, int64_t ordinal, int64_t major, int64_t minor,
			       int64_t sms)
{
	assert_true(g->n_gpus < KS_ARRAY_LEN(g->gpu));
	struct ks_trace_gpu *gpu = &g->gpu[g->n_gpus++];

	ks_trace_gpu_clear(gpu);
	gpu->id = gpu->cu_device = ordinal;
	gpu->name = KS_LIT("Test GPU");
	gpu->cc_major = major;
	gpu->cc_minor = minor;
	gpu->sm_count = sms;
	return gpu;
}

struct ks_launch *given_launch(struct given *g, const char *name, int64_t device, ks_ns start,
			       ks_ns duration)
{
	assert_true(KS_GROW(g->launch, g->launch_cap, g->n_launches + 1, 1u << 24));
	struct ks_launch *l = &g->launch[g->n_launches++];

	*l = (struct ks_launch){
		.start_ns = start,
		.end_ns = start + duration,
		.device = device,
		.process = INT64_C(7) << 24,
		.context = 1,
		.stream = 7,
		.correlation = (int64_t)g->n_launches,
		.demangled = given_name(g, ks_arena_fmt(&g->arena, "%s(int)", name).p),
		.function = given_name(g, name),
		.grid = { 64, 1, 1 },
		.block = { 256, 1, 1 },
		.regs = 32,
	};
	return l;
}

struct ks_copy *given_copy(struct given *g, int64_t device, ks_ns start, ks_ns duration)
{
	assert_true(KS_GROW(g->copy, g->copy_cap, g->n_copies + 1, 1u << 24));
	struct ks_copy *c = &g->copy[g->n_copies++];

	*c = (struct ks_copy){ .start_ns = start,
			       .end_ns = start + duration,
			       .device = device,
			       .process = INT64_C(7) << 24,
			       .context = 1,
			       .stream = 8,
			       .bytes = 1000,
			       .kind = 1 };
	return c;
}

struct ks_overhead *given_overhead(struct given *g, int64_t thread, ks_ns start, ks_ns end)
{
	assert_true(g->n_overheads < KS_ARRAY_LEN(g->overhead));
	struct ks_overhead *o = &g->overhead[g->n_overheads++];

	*o = (struct ks_overhead){
		.start_ns = start, .end_ns = end, .thread = thread, .profiler = true
	};
	return o;
}

/* --- playing the trace ---------------------------------------------------------------------------
 */

static enum ks_status play_facts(struct given *g, const struct ks_sink *s)
{
	KS_TRY(s->ops->meta(s->self, &g->meta, &g->err));
	for (size_t i = 0; i < g->n_gpus; i++)
		KS_TRY(s->ops->gpu(s->self, &g->gpu[i], &g->err));
	for (size_t i = 0; i < g->n_maps; i++)
		KS_TRY(s->ops->gpu_map(s->self, &g->map[i], &g->err));
	for (size_t i = 0; i < g->n_processes; i++)
		KS_TRY(s->ops->process(s->self, &g->process[i], &g->err));
	return KS_OK;
}

/* What only a timeline asks for; the hand-made trace has no ranges and no calls. */
static enum ks_status play_timeline(struct given *g, const struct ks_sink *s)
{
	if (s->rows & KS_ROWS_RANGES)
		KS_TRY(s->ops->ranges_done(s->self, &g->err));
	for (size_t i = 0; (s->rows & KS_ROWS_OVERHEAD) && i < g->n_overheads; i++)
		KS_TRY(s->ops->overhead(s->self, &g->overhead[i], &g->err));
	if (s->rows & KS_ROWS_CALLS)
		KS_TRY(s->ops->calls_done(s->self, &g->err));
	return KS_OK;
}

static enum ks_status play_rows(struct given *g, const struct ks_sink *s)
{
	for (size_t i = 0; i < g->n_copies; i++)
		KS_TRY(s->ops->copy(s->self, &g->copy[i], &g->err));
	for (size_t i = 0; i < g->n_launches; i++)
		KS_TRY(s->ops->launch(s->self, &g->launch[i], &g->err));
	g->passes++;
	return KS_OK;
}

static enum ks_status play_names(struct given *g, const struct ks_sink *s)
{
	const ks_nameref *ref = NULL;
	size_t n = 0;

	s->ops->wanted(s->self, &ref, &n);
	for (size_t i = 0; i < n; i++) {
		assert_in_range(ref[i], 1, g->n_names);
		KS_TRY(s->ops->name(s->self, ref[i], ks_str_c(g->name[ref[i] - 1]), &g->err));
	}
	return KS_OK;
}

enum ks_status when_analysed(struct given *g)
{
	bool again = false;

	forget_run(g);
	g->passes = 0;
	g->a = ks_analysis_open(&g->ctx, &g->sel);
	assert_non_null(g->a);
	const struct ks_sink *s = ks_analysis_sink(g->a);

	KS_TRY(play_facts(g, s));
	KS_TRY(play_timeline(g, s));
	KS_TRY(play_rows(g, s));
	KS_TRY(play_names(g, s));
	KS_TRY(s->ops->done(s->self, &again, &g->err));
	if (again) {
		KS_TRY(play_rows(g, s));
		KS_TRY(s->ops->done(s->self, &again, &g->err));
		assert_false(again);
	}
	return ks_analysis_finish(g->a, &g->r, &g->err);
}

struct ks_report *then_report(struct given *g)
{
	enum ks_status st = when_analysed(g);

	if (st != KS_OK)
		print_error("%s\n", error_text(g));
	assert_int_equal(st, KS_OK);
	assert_non_null(g->r);
	return g->r;
}

/* --- questions -----------------------------------------------------------------------------------
 */

const struct ks_kernel *kernel_named(const struct given *g, const char *name)
{
	for (size_t i = 0; i < g->r->n_kernels; i++) {
		if (ks_str_eqc(g->r->kernel[i].name, name))
			return &g->r->kernel[i];
	}
	fail_msg("no kernel %s", name);
	return NULL;
}

const struct ks_config *config_named(const struct ks_kernel *k, const char *key)
{
	for (size_t i = 0; i < k->n_configs; i++) {
		if (ks_str_eqc(k->config[i].key, key))
			return &k->config[i];
	}
	for (size_t i = 0; i < k->n_configs; i++)
		print_error("has %s\n", k->config[i].key.p);
	fail_msg("no configuration %s", key);
	return NULL;
}

static const struct ks_ev *find_row(const struct given *g, const char *kernel, const char *metric)
{
	const struct ks_kernel *k = kernel_named(g, kernel);

	for (size_t s = 0; s < k->n_sections; s++) {
		for (size_t i = 0; i < k->section[s].n; i++) {
			const struct ks_ev *row = ks_ev_get(g->r->ev, k->section[s].row[i]);

			if (ks_str_eqc(row->name, metric))
				return row;
		}
	}
	return NULL;
}

bool has_row(const struct given *g, const char *kernel, const char *metric)
{
	return find_row(g, kernel, metric) != NULL;
}

const struct ks_ev *row_of(const struct given *g, const char *kernel, const char *metric)
{
	const struct ks_ev *row = find_row(g, kernel, metric);

	if (!row)
		fail_msg("%s has no row %s", kernel, metric);
	return row;
}

static void expect_some(const struct ks_ev *row)
{
	if (row->refused)
		fail_msg("%s is refused: %s", row->name.p,
			 ks_refusal_info(row->refused->code)->slug);
}

void expect_near(double a, double b, double relative)
{
	if (!(fabs(a - b) <= relative * fabs(b)))
		fail_msg("%.17g is not %.17g", a, b);
}

void expect_real(const struct ks_ev *row, double v)
{
	expect_some(row);
	assert_int_equal(row->value.kind, KS_V_REAL);
	expect_near(row->value.d, v, 1e-12);
}

void expect_int(const struct ks_ev *row, int64_t v)
{
	expect_some(row);
	assert_int_equal(row->value.kind, KS_V_INT);
	assert_int_equal(row->value.i, v);
}

void expect_text(const struct ks_ev *row, const char *v)
{
	expect_some(row);
	assert_int_equal(row->value.kind, KS_V_TEXT);
	assert_string_equal(row->value.s.p, v);
}

void expect_refused(const struct ks_ev *row, enum ks_refusal code)
{
	if (!row->refused)
		fail_msg("%s has a value", row->name.p);
	assert_string_equal(ks_refusal_info(row->refused->code)->slug, ks_refusal_info(code)->slug);
	assert_int_equal(row->prov, KS_PROV_UNAVAILABLE);
}

const char *english(struct given *g, const struct ks_msg *m)
{
	struct ks_buf b;

	ks_buf_init(&b, 1u << 20);
	ks_msg_fmt(&b, KS_LANG_EN, m);
	ks_str text = ks_arena_dup(&g->arena, ks_buf_view(&b));

	ks_buf_release(&b);
	return text.p;
}

const char *error_text(struct given *g)
{
	ks_str arg[KS_ERR_ARGS];

	for (unsigned i = 0; i < g->err.n_args; i++)
		arg[i] = ks_str_c(g->err.arg[i]);
	return english(g, &(struct ks_msg){ (enum ks_text)g->err.text, g->err.n_args, arg });
}

bool has_note(struct given *g, const char *part)
{
	for (size_t i = 0; i < g->r->n_notes; i++) {
		if (strstr(english(g, &g->r->note[i]), part))
			return true;
	}
	return false;
}

bool shared_file(char out[512], const char *path)
{
	const char *root = getenv("KS_SHARED");

	(void)snprintf(out, 512, "%s/%s", root ? root : "../shared", path);
	if (access(out, R_OK) == 0)
		return true;
	print_message("skipped: %s is not there\n", out);
	return false;
}

int main(void)
{
	return test_sketch() + test_occupancy() + test_occpicture() + test_launchstats() +
	       test_stats() + test_busy() + test_name() + test_code() + test_ncu_words() +
	       test_window() + test_select() + test_configs() + test_selection() + test_devices() +
	       test_places() + test_order() + test_launchlog() + test_evidence() + test_contents() +
	       test_sanity() + test_calls() + test_calls_stats() + test_graphs() + test_sites() +
	       test_slices() + test_picture() + test_durations() + test_folded() + test_sweep() +
	       test_sweep_rows() + test_sweep_many() + test_sec_time() + test_copies() +
	       test_copies_rates() + test_copies_memory() + test_comm() + test_family() +
	       test_comm_calls() + test_comm_vectors() + test_ranges() + test_ranges_brute() +
	       test_ranges_data() + test_steps() + test_phases_vectors() + test_sec_nvtx() +
	       test_telemetry();
}
