#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# run.sh JDK [SECONDS [FLAG...]]: builds the agent and the program, and runs them on that JDK, for
# 20 seconds if nothing else is said, with further flags of the JVM. Exit status: 0 wrong traces
# were shown; 1 none was, or so few that they may be of other errors (agent.c says how few); 2 it
# could not be built or run, or the JVM died.
#
# It needs a C compiler (CC, default cc). Where the JDK has no javac or no include/, those of the
# javac on the PATH are taken, which must know the JDK's release.
set -u
ulimit -c 0
jdk=${1:?usage: run.sh JDK [SECONDS [FLAG...]]}
seconds=${2:-20}
[ $# -gt 2 ] && shift 2 || shift $#
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP

[ -x "$jdk/bin/java" ] || { echo "run.sh: $jdk/bin/java is not there" >&2; exit 2; }
compiler=${CC:-cc}
command -v "${compiler%% *}" >/dev/null || { echo "run.sh: no C compiler: ${compiler%% *} is not on the PATH; install it, or set CC" >&2; exit 2; }
javac=$jdk/bin/javac
include=$jdk/include
other=$(command -v javac)
release=
if [ ! -x "$javac" ]; then
    release=$("$jdk/bin/java" -version 2>&1 | sed -n 's/.* version "\(1\.\)*\([0-9]*\).*/\2/p')
    javac=$other
fi
[ -n "$javac" ] || { echo "run.sh: no javac in $jdk, and none on the PATH" >&2; exit 2; }
[ -f "$include/jvmti.h" ] || include=$(dirname "$(dirname "$(readlink -f "$other")")")/include
[ -f "$include/jvmti.h" ] || { echo "run.sh: no include/jvmti.h in $jdk, nor beside the javac on the PATH" >&2; exit 2; }
flags=$(sed -n 's|^// Flags: *||p' "$here/Reproducer.java")

# shellcheck disable=SC2086 # compiler and flags may be several words
$compiler -O2 -fPIC -shared -I"$include" -I"$include/linux" -o "$work/libreproducer.so" \
    "$here/agent.c" -ldl -lrt || exit 2
"$javac" -J-Xss16m ${release:+--release "$release"} -nowarn -encoding UTF-8 -d "$work" "$here/Reproducer.java" || exit 2
"$jdk/bin/java" $flags "$@" -XX:ErrorFile="$work/hs_err.log" -agentpath:"$work/libreproducer.so" \
    -cp "$work" Reproducer "$seconds" >"$work/out"
status=$?
cat "$work/out"
if [ -f "$work/hs_err.log" ]; then
    sed -n '/^# Problematic frame/,/^#$/p' "$work/hs_err.log"
    exit 2
fi
grep -q '^result: ' "$work/out" || { echo "run.sh: java ended with status $status" >&2; exit 2; }
grep -q '^result: .* shown=1$' "$work/out"
