/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line as words a shell reads, and the files it asks for. Opens none of them.
 */
#include "cmd/runline.h"

#include "base/shell.h"
#include "base/str.h"
#include "cmd/outputs.h"
#include "source/telemetry.h"

#define LINE_MAX_BYTES ((size_t)16 << 20)

const struct ks_named_file ks_named_files[] = {
	{ KS_FILE_REPORT, "report", true },	  { KS_FILE_TIMELINE, "perfetto", true },
	{ KS_FILE_LAUNCHES, "launch_csv", true }, { KS_FILE_PACKET, "packet", true },
	{ KS_FILE_HTML, "onepage", true },	  { KS_FILE_MAP, "name_map", false },
};
const size_t ks_n_named_files = KS_ARRAY_LEN(ks_named_files);

ks_str ks_run_word(struct ks_app *app, const char *before, const char *word)
{
	static const char name[] = "--ks-telemetry";
	const size_t n = sizeof(name) - 1;
	const bool in_one = strncmp(word, name, n) == 0 && word[n] == '=';
	const bool next = before != NULL && strcmp(before, name) == 0;
	const char *url = in_one ? word + n + 1 : next ? word : "";
	const ks_str origin = ks_telemetry_origin(&app->arena, url);

	if (origin.n == 0 || strncmp(url, origin.p, origin.n) == 0)
		return ks_str_c(word);
	return ks_arena_fmt(&app->arena, "%.*s%.*s", (int)(url - word), word, (int)origin.n,
			    origin.p);
}

static ks_str command(struct ks_app *app)
{
	struct ks_buf b;

	ks_buf_init(&b, LINE_MAX_BYTES);
	ks_shell_word(&b, "kernoscope");
	for (int i = 1; i < app->argc; i++) {
		const ks_str word = ks_redact_text(
			app->ctx.redact, ks_run_word(app, app->argv[i - 1], app->argv[i]));

		ks_shell_word(&b, ks_arena_dup(&app->arena, word).p);
	}
	const ks_str line = ks_buf_keep(&b, &app->arena);

	ks_buf_release(&b);
	return line;
}

void ks_run_line(struct ks_app *app, const struct ks_settings *s, struct ks_view *view)
{
	struct ks_view_file *file =
		KS_ARENA_NEWS(&app->arena, struct ks_view_file, ks_n_named_files);
	size_t n = 0;

	view->command = command(app);
	for (size_t i = 0; file != NULL && i < ks_n_named_files; i++) {
		const char *path = s->file[ks_named_files[i].file];

		if (path != NULL && !ks_is_dash(path))
			file[n++] = (struct ks_view_file){ ks_named_files[i].key,
							   ks_redact_path(app->ctx.redact,
									  ks_str_c(path)) };
	}
	view->file = file;
	view->n_files = n;
}
