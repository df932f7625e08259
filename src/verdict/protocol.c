/* SPDX-License-Identifier: Apache-2.0
 *
 * Protocol identity (contract 02 §7): a hash over what two runs must share to be comparable. Times,
 * hosts and paths are not in it.
 */
#include <nettle/sha2.h>

#include "base/arena.h"
#include "base/jsonw.h"
#include "base/str.h"
#include "verdict/environment.h"
#include "verdict/verdict_internal.h"

#define HASH_CHARS 16 /* of the hexadecimal digest */

/* All used devices, by label; equal names once, so that 8 cards of one kind read as one kind. */
static void device_names(const struct ks_report *r, struct ks_buf *b)
{
	for (size_t i = 0; i < r->n_gpus_used; i++) {
		bool seen = false;

		for (size_t j = 0; j < i; j++)
			seen = seen || ks_str_eq(r->gpu[i].name, r->gpu[j].name);
		if (seen)
			continue;
		ks_buf_cstr(b, b->n > 0 ? "," : "");
		ks_buf_str(b, r->gpu[i].name);
	}
}

static void capabilities(const struct ks_report *r, struct ks_buf *b)
{
	for (size_t i = 0; i < r->n_gpus_used; i++) {
		const struct ks_gpu *g = &r->gpu[i];
		bool seen = g->cc_major < 0;

		for (size_t j = 0; j < i; j++)
			seen = seen || (g->cc_major == r->gpu[j].cc_major &&
					g->cc_minor == r->gpu[j].cc_minor);
		if (seen)
			continue;
		ks_buf_cstr(b, b->n > 0 ? "," : "");
		ks_buf_fmt(b, "%d.%d", g->cc_major, g->cc_minor);
	}
}

static void identity(const struct ks_decide *d, struct ks_jsonw *w, struct ks_buf *scratch)
{
	static const struct ks_carried nothing;
	const struct ks_report *r = d->report;
	const struct ks_carried *c = r->carried ? r->carried : &nothing;

	ks_jsonw_obj(w); /* keys in byte order */
	ks_jsonw_kv_known(w, "calibration", c->calibration);
	/* only the word: a clock that was read differs in every run */
	ks_jsonw_kv_str(w, "clock_lock", ks_clock_lock(r));
	capabilities(r, scratch);
	ks_jsonw_kv_known(w, "compute_capability", ks_buf_view(scratch));
	ks_jsonw_kv_known(w, "degraded", r->degraded);
	ks_buf_reset(scratch);
	device_names(r, scratch);
	ks_jsonw_kv_known(w, "device", ks_buf_view(scratch));
	ks_jsonw_kv_str(w, "dtype", r->dtype);
	ks_jsonw_kv_str(w, "kernel", r->kernel_filter);
	ks_jsonw_kv_str(w, "ledger_basis", r->ledger_basis);
	ks_jsonw_key(w, "packet_schema");
	ks_jsonw_arr(w);
	ks_jsonw_i64(w, 1);
	ks_jsonw_cstr(w, "1.4");
	ks_jsonw_arr_end(w);
	ks_jsonw_kv_str(w, "peaks", c->peaks.n > 0 ? c->peaks : KS_LIT("none"));
	ks_jsonw_kv_i64(w, "report_schema", 1);
	ks_jsonw_kv_bool(w, "synthetic", r->synthetic);
	ks_jsonw_kv_str(w, "tool_version", r->tool_version);
	ks_jsonw_kv_double(w, "warmup_s", r->warmup_s);
	ks_jsonw_kv_str(w, "window_mode", r->window_mode);
	ks_jsonw_kv_double(w, "window_s", r->window_s);
	if (r->within.n > 0) /* only then, so that whole traces keep the identity they had */
		ks_jsonw_kv_str(w, "within", r->within);
	ks_jsonw_obj_end(w);
}

ks_str ks_protocol_hash(const struct ks_decide *d)
{
	struct ks_buf json, scratch;
	struct ks_out out;
	struct ks_jsonw w;
	ks_str hash = KS_STR_NONE;

	ks_buf_init(&json, 16u << 20);
	ks_buf_init(&scratch, 8u << 20);
	ks_out_open_mem(&out, &json);
	ks_jsonw_init(&w, &out, 0);
	identity(d, &w, &scratch);
	bool ok = ks_out_commit(&out, NULL) == KS_OK && !ks_buf_failed(&json) &&
		  !ks_buf_failed(&scratch);

	if (ok) {
		struct sha256_ctx sha;
		uint8_t digest[SHA256_DIGEST_SIZE];
		char hex[HASH_CHARS];

		sha256_init(&sha);
		sha256_update(&sha, json.n, (const uint8_t *)json.p);
		sha256_digest(&sha, sizeof(digest), digest);
		for (size_t i = 0; i < HASH_CHARS; i++)
			hex[i] =
				"0123456789abcdef"[i % 2 ? digest[i / 2] & 15 : digest[i / 2] >> 4];
		hash = ks_arena_fmt(d->arena, "sha256:%.*s", HASH_CHARS, hex);
	}
	ks_buf_release(&json);
	ks_buf_release(&scratch);
	return hash;
}
