/* SPDX-License-Identifier: Apache-2.0
 *
 * Which physical GPU a (process, CUDA ordinal) of a trace is. Matches by the trace's own tables,
 * never by list order and never by the machine we run on (contract 05 §1.8, §1.10).
 */
#ifndef KS_MODEL_DEVICE_H
#define KS_MODEL_DEVICE_H

#include "base/arena.h"
#include "model/trace.h"

enum ks_device_how {
	KS_DEVICE_BY_MAP,     /* TARGET_INFO_CUDA_DEVICE names the GPU */
	KS_DEVICE_BY_ORDINAL, /* TARGET_INFO_GPU.cuDevice = ordinal (stated) */
	KS_DEVICE_UNKNOWN, /* no row fits: same ordinals are taken for one device, facts unknown */
	KS_DEVICE_MISSING, /* deviceId is NULL: never device 0 */
};

struct ks_device {			/* one device that rows refer to */
	const struct ks_trace_gpu *gpu; /* NULL when facts are unknown */
	enum ks_device_how how;
	int64_t ordinal;      /* smallest its processes use; KS_UNKNOWN for MISSING */
	int64_t label;	      /* unique N; set by ks_devices_label */
	bool ordinals_differ; /* several processes know it under different ordinals */
	int64_t vm; /* host part of the process id; keeps unknown devices of two hosts apart */
};

struct ks_device_key { /* what rows say; resolved once each */
	int64_t process, ordinal;
	uint32_t device; /* index in ks_devices.device */
};

struct ks_devices {
	struct ks_arena *arena;
	struct ks_trace_gpu *gpu;
	size_t n_gpus, gpu_cap;
	struct ks_trace_gpu_map *map;
	size_t n_maps, map_cap;
	struct ks_device *device;
	size_t n, cap;
	struct ks_device_key *key;
	size_t n_keys, key_cap;
	uint32_t *slot; /* hash over key: number + 1, 0 = empty */
	size_t n_slots;
	uint32_t last; /* key of the row before */
};

void ks_devices_init(struct ks_devices *d, struct ks_arena *arena);
enum ks_status ks_devices_add_gpu(struct ks_devices *d, const struct ks_trace_gpu *g,
				  struct ks_err *err);
enum ks_status ks_devices_add_map(struct ks_devices *d, const struct ks_trace_gpu_map *m,
				  struct ks_err *err);
/* Index into d->device for a row; adds the device when new. UINT32_MAX when out of memory. All GPUs
 * and maps come before the first call. */
uint32_t ks_devices_resolve(struct ks_devices *d, int64_t process, int64_t ordinal);
/* After the last row: gives every device a unique label. The ordinal where it is unambiguous, else
 * the GPU's id in TARGET_INFO_GPU, else the next free number; MISSING is -1. */
void ks_devices_label(struct ks_devices *d);

#endif
