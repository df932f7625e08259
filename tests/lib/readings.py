# SPDX-License-Identifier: Apache-2.0
"""Telemetry made by hand: every field that is published, of one device and of two.

    for path in readings.make(tap.TMP): tap.run("--ks-synthetic", "--ks-telemetry", path)
"""
import os

DCGM = ["DEV_POWER_USAGE", "DEV_TOTAL_ENERGY_CONSUMPTION", "DEV_GPU_UTIL", "DEV_MEM_COPY_UTIL", "DEV_SM_CLOCK", "DEV_MEM_CLOCK",
        "DEV_FB_USED", "DEV_FB_FREE", "DEV_XID_ERRORS", "PROF_SM_OCCUPANCY", "PROF_DRAM_ACTIVE", "PROF_PCIE_TX_BYTES",
        "PROF_PCIE_RX_BYTES"]
QUERY = ["power.draw [W]", "power.limit [W]", "utilization.gpu [%]", "utilization.memory [%]", "clocks.current.sm [MHz]",
         "clocks.current.memory [MHz]", "temperature.gpu", "memory.used [MiB]", "memory.total [MiB]", "pcie.link.gen.current",
         "pcie.link.width.current", "clocks_event_reasons.active"]


def scrape(gpus):
    return "".join(f'DCGM_FI_{field}{{gpu="{g}"}} {i + g}\n' for i, field in enumerate(DCGM) for g in range(gpus))


def query(gpus):
    rows = [", ".join([str(g)] + [str(i + g) for i in range(len(QUERY))]) for g in range(gpus)]
    return "\n".join([", ".join(["index"] + QUERY)] + rows) + "\n"


def make(folder):
    for name, text in (("scrape1.prom", scrape(1)), ("scrape2.prom", scrape(2)), ("query1.csv", query(1)), ("query2.csv", query(2))):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="ascii") as f:
            f.write(text)
        yield path
