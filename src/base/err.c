/* SPDX-License-Identifier: Apache-2.0
 *
 * Records the first error and nothing after it. Prints nothing.
 */
#define KS_BASE_DOOR
#include "base/err.h"

#include <stdarg.h>

#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"

void ks_bug(const char *file, int line, const char *what)
{
	fprintf(stderr, "%s:%d: our own mistake: %s\n", file, line, what);
	abort();
}

void ks_err_init(struct ks_err *err)
{
	memset(err, 0, sizeof(*err));
	err->status = KS_OK;
	err->offset = -1;
}

static const char mark[] = "...";

/* Copies text into dst of cap bytes; what does not fit is replaced by "...", between code points.
 */
static void copy_cut(char *dst, size_t cap, const char *text)
{
	const ks_str s = ks_str_c(text);

	if (s.n < cap) {
		if (s.n > 0)
			memcpy(dst, s.p, s.n);
		dst[s.n] = '\0';
		return;
	}
	const size_t keep = ks_utf8_prefix(s, cap - sizeof(mark));

	memcpy(dst, s.p, keep);
	memcpy(dst + keep, mark, sizeof(mark));
}

enum ks_status ks_err_set(struct ks_err *err, enum ks_status status, int text, ...)
{
	if (!err || err->status != KS_OK)
		return status;
	ks_err_init(err);
	err->status = status;
	err->text = text;

	va_list ap;

	va_start(ap, text);
	for (const char *arg = va_arg(ap, const char *); arg && err->n_args < KS_ERR_ARGS;
	     arg = va_arg(ap, const char *))
		copy_cut(err->arg[err->n_args++], KS_ERR_ARG_LEN, arg);
	va_end(ap);
	return status;
}

const char *ks_err_errno(char out[32], int err_no)
{
	const char *name = err_no > 0 ? strerrorname_np(err_no) : NULL;

	if (name && strlen(name) < 32) {
		memcpy(out, name, strlen(name) + 1);
		return out;
	}
	char digits[KS_NUM_LEN];
	const size_t n = ks_num_i64(digits, err_no);

	memcpy(out, "errno ", 6);
	memcpy(out + 6, digits, n + 1);
	return out;
}

enum ks_status ks_err_at(struct ks_err *err, const char *where, int64_t offset)
{
	if (!err)
		return KS_E_INPUT;
	if (err->status == KS_OK || err->where[0] != '\0')
		return err->status;
	copy_cut(err->where, KS_ERR_WHERE, where);
	err->offset = offset < 0 ? -1 : offset;
	return err->status;
}
