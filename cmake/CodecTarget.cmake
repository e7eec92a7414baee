# SPDX-License-Identifier: MIT

# codec_target(NAME LIBRARY HEADER LIBNAME PUBLIC_HEADERS file... [SEES folder...]): the library coworker::NAME of the .cpp files beside the
# caller, as the option COWORKER_BUILD_<NAME> says. It needs HEADER, and the library LIBNAME, as coworker::LIBRARY.
function(codec_target name library header libname)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "" "PUBLIC_HEADERS;SEES")
  string(TOUPPER COWORKER_BUILD_${name} option)
  if(NOT ${option})
    return()
  endif()
  coworker_find_codec_library(${library} ${header} ${libname})
  if(NOT TARGET coworker::${library})
    if(NOT ${option} STREQUAL "AUTO")
      message(FATAL_ERROR "${option} is ${${option}}, but there is no ${header} with its library (${libname})")
    endif()
    message(STATUS "coworker::${name} is not built: there is no ${header}")
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  add_library(coworker_${name} ${sources})
  add_library(coworker::${name} ALIAS coworker_${name})
  list(TRANSFORM arg_PUBLIC_HEADERS PREPEND ${PROJECT_SOURCE_DIR}/include/coworker/)
  target_sources(coworker_${name} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${arg_PUBLIC_HEADERS})
  sees(coworker_${name} ${name} text ${arg_SEES})
  target_link_libraries(coworker_${name} PUBLIC coworker PRIVATE coworker::${library})
  # A project that embeds coworker builds it if it links it.
  set_target_properties(coworker_${name} PROPERTIES
    EXPORT_NAME ${name}
    EXCLUDE_FROM_ALL $<NOT:$<BOOL:${COWORKER_INSTALL}>>)
  own_target(coworker_${name})
  own_library(coworker_${name})
endfunction()
