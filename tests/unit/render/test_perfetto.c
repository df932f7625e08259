/* SPDX-License-Identifier: Apache-2.0
 *
 * Both forms of the timeline from a log made by hand. What Perfetto's own classes read in it is
 * judged by tests/known/perfetto.t; here are the edges: no log, hostile names, a name larger than a
 * block, the note of a cut, a full disk.
 */
#include "all.h"

#include <errno.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/zpack.h"
#include "render/render.h"

struct made {
	struct given *g;
	struct ks_timeline timeline;
	struct ks_slice_log log;
	struct ks_lane lane[2];
	struct ks_slice slice[64];
	size_t n, at;
};

static enum ks_status rewind_made(void *self, struct ks_err *err)
{
	struct made *m = self;

	(void)err;
	m->at = 0;
	return KS_OK;
}

static enum ks_status next_made(void *self, struct ks_slice *s, bool *got, struct ks_err *err)
{
	struct made *m = self;

	(void)err;
	*got = m->at < m->n;
	if (*got)
		*s = m->slice[m->at++];
	return KS_OK;
}

static void given_slices(struct made *m)
{
	*m = (struct made){ .g = given_report() };
	m->lane[0] = (struct ks_lane){ .kind = KS_LANE_STREAM,
				       .pid = 42,
				       .tid = KS_UNKNOWN,
				       .stream = 7,
				       .process_name = KS_LIT("GPU 0: A100"),
				       .name = KS_LIT("stream 7") };
	m->lane[1] = (struct ks_lane){ .kind = KS_LANE_API,
				       .gpu = SIZE_MAX,
				       .pid = 0, /* the number of the device, too */
				       .tid = 43,
				       .stream = KS_UNKNOWN,
				       .process_name = KS_LIT("train"),
				       .name = KS_LIT("CUDA API, main") };
	m->log = (struct ks_slice_log){ .self = m,
					.lane = m->lane,
					.n_lanes = 2,
					.n_names = 64,
					.first_ns = 1000,
					.rewind = rewind_made,
					.next = next_made };
	m->timeline.slices = &m->log;
	m->g->r.timeline = &m->timeline;
}

static struct ks_slice *given_slice(struct made *m, uint32_t lane, ks_str name, ks_ns start,
				    ks_ns end)
{
	struct ks_slice *s = &m->slice[m->n++];

	*s = (struct ks_slice){ .lane = lane,
				.name_id = (uint32_t)m->n,
				.name = name,
				.start_ns = start,
				.end_ns = end,
				.bytes = KS_UNKNOWN };
	m->log.slices++;
	return s;
}

static void released(struct made *m)
{
	given_released(m->g);
}

static size_t times_in(ks_str text, const char *part)
{
	const size_t n = strlen(part);
	size_t times = 0;

	for (size_t i = 0; i + n <= text.n; i++)
		times += memcmp(text.p + i, part, n) == 0;
	return times;
}

/* --- a reader of the outermost layer -------------------------------------------------------------
 */

static uint64_t varint(ks_str s, size_t *at)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		assert_true(*at < s.n && shift < 64);
		const unsigned char c = (unsigned char)s.p[(*at)++];

		v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80)
			return v;
	}
}

/* Every packet of the file, inflated where it was deflated, one behind the other. */
static ks_str unpacked(struct made *m, ks_str file)
{
	struct ks_buf b;
	static unsigned char plain[KS_ZPACK_BLOCK];

	ks_buf_init(&b, 1u << 26);
	for (size_t at = 0; at < file.n;) {
		assert_int_equal(varint(file, &at), 1 << 3 | 2);
		const size_t n = (size_t)varint(file, &at), end = at + n;

		assert_true(end <= file.n);
		if ((unsigned char)file.p[at] == 0x92 && file.p[at + 1] == 0x03) { /* 50 << 3 | 2 */
			uLongf room = sizeof(plain);

			at += 2;
			const size_t deflated = (size_t)varint(file, &at);

			assert_int_equal(at + deflated, end);
			assert_int_equal(uncompress(plain, &room, (const Bytef *)file.p + at,
						    (uLong)deflated),
					 Z_OK);
			ks_buf_add(&b, plain, room);
		} else {
			ks_buf_add(&b, file.p + at, n);
		}
		at = end;
	}
	const ks_str text = ks_buf_keep(&b, &m->g->run);

	ks_buf_release(&b);
	return text;
}

static ks_str traced(struct made *m)
{
	(void)rendered(m->g, &ks_render_perfetto);
	return unpacked(m, ks_buf_view(&m->g->text));
}

/* --- both forms ----------------------------------------------------------------------------------
 */

static void without_slices_the_input_is_to_blame(void **state)
{
	struct given *g = given_report();
	const struct ks_render_ops *const form[] = { &ks_render_perfetto,
						     &ks_render_perfetto_json };
	struct ks_out out;

	(void)state;
	for (size_t i = 0; i < KS_ARRAY_LEN(form); i++) {
		struct ks_err err;

		ks_err_init(&err);
		ks_out_open_null(&out);
		assert_int_equal(form[i]->render(&g->ctx, &g->r, &g->v, &out, &err), KS_E_INPUT);
		assert_int_equal(err.text, KS_TEXT_ERR_RENDER_SLICES);
		assert_int_equal(out.total, 0);
		ks_out_abandon(&out);
	}
	given_released(g);
}

static void a_kernel_has_the_keys_of_the_original(void **state)
{
	struct made m;
	const struct ks_config config = { .key = KS_LIT("grid2x1x1_block32x1x1_smem0"),
					  .grid = { 2, 1, 1 },
					  .block = { 32, 1, 1 },
					  .regs = 16,
					  .static_smem = KS_UNKNOWN,
					  .dynamic_smem = 0 };

	(void)state;
	given_slices(&m);
	given_slice(&m, 0, KS_LIT("k"), 2234, 2235)->config = &config;
	m.slice[0].flow = 9;
	given_slice(&m, 1, KS_LIT("cudaLaunchKernel"), 1000, 1001)->flow = 9;
	m.slice[1].flow_starts = true;
	const char *text = rendered(m.g, &ks_render_perfetto_json);

	/* A process of the trace has pid 0, so the device gets a number no process can have. */
	assert_non_null(strstr(
		text, "{\"ph\":\"X\",\"name\":\"k\",\"cat\":\"kernel\",\"ts\":1.234,\"dur\":0.001,"
		      "\"pid\":1073741824,\"tid\":7,\"args\":{\"grid\":[2,1,1],\"block\":[32,1,1],"
		      "\"config\":\"grid2x1x1_block32x1x1_smem0\",\"registers_per_thread\":16,"
		      "\"dynamic_smem_bytes\":0,\"cuda_graph\":false,\"provenance\":\"exact\","
		      "\"source\":\"CUPTI activity (nsys sqlite)\"}}"));
	assert_non_null(strstr(text, "{\"ph\":\"s\",\"name\":\"launch\",\"cat\":\"flow\",\"id\":"
				     "\"9\",\"ts\":0,\"pid\":0,"));
	assert_non_null(strstr(text, "{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"launch\",\"cat\":"
				     "\"flow\",\"id\":\"9\",\"ts\":1.234,"));
	assert_non_null(strstr(text, "\"time_base_offset_ns\":1000,"));
	m.lane[1].pid = 44;
	assert_non_null(strstr(rendered(m.g, &ks_render_perfetto_json), "\"pid\":0,\"tid\":7,"));
	released(&m);
}

static void hostile_names_stay_names(void **state)
{
	struct made m;

	(void)state;
	given_slices(&m);
	for (size_t i = 0; i < n_hostile_names; i++)
		given_slice(&m, 0, hostile_names[i], 1000 + (ks_ns)i, 1001 + (ks_ns)i);
	m.lane[0].process_name = m.lane[0].name = hostile_names[0];
	expect_no_control_bytes(rendered(m.g, &ks_render_perfetto_json), false);
	const ks_str plain = traced(&m);

	assert_int_equal(times_in(plain, "\033["), 0);
	assert_int_equal(times_in(plain, "bad\\xFF\\xFE\\xC0\\x80"), 1);
	released(&m);
}

static void a_name_larger_than_a_block_is_whole(void **state)
{
	struct made m;
	const size_t n = KS_ZPACK_BLOCK + 5000;
	char *name = ks_mem_alloc(n);

	(void)state;
	assert_non_null(name);
	memset(name, 'N', n);
	given_slices(&m);
	given_slice(&m, 0, KS_LIT("before"), 1000, 1010);
	given_slice(&m, 0, (ks_str){ name, n }, 1010, 1020);
	given_slice(&m, 0, KS_LIT("behind"), 1020, 1030);
	const ks_str plain = traced(&m);

	assert_int_equal(times_in(plain, "before"), 1);
	assert_int_equal(times_in(plain, "behind"), 1);
	assert_in_range(times_in(plain, "NNNNNNNN"), n - 7, n - 7);
	ks_mem_free(name);
	released(&m);
}

static void what_was_left_out_is_said_in_the_file(void **state)
{
	struct made m;

	(void)state;
	given_slices(&m);
	given_slice(&m, 0, KS_LIT("k"), 1000, 1010);
	assert_int_equal(times_in(traced(&m), "left out"), 0);
	m.log.left_out = 12345;
	m.log.cut_ns = 1010;
	assert_int_equal(times_in(traced(&m), "left out: 12345 slices"), 1);
	const char *text = rendered(m.g, &ks_render_perfetto_json);

	assert_non_null(strstr(text, "\"left_out_slices\":12345,\"cut_ns\":1010,"));
	released(&m);
}

static void a_trace_from_before_the_clock_starts_at_zero(void **state)
{
	struct made m;

	(void)state;
	given_slices(&m);
	m.log.first_ns = -500;
	given_slice(&m, 0, KS_LIT("k"), -500, 10);
	const ks_str plain = traced(&m);

	/* clock 64 and boot time, both at 0: {1: 64, 2: 0, 3: 1} and {1: 6, 2: 0} */
	assert_int_equal(times_in(plain, "\x0a\x06\x08\x40\x10"), 1);
	assert_int_equal(times_in(plain, "\x0a\x04\x08\x06\x10"), 1);
	assert_int_equal(times_in(plain, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 0);
	released(&m);
}

static ssize_t no_write(int fd, const void *p, size_t n)
{
	(void)fd;
	(void)p;
	(void)n;
	errno = ENOSPC;
	return -1;
}

/* A log without an end: only a look at the output stops it. */
static enum ks_status next_forever(void *self, struct ks_slice *s, bool *got, struct ks_err *err)
{
	struct made *m = self;

	(void)err;
	*got = true;
	*s = m->slice[0];
	s->start_ns = s->end_ns = 1000 + (ks_ns)m->at++;
	return KS_OK;
}

static void a_full_disk_ends_the_work(void **state)
{
	const struct ks_render_ops *const form[] = { &ks_render_perfetto,
						     &ks_render_perfetto_json };
	struct ks_io io = ks_io_system;
	struct made m;

	(void)state;
	io.sys_write = no_write;
	given_slices(&m);
	given_slice(&m, 0, KS_LIT("k"), 1000, 1010);
	m.log.next = next_forever;
	for (size_t i = 0; i < KS_ARRAY_LEN(form); i++) {
		struct ks_out out;
		struct ks_err err;

		ks_err_init(&err);
		ks_out_open_fd(&out, &io, 1);
		assert_int_equal(form[i]->render(&m.g->ctx, &m.g->r, &m.g->v, &out, &err), KS_OK);
		assert_int_equal(ks_out_commit(&out, &err), KS_E_OUTPUT);
	}
	released(&m);
}

int test_perfetto(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_slices_the_input_is_to_blame),
		cmocka_unit_test(a_kernel_has_the_keys_of_the_original),
		cmocka_unit_test(hostile_names_stay_names),
		cmocka_unit_test(a_name_larger_than_a_block_is_whole),
		cmocka_unit_test(what_was_left_out_is_said_in_the_file),
		cmocka_unit_test(a_trace_from_before_the_clock_starts_at_zero),
		cmocka_unit_test(a_full_disk_ends_the_work),
	};

	return cmocka_run_group_tests_name("perfetto", tests, NULL, NULL);
}
