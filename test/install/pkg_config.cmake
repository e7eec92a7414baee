# SPDX-License-Identifier: MIT

# Compiles SOURCE with what pkg-config says of the package below PREFIX and with nothing else, links it as PROGRAM, and runs
# that.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE file ${PREFIX}/coworker.pc)
if(NOT file)
  message(FATAL_ERROR "There is no coworker.pc below ${PREFIX}")
endif()
get_filename_component(folder ${file} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${folder})
foreach(package IN ITEMS coworker ${ALSO})
  execute_process(COMMAND ${PKG_CONFIG} --modversion ${package}
    OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT version STREQUAL VERSION)
    message(FATAL_ERROR "${package}.pc has the version ${version} instead of ${VERSION}")
  endif()
endforeach()
foreach(kind IN ITEMS cflags libs)
  execute_process(COMMAND ${PKG_CONFIG} --${kind} coworker ${ALSO}
    OUTPUT_VARIABLE ${kind} OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(${kind} UNIX_COMMAND "${${kind}}")
endforeach()
if(cflags MATCHES "-O|-W|-fsanitize|-std")
  message(FATAL_ERROR "coworker must not decide how others compile: ${cflags}")
endif()
execute_process(
  COMMAND ${COMPILER} -std=c++20 ${cflags} ${SOURCE} ${libs} -Wl,-rpath,${folder}/.. -o ${PROGRAM}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
