# Sourced by scripts/demo, which has `here`, `say`, `fail`, and `start`, which appends to `processes`: the servers that the
# demo starts for itself. Each sets `url`.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034,SC2154

find_program() { command -v "redis-$1" || command -v "valkey-$1" || fail "redis-$1 is not installed"; }

# start_server FOLDER [OPTION...]: one that has nothing on disk. Returns 1 if it ended, as where its port is in use.
start_server() {
  local folder=$1 process
  shift
  mkdir -p "$folder"
  start "$(find_program server)" --unixsocket "$folder/redis.sock" --dir "$folder" --save '' "$@" >"$folder/log"
  process=${processes[-1]}
  for _ in $(seq 100); do
    [ ! -S "$folder/redis.sock" ] || return 0
    kill -0 "$process" 2>/dev/null || return 1
    sleep 0.1
  done
  return 1
}

one_server() {
  start_server "$here/redis" --port 0 || fail "Redis does not start: $(tail -n 3 "$here/redis/log")"
  url=unix://$here/redis/redis.sock
  say "A private Redis runs in $here."
}

# --- a cluster of 3 primaries, which are the first ones, and 3 replicas -------------------

# The queues of example/11_checksums.cpp, in the order of the primaries that have their slots.
queues=('{checksums-b}' '{checksums-c}' '{checksums-a}')
nodes=() # a process each
ports=()
primary_killed='' # when, in microseconds
took_over=''      # when its replica had
dies=1            # its number; the workers finish its queue last

# node NUMBER WORD...: sends a command to a node.
node() { "$cli" -s "$here/node$1/redis.sock" "${@:2}" 2>/dev/null; }

# has NUMBER TEXT WORD...: whether a node's answer contains a text.
has() {
  local answer
  answer=$(node "$1" "${@:3}" || true)
  [[ $answer == *"$2"* ]]
}

# until_so WHAT WORD...: waits until a command succeeds.
until_so() {
  for _ in $(seq 600); do
    ! "${@:2}" || return 0
    sleep 0.05
  done
  fail "$1 does not happen within 30 s"
}

# The ports of the nodes' own conversation are higher by 10000. Both are below those that the system deals out.
start_node() {
  local port
  for _ in 1 2 3 4 5 6 7 8; do
    port=$((11000 + RANDOM % 10000))
    rm -rf "$here/node$1"
    if start_server "$here/node$1" --bind 127.0.0.1 --port $port --cluster-enabled yes \
      --cluster-node-timeout 1000 --repl-diskless-sync-delay 0 --cluster-require-full-coverage no; then
      nodes+=("${processes[-1]}")
      ports+=("$port")
      return
    fi
  done
  fail "Redis does not start: $(tail -n 3 "$here/node$1/log")"
}

whole_cluster() {
  cli=$(find_program cli)
  local number addresses=()
  for number in 0 1 2 3 4 5; do
    start_node $number
    addresses+=("127.0.0.1:${ports[number]}")
  done
  "$cli" --cluster create "${addresses[@]}" --cluster-replicas 1 --cluster-yes >"$here/create" 2>&1 ||
    fail "the cluster does not come together: $(tail -n 3 "$here/create")"
  for number in 0 1 2 3 4 5; do
    until_so "that node $number is well" has $number cluster_state:ok CLUSTER INFO
    [ $number -lt 3 ] || until_so "that node $number follows" has $number master_link_status:up INFO replication
  done
  url=redis+cluster://${addresses[0]},${addresses[1]},${addresses[2]}
  say "A private Redis Cluster of 3 primaries and 3 replicas runs in $here."
}

# Redis answers before a replica has what was written. What is here survives the loss of a primary.
wait_for_replicas() {
  local number
  for number in 0 1 2; do # WAIT is for what its own connection wrote, and so for all before
    printf '%s\n' "SET ${queues[number]} 1 EX 60" 'WAIT 1 10000' | node $number | tail -n 1 | grep -qx 1 ||
      fail 'a replica does not follow its primary'
  done
  say 'Each primary has a replica that has all of them (WAIT).'
}

kill_primary() {
  primary_killed=${EPOCHREALTIME/[.,]/}
  kill -KILL "${nodes[dies]}"
  wait "${nodes[dies]}" 2>/dev/null || true
  say "Process ${nodes[dies]}, the primary that has the queue ${queues[dies]}, was killed with SIGKILL."
}

look_for_successor() {
  local number
  for number in 3 4 5; do
    [[ $(node $number ROLE) == master* ]] || continue
    took_over=${EPOCHREALTIME/[.,]/}
    say "Its replica, process ${nodes[number]}, has taken over."
  done
}

# Called again and again while there are ENDED of TOTAL jobs. Succeeds when nothing is to come any more.
go_on_with_failover() {
  if [ -z "$primary_killed" ]; then
    [ $(($1 * 2)) -lt "$2" ] || kill_primary
  elif [ -z "$took_over" ]; then
    look_for_successor
  fi
  [ -n "$took_over" ]
}

# account_for_failover FILES RESULTS...: what each queue noticed. The jobs were pushed to the queues in turn.
account_for_failover() {
  row 'ended more than once' "$(finished "${@:2}" | sort | uniq -d | wc -l)" ''
  awk -v killed="$primary_killed" -v back="$took_over" -v hit="${queues[dies]}" '
    BEGIN { split("{checksums-a} {checksums-b} {checksums-c}", names) }
    NR == FNR { queue[$0] = names[(NR - 1) % 3 + 1]; next }
    $1 <= killed { next }
    $2 == "started" {
      time = $1
      sub(/^[0-9]+ started /, "")
      if (queue[$0] == hit && time > back && (!first || time < first)) first = time
      next
    }
    $1 < back {
      sub(/^[0-9]+ (failed |done [0-9a-f]*  )/, "")
      ended[queue[$0]]++
    }
    END {
      printf "  %-26s %9.2f   from the kill until its replica had taken over\n", "seconds without a primary", (back - killed) / 1e6
      for (i = 1; i <= 3; i++)
        printf "  %-26s %9d   of %s%s\n", "jobs ended meanwhile", ended[names[i]], names[i], names[i] == hit ? ", which it had" : ""
      if (first) printf "  %-26s %9.2f   from the kill until the next job of %s began\n", "seconds to its next job", (first - killed) / 1e6, hit
    }' "$@"
}
