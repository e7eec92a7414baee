# Sourced by the commands in scripts/, in the project's folder: configures and builds. Ninja shows how far it is; where
# nobody sees that, a line now and then does.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# A compiler cache, where one is installed. It knows a file again in another clone.
if command -v ccache >/dev/null 2>&1; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros} # for precompiled headers
  # Headers count with their comments: g++ knows a header of a precompiled one again by its contents. One from the cache
  # that was made before a comment changed gets every such header included, and compiled, a second time.
  export CCACHE_DEPEND=${CCACHE_DEPEND-1}
fi

# A faster linker, where one is installed.
if command -v ld.lld >/dev/null 2>&1; then
  export LDFLAGS=${LDFLAGS--fuse-ld=lld}
fi

# Reports of the sanitizers have names with any of these. clang's own choice is that of its version, in a package of 90 MB.
symbolizer=$(command -v llvm-symbolizer || command -v addr2line || true)
if [ -n "$symbolizer" ]; then
  export ASAN_OPTIONS=${ASAN_OPTIONS-external_symbolizer_path=$symbolizer}
  export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1:external_symbolizer_path=$symbolizer}
  export TSAN_OPTIONS=${TSAN_OPTIONS-external_symbolizer_path=$symbolizer}
fi

# Prints the newest clang of those that compile coworker, if one is installed.
newest_clang() {
  compgen -c clang++- | grep -E '^clang\+\+-(1[6-9]|[2-9][0-9])$' | sort -V | tail -n 1
}

# build PRESET TARGET...
#
# The trees that are not optimised are compiled with clang, where there is one: it takes half the time of g++ for them. Both
# compilers look at all that users compile.
build() {
  local preset=$1 log=build/$1.log started=$SECONDS status=0 watcher='' compiler=''
  shift
  mkdir -p build
  case "$preset" in test | asan | fuzz | tsan) compiler=$(newest_clang || true) ;; esac
  echo "build: $* ($preset${compiler:+, $compiler})"
  CXX=${CXX:-$compiler} cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; return 1; }
  if [ -t 1 ]; then
    cmake --build --preset "$preset" --target "$@" || return 1
  else
    (while sleep 15 >&-; do echo "build: $(grep -o '^\[[0-9/]*\]' "$log" | tail -n 1) after $((SECONDS - started)) s"; done) &
    watcher=$!
    cmake --build --preset "$preset" --target "$@" >>"$log" 2>&1 || status=$?
    kill "$watcher" 2>/dev/null
    wait "$watcher" 2>/dev/null || true
    [ $status -eq 0 ] || { cat "$log" >&2; echo "build: failed; see $log" >&2; return 1; }
  fi
  echo "build: done after $((SECONDS - started)) s"
}
