# Runs an example against a Redis of its own and looks at what it says. For the checks
# beside this file, which begin with: source "${0%/*}/support.sh"
#
#   start            starts the program under test
#   wait_for TEXT    reads its output until a line contains TEXT
#   finish           reads the rest; the program must end by itself, and well
#   run              start and finish
#   says TEXT        fails unless a line contained TEXT
#   fail TEXT        ends the check
#
# $url is where Redis is, $process the program's number, $output all it has said.
# SPDX-License-Identifier: MIT
set -euo pipefail
program=$1
process=''
output=''
arguments=() # of the program, behind the URL
others=()    # processes to be killed at the end
folder=$(mktemp -d "${TMPDIR:-/tmp}/coworker-example-XXXXXX")

clean_up() {
  local status=$?
  [ -z "$process" ] || kill -KILL "$process" 2>/dev/null || true
  kill -KILL "$redis" "${others[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
  exit $status
}
server=$(command -v redis-server || command -v valkey-server)
# If this shell is killed, the server and the program go too.
setpriv --pdeathsig KILL "$server" --port 0 --unixsocket "$folder/redis.sock" --dir "$folder" --save '' \
  >"$folder/redis.log" &
redis=$!
trap clean_up EXIT
url=unix://$folder/redis.sock

fail() {
  printf 'FAILED: %s\nThe program said:\n%s\n' "$1" "$output" >&2
  exit 1
}

start() {
  mkfifo "$folder/output"
  setpriv --pdeathsig KILL "$program" "$url" "${arguments[@]}" >"$folder/output" 2>&1 &
  process=$!
  exec 3<"$folder/output"
}

next_line() { # 0: $line is one; 1: there is none any more
  local status=0
  IFS= read -r -t 30 line <&3 || status=$?
  [ $status -le 128 ] || fail 'silent for 30 seconds'
  [ $status -eq 0 ] || return 1
  output+=$line$'\n'
}

wait_for() {
  while next_line; do
    [[ $line != *"$1"* ]] || return 0
  done
  fail "it ended and did not say: $1"
}

finish() {
  while next_line; do :; done
  local status=0
  wait "$process" || status=$?
  process=''
  [ $status -eq 0 ] || fail "it ended with status $status"
}

run() {
  start
  finish
}

says() {
  [[ $output == *"$1"* ]] || fail "it did not say: $1"
}
