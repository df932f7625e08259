/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of the machine itself: host, hardware, driver policy, rights of the process.
 */
#include "base/str.h"
#include "verdict/diagnosis_internal.h"

enum { MOST_NAMES = 4 };

static void host_checks(struct ks_desk *k)
{
	const struct ks_host *h = k->h;

	ks_desk_check(k, &(struct ks_checkup){ KS_CHECKS_HOST, KS_CHECK_OK, "platform",
					       KS_DESK_WORD(k, KS_TEXT_CHECK_PLATFORM),
					       KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, h->platform),
					       KS_DESK_WORD(k, KS_TEXT_NONE) });
	if (h->container.n > 0)
		ks_desk_check(
			k, &(struct ks_checkup){ KS_CHECKS_HOST, KS_CHECK_OK, "container",
						 KS_DESK_WORD(k, KS_TEXT_CHECK_CONTAINER),
						 KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, h->container),
						 KS_DESK_WORD(k, KS_TEXT_IMPACT_CONTAINER) });
}

/* "NVIDIA L4 x 2 + NVIDIA T4": the names in their order, each with how often it follows itself. */
static ks_str gpu_names(const struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	size_t shown = 0, i = 0;
	struct ks_buf b;
	ks_str names;

	ks_buf_init(&b, (size_t)64 * 1024);
	while (i < h->n_gpus && shown < MOST_NAMES) {
		const ks_str name = h->gpu[i].name;
		const size_t from = i;

		while (i < h->n_gpus && ks_str_eq(h->gpu[i].name, name))
			i++;
		ks_buf_cstr(&b, shown++ > 0 ? " + " : "");
		ks_buf_str(&b, name.n > 0 ? name : KS_LIT("NVIDIA GPU"));
		if (i - from > 1)
			ks_buf_fmt(&b, " x %zu", i - from);
	}
	if (i < h->n_gpus)
		ks_buf_cstr(&b, " + ...");
	names = ks_buf_keep(&b, k->a);
	ks_buf_release(&b);
	return names;
}

/* "sm_89, 24564 MiB" of the first device, as far as they are known. */
static ks_str gpu_facts(const struct ks_desk *k)
{
	const struct ks_host_gpu *g = &k->h->gpu[0];
	const ks_str cc = g->cc_major > 0
				  ? ks_arena_fmt(k->a, ", sm_%d%d", g->cc_major, g->cc_minor)
				  : ks_str_c("");

	if (g->memory_mib == KS_UNKNOWN)
		return cc;
	return ks_arena_fmt(k->a, "%.*s, %lld MiB", (int)cc.n, cc.p, (long long)g->memory_mib);
}

static struct ks_msg gpu_detail(const struct ks_desk *k)
{
	const ks_str names = gpu_names(k), facts = gpu_facts(k);

	if (k->h->driver.n > 0)
		return KS_DESK_SAY(k, KS_TEXT_DETAIL_GPU, names, k->h->driver, facts);
	return KS_DESK_SAY(k, KS_TEXT_DETAIL_GPU_NO_DRIVER, names, facts);
}

static void gpu_check(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	struct ks_checkup c = { KS_CHECKS_HARDWARE,
				KS_CHECK_OK,
				"gpu",
				KS_DESK_WORD(k, KS_TEXT_CHECK_GPU),
				KS_DESK_WORD(k, KS_TEXT_NONE),
				KS_DESK_WORD(k, KS_TEXT_NONE) };

	if (h->has_gpu == KS_KNOWN_YES && h->n_gpus > 0) {
		c.detail = gpu_detail(k);
	} else if (h->has_gpu == KS_KNOWN_NO) {
		c.state = KS_CHECK_FAIL;
		c.detail = KS_DESK_WORD(k, KS_TEXT_DETAIL_NO_GPU);
		c.impact = KS_DESK_WORD(k, KS_TEXT_IMPACT_NO_GPU);
	} else {
		c.state = KS_CHECK_WARN;
		c.detail = KS_DESK_WORD(k, KS_TEXT_DETAIL_GPU_UNREAD);
		c.impact = KS_DESK_WORD(k, KS_TEXT_IMPACT_GPU_UNREAD);
	}
	ks_desk_check(k, &c);
}

static void nvml_check(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	struct ks_checkup c = { KS_CHECKS_HARDWARE,
				KS_CHECK_WARN,
				"nvml",
				KS_DESK_WORD(k, KS_TEXT_CHECK_NVML),
				KS_DESK_WORD(k, KS_TEXT_DETAIL_NO_NVML),
				KS_DESK_WORD(k, KS_TEXT_IMPACT_NO_NVML) };

	for (size_t i = 0; i < h->n_nvml; i++) {
		const struct ks_library *l = &h->nvml[i];

		if (l->loads == KS_KNOWN_YES) {
			c.state = KS_CHECK_OK;
			c.detail = KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, l->path);
			c.impact = KS_DESK_WORD(k, KS_TEXT_NONE);
			break;
		}
		if (l->why.n > 0 && c.detail.n == 0)
			c.detail = KS_DESK_SAY(k, KS_TEXT_DETAIL_NVML_FAILS, l->path, l->why);
	}
	ks_desk_check(k, &c);
}

/* Only where there is more than one GPU to link. */
static void nvlink_check(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	int64_t links = 0, linked = 0, known = 0;

	for (size_t i = 0; i < h->n_gpus; i++) {
		if (h->gpu[i].nvlinks == KS_UNKNOWN)
			continue;
		known++;
		linked += h->gpu[i].nvlinks > 0;
		links += h->gpu[i].nvlinks;
	}
	if (h->n_gpus < 2)
		return;
	ks_desk_check(
		k, &(struct ks_checkup){
			   KS_CHECKS_HARDWARE, known > 0 ? KS_CHECK_OK : KS_CHECK_WARN, "nvlink",
			   KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, KS_LIT("NVLink")),
			   known > 0 ? KS_DESK_SAY(k, KS_TEXT_DETAIL_NVLINK, ks_desk_i64(k, linked),
						   ks_desk_i64(k, known), ks_desk_i64(k, links))
				     : KS_DESK_WORD(k, KS_TEXT_DETAIL_NVLINK_UNREAD),
			   KS_DESK_WORD(k, KS_TEXT_NONE) });
}

static void policy_check(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	struct ks_checkup c = { KS_CHECKS_POLICY,
				KS_CHECK_WARN,
				"driver_policy",
				KS_DESK_WORD(k, KS_TEXT_CHECK_POLICY),
				KS_DESK_SAY(k, KS_TEXT_DETAIL_POLICY_UNREAD, h->params_path),
				KS_DESK_WORD(k, KS_TEXT_IMPACT_POLICY_UNREAD) };

	if (h->admin_only == KS_KNOWN_NO) {
		c.state = KS_CHECK_OK;
		c.detail = KS_DESK_WORD(k, KS_TEXT_DETAIL_POLICY_OPEN);
		c.impact = KS_DESK_WORD(k, KS_TEXT_NONE);
	} else if (h->admin_only == KS_KNOWN_YES) {
		c.state = k->cap_now ? KS_CHECK_OK : KS_CHECK_WARN;
		c.detail = KS_DESK_WORD(k, KS_TEXT_DETAIL_POLICY_LOCKED);
		c.impact = KS_DESK_WORD(k, k->cap_now ? KS_TEXT_IMPACT_POLICY_OVERRIDDEN
						      : KS_TEXT_IMPACT_POLICY_LOCKED);
	}
	ks_desk_check(k, &c);
}

/* One capability is enough, and none is needed where the policy is open. */
static void capability_check(struct ks_desk *k, const char *id, enum ks_text name, unsigned cap)
{
	const struct ks_host *h = k->h;
	const bool needed = h->admin_only != KS_KNOWN_NO && !k->cap_now;
	struct ks_checkup c = { KS_CHECKS_PERMISSIONS,
				KS_CHECK_OK,
				id,
				KS_DESK_WORD(k, name),
				KS_DESK_WORD(k, KS_TEXT_DETAIL_CAP_EFFECTIVE),
				KS_DESK_WORD(k, KS_TEXT_NONE) };

	if (!h->caps_read) {
		c.state = KS_CHECK_WARN;
		c.detail = KS_DESK_SAY(k, KS_TEXT_DETAIL_CAP_UNREAD, h->status_path);
	} else if (!ks_cap_has(h->cap_eff, cap)) {
		const bool bounds = ks_cap_has(h->cap_bnd, cap);

		c.detail = KS_DESK_WORD(k, bounds ? KS_TEXT_DETAIL_CAP_BOUNDS
						  : KS_TEXT_DETAIL_CAP_NOWHERE);
		if (needed) {
			c.state = bounds ? KS_CHECK_WARN : KS_CHECK_FAIL;
			c.impact = KS_DESK_WORD(k, bounds ? KS_TEXT_IMPACT_CAP_BOUNDS
							  : KS_TEXT_IMPACT_CAP_NOWHERE);
		}
	}
	ks_desk_check(k, &c);
}

static void permission_checks(struct ks_desk *k)
{
	ks_desk_check(k, &(struct ks_checkup){ KS_CHECKS_PERMISSIONS, KS_CHECK_OK, "user",
					       KS_DESK_WORD(k, KS_TEXT_CHECK_USER),
					       KS_DESK_SAY(k,
							   k->h->uid == 0 ? KS_TEXT_DETAIL_ROOT
									  : KS_TEXT_DETAIL_USER,
							   ks_desk_i64(k, k->h->uid)),
					       KS_DESK_WORD(k, KS_TEXT_NONE) });
	capability_check(k, "cap_sys_admin", KS_TEXT_CHECK_CAP_SYS_ADMIN, KS_CAP_SYS_ADMIN);
	capability_check(k, "cap_perfmon", KS_TEXT_CHECK_CAP_PERFMON, KS_CAP_PERFMON);
}

void ks_desk_checks(struct ks_desk *k)
{
	host_checks(k);
	gpu_check(k);
	nvml_check(k);
	nvlink_check(k);
	policy_check(k);
	permission_checks(k);
}
