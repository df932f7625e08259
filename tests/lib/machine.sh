# SPDX-License-Identifier: Apache-2.0
#
# A made-up machine for tests of commands that look at the host; source it after tap.sh.
#
#     machine_new                 an empty one: folders in $T/machine, nothing in them
#     machine_tool nsys           a program of that name, found by KS_TOOL_SEARCH_DIRS
#     machine_ncu denied|allowed  ncu, which answers a query like that and leaves $T/machine/ncu.ran
#     machine_gpu [-DNAME...]     tests/fixtures/fake/nvml.c; false where it cannot be built
#     machine_nvbit               NVBit, where NVBIT_PATH points
#     machine_policy 0|1          RmProfilingAdminOnly, for a process without capabilities
#     machine capabilities ...    runs the program there: sets $out, $err, $rc
#
# machine_is_bare: whether the real machine has none of it, so that "not found" can be seen.
machine_new() {
	M="$T/machine"
	rm -rf "$M"
	mkdir -p "$M/tools" "$M/lib" "$M/home"
	machine_env=(HOME="$M/home" KS_TOOL_SEARCH_DIRS="$M/tools" NVBIT_PATH="$M/none" LD_LIBRARY_PATH="$M/lib"
		KS_NV_PARAMS="$M/none" KS_PROC_STATUS="$M/none")
}
machine_tool() {
	printf '#!/bin/sh\nexit 0\n' >"$M/tools/$1"
	chmod +x "$M/tools/$1"
}
machine_ncu() {
	{
		printf '#!/bin/sh\n: >"%s/ncu.ran"\n' "$M"
		if [ "$1" = denied ]; then
			printf 'echo "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission" >&2\nexit 1\n'
		else
			printf 'echo "Device Test GPU (AD102)"\necho "dram__bytes.sum  Bytes"\n'
		fi
	} >"$M/tools/ncu"
	chmod +x "$M/tools/ncu"
}
machine_gpu() {
	${CC:-cc} -shared -fPIC "$@" -o "$M/lib/libnvidia-ml.so.1" "$ROOT/tests/fixtures/fake/nvml.c" 2>/dev/null
}
machine_nvbit() {
	mkdir -p "$M/nvbit/core"
	: >"$M/nvbit/core/libnvbit.a"
	machine_env+=(NVBIT_PATH="$M/nvbit")
}
machine_policy() {
	printf 'RmProfilingAdminOnly: %s\n' "$1" >"$M/params"
	printf 'Name:\tx\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\n' >"$M/status"
	machine_env+=(KS_NV_PARAMS="$M/params" KS_PROC_STATUS="$M/status")
}
machine() {
	run env "${machine_env[@]}" "$KS_BIN" "$@"
}
machine_is_bare() {
	local t
	for t in nsys ncu cuobjdump nvdisasm nvidia-smi; do
		! have "$t" || return 1
	done
	[ -z "$(ls -d /proc/driver/nvidia/version /dev/nvidiactl /dev/dxg /usr/local/cuda* /opt/cuda /opt/nvidia 2>/dev/null)" ]
}
