/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a .ksreport.json: an error of one line, or a report whose every row and text can be
 * walked.
 */
#define KS_BASE_DOOR

#include "evidence/report.h"
#include "source/source.h"
#include "input.h"

static uint64_t sum_of(ks_str s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s.n; i++)
		sum += (unsigned char)s.p[i];
	return sum;
}

static uint64_t walk_rows(const struct ks_report *r, const struct ks_kernel *k)
{
	uint64_t sum = sum_of(k->name);

	for (size_t s = 0; s < k->n_sections; s++)
		for (size_t i = 0; i < k->section[s].n; i++) {
			const struct ks_ev *row = ks_ev_get(r->ev, k->section[s].row[i]);

			if (!row || (row->prov == KS_PROV_UNAVAILABLE) != (row->refused != NULL))
				abort(); /* rule R1 */
			sum += sum_of(row->name);
		}
	for (size_t i = 0; i < k->n_configs; i++)
		sum += sum_of(k->config[i].key);
	return sum;
}

static uint64_t walk_launches(const struct ks_report *r, const struct ks_kernel *k)
{
	struct ks_launch_view row;
	uint64_t sum = 0;
	bool got = true;

	if (!r->launches || r->launches->rewind(r->launches->self, k, NULL) != KS_OK)
		return 0;
	while (r->launches->next(r->launches->self, &row, &got, NULL) == KS_OK && got)
		sum += sum_of(row.config->key) + (uint64_t)(row.end_ns - row.start_ns);
	return sum;
}

static uint64_t walk(const struct ks_report *r)
{
	uint64_t sum = sum_of(r->raw_meta) + sum_of(r->window_mode);

	for (size_t i = 0; i < r->n_kernels; i++)
		sum += walk_rows(r, &r->kernel[i]) + walk_launches(r, &r->kernel[i]);
	for (size_t i = 0; i < r->n_streams; i++)
		sum += sum_of(r->gpu[r->stream[i].gpu].name);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ks_arena run;
	const struct ks_ctx ctx = {
		.io = &ks_io_system, .clock = &ks_clock_system, .env = no_environment, .run = &run
	};
	struct ks_report *report = NULL;
	struct ks_err err;
	char path[INPUT_PATH];

	if (!put(path, data, size))
		return 0;
	ks_err_init(&err);
	ks_arena_init(&run, (size_t)1 << 28);

	const enum ks_status st = ks_ksreport_read(&ctx, path, &report, &err);

	if (st != err.status || (st == KS_OK) != (report != NULL))
		abort();
	if (report) {
		const volatile uint64_t sum =
			walk(report); /* so that the walk is not optimised away */

		(void)sum;
	}
	ks_arena_release(&run);
	(void)unlink(path);
	return 0;
}
