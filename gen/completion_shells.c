/* SPDX-License-Identifier: Apache-2.0
 *
 * The completions for zsh and fish. Offers what works in this version, and nothing else.
 */
#include "completion.h"

#include <string.h>

/* --- zsh
 * -------------------------------------------------------------------------------------------------
 */

/* A text inside a specification of _arguments that stands in single quotes. */
static void zsh_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else if (strchr("[]:\\", *text))
			fprintf(out, "\\%c", *text);
		else
			putc(*text, out);
	}
}

static void zsh_action(FILE *out, const struct g_complete *row)
{
	if (!row || !strcmp(row->kind, "NOTHING")) {
		putc(' ', out);
	} else if (!strcmp(row->kind, "FOLDER")) {
		fputs("_files -/", out);
	} else if (!strcmp(row->kind, "FILES")) {
		fputs("_files -g \"", out);
		fputs(row->arg, out);
		fputs("\"", out);
	} else if (g_is_files(row)) {
		fputs("_files", out);
	} else {
		if (g_is_list(row))
			fputs("_sequence -s , compadd - ", out);
		else
			putc('(', out);
		g_names(out, row, " ");
		fputs(g_is_list(row) ? "" : ")", out);
	}
}

static void zsh_option(FILE *out, const struct g_option *o, const char *command)
{
	struct g_complete made;
	const int value = strcmp(o->arg, "NONE") != 0, brief = strcmp(o->short_name, "0") != 0;
	const int repeat = strstr(o->flags, "REPEAT") != NULL;
	const int optional = g_is_optional(o); /* only behind "=" */

	for (int form = 0; form <= brief; form++) {
		fputs("\t\t'", out);
		if (repeat)
			putc('*', out);
		else if (brief)
			fprintf(out, "(--%s -%c)", o->r.name, o->short_name[1]);
		if (form)
			fprintf(out, "-%c%s[", o->short_name[1], value ? "+" : "");
		else
			fprintf(out, "--%s%s%s[", o->r.name, value ? "=" : "", optional ? "-" : "");
		zsh_text(out, o->help[EN]);
		putc(']', out);
		if (value) {
			fputs(optional ? "::" : ":", out);
			zsh_text(out, strcmp(o->arg, "CHOICE") ? o->metavar : "choice");
			putc(':', out);
			zsh_action(out, g_value_row(o, command, &made));
		}
		fputs("'\n", out);
	}
}

static void zsh_arguments(FILE *out, const char *command)
{
	const struct g_complete *row;
	size_t at = 0;

	fprintf(out, "_kernoscope_%s() {\n\tlocal -a spec=(\n", *command ? command : "main");
	for (size_t i = 0; i < g_options_n; i++)
		if (g_option_shown(&g_options[i], command))
			zsh_option(out, &g_options[i], command);
	for (; *command && (row = g_word_row(command, at)) != NULL; at++) {
		fprintf(out, "\t\t'%zu:%s:", at + 1, g_is_files(row) ? "file" : "name");
		zsh_action(out, row);
		fputs("'\n", out);
	}
	fputs("\t)\n\t_arguments -s -S $spec\n}\n\n", out);
}

void g_zsh(FILE *out)
{
	fputs("#compdef kernoscope\n"
	      "# SPDX-License-Identifier: Apache-2.0\n"
	      "# Made by ksgen from src/tables; edit the rows there, not this.\n\n",
	      out);
	zsh_arguments(out, "");
	for (size_t c = 0; c < g_commands_n; c++)
		if (g_live(g_commands[c].state))
			zsh_arguments(out, g_commands[c].r.name);
	fputs("_kernoscope() {\n\tlocal -a commands=(\n", out);
	for (size_t c = 0; c < g_commands_n; c++) {
		if (!g_live(g_commands[c].state))
			continue;
		fprintf(out, "\t\t'%s:", g_commands[c].r.name);
		zsh_text(out, g_commands[c].help[EN]);
		fputs("'\n", out);
	}
	fputs("\t)\n"
	      "\tif ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
	      "\t\t_describe -t commands command commands\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\t# the command is the first word and nothing else\n"
	      "\tif ((CURRENT > 2 && ${commands[(I)$words[2]:*]})); then\n"
	      "\t\tlocal name=$words[2]\n"
	      "\t\tshift words\n"
	      "\t\t((CURRENT--))\n"
	      "\t\t_kernoscope_$name\n"
	      "\telse\n"
	      "\t\t_kernoscope_main\n"
	      "\tfi\n"
	      "}\n\n"
	      "# also when this file is sourced and not found by its name\n"
	      "if [[ ${funcstack[1]-} == _kernoscope ]]; then\n"
	      "\t_kernoscope \"$@\"\n"
	      "else\n"
	      "\tcompdef _kernoscope kernoscope\n"
	      "fi\n",
	      out);
}

/* --- fish
 * ------------------------------------------------------------------------------------------------
 */

static void fish_text(FILE *out, const char *text)
{
	putc('\'', out);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
	putc('\'', out);
}

static void fish_value(FILE *out, const struct g_complete *row, int optional)
{
	if (!row || !strcmp(row->kind, "NOTHING")) {
		fputs(" -x", out);
	} else if (!strcmp(row->kind, "FOLDER")) {
		fputs(" -x -a '(__fish_complete_directories)'", out);
	} else if (!strcmp(row->kind, "FILES")) {
		fputs(" -x -a '(__kernoscope_files", out);
		for (const char *p = row->arg; *p; p++) {
			if (*p == '*')
				putc(' ', out);
			else if (*p != ' ')
				putc(*p, out);
		}
		fputs(")'", out);
	} else if (g_is_files(row)) {
		fputs(" -r -F", out);
	} else if (g_is_list(row)) {
		fputs(" -x -a '(__kernoscope_list ", out);
		g_names(out, row, " ");
		fputs(")'", out);
	} else {
		fputs(optional ? " -a '" : " -x -a '", out);
		g_names(out, row, " ");
		fputs("'", out);
	}
}

/* One line for the commands whose values are the general ones (`own` empty), or for the one whose
 * are not. */
static void fish_option(FILE *out, const struct g_option *o, const char *own)
{
	struct g_complete made;

	fputs("complete -c kernoscope -n '__kernoscope_is", out);
	if (*own)
		fprintf(out, " %s", own);
	else if (g_option_of(o, ""))
		fputs(" main", out);
	for (size_t c = 0; !*own && c < g_commands_n; c++) {
		const char *name = g_commands[c].r.name;

		if (g_live(g_commands[c].state) && g_option_of(o, name) && !g_value_is_own(o, name))
			fprintf(out, " %s", name);
	}
	fprintf(out, "' -l %s", o->r.name);
	if (strcmp(o->short_name, "0"))
		fprintf(out, " -s %c", o->short_name[1]);
	if (strcmp(o->arg, "NONE"))
		fish_value(out, g_value_row(o, own, &made), g_is_optional(o));
	fputs(" -d ", out);
	fish_text(out, o->help[EN]);
	putc('\n', out);
}

static void fish_options(FILE *out)
{
	for (size_t i = 0; i < g_options_n; i++) {
		const struct g_option *o = &g_options[i];

		if (!g_live(o->state) || *o->alias || strstr(o->flags, "KS_OF_HIDDEN"))
			continue;
		fish_option(out, o, "");
		for (size_t c = 0; c < g_commands_n; c++)
			if (g_live(g_commands[c].state) && g_value_is_own(o, g_commands[c].r.name))
				fish_option(out, o, g_commands[c].r.name);
	}
}

static void fish_words(FILE *out)
{
	const struct g_complete *row;

	for (size_t c = 0; c < g_commands_n; c++) {
		if (!g_live(g_commands[c].state))
			continue;
		fprintf(out, "complete -c kernoscope -n '__kernoscope_first' -a %s -d ",
			g_commands[c].r.name);
		fish_text(out, g_commands[c].help[EN]);
		putc('\n', out);
		for (size_t at = 0; (row = g_word_row(g_commands[c].r.name, at)) != NULL; at++) {
			fprintf(out, "complete -c kernoscope -n '__kernoscope_at %s %zu'",
				g_commands[c].r.name, at);
			fish_value(out, row, 0);
			putc('\n', out);
		}
	}
}

void g_fish(FILE *out)
{
	fputs("# fish completion of kernoscope\n"
	      "# SPDX-License-Identifier: Apache-2.0\n"
	      "# Made by ksgen from src/tables; edit the rows there, not this.\n\n"
	      "function __kernoscope_first\n"
	      "\ttest (count (commandline -opc)) -eq 1\n"
	      "end\n\n"
	      "# The command, which is the first word and nothing else, or main.\n"
	      "function __kernoscope_command\n"
	      "\tset -l words (commandline -opc)\n"
	      "\tif contains -- \"$words[2]\"",
	      out);
	for (size_t c = 0; c < g_commands_n; c++)
		if (g_live(g_commands[c].state))
			fprintf(out, " %s", g_commands[c].r.name);
	fputs("\n\t\techo $words[2]\n"
	      "\telse\n"
	      "\t\techo main\n"
	      "\tend\n"
	      "end\n\n"
	      "function __kernoscope_is\n"
	      "\tcontains -- (__kernoscope_command) $argv\n"
	      "end\n\n"
	      "# Whether the cursor is at word number $argv[2] of command $argv[1].\n"
	      "function __kernoscope_at\n"
	      "\ttest (__kernoscope_command) = $argv[1]; or return 1\n"
	      "\tset -l takes_value ",
	      out);
	g_value_options(out, " ");
	fputs("\n\tset -l n 0\n"
	      "\tset -l skip 0\n"
	      "\tfor word in (commandline -opc)[3..-1]\n"
	      "\t\tif test $skip = 1\n"
	      "\t\t\tset skip 0\n"
	      "\t\telse if contains -- $word $takes_value\n"
	      "\t\t\tset skip 1\n"
	      "\t\telse if not string match -q -- '-*' $word\n"
	      "\t\t\tset n (math $n + 1)\n"
	      "\t\tend\n"
	      "\tend\n"
	      "\ttest $n = $argv[2]\n"
	      "end\n\n"
	      "# Files that end so, and folders.\n"
	      "function __kernoscope_files\n"
	      "\tset -l word (string replace -r -- '^--[^=]*=' '' (commandline -ct))\n"
	      "\tfor ending in $argv\n"
	      "\t\tset -l found $word*$ending\n"
	      "\t\tset -q found[1]; and printf '%s\\n' $found\n"
	      "\tend\n"
	      "\t__fish_complete_directories $word ''\n"
	      "end\n\n"
	      "# Several names with commas between: the last one is completed.\n"
	      "function __kernoscope_list\n"
	      "\tset -l word (string replace -r -- '^--[^=]*=' '' (commandline -ct))\n"
	      "\tset -l before (string replace -r -- '[^,]*$' '' $word)\n"
	      "\tprintf \"$before%s\\n\" $argv\n"
	      "end\n\n"
	      "complete -c kernoscope -f\n",
	      out);
	fish_words(out);
	fish_options(out);
}
