# SPDX-License-Identifier: Apache-2.0
"""Small .ksreport.json documents from rows a test names, in the form both programs read: everything that is not
named is left out. Knows no unit, no threshold and no decision.

    r = report.Report(kernels={"gemm": 4755000})
    r.row("gemm", "est__bound", "memory", "estimated")
    r.refuse("(device)", "est__dram_bytes_total", "no_calibration")
    r.meta["clock_lock"] = {"state": "locked"}
    r.write(path)
"""
import json

DEVICE = "(device)"


def kernel(name, total_ns, launches):
    """Launches one after another, each of the same length but the last, which takes what is left."""
    length = total_ns // launches if launches else 0
    ends = [i * length for i in range(1, launches)] + [total_ns]
    rows = [{"start_ns": i * length, "end_ns": ends[i], "duration_ns": ends[i] - i * length, "grid": [1, 1, 1],
             "block": [64, 1, 1], "registers_per_thread": 32, "static_smem_bytes": 0, "dynamic_smem_bytes": 0,
             "stream_id": 7, "device_id": 0, "grid_id": 0, "config": "c"} for i in range(launches)]
    configs = [{"config": "c", "grid": [1, 1, 1], "block": [64, 1, 1], "launch_count": launches,
                "total_ns": total_ns, "mean_ns": total_ns / launches}] if launches else []
    return {"name": name, "launch_count": launches, "total_ns": total_ns, "min_ns": length, "max_ns": length,
            "mean_ns": total_ns / max(launches, 1), "mixed_config": False, "launch_configs": configs,
            "sections": [], "launches": rows}


class Report:
    def __init__(self, kernels=None, launches=2, wall_ns=20000000, version="0.2.3"):
        """kernels: name => total in ns."""
        kernels = {"gemm": 6000000, "add": 2000000} if kernels is None else kernels
        self.meta = {"window": "mode=auto", "ledger_basis": "", "dtype": "bf16", "kernel_filter": "", "warmup_s": 0.0,
                     "window_s": None, "peak_source": "none", "calibration": None, "memtrace": None}
        self.kernels = [kernel(n, t, launches) for n, t in kernels.items()] + [kernel(DEVICE, 0, 0)]
        self.doc = {"schema_version": 1, "tool": "kernoscope", "tool_version": version,
                    "generated_at": "2026-01-01T00:00:00+0000", "host": {},
                    "device": {"name": "card", "driver": "1", "cuda_runtime": "", "sm_count": 128,
                               "compute_capability": "8.9", "l2_mib": 72.0, "memory_total_mib": 24000.0,
                               "max_sm_clock_mhz": 2500.0, "power_limit_w": 450.0, "measured_peaks": {}},
                    "device_ids": [0], "multi_device": False, "wall_time_ns": wall_ns, "sources": {},
                    "meta": self.meta, "kernels": self.kernels}

    def _add(self, owner, row, nth):
        k = [k for k in self.kernels if k["name"] == owner][nth]
        if not k["sections"]:
            k["sections"].append({"name": "SpeedOfLight", "provenance": "estimated", "note": "", "metrics": []})
        k["sections"][0]["metrics"].append(row)
        return self

    def row(self, owner, name, value, provenance, unit="", nth=0):
        """nth: of several kernels of that name."""
        return self._add(owner, {"name": name, "value": value, "unit": unit, "provenance": provenance, "source": "",
                                 "reason": "", "note": "", "resolution": ""}, nth)

    def refuse(self, owner, name, code, message="m"):
        return self._add(owner, {"name": name, "value": None, "unit": "", "provenance": "unavailable", "source": "",
                                 "reason": message, "note": "", "resolution": "",
                                 "refusal": {"code": code, "message": message, "severity": "blocking", "observed": {},
                                             "threshold": {}, "remedy": {"action": "a", "command": "", "cost_s": 0.0,
                                                                         "cost_kind": "manual", "then_answers": []}}}, 0)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            json.dump(self.doc, f)
        return path
