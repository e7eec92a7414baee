# Sourced by the commands in scripts/, in the project's folder: configures and builds, quietly unless that
# fails, with a sign of life.

# Reads the build's output into the file $1 and shows how far it is: on a terminal by one line that
# changes, elsewhere by a line now and then.
show_progress() {
  local log=$1 line whole='' step='[0/?]' started=$SECONDS shown=$SECONDS status
  while true; do
    status=0
    IFS= read -r -t 1 line || status=$?
    whole+=$line # a second may end in the middle of a line
    if [ $status -eq 0 ]; then
      printf '%s\n' "$whole" >>"$log"
      [[ $whole =~ ^\[[0-9]+/[0-9]+\] ]] && step=${BASH_REMATCH[0]}
      whole=''
    elif [ $status -le 128 ]; then
      break # the end; more would be a second without a line
    fi
    if [ -t 1 ]; then
      printf '\rbuild: compiling %s, %d s ' "$step" $((SECONDS - started))
    elif [ $((SECONDS - shown)) -ge 15 ]; then
      echo "build: still compiling $step"
      shown=$SECONDS
    fi
  done
  if [ -t 1 ]; then printf '\r\033[K'; fi
}

# build PRESET TARGET...
build() {
  local preset=$1 log=build/$1.log started=$SECONDS
  shift
  mkdir -p build
  : >"$log"
  if [ -f "build/$preset/build.ninja" ]; then
    echo "build: bringing $* up to date ($preset)"
  else
    echo "build: compiling $* ($preset); the first time takes minutes"
  fi
  if ! cmake --preset "$preset" >>"$log" 2>&1 ||
    ! cmake --build --preset "$preset" --target "$@" 2>&1 | show_progress "$log"; then
    cat "$log" >&2
    echo "build: failed; the output above is in $log" >&2
    return 1
  fi
  echo "build: done after $((SECONDS - started)) s"
}
