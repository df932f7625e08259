/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports made by hand for the render tests: evidence through the constructors, everything else
 * plain data. Holds no expectation.
 */
#ifndef KS_TESTS_RENDER_GIVEN_H
#define KS_TESTS_RENDER_GIVEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/render.h"
#include "verdict/verdict.h"

struct given {
	struct ks_arena run;
	struct ks_log log;
	struct ks_out silent;
	struct ks_ctx ctx;
	struct ks_report r;
	struct ks_view v;
	struct ks_kernel *kernel;
	struct ks_gpu gpu[2];
	struct ks_contents contents;
	struct ks_buf text;		     /* what was rendered */
	const struct ks_launch_view *launch; /* per-launch rows of kernel 0 */
	size_t n_launches, at;
	struct ks_launch_log launch_log;
};

/* An empty report of one device, a terminal of 80 x 24 in UTF-8 without colour, English. */
struct given *given_report(void);
void given_released(struct given *g);
/* Adds a kernel with `configs` configurations and the rows of Duration, Occupancy and SpeedOfLight;
 * the last holds refusals only. Call given_finished after the last one. */
void given_kernel(struct given *g, ks_str name, uint64_t launches, ks_ns total_ns, size_t configs);
void given_device_rows(struct given *g);
/* given_time.c: a timeline of two devices; and a window on it. */
void given_timeline(struct given *g);
void given_window(struct given *g, const char *text);
/* Totals, order, verdicts. */
void given_finished(struct given *g);
/* A finished report of n kernels, kernel_number_0 with the most time; of one configuration and two
 * by turns. */
struct given *given_kernels(size_t n);
void given_terminal(struct given *g, int cols, int rows);
void given_language(struct given *g, enum ks_lang lang);

/* The rendered text, NUL-terminated; the renderer must succeed. */
const char *rendered(struct given *g, const struct ks_render_ops *ops);
/* The same for the screen, which needs a packet. */
const char *rendered_screen(struct given *g);

/* Names that try to break out of every format. */
extern const ks_str hostile_names[];
extern const size_t n_hostile_names;

/* Line number `i` of text; its length through *n; NULL behind the last. */
const char *line_of(const char *text, size_t i, size_t *n);
size_t lines_in(const char *text);
void expect_no_line_wider(const char *text, size_t cols);
void expect_no_control_bytes(const char *text, bool cr_allowed);

#endif
