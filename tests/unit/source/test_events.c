/* SPDX-License-Identifier: Apache-2.0
 *
 * Another tool dumped the GPU events of the capture that cloverleaf_a100_2024.sqlite is an export
 * of: the same 1,591 events must come out here, name, start and end.
 */
#include "all.h"

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

struct event {
	ks_ns start, end;
	char name[64];
};

static int by_time(const void *a, const void *b)
{
	const struct event *x = a;
	const struct event *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Name,streamId,type,bytes,Trace Type,Event Type,Timestamp
 * (ns),_matching_event,_matching_timestamp,... No cell of this file is quoted. */
static size_t read_dump(const char *path, struct event *event, size_t max)
{
	unsigned char *bytes;
	ks_str rest = { NULL, read_bytes(path, &bytes) };
	size_t n = 0;

	rest.p = (const char *)bytes;
	(void)ks_str_cut(&rest, '\n');
	while (rest.p && rest.n) {
		ks_str line = ks_str_cut(&rest, '\n');
		ks_str cell[9];

		for (size_t i = 0; i < 9; i++)
			cell[i] = ks_str_cut(&line, ',');
		if (!ks_str_eqc(cell[5], "Enter"))
			continue;
		assert_true(n < max);
		assert_true(ks_num_parse_i64(cell[6], &event[n].start));
		assert_true(ks_num_parse_i64(cell[8], &event[n].end));
		(void)snprintf(event[n].name, sizeof(event[n].name), "%.*s", (int)cell[0].n,
			       cell[0].p);
		n++;
	}
	free(bytes);
	return n;
}

static size_t from_record(const struct record *r, struct event *event)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_launches; i++) {
		const ks_str name = record_name_of(r, r->launch[i].function);

		event[n].start = r->launch[i].start_ns;
		event[n].end = r->launch[i].end_ns;
		(void)snprintf(event[n].name, sizeof(event[n].name), "%.*s", (int)name.n, name.p);
		n++;
	}
	for (size_t i = 0; i < r->n_copies; i++) {
		const char *name = r->copy[i].kind == 1	  ? "CUDA_MEMCPY_KIND_HTOD"
				   : r->copy[i].kind == 2 ? "CUDA_MEMCPY_KIND_DTOH"
							  : "?";

		event[n].start = r->copy[i].start_ns;
		event[n].end = r->copy[i].end_ns;
		(void)snprintf(event[n].name, sizeof(event[n].name), "%s", name);
		n++;
	}
	return n;
}

static void the_same_1591_events_as_another_tool(void **state)
{
	enum { EVENTS = 1591 };
	const char *shared = shared_folder();
	char path[512];
	struct record r;

	(void)state;
	if (!shared)
		skip();

	struct event *theirs = ks_mem_alloc(EVENTS * sizeof(*theirs));
	struct event *ours = ks_mem_alloc(2 * EVENTS * sizeof(*ours));

	assert_true(theirs && ours);
	(void)snprintf(path, sizeof(path), "%s/data/nsys-stats-csv/cloverleaf_gpu_trace.csv",
		       shared);
	assert_int_equal(read_dump(path, theirs, EVENTS), EVENTS);
	(void)snprintf(path, sizeof(path), "%s/data/nsys-sqlite/cloverleaf_a100_2024.sqlite",
		       shared);
	record_good(&r, path);
	assert_int_equal(from_record(&r, ours), EVENTS);
	qsort(theirs, EVENTS, sizeof(*theirs), by_time);
	qsort(ours, EVENTS, sizeof(*ours), by_time);
	for (size_t i = 0; i < EVENTS; i++) {
		assert_int_equal(ours[i].start, theirs[i].start);
		assert_int_equal(ours[i].end, theirs[i].end);
		assert_string_equal(ours[i].name, theirs[i].name);
	}
	record_end(&r);
	ks_mem_free(theirs);
	ks_mem_free(ours);
}

int test_events(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_1591_events_as_another_tool),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
