/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that the generator made from the tables and that the program prints as they are: JSON
 * Schemas and shell completions. The same bytes lie in schema/ and completions/.
 */
#ifndef KS_TABLES_PRINTED_H
#define KS_TABLES_PRINTED_H

#include "base/base.h"

struct ks_printed {
	const char *name; /* "packet", "bash" */
	ks_str text;
	const char *title[2]; /* one line for people, by ks_lang; "" for completions */
};

enum ks_printed_kind { KS_PRINTED_SCHEMA, KS_PRINTED_COMPLETION };

/* In the order of the table; NULL past the end. */
const struct ks_printed *ks_printed_at(enum ks_printed_kind kind, size_t i);
/* NULL when there is none of that name. */
const struct ks_printed *ks_printed_find(enum ks_printed_kind kind, const char *name);

#endif
