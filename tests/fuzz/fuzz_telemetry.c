/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as telemetry, whatever format they are taken for. No two readings share a name, each
 * has a finite value or a reason, and every list counts at least what it holds.
 */
#define KS_BASE_DOOR
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/str.h"
#include "input.h"
#include "source/telemetry.h"

static void insist(bool good)
{
	if (!good)
		abort();
}

static void check_readings(const struct ks_telemetry *t)
{
	struct ks_intern names;
	size_t values = 0;

	ks_intern_init(&names, UINT32_MAX - 1);
	for (size_t i = 0; i < t->n_readings; i++) {
		const struct ks_tel_reading *r = &t->reading[i];
		bool fresh = false;

		(void)ks_intern_add(&names, r->name, &fresh);
		insist(fresh);
		insist(ks_metric_find(r->name) == r->metric);
		insist(isfinite(r->value) && r->device < t->n_devices);
		insist(r->why == KS_TEL_FINE || fabs(r->value) <= 0.0);
		values += r->why == KS_TEL_FINE;
	}
	insist(values == t->n_values && values <= t->series);
	ks_intern_release(&names);
}

static void check_list(const struct ks_tel_list *list)
{
	insist(list->n <= list->all || list->n == 0);
	for (size_t i = 0; i < list->n; i++)
		insist(list->item[i].name.p != NULL || list->item[i].name.n == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct ks_telemetry *t = NULL;
	struct ks_arena arena;
	const struct ks_ctx ctx = {
		.io = &ks_io_system, .clock = &ks_clock_system, .env = no_environment, .run = &arena
	};

	ks_arena_init(&arena, (size_t)1 << 30);
	if (ks_telemetry_parse(&ctx, &(struct ks_tel_ask){ .where = "input" },
			       (ks_str){ (const char *)data, size }, &t, NULL) == KS_OK) {
		check_readings(t);
		check_list(&t->unknown);
		check_list(&t->missing);
		check_list(&t->skipped);
		check_list(&t->duplicates);
		check_list(&t->bad);
		check_list(&t->unused);
	}
	ks_arena_release(&arena);
	return 0;
}
