# Sourced by the commands in scripts/: configures and builds, quietly unless it fails.

# build PRESET TARGET...
build() {
  local preset=$1 log=build/$1.log started=$SECONDS last=0
  shift
  mkdir -p build
  echo "build: configuring ($preset)"
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    echo "build: configuring failed; the output above is in $log" >&2
    return 1
  fi
  echo "build: compiling $* ($preset); the first time takes minutes"
  cmake --build --preset "$preset" --target "$@" >"$log" 2>&1 &
  local pid=$!
  # A sign of life: how many of how many steps are done.
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    if [ $((SECONDS - last)) -ge 15 ]; then
      last=$SECONDS
      grep -oE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1 | sed "s|^|build: |; s|\$| after $((SECONDS - started)) s|" || true
    fi
  done
  if ! wait "$pid"; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating|Embedding)' "$log" >&2 || true
    echo "build: failed; the whole output is in $log" >&2
    return 1
  fi
  echo "build: done after $((SECONDS - started)) s"
}
