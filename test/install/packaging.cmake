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
says(packaging/Dockerfile "ca-certificates libmariadb3 libpq5 .* tzdata") # what the program is linked with
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

# What coworker is made of, where packages tell.
find_program(DPKG_QUERY dpkg-query)
if(DPKG_QUERY)
  execute_process(COMMAND ${ROOT}/scripts/sbom OUTPUT_VARIABLE bill COMMAND_ERROR_IS_FATAL ANY)
  string(JSON version GET "${bill}" metadata component version)
  file(STRINGS ${ROOT}/include/coworker/version.hpp header REGEX "COWORKER_VERSION_STRING \"${version}\"")
  string(JSON count LENGTH "${bill}" components)
  string(JSON name GET "${bill}" components 0 name)
  if(NOT header OR count LESS 2 OR NOT name MATCHES "^lib(boost|ssl)")
    message(SEND_ERROR "scripts/sbom:\n${bill}")
  endif()
endif()

# What vcpkg and Conan are told has the parts that CMake builds. Neither of them is run here.
file(READ ${ROOT}/vcpkg.json manifest)
string(JSON features LENGTH "${manifest}" features)
file(STRINGS ${ROOT}/CMakeLists.txt parts REGEX "^(set|option)\\(COWORKER_BUILD_")
foreach(line IN LISTS parts)
  string(REGEX MATCH "COWORKER_BUILD_[A-Z0-9]+" option "${line}")
  if(NOT option MATCHES "(TESTS|EXAMPLES|BENCHMARKS)$")
    says(conanfile.py "${option}")
  endif()
endforeach()
