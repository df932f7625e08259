/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups of this layer.
 */
#ifndef KS_TESTS_RENDER_ALL_H
#define KS_TESTS_RENDER_ALL_H

#include "given.h"

int test_doctor(void);
int test_capability(void);
int test_fit(void);
int test_pen(void);
int test_render(void);
int test_text(void);
int test_text_time(void);
int test_screen(void);
int test_json(void);
int test_json_time(void);
int test_csv(void);
int test_md(void);
int test_case(void);
int test_svg(void);
int test_perfetto(void);
int test_svg_timeline(void);
int test_svg_histogram(void);
int test_svg_occupancy(void);
int test_folded(void);
int test_nvtx_csv(void);
int test_html(void);

/* By xmllint; skips the test, and says so, where there is none. */
void expect_well_formed(const char *text);

#endif
