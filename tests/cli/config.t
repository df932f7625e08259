#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The configuration through the real binary: which value wins, `config` that shows and changes it,
# files that are wrong or hostile, and what reads no file at all.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
export SOURCE_DATE_EPOCH=1700000000 HOME=$T/home
unset XDG_CONFIG_HOME
mkdir -p "$T/home/work/deep" && cd "$T/home/work/deep" || exit 2
user=$T/home/.config/kernoscope/config
project=$T/home/work/.kernoscope
config() { run "$KS_BIN" config "$@"; }

# --- nothing is there --------------------------------------------------------------------------
config
is "$rc" 0 "without any file there is a configuration"
is "$err" "" "and nothing to say about it"
like "$out" '^set = basic$' "a key with its default"
like "$out" '^# format =$' "a key without a value is a comment"
not_ok "nothing was made" test -e "$T/home/.config"
config set
is "$out" basic "KEY prints the value alone"
config --json
ok "--json is one JSON value with every setting" python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == "kernoscope-config-v1", d
assert [f["origin"] for f in d["files"]] == ["user"] and d["files"][0]["read"] is False, d["files"]
keys = [s["key"] for s in d["settings"]]
assert len(keys) == len(set(keys)) >= 13, keys
for s in d["settings"]:
    assert s["origin"] == "default" and s["where"] is None, s
    assert s["environment"] is None or s["environment"] == "KERNOSCOPE_" + s["key"].upper().replace("-", "_"), s
' "$T/out"

# --- the file is made, changed, and taken back -------------------------------------------------
config set full
is "$rc/$out" "0/" "KEY VALUE writes"
is "$err" "note: set = full written to $user" "and says where"
is "$(cat "$user")" "set = full" "one line in the user's file"
is "$(stat -c %a "$T/home/.config")" 700 "the folder is the user's alone"
printf '# what I like\nset = full  ; all of it\n' >"$user"
config set detailed
is "$(cat "$user")" "# what I like
set = detailed  ; all of it" "comments stay"
config --show-origin set
is "$out" "detailed ; $user:2" "--show-origin names file and line"
config --unset set
is "$rc" 0 "--unset"
is "$(cat "$user")" "# what I like" "takes the line out and nothing else"
config --unset set
is "$rc" 2 "--unset of a key that is not there"
is "$err" "error: set is not set in $user; nothing was changed [usage]" "says so"
config set full set
is "$rc" 2 "three words are too many"
config sett full
is "$err" "error: config: no such key: sett; did you mean set? [usage]" "a wrong key names the nearest"
config set fulll
is "$err" "error: --set: no such choice: fulll; did you mean full? (config) [usage]" "a wrong value names the nearest"
config no-pager no
like "$err" 'no such key: no-pager; did you mean pager\?' "an option in place of its key"
config progress no
is "$(tail -n 1 "$user")" "progress = no" "a flag is yes or no"
config progress perhaps
is "$rc" 2 "and nothing else"
is "$(cat "$user")" "# what I like
progress = no" "a refused value changes nothing"
run "$KS_BIN" config --config none set full
is "$rc" 2 "--config none names no file to write to"
run "$KS_BIN" config --config "$T/other" page raw
is "$(cat "$T/other")" "page = raw" "--config FILE is the file that is written"
ln -s "$T/other" "$T/link"
run "$KS_BIN" config --config "$T/link" page details
is "$rc" 1 "never through a symbolic link"
is "$(cat "$T/other")" "page = raw" "what it points to is as it was"
run env HOME=relative "$KS_BIN" config set full
is "$rc" 2 "without a home there is no file to write"
like "$err" 'neither XDG_CONFIG_HOME nor HOME' "and the message says why"

# --- what is printed can be used ---------------------------------------------------------------
printf 'set = full\nprint-units = base\nquiet = yes\n' >"$user"
config --show-origin
cp "$T/out" "$T/again"
run "$KS_BIN" config --config "$T/again"
is "$rc" 0 "the output of config --show-origin is a configuration file"
like "$out" '^set = full$' "with the same values"
like "$out" '^print-units = base$' "all of them"

# --- who wins ----------------------------------------------------------------------------------
printf 'lang = zh\nset = detailed\nprint-details = all\n' >"$user"
config --show-origin print-details
is "$out" "all ; $user:3" "the user's file"
printf 'print-details = header\n' >"$project"
config --show-origin print-details
is "$out" "header ; $project:1" "goes behind the project's file, found from a folder below"
run env KERNOSCOPE_PRINT_DETAILS=all "$KS_BIN" config --show-origin print-details
is "$out" "all ; KERNOSCOPE_PRINT_DETAILS" "which goes behind the environment"
config --show-origin lang --lang en
is "$out" "en ; command line" "which goes behind the command line"
rows() { grep -c '^    launch__registers_per_thread' "$T/out"; }
rm "$user"
run "$KS_BIN" --ks-synthetic
is "$(rows)" 0 "header: no rows"
run env KERNOSCOPE_PRINT_DETAILS=all "$KS_BIN" --ks-synthetic
is "$(rows)" 2 "KERNOSCOPE_PRINT_DETAILS=all: rows"
run env KERNOSCOPE_PRINT_DETAILS=all "$KS_BIN" --ks-synthetic --print-details header
is "$(rows)" 0 "the command line wins"
run "$KS_BIN" --ks-synthetic --metrics launch__registers_per_thread
is "$(rows)" 2 "--metrics shows its rows whatever is configured"
run env KERNOSCOPE_FORMAT=json "$KS_BIN" --ks-synthetic
ok "a configured format" python3 -m json.tool "$T/out" /dev/null
run env KERNOSCOPE_FORMAT=json "$KS_BIN" --ks-synthetic --csv
is "$rc/$err" "0/" "and --csv beside it is no contradiction"
ok "the result is CSV" grep -q , "$T/out"
run env KERNOSCOPE_FORMAT=json "$KS_BIN" --ks-synthetic --packet -
lines "$out" 1 "a packet on standard output stands alone"
cp "$T/out" "$T/read.packet"
run env KERNOSCOPE_FORMAT=json "$KS_BIN" -i "$T/read.packet"
is "$rc" 0 "a packet that is read is a screen, whatever format is configured"
like "$out" '^Kernoscope ' "which is shown"
run "$KS_BIN" -i "$T/read.packet" --format json
is "$rc" 2 "and one that was said is told to be left out"
run env KERNOSCOPE_LANG=zh "$KS_BIN" --ks-synthetic --packet -
cp "$T/out" "$T/packet"
run "$KS_BIN" --ks-synthetic --packet -
ok "a configured language is for people, a packet stays English" cmp -s "$T/out" "$T/packet"

# --- wrong and hostile files -------------------------------------------------------------------
rm "$project"
mkdir -p "${user%/*}"
tell() { run timeout 20 "$KS_BIN" --ks-synthetic --quiet; }
printf 'set = full\nprint-detail = all\n' >"$user"
tell
is "$rc" 2 "a wrong key ends the run"
is "$err" "error: $user:2: no such key: print-detail; did you mean print-details? [usage]" "file, line, and the nearest key"
printf 'set = full\npage = rw\n' >"$user"
tell
is "$err" "error: --page: no such choice: rw; did you mean raw? ($user:2) [usage]" "a wrong value: file and line"
printf 'just words\n' >"$user"
tell
like "$err" "^error: $user:1: neither KEY = VALUE nor a comment" "a line that is none"
printf 'ks-price-per-kwh = 1\n' >"$user"
tell
like "$rc/$err" "^(0/|2/error: $user:1: ks-price-per-kwh is not in this version)" "a key of a later version is not taken in silence"
printf 'set = full\0\n' >"$user"
tell
like "$rc/$err" "^2/error: $user:1: a zero byte" "a zero byte"
head -c 60000 /dev/urandom >"$user"
tell
like "$rc" '^[12]$' "bytes at random"
lines "$err" 1 "one line about them"
unlike "$err" $'\033' "and nothing of them reaches the terminal"
truncate -s 1G "$user"
tell
like "$rc/$err" "^1/error: $user is larger than" "a gigabyte is not read"
printf 'set = \033[2J\n' >"$user"
tell
like "$err" 'no such choice: .e\[2J' "an escape sequence is made visible"
rm "$user"
mkfifo "$user"
tell
like "$rc/$err" "^1/error: $user is no regular file" "a pipe is not waited for"
rm "$user"
mkdir "$user"
tell
like "$rc/$err" "^1/error: $user is no regular file" "a folder"
rmdir "$user"
ln -s "$user" "$user"
tell
like "$rc/$err" "^1/error: $user is no regular file" "a link to itself"
rm "$user"
ln -s /dev/zero "$user"
tell
like "$rc/$err" "^1/error: $user is no regular file" "a device"
rm "$user"
printf 'aws_secret = 1\n' >"$T/secret"
ln -s "$T/secret" "$project"
tell
like "$rc/$err" "^1/error: $project is no regular file" "a project's link is not followed"
unlike "$err" 'aws_secret' "so nothing behind it is shown"
rm "$project"
printf 'quiet = yes\n' >"$project"
run "$KS_BIN" --ks-synthetic
like "$err" "^error: $project:1: a project file may not set quiet" "a project cannot silence its user"
run "$KS_BIN" --ks-synthetic --config none
is "$rc/$err" "0/" "--config none goes on without it"
printf 'nonsense\n' >"$project"
run "$KS_BIN" --config "$T/other" --ks-synthetic
is "$rc/$err" "0/" "--config FILE as well"
run "$KS_BIN" --config "$T/absent" --ks-synthetic
is "$rc" 1 "a file that was named must be there"
is "$err" "error: $T/absent does not exist. Check the path. [input]" "and is named"
# as nobody, when this is root: root may read every file
nobody=()
[ "$(id -u)" != 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if [ ${#nobody[@]} = 0 ] || { have setpriv && chmod 755 "$T" && "${nobody[@]}" test -x "$KS_BIN"; }; then
	printf 'set = full\n' >"$user"
	chmod 000 "$user"
	chmod 755 "$T/home/.config" "${user%/*}"
	rm -f "$project"
	run "${nobody[@]}" "$KS_BIN" --ks-synthetic --quiet
	like "$rc/$err" "^1/error: $user may not be read" "a file without the right to read it"
	rm "$user"
else
	skip "no other user to be here"
fi
if [ "$(id -u)" = 0 ] && [ ${#nobody[@]} -gt 0 ] && have setpriv && "${nobody[@]}" test -x "$KS_BIN"; then
	printf 'set = fulll\n' >"$project"
	chown 12345 "$project"
	run "${nobody[@]}" "$KS_BIN" --ks-synthetic
	is "$rc" 0 "a project's file of another user cannot stop a run"
	is "$err" "note: $project belongs to another user and is not read; to read it: --config $project" "and is named once"
	run "${nobody[@]}" "$KS_BIN" --ks-synthetic --config "$project"
	is "$rc" 2 "--config reads it all the same"
	tell
	is "$rc" 2 "root reads any"
	rm "$project"
else
	skip "only root can make a file of another user" 4
fi
printf 'lang = zh\n' >"$user"
run "$KS_BIN" --ks-synthetic --sett full
like "$err" '^error: 未知选项 --sett' "a slip on the command line is told in the configured language"
rm "$user"

# --- what reads no file ------------------------------------------------------------------------
for args in --version --help "config --help" "--help all"; do
	run "$KS_BIN" $args
	is "$rc/$err" "0/" "$args works beside a broken file"
done
if have strace; then
	strace -f -e trace=open,openat,stat,lstat,newfstatat -o "$T/trace" "$KS_BIN" --version >/dev/null 2>&1
	not_ok "--version looks for no configuration" grep -q kernoscope/config "$T/trace"
	not_ok "nor for a project's" grep -q '\.kernoscope' "$T/trace"
else
	skip "strace is not here" 2
fi

# --- the page about it -------------------------------------------------------------------------
rm -f "$project"
config --json
ok "docs/configuration.md names every key with its default and its variable, and no other" python3 -c '
import json, re, sys
page = open(sys.argv[2]).read()
rows = {}
for line in page.splitlines():
    m = re.match(r"\| `([a-z-]+)` \| (.*?) \| (.*?) \|", line)
    if m:
        rows[m.group(1)] = (m.group(2).strip("`"), m.group(3).strip("`"))
settings = {s["key"]: s for s in json.load(open(sys.argv[1]))["settings"]}
assert set(rows) == set(settings), set(rows) ^ set(settings)
for key, (default, variable) in rows.items():
    s = settings[key]
    assert default == (s["default"] or "-"), (key, default, s)
    assert variable == (s["environment"] or "-"), (key, variable, s)
' "$T/out" "$ROOT/docs/configuration.md"
done_testing
