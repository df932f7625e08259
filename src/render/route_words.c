/* SPDX-License-Identifier: Apache-2.0
 *
 * How columns of the tables look on a terminal. Knows no table.
 */
#include "render/route_words.h"

#include "base/str.h"
#include "tables/tables.h"

#define TEXT_BYTES 8192 /* of a command or a list of names */

ks_str ks_words_in(const struct ks_pen *p, const char *const text[2])
{
	return ks_str_c(text[p->lang == KS_LANG_ZH]);
}

static ks_str keep(struct ks_pen *p, struct ks_buf *b)
{
	const ks_str s = ks_buf_keep(b, p->tmp);

	ks_buf_release(b);
	return s;
}

ks_str ks_words_command(struct ks_pen *p, const char *command)
{
	struct ks_buf b;

	ks_buf_init(&b, TEXT_BYTES);
	ks_command_fill(&b, command, &(struct ks_command_words){ .input = KS_LIT("") });
	return keep(p, &b);
}

ks_str ks_words_task(struct ks_pen *p, enum ks_task id, ks_str name)
{
	struct ks_buf b;

	ks_buf_init(&b, TEXT_BYTES);
	ks_task_command(&b, id, name);
	return keep(p, &b);
}

ks_str ks_words_spaced(struct ks_pen *p, const char *commas)
{
	struct ks_buf b;

	ks_buf_init(&b, TEXT_BYTES);
	for (const char *c = commas; *c != '\0'; c++) {
		ks_buf_ch(&b, *c);
		if (*c == ',')
			ks_buf_ch(&b, ' ');
	}
	return keep(p, &b);
}

void ks_words_entry(struct ks_pen *p, const struct ks_words_row *row, const char *name,
		    ks_str sentence)
{
	const ks_str n = ks_str_c(name);
	const size_t cols = n.n + 1 > row->cols ? n.n + 1 : row->cols;

	ks_pen_spaces(p, row->indent);
	ks_pen_cell(p, row->style, n, cols, false);
	ks_pen_wrap(p,
		    &(struct ks_wrap){ .style = KS_STYLE_PLAIN,
				       .at = row->indent + cols,
				       .hang = row->indent + row->cols },
		    sentence);
}
