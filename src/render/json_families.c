/* SPDX-License-Identifier: Apache-2.0
 *
 * "families": the rows ks__family_* of the device once more, most time first, for readers that want
 * a list. Absent where the report has no such rows.
 */
#include "evidence/families.h"
#include "render/json.h"

static void family(struct ks_json *j, const struct ks_family_line *f)
{
	ks_jsonw_obj(&j->w);
	ks_jsonw_kv_str(&j->w, "family", f->slug);
	ks_jsonw_kv_cstr(&j->w, "by", "name");
	ks_jsonw_kv_double(&j->w, "kernel_ms", f->kernel_ms);
	ks_jsonw_kv_double(&j->w, "share_pct", f->share_pct);
	ks_jsonw_key(&j->w, "launches");
	ks_jsonw_u64(&j->w, f->launches);
	ks_jsonw_key(&j->w, "kernels");
	ks_jsonw_u64(&j->w, f->kernels);
	ks_jsonw_obj_end(&j->w);
}

void ks_json_families(struct ks_json *j)
{
	struct ks_family_line line[KS_FAMILIES_MOST];
	const size_t n = ks_report_families(j->r, line);

	if (n == 0)
		return;
	ks_jsonw_key(&j->w, "families");
	ks_jsonw_arr(&j->w);
	for (size_t i = 0; i < n; i++)
		family(j, &line[i]);
	ks_jsonw_arr_end(&j->w);
}
