/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs every group of the tables layer.
 */
#include "tests.h"

int main(void)
{
	return test_metric() + test_refusal() + test_question() + test_unit() + test_section() +
	       test_verdict() + test_option() + test_arch() + test_ncu() + test_limit() +
	       test_text() + test_words() + test_printed() + test_telemetry();
}
