# SPDX-License-Identifier: MIT

# Makes the Debian packages of BUILD_TREE in FOLDER, and looks at what is in them. The program in them runs.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${FOLDER})
get_filename_component(bin ${CMAKE_COMMAND} DIRECTORY)
execute_process(COMMAND ${bin}/cpack --config ${BUILD_TREE}/CPackConfig.cmake -G DEB -B ${FOLDER}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# look_into(PACKAGE FILE...): sets `description`; fails unless the files are in it.
function(look_into package)
  file(GLOB file ${FOLDER}/${package}_${VERSION}_*.deb)
  execute_process(COMMAND dpkg-deb --field ${file} OUTPUT_VARIABLE description COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND dpkg-deb --contents ${file} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
  foreach(expected IN LISTS ARGN)
    string(FIND "${contents}" " ./${expected}" position)
    if(position EQUAL -1)
      message(SEND_ERROR "${expected} is missing in ${file}:\n${contents}")
    endif()
  endforeach()
  set(file ${file} PARENT_SCOPE)
  set(description "${description}" PARENT_SCOPE)
endfunction()

set(page "")
if(MANUAL_PAGE)
  set(page usr/share/man/man1/coworker.1)
endif()
look_into(coworker
  usr/bin/coworker ${page}
  usr/lib/systemd/system/coworker-worker@.service usr/lib/systemd/system/coworker-gateway.service
  usr/share/coworker/alerts.yaml usr/share/coworker/grafana.json usr/share/doc/coworker/LICENSE usr/share/doc/coworker/docs/operating.md)
foreach(library IN ITEMS libc6 libssl3 libstdc++6)
  string(FIND "${description}" "${library}" position)
  if(position EQUAL -1)
    message(SEND_ERROR "coworker does not depend on ${library}:\n${description}")
  endif()
endforeach()
execute_process(COMMAND dpkg-deb --extract ${file} ${FOLDER}/root COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${FOLDER}/root/usr/bin/coworker --version COMMAND_ERROR_IS_FATAL ANY)

look_into(coworker-dev
  usr/include/coworker/coworker.hpp usr/share/doc/coworker/examples/1_first_job.cpp)
if(NOT description MATCHES "libssl-dev")
  message(SEND_ERROR "coworker-dev does not depend on OpenSSL's headers:\n${description}")
endif()
