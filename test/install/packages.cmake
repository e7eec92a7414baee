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
  set(page usr/share/man/man1/coworker.1.gz)
endif()
look_into(coworker
  usr/bin/coworker ${page}
  usr/lib/systemd/system/coworker-worker@.service usr/lib/systemd/system/coworker-gateway.service
  usr/share/bash-completion/completions/coworker usr/share/fish/vendor_completions.d/coworker.fish
  usr/share/zsh/vendor-completions/_coworker
  etc/default/coworker usr/share/doc/coworker/copyright usr/share/doc/coworker/changelog.gz
  usr/share/coworker/alerts.yaml usr/share/coworker/grafana.json usr/share/doc/coworker/LICENSE usr/share/doc/coworker/docs/operating.md)
foreach(library IN ITEMS libc6 libssl3 libstdc++6 ca-certificates tzdata)
  string(FIND "${description}" "${library}" position)
  if(position EQUAL -1)
    message(SEND_ERROR "coworker does not depend on ${library}:\n${description}")
  endif()
endforeach()
execute_process(COMMAND dpkg-deb --extract ${file} ${FOLDER}/root COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${FOLDER}/root/usr/bin/coworker --version COMMAND_ERROR_IS_FATAL ANY)

# bash completes a command, and an option of a command.
function(expect_completion words last expected)
  execute_process(COMMAND bash -c "source ${FOLDER}/root/usr/share/bash-completion/completions/coworker && \
    COMP_WORDS=(coworker ${words}) COMP_CWORD=${last} && _coworker && echo \"\${COMPREPLY[*]}\""
    OUTPUT_VARIABLE completed OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT completed STREQUAL "${expected}")
    message(SEND_ERROR "bash completes '${words}' with '${completed}', not with '${expected}'")
  endif()
endfunction()
expect_completion("pu" 1 "push")
expect_completion("push mail --del" 3 "--delay")
expect_completion("work mail -- --del" 4 "")

# The scripts of the package are scripts, and the settings stay as somebody has changed them.
execute_process(COMMAND dpkg-deb --control ${file} ${FOLDER}/control COMMAND_ERROR_IS_FATAL ANY)
foreach(script IN ITEMS postinst prerm postrm)
  foreach(arguments IN ITEMS "configure" "configure;0.0.1" "remove" "upgrade;1.0" "purge")
    if(NOT EXISTS /run/systemd/system) # else they would reach the services of this machine
      execute_process(COMMAND ${FOLDER}/control/${script} ${arguments} COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
  execute_process(COMMAND sh -n ${FOLDER}/control/${script} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(STRINGS ${FOLDER}/control/conffiles conffiles)
if(NOT conffiles STREQUAL "/etc/default/coworker")
  message(SEND_ERROR "The configuration files are '${conffiles}'.")
endif()
file(READ ${FOLDER}/root/usr/share/doc/coworker/copyright copyright)
if(NOT copyright MATCHES "License: Expat\n Permission|License: Expat\n MIT License" OR NOT copyright MATCHES "BSL-1.0")
  message(SEND_ERROR "The copyright file lacks a licence:\n${copyright}")
endif()

if(HARDENED)
  execute_process(COMMAND ${READELF} -Wd -l ${FOLDER}/root/usr/bin/coworker OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${READELF} -W --dyn-syms ${FOLDER}/root/usr/bin/coworker
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  foreach(expected IN ITEMS "BIND_NOW|FLAGS_1.* NOW" "GNU_RELRO" "DYN \\(|FLAGS_1.* PIE")
    if(NOT headers MATCHES "${expected}")
      message(SEND_ERROR "The program is not linked as packages are, '${expected}' is missing:\n${headers}")
    endif()
  endforeach()
  foreach(expected IN ITEMS "__stack_chk_fail" "_chk@GLIBC")
    if(NOT symbols MATCHES "${expected}")
      message(SEND_ERROR "The program is not compiled as packages are, '${expected}' is missing:\n${symbols}")
    endif()
  endforeach()
endif()

look_into(coworker-dev
  usr/include/coworker/coworker.hpp usr/share/doc/coworker/examples/1_first_job.cpp)
if(NOT description MATCHES "libssl-dev")
  message(SEND_ERROR "coworker-dev does not depend on OpenSSL's headers:\n${description}")
endif()
