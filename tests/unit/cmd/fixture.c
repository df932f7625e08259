/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a command line into settings whose streams are buffers.
 */
#include "tests.h"

#include "base/str.h"
#include "fixture.h"

static const char *no_environment(const char *name)
{
	(void)name;
	return NULL;
}

void given(struct fixture *f, const char *words)
{
	ks_str rest = ks_str_c(f->copy);
	int argc = 1;

	(void)snprintf(f->copy, sizeof(f->copy), "%s", words);
	rest = ks_str_c(f->copy);
	f->argv[0] = (char[]){ "kernoscope" };
	while (rest.p != NULL && argc < MAX_WORDS - 1) {
		const ks_str word = ks_str_cut(&rest, ' ');
		char *w = f->copy + (word.p - f->copy);

		w[word.n] = '\0';
		f->argv[argc++] = w;
	}
	f->argv[argc] = NULL;
	ks_app_init(&f->app,
		    &(struct ks_app_world){ &ks_io_system, &ks_clock_system, no_environment });
	ks_buf_init(&f->out, (size_t)1 << 20);
	ks_buf_init(&f->log, (size_t)1 << 20);
	ks_out_abandon(&f->app.out);
	ks_out_abandon(&f->app.err);
	ks_out_open_mem(&f->app.out, &f->out);
	ks_out_open_mem(&f->app.err, &f->log);
	ks_err_init(&f->err);
	f->status = ks_settings_read(&f->app, &f->s, argc, f->argv, false, &f->err);
	(void)ks_out_commit(&f->app.err, NULL);
}

void done(struct fixture *f)
{
	ks_out_abandon(&f->app.out);
	ks_settings_release(&f->s);
	ks_arena_release(&f->app.arena);
	ks_buf_release(&f->out);
	ks_buf_release(&f->log);
}
