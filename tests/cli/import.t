#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A report read back gives what the run itself gave; a selection takes rows away and changes no number.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
cd "$T" || exit 2

"$KS_BIN" --quiet --ks-synthetic --set full -o run --packet run.packet --csv >direct.csv 2>/dev/null
run "$KS_BIN" -i run.ksreport.json --csv
is "$rc/$err" "0/" "-i --csv"
ok "-i --csv gives the rows of the run" cmp -s out direct.csv
run "$KS_BIN" -i run.ksreport.json -o again --csv
ok "-i -o writes the same report, its lineage too" python3 -c '
import json
a, b = (json.load(open(f)) for f in ("run.ksreport.json", "again.ksreport.json"))
assert a == b, [k for k in a if a[k] != b.get(k)]
assert any(m.get("inputs") for k in a["kernels"] for s in k["sections"] for m in s["metrics"])
'
run "$KS_BIN" -i run.ksreport.json --print-details all
"$KS_BIN" --ks-synthetic --set full --print-details all 2>/dev/null | grep '^  on: ' >places
ok "there are lines that say where a kernel ran" test -s places
is "$(grep '^  on: ' out)" "$(cat places)" "-i says where each kernel ran, as the run did"
run "$KS_BIN" -i run.ksreport.json --packet -
ok "-i --packet - decides as the run did" python3 -c '
import json, sys
a, b = json.load(open("run.packet")), json.load(open("out"))
for p in (a, b):
    p.pop("report_path", None)
    for key in ("report_bytes", "packet_bytes", "wall_s", "trimmed", "trimmed_ids"):
        p["cost"].pop(key, None)
assert a["verdicts"] == b["verdicts"], (a["verdicts"], b["verdicts"])
assert a["protocol"] == b["protocol"], (a["protocol"], b["protocol"])
assert a["cost"] == b["cost"], (a["cost"], b["cost"])
'
for format in text svg screen; do
	"$KS_BIN" --ks-synthetic --set full --format $format >direct 2>/dev/null
	run "$KS_BIN" -i run.ksreport.json --format $format
	is "$rc" 0 "-i --format $format"
	ok "-i --format $format shows something" test -s out
done

run "$KS_BIN" report run.ksreport.json --csv
ok "report FILE is -i FILE" cmp -s out direct.csv
run "$KS_BIN" report --csv run.ksreport.json
ok "with the options before the file as well" cmp -s out direct.csv
run "$KS_BIN" report run.ksreport.json --quiet --csv --metrics ks__no_such_row
is "$rc" 0 "a report may hold rows this version does not know: an unknown name is no usage error"
run "$KS_BIN" -i run.ksreport.json --csv --metrics ks__launch_cuont
like "$err" '^warn: --metrics: this report has no row named ks__launch_cuont; nearest: ks__launch_count$' "but it is said, with the nearest"

names() { python3 -c '
import csv, sys
print(" ".join(dict.fromkeys(r["kernel"].split("(")[0] or "(device)" for r in csv.DictReader(open("out", newline="")))))'; }
run "$KS_BIN" -i run.ksreport.json --csv -k synthetic_gemm
is "$(names)" "synthetic_gemm (device)" "-k: exact on the function name"
grep '^synthetic_gemm\|^"synthetic_gemm' direct.csv >want
grep '^synthetic_gemm\|^"synthetic_gemm' out >got
ok "-k changes no number of the kernel it leaves" cmp -s want got
"$KS_BIN" --quiet -i run.ksreport.json -k synthetic_gemm -o part --packet part.packet --csv >/dev/null 2>&1
run "$KS_BIN" -i part.ksreport.json --packet -
ok "-k is written into the report, so that it has the protocol of its packet" python3 -c '
import json
a, b = json.load(open("part.packet")), json.load(open("out"))
r = json.load(open("part.ksreport.json"))
assert r["meta"]["kernel_filter"] == "synthetic_gemm", r["meta"]
assert a["protocol"] == b["protocol"] != json.load(open("run.packet"))["protocol"], (a["protocol"], b["protocol"])
'
run "$KS_BIN" -i run.ksreport.json --csv -k regex:elem
is "$(names)" "synthetic_elementwise (device)" "-k regex:"
run "$KS_BIN" -i run.ksreport.json --csv -k synthetic
is "$rc/$out" "1/" "-k is not a substring"
like "$err" '^error: -k synthetic matches no kernel of run.ksreport.json; .*synthetic_gemm.*regex:' "the nearest names and the regex form"
run "$KS_BIN" -i run.ksreport.json -k regex:zzz
like "$err" '^error: -k regex:zzz matches no kernel of run.ksreport.json; kernels with most time: synthetic_gemm, synthetic_elementwise; .*--kernel-name-base demangled' "a pattern: those with most time"
run "$KS_BIN" -i run.ksreport.json --csv --kernel-name-base demangled -k 'synthetic_elementwise(float*)'
is "$(names)" "synthetic_elementwise (device)" "--kernel-name-base demangled"
run "$KS_BIN" -i run.ksreport.json --csv --devices 0
is "$rc" 0 "--devices that names all of them"
run "$KS_BIN" -i run.ksreport.json --csv --devices 5
is "$rc" 1 "--devices that names another"
like "$err" 'it has: 0' "says which there are"

sections() { python3 -c '
import csv
print(" ".join(sorted({r["section"] for r in csv.DictReader(open("out", newline=""))})))'; }
run "$KS_BIN" -i run.ksreport.json --csv --section Duration -k synthetic_gemm
like "$(sections)" 'Duration' "--section on a re-read report"
unlike "$(sections)" 'Occupancy|LaunchStats' "--section leaves the others out"
run "$KS_BIN" -i run.ksreport.json --csv --set basic
unlike "$(sections)" 'NumaAffinity' "--set on a re-read report"
run "$KS_BIN" -i run.ksreport.json --csv --metrics ks__launch_count
is "$(grep -c ks__launch_count out)/$(grep -c . out)" "2/3" "--metrics on a re-read report"
run "$KS_BIN" -i run.ksreport.json --launch-csv
is "$rc/$out" "1/" "a report without launches has no launch CSV"
like "$err" 'keeps no single launches' "and says so"

run "$KS_BIN" -i run.ksreport.json --csv -c 1
like "$err" '^warn: -c, -s and --launch-skip-before-match choose launches of a trace' "-c on a report: said to do nothing"
ok "and it does nothing" cmp -s out direct.csv

# A trace of copies alone: why it has no kernels is known to whoever reads its report.
python3 -c '
import sqlite3
d = sqlite3.connect("copies.sqlite")
d.execute("create table StringIds (id integer primary key, value text)")
d.execute("create table CUPTI_ACTIVITY_KIND_MEMCPY (start int, end int, deviceId int, streamId int, bytes int, copyKind int)")
d.execute("insert into CUPTI_ACTIVITY_KIND_MEMCPY values (1000, 3000, 0, 7, 64, 1)")
d.commit()'
"$KS_BIN" --quiet --ks-sqlite copies.sqlite -o copies --packet copies.packet --csv >/dev/null 2>&1
run "$KS_BIN" -i copies.ksreport.json --packet -
ok "-i of a report without kernels refuses with the cause of the run" python3 -c '
import json
a, b = (json.load(open(f))["verdicts"][0]["refusal"] for f in ("copies.packet", "out"))
assert a == b and a["code"] == "no_launch_activity" and a["observed"]["cause"] == "traced, nothing recorded", (a, b)'

# What cannot be is withheld, whoever wrote it.
for much in 1e19 100.1 -5; do
	python3 - $much <<-'EOF'
		import json, sys
		a = json.load(open("run.ksreport.json"))
		for section in a["kernels"][0]["sections"]:
		    for row in section["metrics"]:
		        if row["name"] == "ks__theoretical_occupancy_pct":
		            row["value"] = float(sys.argv[1])
		json.dump(a, open("much.ksreport.json", "w"))
	EOF
	run "$KS_BIN" --quiet -i much.ksreport.json --csv -k synthetic_gemm --metrics ks__theoretical_occupancy_pct
	like "$out" 'ks__theoretical_occupancy_pct,,%,unavailable,.*inconsistent_evidence' "an occupancy of $much %"
	run "$KS_BIN" --quiet -i much.ksreport.json --packet -
	ok "decides nothing" python3 -c '
import json
v = [v for v in json.load(open("out"))["verdicts"] if v["id"] == "occupancy"][0]
assert v["status"] == "refused" and v["refusal"]["code"] == "inconsistent_evidence", v'
done

# What a trace leaves out is null in the report, and its report is read back like any other.
ROOT=$ROOT python3 -c '
import os, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
import export
d = export.Export("gaps.sqlite", gpus=0)
for bus in "3", "4":
    d.row("TARGET_INFO_GPU", id=None, cuDevice=None, busLocation="0000:0" + bus + ":00.0")
d.kernel(0, 100, "k(int)", gridX=None, blockZ=None)
d.kernel(200, 400, "k(int)", deviceId=None, globalPid=None, streamId=None, registersPerThread=None)
d.close()'
run "$KS_BIN" --quiet --ks-sqlite gaps.sqlite -o gaps --ks-json-launches --ks-perfetto gaps.json
is "$rc" 0 "a trace with gaps"
run "$KS_BIN" --quiet -i gaps.ksreport.json -o gaps2 --ks-json-launches
is "$rc" 0 "its report is read back"
ok "what is not known is null in it, and stays so" python3 -c '
import json
a, b = (json.load(open(f)) for f in ("gaps.ksreport.json", "gaps2.ksreport.json"))
assert a == b, [k for k in a if a[k] != b.get(k)]
assert [d["id"] for d in a["devices"] if not d["used"]] == [None, None], a["devices"]
configs = [c["grid"] + c["block"] for c in a["kernels"][0]["launch_configs"]]
assert [None, 1, 1, 128, 1, None] in configs, configs
assert [None, 1, 1] in [l["grid"] for l in a["kernels"][0]["launches"]]'
not_ok "no number stands for it" grep -l -e -9223372036854775808 gaps.ksreport.json gaps.json
python3 -c '
import json
a = json.load(open("gaps.ksreport.json"))
for c in a["kernels"][0]["launch_configs"]:
    del c["min_ns"], c["max_ns"]
a["kernels"][0]["launches"] = []
json.dump(a, open("older.ksreport.json", "w"))'
"$KS_BIN" --quiet -i older.ksreport.json -o older2 >/dev/null 2>&1
run "$KS_BIN" --quiet -i older2.ksreport.json
is "$rc/$err" "0/" "so is one of several configurations whose shortest launches nobody states"

run "$KS_BIN" -i run.packet
is "$rc/$err" "0/" "a packet read back is shown as the screen"
"$KS_BIN" --ks-synthetic --set full --screen only >screen
is "$(grep '^\[' out)" "$(grep '^\[' screen)" "with the same decisions"
run "$KS_BIN" -i run.packet --csv
is "$rc" 2 "a packet has no rows"
lines "$err" 1 "one line"
for option in --strict "--set full" "--section Occupancy" --cost "--devices 0" "-k gemm"; do
	# shellcheck disable=SC2086
	run "$KS_BIN" -i run.packet $option
	is "$rc/$out" "2/" "what needs rows is not passed over: $option"
done
python3 -c '
import json
r = json.load(open("run.ksreport.json"))
for _ in range(100):
    r["meta"] = {"a": r["meta"]}
json.dump(r, open("deep.ksreport.json", "w"))'
for redact in "" --redact; do
	# shellcheck disable=SC2086
	run "$KS_BIN" -i deep.ksreport.json $redact
	is "$rc" 1 "a report nested without end is none $redact"
	like "$err" 'nested less than 16 deep' "and that is what is said"
done
printf x >x.nsys-rep
run "$KS_BIN" --ks-nsys-rep x.nsys-rep
is "$rc" 1 "a native report that is none"
like "$err" '^error: x.nsys-rep is not a native Nsight Systems report' "is not called a database"

"$KS_BIN" --quiet --ks-synthetic --lang zh -o zh --csv >/dev/null 2>&1
run "$KS_BIN" -i zh.ksreport.json
is "$rc" 0 "a report in Chinese is read back"

run bash -c 'exec "$0" -i <(cat run.ksreport.json) --csv' "$KS_BIN"
is "$rc/$err" "0/" "a report from a process substitution: it can be read only once"
ok "gives the rows of the run" cmp -s out direct.csv
run bash -c 'cat run.ksreport.json | exec "$0" -i /dev/stdin --csv' "$KS_BIN"
ok "so does /dev/stdin" cmp -s out direct.csv
run timeout 60 "$KS_BIN" -i /dev/zero --csv
is "$rc/$out" "1/" "an input without end is given up"
like "$err" '/dev/zero' "and named"

echo '{' >bad.json
echo '[]' >list.json
: >empty.json
head -c 3000 run.ksreport.json >cut.ksreport.json
echo text >text.txt
mkdir dir
for file in bad.json list.json empty.json cut.ksreport.json text.txt dir none.json; do
	run "$KS_BIN" -i $file --csv -o never
	is "$rc/$out" "1/" "-i $file: exit 1, nothing printed"
	lines "$err" 1 "-i $file: one line"
	like "$err" "$file" "-i $file: the line names it"
done
not_ok "and nothing written" test -e never.ksreport.json
python3 -c '
import sqlite3
d = sqlite3.connect("db.sqlite"); d.execute("create table t (a)"); d.commit()'
run "$KS_BIN" -i db.sqlite
is "$rc" 1 "-i of a database"
like "$err" 'kernoscope --ks-sqlite db.sqlite' "says how to read it"
run "$KS_BIN" --ks-sqlite run.ksreport.json
is "$rc" 1 "--ks-sqlite of a report"
like "$err" 'kernoscope -i run.ksreport.json' "says how to read it"
run "$KS_BIN" db.sqlite
is "$rc" 1 "a recording given as a program"
like "$err" 'read it with: kernoscope --ks-sqlite db.sqlite' "says how to read it"
done_testing
