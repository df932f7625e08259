/* SPDX-License-Identifier: Apache-2.0
 *
 * The one record of what went wrong. Set once, where the fault is known; printed once, by main.
 * It holds a row of the text table and its arguments, not a finished sentence, so that the line can
 * be printed in either language. A refusal (no number, but the tool worked) is not an error.
 */
#ifndef KS_BASE_ERR_H
#define KS_BASE_ERR_H

#include "base/base.h"

#define KS_ERR_ARGS    4
#define KS_ERR_ARG_LEN 256
#define KS_ERR_WHERE   512

struct ks_err {
	enum ks_status status;
	int text; /* enum ks_text: an int here, because base is below tables */
	unsigned n_args;
	char arg[KS_ERR_ARGS][KS_ERR_ARG_LEN]; /* raw bytes, escaped when printed; cut with "..." */
	char where[KS_ERR_WHERE];	       /* the input or output it is about; "" if none */
	int64_t offset;			       /* byte or row in `where`; -1 if none */
};

/* The rows of base/text_base.def under the numbers that enum ks_text gives them: tables/text.def
 * puts that file first, behind NONE and LITERAL. */
enum ks_base_text {
	KS_BASE_TEXT_NONE,
	KS_BASE_TEXT_LITERAL,
#define KS_TEXT(id, en, zh) KS_BASE_TEXT_##id,
#include "base/text_base.def"
#undef KS_TEXT
	KS_BASE_TEXT_COUNT
};

/* Clears to KS_OK. */
void ks_err_init(struct ks_err *err);

/* Sets status and text; arguments are NULL-terminated C strings that fill {0}, {1}, ... of the
 * text. A second call keeps the first error (the place that knew first wins). Returns `status`.
 *     return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_NOT_SQLITE, path, NULL);
 * `err` may be NULL (status only). */
enum ks_status ks_err_set(struct ks_err *err, enum ks_status status, int text, ...)
	__attribute__((sentinel));

/* "ENOSPC" for 28; "errno N" for a number without a name. The same in every language. Returns out.
 */
const char *ks_err_errno(char out[32], int err_no);

/* Adds the place, if none is set yet. offset < 0: unknown. Returns err->status. A place is
 * only added to a failure: without an err, which nobody wanted to read, it is KS_E_INPUT, never
 * KS_OK. */
enum ks_status ks_err_at(struct ks_err *err, const char *where, int64_t offset);

#endif
