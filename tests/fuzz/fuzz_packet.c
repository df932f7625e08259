/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a report or as a packet: what comes out is JSON that tells its own size; of a report
 * it never exceeds the budget, explains every code it names, and keeps what ranks.
 */
#define KS_BASE_DOOR
#include <jansson.h>

#include "source/source.h"
#include "verdict/packet_read.h"
#include "input.h"

static void insist(bool good)
{
	if (!good)
		abort();
}

static bool listed(const json_t *list, const char *code)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), code) == 0)
			return true;
	return false;
}

static void insist_explained(const json_t *root, const json_t *code)
{
	const json_t *omitted = json_object_get(root, "refusals_omitted");
	const char *slug = json_string_value(code);

	if (!code)
		return;
	insist(slug != NULL);
	insist(json_object_get(json_object_get(root, "refusals"), slug) != NULL ||
	       listed(json_object_get(omitted, "codes"), slug));
}

static void insist_codes(const json_t *root)
{
	static const char *const lists[] = { "unmeasured", "next", "environment_refusals" };
	const json_t *list = json_object_get(root, "verdicts");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *refusal = json_object_get(json_array_get(list, i), "refusal");

		insist_explained(root, json_object_get(refusal, "code"));
	}
	for (size_t k = 0; k < KS_ARRAY_LEN(lists); k++) {
		list = json_object_get(root, lists[k]);
		for (size_t i = 0; i < json_array_size(list); i++)
			insist_explained(root, json_object_get(json_array_get(list, i), "code"));
	}
	list = json_object_get(json_object_get(root, "env"), "blocked_by");
	for (size_t i = 0; i < json_array_size(list); i++)
		insist_explained(root, json_array_get(list, i));
}

static void insist_ranking(const json_t *root)
{
	static const char *const keys[] = { "top", "top_ms", "share_pct" };
	const json_t *list = json_object_get(root, "verdicts");
	const json_t *first = json_array_get(list, 0);

	insist(strcmp(json_string_value(json_object_get(first, "id")), "kernel_time") == 0);
	if (strcmp(json_string_value(json_object_get(first, "status")), "refused") == 0)
		return;
	for (size_t i = 0; i < KS_ARRAY_LEN(keys); i++)
		insist(json_object_get(json_object_get(first, "facts"), keys[i]) != NULL);
}

/* The packet as it is written, parsed by somebody else. */
static json_t *written(const struct ks_ctx *ctx, const struct ks_packet *p, size_t flags,
		       bool *over)
{
	struct ks_buf b;
	struct ks_out out;
	json_error_t fault;

	ks_buf_init(&b, 64u << 20);
	ks_out_open_mem(&out, &b);
	ks_packet_write(ctx, p, &out);
	insist(ks_out_commit(&out, NULL) == KS_OK && !ks_buf_failed(&b));

	json_t *root = json_loadb(ks_buf_text(&b), b.n, flags | JSON_ALLOW_NUL, &fault);
	const json_t *cost = json_object_get(root, "cost");

	*over = json_is_true(json_object_get(cost, "over_budget"));
	insist(root != NULL);
	insist((size_t)json_integer_value(json_object_get(cost, "packet_bytes")) == b.n);
	insist(*over || b.n <= KS_PACKET_BYTES);
	ks_buf_release(&b);
	return root;
}

static void try_packet(const struct ks_ctx *ctx, ks_str text)
{
	struct ks_packet *p = NULL;
	struct ks_err err;
	bool over;

	ks_err_init(&err);
	if (ks_packet_parse(ctx, text, "input", &p, &err) == KS_OK)
		json_decref(written(ctx, p, 0, &over)); /* keys that were clipped may meet */
}

static void try_report(const struct ks_ctx *ctx, const char *path, bool asked)
{
	struct ks_report *report = NULL;
	struct ks_packet *p = NULL;
	struct ks_err err;
	bool over;

	ks_err_init(&err);
	if (ks_ksreport_read(ctx, path, &report, &err) != KS_OK)
		return;
	report->asked_cost = asked;
	if (ks_verdicts_make(ctx, report, &err) != KS_OK ||
	    ks_packet_make(ctx, report, &(struct ks_packet_spec){ .wall_s = 0.1 }, &p, &err) !=
		    KS_OK)
		return; /* no memory: there is a limit */
	json_t *root = written(ctx, p, JSON_REJECT_DUPLICATES, &over);

	insist(!over);
	insist_codes(root);
	insist_ranking(root);
	json_decref(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ks_arena run;
	const struct ks_ctx ctx = {
		.io = &ks_io_system, .clock = &ks_clock_system, .env = no_environment, .run = &run
	};
	const ks_str text = { (const char *)data, size };
	char path[INPUT_PATH];

	ks_arena_init(&run, (size_t)1 << 28);
	if (ks_packet_sniff(text)) {
		try_packet(&ctx, text);
	} else if (put(path, data, size)) {
		try_report(&ctx, path, size % 2 == 1);
		(void)unlink(path);
	}
	ks_arena_release(&run);
	return 0;
}
