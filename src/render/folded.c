/* SPDX-License-Identifier: Apache-2.0
 *
 * Folded stacks: "outer;inner;kernel NANOSECONDS" per line, as flame graph programs read them. No
 * header and no unit, because they know none.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "render/render.h"

static void put(void *arg, const char *p, size_t n)
{
	ks_out_write(arg, p, n);
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	const struct ks_timeline *t = r->timeline;
	char text[KS_NUM_LEN + 2];

	(void)ctx;
	(void)v;
	if (t == NULL || (t->folded == NULL && (t->n_folded > 0 || r->kernel_ns > 0)))
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_FOLDED, NULL);
	for (size_t i = 0; i < t->n_folded && !ks_out_failed(out); i++) {
		size_t n = 1;

		ks_utf8_visible(t->folded[i].stack, put, out);
		text[0] = ' ';
		n += ks_num_i64(text + n, t->folded[i].ns);
		text[n++] = '\n';
		ks_out_write(out, text, n);
	}
	return KS_OK;
}

const struct ks_render_ops ks_render_folded = {
	.format = KS_FORMAT_FOLDED,
	.render = render,
};
