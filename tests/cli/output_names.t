#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Macros in the names of outputs, through the real binary: each option that names one, ranks that do
# not collide, and names that are refused before anything is written.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000
unset RANK WORLD_SIZE OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_RANK PMI_SIZE SLURM_PROCID SLURM_NTASKS
cd "$T" || exit 2
mkdir run && cd run || exit 2
synth() { run "$KS_BIN" --ks-synthetic --quiet --no-case "$@"; }

JOB=a-1 synth -o 'run-%q{JOB}'
is "$(ls)" "run-a-1.ksreport.json
run-a-1.perfetto-trace" "-o with %q{JOB}: both files"
like "$err" 'wrote run-a-1\.ksreport\.json' "the line about a file has its real name"
rm -- *
for option in --packet --log-file --ks-perfetto --export-name-map; do
	JOB=7 synth "$option" 'x%q{JOB}-100%%'
	is "$rc/$(ls)" "0/x7-100%" "$option"
	rm -- *
done
for n in 1 2 3; do synth --packet 'p%i'; done
is "$(ls | tr '\n' ' ')" "p1 p2 p3 " "%i: a new name each time, from 1"
rm p2
synth --packet 'p%n'
is "$(ls | tr '\n' ' ')" "p1 p2 p3 " "%n: the smallest that is free"
rm -- *
synth -o 'r%i' --ks-perfetto none
synth -o 'r%i' --ks-perfetto none
is "$(ls | tr '\n' ' ')" "r1.ksreport.json r2.ksreport.json " "-o r%i: a prefix nobody has used"
rm -- *

for rank in 0 1 2 3; do
	(export SLURM_PROCID=$rank SLURM_NTASKS=4; "$KS_BIN" --ks-synthetic --quiet --packet 'r%r-of-%w' >/dev/null 2>&1) &
done
wait
is "$(ls | tr '\n' ' ')" "r0-of-4 r1-of-4 r2-of-4 r3-of-4 " "four ranks at once write four files"
rm -- *
synth --packet '%h'
is "$(ls)" "$(uname -n)" "%h is the host"
rm -- *
bash -c 'echo $$ >pid; exec "$1" --ks-synthetic --quiet --packet %p >/dev/null 2>&1' - "$KS_BIN"
ok "%p is the process" test -s "$(cat pid)"
rm -- *

refused() { # NAME-OF-OUTPUT ERE WHAT
	synth --packet "$1"
	is "$rc/$out" "2/" "$3: usage error"
	lines "$err" 1 "$3: one line"
	like "$err" "$2" "$3: what and why"
	is "$(ls)" "" "$3: nothing is written"
}
refused 'a%z' '^error: --packet: %z is no macro of a name; there are %p' "an unknown macro"
refused 'a%' '% is no macro' "a percent sign at the end"
refused 'a%r' '%r needs a launcher.*SLURM_PROCID.*%p' "a rank without a launcher"
RANK=3 refused 'a%r' '%r needs a launcher.* RANK\+WORLD_SIZE,' "half of what torchrun sets"
refused 'a%w' '%w needs a launcher.*WORLD_SIZE' "a size without a launcher"
refused 'a%q{NOPE}' 'NOPE, which is not set' "a variable that is not set"
JOB=../../etc refused 'a%q{JOB}' 'JOB is \.\./\.\./etc, which cannot be a part' "a path in a variable"
JOB=$'x\ny' refused 'a%q{JOB}' 'cannot be a part' "a line end in a variable"
SLURM_PROCID=one refused 'a%r' 'SLURM_PROCID is one, which is no rank' "a rank that is no number"

# an input is never expanded: a file may be called so
synth -o in --ks-perfetto none
mv in.ksreport.json 'in%p.ksreport.json'
run "$KS_BIN" -i 'in%p.ksreport.json' --quiet
is "$rc" 0 "an input with a percent sign in its name is read as it is"
run "$KS_BIN" --lang zh --ks-synthetic --packet 'a%z'
like "$err" '名字中没有 %z 这个宏' "the same in Chinese"
done_testing
