#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every decision of contract 02 §6 in every status it can have, and every threshold from both sides, through
the real program: a report is made row by row, read back with -i, and its packet looked at. Statuses, codes and
thresholds are those of the contract's tables; values are the rows' own or arithmetic that stands beside them."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import report  # noqa: E402
import tap  # noqa: E402

DEV = report.DEVICE
PATH = os.path.join(tap.TMP, "case.ksreport.json")


def packet(r, *args):
    r.write(PATH)
    out = tap.run("-i", PATH, "--packet", "-", "--screen", "off", "--quiet", *args)
    if out.rc != 0:
        tap.ok(False, "the report is read", out.err)
        return {"verdicts": []}
    return json.loads(out.out)


def verdict(r, vid, *args):
    return next((v for v in packet(r, *args)["verdicts"] if v["id"] == vid), None)


def close(a, b):
    if isinstance(b, float) and isinstance(a, (int, float)):
        return abs(a - b) <= 1e-6 * max(1.0, abs(b))
    return a == b


def expect(name, v, status, value=None, unit=None, prov=None, code=None, failed=(), facts=None):
    """failed: ids of the premises that do not hold. A refused decision has no value."""
    why = []
    if v is None:
        return tap.ok(False, name, "there is no such decision")
    if v["status"] != status:
        why.append(f"status {v['status']}, not {status}")
    if not close(v.get("value"), value) or v.get("unit") != unit:
        why.append(f"value {v.get('value')} {v.get('unit')}, not {value} {unit}")
    if v.get("provenance") != prov:
        why.append(f"provenance {v.get('provenance')}, not {prov}")
    if v.get("refusal", {}).get("code") != code:
        why.append(f"code {v.get('refusal')}, not {code}")
    bad = tuple(p["id"] for p in v.get("premises", []) if not p["ok"])
    if bad != tuple(failed):
        why.append(f"failed premises {bad}, not {tuple(failed)}")
    if v["actionable"] != (status != "refused" and not bad):
        why.append(f"actionable {v['actionable']}")
    for key, want in (facts or {}).items():
        if key not in v.get("facts", {}) or not close(v["facts"][key], want):
            why.append(f"fact {key} {v.get('facts', {}).get(key)}, not {want}")
    return tap.none(why, name)


def premise(v, pid):
    return next(((p["observed"], p.get("threshold"), p["ok"]) for p in (v or {}).get("premises", []) if p["id"] == pid), None)


def absent(name, r, vid, *args):
    tap.ok(verdict(r, vid, *args) is None, name)


# --- kernel time, where the time goes, occupancy ------------------------------------------------------------

def ranking():
    r = report.Report().row("gemm", "gpu__time_duration.sum", 6.0, "exact", "ms")
    expect("kernel_time: ok with a time", verdict(r, "kernel_time"), "ok", 6.0, "ms", "exact",
           facts={"top": "gemm", "top_ms": 6.0, "launches": 2, "share_pct": 75.0, "total_ms": 8.0, "n_kernels": 2})
    r = report.Report(kernels={"short": 1000000, "long": 3000000})
    v = verdict(r, "kernel_time")
    tap.equal(v["facts"]["top"], "long", "kernel_time: the longest kernel, wherever the report lists it")
    v = verdict(r, "saving_estimate_share")
    tap.equal([x["kernel"] for x in v["facts"]["top"]], ["long", "short"], "saving_estimate_share: by time as well")
    v = verdict(report.Report(kernels={f"k{i}": (i + 1) * 1000000 for i in range(12)}), "saving_estimate_share")
    tap.equal((v["facts"]["n"], len(v["facts"]["top"]), v["facts"]["needs"]), (12, 3, "calibration,price"),
              "saving_estimate_share: of how many kernels, and the first three")
    r = report.Report(kernels={})
    expect("kernel_time: refused without kernels", verdict(r, "kernel_time"), "refused", code="no_kernels")
    r = report.Report().refuse("gemm", "gpu__time_duration.sum", "inconsistent_evidence")
    expect("kernel_time: refused with its row", verdict(r, "kernel_time"), "refused", code="inconsistent_evidence")
    expect("saving_estimate_share: refused with it", verdict(r, "saving_estimate_share"), "refused",
           code="inconsistent_evidence")
    expect("saving_estimate_share: soft, a share and no money", verdict(report.Report(), "saving_estimate_share"),
           "soft", 75.0, "%", "exact", facts={"basis": "time_share", "money": "unavailable", "n": 2, "top_pct": 75.0})

    r = report.Report().row("gemm", "ks__theoretical_occupancy_pct", 50.0, "derived", "%")
    r.row("gemm", "ks__occupancy_limiter", "registers", "derived")
    expect("occupancy: soft with the theoretical one", verdict(r, "occupancy"), "soft", 50.0, "%", "derived",
           facts={"theoretical_pct": 50.0, "limiter": "registers"})
    r.row("gemm", "meas__achieved_occupancy_pct", 24.9, "measured", "%")
    expect("occupancy: ok with the achieved one", verdict(r, "occupancy"), "ok", 24.9, "%", "measured",
           facts={"achieved_pct": 24.9, "theoretical_pct": 50.0})
    r = report.Report().refuse("gemm", "ks__theoretical_occupancy_pct", "unknown_arch")
    expect("occupancy: refused with its row", verdict(r, "occupancy"), "refused", code="unknown_arch")
    absent("occupancy: none without rows", report.Report(), "occupancy")


# --- money --------------------------------------------------------------------------------------------------

def clean(r, procs=0, idle=0.0, limited=0.0):
    """A device of one's own, busy, at full clocks."""
    return (r.row(DEV, "meas__other_procs_on_gpu", procs, "measured", "")
            .row(DEV, "meas__gpu_idle_pct", idle, "measured", "%")
            .row(DEV, "meas__throttle_limited_pct", limited, "measured", "%"))


def priced(**env):
    """400 W over 2 s, 2.5 EUR/h, 5000 token/s: 2.5e6 / (5000 * 3600) = 0.138889 EUR a million."""
    r = clean(report.Report(), **env)
    r.row(DEV, "meas__window_energy_j", 800.0, "measured", "J").row(DEV, "meas__window_power_mean_w", 400.0, "measured", "W")
    r.row(DEV, "ks__tokens_per_s", 5000.0, "derived", "token/s").row(DEV, "ks__j_per_token", 0.08, "derived", "J/token")
    r.row(DEV, "ks__cost_per_hour", 2.5, "derived", "EUR/h")
    return r.row(DEV, "ks__cost_per_mtok", 2.5 / 18.0, "derived", "EUR/Mtoken")


NOT_CITED = {"uncitable_value": 2.5 / 18.0}


def cost():
    r = priced().row("gemm", "est__kernel_cost_per_hour", 1.875, "estimated", "EUR/h")
    v = verdict(r, "cost_per_token")
    expect("cost_per_token: ok per million tokens, in the currency of the report", v, "ok", 2.5 / 18.0, "EUR/Mtoken", "derived",
           facts={"per_mtok": 2.5 / 18.0, "per_hour": 2.5, "tokens_s": 5000, "j_per_token": 0.08, "top_kernel": "gemm",
                  "top_kernel_per_hour": 1.875})
    tap.equal([p["id"] for p in v["premises"]], ["window_energy_j", "tokens_per_s", "env_gpu_exclusive", "env_gpu_busy_pct",
                                                 "env_no_throttle_pct"], "cost_per_token: its premises in their order")
    for env, pid, code, seen, limit in (({"procs": 1}, "env_gpu_exclusive", "env_shared_gpu", 1, 0),
                                        ({"idle": 20.1}, "env_gpu_busy_pct", "coverage_too_low", 79.9, 80),
                                        ({"limited": 5.0}, "env_no_throttle_pct", "env_throttled", 5.0, 5)):
        v = verdict(priced(**env), "cost_per_token")
        expect(f"{pid}: {seen} does not hold", v, "refused", code=code, failed=[pid], facts=NOT_CITED)
        got = premise(v, pid)
        tap.ok(close(got[0], float(seen)) and got[1:] == (limit, False), f"{pid}: both sides are shown", got)
    for env, pid in (({"procs": 0}, "env_gpu_exclusive"), ({"idle": 20.0}, "env_gpu_busy_pct"),
                     ({"limited": 4.9}, "env_no_throttle_pct")):
        v = verdict(priced(**env), "cost_per_token")
        tap.ok(v["status"] == "ok" and premise(v, pid)[2], f"{pid}: {list(env.values())[0]} holds", v)

    r = priced()
    r.kernels[-1]["sections"][0]["metrics"] = [m for m in r.kernels[-1]["sections"][0]["metrics"]
                                              if m["name"] != "meas__other_procs_on_gpu"]
    r.refuse(DEV, "meas__other_procs_on_gpu", "env_reading_unknown")
    v = verdict(r, "cost_per_token")
    expect("a reading that failed is no 0", v, "refused", code="env_reading_unknown", failed=["env_gpu_exclusive"], facts=NOT_CITED)
    tap.equal(premise(v, "env_gpu_exclusive"), (None, 0, False), "and is listed as null")


def conditional():
    """P 400 W: 0.4 kW * 0.8 = 0.32 an hour. 10 steps in 800 J / 400 W = 2 s: 6,000,000 token/s, 0.32e6 / 2.16e10 a million."""
    def sampled():
        r = clean(report.Report())
        r.row(DEV, "meas__window_energy_j", 800.0, "measured", "J").row(DEV, "meas__window_power_mean_w", 400.0, "measured", "W")
        return r.row(DEV, "ks__steps_in_window", 10, "derived", "")

    r = sampled().row(DEV, "ks__cost_per_hour", 2.5, "derived", "EUR/h").refuse(DEV, "ks__cost_per_mtok", "no_tokens")
    v = verdict(r, "cost_per_token")
    expect("cost_per_token: soft per hour", v, "soft", 2.5, "EUR/h", "derived",
           facts={"per_hour": 2.5, "assumed_tokens_per_step": 1200000, "if_tokens_s": 6000000.0,
                  "if_cost_per_mtok": round(2.5e6 / 2.16e10, 6), "if_missing": "no_tokens", "if_currency": "EUR",
                  "if_basis": "conditional", "if_provenance": "estimated"})
    tap.ok("assumed_price_per_kwh" not in v["facts"], "what is known is not assumed")

    r = sampled().refuse(DEV, "ks__cost_per_hour", "no_price").refuse(DEV, "ks__cost_per_mtok", "no_price")
    absent("cost_per_token: none without a price that nobody gave", r, "cost_per_token")
    v = verdict(r, "cost_per_token", "--cost")
    expect("cost_per_token: refused, with what it would be", v, "refused", prov="estimated", code="no_price",
           facts={"assumed_price_per_kwh": 0.8, "if_cost_per_hour": 0.32, "assumed_tokens_per_step": 1200000,
                  "if_tokens_s": 6000000.0, "if_cost_per_mtok": round(0.32e6 / 2.16e10, 6),
                  "if_missing": "no_price,no_tokens", "if_currency": "CNY", "if_basis": "conditional",
                  "if_provenance": "estimated"})
    tap.none([k for k in v["facts"] if not k.startswith(("assumed_", "if_"))], "nothing else is said of it")
    r.row(DEV, "ks__tokens_per_s", 5000.0, "derived", "token/s")
    v = verdict(r, "cost_per_token")
    expect("cost_per_token: tokens alone are enough to ask", v, "refused", prov="estimated", code="no_price",
           facts={"if_cost_per_mtok": round(0.32e6 / 1.8e7, 6), "if_missing": "no_price"})
    tap.ok("assumed_tokens_per_step" not in v["facts"], "tokens that are known are not assumed")
    r = clean(report.Report()).refuse(DEV, "ks__cost_per_hour", "no_energy").refuse(DEV, "ks__cost_per_mtok", "no_energy")
    v = verdict(r, "cost_per_token")
    expect("cost_per_token: a price without energy is refused by that", v, "refused", code="no_energy")
    tap.ok("facts" not in v, "and nothing is assumed without a measured power")


def asked():
    for source in (["--ks-synthetic"], ["--ks-synthetic", "--set", "full"]):
        out = tap.run(*source, "--packet", "-", "--screen", "off", "--quiet", "--cost")
        p = json.loads(out.out)
        v = next(v for v in p["verdicts"] if v["id"] == "cost_per_token")
        expect(f"--cost {source[1:]}: refused", v, "refused", code="no_price",
               failed=["env_gpu_exclusive", "env_gpu_busy_pct", "env_no_throttle_pct"])
        tap.equal([premise(v, i) for i in ("env_gpu_exclusive", "env_gpu_busy_pct", "env_no_throttle_pct")],
                  [(None, 0, False), (None, 80, False), (None, 5, False)], "--cost: the environment was not read")
        out = tap.run(*source, "--packet", "-", "--screen", "off", "--quiet")
        tap.ok(b"cost_per_token" not in out.out, "and nothing about money unless asked")
    out = tap.run("--ks-synthetic", "--screen", "only", "--cost")
    tap.ok(b"later version" in out.out, "the advice is one that fits this version", out.out)


# --- saving and truth ---------------------------------------------------------------------------------------

def prescription(**more):
    p = {"currency": "EUR", "ranked": [{"kernel": "gemm", "resource": "dram_bandwidth", "confidence": "measured", "pct_lo": 25.0,
                                        "pct_hi": 40.0, "per_hour": 1.5, "per_mtok": None}],
         "total_per_hour": 1.5, "total_per_mtok": None, "refusal": None, "refusal_message": "", "money_refusal": None,
         "money_refusal_message": "", "notes": []}
    p.update(more)
    return p


def saving():
    r = report.Report()
    r.meta["prescription"] = prescription(total_per_mtok=0.0075)
    expect("saving_estimate: ok with money", verdict(r, "saving_estimate"), "ok", 1.5, "EUR/h", "estimated",
           facts={"n": 1, "top_kernel": "gemm", "confidence": "measured", "top_pct_lo": 25.0, "top_pct_hi": 40.0,
                  "total_per_hour": 1.5, "total_per_mtok": 0.0075, "currency": "EUR"})
    absent("saving_estimate_share: not beside it", r, "saving_estimate_share")
    r.meta["prescription"] = prescription(total_per_hour=None, money_refusal="no_price")
    expect("saving_estimate: soft without money", verdict(r, "saving_estimate"), "soft", prov="estimated",
           facts={"no_money": "no_price", "top_pct_lo": 25.0})
    r.meta["prescription"] = prescription(ranked=[], total_per_hour=None, refusal="no_calibration", refusal_message="none")
    expect("saving_estimate: refused without a range, the ranking stays", verdict(r, "saving_estimate"), "refused",
           code="no_calibration", facts={"basis": "time_share", "top_kernel": "gemm"})
    for key, pct in (("pct_hi", 100.1), ("pct_lo", 40.1), ("pct_lo", -0.1), ("pct_hi", 1e308)):
        r.meta["prescription"] = prescription()
        r.meta["prescription"]["ranked"][0][key] = pct
        expect(f"saving_estimate: refused, {key} {pct} cannot be", verdict(r, "saving_estimate"), "refused", code="inconsistent_evidence")
    r.meta["prescription"] = prescription()
    r.meta["prescription"]["ranked"][0].update(pct_lo=0.0, pct_hi=100.0)
    expect("saving_estimate: ok, 0 to 100 %", verdict(r, "saving_estimate"), "ok", 1.5, "EUR/h", "estimated")
    r.meta["prescription"] = prescription(total_per_hour=-0.01)
    expect("saving_estimate: refused, a negative saving", verdict(r, "saving_estimate"), "refused", code="inconsistent_evidence")
    r.meta["prescription"] = prescription()
    r.row("add", "ks__over_peak_warning", 1, "derived")
    expect("saving_estimate: refused where a peak was exceeded", verdict(r, "saving_estimate"), "refused",
           code="calibration_caliber_mismatch", facts={"uncitable_value": 1.5})


def truth():
    r = report.Report()
    r.meta["ncu_truth"] = {"ncu_version": "2025.3", "actions": 2, "pairs_compared": 3, "pairs_total": 6, "max_abs_err_pct": 4.25}
    expect("truth_vs_substitute: ok", verdict(r, "truth_vs_substitute"), "ok", 4.25, "%", "exact",
           facts={"ncu": "2025.3", "compared": 3, "pairs": 6, "actions": 2, "max_abs_err_pct": 4.25})
    r.meta["ncu_truth"].update(pairs_compared=0, max_abs_err_pct=None)
    expect("truth_vs_substitute: refused when nothing could be compared", verdict(r, "truth_vs_substitute"), "refused",
           code="metric_absent", facts={"compared": 0, "pairs": 6})
    r.meta["ncu_truth"].update(pairs_compared=3, max_abs_err_pct=-0.5)
    expect("truth_vs_substitute: refused, an error below zero", verdict(r, "truth_vs_substitute"), "refused", code="inconsistent_evidence")
    absent("truth_vs_substitute: none without such a report", report.Report(), "truth_vs_substitute")


# --- DRAM and the ledger ------------------------------------------------------------------------------------

def dram(coverage, share=None):
    r = report.Report().row(DEV, "est__dram_bytes_total", 1620.5, "estimated", "MB")
    r.row(DEV, "ks__dram_window_mem_busy_mean_pct", 90.0, "derived", "%")
    if coverage is not None:
        r.row(DEV, "ks__sampler_window_coverage_pct", coverage, "derived", "%")
    if share is not None:
        r.row(DEV, "est__dram_bytes_per_launch", 16.2, "estimated", "MB").row(DEV, "ks__matched_kernel_kernel_share_pct", share, "derived", "%")
    return r


def bytes_():
    v = verdict(dram(50.0), "dram_bytes")
    expect("dram_bytes: soft, coverage 50.0", v, "soft", 1620500000.0, "B", "estimated", facts={"mb": 1620.5})
    tap.equal(premise(v, "window_mem_busy_pct"), (90, None, True), "dram_bytes: the busy share is told")
    v = verdict(dram(49.9), "dram_bytes")
    expect("dram_bytes: refused, coverage 49.9", v, "refused", code="coverage_too_low", failed=["window_coverage_pct"],
           facts={"uncitable_value": 1620500000.0})
    tap.equal(v["refusal"].get("observed"), {"window_coverage_pct": 49.9}, "with what was seen")
    tap.equal(v["refusal"].get("threshold"), {"window_coverage_pct": 50}, "and what was needed")
    v = verdict(dram(None), "dram_bytes")
    expect("dram_bytes: refused where the coverage is not known", v, "refused", code="coverage_too_low", failed=["window_coverage_pct"])
    tap.equal(premise(v, "window_coverage_pct"), (None, 50, False), "which is listed as null")
    r = dram(80.0).refuse(DEV, "est__dram_bytes_per_launch", "multi_kernel_window")
    expect("dram_bytes_per_launch: refused with its row", verdict(r, "dram_bytes_per_launch"), "refused", code="multi_kernel_window",
           failed=["matched_kernel_kernel_share_pct"])
    r = report.Report().refuse(DEV, "est__dram_bytes_total", "no_calibration").row(DEV, "ks__sampler_window_coverage_pct", 90.0, "derived", "%")
    expect("dram_bytes: refused with its row", verdict(r, "dram_bytes"), "refused", code="no_calibration")
    r = report.Report().refuse(DEV, "est__dram_bytes_total", "no_nvml_samples").refuse(DEV, "est__dram_bytes_per_launch", "no_nvml_samples")
    absent("dram_bytes: no decision where nothing was sampled", r, "dram_bytes")

    expect("dram_bytes_per_launch: soft, coverage 80.0, share 95.0", verdict(dram(80.0, 95.0), "dram_bytes_per_launch"), "soft",
           16200000.0, "B", "estimated", facts={"mb": 16.2})
    expect("dram_bytes_per_launch: refused, coverage 79.9", verdict(dram(79.9, 95.0), "dram_bytes_per_launch"), "refused",
           code="coverage_too_low", failed=["window_coverage_pct"], facts={"uncitable_value": 16200000.0})
    expect("dram_bytes_per_launch: refused, share 94.9", verdict(dram(80.0, 94.9), "dram_bytes_per_launch"), "refused",
           code="share_too_low", failed=["matched_kernel_kernel_share_pct"], facts={"uncitable_value": 16200000.0})
    expect("dram_bytes_per_launch: both failed, the first gives the code", verdict(dram(10.0, 10.0), "dram_bytes_per_launch"),
           "refused", code="coverage_too_low", failed=["window_coverage_pct", "matched_kernel_kernel_share_pct"])
    r = dram(80.0, 95.0).row(DEV, "ks__attribution_bias_estimate_pct", 5.25, "derived", "%")
    tap.equal(verdict(r, "dram_bytes_per_launch")["facts"]["bias_pct"], 5.25, "dram_bytes_per_launch: its bias is told")

    r = report.Report().row("gemm", "est__dram_bytes_per_launch_trace", 15.0, "estimated", "MB")
    r.row("gemm", "ks__dram_trace_vs_nvml_pct", 92.5, "derived", "%")
    v = verdict(r, "dram_bytes_trace")
    expect("dram_bytes_trace: soft", v, "soft", 15000000.0, "B", "estimated", facts={"mb": 15})
    tap.equal(premise(v, "trace_vs_nvml_pct"), (92.5, None, True), "with the other estimate beside it")
    r = report.Report().refuse("gemm", "est__dram_bytes_per_launch_trace", "trace_unavailable")
    expect("dram_bytes_trace: refused with its row", verdict(r, "dram_bytes_trace"), "refused", code="trace_unavailable")


def ledger():
    def compared(basis, share=95.0):
        r = dram(80.0, share).row(DEV, "est__dram_vs_ledger_err_pct", -4.25, "estimated", "%")
        r.meta["ledger_basis"] = basis
        return r

    expect("ledger_verdict: soft", verdict(compared("per-launch"), "ledger_verdict"), "soft", -4.25, "%", "derived",
           facts={"err_pct": -4.25})
    for basis in ("per-launch", "auto", ""):
        expect(f"ledger_verdict: falls with the bytes of a launch, basis '{basis}'", verdict(compared(basis, 94.9), "ledger_verdict"),
               "refused", code="share_too_low", facts={"uncitable_value": -4.25})
    r = report.Report().refuse(DEV, "est__dram_bytes_per_launch", "no_nvml_samples").row(DEV, "est__dram_vs_ledger_err_pct", -4.25, "estimated", "%")
    r.meta["ledger_basis"] = "per-launch"
    expect("ledger_verdict: falls with the row, where nothing was sampled and no decision on bytes was made", verdict(r, "ledger_verdict"),
           "refused", code="no_nvml_samples", facts={"uncitable_value": -4.25})
    expect("ledger_verdict: does not when it was compared with the total", verdict(compared("total", 94.9), "ledger_verdict"),
           "soft", -4.25, "%", "derived")
    r = dram(80.0, 95.0).row(DEV, "ks__ledger_range_verdict", "near low", "derived")
    expect("ledger_verdict: soft with a side of the range", verdict(r, "ledger_verdict"), "soft", prov="derived",
           facts={"position": "near low"})
    r = dram(80.0, 94.9).row(DEV, "ks__ledger_range_verdict", "near low", "derived")
    r.meta["ledger_basis"] = "total"
    v = verdict(r, "ledger_verdict")
    expect("ledger_verdict: a range is always of a launch", v, "refused", code="share_too_low", facts={"uncitable_value": "near low"})
    r = report.Report().refuse(DEV, "est__dram_vs_ledger_err_pct", "trace_unavailable")
    absent("ledger_verdict: none when no ledger was given", r, "ledger_verdict")
    r.meta["ledger_basis"] = "per-launch"
    expect("ledger_verdict: refused with its row when one was", verdict(r, "ledger_verdict"), "refused", code="trace_unavailable")


# --- what binds ---------------------------------------------------------------------------------------------

def roof(owner="gemm", efficiency=91.25):
    r = report.Report().row(owner, "est__bound", "memory", "estimated").row(owner, "est__achieved_gbs", 830.5, "estimated", "GB/s")
    return r.row(owner, "est__roofline_efficiency_pct", efficiency, "estimated", "%")


def bounds():
    expect("roofline: soft", verdict(roof(), "roofline"), "soft", 91.25, "%", "estimated",
           facts={"kernel": "gemm", "bound": "memory", "efficiency_pct": 91.25, "gbs": 830.5})
    r = roof("add").refuse("gemm", "est__roofline_efficiency_pct", "no_workload")
    tap.equal(verdict(r, "roofline")["facts"]["kernel"], "add", "roofline: of the kernel whose work was stated")
    absent("roofline: none without it", report.Report().refuse("gemm", "est__roofline_efficiency_pct", "no_workload"), "roofline")
    v = verdict(roof().row("gemm", "ks__dtype_peak_exceeded_warning", 1, "derived"), "roofline")
    expect("roofline: refused above the peak of its data type", v, "refused", code="calibration_caliber_mismatch",
           failed=["dtype_peak_exceeded"], facts={"uncitable_value": 91.25})
    v = verdict(roof().row("add", "ks__dtype_peak_exceeded_warning", 1, "derived"), "roofline")
    tap.equal(v["status"], "soft", "roofline: the mark of another kernel does not count")

    over = roof().row("gemm", "ks__over_peak_warning", 1, "derived")
    v = verdict(over, "over_peak")
    expect("over_peak: always refused", v, "refused", code="calibration_caliber_mismatch", failed=["over_peak"], facts={"kernel": "gemm"})
    expect("over_peak: the roofline of that kernel falls", verdict(over, "roofline"), "refused", code="calibration_caliber_mismatch",
           facts={"uncitable_value": 91.25})
    expect("over_peak: that of another kernel stands", verdict(roof("add").row("gemm", "ks__over_peak_warning", 1, "derived"), "roofline"),
           "soft", 91.25, "%", "estimated")
    long = "x" * 60
    r = report.Report(kernels={long + "a": 6000000, long + "b": 2000000})
    r.row(long + "a", "est__roofline_efficiency_pct", 50.0, "estimated", "%").row(long + "b", "ks__over_peak_warning", 1, "derived")
    tap.equal(verdict(r, "roofline")["status"], "soft", "over_peak: names that only begin alike are two kernels")
    r = report.Report(kernels={"same": 6000000, "other": 1})
    r.kernels.insert(1, report.kernel("same", 1000000, 2))
    r.row("same", "est__roofline_efficiency_pct", 50.0, "estimated", "%", nth=0).row("same", "ks__over_peak_warning", 1, "derived", nth=1)
    tap.equal(verdict(r, "roofline")["status"], "soft", "over_peak: so are two entries of one name")
    r = roof().row(DEV, "ks__over_peak_warning", 1, "derived")
    expect("over_peak: of the device", verdict(r, "over_peak"), "refused", code="calibration_caliber_mismatch", failed=["over_peak"],
           facts={"kernel": "(device)"})
    tap.equal(verdict(r, "roofline")["status"], "refused", "over_peak: a mark nobody owns counts against every kernel")
    absent("over_peak: a mark of 0 is none", roof().row("gemm", "ks__over_peak_warning", 0, "derived"), "over_peak")

    r = report.Report().row("gemm", "est__issue_slot_utilization_pct", 12.5, "estimated", "%").row("gemm", "est__stall_direction", "latency", "estimated")
    expect("issue_slot: soft", verdict(r, "issue_slot"), "soft", 12.5, "%", "estimated", facts={"util_pct": 12.5, "direction": "latency"})
    for util, status in ((102.0, "soft"), (102.1, "refused")):
        r = report.Report().row("gemm", "est__issue_slot_utilization_pct", util, "estimated", "%")
        v = verdict(r, "issue_slot")
        tap.equal((v["status"], v.get("refusal", {}).get("code")), (status, None if status == "soft" else "premise_failed"),
                  f"issue_slot: {util} % of all slots is {status}")
    absent("issue_slot: none when refused", report.Report().refuse("gemm", "est__issue_slot_utilization_pct", "no_instr_hist"), "issue_slot")

    r = report.Report().row("gemm", "est__l2_hit_rate_l2only_pct", 55.5, "estimated", "%").row("gemm", "est__trace_working_set_mb", 8.388608, "estimated", "MB")
    expect("l2_locality: soft", verdict(r, "l2_locality"), "soft", 55.5, "%", "estimated", facts={"hit_pct": 55.5, "working_set_mib": 8})
    r = report.Report().row("gemm", "ks__static_sass_instructions", 1000, "exact").row("gemm", "ks__static_sass_share_fp", 40.5, "exact", "%")
    expect("static_mix: ok", verdict(r, "static_mix"), "ok", 1000, "count", "exact", facts={"total": 1000, "mix": {"fp": 40.5}})


# --- the packet around them ---------------------------------------------------------------------------------

def around():
    r = report.Report()
    r.meta["environment_refusals"] = [{"code": "nsys_missing", "message": "m" * 200}, {"code": "from_the_future", "message": ""}]
    r.meta["clock_lock"] = {"state": "unlocked", "source": "s"}
    r.meta["calibration"] = "cal.json:8fd9"
    r.meta["memtrace"] = {"name": "t.txt", "sha256": "ab" * 32}
    p = packet(r)
    env = p["environment_refusals"]
    tap.equal([e["code"] for e in env], ["nsys_missing", "from_the_future", "clock_not_locked"], "what the environment lacked, unlocked clocks too")
    tap.equal(len(env[0]["message"]), 120, "messages have at most 120 characters")
    tap.none([e["code"] for e in env if e["code"] not in p["refusals"]], "every one of them is explained")
    tap.equal((p["clock_lock"], p["protocol"]["calibration"], p["protocol"]["memtrace"]),
              ("unlocked", "cal.json:8fd9", {"name": "t.txt", "sha256": "ab" * 32}), "clocks, calibration and trace are those of the report")
    hashes = {p["protocol"]["hash"]}
    for key, value in (("clock_lock", {"state": "locked"}), ("calibration", "cal.json:0000"), ("peak_source", "calibration")):
        r.meta[key] = value
        hashes.add(packet(r)["protocol"]["hash"])
    tap.equal(len(hashes), 4, "each of clocks, calibration and peaks is part of the protocol hash")
    r.meta["environment_refusals"] = [{"code": f"code_{i:02}", "message": "x"} for i in range(20)]
    p = packet(r)
    shown = len(p["environment_refusals"])
    more = p["environment_refusals_more"]
    tap.equal(shown + more["count"], 20, "more of them than fit are counted")
    tap.ok(more["codes_truncated"] is True and len(more["codes"]) < more["count"], "and it is said that not all are named", more)

    r = report.Report()
    r.meta["selfcheck"] = {"band": {"dram_bytes_pct": {"lo": -2.5, "hi": 9.5}}, "mdd": {"dram_bytes_pct": 5.5, "kernel_time_pct": 0.75}}
    r.row(DEV, "est__dram_bytes_total", 1.5, "estimated", "MB").row(DEV, "ks__sampler_window_coverage_pct", 90.0, "derived", "%")
    r.row("gemm", "ks__theoretical_occupancy_pct", 50.0, "derived", "%")
    p = packet(r)
    got = {v["id"]: (v.get("band"), v.get("mdd")) for v in p["verdicts"]}
    tap.equal(got["kernel_time"], (None, 0.75), "kernel_time: the smallest difference of the selftest")
    tap.equal(got["occupancy"], (None, 0.75), "occupancy: the same")
    tap.equal(got["dram_bytes"], ({"lo": -2.5, "hi": 9.5}, 5.5), "dram_bytes: its own, and the band")
    tap.equal(got["saving_estimate_share"], (None, None), "others have none")
    tap.ok(p["cost"]["selftest_band"] is True, "and the packet says that there is one")

    r = everything()
    p = packet(r)
    tap.equal(len(p["verdicts"]), 10, "fifteen kinds, ten at most")
    ids = [v["id"] for v in p["verdicts"]]
    tap.none([i for i in ("kernel_time", "cost_per_token", "saving_estimate", "truth_vs_substitute", "over_peak") if i not in ids],
             "the five that matter most are kept")
    tap.equal(p["verdicts_more"], {"count": 4, "ids": ["roofline", "issue_slot", "l2_locality", "static_mix"]}, "the others are named")
    tap.ok(p["cost"]["packet_bytes"] <= 4096 and "over_budget" not in p["cost"], "within the budget", p["cost"])


def on_screen():
    r = everything()
    r.meta["clock_lock"], r.meta["calibration"] = {"state": "unlocked"}, "cal.json:8fd9"
    r.meta["memtrace"] = {"name": "t.txt", "sha256": "ab"}
    r.write(PATH)
    for lang in ("en", "zh"):
        p = packet(r)
        out = tap.run("-i", PATH, "--screen", "only", "--quiet", "--lang", lang, env={"COLUMNS": "400"})
        text = out.out.decode("utf-8")
        bad = [f"{v['id']}: {k}" for v in p["verdicts"] for k in v.get("facts", {}) if f"{k}=" not in text]
        bad += [w for w in ("cal.json:8fd9", "t.txt", "unlocked", "0.138889 EUR/Mtoken", "clock_not_locked") if w not in text]
        tap.none(bad, f"the screen shows every fact of the packet ({lang})")


def currency():
    r = priced()
    r.write(PATH)
    again = os.path.join(tap.TMP, "again")
    out = tap.run("-i", PATH, "-o", again, "--no-case", "--quiet", "--screen", "off", "-f")
    with open(again + ".ksreport.json", encoding="utf-8") as f:
        rows = {m["name"]: m["unit"] for k in json.load(f)["kernels"] for s in k["sections"] for m in s["metrics"]}
    tap.equal((out.rc, rows["ks__cost_per_hour"], rows["ks__cost_per_mtok"]), (0, "EUR/h", "EUR/Mtoken"), "a report keeps its currency when it is written again")
    out = tap.run("-i", PATH, "--csv", "--quiet", "--screen", "off")
    tap.ok(b"ks__cost_per_hour,2.5,EUR/h," in out.out, "and shows it in CSV", out.out)
    r = report.Report().row(DEV, "ks__cost_per_hour", 2.5, "derived", "a currency with a long name/h")
    v = verdict(clean(r), "cost_per_token")
    tap.equal(v["unit"], "CUR/h", "what is no label is not taken for one")


def wrong_types():
    cases = (("clock_lock", 5, "meta.clock_lock"), ("clock_lock", {"state": []}, "meta.clock_lock.state"), ("calibration", [], "meta.calibration"),
             ("environment_refusals", {}, "meta.environment_refusals"), ("environment_refusals", [1], "meta.environment_refusals[0]"),
             ("environment_refusals", [{"code": 1}], "meta.environment_refusals[0].code"), ("prescription", [1], "meta.prescription"),
             ("prescription", {"ranked": 1}, "meta.prescription.ranked"), ("prescription", {"ranked": ["x"]}, "meta.prescription.ranked[0]"),
             ("prescription", {"ranked": [], "total_per_hour": "much"}, "meta.prescription.total_per_hour"),
             ("ncu_truth", {"pairs_compared": "3"}, "meta.ncu_truth.pairs_compared"), ("ncu_truth", {"max_abs_err_pct": []}, "meta.ncu_truth.max_abs_err_pct"),
             ("selfcheck", {"mdd": {"dram_bytes_pct": "x"}}, "meta.selfcheck.dram_bytes_pct"), ("memtrace", {"name": 1}, "meta.memtrace.name"))
    for key, value, where in cases:
        r = report.Report()
        r.meta[key] = value
        r.write(PATH)
        out = tap.run("-i", PATH, "--packet", "-", "--screen", "off", "--quiet")
        tap.ok(out.rc == 1 and out.out == b"" and out.err.count(b"\n") == 1 and where.encode() in out.err, f"{key} = {value}: one line that names {where}", out.rc, out.err)
    for key in ("clock_lock", "calibration", "environment_refusals", "prescription", "ncu_truth", "selfcheck", "memtrace", "peak_source"):
        r = report.Report()
        r.meta[key] = None
        tap.ok(verdict(r, "kernel_time") is not None, f"{key} = null is as if it were not there")


def everything():
    r = priced()
    r.row(DEV, "est__dram_bytes_total", 1620.5, "estimated", "MB").row(DEV, "ks__sampler_window_coverage_pct", 80.0, "derived", "%")
    r.row(DEV, "est__dram_bytes_per_launch", 16.2, "estimated", "MB").row(DEV, "ks__matched_kernel_kernel_share_pct", 96.0, "derived", "%")
    r.row(DEV, "est__dram_vs_ledger_err_pct", -4.25, "estimated", "%")
    r.row("gemm", "est__dram_bytes_per_launch_trace", 15.0, "estimated", "MB").row("gemm", "ks__theoretical_occupancy_pct", 50.0, "derived", "%")
    r.row("gemm", "est__bound", "memory", "estimated").row("gemm", "est__roofline_efficiency_pct", 91.25, "estimated", "%")
    r.row("add", "ks__over_peak_warning", 1, "derived").row("gemm", "est__issue_slot_utilization_pct", 12.5, "estimated", "%")
    r.row("gemm", "est__l2_hit_rate_l2only_pct", 55.5, "estimated", "%").row("gemm", "ks__static_sass_instructions", 1000, "exact")
    r.meta["prescription"] = prescription()
    r.meta["ncu_truth"] = {"ncu_version": "2025.3", "actions": 2, "pairs_compared": 3, "pairs_total": 6, "max_abs_err_pct": 4.25}
    r.meta["ledger_basis"] = "per-launch"
    return r


def commands(source):
    """What the rows of the whole report offer to do; a packet leaves out what is longer than 56 characters."""
    out = tap.run("--ks-sqlite", source, "--set", "full", "--format", "json", "--screen", "off", "--quiet", cwd=tap.TMP)
    rows = [m for k in json.loads(out.out)["kernels"] for s in k["sections"] for m in s["metrics"]]
    found = {m["refusal"]["remedy"]["command"] for m in rows if m.get("refusal")}
    return sorted(c for c in found if c and len(c) <= 56)


def real_exports():
    folder = os.path.join(tap.SHARED, "data", "nsys-sqlite")
    if not os.path.isdir(folder):
        return tap.skip("no exports: KS_SHARED names no folder with data/nsys-sqlite")
    bad, seen, offered = [], 0, 0
    for name in sorted(n for n in os.listdir(folder) if n.endswith(".sqlite")):
        short = os.path.join(tap.TMP, "t.sqlite")  # commands longer than 56 characters are left out
        if os.path.lexists(short):
            os.unlink(short)
        os.symlink(os.path.join(folder, name), short)
        out = tap.run("--ks-sqlite", "t.sqlite", "--set", "full", "--packet", "-", "--screen", "off", "--quiet", "--cost", cwd=tap.TMP)
        if out.rc != 0:
            continue  # nothing in it that is read: tests/known/nsys_data.t says which
        p = json.loads(out.out)
        v = next(v for v in p["verdicts"] if v["id"] == "kernel_time")
        if v["status"] == "refused" and v["refusal"]["code"] in ("no_launch_activity", "no_kernels"):
            continue
        seen += 1
        missing = [k for k in ("top", "top_ms", "share_pct") if k not in v.get("facts", {})]
        if missing and v["status"] != "refused":
            bad.append(f"{name}: kernel_time without {missing}")
        if not any("cmd" in e for e in p["refusals"].values()) and commands("t.sqlite"):
            bad.append(f"{name}: no remedy has a command, the report has {commands('t.sqlite')}")
        offered += any("cmd" in e for e in p["refusals"].values())
        if p["cost"]["packet_bytes"] > 4096 or "over_budget" in p["cost"]:
            bad.append(f"{name}: {p['cost']}")
    return tap.ok(not bad and seen > 30 and offered > 10, f"{seen} exports with kernels: ranking facts and a command in every packet", *bad)


def main():
    tap.need_bin()
    for part in (ranking, cost, conditional, asked, saving, truth, bytes_, ledger, bounds, around, on_screen, currency, wrong_types, real_exports):
        part()
    tap.done()


main()
