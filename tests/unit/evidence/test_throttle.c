/* SPDX-License-Identifier: Apache-2.0
 *
 * contract/vectors/environment.json, its decoding part: bits, masks and tokens, every row.
 */
#include "all.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/buf.h"
#include "evidence/throttle.h"
#include "tables/telemetry.h"

static json_t *vectors(void)
{
	const char *shared = getenv("KS_SHARED");
	char path[512];

	(void)snprintf(path, sizeof(path), "%s/contract/vectors/environment.json",
		       shared != NULL ? shared : "../shared");
	return json_load_file(path, 0, NULL);
}

static void every_bit_has_its_name(void **state)
{
	json_t *doc = vectors();
	const json_t *bits = json_object_get(doc, "bits");

	(void)state;
	if (doc == NULL)
		skip();
	assert_int_equal(json_array_size(bits), ks_throttle_count());
	for (size_t i = 0; i < ks_throttle_count(); i++) {
		const json_t *row = json_array_get(bits, i);

		assert_int_equal(ks_throttle_at(i)->bit,
				 strtoull(json_string_value(json_array_get(row, 0)), NULL, 16));
		assert_string_equal(ks_throttle_at(i)->name,
				    json_string_value(json_array_get(row, 1)));
	}
	json_decref(doc);
}

static void every_mask_is_decoded(void **state)
{
	json_t *doc = vectors();
	const json_t *cases = json_object_get(doc, "decode");

	(void)state;
	if (doc == NULL)
		skip();
	for (size_t i = 0; i < json_array_size(cases); i++) {
		const json_t *c = json_array_get(cases, i), *want = json_object_get(c, "expect");
		struct ks_buf got, names;

		ks_buf_init(&got, 4096);
		ks_buf_init(&names, 4096);
		for (size_t k = 0; k < json_array_size(want); k++)
			ks_buf_fmt(&names, "%s%s", k > 0 ? ", " : "",
				   json_string_value(json_array_get(want, k)));
		ks_throttle_names(&got, json_integer_value(json_object_get(c, "mask")));
		assert_string_equal(ks_buf_text(&got), ks_buf_text(&names));
		ks_buf_release(&got);
		ks_buf_release(&names);
	}
	json_decref(doc);
}

static void every_token_is_read(void **state)
{
	json_t *doc = vectors();
	const json_t *cases = json_object_get(doc, "token");

	(void)state;
	if (doc == NULL)
		skip();
	for (size_t i = 0; i < json_array_size(cases); i++) {
		const json_t *c = json_array_get(cases, i);
		const char *token = json_string_value(json_object_get(c, "token"));

		assert_int_equal(ks_throttle_read(ks_str_c(token)),
				 json_integer_value(json_object_get(c, "expect")));
	}
	json_decref(doc);
}

static void what_has_no_room_is_not_known(void **state)
{
	(void)state;
	assert_int_equal(ks_throttle_read(KS_LIT("0x8000000000000000")), KS_THROTTLE_UNKNOWN);
	assert_int_equal(ks_throttle_read(KS_LIT("0x7fffffffffffffff")), INT64_MAX);
	assert_int_equal(ks_throttle_read(KS_LIT("-1")), KS_THROTTLE_UNKNOWN);
	assert_int_equal(ks_throttle_read(KS_LIT("0x")), KS_THROTTLE_UNKNOWN);
}

int test_throttle(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_bit_has_its_name),
		cmocka_unit_test(every_mask_is_decoded),
		cmocka_unit_test(every_token_is_read),
		cmocka_unit_test(what_has_no_room_is_not_known),
	};

	return cmocka_run_group_tests_name("throttle", tests, NULL, NULL);
}
