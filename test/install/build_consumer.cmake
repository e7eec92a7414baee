# SPDX-License-Identifier: MIT

# Configures the project in SOURCE, builds TARGETS in BINARY, looks at the flags that the consumers' own files are compiled
# with, and runs CHECK.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${BINARY})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    -DCMAKE_PREFIX_PATH=${PREFIX} -DBoost_DIR=${BOOST_DIR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --parallel 2 --target ${TARGETS} COMMAND_ERROR_IS_FATAL ANY)

# What coworker must not decide: how others compile.
get_filename_component(folder ${SOURCE} DIRECTORY)
file(STRINGS ${BINARY}/compile_commands.json commands REGEX "\"command\": ")
set(count 0)
foreach(command IN LISTS commands)
  string(FIND "${command}" " -c ${folder}/" position)
  if(NOT position EQUAL -1)
    math(EXPR count "${count} + 1")
    if(command MATCHES " (-W[a-z][^ ]*|-f?sanitize[^ ]*|-O[^ ]*|-include)" OR
        (command MATCHES " (-DBOOST_ASIO_NO_DEPRECATED)" AND NOT command MATCHES "without_deprecated"))
      message(FATAL_ERROR "coworker must not decide that a consumer is compiled with ${CMAKE_MATCH_1}:\n${command}")
    endif()
  endif()
endforeach()
if(count EQUAL 0)
  message(FATAL_ERROR "How the consumers' files are compiled cannot be found out: ${commands}")
endif()

execute_process(COMMAND ${CHECK} COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS ${BINARY}/gateway_user)
  execute_process(COMMAND ${BINARY}/gateway_user COMMAND_ERROR_IS_FATAL ANY)
endif()
