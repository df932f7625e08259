#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Files: their names, what protects old ones, and that they are looked at before the work begins.
# tests/known/output_folder.t has the folders that cannot be written to.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
cd "$T" || exit 2

run "$KS_BIN" --ks-synthetic -o run.json --launch-csv --packet p.json --export-name-map map.json
is "$rc" 0 "a family of files"
is "$(ls | grep -v '^out$\|^err$' | tr '\n' ' ')" "map.json p.json run.case run.ksreport.json run.launches.csv run.perfetto-trace " "exactly the files asked for; .json is cut off the prefix"
ok "standard output has the launch CSV as well" cmp -s out run.launches.csv
is "$(grep -c '^==PROF== wrote ' err)" 5 "each is announced"
is "$(tail -c 1 p.json)" "}" "a packet file has no line end"
ok "the packet tells the report's size" python3 -c '
import json, os
p = json.load(open("p.json"))
assert p["cost"]["report_bytes"] == os.path.getsize("run.ksreport.json"), p["cost"]
assert p["report_path"] == "run.ksreport.json", p
'
ok "launches are in the report only on request" python3 -c '
import json
r = json.load(open("run.ksreport.json"))
assert not any(k.get("launches") for k in r["kernels"])
'
run "$KS_BIN" --ks-synthetic -o all --ks-json-launches --csv
ok "--ks-json-launches puts them in" python3 -c '
import json
r = json.load(open("all.ksreport.json"))
n = [len(k.get("launches") or []) for k in r["kernels"]]
assert n[:2] == [5, 20], n
'
run "$KS_BIN" --ks-synthetic -o none --ks-json-no-launches --csv
is "$rc" 0 "--ks-json-no-launches is accepted"
run "$KS_BIN" --ks-synthetic -o with.case --no-case --csv --check-exit-code
is "$rc" 0 "--no-case and --check-exit-code are accepted"

ok "the name map has the documented keys" python3 -c '
import json
m = json.load(open("map.json"))
assert m["schema"] == "kernoscope-name-map-v1"
rows = {r["ncu_name"]: r for r in m["map"]}
assert set(rows["dram__bytes.sum"]) == {"ncu_name", "ours", "kind", "caliber"}
assert rows["dram__bytes.sum"]["ours"] == "est__dram_bytes_total"
assert rows["gpu__time_duration.sum"]["kind"] == "same_source"
assert rows["sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"]["kind"] == "none"
known = """dram__bytes.sum dram__bytes_read.sum dram__bytes_write.sum
dram__throughput.avg.pct_of_peak_sustained_elapsed gpu__time_duration.sum launch__registers_per_thread
launch__grid_size l1tex__t_sector_hit_rate.pct lts__t_sector_hit_rate.pct
sm__throughput.avg.pct_of_peak_sustained_elapsed smsp__inst_executed.sum
sm__warps_active.avg.pct_of_peak_sustained_active
sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed
smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct""".split()
assert set(known) <= set(rows), set(known) - set(rows)
'
run "$KS_BIN" --export-name-map -
ok "- is standard output" cmp -s out map.json
run "$KS_BIN" --export-name-map - --ks-synthetic
is "$rc/$out" "2/" "but only alone"
run "$KS_BIN" --ks-synthetic -o said --csv
like "$err" '^note: single launches are left out of said.ksreport.json; --ks-json-launches puts them in' "what a report leaves out is said"
run "$KS_BIN" --export-name-map map.csv
is "$rc/$out" "0/" "the name map needs no trace"
ok "a name that ends in .csv gives CSV" python3 -c '
import csv
rows = list(csv.reader(open("map.csv", newline="")))
assert rows[0] == ["ncu_name", "ours", "kind", "caliber"] and len(rows) >= 15, rows
'

echo precious >old.json
mkfifo blocked
run timeout 5 "$KS_BIN" --ks-sqlite blocked --packet old.json
is "$rc" 1 "an existing output is refused before the input is opened"
is "$(cat old.json)" precious "and stays as it was"
like "$err" 'old.json exists already' "and is named"
run "$KS_BIN" --ks-synthetic --csv -o no/such/folder/run
is "$rc" 0 "missing folders of an output are made"
ok "the report is in them" test -s no/such/folder/run.ksreport.json
echo >"$T/a-file"
run "$KS_BIN" --ks-synthetic --csv -o "$T/a-file/run"
is "$rc/$out" "1/" "a folder that cannot be made is told before anything is printed"
like "$err" "a-file.*(not a folder|is no folder|folder)" "and the line says what is in the way"
run "$KS_BIN" --ks-synthetic --csv --packet same -o x --export-name-map same
is "$rc/$err" "2/error: same is named for two outputs; give each its own name [usage]" "one name for two outputs"
mkdir -p sub
for other in ./same sub/../same "$PWD/same"; do
	run "$KS_BIN" --ks-synthetic --csv --packet same --log-file "$other"
	is "$rc/$(ls same 2>&1 | grep -c '^same$')" "2/0" "one file by two names: $other"
done
python3 -c '
import sqlite3
d = sqlite3.connect("trace.sqlite")
d.executescript("create table StringIds(id,value); create table CUPTI_ACTIVITY_KIND_KERNEL(start,end);"
                "insert into CUPTI_ACTIVITY_KIND_KERNEL values (1,2);")'
for part in -wal -shm -journal; do
	run "$KS_BIN" --ks-sqlite trace.sqlite --csv -f --packet ./trace.sqlite$part
	is "$rc/$(ls trace.sqlite$part 2>&1 | grep -c '^trace')" "2/0" "an output where SQLite keeps a part of the input: $part"
done
cp run.ksreport.json input.ksreport.json
run "$KS_BIN" -i input.ksreport.json -f --packet input.ksreport.json
is "$rc/$err" "2/error: input.ksreport.json is the input and would be overwritten; choose another output name [usage]" "an output over the input"
ln input.ksreport.json link.json
run "$KS_BIN" -i input.ksreport.json -f --packet link.json
is "$rc" 2 "an output over the input by another name"
run "$KS_BIN" -i input.ksreport.json -f --log-file input.ksreport.json --csv
is "$rc" 2 "a log over the input"
ok "the input is still there" cmp -s run.ksreport.json input.ksreport.json

run "$KS_BIN" --ks-synthetic --csv --packet /dev/stderr
is "$rc" 0 "a device may be named"
like "$err" '^\{"schema_version":1' "and gets the bytes"
mkfifo pipe
cat pipe >from-pipe &
run timeout 10 "$KS_BIN" --ks-synthetic --csv --packet pipe
wait
ok "a named pipe gets the whole packet once" python3 -m json.tool from-pipe /dev/null

run bash -c 'ulimit -f 1; "$0" --ks-synthetic -o big --csv >/dev/null' "$KS_BIN"
is "$rc" 1 "a file that may not grow: exit 1"
lines "$err" 1 "one line"
is "$(ls -a | grep -c 'big\|\.tmp$')" 0 "nothing half written"
done_testing
