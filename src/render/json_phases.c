/* SPDX-License-Identifier: Apache-2.0
 *
 * meta.nvtx_phases: the phases with most kernel time under the keys of the original, in
 * milliseconds (contract 03 §4). The timeline object has all of them, exact.
 */
#include "evidence/ratio.h"
#include "render/json.h"

#define PHASES_SHOWN 8 /* contract 06 §13 */

static void ms(struct ks_json *j, const char *key, double ns)
{
	ks_jsonw_kv_double(&j->w, key, ns < 0.0 ? 0.0 : ns / KS_NS_PER_MS);
}

static void phase(struct ks_json *j, const struct ks_phase *p)
{
	const double share = ks_share_pct(p->kernel_ns, j->r->kernel_ns);

	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "name", p->name);
	ks_jsonw_kv_i64(&j->w, "depth", p->depth);
	ms(j, "kernel_ms", (double)p->kernel_ns);
	ks_jsonw_kv_double(&j->w, "share_pct", share < 0.0 ? 0.0 : share);
	ks_jsonw_key(&j->w, "kernels");
	ks_jsonw_u64(&j->w, p->kernels);
	ms(j, "own_ms", (double)p->own_ns);
	ks_jsonw_key(&j->w, "instances");
	ks_jsonw_u64(&j->w, p->instances);
	ms(j, "mean_ms", ks_mean_ns(p->wall_ns, p->instances));
	ms(j, "max_ms", (double)p->max_ns);
	ks_jsonw_obj_end(&j->w);
}

void ks_json_phases(struct ks_json *j)
{
	const struct ks_timeline *t = j->r->timeline;

	if (t == NULL || t->ranges == 0)
		return;
	const size_t shown = t->n_phases < PHASES_SHOWN ? t->n_phases : PHASES_SHOWN;
	const struct ks_msg basis = { .id = t->by_overlap ? KS_TEXT_R_J_PHASES_OVERLAP
							  : KS_TEXT_R_J_PHASES_PROJECTION };

	ks_jsonw_key(&j->w, "nvtx_phases");
	ks_jsonw_obj(&j->w);
	ms(j, "attributed_ms", (double)t->attributed_ns);
	ms(j, "unattributed_ms", (double)t->unattributed_ns);
	ks_jsonw_kv_i64(&j->w, "count", (int64_t)shown);
	ks_jsonw_kv_i64(&j->w, "omitted",
			(int64_t)(t->phases_with_time > shown ? t->phases_with_time - shown : 0));
	ks_json_msg(j, "basis", &basis);
	ks_jsonw_kv_cstr(&j->w, "reason", "");
	ks_jsonw_key(&j->w, "phases");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < shown; i++)
		phase(j, &t->phase[i]);
	ks_jsonw_arr_end(&j->w);
	ks_jsonw_obj_end(&j->w);
}
