/* SPDX-License-Identifier: Apache-2.0
 *
 * -i FILE: a report or a packet read back. A selection takes kernels out of what is shown and
 * changes no number: totals and shares stay those of the run that was measured.
 */
#include "cmd/profile.h"

#include <sys/stat.h>

#include "analyze/sanity.h"
#include "analyze/select.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "cmd/nomatch.h"
#include "cmd/redaction.h"
#include "source/source.h"
#include "verdict/packet_read.h"

static enum ks_status no_kernel(struct ks_app *app, const struct ks_settings *s, bool pattern,
				const struct ks_report *r, struct ks_err *err)
{
	const bool whole = s->sel.base == KS_NAMES_DEMANGLED || s->sel.base == KS_NAMES_MANGLED;
	const struct ks_nomatch what = {
		.asked = s->sel.kernel,
		.pattern = pattern,
		.base = s->sel.base,
		.path = s->path,
		.name_text = KS_TEXT_ERR_CMD_NO_KERNEL,
		.pattern_text =
			whole ? KS_TEXT_ERR_CMD_NO_KERNEL_WHOLE : KS_TEXT_ERR_CMD_NO_KERNEL_PATTERN,
		.max = (size_t)ks_limit(KS_LIMIT_NEAREST_NAMES),
	};

	return ks_nomatch(&app->arena, &what, r, err);
}

static enum ks_status filter_kernels(struct ks_app *app, const struct ks_settings *s,
				     struct ks_matcher *m, struct ks_report *r, struct ks_err *err)
{
	struct ks_kernel *kept = KS_ARENA_NEWS(&app->arena, struct ks_kernel, r->n_kernels + 1);
	size_t n = 0, matched = 0;
	ks_ns matched_ns = 0;

	if (kept == NULL)
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
	for (size_t i = 0; i < r->n_kernels; i++) {
		const struct ks_kernel *k = &r->kernel[i];
		bool hit = k->is_device;

		if (!hit)
			KS_TRY(ks_match_kernel(m, app->ctx.redact, k, s->sel.base, &hit, err));
		if (!hit)
			continue;
		kept[n++] = *k;
		if (!k->is_device) {
			matched++;
			matched_ns += k->total_ns;
		}
	}
	if (matched == 0)
		return no_kernel(app, s, ks_matcher_is_regex(m), r, err);
	r->kernel = kept;
	r->n_kernels = n;
	r->matched_ns = matched_ns;
	return ks_ksreport_refilter(&app->ctx, s->path, r,
				    ks_redact_choice(app->ctx.redact, s->sel.kernel), err);
}

static enum ks_status select_kernels(struct ks_app *app, const struct ks_settings *s,
				     struct ks_report *r, struct ks_err *err)
{
	struct ks_matcher *m = NULL;

	if (s->sel.kernel.n == 0)
		return KS_OK;
	KS_TRY(ks_matcher_open(&m, s->sel.kernel, err));
	const enum ks_status status = filter_kernels(app, s, m, r, err);

	ks_matcher_close(m);
	return status;
}

/* A report holds sums over devices: a choice of devices can be honoured only when it chooses all.
 */
static enum ks_status select_devices(const struct ks_settings *s, const struct ks_report *r,
				     struct ks_err *err)
{
	struct ks_buf have;
	size_t used = 0, chosen = 0;
	enum ks_status status = KS_OK;

	if (s->sel.n_devices == 0)
		return KS_OK;
	ks_buf_init(&have, 4096);
	for (size_t g = 0; g < r->n_gpus; g++) {
		if (!r->gpu[g].used)
			continue;
		ks_buf_fmt(&have, "%s%lld", used++ > 0 ? ", " : "", (long long)r->gpu[g].label);
	}
	for (size_t i = 0; i < s->sel.n_devices && status == KS_OK; i++) {
		bool known = false;

		for (size_t g = 0; g < r->n_gpus; g++)
			known = known || (r->gpu[g].used && r->gpu[g].label == s->sel.device[i]);
		chosen += known;
		if (!known)
			status = ks_err_set(err, KS_E_NOMATCH, KS_TEXT_ERR_CMD_NO_DEVICE,
					    ks_opt_text(&s->opts, KS_OPT_DEVICES), s->path,
					    used > 0 ? ks_buf_text(&have) : "-", NULL);
	}
	if (status == KS_OK && chosen < used)
		status = ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_REREAD_DEVICES, s->path, NULL);
	ks_buf_release(&have);
	return status;
}

static bool by_line(const struct ks_settings *s, enum ks_option id)
{
	return s->opts.opt[id].origin == KS_BY_LINE;
}

/* The option that wants rows a packet does not have; NULL when there is none. What was only
 * configured is no wish about this file. */
static const char *wants_rows(const struct ks_settings *s)
{
	const bool format = s->result != NULL && s->result->format != KS_FORMAT_TEXT &&
			    !s->result->needs_packet;
	const struct {
		const char *option;
		bool given;
	} wish[] = {
		{ "-o", s->file[KS_FILE_REPORT] != NULL },
		{ "--packet", s->file[KS_FILE_PACKET] != NULL },
		{ "--launch-csv", ks_opt_on(&s->opts, KS_OPT_LAUNCH_CSV) },
		{ "--csv", ks_opt_on(&s->opts, KS_OPT_CSV) },
		{ "-k", s->sel.kernel.n > 0 },
		{ "--devices", s->sel.n_devices > 0 },
		{ "--metrics", s->n_asked > 0 },
		{ "--set", by_line(s, KS_OPT_SET) },
		{ "--section", by_line(s, KS_OPT_SECTION) },
		{ "--cost", s->sel.asked_cost },
		{ "--ks-selfcheck", s->sel.selfcheck != NULL },
		{ "--strict", s->strict },
		{ "--report-md", s->file[KS_FILE_MD] != NULL },
		{ "--format md",
		  by_line(s, KS_OPT_FORMAT) && ks_opt_is(&s->opts, KS_OPT_FORMAT, "md") },
		{ "--format", by_line(s, KS_OPT_FORMAT) && format },
	};

	for (size_t i = 0; i < KS_ARRAY_LEN(wish); i++)
		if (wish[i].given)
			return wish[i].option;
	return NULL;
}

static enum ks_status import_packet(struct ks_app *app, const struct ks_settings *s,
				    struct ks_profile *p, struct ks_err *err)
{
	const char *wants = wants_rows(s);

	if (wants != NULL)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_PACKET_ONLY, s->path, wants,
				  NULL);
	return ks_redaction_packet(app, s->path, &p->packet, err);
}

/* Packets are small; whatever is larger is a report. What can be read only once is taken for a
 * report too: reports are what is piped. */
static bool is_packet(const char *path)
{
	struct ks_buf text;
	struct stat st;
	bool packet;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	ks_buf_init(&text, (size_t)ks_limit(KS_LIMIT_PACKET_INPUT_BYTES));
	packet = ks_io_read_file(path, &text, NULL) == KS_OK && ks_packet_sniff(ks_buf_view(&text));
	ks_buf_release(&text);
	return packet;
}

static enum ks_status check_kind(const char *path, struct ks_err *err)
{
	if (strcmp(path, "-") == 0)
		return KS_OK;
	const enum ks_input_kind kind = ks_input_sniff(path);

	if (kind == KS_INPUT_SQLITE)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_IS_SQLITE, path, NULL);
	return kind == KS_INPUT_JSON ? KS_OK : ks_profile_sniff(path, err);
}

enum ks_status ks_profile_import(struct ks_app *app, const struct ks_settings *s,
				 struct ks_profile *p, struct ks_err *err)
{
	KS_TRY(check_kind(s->path, err));
	if (is_packet(s->path))
		return import_packet(app, s, p, err);
	KS_TRY(ks_ksreport_read(&app->ctx, s->path, &p->report, err));
	ks_sanity_check_read(p->report);
	ks_store_words(p->report->ev,
		       &(struct ks_command_words){
			       .input = ks_profile_input(app, KS_FROM_IMPORT, s->path) });
	KS_TRY(select_devices(s, p->report, err));
	KS_TRY(select_kernels(app, s, p->report, err));
	if (ks_opt_on(&s->opts, KS_OPT_LAUNCH_CSV) && p->report->launches == NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_CMD_NO_LAUNCHES, s->path, NULL);
	return ks_profile_decide(app, &s->sel, p->report, err);
}
