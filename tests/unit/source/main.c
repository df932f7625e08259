/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tests of source/, one group per module.
 */
#include "all.h"

int main(void)
{
	int failed = 0;

	scratch_start();
	failed += test_sniff() + test_synth() + test_vectors() + test_files() + test_events();
	failed += test_open() + test_wal() + test_rows() + test_schema() + test_damage();
	failed += test_host() + test_host_rows() + test_device_rows() + test_enums() +
		  test_payloads();
	failed += test_order() + test_nsys_rep() + test_ksreport() + test_fixtures() +
		  test_redact_json();
	failed += test_cubin() + test_sass();
	failed += test_prom_text() + test_xml_pull() + test_telemetry() + test_telemetry_vectors() +
		  test_http();
	scratch_end();
	return failed;
}
