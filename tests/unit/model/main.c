/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests of model/, one group per module.
 */
#include "all.h"

int main(void)
{
	return test_trace() + test_device();
}
