/* SPDX-License-Identifier: Apache-2.0
 *
 * The nearest name for a wrong one. Only the tables are asked; NULL when nothing is near.
 */
#ifndef KS_CMD_SUGGEST_H
#define KS_CMD_SUGGEST_H

#include "cmd/options.h"
#include "tables/printed.h"

/* Among the options of a command; `word` is without dashes. */
const char *ks_suggest_option(const struct ks_opt_spec *spec, const char *word);
/* One slip away (a letter too many, too few, wrong, or two swapped) from the name of a command. */
const char *ks_suggest_command(const char *word);
const char *ks_suggest_section(ks_str word);
const char *ks_suggest_metric(ks_str word); /* ours and ncu's */
const char *ks_suggest_format(const char *word);
const char *ks_suggest_printed(enum ks_printed_kind kind, const char *word);
const char *ks_suggest_topic(const char *word); /* of `help`: any name of these tables */

#endif
