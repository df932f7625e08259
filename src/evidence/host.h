/* SPDX-License-Identifier: Apache-2.0
 *
 * What this machine is, as far as an ordinary process can see: devices, driver policy, capabilities
 * of the process, tools, libraries, injection slots. Plain data in the run arena, read by source/
 * and judged by verdict/. A reading that could not be taken is marked so: it is never "no" and
 * never 0.
 */
#ifndef KS_EVIDENCE_HOST_H
#define KS_EVIDENCE_HOST_H

#include "evidence/store.h"

enum ks_host_tool {
	KS_TOOL_NSYS,
	KS_TOOL_NCU,
	KS_TOOL_CUOBJDUMP,
	KS_TOOL_NVDISASM,
	KS_TOOL_NVIDIA_SMI,
	KS_TOOL_COUNT
};

struct ks_tool_place { /* every folder is listed, found or not (contract 06 §22) */
	ks_str name;
	ks_str path;  /* "" when it is nowhere */
	bool in_path; /* found in PATH itself */
	const ks_str *searched;
	size_t n_searched;
};

/* Yes, no, or could not be read. */
enum ks_known { KS_KNOWN_NO, KS_KNOWN_YES, KS_KNOWN_UNREAD };

struct ks_host_gpu {
	ks_str name, uuid;
	int cc_major, cc_minor;				/* -1 unknown */
	int64_t memory_mib, sm_count, max_sm_clock_mhz; /* KS_UNKNOWN */
	double power_limit_w;				/* < 0 unknown */
	int64_t nvlinks;				/* active links; KS_UNKNOWN */
};

struct ks_library { /* a candidate, in the order in which it would be tried */
	ks_str path;
	ks_str version;	     /* from the file name or the library; "" unknown */
	enum ks_known loads; /* KS_KNOWN_UNREAD: nobody tried */
	ks_str why;	     /* what the loader or the first call said; "" */
};

/* What a probe of the hardware counters answered; the probe is named in ks_host.probe_name. */
enum ks_probe {
	KS_PROBE_NOT_RUN, /* --no-probe, or nothing to run */
	KS_PROBE_ALLOWED,
	KS_PROBE_DENIED,
	KS_PROBE_NO_DEVICE,
	KS_PROBE_FAILED, /* it ran and said neither */
	KS_PROBE_TIMEOUT
};

struct ks_host {
	ks_str platform; /* "Linux 6.1.0 x86_64, glibc 2.36" */
	int64_t uid;
	const struct ks_host_gpu *gpu;
	size_t n_gpus;
	enum ks_known has_gpu;
	bool has_nvml;
	ks_str driver;	 /* "550.54.15"; "" unknown */
	ks_str cuda;	 /* of the driver, "12.4"; "" unknown */
	ks_str gpu_from; /* "nvml", "/proc/driver/nvidia"; "" nothing answered */
	struct ks_tool_place tool[KS_TOOL_COUNT];
	const struct ks_library *nvml, *cupti;
	size_t n_nvml, n_cupti;

	/* policy and rights (contract 05 §11); paths are those that were read, for the reader */
	enum ks_known admin_only; /* RmProfilingAdminOnly */
	ks_str params_path, status_path, paranoid_path;
	bool caps_read;
	uint64_t cap_eff, cap_bnd;
	int64_t perf_paranoid; /* KS_UNKNOWN */

	ks_str nvbit_path;   /* "" none */
	bool nvbit_misnamed; /* NVBIT_PATH is set, and no core/libnvbit.a is there */
	ks_str cuda_injection, nvtx_injection, preload; /* values of the slots; "" free */
	ks_str container; /* "docker", "podman", "kubernetes", "lxc"...; "" none seen */

	enum ks_probe probe;
	ks_str probe_name;   /* "ncu --query-metrics"; "" when none ran */
	ks_str probe_output; /* the line that decided it; "" */
};

#define KS_CAP_SYS_ADMIN 21
#define KS_CAP_PERFMON	 38

#endif
