#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The completions, loaded in the real shells: what is offered is what works in this version.
. "$(dirname "$0")/../lib/tap.sh"
need_bin
mkdir "$T/here" "$T/here/folder" && cd "$T/here" || exit 2
touch run.sqlite 'two words.sqlite' report.json notes.txt

for shell in bash zsh fish; do
	run "$KS_BIN" completion "$shell"
	is "$rc/$err" "0/" "completion $shell"
	cp "$T/out" "$T/$shell"
done
cp "$T/zsh" "$T/_kernoscope"
for pair in bash:kernoscope.bash zsh:_kernoscope fish:kernoscope.fish; do
	ok "${pair%%:*}: the bytes are those that are installed" cmp -s "$T/${pair%%:*}" "$ROOT/completions/${pair#*:}"
done
run "$KS_BIN" completion
is "$rc/$out" "2/" "a shell must be named"
run "$KS_BIN" completion bsh
like "$rc $err" '^2 error: .*did you mean bash\?' "the nearest name for a wrong one"
run "$KS_BIN" --lang en completion bash
is "$rc" 2 "options stand behind the command"
run "$KS_BIN" completion tcsh-like-thing
like "$rc $err" '^2 error: .*bash, zsh and fish' "with nothing near the shells there are"
run "$KS_BIN" completion nothing-near --lang zh
like "$err" '没有 nothing-near 的补全' "in Chinese too"

# The offers for a line, one a line and sorted. The last word is the one under the cursor.
bash_offers() {
	local line=$1 word
	local -a word_list=()
	# the words as readline splits them: at blanks, and at each =
	for word in ${line//=/ = }; do word_list+=("$word"); done
	[[ $line != *' ' ]] || word_list+=("")
	bash --norc --noprofile -c '
		source "$1" || exit 3
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_kernoscope
		((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}"' x "$T/bash" "${word_list[@]}" 2>&1 | sort
}
# An interactive zsh behind a pseudo-terminal; compadd tells what it is given.
cat >"$T/ask.zsh" <<'ZSH'
zmodload zsh/zpty || exit 3
zpty inner zsh -f -i
zpty -w inner "PS1=; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -u -D; OUT=${(q)2}"
zpty -w inner 'compadd() {
	local -a hit
	local word
	for word in "$@"; do
		[[ $word == (-|--) ]] && break
		[[ $word == -*[OAD]* && $word != --* ]] && { builtin compadd "$@"; return }
	done
	builtin compadd -A hit "$@"
	((${#hit})) && print -rl -- $hit >>$OUT
	builtin compadd "$@"
}'
zpty -w inner 'told() { print -r -- "@""@told" }; comppostfuncs=(told); LISTMAX=100000; print "@""@ready"'
zpty -r inner got '*@@ready*' || exit 4
zpty -w -n inner "$3"$'\t'
zpty -r inner got '*@@told*' || exit 5
zpty -d inner
ZSH
zsh_offers() {
	: >"$T/offers"
	timeout 60 zsh -f "$T/ask.zsh" "$T" "$T/offers" "$1" </dev/null || echo "zsh did not answer"
	sed 's/\\ / /g' "$T/offers" | sort
}
fish_offers() {
	timeout 60 env HOME="$T" fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$T/fish" "$1" </dev/null 2>&1 |
		cut -f1 | sed 's/^--[a-z-]*=//; s/^.*,//; s,/$,,' | sort
}

# offers LINE WANT NAME   WANT: what is offered, in any order, separated by blanks
offers() {
	local want
	want=$(tr ' ' '\n' <<<"$2" | sort)
	is "$("${shell}_offers" "$1")" "$want" "$shell: $3"
}
# offers_too LINE WANT UNWANTED NAME   among others; no line is UNWANTED
offers_too() {
	local got word missing=
	got=$("${shell}_offers" "$1")
	for word in $2; do grep -qxF -e "$word" <<<"$got" || missing="$missing $word"; done
	for word in $3; do ! grep -qxF -e "$word" <<<"$got" || missing="$missing not:$word"; done
	is "$missing" "" "$shell: $4"
}

# zsh, and a line typed into bash, need a pseudo-terminal
has_terminal() { have python3 && python3 -c 'import os; os.openpty()' 2>/dev/null; }

for shell in bash zsh fish; do
	if ! have "$shell"; then
		skip "no $shell here" 24
		continue
	fi
	if [ $shell = zsh ] && ! has_terminal; then
		skip "no pseudo-terminal for zsh" 24
		continue
	fi
	offers 'kernoscope rep' 'report' "a command by its beginning"
	offers_too 'kernoscope ' 'report explain help schema completion' 'serve record fleet' "commands of this version and no planned one"
	offers_too 'kernoscope help ' 'all report Occupancy' '' "help: topics, commands, sections"
	offers 'kernoscope --set b' 'basic' "the choices of an option"
	offers 'kernoscope --set=' 'basic detailed full' "after an equals sign"
	offers 'kernoscope --print-un' '--print-units' "an option by its beginning"
	offers_too 'kernoscope --' '--ks-sqlite --packet --metrics' '--ks-memtrace --show-origin --replay-mode' \
		"options of the program that work, none of other commands"
	offers_too 'kernoscope explain --' '--json --lang' '--packet --set' "a command's own options"
	offers 'kernoscope report --quiet --lang z' 'zh' "options among a command's words"
	offers_too 'kernoscope --section ' 'Occupancy LaunchStats' '' "names of sections"
	offers 'kernoscope --format fol' 'folded' "formats"
	offers_too 'kernoscope --format ' 'json csv' 'junit launch_csv' "none that is planned or internal"
	offers 'kernoscope explain ks__theoretical_occupancy_p' 'ks__theoretical_occupancy_pct' "a metric"
	offers_too 'kernoscope --metrics gpu__time_duration.sum,ks__launch_time_m' "$(
		[ $shell = bash ] && echo gpu__time_duration.sum,ks__launch_time_mean || echo ks__launch_time_mean
	)" '' "one more metric behind a comma"
	offers_too 'kernoscope --ks-sqlite r' 'run.sqlite' 'report.json' "files of the right kind"
	offers_too 'kernoscope explain --lang zh gpu__time_duration.sum ' 'run.sqlite folder' 'notes.txt' \
		"the second word of a command, options not counted"
	offers 'kernoscope schema pac' 'packet' "schemas"
	offers_too 'kernoscope completion ' 'bash zsh fish' '' "shells"
	offers 'kernoscope remedy counters_den' 'counters_denied' "refusal codes"
	offers 'kernoscope stats cuda_gpu_k' 'cuda_gpu_kern_sum' "summary tables"
	offers 'kernoscope stats cuda_api_sum run.sqlite --format ' 'text csv json' "an option with values of its own in one command"
	offers 'kernoscope --redact=' 'yes names' "a value that stands behind an equals sign only"
	offers_too 'kernoscope explain --redact ' 'gpu__time_duration.sum' 'names' "and is not the next word"
	offers_too 'kernoscope config ' 'lang color print-details' '--lang' "keys of the configuration"
done

# the whole of each script against the table: what is planned or without effect is nowhere
hidden=$(sed -n 's/^KS_OPTION([A-Z_0-9]*, "\([^"]*\)".* \(PLANNED\|INERT\), .*/\1/p' "$ROOT/src/tables/options.def")
ok "there are such options" test "$(wc -w <<<"$hidden")" -gt 20
for shell in bash zsh fish; do
	found=
	for name in $hidden; do
		! grep -Eq -e "(--|-l )$name([ =)'|]|\[|$)" "$T/$shell" || found="$found $name"
	done
	is "$found" "" "$shell: no option that is planned or without effect"
done
missing=
for name in $(sed -n 's/^KS_OPTION([A-Z_0-9]*, "\([^"]*\)".* LIVE, .*/\1/p' "$ROOT/src/tables/options.def"); do
	for shell in bash zsh fish; do
		grep -Eq -e "(--|-l )$name([ =)'|]|\[|$)" "$T/$shell" || missing="$missing $shell:$name"
	done
done
is "$missing" "" "and each that works is in all three"

# a blank in a file's name
shell=bash
like "$(bash_offers 'kernoscope --ks-sqlite two')" '^two words\.sqlite$' "bash: a file with a blank in its name is one offer"
ok "bash registers the function" bash --norc --noprofile -c 'source "$1" && complete -p kernoscope >/dev/null' x "$T/bash"
is "$(bash --norc --noprofile -c '
	before=$(compgen -v)
	source "$1"
	COMP_WORDS=(kernoscope report --ks-sqlite r) COMP_CWORD=3
	_kernoscope
	COMP_WORDS=(kernoscope --metrics = gpu__t,ks__l) COMP_CWORD=3
	_kernoscope
	COMP_WORDS=(kernoscope explain --lang zh "") COMP_CWORD=4
	_kernoscope
	unset COMP_WORDS COMP_CWORD COMPREPLY
	diff <(echo "$before") <(compgen -v) | grep "^[<>]" | grep -v "^> \(before\|_\|PIPESTATUS\|BASH_REMATCH\|MAPFILE\)$"' x "$T/bash")" "" \
	"bash: no variable is left behind"
# typed into an interactive bash, with its own splitting of words: what the program would be given
cat >"$T/type.py" <<'PY'
import os, pty, select, sys, time

def until(fd, mark, seconds=60):
    got, end = b"", time.time() + seconds
    while mark not in got and time.time() < end:
        if select.select([fd], [], [], 1)[0]:
            try:
                got += os.read(fd, 4096)
            except OSError:
                break
    return got

pid, fd = pty.fork()
if pid == 0:
    os.environ.update(PS1="@@ ", TERM="dumb", INPUTRC="/dev/null")
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
until(fd, b"@@ ")
os.write(fd, b"source '" + sys.argv[1].encode() + b"'; bind 'set bell-style none'; "
         b"kernoscope() { printf '<%s>' \"$@\"; echo; echo GI\"\"VEN; }; echo GO\"\"ES\n")
until(fd, b"GOES\r\n@@ ")
for line in sys.stdin.read().splitlines():
    os.write(fd, line.encode() + b"\t\n")
    got = until(fd, b"GIVEN\r\n@@ ").decode(errors="replace").split("\r\n")
    print([g for g in got if g.startswith("<")][0])
os.close(fd)
os.waitpid(pid, 0)
PY
if has_terminal; then
	is "$(printf '%s\n' 'kernoscope --set=b' 'kernoscope --set b' 'kernoscope --ks-sqlite tw' 'kernoscope --ks-sqlite=tw' \
		'kernoscope --metrics=gpu__time_duration.sum,ks__launch_time_mea' 'kernoscope report fo' 'kernoscope --redact=n' |
		timeout 120 python3 -B "$T/type.py" "$T/bash")" \
		'<--set=basic>
<--set><basic>
<--ks-sqlite><two words.sqlite>
<--ks-sqlite=two words.sqlite>
<--metrics=gpu__time_duration.sum,ks__launch_time_mean>
<report><folder/>
<--redact=names>' "bash: typed with the tab key"
else
	skip "no python3, or no pseudo-terminal, to type with"
fi
for shell in bash zsh fish; do
	[ "$shell" = fish ] && dry=--no-execute || dry=-n
	if have "$shell"; then ok "$shell reads it without a complaint" "$shell" $dry "$T/$shell"; else skip "no $shell here"; fi
done
done_testing
