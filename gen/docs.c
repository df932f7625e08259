/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes docs/reference: one Markdown document per table and language. States nothing that is not a
 * column of a row.
 */
#include <stdio.h>
#include <string.h>

#include "rows.h"

static const char *say(int lang, const char *en, const char *zh)
{
	return lang == ZH ? zh : en;
}

void g_cell(const char *text)
{
	for (; *text; text++) {
		if (*text == '|' || *text == '<')
			putchar('\\');
		putchar(*text);
	}
}

void g_title(int lang, const char *en, const char *zh)
{
	printf("# %s\n\n", say(lang, en, zh));
	puts(say(
		lang,
		"Made by `make gen` from the rows in `src/tables`; change a row there, then run it "
		"again.\n",
		"由 `make gen` 从 `src/tables` 的行生成；请修改那里的行，再重新生成。\n"));
}

static void state_legend(int lang)
{
	puts(say(lang,
		 "State: *live* works in this version; *planned* is reserved, and answers with its "
		 "refusal or says that it is not in this version.\n",
		 "状态：*live* 表示此版本可用；*planned* "
		 "表示已保留名称，以相应的拒答作答或说明此版本不含。\n"));
}

static void code(const char *text)
{
	if (*text)
		printf("`%s`", text);
}

/* The refusal that a row answers with, as a link into refusals.md. */
static void refusal_link(int lang, const char *id)
{
	const struct g_refusal *r = g_refusal_by_id(id);

	if (r)
		printf("[`%s`](refusals%s.md#%s)", r->r.name, say(lang, "", ".zh-CN"), r->r.name);
}

static void metric_row(int lang, const struct g_metric *m)
{
	char prov[64], owner[64], state[64];

	printf("| `%s` | %s | %s | %s | %s | ", m->r.name, g_unit_symbol(m->unit),
	       g_lower(m->prov, prov), g_lower(m->owner, owner), g_lower(m->state, state));
	refusal_link(lang, m->refusal);
	printf(" | ");
	g_cell(m->text[lang]);
	printf(" | `");
	for (const char *p = m->formula; *p; p++)
		putchar(*p == '|' ? '/' : *p);
	puts("` |");
}

void ref_metrics(int lang)
{
	g_title(lang, "Metrics", "指标");
	state_legend(lang);
	puts(say(lang,
		 "`{N}`, `{C}` and the like stand for a device, a configuration and so on. The "
		 "refusal is "
		 "what a planned row, and a row without any value, answers with.\n",
		 "`{N}`、`{C}` 等代表设备、启动配置等。拒答一列是 planned "
		 "的行以及从不给数的行的回答。\n"));
	for (size_t s = 0; s < g_sections_n; s++) {
		printf("## %s\n\n", g_sections[s].r.name);
		if (strcmp(g_sections[s].r.name, g_sections[s].title[lang]) != 0)
			printf("%s%s\n\n", g_sections[s].title[lang], say(lang, ".", "。"));
		puts(say(lang,
			 "| name | unit | provenance | owner | state | refusal | meaning | how it "
			 "is made |",
			 "| 名称 | 单位 | 来源等级 | 归属 | 状态 | 拒答 | 含义 | 算法 |"));
		puts("| --- | --- | --- | --- | --- | --- | --- | --- |");
		for (size_t i = 0; i < g_metrics_n; i++) {
			if (!strcmp(g_metrics[i].section, g_sections[s].r.id))
				metric_row(lang, &g_metrics[i]);
		}
		putchar('\n');
	}
}

/* For scripts: name, state, provenance, section, owner, kind, separated by tabs. */
void list_metrics(int lang)
{
	(void)lang;
	for (size_t i = 0; i < g_metrics_n; i++) {
		const struct g_metric *m = &g_metrics[i];

		printf("%s\t%s\t%s\t%s\t%s\t%s\n", m->r.name, m->state, m->prov, m->section,
		       m->owner, m->kind);
	}
}

static void cost_words(int lang, const struct g_refusal *r)
{
	if (!strcmp(r->cost, "IMPOSSIBLE"))
		printf("%s",
		       say(lang, "the number itself cannot be had here", "这个数本身在这里得不到"));
	else if (!strcmp(r->cost, "MANUAL"))
		printf("%s", say(lang, "by hand", "人工处理"));
	else
		printf("%s s", r->seconds);
}

/* As help shows it, where no run fills the places. */
static void command_words(const char *c)
{
	static const char *const hole[][2] = { { "{input}", "--ks-sqlite run.sqlite" },
					       { "{kernel}", "NAME" },
					       { "{device}", "N" } };

	while (*c) {
		size_t i = 0;

		while (i < 3 && strncmp(c, hole[i][0], strlen(hole[i][0])))
			i++;
		if (i == 3) {
			putchar(*c++);
			continue;
		}
		fputs(hole[i][1], stdout);
		c += strlen(hole[i][0]);
	}
}

void ref_refusals(int lang)
{
	g_title(lang, "Refusals", "拒答码");
	state_legend(lang);
	puts(say(lang,
		 "A refusal is the honest answer \"no number\": what was seen, what was needed, "
		 "what to do "
		 "and what that costs.\n",
		 "拒答是如实地说“没有数值”：看到了什么、需要什么、该做什么、代价多大。\n"));
	for (size_t i = 0; i < g_refusals_n; i++) {
		const struct g_refusal *r = &g_refusals[i];
		char state[64], sev[64];

		printf("## %s\n\n%s%s\n\n", r->r.name, r->title[lang], say(lang, ".", "。"));
		printf("- %s%s%s\n", say(lang, "Do: ", "办法："), r->action[lang],
		       say(lang, ".", "。"));
		if (*r->command && strcmp(r->offer, "LATER")) {
			printf("- %s`", say(lang, "Command: ", "命令："));
			command_words(r->command);
			puts("`");
		}
		printf("- %s", say(lang, "Cost: ", "代价："));
		cost_words(lang, r);
		putchar('\n');
		if (*r->answers)
			printf("- %s`%s`\n", say(lang, "Then answers: ", "随后可回答："),
			       r->answers);
		printf("- %s%s\n", say(lang, "Severity: ", "严重程度："),
		       g_lower(r->severity, sev));
		printf("- %s%s\n\n", say(lang, "State: ", "状态："), g_lower(r->state, state));
	}
}

static void option_row(int lang, const struct g_option *o)
{
	char state[64], ncu[64];

	printf("| `--%s`", o->r.name);
	if (strcmp(o->short_name, "0"))
		printf(", `-%c`", o->short_name[1]);
	printf(" | ");
	g_cell(o->metavar);
	printf(" | ");
	code(o->deflt);
	printf(" | %s | %s | ", g_lower(o->ncu, ncu), g_lower(o->state, state));
	if (*o->commands)
		printf("%s: ", o->commands);
	g_cell(o->help[lang]);
	puts(" |");
}

static void option_extras(int lang)
{
	printf("## %s\n\n", say(lang, "Commands", "子命令"));
	puts(say(lang, "| command | state | meaning |", "| 命令 | 状态 | 含义 |"));
	puts("| --- | --- | --- |");
	for (size_t i = 0; i < g_commands_n; i++) {
		char state[64];

		printf("| `");
		for (const char *p = g_commands[i].usage; *p; p++)
			printf(*p == '|' ? "\\|" : "%c", *p);
		printf("` | %s | %s |\n", g_lower(g_commands[i].state, state),
		       g_commands[i].help[lang]);
	}
	printf("\n## %s\n\n", say(lang, "Exit codes", "退出码"));
	puts(say(lang, "| code | cause | meaning |", "| 码 | 原因词 | 含义 |"));
	puts("| --- | --- | --- |");
	for (size_t i = 0; i < g_exits_n; i++)
		printf("| %s | `%s` | %s |\n", g_exits[i].extra, g_exits[i].r.name,
		       g_exits[i].text[lang]);
	printf("\n## %s\n\n", say(lang, "Environment", "环境变量"));
	puts(say(lang, "| variable | state | use |", "| 变量 | 状态 | 用途 |"));
	puts("| --- | --- | --- |");
	for (size_t i = 0; i < g_envs_n; i++) {
		char state[64];

		printf("| `%s` | %s | %s |\n", g_envs[i].r.name, g_lower(g_envs[i].extra, state),
		       g_envs[i].text[lang]);
	}
}

void ref_options(int lang)
{
	g_title(lang, "Options, commands, exit codes, environment",
		"选项、子命令、退出码与环境变量");
	state_legend(lang);
	puts(say(lang,
		 "ncu: *real* means what it means in ncu; *mapped* does the nearest thing; *inert* "
		 "is "
		 "accepted without effect; *ours* is not an option of ncu.\n",
		 "ncu 一列：*real* 与 ncu 含义相同；*mapped* 为最接近的做法；*inert* "
		 "接受但无作用；*ours* 为本工具自有。\n"));
	for (size_t g = 0; g < g_groups_n; g++) {
		printf("## %s\n\n", g_groups[g].text[lang]);
		puts(say(lang, "| option | value | default | ncu | state | meaning |",
			 "| 选项 | 取值 | 默认 | ncu | 状态 | 含义 |"));
		puts("| --- | --- | --- | --- | --- | --- |");
		for (size_t i = 0; i < g_options_n; i++) {
			if (!strcmp(g_options[i].group, g_groups[g].r.id))
				option_row(lang, &g_options[i]);
		}
		putchar('\n');
	}
	option_extras(lang);
}

static int in_set(const char *smallest, const char *set)
{
	static const char *const order[] = { "FULL", "DETAILED", "BASIC" };
	size_t have = 0, want = 0;

	if (!strcmp(smallest, "ALWAYS"))
		return 1;
	for (size_t i = 0; i < 3; i++) {
		have = strcmp(order[i], smallest) ? have : i;
		want = strcmp(order[i], set) ? want : i;
	}
	return have >= want;
}

void ref_sections(int lang)
{
	g_title(lang, "Sections", "Section");
	puts(say(lang,
		 "| section | title | basic | detailed | full | owner | refusal of the whole "
		 "section |",
		 "| section | 标题 | basic | detailed | full | 归属 | 整节的拒答 |"));
	puts("| --- | --- | --- | --- | --- | --- | --- |");
	for (size_t i = 0; i < g_sections_n; i++) {
		const struct g_section *s = &g_sections[i];
		char owner[64];

		printf("| `%s` | %s | %s | %s | %s | %s | ", s->r.name, s->title[lang],
		       in_set(s->set, "BASIC") ? "✓" : "", in_set(s->set, "DETAILED") ? "✓" : "",
		       in_set(s->set, "FULL") ? "✓" : "", g_lower(s->owner, owner));
		refusal_link(lang, s->needs);
		puts(" |");
	}
}

void ref_verdicts(int lang)
{
	g_title(lang, "Verdicts and premises", "结论与前提");
	state_legend(lang);
	puts(say(lang, "| verdict | unit | state | meaning |", "| 结论 | 单位 | 状态 | 含义 |"));
	puts("| --- | --- | --- | --- |");
	for (size_t i = 0; i < g_verdicts_n; i++) {
		const struct g_verdict *v = &g_verdicts[i];
		char state[64];

		printf("| `%s` | %s | %s | %s |\n", v->r.name, g_unit_symbol(v->unit),
		       g_lower(v->state, state), v->phrase[lang]);
	}
	putchar('\n');
	puts(say(lang, "| premise | unit | when it fails | meaning |",
		 "| 前提 | 单位 | 不成立时 | 含义 |"));
	puts("| --- | --- | --- | --- |");
	for (size_t i = 0; i < g_premises_n; i++) {
		const struct g_premise *p = &g_premises[i];

		printf("| `%s` | %s | ", p->r.name, g_unit_symbol(p->unit));
		refusal_link(lang, p->refusal);
		printf(" | %s |\n", p->label[lang]);
	}
	printf("\n## %s\n\n", say(lang, "Provenance", "来源等级"));
	for (size_t i = 0; i < g_provs_n; i++)
		printf("- **%s**: %s\n", g_provs[i].r.name, g_provs[i].text[lang]);
}

void ref_archs(int lang)
{
	g_title(lang, "Architectures", "架构");
	puts(say(
		lang,
		"Limits of one SM, used for occupancy when the trace does not state them. An "
		"architecture "
		"that is not here is refused with `unknown_arch`; no neighbour stands in for it.\n",
		"单个 SM 的资源上限，在 trace 未给出时用于占用率计算。表中没有的架构以 "
		"`unknown_arch` 拒答，不用相近架构代替。\n"));
	puts(say(lang,
		 "| cc | family | threads | warps | blocks | registers per SM / block | shared "
		 "memory per SM / "
		 "block, reserved, step | sub-partitions | barriers |",
		 "| cc | 系列 | 线程 | warp | 线程块 | 寄存器 每 SM / 每块 | 共享内存 每 SM / "
		 "每块，保留，粒度 | 子分区 | barrier |"));
	puts("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
	for (size_t i = 0; i < g_archs_n; i++) {
		const struct g_arch *a = &g_archs[i];

		printf("| %d.%d | %s | %d | %d | %d | %d / %d | %d / %d, %d, %d | %d | ", a->major,
		       a->minor, a->r.name, a->threads, a->warps, a->blocks, a->regs_sm,
		       a->regs_block, a->smem_sm, a->smem_optin, a->smem_reserved, a->smem_gran,
		       a->parts);
		if (a->barriers)
			printf("%d", a->barriers * a->blocks);
		puts(" |");
	}
}

void ref_limits(int lang)
{
	g_title(lang, "Limits", "限制");
	puts(say(lang, "| limit | value | unit | why |", "| 名称 | 值 | 单位 | 原因 |"));
	puts("| --- | --- | --- | --- |");
	for (size_t i = 0; i < g_limits_n; i++) {
		const struct g_limit *l = &g_limits[i];
		char name[64], unit[64];

		printf("| %s | %s | %s | %s |\n", g_lower(l->r.name, name), l->value,
		       g_lower(l->unit, unit), l->why[lang]);
	}
}

/* "KS_NEEDS_CALLS | KS_NEEDS_NODES" as "calls, nodes". */
static void needs(const char *bits)
{
	static const char prefix[] = "KS_NEEDS_";

	for (int more = 0; (bits = strstr(bits, prefix)) != NULL; more = 1) {
		char word[64], lower[64];
		size_t n;

		bits += sizeof(prefix) - 1;
		n = strcspn(bits, " |");
		snprintf(word, sizeof(word), "%.*s", (int)n, bits);
		printf("%s%s", more ? ", " : "", g_lower(word, lower));
	}
}

void ref_findings(int lang)
{
	g_title(lang, "Findings", "发现");
	puts(say(lang,
		 "Known bad patterns, in the order in which they claim a device's time: a "
		 "nanosecond "
		 "belongs to the first that it fits. `kernoscope help findings` says how they are "
		 "told, `--ks-rule` changes them.\n",
		 "已知的不良模式，按占用设备时间的先后排列：每一纳秒只属于最先符合的一项。判定方式"
		 "见 "
		 "`kernoscope help findings`，可用 `--ks-rule` 修改。\n"));
	puts(say(lang,
		 "| rule | its time | needs | least share of the span | bound | what it is | what "
		 "to do |",
		 "| 规则 | 所指时间 | 需要 | 最低跨度占比 | 上界 | 含义 | 怎么办 |"));
	puts("| --- | --- | --- | --- | --- | --- | --- |");
	for (size_t i = 0; i < g_rules_n; i++) {
		const struct g_rule *r = &g_rules[i];
		char kind[64], code[64];
		const int bound = strcmp(r->no_bound, "NONE") == 0;

		printf("| `%s` | %s | ", r->r.name, g_lower(r->kind, kind));
		needs(r->needs);
		printf(" | %g %% | %s | %s | %s |\n", r->least_pct,
		       bound ? say(lang, "its time", "即其时间") : g_lower(r->no_bound, code),
		       r->title[lang], r->remedy[lang]);
	}
}

void ref_formats(int lang)
{
	g_title(lang, "Formats, units and ncu names", "格式、单位与 ncu 名称");
	state_legend(lang);
	puts(say(lang, "| format | state | meaning |", "| 格式 | 状态 | 含义 |"));
	puts("| --- | --- | --- |");
	for (size_t i = 0; i < g_formats_n; i++) {
		char state[64];

		printf("| `%s` | %s | %s |\n", g_formats[i].r.name,
		       g_lower(g_formats[i].state, state), g_formats[i].help[lang]);
	}
	printf("\n## %s\n\n", say(lang, "Units", "单位"));
	puts(say(lang, "| unit | factor | dimension | meaning |", "| 单位 | 因子 | 量纲 | 含义 |"));
	puts("| --- | --- | --- | --- |");
	for (size_t i = 0; i < g_units_n; i++) {
		char dim[64];

		printf("| %s | %s | %s | %s |\n", g_units[i].r.name, g_units[i].factor,
		       g_lower(g_units[i].dimension, dim), g_units[i].meaning[lang]);
	}
	printf("\n## %s\n\n", say(lang, "Names of Nsight Compute", "Nsight Compute 的名称"));
	puts(say(lang, "| ncu name | kind | ours | what differs |",
		 "| ncu 名称 | 类型 | 我们的名称 | 差别 |"));
	puts("| --- | --- | --- | --- |");
	for (size_t i = 0; i < g_ncus_n; i++) {
		char kind[64];

		printf("| `%s` | %s | ", g_ncus[i].r.name, g_lower(g_ncus[i].kind, kind));
		code(g_ncus[i].ours);
		printf(" | %s |\n", g_ncus[i].caliber[lang]);
	}
}
