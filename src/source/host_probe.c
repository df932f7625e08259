/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks ncu for its list of metrics, which the driver refuses where counters are locked. A weak
 * probe: it reads no counter. Judges no more than which of its answers came.
 */
#include <strings.h>

#include "base/spawn.h"
#include "base/str.h"
#include "source/host_internal.h"

/* The list itself has some hundred KiB; what decides stands at its beginning. */
#define OUTPUT_BYTES ((size_t)4 * 1024 * 1024)

static bool holds(ks_str line, const char *words)
{
	const size_t n = strlen(words);

	for (size_t i = 0; i + n <= line.n; i++)
		if (strncasecmp(line.p + i, words, n) == 0)
			return true;
	return false;
}

/* The first line that holds one of the words; "" when none does. */
static ks_str line_with(ks_str text, const char *const *words, size_t n)
{
	while (text.p != NULL) {
		const ks_str line = ks_str_cut(&text, '\n');

		for (size_t i = 0; i < n; i++)
			if (holds(line, words[i]))
				return ks_str_trim(line);
	}
	return ks_str_c("");
}

static ks_str last_line(ks_str text)
{
	ks_str last = ks_str_c("");

	while (text.p != NULL) {
		const ks_str line = ks_str_trim(ks_str_cut(&text, '\n'));

		if (line.n > 0)
			last = line;
	}
	return last;
}

static enum ks_probe judge(ks_str text, struct ks_spawn_end end, ks_str *line)
{
	static const char *const denied[] = { "ERR_NVGPUCTRPERM" };
	static const char *const none[] = { "no devices", "no CUDA device", "no GPU" };
	static const char *const error[] = { "==ERROR==" };

	*line = line_with(text, denied, KS_ARRAY_LEN(denied));
	if (line->n > 0)
		return KS_PROBE_DENIED;
	if (end.how == KS_SPAWN_TIMEOUT)
		return KS_PROBE_TIMEOUT;
	*line = line_with(text, none, KS_ARRAY_LEN(none));
	if (line->n > 0)
		return KS_PROBE_NO_DEVICE;
	*line = line_with(text, error, KS_ARRAY_LEN(error));
	if (line->n == 0 && end.how == KS_SPAWN_EXITED && end.code == 0 && ks_str_trim(text).n > 0)
		return KS_PROBE_ALLOWED;
	if (line->n == 0)
		*line = last_line(text);
	return KS_PROBE_FAILED;
}

void ks_host_probe(const struct ks_host_run *r)
{
	const struct ks_paths name = ks_host_paths(r, KS_PLACE_PROBE, false);
	struct ks_host *h = r->host;
	const ks_str ncu = h->tool[KS_TOOL_NCU].path;
	struct ks_buf kept;
	ks_str line, option;

	if (ncu.n == 0 || name.n == 0)
		return;
	option = name.path[0];
	(void)ks_str_cut(&option, ' ');

	const char *const argv[] = { ncu.p, option.p, NULL };
	const struct ks_spawn run = {
		.argv = argv,
		.timeout_ms =
			r->ask->probe_timeout_ms > 0 ? r->ask->probe_timeout_ms : KS_HOST_PROBE_MS,
		.kept = &kept,
	};

	ks_buf_init(&kept, OUTPUT_BYTES);
	const struct ks_spawn_end end = ks_spawn_run(&run);

	h->probe = judge(ks_buf_view(&kept), end, &line);
	h->probe_name = name.path[0];
	h->probe_output = ks_arena_dup(r->a, line);
	r->a->failed |= ks_buf_failed(&kept);
	ks_buf_release(&kept);
}
