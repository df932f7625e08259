/* SPDX-License-Identifier: Apache-2.0
 *
 * --redact of a document: what a string is by where it stands. The hash is that of sha256sum.
 */
#include "all.h"

#include "source/redact_json.h"

#define GEMM "161882838761" /* printf gemm | sha256sum */

struct work {
	struct ks_arena arena;
	struct ks_ctx ctx;
	json_t *doc;
};

static void given(struct work *w, enum ks_redact_mode mode, const char *text)
{
	*w = (struct work){ .doc = json_loads(text, JSON_DECODE_ANY, NULL) };
	assert_non_null(w->doc);
	ks_arena_init(&w->arena, 1 << 22);
	w->ctx.redact = mode != KS_REDACT_NO ? ks_redact_open(&w->arena, mode, NULL) : NULL;
}

/* The document then, and an end to it. */
static void expect_document(struct work *w, const char *want)
{
	assert_true(ks_redact_json(&w->ctx, w->doc));
	char *got = json_dumps(w->doc, JSON_COMPACT | JSON_ENCODE_ANY);

	assert_string_equal(got, want);
	free(got);
	json_decref(w->doc);
	ks_redact_close(w->ctx.redact);
	ks_arena_release(&w->arena);
}

static void without_redact_nothing_changes(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_NO, "{\"uuid\":\"GPU-1\",\"path\":\"/srv/a\"}");
	expect_document(&w, "{\"uuid\":\"GPU-1\",\"path\":\"/srv/a\"}");
}

static void paths_ids_and_messages_go(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_YES,
	      "{\"host\":{\"platform\":\"Linux-6.1-secret-x86_64\"},\"uuid\":\"GPU-1\","
	      "\"meta\":{\"nsys_sqlite\":\"acme.sqlite\",\"n\":5,\"window\":\"of acme.sqlite\"},"
	      "\"diagnostics\":[{\"text\":\"on node17\",\"count\":2}],"
	      "\"command\":\"kernoscope --ks-sqlite acme.sqlite -k gemm\"}");
	expect_document(&w, "{\"host\":{\"platform\":\"Linux\"},\"uuid\":\"\","
			    "\"meta\":{\"nsys_sqlite\":\"<path>.sqlite\",\"n\":5,"
			    "\"window\":\"of <path>.sqlite\"},"
			    "\"diagnostics\":[{\"text\":\"<message>\",\"count\":2}],"
			    "\"command\":\"kernoscope --ks-sqlite run.sqlite -k gemm\"}");
}

static void a_report_says_that_it_is_redacted(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_YES,
	      "{\"meta\":{\"redacted\":\"names\"},\"kernels\":[],\"diagnostics\":"
	      "[{\"text\":\"on <host>\"}]}");
	/* it was redacted more, and its messages already */
	expect_document(&w, "{\"meta\":{\"redacted\":\"names\"},\"kernels\":[],\"diagnostics\":"
			    "[{\"text\":\"on <host>\"}]}");
	given(&w, KS_REDACT_NAMES, "{\"meta\":{},\"kernels\":[]}");
	expect_document(&w, "{\"meta\":{\"redacted\":\"names\"},\"kernels\":[]}");
}

static void names_are_hashed_where_names_stand_and_in_sentences(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_NAMES,
	      "{\"note\":\"gemm is slow, gemmx is not\",\"name\":\"gemm-like\","
	      "\"kernels\":[{\"name\":\"gemm\",\"sections\":[{\"name\":\"Duration\"}]}],"
	      "\"before\":\"copy HtoD\",\"after\":\"gemm\",\"command\":\"x -k gemm --csv\","
	      "\"stack\":\"a\",\"calls\":[{\"name\":\"gemm\"}],"
	      "\"metrics\":[{\"name\":\"ks__nvtx_phase_3__gemm__kernel_ms\"},"
	      "{\"name\":\"ks__nccl_gemm_calls\"}]}");
	expect_document(&w,
			"{\"note\":\"kernel_" GEMM " is slow, gemmx is not\","
			"\"name\":\"kernel_" GEMM "-like\","
			"\"kernels\":[{\"name\":\"kernel_" GEMM "\",\"sections\":"
			"[{\"name\":\"Duration\"}]}],"
			"\"before\":\"copy HtoD\",\"after\":\"kernel_" GEMM "\","
			"\"command\":\"x -k NAME --csv\","
			"\"stack\":\"a\",\"calls\":[{\"name\":\"range_" GEMM "\"}],"
			"\"metrics\":[{\"name\":\"ks__nvtx_phase_3__range_" GEMM "__kernel_ms\"},"
			"{\"name\":\"ks__nccl_range_" GEMM "_calls\"}]}");
}

/* Which of the words of such a sentence is a name is not known. */
static void a_sentence_about_an_unknown_name_goes(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_NAMES,
	      "{\"steps\":{\"why\":\"train has 1 range\"},\"note\":\"no: train has 1 range\"}");
	expect_document(&w, "{\"steps\":{\"why\":\"<message>\"},\"note\":\"no: <message>\"}");
	given(&w, KS_REDACT_YES, "{\"steps\":{\"why\":\"train has 1 range\"}}");
	expect_document(&w, "{\"steps\":{\"why\":\"train has 1 range\"}}");
}

static void words_of_the_format_stay_whatever_a_range_is_called(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_NAMES,
	      "{\"calls\":[{\"name\":\"compute\"},{\"name\":\"exact\"}],"
	      "\"mix\":{\"compute\":7},\"provenance\":\"exact\"}");
	assert_true(ks_redact_json(&w.ctx, w.doc));
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(w.doc, "mix"), "compute")), 7);
	assert_string_equal(json_string_value(json_object_get(w.doc, "provenance")), "exact");
	json_decref(w.doc);
	ks_redact_close(w.ctx.redact);
	ks_arena_release(&w.arena);
}

static void a_choice_in_a_sentence_goes(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_NAMES,
	      "{\"next\":\"add -k 'regex:^ge mm' --csv to see it, or top-k x\"}");
	expect_document(&w, "{\"next\":\"add -k NAME --csv to see it, or top-k x\"}");
	given(&w, KS_REDACT_YES, "{\"next\":\"add -k gemm to see it\"}");
	expect_document(&w, "{\"next\":\"add -k gemm to see it\"}");
}

static void stacks_lose_their_modules(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_YES,
	      "{\"call_sites\":[{\"frame\":\"f(int) (libacme.so.3)\",\"stack\":"
	      "\"[acme];main;f(int)\"}],"
	      "\"row\":{\"name\":\"ks__call_site\",\"value\":\"f(int) (libacme.so)\"}}");
	expect_document(&w,
			"{\"call_sites\":[{\"frame\":\"f(int) (<path>.so)\",\"stack\":"
			"\"[<path>];main;f(int)\"}],"
			"\"row\":{\"name\":\"ks__call_site\",\"value\":\"f(int) (<path>.so)\"}}");
}

static void a_key_that_came_from_a_trace_goes_too(void **state)
{
	struct work w;

	(void)state;
	given(&w, KS_REDACT_YES, "{\"a\":1,\"/srv/acme/x.py\":{\"b\":2}}");
	expect_document(&w, "{\"a\":1,\"<path>.py\":{\"b\":2}}");
}

static void a_document_too_deep_to_walk_is_not_read(void **state)
{
	char text[401];
	struct work w;

	(void)state;
	memset(text, '[', 200);
	memset(text + 200, ']', 200);
	text[400] = '\0';
	given(&w, KS_REDACT_YES, text);
	assert_false(ks_redact_json(&w.ctx, w.doc));
	json_decref(w.doc);
	ks_redact_close(w.ctx.redact);
	ks_arena_release(&w.arena);
}

int test_redact_json(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_redact_nothing_changes),
		cmocka_unit_test(paths_ids_and_messages_go),
		cmocka_unit_test(a_report_says_that_it_is_redacted),
		cmocka_unit_test(names_are_hashed_where_names_stand_and_in_sentences),
		cmocka_unit_test(a_sentence_about_an_unknown_name_goes),
		cmocka_unit_test(words_of_the_format_stay_whatever_a_range_is_called),
		cmocka_unit_test(a_choice_in_a_sentence_goes),
		cmocka_unit_test(stacks_lose_their_modules),
		cmocka_unit_test(a_key_that_came_from_a_trace_goes_too),
		cmocka_unit_test(a_document_too_deep_to_walk_is_not_read),
	};

	return cmocka_run_group_tests_name("redact_json", tests, NULL, NULL);
}
