/* SPDX-License-Identifier: Apache-2.0
 *
 * --redact for what was read of the host: paths, messages and identifiers. Numbers, versions and
 * names of GPU models stay.
 */
#include "base/redact.h"
#include "source/host_internal.h"

static void libraries(const struct ks_host_run *r, const struct ks_library **list, size_t n)
{
	struct ks_library *own = KS_ARENA_NEWS(r->a, struct ks_library, n);

	for (size_t i = 0; own != NULL && i < n; i++) {
		own[i] = (*list)[i];
		own[i].path = ks_redact_path(r->ctx->redact, own[i].path);
		own[i].why = ks_redact_text(r->ctx->redact, own[i].why);
	}
	*list = own;
}

static void tool(const struct ks_host_run *r, struct ks_tool_place *t)
{
	ks_str *searched = KS_ARENA_NEWS(r->a, ks_str, t->n_searched);

	for (size_t i = 0; searched != NULL && i < t->n_searched; i++)
		searched[i] = ks_redact_path(r->ctx->redact, t->searched[i]);
	t->searched = searched;
	t->path = ks_redact_path(r->ctx->redact, t->path);
}

static void gpus(const struct ks_host_run *r)
{
	struct ks_host *h = r->host;
	struct ks_host_gpu *own = KS_ARENA_NEWS(r->a, struct ks_host_gpu, h->n_gpus);

	for (size_t i = 0; own != NULL && i < h->n_gpus; i++) {
		own[i] = h->gpu[i];
		own[i].uuid = ks_redact_text(r->ctx->redact, own[i].uuid);
	}
	h->gpu = own;
}

void ks_host_redact(const struct ks_host_run *r)
{
	struct ks_host *h = r->host;
	struct ks_redact *redact = r->ctx->redact;
	ks_str *const path[] = { &h->params_path, &h->status_path,    &h->paranoid_path,
				 &h->nvbit_path,  &h->cuda_injection, &h->nvtx_injection };
	ks_str *const text[] = { &h->platform, &h->container, &h->preload, &h->probe_output };

	if (redact == NULL)
		return;
	for (size_t i = 0; i < KS_ARRAY_LEN(path); i++)
		*path[i] = ks_redact_path(redact, *path[i]);
	for (size_t i = 0; i < KS_ARRAY_LEN(text); i++)
		*text[i] = ks_redact_text(redact, *text[i]);
	for (size_t i = 0; i < KS_TOOL_COUNT; i++)
		tool(r, &h->tool[i]);
	libraries(r, &h->nvml, h->n_nvml);
	libraries(r, &h->cupti, h->n_cupti);
	gpus(r);
}
