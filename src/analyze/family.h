/* SPDX-License-Identifier: Apache-2.0
 *
 * Families of kernels, by name and by nothing else: the user's rules (--ks-family) first, then what
 * communicates, then the table (kclass.def) in its order; the rest is "other". Each distinct name
 * is asked about once. What a family is says nothing about what limits a kernel.
 */
#ifndef KS_ANALYZE_FAMILY_H
#define KS_ANALYZE_FAMILY_H

#include "base/arena.h"
#include "base/err.h"

struct ks_families;
struct ks_analysis;

struct ks_family_sum {
	ks_str slug; /* part of metric names */
	uint64_t launches, total_ns;
	uint64_t kernels; /* distinct names */
};

/* rule: of --ks-family, each NAME=PREFIX or NAME=regex:PATTERN; they outlive the object. KS_E_USAGE
 * for a bad one. */
enum ks_status ks_families_open(struct ks_families **f, const ks_str *rule, size_t n,
				struct ks_err *err);
void ks_families_close(struct ks_families *f);
/* Number of the family of a demangled or plain name. */
enum ks_status ks_families_of(struct ks_families *f, ks_str name, uint32_t *family,
			      struct ks_err *err);
/* In the order of the table, then those that only the user has. */
size_t ks_families_count(const struct ks_families *f);
const struct ks_family_sum *ks_families_sum(const struct ks_families *f, size_t family);
/* The table has it: false for a name that the user made up. */
bool ks_families_is_known(size_t family);
/* The first rule that no name fitted so far; "" when each did. */
ks_str ks_families_unmatched(const struct ks_families *f);
/* Sums over every group on the selected devices, with the names as the trace has them. */
enum ks_status ks_families_count_groups(struct ks_analysis *a, struct ks_err *err);

#endif
