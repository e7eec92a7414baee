# SPDX-License-Identifier: MIT

# Looks at what is in the folder packaging of ROOT, and at what is fetched for it.
cmake_minimum_required(VERSION 3.25)

# says(FILE REGEX): fails unless a line of the file matches.
function(says file regex)
  file(STRINGS ${ROOT}/${file} lines REGEX "${regex}")
  if(NOT lines)
    message(SEND_ERROR "${file}: no line matches '${regex}'")
  endif()
endfunction()

says(packaging/Dockerfile "^USER [0-9]+:[0-9]+$") # who a name is cannot be told without the image
says(packaging/Dockerfile "scripts/setup --pinned")
says(packaging/Dockerfile "ca-certificates.* tzdata")
says(packaging/kubernetes/coworker.yaml "runAsUser: 10001$") # as the image's
foreach(unit IN ITEMS coworker-gateway.service coworker-worker@.service)
  says(packaging/systemd/${unit} "^EnvironmentFile=-/etc/default/coworker$")
endforeach()
says(packaging/systemd/coworker-gateway.service "^ExecReload=.*-HUP")

file(STRINGS ${ROOT}/scripts/lib/pinned pins REGEX "^[^#]")
foreach(pin IN LISTS pins)
  string(REPLACE " " ";" words "${pin}")
  list(LENGTH words length)
  list(GET words -1 sum)
  string(LENGTH "${sum}" digits)
  if(NOT length EQUAL 4 OR NOT digits EQUAL 64 OR NOT sum MATCHES "^[0-9a-f]+$")
    message(SEND_ERROR "scripts/lib/pinned: '${pin}' is no package, version, architecture and SHA-256")
  endif()
endforeach()
says(scripts/lib/pinned "^libboost1")
