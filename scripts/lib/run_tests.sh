# Sourced by scripts/test, in the project's folder: runs tests, builds beside them, and runs what failed once more.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

part=0 parts=0 passed=0
failed=()   # SERVER PRESET NAME of each
unstable=() # those that passed when they were run alone

# Builds while tests run, with what these leave of the processors.
builder='' builder_log=''
build_beside() { # build_beside PRESET TARGET...
  builder_log=build/$1-beside.log
  mkdir -p build
  set -m # a process group of its own, which ends with this script
  (renice -n 19 -p "$BASHPID" >/dev/null && build "$@") >"$builder_log" 2>&1 &
  builder=$!
  set +m
}
wait_for_build_beside() {
  tail -n +1 -f --pid="$builder" "$builder_log" &
  local tail=$!
  renice -n 0 -g "$builder" >/dev/null 2>&1 || true # nobody else needs the processors any more
  wait "$builder" || exit 1
  builder=''
  wait "$tail" || true
}
trap '[ -z "$builder" ] || kill -- -"$builder" 2>/dev/null || true' EXIT

# Prints the folder of a server's programs. "system" has none of its own.
server_folder() { # server_folder SERVER
  [ "$1" = system ] || echo "$PWD/.deps/servers/$1"
}

# ctest PRESET..., with a server in front of others on the PATH. Each server gets random commands of its own; those with
# which tests are repeated get fewer.
ctest_with() { # ctest_with SERVER PRESET CTEST-ARGUMENT...
  local folder server=$1 preset=$2
  folder=$(server_folder "$server")
  shift 2
  (
    case "$server" in
      valkey) export MODEL_SEED=${MODEL_SEED-101} MODEL_STREAMS=${MODEL_STREAMS-2} ;;
      redis) export MODEL_SEED=${MODEL_SEED-201} MODEL_STREAMS=${MODEL_STREAMS-2} ;;
    esac
    PATH="${folder:+$folder:}$PATH" ctest --preset "$preset" ${jobs:+-j "$jobs"} "$@"
  )
}

# Runs tests of a preset with a server, and remembers what failed. Where nothing is built beside them, more at a time.
run_tests() { # run_tests SERVER PRESET CTEST-ARGUMENT...
  local server=$1 preset=$2 log="build/$2-$1-tests.log" folder summary total name jobs=''
  shift 2
  part=$((part + 1))
  folder=$(server_folder "$server")
  if [ -n "$folder" ] && [ ! -x "$folder/redis-server" ]; then
    echo "test: part $part of $parts: no $server is packaged for this machine; its tests run with the one of the system"
    server=system
  fi
  if [ -z "$builder" ] || ! kill -0 "$builder" 2>/dev/null; then jobs=9; fi
  echo "test: part $part of $parts, after $((SECONDS - started)) s: $preset, with $(server_version "$server")"
  ctest_with "$server" "$preset" "$@" 2>&1 | tee "$log" || true
  # ctest: "97% tests passed, 3 tests failed out of 100"
  summary=$(grep -E 'tests passed, [0-9]+ tests? failed out of [0-9]+' "$log" || true)
  if [ -z "$summary" ]; then
    echo "test: no test was run with preset $preset" >&2
    exit 1
  fi
  total=$(sed -E 's/.* out of ([0-9]+).*/\1/' <<<"$summary")
  passed=$((passed + total))
  # ctest: "    12 - integration.leases (Failed)"
  while read -r name; do
    failed+=("$server $preset $name")
    passed=$((passed - 1))
  done < <(sed -n '/^The following tests FAILED:/,$ s/^[[:space:]]*[0-9]* - \(.*\) (.*$/\1/p' "$log")
}

server_version() { # server_version SERVER
  local folder
  folder=$(server_folder "$1")
  PATH="${folder:+$folder:}$PATH" redis-server --version 2>/dev/null | cut -d ' ' -f 1-3 || echo 'the server of the system'
}

# A test that passes now, alone, is unstable. Where many fail, chance is no explanation.
run_failed_again() {
  local entry server preset name still=()
  [ ${#failed[@]} -gt 0 ] && [ ${#failed[@]} -le 12 ] || return 0
  echo "test: running ${#failed[@]} tests that failed once more, each alone"
  for entry in "${failed[@]}"; do
    read -r server preset name <<<"$entry"
    if ctest_with "$server" "$preset" -j 1 -R "^${name//./\\.}\$"; then
      unstable+=("$entry")
      passed=$((passed + 1))
    else
      still+=("$entry")
    fi
  done
  failed=("${still[@]}")
  [ ${#unstable[@]} -eq 0 ] || count_unstable
}

# Each line of the file: how often, when last, SERVER PRESET NAME.
count_unstable() {
  local file=build/unstable-tests.txt entry
  touch "$file"
  for entry in "${unstable[@]}"; do
    awk -v entry="$entry" -v today="$(date +%F)" '
      { known = $0; sub(/^[0-9]+ [^ ]+ /, "", known) }
      known == entry { count = $1; next }
      { print }
      END { print count + 1, today, entry }' "$file" >"$file.new"
    mv "$file.new" "$file"
  done
}

report() {
  local entry
  for entry in "${unstable[@]}"; do echo "test: unstable, passed when run again alone: $entry"; done
  for entry in "${failed[@]}"; do echo "test: failed: $entry"; done
  [ ${#unstable[@]} -eq 0 ] || echo "test: build/unstable-tests.txt says how often; CONTRIBUTING.md, what to do about it"
  echo "$passed passed, ${#failed[@]} failed"
  [ ${#failed[@]} -eq 0 ] && [ "$passed" -gt 0 ]
}
