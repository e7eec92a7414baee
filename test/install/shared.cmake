# SPDX-License-Identifier: MIT

# Looks at the shared LIBRARIES: their names are versioned, and they export coworker's own symbols only, with those of
# Asio that a process may have only once. Runs PROGRAM, which is linked with them.
cmake_minimum_required(VERSION 3.25)

foreach(library IN LISTS LIBRARIES)
  execute_process(COMMAND ${READELF} -d ${library} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "." "[.]" version ${VERSION})
  if(NOT dynamic MATCHES "SONAME[^\n]*libcoworker[a-z_]*[.]so[.]${version}[]]")
    message(SEND_ERROR "${library} has no name with the version ${VERSION}:\n${dynamic}")
  endif()

  execute_process(COMMAND ${NM} -DC --defined-only --format=posix ${library}
    OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," names "${names}")
  string(REPLACE "[" "(" names "${names}")
  string(REPLACE "]" ")" names "${names}")
  string(REGEX MATCHALL "[^\n]+" names "${names}")
  set(own 0)
  foreach(name IN LISTS names)
    # With lld also functions of Asio that are made for coworker's types.
    if(name MATCHES "coworker::")
      math(EXPR own "${own} + 1")
    elseif(NOT name MATCHES "boost::asio::detail::(call_stack|keyword_tss_ptr)<")
      message(SEND_ERROR "${library} exports ${name}")
    endif()
  endforeach()
  if(own LESS 10)
    message(SEND_ERROR "${library} exports only ${own} names of coworker:\n${names}")
  endif()
endforeach()

execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
