# SPDX-License-Identifier: MIT

# coworker_find_codec_library(NAME HEADER LIBRARY...): makes the target coworker::NAME of a library that a part of coworker
# needs, such as a codec, if it is found. For coworker's own build and for its package: what is installed names no folder of this machine.
function(coworker_find_codec_library name header)
  if(TARGET coworker::${name})
    return()
  endif()
  find_path(COWORKER_${name}_INCLUDE_DIR ${header} PATH_SUFFIXES postgresql mariadb)
  find_library(COWORKER_${name}_LIBRARY NAMES ${ARGN})
  mark_as_advanced(COWORKER_${name}_INCLUDE_DIR COWORKER_${name}_LIBRARY)
  if(COWORKER_${name}_INCLUDE_DIR AND COWORKER_${name}_LIBRARY)
    add_library(coworker::${name} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(coworker::${name} PROPERTIES
      IMPORTED_LOCATION ${COWORKER_${name}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${COWORKER_${name}_INCLUDE_DIR})
  endif()
endfunction()
