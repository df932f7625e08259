/* SPDX-License-Identifier: Apache-2.0
 *
 * One string of a document: a name, a path, an id, a command, a stack, or a text that may hold any
 * of them. Does not know the rest of the document.
 */
#include "source/redact_string.h"

#include "base/scrub.h"
#include "base/str.h"

#define MESSAGE KS_LIT("<message>")

/* `in`: the key that the object or list stands under; "" = anywhere. The first that fits counts. */
static const struct place {
	const char *in, *key;
	enum ks_redact_role role;
} places[] = {
	{ "", "uuid", KS_ROLE_GONE },
	{ "", "bus", KS_ROLE_GONE },
	{ "", "hostname", KS_ROLE_GONE },
	{ "", "user", KS_ROLE_GONE },
	{ "host", "platform", KS_ROLE_PLATFORM },
	{ "", "nsys_sqlite", KS_ROLE_PATH },
	{ "", "nsys_rep", KS_ROLE_PATH },
	{ "", "report", KS_ROLE_PATH },
	{ "", "report_path", KS_ROLE_PATH },
	{ "", "full_report", KS_ROLE_PATH },
	{ "", "path", KS_ROLE_PATH },
	{ "", "file", KS_ROLE_PATH },
	{ "", "cwd", KS_ROLE_PATH },
	{ "diagnostics", "text", KS_ROLE_MESSAGE },
	{ "", "command", KS_ROLE_COMMAND },
	{ "", "cmd", KS_ROLE_COMMAND },
	{ "kernels", "name", KS_ROLE_KERNEL },
	{ "kernels", "function", KS_ROLE_KERNEL },
	{ "", "mangled", KS_ROLE_KERNEL },
	{ "", "kernel", KS_ROLE_KERNEL },
	{ "", "top_kernel", KS_ROLE_KERNEL },
	{ "facts", "top", KS_ROLE_KERNEL },
	{ "", "kernel_filter", KS_ROLE_CHOICE },
	{ "", "within", KS_ROLE_WITHIN },
	{ "phases", "name", KS_ROLE_RANGE },
	{ "folded", "name", KS_ROLE_RANGE },
	{ "steps", "name", KS_ROLE_RANGE },
	{ "calls", "name", KS_ROLE_RANGE },
	{ "paths", "name", KS_ROLE_PATH_NODE },
	{ "", "domain", KS_ROLE_DOMAIN },
	{ "processes", "name", KS_ROLE_PROCESS },
	{ "call_sites", "frame", KS_ROLE_STACK },
	{ "call_sites", "stack", KS_ROLE_STACK },
	{ "steps", "why", KS_ROLE_WHY },
	{ "", "before", KS_ROLE_WORK },
	{ "", "after", KS_ROLE_WORK },
};

/* Words of the formats: a range that is called "compute" must not rename them. */
static const char *const ours[] = {
	"provenance", "unit",		"kind",		"status",      "id",
	"code",	      "tool",		"severity",	"reading",     "redacted",
	"cost_kind",  "why_no_kernels", "dtype",	"window_mode", "config",
	"degraded",   "ledger_basis",	"tool_version", "columns",     "counter_state",
	"tier_name",  "generated_at",	"peak_source",	"hash",	       "column",
	"basis",
};

enum ks_redact_role ks_redact_role_of(const char *in, const char *key)
{
	for (size_t i = 0; i < KS_ARRAY_LEN(ours); i++) {
		if (strcmp(ours[i], key) == 0)
			return KS_ROLE_OURS;
	}
	for (size_t i = 0; i < KS_ARRAY_LEN(places); i++) {
		if (strcmp(places[i].key, key) == 0 &&
		    (places[i].in[0] == '\0' || strcmp(places[i].in, in) == 0))
			return places[i].role;
	}
	return KS_ROLE_TEXT;
}

/* --- one string ----------------------------------------------------------------------------------
 */

/* The name, and from now on wherever a sentence has it. */
static ks_str a_name(struct ks_redact_walk *w, enum ks_name_class c, ks_str s)
{
	const ks_str to = ks_redact_name(w->redact, c, s);

	if (!ks_str_eq(to, s)) {
		ks_redact_word(w->redact, s, to);
		w->in_phase = w->in_phase || c == KS_NAME_RANGE;
	}
	return to;
}

/* "symbol (module)", or "[module]" where there is no symbol. */
static void frame(struct ks_redact_walk *w, ks_str s)
{
	size_t open = s.n;

	if (ks_str_eqc(s, "...")) {
		ks_buf_str(&w->text, s);
		return;
	}
	if (ks_str_starts(s, "[") && ks_str_ends(s, "]")) {
		const ks_str module = ks_redact_path(w->redact, (ks_str){ s.p + 1, s.n - 2 });

		ks_buf_fmt(&w->text, "[%.*s]", (int)module.n, module.p);
		return;
	}
	while (open > 1 && !(s.p[open - 1] == '(' && s.p[open - 2] == ' '))
		open--;
	const bool has_module = open > 1 && ks_str_ends(s, ")");
	const ks_str symbol = { s.p, has_module ? open - 2 : s.n };

	ks_buf_str(&w->text, a_name(w, KS_NAME_FUNCTION, symbol));
	if (has_module) {
		const ks_str module =
			ks_redact_path(w->redact, (ks_str){ s.p + open, s.n - open - 1 });

		ks_buf_fmt(&w->text, " (%.*s)", (int)module.n, module.p);
	}
}

static ks_str stack(struct ks_redact_walk *w, ks_str s)
{
	ks_buf_reset(&w->text);
	while (s.p != NULL) {
		const ks_str piece = ks_str_cut(&s, ';');

		if (w->text.n > 0)
			ks_buf_ch(&w->text, ';');
		frame(w, piece);
	}
	return ks_buf_view(&w->text);
}

static bool is_work_word(ks_str s)
{
	return s.n == 0 || ks_str_starts(s, "copy ") || ks_str_eqc(s, "copy") ||
	       ks_str_eqc(s, "memset");
}

/* The end of the shell word at `at`, quotes and all. */
static size_t shell_word(ks_str s, size_t at)
{
	bool quoted = false;

	for (; at < s.n && (quoted || s.p[at] != ' '); at++) {
		if (s.p[at] == '\'')
			quoted = !quoted;
	}
	return at;
}

/* Words that are files lose their names, the word behind -k what it chooses where names go. */
static ks_str command(struct ks_redact_walk *w, ks_str s)
{
	const bool hides = ks_redact_mode_of(w->redact) == KS_REDACT_NAMES;
	bool choice = false;

	ks_buf_reset(&w->text);
	for (size_t at = 0; at < s.n;) {
		const size_t end = shell_word(s, at);
		const ks_str word = { s.p + at, end - at };
		const ks_str ending = ks_scrub_ending(word);

		if (choice && hides)
			ks_buf_cstr(&w->text, "NAME");
		else if (ending.n > 0)
			ks_buf_fmt(&w->text, "run%.*s", (int)ending.n, ending.p);
		else
			ks_buf_str(&w->text, ks_redact_text(w->redact, word));
		choice = ks_str_eqc(word, "-k") || ks_str_eqc(word, "--kernel-name");
		for (at = end; at < s.n && s.p[at] == ' '; at++)
			ks_buf_ch(&w->text, ' ');
	}
	return ks_buf_view(&w->text);
}

/* Sentences offer choices too: "add -k 'regex:^gemm' to see ...". */
static ks_str without_choices(struct ks_redact_walk *w, ks_str s)
{
	static const char option[] = "-k ";
	const size_t n = strlen(option);
	size_t at = 0;

	if (ks_redact_mode_of(w->redact) != KS_REDACT_NAMES || !ks_str_has(s, ks_str_c(option)))
		return s;
	ks_buf_reset(&w->text);
	while (at < s.n) {
		if ((at > 0 && s.p[at - 1] != ' ') ||
		    !ks_str_starts((ks_str){ s.p + at, s.n - at }, option)) {
			ks_buf_ch(&w->text, s.p[at++]);
			continue;
		}
		ks_buf_fmt(&w->text, "%sNAME", option);
		at = shell_word(s, at + n);
	}
	return ks_buf_view(&w->text);
}

/* Metric names that hold the word of a range or call: ks__nvtx_phase_0__forward__kernel_ms. */
static ks_str metric(struct ks_redact_walk *w, ks_str s, bool *is)
{
	static const char phase[] = "ks__nvtx_phase_", nccl[] = "ks__nccl_";
	size_t from = 0, to = s.n;

	*is = false;
	if (ks_redact_mode_of(w->redact) != KS_REDACT_NAMES && !w->in_phase)
		return s;
	if (ks_str_starts(s, phase)) {
		for (from = strlen(phase); from < s.n && s.p[from] >= '0' && s.p[from] <= '9';)
			from++;
		from += 2;
		while (to > from + 2 && !(s.p[to - 1] == '_' && s.p[to - 2] == '_'))
			to--;
		to = to > from + 2 ? to - 2 : from;
	} else if (ks_str_starts(s, nccl)) {
		from = strlen(nccl);
		while (to > from && s.p[to - 1] != '_')
			to--;
		to = to > from ? to - 1 : from;
	}
	if (from == 0 || to <= from)
		return s;
	const ks_str name = ks_redact_mode_of(w->redact) != KS_REDACT_NAMES
				    ? KS_LIT("range")
				    : ks_redact_name(w->redact, KS_NAME_RANGE,
						     (ks_str){ s.p + from, to - from });

	*is = true;
	ks_buf_reset(&w->text);
	ks_buf_add(&w->text, s.p, from);
	ks_buf_str(&w->text, name);
	ks_buf_add(&w->text, s.p + to, s.n - to);
	return ks_buf_view(&w->text);
}

static ks_str platform(ks_str s)
{
	return ks_str_cut(&s, '-');
}

static bool is_name(enum ks_redact_role role)
{
	return role >= KS_ROLE_KERNEL;
}

/* What a choice names may stand in sentences as well. */
static ks_str a_choice(struct ks_redact_walk *w, ks_str s, ks_str to)
{
	if (!ks_str_eq(to, s))
		ks_redact_word(w->redact, s, to);
	return to;
}

static ks_str why(struct ks_redact_walk *w, ks_str s)
{
	if (w->was || ks_redact_mode_of(w->redact) != KS_REDACT_NAMES)
		return ks_redact_text(w->redact, s);
	return a_choice(w, s, MESSAGE);
}

static ks_str of_name(struct ks_redact_walk *w, enum ks_redact_role role, bool root, ks_str s)
{
	switch (role) {
	case KS_ROLE_CHOICE:
		return a_choice(w, s, ks_redact_choice(w->redact, s));
	case KS_ROLE_WITHIN:
		return a_choice(w, s, ks_redact_within(w->redact, s));
	case KS_ROLE_PATH_NODE:
		return a_name(w, root ? KS_NAME_DOMAIN : KS_NAME_RANGE, s);
	case KS_ROLE_RANGE:
		return a_name(w, KS_NAME_RANGE, s);
	case KS_ROLE_DOMAIN:
		return a_name(w, KS_NAME_DOMAIN, s);
	case KS_ROLE_PROCESS:
		return a_name(w, KS_NAME_PROCESS, s);
	case KS_ROLE_STACK:
		return stack(w, s);
	case KS_ROLE_WORK:
		return is_work_word(s) ? s : a_name(w, KS_NAME_KERNEL, s);
	case KS_ROLE_WHY:
		return why(w, s);
	case KS_ROLE_KERNEL:
	case KS_ROLE_TEXT:
	case KS_ROLE_OURS:
	case KS_ROLE_GONE:
	case KS_ROLE_PATH:
	case KS_ROLE_PLATFORM:
	case KS_ROLE_COMMAND:
	case KS_ROLE_MESSAGE:
		break;
	}
	return a_name(w, KS_NAME_KERNEL, s);
}

static ks_str of_text(struct ks_redact_walk *w, enum ks_redact_role role, ks_str s)
{
	bool is = false;
	const ks_str named = metric(w, s, &is);

	if (is)
		return named;
	if (role == KS_ROLE_GONE)
		return KS_LIT("");
	if (role == KS_ROLE_PATH)
		return ks_redact_path(w->redact, s);
	if (role == KS_ROLE_PLATFORM)
		return platform(s);
	/* Which words tell a host or user is known from the trace alone. */
	if (role == KS_ROLE_MESSAGE && !w->was)
		return MESSAGE;
	return role == KS_ROLE_COMMAND ? command(w, s)
				       : ks_redact_text(w->redact, without_choices(w, s));
}

/* NULL: it stays. */
json_t *ks_redact_string(struct ks_redact_walk *w, enum ks_redact_role role, bool root,
			 const json_t *v)
{
	const ks_str s = { json_string_value(v), json_string_length(v) };
	ks_str to;

	if (s.n == 0 || role == KS_ROLE_OURS || is_name(role) != w->names)
		return NULL;
	to = w->names ? of_name(w, role, root, s) : of_text(w, role, s);
	if (ks_str_eq(to, s))
		return NULL;
	json_t *own = json_stringn_nocheck(to.n > 0 ? to.p : "", to.n);

	w->failed = w->failed || own == NULL || ks_buf_failed(&w->text);
	return own;
}
