/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes man/kernoscope.1 (mdoc, English). Lists what works in this version; planned rows are named
 * in docs/reference only.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

/* Text with the characters that mdoc takes for its own made literal. */
static void plain(const char *text)
{
	int start = 1;

	for (; *text; text++) {
		if (start && (*text == '.' || *text == '\''))
			printf("\\&");
		start = 0;
		if (*text == '\\')
			printf("\\e");
		else if (*text == '-')
			printf("\\-");
		else
			putchar(*text);
	}
}

static void sentence(const char *text)
{
	plain(text);
	puts(".");
}

/* For texts that are written as the end of a sentence. */
static void capital_sentence(const char *text)
{
	putchar(toupper((unsigned char)text[0]));
	sentence(text + 1);
}

static void option_item(const struct g_option *o)
{
	printf(".It Fl Fl %s", o->r.name);
	if (*o->metavar)
		printf(" Ar %s", o->metavar);
	if (strcmp(o->short_name, "0")) {
		printf(" , Fl %c", o->short_name[1]);
		if (*o->metavar)
			printf(" Ar %s", o->metavar);
	}
	putchar('\n');
	sentence(o->help[EN]);
	if (*o->deflt) {
		printf("The default is\n.Cm ");
		plain(o->deflt);
		puts(" .");
	}
}

static int in_man(const struct g_option *o, const char *group)
{
	return !strcmp(o->group, group) && !strcmp(o->state, "LIVE") &&
	       strcmp(o->group, "SUBCOMMAND") != 0;
}

static void options(void)
{
	for (size_t g = 0; g < g_groups_n; g++) {
		size_t n = 0;

		for (size_t i = 0; i < g_options_n; i++)
			n += (size_t)in_man(&g_options[i], g_groups[g].r.id);
		if (!n)
			continue;
		printf(".Ss %s\n.Bl -tag -width Ds\n", g_groups[g].text[EN]);
		for (size_t i = 0; i < g_options_n; i++) {
			if (in_man(&g_options[i], g_groups[g].r.id))
				option_item(&g_options[i]);
		}
		puts(".El");
	}
}

/* Options that only keep scripts written for ncu running: names, no more. */
static void inert_options(void)
{
	const char *comma = "";

	puts(".Ss Options of ncu without effect\n"
	     "These take a value and do nothing; a warning names the ones used,\n"
	     "and\n.Fl Fl strict\nfails.\n.Pp");
	for (size_t i = 0; i < g_options_n; i++) {
		if (strcmp(g_options[i].state, "INERT") != 0)
			continue;
		printf("%s.Fl Fl %s", comma, g_options[i].r.name);
		comma = " ,\n";
	}
	puts(" .");
}

static void commands(void)
{
	puts(".Ss Commands\n.Bl -tag -width Ds");
	for (size_t i = 0; i < g_commands_n; i++) {
		if (strcmp(g_commands[i].state, "LIVE"))
			continue;
		printf(".It Cm %s\n", g_commands[i].usage);
		sentence(g_commands[i].help[EN]);
	}
	puts(".El");
}

static void words(const char *macro, const struct g_words *row, size_t n, int live_only)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < n; i++) {
		if (live_only && strcmp(row[i].extra, "LIVE"))
			continue;
		printf(".It %s %s\n", macro, row[i].r.name);
		if (live_only)
			sentence(row[i].text[EN]);
		else
			capital_sentence(row[i].text[EN]);
	}
	puts(".El");
}

static void exit_status(void)
{
	puts(".Sh EXIT STATUS\n.Bl -tag -width Ds");
	for (char code = '0'; code <= '9'; code++) {
		size_t n = 0;

		for (size_t i = 0; i < g_exits_n; i++) {
			if (g_exits[i].extra[0] != code)
				continue;
			if (!n++)
				printf(".It %c\n", code);
			capital_sentence(g_exits[i].text[EN]);
		}
	}
	puts(".El");
}

void gen_man(int lang)
{
	(void)lang;
	puts(".\\\" SPDX-License-Identifier: Apache-2.0\n"
	     ".\\\" Made by ksgen from src/tables; edit the rows there, not this.\n"
	     ".Dd November 30, 2026\n.Dt KERNOSCOPE 1\n.Os\n.Sh NAME\n.Nm kernoscope\n"
	     ".Nd what GPU kernels cost, without hardware counters\n.Sh SYNOPSIS\n.Nm\n"
	     ".Op Ar options\n.Fl Fl ks\\-sqlite Ar run.sqlite\n.Nm\n.Cm report\n.Op Ar options\n"
	     ".Ar file\n.Nm\n.Cm explain\n.Ar metric Ns Op @ Ns Ar kernel\n.Ar file\n.Sh "
	     "DESCRIPTION\n"
	     "Reads a recorded trace of a CUDA program and says which kernels take the time, in "
	     "which\n"
	     "launch configurations, and what limits their occupancy, on which device, process "
	     "and\n"
	     "stream.\n.Pp\n"
	     "Every number names its provenance.\n"
	     "What cannot be known is a refusal with a code, what was seen, what was needed, and "
	     "what to do;\n"
	     "it is never a guess and never zero.\n.Pp\n"
	     "The result goes to standard output, everything else to standard error.");
	commands();
	options();
	inert_options();
	puts(".Sh PROVENANCE");
	words("Em", g_provs, g_provs_n, 0);
	puts(".Sh ENVIRONMENT");
	words("Ev", g_envs, g_envs_n, 1);
	exit_status();
	puts(".Pp\nFiner causes are a field of the JSON error envelope.");
	puts(".Sh EXAMPLES\n"
	     "Record a program, export the recording, analyse it:\n.Bd -literal -offset indent\n"
	     "nsys profile \\-\\-trace=cuda,nvtx \\-o run ./program\n"
	     "nsys export \\-\\-type sqlite \\-o run.sqlite run.nsys\\-rep\n"
	     "kernoscope \\-\\-ks\\-sqlite run.sqlite\n.Ed\n.Pp\n"
	     "Where a number comes from:\n.Bd -literal -offset indent\n"
	     "kernoscope explain gpu__time_duration.sum run.sqlite\n.Ed\n.Pp\n"
	     "A packet for an agent, at most 4096 bytes:\n.Bd -literal -offset indent\n"
	     "kernoscope \\-\\-ks\\-sqlite run.sqlite \\-\\-packet \\-\n.Ed\n.Sh SEE ALSO\n"
	     "The documents in\n.Pa docs/reference\n"
	     "list every metric, refusal, option, section, verdict, architecture and limit.");
}
