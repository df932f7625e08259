/* SPDX-License-Identifier: Apache-2.0
 *
 * Builders and general expectations of the render tests.
 */
#include "given.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"
#include "evidence/store.h"

#define KERNELS_MAX 6000

const ks_str hostile_names[] = {
	{ "\033]0;owned\007red\033[31m()", 21 },
	{ "line\none\r\ttab()", 15 },
	{ "=cmd|' /C calc'!A0", 18 },
	{ "<script>alert(\"x\")</script>&amp;", 32 },
	{ "\xe2\x80\xae"
	  "evil\xe2\x80\xac(int)",
	  15 },
	{ "bad\xff\xfe\xc0\x80utf8", 11 },
	{ "nul\0inside", 10 },
	{ "]]>--><![CDATA[", 15 },
	{ "\xe5\x90\x91\xe9\x87\x8f\xe5\x8a\xa0<\xe6\xb5\xae\xe7\x82\xb9>", 17 },
	{ "\"quoted\",comma", 14 },
	{ "", 0 },
	{ "<<<<>>>>((((", 12 },
	{ "operator()", 10 },
	{ "\xef\xbf\xbe\xed\xa0\x80", 6 },
};
const size_t n_hostile_names = KS_ARRAY_LEN(hostile_names);

static const char *no_env(const char *name)
{
	(void)name;
	return NULL;
}

struct given *given_report(void)
{
	struct given *g = ks_mem_alloc(sizeof(*g));

	ks_arena_init(&g->run, (size_t)1 << 30);
	ks_out_open_null(&g->silent);
	g->log.err = &g->silent;
	g->ctx = (struct ks_ctx){ .io = &ks_io_system,
				  .clock = &ks_clock_system,
				  .env = no_env,
				  .log = &g->log,
				  .run = &g->run,
				  .lang = KS_LANG_EN,
				  .doc_lang = KS_LANG_EN };
	g->kernel = KS_ARENA_NEWS(&g->run, struct ks_kernel, KERNELS_MAX);
	g->gpu[0] = (struct ks_gpu){ .label = 0,
				     .name = KS_LIT("NVIDIA A100-SXM4-40GB"),
				     .driver = KS_LIT("535.54.03"),
				     .cc_major = 8,
				     .cc_minor = 0,
				     .sm_count = 108,
				     .l2_bytes = 41943040,
				     .memory_bytes = KS_UNKNOWN,
				     .memory_bandwidth = KS_UNKNOWN,
				     .max_sm_clock_mhz = 1410,
				     .power_limit_w = -1.0,
				     .used = true,
				     .resolved = true };
	g->r = (struct ks_report){ .ev = ks_store_open(&g->run),
				   .tool = KS_LIT("kernoscope"),
				   .tool_version = KS_LIT("0.3.0"),
				   .generated_at = KS_LIT("2026-01-02T03:04:05+0000"),
				   .input_path = KS_LIT("run.sqlite"),
				   .producer = KS_LIT("nsys 2023.3.1.92, schema 3.4.0"),
				   .gpu = g->gpu,
				   .n_gpus = 1,
				   .n_gpus_used = 1,
				   .kernel = g->kernel,
				   .window_mode = KS_LIT("auto"),
				   .dtype = KS_LIT("bf16") };
	g->v = (struct ks_view){ .term = { .utf8 = true, .cols = 80, .rows = 24 },
				 .lang = KS_LANG_EN,
				 .auto_units = true };
	ks_buf_init(&g->text, (size_t)1 << 28);
	assert_non_null(g->r.ev);
	return g;
}

void given_released(struct given *g)
{
	ks_buf_release(&g->text);
	ks_arena_release(&g->run);
	ks_mem_free(g);
}

static struct ks_ev_spec spec_of(enum ks_metric metric, ks_str subject)
{
	return (struct ks_ev_spec){ .metric = metric,
				    .subject = subject,
				    .origin = { KS_LIT("CUPTI_ACTIVITY_KIND_KERNEL"),
						KS_LIT("start,end"), 7 } };
}

static ks_id exact(struct given *g, enum ks_metric metric, ks_str subject, struct ks_value v)
{
	struct ks_ev_spec spec = spec_of(metric, subject);

	return ks_ev_exact(g->r.ev, &spec, v);
}

static ks_id derived(struct given *g, enum ks_metric metric, ks_str subject, double v,
		     double resolution)
{
	struct ks_ev_spec spec = spec_of(metric, subject);

	spec.has_resolution = true;
	spec.resolution = resolution;
	return ks_ev_derived(g->r.ev, &spec, KS_VAL_REAL(v));
}

static ks_id refused(struct given *g, enum ks_metric metric, ks_str subject, enum ks_refusal code)
{
	const struct ks_kv seen[] = { { KS_LIT("peaks_provided"), KS_VAL_BOOL(0) } };
	struct ks_ev_spec spec = { .metric = metric, .subject = subject };
	struct ks_refuse_spec why = { .code = code };

	if (code == KS_REFUSAL_NO_WORKLOAD) {
		why.observed = seen;
		why.n_observed = 1;
	}
	return ks_ev_refuse(g->r.ev, &spec, &why);
}

static void section(struct given *g, struct ks_section_rows *s, enum ks_section id,
		    const ks_id *row, size_t n)
{
	ks_id *copy = KS_ARENA_NEWS(&g->run, ks_id, n);

	memcpy(copy, row, n * sizeof(*row));
	*s = (struct ks_section_rows){ .section = id,
				       .name = ks_str_c(ks_section_info(id)->name),
				       .prov = KS_PROV_UNAVAILABLE,
				       .row = copy,
				       .n = n };
	for (size_t i = 0; i < n; i++) {
		const struct ks_ev *ev = ks_ev_get(g->r.ev, row[i]);

		assert_non_null(ev);
		s->n_refused += ev->prov == KS_PROV_UNAVAILABLE;
		if (ks_prov_rank(ev->prov) < ks_prov_rank(s->prov))
			s->prov = ev->prov;
	}
}

static void configs(struct given *g, struct ks_kernel *k, size_t n)
{
	struct ks_config *c = KS_ARENA_NEWS(&g->run, struct ks_config, n);

	for (size_t i = 0; i < n; i++)
		c[i] = (struct ks_config){
			.key = ks_arena_fmt(&g->run, "grid%zux1x1_block256x1x1_smem49152", 64 + i),
			.grid = { 64 + (int64_t)i, 1, 1 },
			.block = { 256, 1, 1 },
			.regs = 96,
			.static_smem = KS_UNKNOWN,
			.dynamic_smem = 49152,
			.launches = k->launches / n,
			.total_ns = k->total_ns / (ks_ns)n,
			.min_ns = k->min_ns,
			.max_ns = k->max_ns,
			.mean_ns = k->mean_ns,
		};
	k->config = c;
	k->n_configs = n;
	k->mixed_config = n > 1;
}

void given_kernel(struct given *g, ks_str name, uint64_t launches, ks_ns total_ns, size_t n_configs)
{
	struct ks_kernel *k = &g->kernel[g->r.n_kernels++];
	struct ks_section_rows *s = KS_ARENA_NEWS(&g->run, struct ks_section_rows, 3);

	*k = (struct ks_kernel){ .name = name,
				 .base = name,
				 .n_names = 1,
				 .launches = launches,
				 .total_ns = total_ns,
				 .min_ns = total_ns / (ks_ns)launches,
				 .max_ns = total_ns / (ks_ns)launches,
				 .mean_ns = (double)total_ns / (double)launches,
				 .section = s,
				 .n_sections = 3 };
	configs(g, k, n_configs);
	const ks_id duration[] = {
		exact(g, KS_METRIC_GPU_TIME_DURATION_SUM, name,
		      KS_VAL_REAL((double)total_ns / 1e6)),
		exact(g, KS_METRIC_KS_LAUNCH_COUNT, name, KS_VAL_INT((int64_t)launches)),
		derived(g, KS_METRIC_KS_LAUNCH_TIME_P50, name, k->mean_ns / 1e6, 0.004),
	};
	const ks_id occupancy[] = {
		exact(g, KS_METRIC_KS_THEORETICAL_OCCUPANCY_PCT, name, KS_VAL_REAL(100.0 / 3.0)),
		exact(g, KS_METRIC_KS_OCCUPANCY_LIMITER, name,
		      KS_VAL_TEXT(KS_LIT("registers+shared_mem"))),
	};
	const ks_id light[] = {
		refused(g, KS_METRIC_EST_ACHIEVED_TFLOPS, name, KS_REFUSAL_NO_WORKLOAD),
		refused(g, KS_METRIC_SM_THROUGHPUT_AVG_PCT_OF_PEAK_SUSTAINED_ELAPSED, name,
			KS_REFUSAL_COUNTERS_DENIED),
	};

	section(g, &s[0], KS_SECTION_DURATION, duration, KS_ARRAY_LEN(duration));
	section(g, &s[1], KS_SECTION_OCCUPANCY, occupancy, KS_ARRAY_LEN(occupancy));
	section(g, &s[2], KS_SECTION_SPEEDOFLIGHT, light, KS_ARRAY_LEN(light));
	g->r.kernel_ns += total_ns;
	g->r.total_launches += launches;
}

void given_device_rows(struct given *g)
{
	struct ks_kernel *k = &g->kernel[g->r.n_kernels++];
	struct ks_section_rows *s = KS_ARENA_NEWS(&g->run, struct ks_section_rows, 1);
	const ks_id rows[] = {
		derived(g, KS_METRIC_KS_TRACE_SPAN_MS, KS_LIT(""), 6.3884, 0.0),
		refused(g, KS_METRIC_EST_SINGLE_DEVICE_KERNEL_SHARE_PCT, KS_LIT(""),
			KS_REFUSAL_MULTI_DEVICE_AGGREGATE),
	};

	*k = (struct ks_kernel){
		.name = KS_LIT("(device)"), .is_device = true, .section = s, .n_sections = 1
	};
	section(g, &s[0], KS_SECTION_DEVICESTATISTICS, rows, KS_ARRAY_LEN(rows));
}

void given_finished(struct given *g)
{
	struct ks_err err;

	ks_err_init(&err);
	g->r.matched_ns = g->r.kernel_ns;
	g->r.span_ns = g->r.kernel_ns * 2;
	for (size_t i = 0; i < g->r.n_kernels; i++) {
		g->r.total_kernels += !g->kernel[i].is_device;
		if (g->r.kernel_ns > 0)
			g->kernel[i].share_pct =
				100.0 * (double)g->kernel[i].total_ns / (double)g->r.kernel_ns;
	}
	assert_int_equal(ks_store_status(g->r.ev, &err), KS_OK);
	assert_int_equal(ks_verdicts_make(&g->ctx, &g->r, &err), KS_OK);
}

struct given *given_kernels(size_t n)
{
	struct given *g = given_report();

	for (size_t i = 0; i < n; i++)
		given_kernel(g, ks_arena_fmt(&g->run, "kernel_number_%zu", i), 6,
			     (ks_ns)(1000 * (n - i)), 1 + i % 2);
	given_device_rows(g);
	given_finished(g);
	return g;
}

void given_terminal(struct given *g, int cols, int rows)
{
	g->v.term.cols = cols;
	g->v.term.rows = rows;
}

void given_language(struct given *g, enum ks_lang lang)
{
	g->ctx.lang = (int)lang;
	g->v.lang = lang;
}

const char *rendered(struct given *g, const struct ks_render_ops *ops)
{
	struct ks_out out;
	struct ks_err err;

	ks_err_init(&err);
	ks_buf_reset(&g->text);
	ks_out_open_mem(&out, &g->text);
	assert_int_equal(ops->render(&g->ctx, &g->r, &g->v, &out, &err), KS_OK);
	assert_int_equal(ks_out_commit(&out, &err), KS_OK);
	return ks_buf_text(&g->text);
}

const char *rendered_screen(struct given *g)
{
	const struct ks_packet_spec spec = { .wall_s = 0.0, .report_path = KS_LIT("") };
	struct ks_packet *packet = NULL;
	struct ks_err err;

	ks_err_init(&err);
	assert_int_equal(ks_packet_make(&g->ctx, &g->r, &spec, &packet, &err), KS_OK);
	g->v.packet = packet;
	return rendered(g, &ks_render_screen);
}

const char *line_of(const char *text, size_t i, size_t *n)
{
	for (;; i--) {
		const char *end = strchr(text, '\n');

		if (end == NULL)
			return NULL;
		*n = (size_t)(end - text);
		if (i == 0)
			return text;
		text = end + 1;
	}
}

size_t lines_in(const char *text)
{
	size_t n = 0;

	for (; (text = strchr(text, '\n')) != NULL; text++)
		n++;
	return n;
}

void expect_no_line_wider(const char *text, size_t cols)
{
	while (*text != '\0') {
		const char *end = strchr(text, '\n');

		assert_non_null(end);
		size_t width = ks_utf8_columns((ks_str){ text, (size_t)(end - text) });

		if (width > cols)
			print_error("%zu columns: %.*s\n", width, (int)(end - text), text);
		assert_true(width <= cols);
		text = end + 1;
	}
}

void expect_no_control_bytes(const char *text, bool cr_allowed)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		assert_true(c >= 0x20 || c == '\n' || (cr_allowed && c == '\r'));
		assert_true(c != 0x7f);
	}
	assert_true(ks_utf8_valid(ks_str_c(text)));
}
