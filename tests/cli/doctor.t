#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# doctor on made-up machines: programs that are scripts, policy files through the environment, and libraries
# of the driver built from tests/fixtures/fake. Exit code 0 whenever there is a diagnosis.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
cd "$T" || exit 2
unset CUDA_HOME CUDA_PATH CUDA_ROOT CUDA_INJECTION64_PATH NVTX_INJECTION64_PATH LD_PRELOAD NVBIT_PATH KS_CUPTI_LIB
unset KS_TOOL_SEARCH_DIRS KS_NV_PARAMS KS_PROC_STATUS KS_PERF_PARANOID KUBERNETES_SERVICE_HOST container

mkdir bin lib
script() { # FILE LINES
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}
for name in nsys cuobjdump nvdisasm nvidia-smi; do script "bin/$name" 'exit 0'; done
script bin/ncu 'echo "$*" >>"${0%/*}/../ncu.ran"; cat "${0%/*}/../ncu.says"; exit 1'
echo '==ERROR== ERR_NVGPUCTRPERM - not for this user' >ncu.says
printf 'A: 1\nRmProfilingAdminOnly: 1\n' >params
printf 'CapEff:\t00000000a80425fb\nCapBnd:\t00000000a80425fb\n' >status
echo 2 >paranoid

# machine COMMAND...   as that machine sees it
machine() {
	env "PATH=$T/bin:/usr/bin:/bin" "LD_LIBRARY_PATH=$T/lib" "KS_NV_PARAMS=$T/params" \
		"KS_PROC_STATUS=$T/status" "KS_PERF_PARANOID=$T/paranoid" "HOME=$T" "$@"
}
has() { # NAME PYTHON   d is the JSON of the last run
	ok "$1" python3 -c "
import json
d = json.load(open('out'))
check = {c['id']: c for c in d['checks']}
assert $2, json.dumps(d)[:3000]"
}

run machine "$KS_BIN" doctor --json
is "$rc/$err" "0/" "doctor --json"
has "denied by the probe" "d['counter_state'] == 'denied' and 'ncu --query-metrics' in d['counter_state_note'] and d['counter_probe'] == {'name': 'ncu --query-metrics', 'answer': 'denied', 'strength': 'weak', 'line': '==ERROR== ERR_NVGPUCTRPERM - not for this user'}"
is "$(cat ncu.ran)" "--query-metrics" "ncu was run once, with one option"
has "the policy and the rights" "d['rights'] == {'rm_profiling_admin_only': True, 'cap_eff': '00000000a80425fb', 'cap_bnd': '00000000a80425fb', 'perf_event_paranoid': 2}"
has "states of the checks" "[check[i]['status'] for i in ('driver_policy', 'cap_sys_admin', 'cap_perfmon', 'nsys', 'perf_event_paranoid', 'counters')] == ['warn', 'fail', 'fail', 'ok', 'ok', 'fail']"
has "tools and where they are" "d['ok'] and d['tools']['nsys'] == {'name': 'nsys', 'path': '$T/bin/nsys', 'in_path': True, 'found': True, 'searched_dirs': ['$T/bin']}"
has "the host's part is told apart from the user's" "{s['who'] for s in d['steps']} == {'you', 'host'} or {s['who'] for s in d['steps']} == {'host'}"
has "the letter names the setting" "any('NVreg_RestrictProfilingToAdminUsers=0' in l for l in d['admin_text']) and any('CAP_PERFMON' in l and 'CAP_SYS_ADMIN' in l for l in d['admin_text'])"

rm -f ncu.ran
run machine "$KS_BIN" doctor --json --no-probe
is "$rc/$err" "0/" "--no-probe"
not_ok "ncu was not run" test -e ncu.ran
has "denied by the policy alone" "d['counter_state'] == 'denied' and d['counter_probe']['answer'] == 'not_run' and 'no probe' in d['counter_state_note']"
printf 'CapEff:\t0000004000000000\nCapBnd:\t0000004000000000\n' >status
run machine "$KS_BIN" doctor --json --no-probe
has "CAP_PERFMON alone lifts the policy's denial" "d['counter_state'] == 'unknown' and check['cap_sys_admin']['status'] == 'ok'"
printf 'CapEff:\t00000000a80425fb\nCapBnd:\t00000000a80425fb\n' >status

echo 'sm__cycles_elapsed' >ncu.says
sed -i 's/exit 1/exit 0/' bin/ncu
run machine "$KS_BIN" doctor --json
has "available, although the policy says no: the note says so" "d['counter_state'] == 'available' and 'although' in d['counter_state_note'] and 'weak probe' in d['counter_state_note']"
sed -i 's/exit 0/exit 1/' bin/ncu
echo '==ERROR== No devices were found' >ncu.says
run machine "$KS_BIN" doctor --json
has "no devices: unknown, not denied" "d['counter_state'] == 'unknown' and d['counter_probe']['answer'] == 'no_device'"
mkdir aside
mv bin/ncu aside/
run machine env "KS_TOOL_SEARCH_DIRS=$T/aside" "$KS_BIN" doctor --json --no-probe
has "found beside PATH: denied by policy still" "d['counter_state'] == 'denied' and not d['tools']['ncu']['in_path']"
printf 'RmProfilingAdminOnly: 0\n' >params
run machine env "KS_TOOL_SEARCH_DIRS=$T/aside" "$KS_BIN" doctor --json --no-probe
has "not-in-path, and the command that mends it" "d['counter_state'] == 'not-in-path' and any(s['command'] == 'export PATH=$T/aside:\"\$PATH\"' for s in d['steps'])"
if [ -x /usr/bin/ncu ] || [ -x /bin/ncu ] || [ -x /usr/local/bin/ncu ] || ls /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu >/dev/null 2>&1; then
	skip "this machine has an ncu of its own" 2
else
	run machine "$KS_BIN" doctor --json
	has "not installed: every folder is listed, nothing is denied" "d['counter_state'] == 'not-installed' and d['tools']['ncu']['searched_dirs'][:3] == ['$T/bin', '/usr/bin', '/bin'] and '/opt/cuda/bin' in d['tools']['ncu']['searched_dirs'] and check['counters']['status'] == 'warn'"
	has "and no letter is written" "d['admin_text'] == []"
fi

# devices
if have cc && cc -shared -fPIC -o lib/libnvidia-ml.so.1 "$ROOT/tests/fixtures/fake/nvml.c" 2>/dev/null &&
	cc -shared -fPIC -o lib/libcuda.so.1 "$ROOT/tests/fixtures/fake/cuda.c" 2>/dev/null; then
	run machine "$KS_BIN" doctor --json --no-probe
	has "devices by NVML, SMs by the driver" "d['device'] == {'name': 'Test GPU', 'driver': '550.54.15', 'compute_capability': '8.9', 'memory_mib': '24564', 'max_sm_clock_mhz': '3105', 'power_limit_w': '450.00', 'count': 2, 'sm_count': 128} and d['devices_from'] == 'nvml' and d['driver_cuda'] == '12.4'"
	has "a device whose readings fail has none" "d['devices'][1]['memory_mib'] is None and d['devices'][1]['nvlinks_active'] is None and d['devices'][0]['nvlinks_active'] == 3"
	has "the library that answered" "d['nvml'][0]['path'] == '$T/lib/libnvidia-ml.so.1' and d['nvml'][0]['loads']"
	run machine "$KS_BIN" doctor --no-probe
	like "$out" '^  ok    GPU: Test GPU \+ NVIDIA GPU, driver 550\.54\.15, sm_89, 24564 MiB$' "the GPU in one line"
	cc -shared -fPIC -DNO_DRIVER -o lib/libnvidia-ml.so.1 "$ROOT/tests/fixtures/fake/nvml.c"
	run machine "$KS_BIN" doctor --json --no-probe
	has "a library without a driver" "d['has_gpu'] is False and d['device'] == {} and 'Driver Not Loaded' in check['nvml']['detail']"
	run machine "$KS_BIN" doctor --no-probe
	like "$out" '^No NVIDIA GPU is visible here' "no GPU: that stands first"
	rm -f lib/*
else
	skip "no C compiler to build the stand-in libraries" 6
fi

# slots, container, NVBit, CUPTI
mkdir -p nvbit/core && : >nvbit/core/libnvbit.a && : >libcupti.so.2024.1.1
run machine env CUDA_INJECTION64_PATH=/tool.so container=podman "NVBIT_PATH=$T/nvbit" "KS_CUPTI_LIB=$T/libcupti.so.2024.1.1" "$KS_BIN" doctor --json --no-probe
has "slot, container, NVBit and CUPTI" "d['slots'] == {'CUDA_INJECTION64_PATH': '/tool.so', 'NVTX_INJECTION64_PATH': None, 'LD_PRELOAD': None} and check['cuda_injection']['status'] == 'warn' and d['host']['container'] == 'podman' and d['nvbit_path'] == '$T/nvbit' and d['cupti'][0] == {'path': '$T/libcupti.so.2024.1.1', 'version': '2024.1.1', 'loads': None, 'why': ''}"
run machine env "NVBIT_PATH=$T/bin" "$KS_BIN" doctor --json --no-probe
has "an NVBIT_PATH that holds no NVBit" "'NVBIT_PATH' in check['nvbit']['detail'] and check['nvbit']['status'] == 'warn'"

# hostile surroundings
head -c 3000000 /dev/zero | tr '\0' 'x' >huge
head -c 4000 /dev/urandom >noise
mkfifo pipe
for bad in huge noise pipe bin /dev/zero nowhere -; do
	case $bad in /* | -) file=$bad ;; *) file=$T/$bad ;; esac
	run timeout 20 env "PATH=$T/bin:/usr/bin:/bin" "KS_NV_PARAMS=$file" "KS_PROC_STATUS=$file" "KS_PERF_PARANOID=$file" "HOME=$T" "$KS_BIN" doctor --json --no-probe
	is "$rc/$err" "0/" "policy files that are $bad"
	has "are not read: $bad" "d['rights'] == {'rm_profiling_admin_only': None, 'cap_eff': None, 'cap_bnd': None, 'perf_event_paranoid': None}"
done
long=$(seq -f '/no/such/folder/%.0f' 4000 | tr '\n' ':')
run machine env "PATH=$long$T/bin" "$KS_BIN" doctor --json --no-probe
is "$rc/$err" "0/" "a PATH of 4001 folders"
has "each is listed" "len(d['tools']['nsys']['searched_dirs']) == 4001 and d['tools']['nsys']['path'] == '$T/bin/nsys'"
run env -i "$KS_BIN" doctor --json --no-probe
is "$rc/$err" "0/" "no environment at all"
run machine env "CUDA_HOME=$(printf '/x\033[31m*?[')" "$KS_BIN" doctor --json --no-probe
is "$rc/$err" "0/" "a folder of pattern signs and escapes"
unlike "$out" "$(printf '\033')" "which is not printed raw"

# for people
run machine "$KS_BIN" doctor --no-probe --color always
like "$out" "$(printf '\033')" "colours when asked for"
run machine "$KS_BIN" doctor --no-probe --lang zh
like "$out" '^硬件计数器$' "in Chinese"
unlike "$out" '\{[0-9]\}' "every place of every text is filled"
run machine "$KS_BIN" doctor --json --no-probe --lang zh
has "--lang sets the document's language; words for programs stay" "check['gpu']['status'] in ('ok', 'warn', 'fail') and any(ord(c) > 0x2e80 for c in d['finding'])"

# what is told of it, and what would be done
if have cc && cc -shared -fPIC -o lib/libnvidia-ml.so.1 "$ROOT/tests/fixtures/fake/nvml.c" 2>/dev/null; then
	run machine "$KS_BIN" doctor --json --no-probe --redact=yes
	is "$rc/$err" "0/" "--redact"
	unlike "$out" "$T|/usr/bin|00010203" "no path and no UUID is left"
	has "what was found stays" "d['tools']['nsys']['found'] and d['device']['name'] == 'Test GPU' and d['device']['memory_mib'] == '24564'"
	rm -f lib/*
else
	skip "no C compiler to build the stand-in library" 3
fi
cp aside/ncu bin/ncu
rm -f ncu.ran
run machine "$KS_BIN" doctor --plan-json
is "$rc/$err" "0/" "doctor --plan-json"
like "$out" "$T/params" "the policy file is in it"
like "$out" 'query-metrics' "and the probe"
not_ok "which is not run" test -e ncu.ran
run machine "$KS_BIN" doctor --plan-json --no-probe
unlike "$out" 'query-metrics' "without the probe it is not in it"

# usage
run "$KS_BIN" doctor extra
is "$rc/$out" "2/" "a word too many is a usage error"
run "$KS_BIN" doctor --no-porbe
is "$rc/$out" "2/" "a slip in an option is a usage error"
like "$err" 'no-probe' "that names the option meant"
run "$KS_BIN" doctor --help
is "$rc/$err" "0/" "doctor --help"
like "$out" 'no-probe' "lists the option"

if [ -e "$ROOT/schema/doctor.schema.json" ] && python3 -c 'import jsonschema' 2>/dev/null; then
	run machine "$KS_BIN" doctor --json --no-probe
	ok "the JSON keeps to its schema" python3 -c "
import json, jsonschema
jsonschema.validate(json.load(open('out')), json.load(open('$ROOT/schema/doctor.schema.json')))"
else
	skip "no published schema or no python3 jsonschema"
fi
done_testing
