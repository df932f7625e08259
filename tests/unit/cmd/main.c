/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs every unit test of the cmd layer. Returns the number of failures.
 */
#include "tests.h"

int main(void)
{
	return test_casepath() + test_options() + test_config() + test_names() + test_suggest() +
	       test_settings() + test_timeline() + test_shell();
}
