/* SPDX-License-Identifier: Apache-2.0
 *
 * All groups of the render layer.
 */
#include "all.h"

int main(void)
{
	return test_md() + test_case() + test_fit() + test_capability() + test_pen() +
	       test_render() + test_text() + test_text_time() + test_json_time() + test_screen() +
	       test_json() + test_csv() + test_svg() + test_perfetto() + test_svg_timeline() +
	       test_svg_histogram() + test_svg_occupancy() + test_folded() + test_doctor() +
	       test_nvtx_csv() + test_html();
}
