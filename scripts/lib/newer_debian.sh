# Sourced by scripts/setup, in the project's folder: packages of a newer Debian, unpacked into .deps and never installed.
# apt gets a configuration of its own for them: own lists and cache, the system's archive and keyring.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # why_not is for whoever sources this

newer_suite=forky # scripts/portability reads others
readonly newer_keyring=/usr/share/keyrings/debian-archive-keyring.gpg
newer_root=$PWD/.deps/apt
newer_apt=()
why_not='' # what is wrong, after one of these has returned 1

is_debian() { command -v apt-get >/dev/null 2>&1 && [ -r "$newer_keyring" ]; }

debian_archive() { # prints the address of the archive that apt knows, if it has its lists
  # shellcheck disable=SC2016 # apt replaces these
  apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' | awk '$2 == "Debian" && !found++ { print $1 }'
}

# Reads the package list of the newer Debian.
read_newer_packages() {
  local archive
  [ -r "$newer_keyring" ] || { why_not="no archive keyring at $newer_keyring"; return 1; }
  command -v dpkg >/dev/null 2>&1 || { why_not='there is no dpkg to unpack packages'; return 1; }
  archive=$(debian_archive)
  [ -n "$archive" ] || { why_not='no Debian archive is configured in apt'; return 1; }
  mkdir -p "$newer_root"/{lists/partial,cache/archives/partial}
  : >"$newer_root/status"
  echo "deb [signed-by=$newer_keyring] $archive $newer_suite main" >"$newer_root/sources.list"
  newer_apt=(-q -o Dir::Etc::SourceList="$newer_root/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
    -o Dir::State::Lists="$newer_root/lists" -o Dir::State::Status="$newer_root/status" -o Dir::Cache="$newer_root/cache"
    # A frozen mirror may be past the date on its label; its signature is checked all the same.
    -o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Check-Valid-Until=false)
  apt-get "${newer_apt[@]}" update >/dev/null 2>&1 || { why_not="the package list of Debian $newer_suite cannot be read"; return 1; }
}

# Prints the last, by version, of the packages whose name matches a pattern.
newest_package() { # newest_package PREFIX PATTERN
  apt-cache "${newer_apt[@]}" pkgnames "$1" | grep -E "$2" | sort -V | tail -n 1
}

# Prints a package and what it needs, one name a line.
with_dependencies() {
  apt-get "${newer_apt[@]}" -s --no-install-recommends install "$1" | awk '$1 == "Inst" { print $2 }'
}

# Unpacks packages into a folder, which is there whole or not at all. With `expected_sum` it is one, with this SHA-256.
unpack_packages() { # unpack_packages FOLDER PACKAGE...
  local folder=$1 package
  shift
  rm -rf "$folder.new" "$newer_root/download"
  mkdir -p "$folder.new" "$newer_root/download"
  (cd "$newer_root/download" && apt-get "${newer_apt[@]}" download "$@" >/dev/null 2>&1) || return 1
  if [ -n "${expected_sum-}" ]; then
    sha256sum "$newer_root"/download/*.deb | cut -d ' ' -f 1 | grep -qx "$expected_sum" || return 1
  fi
  for package in "$newer_root"/download/*.deb; do
    dpkg -x "$package" "$folder.new" || return 1
  done
  rm -rf "$folder"
  mv "$folder.new" "$folder"
}

# Prints the version and the checksum of a package that scripts/lib/pinned names, for this machine's architecture.
pin_of() { # pin_of PACKAGE
  awk -v package="$1" -v architecture="$(dpkg --print-architecture)" \
    '$1 == package && $3 == architecture { print $2, $4 }' scripts/lib/pinned
}

# Unpacks the headers of the newest Boost. Those that are pinned have to have this checksum. With a word as argument no
# others are taken.
fetch_boost() { # fetch_boost [pinned]
  local package version sum
  package=$(newest_package libboost1. '^libboost1\.[0-9]+-dev$')
  [ -n "$package" ] || { why_not="Debian $newer_suite has no libboost1.*-dev"; return 1; }
  read -r version sum < <(pin_of "$package") || true
  if [ -z "$version" ] || ! apt-cache "${newer_apt[@]}" madison "$package" | grep -qF " $version "; then
    [ -z "${1-}" ] || { why_not="Debian $newer_suite has no longer what scripts/lib/pinned names; look at the newer $package, and name it there"; return 1; }
    unpack_packages .deps/boost "$package" || { why_not="downloading $package failed"; return 1; }
    return
  fi
  expected_sum=$sum unpack_packages .deps/boost "$package=$version" ||
    { why_not="downloading $package failed, or it is not the one of scripts/lib/pinned"; return 1; }
}

# Unpacks the newest Redis, or Valkey, with the libraries that it is linked with: .deps/servers/NAME/redis-server runs it.
fetch_server() { # fetch_server redis|valkey
  local name=$1 place=.deps/servers/$1 packages
  mapfile -t packages < <(with_dependencies "$name-tools" | grep -E "^(lib|zlib|$name-tools\$)")
  [ ${#packages[@]} -gt 0 ] || { why_not="Debian $newer_suite has no $name-tools"; return 1; }
  mkdir -p .deps/servers
  unpack_packages "$place" "${packages[@]}" || { why_not="downloading $name-tools failed"; return 1; }
  # One program is all of them; its name says which.
  mv "$place/usr/bin/$name-check-rdb" "$place/usr/bin/$name-server"
  cat >"$place/redis-server" <<'SERVER'
#!/bin/sh
# Starts this server with its own libraries, whatever the system's are.
here=$(cd "$(dirname "$0")" && pwd)
exec "$here"/usr/lib/*/ld-linux-*.so.[0-9] --library-path "$(echo "$here"/usr/lib/*-linux-gnu*)" "$here"/usr/bin/*-server "$@"
SERVER
  chmod +x "$place/redis-server"
  "$place/redis-server" --version >/dev/null || { why_not="$name-server does not run"; rm -rf "$place"; return 1; }
}
