/* SPDX-License-Identifier: Apache-2.0
 *
 * How long each device was busy: the length of the union of its kernels, and of its kernels, copies
 * and memsets together. Kernels that arrive nearly sorted pass through a bounded window; a device
 * whose rows come too far out of order is taken again in a second pass and sorted, spilled past a
 * budget. The result is the same either way.
 *
 *     ks_busy_copy ... ks_busy_launch ... ks_busy_flush
 *     and if it says so: ks_busy_launch ... ks_busy_flush
 */
#ifndef KS_ANALYZE_BUSY_H
#define KS_ANALYZE_BUSY_H

#include "base/err.h"
#include "base/io.h"

struct ks_busy;

/* window: intervals of one device that may wait to be put in order. spill_bytes: memory for those
 * of devices that are sorted, all together. NULL: no memory. */
struct ks_busy *ks_busy_open(const struct ks_io *io, size_t window, size_t spill_bytes);
void ks_busy_close(struct ks_busy *b);
/* device: a small number; start < end. All copies and memsets before the first launch. */
enum ks_status ks_busy_copy(struct ks_busy *b, uint32_t device, ks_ns start, ks_ns end,
			    struct ks_err *err);
enum ks_status ks_busy_launch(struct ks_busy *b, uint32_t device, ks_ns start, ks_ns end,
			      struct ks_err *err);
/* The pass is over. *again: the launches are needed once more. */
enum ks_status ks_busy_flush(struct ks_busy *b, bool *again, struct ks_err *err);
/* After the last flush; 0 for a device without rows. */
ks_ns ks_busy_kernel_ns(const struct ks_busy *b, uint32_t device);
ks_ns ks_busy_all_ns(const struct ks_busy *b, uint32_t device);

#endif
