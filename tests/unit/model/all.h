/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test of model/ includes: cmocka and the groups.
 */
#ifndef KS_TEST_MODEL_ALL_H
#define KS_TEST_MODEL_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base.h"

int test_trace(void);
int test_device(void);

#endif
