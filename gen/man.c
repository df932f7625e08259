/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes man/kernoscope.1 and a page for each command (mdoc, English). Lists what works in this
 * version; planned rows are named in docs/reference only. The date is that of the release, never of
 * the run.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"

#define FILL 76 /* columns of a line of text */

/* Text with the characters that mdoc takes for its own made literal. With `fill`, lines are broken
 * at blanks. */
static void text(FILE *out, const char *s, int fill)
{
	size_t column = 0;

	for (int start = 1; *s; s++) {
		if (fill && *s == ' ' && column + 1 + strcspn(s + 1, " ") > FILL) {
			putc('\n', out);
			column = 0;
			start = 1;
			continue;
		}
		if (start && (*s == '.' || *s == '\''))
			fputs("\\&", out);
		start = 0;
		column++;
		if (*s == '\\')
			fputs("\\e", out);
		else if (*s == '-')
			fputs("\\-", out);
		else
			putc(*s, out);
	}
}

static void plain(FILE *out, const char *s)
{
	text(out, s, 0);
}

static void sentence(FILE *out, const char *s)
{
	const size_t n = strlen(s);

	text(out, s, 1);
	fputs(n > 0 && (s[n - 1] == '.' || s[n - 1] == ':') ? "\n" : ".\n", out);
}

/* For texts that are written as the end of a sentence. */
static void capital_sentence(FILE *out, const char *s)
{
	putc(toupper((unsigned char)s[0]), out);
	sentence(out, s + 1);
}

/* A paragraph of several sentences: each begins a line, as mdoc wants it. */
static void paragraph(FILE *out, const char *s)
{
	fputs(".Pp\n", out);
	while (*s) {
		const char *end = s;

		while (*end && !(*end == '.' && end[1] == ' '))
			end++;
		char *one = strndup(s, (size_t)(end - s) + (*end == '.'));

		if (!one)
			exit(1);
		sentence(out, one);
		free(one);
		s = *end ? end + 2 : end;
	}
}

static const char *detail_of(const struct g_detail *row, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(row[i].id, id))
			continue;
		for (size_t k = 0; k < g_texts_n; k++)
			if (!strcmp(g_texts[k].r.id, row[i].text))
				return g_texts[k].text[EN];
	}
	return NULL;
}

/* --- options
 * --------------------------------------------------------------------------------------------- */

static void option_item(FILE *out, const struct g_option *o)
{
	const char *more = detail_of(g_option_details, g_option_details_n, o->r.id);

	fprintf(out, ".It Fl Fl %s", o->r.name);
	if (strstr(o->flags, "OPTIONAL"))
		fprintf(out, " Ns Op = Ns Ar %s", o->metavar);
	else if (*o->metavar)
		fprintf(out, " Ar %s", o->metavar);
	if (strcmp(o->short_name, "0")) {
		fprintf(out, " , Fl %c", o->short_name[1]);
		if (*o->metavar)
			fprintf(out, " Ar %s", o->metavar);
	}
	putc('\n', out);
	sentence(out, o->help[EN]);
	if (*o->deflt) {
		fputs("The default is\n.Cm ", out);
		plain(out, o->deflt);
		fputs(" .\n", out);
	}
	if (more)
		paragraph(out, more);
}

static int in_group(const struct g_option *o, const char *command, const char *group)
{
	return (!group || !strcmp(o->group, group)) && g_option_shown(o, command);
}

static size_t option_list(FILE *out, const char *command, const char *group, const char *title)
{
	size_t n = 0;

	for (size_t i = 0; i < g_options_n; i++) {
		if (!in_group(&g_options[i], command, group))
			continue;
		if (!n++ && title)
			fprintf(out, ".Ss %s\n", title);
		if (n == 1)
			fputs(".Bl -tag -width Ds\n", out);
		option_item(out, &g_options[i]);
	}
	if (n)
		fputs(".El\n", out);
	return n;
}

/* Options that only keep scripts written for ncu running: names, no more. */
static void inert_options(FILE *out)
{
	const char *comma = "";

	fputs(".Ss Options of ncu without effect\n"
	      "These take a value and do nothing; a warning names the ones used,\n"
	      "and\n.Fl Fl strict\nfails.\n.Pp\n",
	      out);
	for (size_t i = 0; i < g_options_n; i++) {
		if (strcmp(g_options[i].state, "INERT") != 0)
			continue;
		fprintf(out, "%s.Fl Fl %s", comma, g_options[i].r.name);
		comma = " ,\n";
	}
	fputs(" .\n", out);
}

/* --- what every page has
 * --------------------------------------------------------------------------------- */

static void head(FILE *out, const char *title, const char *name)
{
	fprintf(out,
		".\\\" SPDX-License-Identifier: Apache-2.0\n"
		".\\\" Made by ksgen from src/tables; edit the rows there, not this.\n"
		".Dd %s\n.Dt %s 1\n.Os\n.Sh NAME\n.Nm %s\n",
		g_release[0].extra, title, name);
}

static void exit_status(FILE *out)
{
	fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds\n", out);
	for (char code = '0'; code <= '9'; code++) {
		size_t n = 0;

		for (size_t i = 0; i < g_exits_n; i++) {
			if (g_exits[i].extra[0] != code)
				continue;
			if (!n++)
				fprintf(out, ".It %c\n", code);
			capital_sentence(out, g_exits[i].text[EN]);
		}
	}
	fputs(".El\n", out);
}

static void examples(FILE *out, const char *command)
{
	size_t n = 0;

	for (size_t i = 0; i < g_examples_n; i++) {
		if (strcmp(g_examples[i].command, command))
			continue;
		fputs(n++ ? ".Pp\n" : ".Sh EXAMPLES\n", out);
		text(out, g_examples[i].what, 1);
		fputs(":\n.Bd -literal -offset indent\n", out);
		plain(out, g_examples[i].line);
		fputs("\n.Ed\n", out);
	}
}

static void see_also(FILE *out, const char *command)
{
	const char *comma = "";

	fputs(".Sh SEE ALSO\n", out);
	if (*command) {
		fputs(".Xr kernoscope 1", out);
		comma = " ,\n";
	}
	for (size_t i = 0; !*command && i < g_commands_n; i++) {
		const struct g_command *c = g_command_by_rank(i);

		if (!g_live(c->state))
			continue;
		fprintf(out, "%s.Xr kernoscope-%s 1", comma, c->r.name);
		comma = " ,\n";
	}
	fputs("\n.Pp\nThe documents in\n.Pa docs/reference\n"
	      "list every metric, refusal, option, section, verdict, architecture and\nlimit.\n",
	      out);
}

/* --- a command's page
 * ------------------------------------------------------------------------------------ */

/* The words of a usage row: FILE is an argument, [--x] is optional, `a|b` stays. */
static void usage_word(FILE *out, const char *word, size_t n, int optional)
{
	const char *macro = "Cm";

	if (optional)
		fputs(".Op ", out);
	else
		putc('.', out);
	if (n > 2 && !strncmp(word, "--", 2)) {
		fprintf(out, "Fl Fl %.*s\n", (int)(n - 2), word + 2);
		return;
	}
	if (n > 1 && *word == '-') {
		fprintf(out, "Fl %.*s\n", (int)(n - 1), word + 1);
		return;
	}
	if (isupper((unsigned char)*word) || !strncmp(word, "options", n))
		macro = "Ar";
	fprintf(out, "%s %.*s\n", macro, (int)n, word);
}

/* After the command's own name. Brackets may hold several words or nest: such a group is written as
 * it is. */
static void usage(FILE *out, const char *row)
{
	const char *p = row + strcspn(row, " ");

	while (*p) {
		p += strspn(p, " ");
		size_t n = 0;

		if (*p == '[') {
			int depth = 0;

			do
				depth += (p[n] == '[') - (p[n] == ']');
			while (p[++n] && depth > 0);
			const size_t inner = n > 2 ? n - 2 : 0;
			const int whole = n == strcspn(p, " ") && p[n - 1] == ']';

			if (whole && !memchr(p + 1, '[', inner))
				usage_word(out, p + 1, inner, 1);
			else
				fprintf(out, ".Oo %.*s Oc\n", (int)inner, p + 1);
			p += n;
			continue;
		}
		n = strcspn(p, " ");
		if (n)
			usage_word(out, p, n, 0);
		p += n;
	}
}

static void command_page(FILE *out, const struct g_command *c)
{
	char title[64];
	const char *more = detail_of(g_command_details, g_command_details_n, c->r.id);
	size_t n = 0;

	for (; c->r.name[n] && n < 40; n++)
		title[n] = (char)toupper((unsigned char)c->r.name[n]);
	title[n] = '\0';
	char full[96], name[96];

	snprintf(full, sizeof(full), "KERNOSCOPE-%s", title);
	snprintf(name, sizeof(name), "kernoscope-%s", c->r.name);
	head(out, full, name);
	fprintf(out, ".Nd %c", tolower((unsigned char)c->help[EN][0]));
	plain(out, c->help[EN] + 1);
	fprintf(out, "\n.Sh SYNOPSIS\n.Nm kernoscope\n.Cm %s\n", c->r.name);
	usage(out, c->usage);
	fputs(".Sh DESCRIPTION\n", out);
	sentence(out, c->help[EN]);
	if (more)
		paragraph(out, more);
	fputs(".Pp\nThe result goes to standard output, everything else to standard error.\n", out);
	fputs(".Sh OPTIONS\n", out);
	if (!strcmp(c->r.name, "report"))
		fputs("All options of\n.Xr kernoscope 1\nthat choose and show; the file stands in "
		      "place of the one "
		      "that\nnames a source.\n",
		      out);
	else if (!option_list(out, c->r.name, NULL, NULL))
		fputs("None.\n", out);
	exit_status(out);
	examples(out, c->r.name);
	see_also(out, c->r.name);
}

/* --- the program's page
 * ---------------------------------------------------------------------------------- */

static void commands(FILE *out)
{
	fputs(".Ss Commands\nThe first word may be a command.\n"
	      "Each has a page of its own.\n.Bl -tag -width Ds\n",
	      out);
	for (size_t i = 0; i < g_commands_n; i++) {
		if (!g_live(g_commands[i].state))
			continue;
		fprintf(out, ".It Cm %s\n", g_commands[i].r.name);
		sentence(out, g_commands[i].help[EN]);
	}
	fputs(".El\n", out);
}

static void words(FILE *out, const char *macro, const struct g_words *row, size_t n, int live_only)
{
	fputs(".Bl -tag -width Ds\n", out);
	for (size_t i = 0; i < n; i++) {
		if (live_only && !g_live(row[i].extra))
			continue;
		fprintf(out, ".It %s %s\n", macro, row[i].r.name);
		if (live_only)
			sentence(out, row[i].text[EN]);
		else
			capital_sentence(out, row[i].text[EN]);
	}
	fputs(".El\n", out);
}

static void program_page(FILE *out)
{
	head(out, "KERNOSCOPE", "kernoscope");
	fputs(".Nd what GPU kernels cost, without hardware counters\n.Sh SYNOPSIS\n.Nm\n"
	      ".Op Ar options\n.Fl Fl ks\\-sqlite Ar run.sqlite\n.Nm\n.Ar command\n"
	      ".Op Ar options\n.Op Ar words\n.Sh DESCRIPTION\n",
	      out);
	sentence(
		out,
		"Reads a recorded trace of a CUDA program and says which kernels take the time, in "
		"which launch configurations, and what limits their occupancy, on which device, "
		"process and stream");
	paragraph(
		out,
		"Every number names its provenance. What cannot be known is a refusal with a code, "
		"what was seen, what was needed, and what to do; it is never a guess and never "
		"zero");
	paragraph(out, "The result goes to standard output, everything else to standard error");
	commands(out);
	fputs(".Sh OPTIONS\n", out);
	for (size_t g = 0; g < g_groups_n; g++)
		if (strcmp(g_groups[g].r.id, "SUBCOMMAND"))
			(void)option_list(out, "", g_groups[g].r.id, g_groups[g].text[EN]);
	inert_options(out);
	fputs(".Sh PROVENANCE\n", out);
	words(out, "Em", g_provs, g_provs_n, 0);
	fputs(".Sh ENVIRONMENT\n", out);
	words(out, "Ev", g_envs, g_envs_n, 1);
	exit_status(out);
	fputs(".Pp\nFiner causes are a field of the JSON error envelope.\n", out);
	examples(out, "");
	see_also(out, "");
}

void gen_man(FILE *out, const char *command)
{
	if (!strcmp(command, "-")) {
		program_page(out);
		return;
	}
	for (size_t i = 0; i < g_commands_n; i++) {
		if (!strcmp(g_commands[i].r.name, command)) {
			command_page(out, &g_commands[i]);
			return;
		}
	}
	fprintf(stderr, "ksgen: no command %s\n", command);
	exit(1);
}
