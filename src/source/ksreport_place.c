/* SPDX-License-Identifier: Apache-2.0
 *
 * On which device, process and stream a kernel of a report ran. Reports of the original and older
 * ones of ours do not say; then there are no places, and none are made up.
 */
#include "source/ksreport.h"

static void read_place(struct ks_reader *r, const json_t *o, struct ks_place *p)
{
	p->gpu = ks_reader_gpu(r, o, "device");
	p->pid = ks_reader_int(r, o, "pid", KS_UNKNOWN);
	p->stream = ks_reader_int(r, o, "stream", KS_UNKNOWN);
	p->launches = ks_reader_count(r, o, "launch_count");
	p->total_ns = ks_reader_int(r, o, "total_ns", 0);
}

void ks_reader_places(struct ks_reader *r, const json_t *o, struct ks_kernel *k)
{
	const json_t *list = ks_reader_array(r, o, "placement");
	const size_t n = json_array_size(list);
	struct ks_place *place = KS_ARENA_NEWS(r->arena, struct ks_place, n);

	if (!place) {
		ks_reader_no_memory(r);
		return;
	}
	for (size_t i = 0; i < n && !r->failed; i++) {
		const size_t mark = ks_reader_enter(r, "placement", i);

		read_place(r, ks_reader_element(r, list, i), &place[i]);
		ks_reader_leave(r, mark);
	}
	k->place = place;
	k->n_places = n;
}
