/* SPDX-License-Identifier: Apache-2.0
 *
 * One CSV line per launch (contract 03 §5). What does not change within a configuration is made
 * into cells once; per launch only the index, three times, stream and device are written.
 */
#include "base/csvw.h"
#include "base/num.h"
#include "base/str.h"
#include "render/render.h"

#define CELLS_MAX ((size_t)256 << 20)
/* How often a closed pipe or a full disk is looked at. */
#define CHECK_EVERY 4096

static const char header[] =
	"kernel,launch_index,config,grid_x,grid_y,grid_z,block_x,block_y,block_z,start_ns,end_ns,"
	"duration_ns,registers_per_thread,static_smem_bytes,dynamic_smem_bytes,stream_id,device_id,"
	"provenance\r\n";

struct cells { /* of one configuration: ",config,...,block_z," and ",registers,...," */
	ks_str middle, tail;
};

struct writer {
	struct ks_out *out;
	struct ks_arena *tmp; /* cells of the kernel at hand */
	const struct ks_kernel *k;
	ks_str name; /* the kernel as a cell, with its comma */
	struct cells *cells;
};

static ks_str cell_of(struct ks_arena *a, ks_str s, const char *after)
{
	struct ks_buf b;

	ks_buf_init(&b, CELLS_MAX);
	ks_csvw_cell(&b, s);
	ks_buf_cstr(&b, after);
	ks_str cell = ks_buf_keep(&b, a);

	if (ks_buf_failed(&b))
		a->failed = true;
	ks_buf_release(&b);
	return cell;
}

static void add_number(struct ks_buf *b, int64_t v)
{
	char text[KS_NUM_LEN];

	ks_buf_ch(b, ',');
	if (v >= 0)
		ks_buf_add(b, text, ks_num_i64(text, v));
}

static void make_cells(struct writer *w, const struct ks_config *c, struct cells *cells)
{
	struct ks_buf b;

	ks_buf_init(&b, CELLS_MAX);
	ks_buf_ch(&b, ',');
	ks_csvw_cell(&b, c->key);
	for (int i = 0; i < 3; i++)
		add_number(&b, c->grid[i]);
	for (int i = 0; i < 3; i++)
		add_number(&b, c->block[i]);
	ks_buf_ch(&b, ',');
	cells->middle = ks_buf_keep(&b, w->tmp);
	if (ks_buf_failed(&b))
		w->tmp->failed = true;
	ks_buf_reset(&b);
	add_number(&b, c->regs);
	add_number(&b, c->static_smem);
	add_number(&b, c->dynamic_smem);
	ks_buf_ch(&b, ',');
	cells->tail = ks_buf_keep(&b, w->tmp);
	if (ks_buf_failed(&b))
		w->tmp->failed = true;
	ks_buf_release(&b);
}

static const struct cells *cells_for(struct writer *w, const struct ks_config *c,
				     struct cells *spare)
{
	size_t at = (size_t)(c - w->k->config);

	if (w->cells == NULL || at >= w->k->n_configs) {
		make_cells(w, c, spare);
		return spare;
	}
	if (w->cells[at].middle.p == NULL)
		make_cells(w, c, &w->cells[at]);
	return &w->cells[at];
}

/* An identity that the trace does not tell is an empty cell. */
static size_t put_id(char at[KS_NUM_LEN], int64_t v)
{
	return v < 0 ? 0 : ks_num_i64(at, v);
}

static void line(struct writer *w, const struct ks_launch_view *l)
{
	struct cells spare = { KS_STR_NONE, KS_STR_NONE };
	const struct cells *c = cells_for(w, l->config, &spare);
	char text[4 * KS_NUM_LEN];
	size_t n;

	ks_out_str(w->out, w->name);
	ks_out_write(w->out, text, ks_num_i64(text, (int64_t)l->index));
	ks_out_str(w->out, c->middle);
	n = ks_num_i64(text, l->start_ns);
	text[n++] = ',';
	n += ks_num_i64(text + n, l->end_ns);
	text[n++] = ',';
	n += ks_num_i64(text + n, l->end_ns - l->start_ns);
	ks_out_write(w->out, text, n);
	ks_out_str(w->out, c->tail);
	n = put_id(text, l->stream);
	text[n++] = ',';
	n += put_id(text + n, l->device);
	memcpy(text + n, ",exact\r\n", 8);
	ks_out_write(w->out, text, n + 8);
}

static enum ks_status kernel_lines(struct writer *w, const struct ks_launch_log *log,
				   struct ks_err *err)
{
	struct ks_launch_view row;
	bool got = true;

	ks_arena_reset(w->tmp);
	w->name = cell_of(w->tmp, w->k->name, ",");
	w->cells = KS_ARENA_NEWS(w->tmp, struct cells, w->k->n_configs);
	KS_TRY(log->rewind(log->self, w->k, err));
	for (uint64_t i = 0;; i++) {
		if (i % CHECK_EVERY == 0 && ks_out_failed(w->out))
			return KS_OK;
		KS_TRY(log->next(log->self, &row, &got, err));
		if (!got)
			break;
		line(w, &row);
	}
	if (ks_arena_failed(w->tmp))
		return ks_err_set(err, KS_E_ENV, KS_TEXT_ERR_RENDER_MEMORY, NULL);
	return KS_OK;
}

static enum ks_status render(const struct ks_ctx *ctx, const struct ks_report *r,
			     const struct ks_view *v, struct ks_out *out, struct ks_err *err)
{
	struct ks_arena tmp;
	struct writer w = { .out = out, .tmp = &tmp };
	enum ks_status st = KS_OK;

	(void)ctx;
	(void)v;
	if (r->launches == NULL)
		return ks_err_set(err, KS_E_INPUT, KS_TEXT_ERR_RENDER_LAUNCHES, NULL);
	ks_arena_init(&tmp, CELLS_MAX);
	ks_out_write(out, header, sizeof(header) - 1);
	for (size_t i = 0; i < r->n_kernels && st == KS_OK && !ks_out_failed(out); i++) {
		w.k = &r->kernel[i];
		if (!w.k->is_device)
			st = kernel_lines(&w, r->launches, err);
	}
	ks_arena_release(&tmp);
	return st;
}

const struct ks_render_ops ks_render_launch_csv = {
	.format = KS_FORMAT_LAUNCH_CSV,
	.render = render,
};
