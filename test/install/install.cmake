# SPDX-License-Identifier: MIT

# Installs the library from BUILD_TREE below PREFIX, and looks at what it has exported.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_TREE} --prefix ${PREFIX}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE package_files ${PREFIX}/*.cmake)
list(LENGTH package_files count)
if(count LESS 4)
  message(FATAL_ERROR "The package is incomplete: ${package_files}")
endif()
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  # Where the library's Boost is on this machine may be said: programs need the same.
  string(REGEX REPLACE "(coworker_BOOST_FOLDER|HINTS) \"[^\"]*\"" "" text "${text}")
  foreach(leak IN ITEMS ${BUILD_TREE} ${SOURCE_TREE} -Wall -fsanitize)
    string(FIND "${text}" ${leak} position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} must not contain ${leak}")
    endif()
  endforeach()
endforeach()

file(GLOB_RECURSE headers RELATIVE ${PREFIX}/include ${PREFIX}/include/*)
foreach(header IN LISTS headers)
  if(NOT EXISTS ${SOURCE_TREE}/include/${header})
    message(FATAL_ERROR "A private header was installed: ${header}")
  endif()
endforeach()

foreach(file IN ITEMS share/doc/coworker/LICENSE share/doc/coworker/docs/operating.md share/coworker/alerts.yaml share/coworker/grafana.json
    include/coworker/version.hpp)
  if(NOT EXISTS ${PREFIX}/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
file(GLOB_RECURSE pc_files ${PREFIX}/*.pc)
if(NOT pc_files)
  message(FATAL_ERROR "There is nothing for pkg-config")
endif()

# What runs needs nothing that programs are built with: of all targets only the program has to be there.
file(REMOVE_RECURSE ${PREFIX}-runtime)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_TREE} --component runtime --prefix ${PREFIX}-runtime
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE for_building ${PREFIX}-runtime/*.a ${PREFIX}-runtime/*.hpp ${PREFIX}-runtime/*.cmake)
if(for_building)
  message(FATAL_ERROR "The component runtime has ${for_building}")
endif()

if(EXISTS ${PREFIX}/bin/coworker)
  # The units call the program where it was installed.
  foreach(unit IN ITEMS coworker-worker@.service coworker-gateway.service)
    file(STRINGS ${PREFIX}/lib/systemd/system/${unit} starts REGEX "^ExecStart=")
    if(NOT starts MATCHES "^ExecStart=${PREFIX}/bin/coworker (work|gateway) ")
      message(FATAL_ERROR "${unit} does not call the program that was installed with it: ${starts}")
    endif()
  endforeach()
endif()
