/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a configuration file. What is read without a fault can be changed: afterwards the
 * key has its new value, every other key its old one, and taken out again it is gone.
 */
#define KS_BASE_DOOR
#include <stdlib.h>

#include "base/str.h"
#include "cmd/config.h"
#include "input.h"

static void insist(bool good)
{
	if (!good)
		abort();
}

static bool is_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool parse(struct ks_app *app, ks_str text, struct ks_configured *c)
{
	const struct ks_config_file file = { "file", KS_BY_USER, true };
	struct ks_err err;

	ks_err_init(&err);
	*c = (struct ks_configured){ .files.n = 0 };
	const enum ks_status status = ks_config_parse(app, &file, text, c, &err);

	insist((status == KS_OK) == (err.text == (int)KS_TEXT_NONE));
	return status == KS_OK;
}

/* One key is set to `value` (NULL: taken out), in the text and in what it says. */
static void change(struct ks_app *app, ks_str text, const struct ks_configured *before,
		   const char *value)
{
	const char *key = ks_option_info(KS_OPT_SET)->config_key;
	struct ks_configured after;
	struct ks_buf to;

	ks_buf_init(&to, text.n + 4096);
	const bool done = ks_config_edit_text(&to, text, key, value);

	insist(done == (value != NULL || before->set[KS_OPT_SET].value != NULL));
	if (done && !ks_buf_failed(&to)) {
		insist(parse(app, ks_buf_view(&to), &after));
		for (int i = KS_OPT_NONE + 1; i < KS_OPT_COUNT; i++)
			insist(is_same(after.set[i].value,
				       i == KS_OPT_SET ? value : before->set[i].value));
	}
	ks_buf_release(&to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const ks_str text = { (const char *)data, size };
	struct ks_configured before;
	struct ks_app app;

	ks_app_init(&app,
		    &(struct ks_app_world){ &ks_io_system, &ks_clock_system, no_environment });
	if (parse(&app, text, &before)) {
		change(&app, text, &before, "full");
		change(&app, text, &before, NULL);
	}
	ks_out_abandon(&app.out);
	ks_out_abandon(&app.err);
	ks_arena_release(&app.arena);
	return 0;
}
