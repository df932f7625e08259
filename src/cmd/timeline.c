/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of the timeline: the part of the trace, the tracks, the trace file, and which parts
 * of the timeline the outputs need. What no output needs is neither read nor kept.
 */
#include "cmd/settings.h"

#include "analyze/comm.h"
#include "analyze/family.h"
#include "verdict/findings.h"
#include "analyze/select.h"
#include "analyze/window.h"
#include "base/str.h"

static enum ks_status no_memory(struct ks_err *err)
{
	return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_CMD_NO_MEMORY, NULL);
}

static bool is_format(const struct ks_settings *s, enum ks_format f)
{
	return s->result != NULL && s->result->format == f;
}

/* A report holds sums, no single rows: what is made of those cannot be made again. */
static enum ks_status refuse_for_report(const struct ks_settings *s, struct ks_err *err)
{
	const bool code = s->from == KS_FROM_CODE;
	static const enum ks_option needs[] = {
		KS_OPT_WITHIN,	KS_OPT_KS_STEP,	  KS_OPT_KS_NVTX,
		KS_OPT_KS_COMM, KS_OPT_KS_FAMILY, KS_OPT_KS_PERFETTO
	};
	static const enum ks_format made[] = { KS_FORMAT_PERFETTO,     KS_FORMAT_TIMELINE,
					       KS_FORMAT_HISTOGRAM,    KS_FORMAT_FOLDED,
					       KS_FORMAT_NVTX_CSV,     KS_FORMAT_OCCUPANCY_SVG,
					       KS_FORMAT_OCCUPANCY_CSV };

	for (size_t i = 0; i < KS_ARRAY_LEN(needs); i++) {
		if (!ks_opt_on(&s->opts, needs[i]) ||
		    (needs[i] == KS_OPT_KS_PERFETTO && ks_opt_is(&s->opts, needs[i], "none")))
			continue;
		return ks_err_set(err, KS_E_USAGE,
				  code ? KS_TEXT_ERR_CODE_NEEDS_TRACE
				       : KS_TEXT_ERR_CMD_REREAD_TIMELINE,
				  ks_option_info(needs[i])->name, s->path, NULL);
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(made); i++) {
		const char *name = ks_format_info(made[i])->name;

		if (ks_opt_is(&s->opts, KS_OPT_FORMAT, name))
			return ks_err_set(err, KS_E_USAGE,
					  code ? KS_TEXT_ERR_CODE_FORMAT
					       : KS_TEXT_ERR_CMD_REREAD_FORMAT,
					  name, s->path, NULL);
	}
	return KS_OK;
}

enum ks_status ks_timeline_file(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	const char *given = s->opts.opt[KS_OPT_KS_PERFETTO].value;
	ks_str prefix = ks_str_c(s->file[KS_FILE_REPORT]);

	if (s->from == KS_FROM_CODE && ks_opt_on(&s->opts, KS_OPT_LAUNCH_CSV))
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CODE_NEEDS_TRACE, "launch-csv",
				  NULL);
	if (s->from == KS_FROM_IMPORT || s->from == KS_FROM_CODE)
		return refuse_for_report(s, err);
	if (given != NULL && strcmp(given, "none") == 0)
		return KS_OK;
	if (given != NULL && strcmp(given, "-") == 0)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_PERFETTO_DASH, NULL);
	if (given != NULL) {
		s->file[KS_FILE_TIMELINE] = given;
		s->timeline_json = ks_str_ends(ks_str_c(given), ".json");
	} else if (s->file[KS_FILE_REPORT] != NULL) {
		prefix.n -= strlen(".ksreport.json");
		s->file[KS_FILE_TIMELINE] =
			ks_arena_fmt(&app->arena, "%.*s.perfetto-trace", (int)prefix.n, prefix.p).p;
	}
	return ks_arena_failed(&app->arena) ? no_memory(err) : KS_OK;
}

static enum ks_status choose_tracks(struct ks_settings *s, struct ks_err *err)
{
	static const struct {
		const char *name;
		enum ks_lane_kind lane;
	} tracks[] = {
		{ "streams", KS_LANE_STREAM }, { "copies", KS_LANE_COPY },
		{ "sync", KS_LANE_SYNC },      { "nvtx", KS_LANE_NVTX },
		{ "api", KS_LANE_API },	       { "memory", KS_LANE_MEMORY },
	};
	const char *names[KS_ARRAY_LEN(tracks)];
	const char *text = ks_opt_text(&s->opts, KS_OPT_KS_TRACKS);
	ks_str rest = ks_str_c(text);

	for (size_t i = 0; i < KS_ARRAY_LEN(tracks); i++)
		names[i] = tracks[i].name;
	while (rest.p != NULL) {
		const ks_str word = ks_str_trim(ks_str_cut(&rest, ','));
		const unsigned before = s->sel.lanes;
		bool known = false;

		for (size_t i = 0; i < KS_ARRAY_LEN(tracks); i++) {
			if (!ks_str_eqc(word, tracks[i].name))
				continue;
			s->sel.lanes = before | 1u << tracks[i].lane;
			known = true;
		}
		if (known)
			continue;
		const char *near = ks_str_nearest(word, names, KS_ARRAY_LEN(names));

		if (near != NULL)
			return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_CHOICE_NEAR, "ks-tracks",
					  text, near, NULL);
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_CHOICE, "ks-tracks", text,
				  "streams, copies, sync, nvtx, api, memory", NULL);
	}
	return KS_OK;
}

/* Prefixes of the function name, or regex:PATTERN, compiled once to see that they can be. */
static enum ks_status choose_comm(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	const struct ks_given *given = &s->opts.opt[KS_OPT_KS_COMM];
	ks_str *pattern = KS_ARENA_NEWS(&app->arena, ks_str, given->times + 1);
	struct ks_comm *comm = NULL;

	if (pattern == NULL)
		return no_memory(err);
	for (const struct ks_optval *v = given->first; v != NULL; v = v->next)
		pattern[s->sel.n_comm++] = ks_str_c(v->text);
	s->sel.comm = pattern;
	KS_TRY(ks_comm_open(&comm, pattern, s->sel.n_comm, err));
	ks_comm_close(comm);
	return KS_OK;
}

/* NAME=PREFIX or NAME=regex:PATTERN, as above. */
static enum ks_status choose_families(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	const struct ks_given *given = &s->opts.opt[KS_OPT_KS_FAMILY];
	ks_str *rule = KS_ARENA_NEWS(&app->arena, ks_str, given->times + 1);
	struct ks_families *families = NULL;

	if (rule == NULL)
		return no_memory(err);
	for (const struct ks_optval *v = given->first; v != NULL; v = v->next)
		rule[s->sel.n_families++] = ks_str_c(v->text);
	s->sel.family = rule;
	KS_TRY(ks_families_open(&families, rule, s->sel.n_families, err));
	ks_families_close(families);
	return KS_OK;
}

/* Known before the trace is read: what it says is looked at when the decisions are made. */
static enum ks_status choose_rules(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	const struct ks_given *given = &s->opts.opt[KS_OPT_KS_RULE];
	ks_str *rule = KS_ARENA_NEWS(&app->arena, ks_str, given->times + 1);

	if (rule == NULL)
		return no_memory(err);
	for (const struct ks_optval *v = given->first; v != NULL; v = v->next)
		rule[s->sel.n_rules++] = ks_str_c(v->text);
	s->sel.rule = rule;
	return ks_findings_check(rule, s->sel.n_rules, err);
}

/* A part that cannot be is told before the trace is read. */
static enum ks_status choose_window(struct ks_settings *s, struct ks_err *err)
{
	struct ks_window_spec spec;

	s->sel.within = ks_str_c(s->opts.opt[KS_OPT_WITHIN].value);
	return ks_window_parse(s->sel.within, &spec, err);
}

static bool is_named(const struct ks_opts *o, enum ks_section section)
{
	for (const struct ks_optval *v = o->opt[KS_OPT_SECTION].first; v != NULL; v = v->next) {
		enum ks_section id = KS_SECTION_NONE;

		if (ks_section_find(ks_str_c(v->text), &id) && id == section)
			return true;
	}
	return false;
}

/* A set holds the sections of the timeline. A list of sections asks for what it names, so that it
 * reads no further table; other options may ask for the timeline by what they need of it. */
static bool is_wanted(const struct ks_settings *s)
{
	static const enum ks_option asks[] = { KS_OPT_WITHIN, KS_OPT_KS_STEP, KS_OPT_KS_NVTX,
					       KS_OPT_KS_COMM, KS_OPT_KS_NVTX_PHASES };
	const struct ks_opts *o = &s->opts;
	const struct ks_selection *sel = &s->sel;

	for (size_t i = 0; i < KS_ARRAY_LEN(asks); i++) {
		if (ks_opt_on(o, asks[i]))
			return true;
	}
	return !ks_opt_on(o, KS_OPT_SECTION) || sel->section_on[KS_SECTION_NVTXPHASES] ||
	       sel->section_on[KS_SECTION_COMMLEDGER] || is_named(o, KS_SECTION_DEVICESTATISTICS) ||
	       sel->keep_phases || sel->keep_folded || sel->keep_slices || sel->draw_durations;
}

/* Tracks and limits are about pictures and trace files alone. */
static void remark_unused(struct ks_app *app, const struct ks_settings *s)
{
	static const enum ks_option about[] = { KS_OPT_KS_TRACKS, KS_OPT_KS_TIMELINE_LIMIT };

	for (size_t i = 0; i < KS_ARRAY_LEN(about) && !s->sel.keep_slices; i++) {
		if (ks_opt_on(&s->opts, about[i]))
			ks_app_say(app, KS_LOG_WARN, KS_TEXT_CMD_TIMELINE_UNUSED,
				   ks_option_info(about[i])->name, NULL);
	}
}

enum ks_status ks_choose_timeline(struct ks_app *app, struct ks_settings *s, struct ks_err *err)
{
	struct ks_selection *sel = &s->sel;

	KS_TRY(choose_window(s, err));
	KS_TRY(choose_comm(app, s, err));
	KS_TRY(choose_families(app, s, err));
	KS_TRY(choose_rules(app, s, err));
	KS_TRY(choose_tracks(s, err));
	if (is_format(s, KS_FORMAT_PERFETTO) && app->term.is_tty)
		return ks_err_set(err, KS_E_USAGE, KS_TEXT_ERR_CMD_PERFETTO_TERMINAL, NULL);
	sel->by_overlap = ks_opt_is(&s->opts, KS_OPT_KS_NVTX, "overlap");
	sel->step_name = ks_str_c(s->opts.opt[KS_OPT_KS_STEP].value);
	sel->slice_limit = (uint64_t)ks_opt_int(&s->opts, KS_OPT_KS_TIMELINE_LIMIT);
	if (ks_opt_on(&s->opts, KS_OPT_KS_NVTX_PHASES))
		sel->section_on[KS_SECTION_NVTXPHASES] = true;
	if (s->from == KS_FROM_IMPORT || s->from == KS_FROM_CODE)
		return KS_OK;
	sel->keep_phases = is_format(s, KS_FORMAT_NVTX_CSV);
	sel->keep_folded = is_format(s, KS_FORMAT_FOLDED);
	sel->draw_occupancy =
		is_format(s, KS_FORMAT_OCCUPANCY_SVG) || is_format(s, KS_FORMAT_OCCUPANCY_CSV);
	const bool page = is_format(s, KS_FORMAT_HTML) || s->file[KS_FILE_HTML] != NULL;

	sel->draw_timeline = page || is_format(s, KS_FORMAT_TIMELINE);
	sel->draw_durations = page || is_format(s, KS_FORMAT_HISTOGRAM);
	sel->keep_slices = sel->draw_timeline || s->file[KS_FILE_TIMELINE] != NULL ||
			   is_format(s, KS_FORMAT_PERFETTO);
	sel->timeline = is_wanted(s);
	sel->keep_paths = sel->timeline &&
			  (s->file[KS_FILE_REPORT] != NULL || is_format(s, KS_FORMAT_JSON) ||
			   (is_format(s, KS_FORMAT_TEXT) && s->view.details == KS_DETAILS_ALL));
	remark_unused(app, s);
	return KS_OK;
}
