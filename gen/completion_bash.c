/* SPDX-License-Identifier: Apache-2.0
 *
 * The completion for bash. Offers what works in this version, and nothing else; needs no package of
 * completions.
 */
#include "completion.h"

#include <string.h>

static void bash_call(FILE *out, const struct g_complete *row)
{
	if (!strcmp(row->kind, "FOLDER")) {
		fputs("_kernoscope_files -d ", out);
	} else if (g_is_files(row)) {
		fputs("_kernoscope_files '", out);
		g_separated(out, row->arg, ' ', "|");
		fputs("'", out);
	} else {
		fprintf(out, "_kernoscope_%s '", g_is_list(row) ? "list" : "words");
		g_names(out, row, " ");
		fputs("'", out);
	}
}

static void bash_value(FILE *out, const struct g_option *o, const char *command)
{
	struct g_complete made;
	const struct g_complete *row = g_value_row(o, command, &made);
	const char *who = *command ? command : "*";

	fprintf(out, "\t%s:--%s", who, o->r.name);
	if (strcmp(o->short_name, "0"))
		fprintf(out, " | %s:-%c", who, o->short_name[1]);
	fputs(g_is_optional(o) ? ") [[ -n $joined ]] || return 1; " : ") ", out);
	if (row)
		bash_call(out, row);
	else
		fputs(":", out);
	fputs(" ;;\n", out);
}

static void bash_values(FILE *out)
{
	fputs("# What may follow option $2 of command $1; fails for an option without a value.\n"
	      "_kernoscope_value() {\n\tcase $1:$2 in\n",
	      out);
	for (size_t i = 0; i < g_options_n; i++) {
		const struct g_option *o = &g_options[i];

		if (!g_live(o->state) || !strcmp(o->arg, "NONE"))
			continue;
		for (size_t c = 0; c < g_commands_n; c++)
			if (g_live(g_commands[c].state) && g_value_is_own(o, g_commands[c].r.name))
				bash_value(out, o, g_commands[c].r.name);
		bash_value(out, o, "");
	}
	fputs("\t*) return 1 ;;\n\tesac\n}\n\n", out);
}

static void bash_options(FILE *out)
{
	fputs("# The options of a command; `main` is the program itself.\n"
	      "_kernoscope_options() {\n\tcase $1 in\n",
	      out);
	for (size_t c = 0; c <= g_commands_n; c++) {
		const char *command = c < g_commands_n ? g_commands[c].r.name : "";
		size_t n = 0;

		if (c < g_commands_n && !g_live(g_commands[c].state))
			continue;
		fprintf(out, "\t%s) _kernoscope_words '", *command ? command : "main");
		for (size_t i = 0; i < g_options_n; i++) {
			if (!g_option_shown(&g_options[i], command))
				continue;
			fprintf(out, "%s--%s", n++ ? " " : "", g_options[i].r.name);
			if (strcmp(g_options[i].short_name, "0"))
				fprintf(out, " -%c", g_options[i].short_name[1]);
		}
		fputs("' ;;\n", out);
	}
	fputs("\tesac\n}\n\n", out);
}

static void bash_words(FILE *out)
{
	fputs("# What a command's word number $2 may be.\n"
	      "_kernoscope_word() {\n\tcase $1:$2 in\n",
	      out);
	for (size_t c = 0; c < g_commands_n; c++) {
		const struct g_complete *row;

		for (size_t at = 0; g_live(g_commands[c].state) &&
				    (row = g_word_row(g_commands[c].r.name, at)) != NULL;
		     at++) {
			fprintf(out, "\t%s:%zu) ", g_commands[c].r.name, at);
			bash_call(out, row);
			fputs(" ;;\n", out);
		}
	}
	fputs("\t*) _kernoscope_options \"$1\" ;;\n\tesac\n}\n\n", out);
}

static const char bash_head[] =
	"# bash completion of kernoscope: source this file, or put it where bash-completion "
	"looks.\n"
	"# SPDX-License-Identifier: Apache-2.0\n"
	"# Made by ksgen from src/tables; edit the rows there, not this.\n\n"
	"_kernoscope_words() {\n"
	"\tlocal IFS=$' \\n'\n"
	"\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
	"}\n\n"
	"# Several names with commas between: the last one is completed.\n"
	"_kernoscope_list() {\n"
	"\tlocal before= last=$cur i IFS=$' \\n'\n"
	"\t[[ $cur == *,* ]] && before=${cur%,*}, last=${cur##*,}\n"
	"\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$last\")\n"
	"\tfor i in \"${!COMPREPLY[@]}\"; do COMPREPLY[i]=$before${COMPREPLY[i]}; done\n"
	"\tcompopt -o nospace 2>/dev/null || :\n"
	"}\n\n"
	"# Folders, and files of the patterns: a|b. Without a pattern any file; -d: folders "
	"alone.\n"
	"_kernoscope_files() {\n"
	"\tlocal -a dirs files=() patterns\n"
	"\tlocal p\n"
	"\tIFS='|' read -ra patterns <<<\"$1\"\n"
	"\tmapfile -t dirs < <(compgen -d -- \"$cur\")\n"
	"\tif [[ -z $1 ]]; then\n"
	"\t\tmapfile -t files < <(compgen -f -- \"$cur\")\n"
	"\t\tdirs=()\n"
	"\telif [[ $1 != -d ]]; then\n"
	"\t\tfor p in \"${patterns[@]}\"; do mapfile -t -O ${#files[@]} files < <(compgen -f -X "
	"\"!$p\" -- "
	"\"$cur\"); done\n"
	"\tfi\n"
	"\tCOMPREPLY=(\"${dirs[@]}\" \"${files[@]}\")\n"
	"\tcompopt -o filenames 2>/dev/null || :\n"
	"}\n\n";

static const char bash_count[] = "\n"
				 "\twords=0\n"
				 "\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
				 "\t\tw=${COMP_WORDS[i]}\n"
				 "\t\tcase $w in\n"
				 "\t\t-*)\n"
				 "\t\t\tif [[ ${COMP_WORDS[i + 1]} == = ]]; then\n"
				 "\t\t\t\ti=$((i + 2))\n"
				 "\t\t\telif [[ \" $takes_value \" == *\" $w \"* ]]; then\n"
				 "\t\t\t\ti=$((i + 1))\n"
				 "\t\t\tfi\n"
				 "\t\t\t;;\n"
				 "\t\t*) words=$((words + 1)) ;;\n"
				 "\t\tesac\n"
				 "\tdone\n"
				 "}\n\n";

static const char bash_main[] =
	"\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=main "
	"words joined=\n"
	"\tCOMPREPLY=()\n"
	"\t# --option=value arrives as three words\n"
	"\tif [[ $cur == = ]]; then\n"
	"\t\tcur= joined=yes\n"
	"\telif [[ $prev == = && COMP_CWORD -gt 2 ]]; then\n"
	"\t\tprev=${COMP_WORDS[COMP_CWORD - 2]} joined=yes\n"
	"\tfi\n"
	"\t# the command is the first word and nothing else\n"
	"\tif [[ COMP_CWORD -gt 1 && \" $commands \" == *\" ${COMP_WORDS[1]} \"* ]]; then\n"
	"\t\tcommand=${COMP_WORDS[1]}\n"
	"\tfi\n"
	"\tif [[ $prev == -* ]] && _kernoscope_value \"$command\" \"$prev\"; then\n"
	"\t\t:\n"
	"\telif [[ $cur == -* ]]; then\n"
	"\t\t_kernoscope_options \"$command\"\n"
	"\telif ((COMP_CWORD == 1)); then\n"
	"\t\t_kernoscope_words \"$commands\"\n"
	"\telse\n"
	"\t\t_kernoscope_count\n"
	"\t\t_kernoscope_word \"$command\" \"$words\"\n"
	"\tfi\n"
	"}\n\n"
	"complete -F _kernoscope kernoscope\n";

void g_bash(FILE *out)
{
	fputs(bash_head, out);
	bash_values(out);
	bash_options(out);
	bash_words(out);
	fputs("# Counts the words of the command before the cursor that are no options and no "
	      "values "
	      "of options.\n_kernoscope_count() {\n\tlocal i w takes_value='",
	      out);
	g_value_options(out, " ");
	fputs("'", out);
	fputs(bash_count, out);
	fputs("_kernoscope() {\n\tlocal commands='", out);
	g_command_names(out, " ");
	fputs("'", out);
	fputs(bash_main, out);
}
