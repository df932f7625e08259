/* SPDX-License-Identifier: Apache-2.0
 *
 * The checks of what is installed: tools, optional libraries, injection slots; and the counters.
 */
#include "base/str.h"
#include "verdict/diagnosis_internal.h"

/* CPU samples of nsys need perf events of one's own processes: 2 allows them, 3 (a distribution's
 * patch) and more do not. */
enum { PARANOID_MOST = 2 };

static const struct {
	enum ks_host_tool tool;
	const char *id;
	enum ks_text gives; /* what it is good for */
	enum ks_check_state missing;
} tools[] = {
	{ KS_TOOL_NSYS, "nsys", KS_TEXT_IMPACT_NSYS, KS_CHECK_FAIL },
	{ KS_TOOL_CUOBJDUMP, "cuobjdump", KS_TEXT_IMPACT_CUOBJDUMP, KS_CHECK_WARN },
	{ KS_TOOL_NVDISASM, "nvdisasm", KS_TEXT_IMPACT_NVDISASM, KS_CHECK_WARN },
	{ KS_TOOL_NVIDIA_SMI, "nvidia-smi", KS_TEXT_IMPACT_NVIDIA_SMI, KS_CHECK_WARN },
};

static void tool_check(struct ks_desk *k, size_t i)
{
	const struct ks_tool_place *t = &k->h->tool[tools[i].tool];
	const bool found = t->path.n > 0;
	struct ks_msg detail;

	if (!found)
		detail = KS_DESK_SAY(k, KS_TEXT_DETAIL_TOOL_NOWHERE,
				     ks_desk_i64(k, (int64_t)t->n_searched));
	else
		detail = KS_DESK_SAY(
			k, t->in_path ? KS_TEXT_DETAIL_AS_IS : KS_TEXT_DETAIL_TOOL_NOT_IN_PATH,
			t->path);
	ks_desk_check(k, &(struct ks_checkup){ KS_CHECKS_TOOLCHAIN,
					       found ? KS_CHECK_OK : tools[i].missing, tools[i].id,
					       KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, t->name),
					       detail, KS_DESK_WORD(k, tools[i].gives) });
}

static void paranoid_check(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	const bool read = h->perf_paranoid != KS_UNKNOWN;
	const bool allows = read && h->perf_paranoid <= PARANOID_MOST;

	ks_desk_check(k,
		      &(struct ks_checkup){
			      KS_CHECKS_TOOLCHAIN, allows ? KS_CHECK_OK : KS_CHECK_WARN,
			      "perf_event_paranoid",
			      KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, KS_LIT("perf_event_paranoid")),
			      read ? KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS,
						 ks_desk_i64(k, h->perf_paranoid))
				   : KS_DESK_SAY(k, KS_TEXT_DETAIL_UNREAD, h->paranoid_path),
			      KS_DESK_WORD(k, allows ? KS_TEXT_NONE : KS_TEXT_IMPACT_PARANOID) });
}

static void nvbit_check(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	const bool found = h->nvbit_path.n > 0;
	struct ks_msg detail = KS_DESK_WORD(k, KS_TEXT_DETAIL_NVBIT_NOWHERE);

	if (found)
		detail = KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, h->nvbit_path);
	else if (h->nvbit_misnamed)
		detail = KS_DESK_WORD(k, KS_TEXT_DETAIL_NVBIT_MISNAMED);
	ks_desk_check(k, &(struct ks_checkup){
				 KS_CHECKS_OPTIONAL, found ? KS_CHECK_OK : KS_CHECK_WARN, "nvbit",
				 KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, KS_LIT("NVBit")), detail,
				 KS_DESK_WORD(k, KS_TEXT_IMPACT_NVBIT) });
}

static void cupti_check(struct ks_desk *k)
{
	const struct ks_host *h = k->h;
	struct ks_msg detail = KS_DESK_WORD(k, KS_TEXT_DETAIL_CUPTI_NOWHERE);

	if (h->n_cupti > 0)
		detail = KS_DESK_SAY(k, KS_TEXT_DETAIL_CUPTI, h->cupti[0].path,
				     ks_desk_i64(k, (int64_t)h->n_cupti));
	ks_desk_check(k, &(struct ks_checkup){ KS_CHECKS_OPTIONAL,
					       h->n_cupti > 0 ? KS_CHECK_OK : KS_CHECK_WARN,
					       "cupti", KS_DESK_WORD(k, KS_TEXT_CHECK_CUPTI),
					       detail, KS_DESK_WORD(k, KS_TEXT_IMPACT_CUPTI) });
}

static void slot_check(struct ks_desk *k, const char *id, const char *variable, ks_str value)
{
	const bool taken = value.n > 0;

	ks_desk_check(k, &(struct ks_checkup){
				 KS_CHECKS_OPTIONAL, taken ? KS_CHECK_WARN : KS_CHECK_OK, id,
				 KS_DESK_SAY(k, KS_TEXT_DETAIL_AS_IS, ks_str_c(variable)),
				 taken ? KS_DESK_SAY(k, KS_TEXT_DETAIL_SLOT_TAKEN, value)
				       : KS_DESK_WORD(k, KS_TEXT_DETAIL_SLOT_FREE),
				 KS_DESK_WORD(k, taken ? KS_TEXT_IMPACT_SLOT : KS_TEXT_NONE) });
}

static void counters_check(struct ks_desk *k)
{
	const struct ks_diagnosis *d = k->d;
	struct ks_checkup c = { KS_CHECKS_COUNTERS, KS_CHECK_WARN,
				"counters",	    KS_DESK_WORD(k, KS_TEXT_CHECK_COUNTERS),
				d->note.why,	    KS_DESK_WORD(k, KS_TEXT_IMPACT_COUNTERS_OPEN) };

	if (d->counters == KS_COUNTER_STATE_AVAILABLE) {
		c.state = KS_CHECK_OK;
		c.impact = KS_DESK_WORD(k, KS_TEXT_NONE);
	} else if (d->counters == KS_COUNTER_STATE_DENIED) {
		c.state = KS_CHECK_FAIL;
		c.impact = KS_DESK_WORD(k, KS_TEXT_IMPACT_COUNTERS_DENIED);
	}
	ks_desk_check(k, &c);
}

void ks_desk_tool_checks(struct ks_desk *k)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(tools); i++)
		tool_check(k, i);
	paranoid_check(k);
	nvbit_check(k);
	cupti_check(k);
	slot_check(k, "cuda_injection", "CUDA_INJECTION64_PATH", k->h->cuda_injection);
	slot_check(k, "nvtx_injection", "NVTX_INJECTION64_PATH", k->h->nvtx_injection);
	if (k->h->preload.n > 0)
		slot_check(k, "ld_preload", "LD_PRELOAD", k->h->preload);
	counters_check(k);
}
