/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines for people, escaped and handed on at once. The words in front are part of the command-line
 * contract and the same in every language. Decides nothing about what is worth saying.
 */
#include "base/log.h"

#include "base/num.h"
#include "base/term.h"

#define PROGRESS_EVERY_NS 100000000 /* ten a second */

static const struct {
	const char *prefix;
	bool passes_quiet;
} kinds[] = {
	[KS_LOG_NOTE] = { "note: ", false },  [KS_LOG_WARN] = { "warn: ", false },
	[KS_LOG_ERROR] = { "error: ", true }, [KS_LOG_STRICT] = { "error(strict): ", true },
	[KS_LOG_HINT] = { "hint: ", true },   [KS_LOG_PROF] = { "==PROF== ", true },
	[KS_LOG_PLAIN] = { "", false },
};

void ks_log_line(struct ks_log *log, enum ks_log_kind kind, ks_str text)
{
	struct ks_out *const sinks[] = { log->err, log->file };

	if (log->quiet && !kinds[kind].passes_quiet)
		return;
	text = ks_redact_text(log->redact, text);
	for (size_t i = 0; i < KS_ARRAY_LEN(sinks); i++) {
		if (!sinks[i])
			continue;
		ks_out_cstr(sinks[i], kinds[kind].prefix);
		ks_term_text(sinks[i], text);
		ks_out_ch(sinks[i], '\n');
		ks_out_flush(sinks[i]);
	}
}

static void put_share(struct ks_out *out, uint64_t done, uint64_t total)
{
	char num[KS_NUM_LEN];

	if (total == 0) {
		(void)ks_num_u64(num, done);
		ks_out_ch(out, ' ');
		ks_out_cstr(out, num);
		return;
	}
	const double share = (double)(done < total ? done : total) / (double)total;

	ks_out_fmt(out, " %3d %%", (int)(share * 100));
}

void ks_progress_show(struct ks_progress *p, ks_str text, uint64_t done, uint64_t total)
{
	if (!p || !p->err)
		return;

	const ks_ns now = p->clock->monotonic();

	if (p->last != 0 && now - p->last < PROGRESS_EVERY_NS)
		return;
	p->last = now;
	if (p->err->fd < 0 || !isatty(p->err->fd)) {
		p->err = NULL; /* a file or a pipe: silent from here on */
		return;
	}
	p->shown = true;
	ks_out_ch(p->err, '\r');
	ks_term_text(p->err, text);
	put_share(p->err, done, total);
	ks_out_cstr(p->err, "\033[K");
	ks_out_flush(p->err);
}

void ks_progress_done(struct ks_progress *p)
{
	if (!p || !p->err || !p->shown)
		return;
	ks_out_cstr(p->err, "\r\033[K");
	ks_out_flush(p->err);
	p->shown = false;
}
