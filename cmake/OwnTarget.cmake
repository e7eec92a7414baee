# SPDX-License-Identifier: MIT

# Whether libFuzzer is wanted, and there.
set(fuzzed ${CMAKE_CURRENT_LIST_DIR}/fuzzed.txt)
set(COWORKER_HAS_LIBFUZZER OFF)
if(COWORKER_FUZZ)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=fuzzer)
  check_cxx_source_compiles(
    "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }" COWORKER_LIBFUZZER_COMPILES)
  unset(CMAKE_REQUIRED_FLAGS)
  set(COWORKER_HAS_LIBFUZZER ${COWORKER_LIBFUZZER_COMPILES})
endif()

# own_target(TARGET): definitions, warnings and sanitizers for a target of this project. They
# never reach a program that uses coworker. Where COWORKER_OWN_TESTS is set, the target is a test or an example: what makes
# it smaller or its reports longer is left out, since these take most of the time of a build.
function(own_target target)
  target_compile_definitions(${target} PRIVATE BOOST_ASIO_NO_DEPRECATED)
  # __FILE__ begins at the project's folder, so that a compiler cache knows a file again in another clone.
  target_compile_options(${target} PRIVATE -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
  if(COWORKER_WARNINGS)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
      # Boost.Test's macros use __COUNTER__, which a clang that is new enough calls an extension.
      target_compile_options(${target} PRIVATE -Wno-unknown-warning-option -Wno-c2y-extensions)
    endif()
  endif()
  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What g++ says of several files in one, and not of each alone.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-mismatched-new-delete)
  endif()
  if(NOT COWORKER_OWN_TESTS)
    in_sections(${target})
  endif()
  hardened_target(${target})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE" AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT COWORKER_SANITIZE)
    # Programs that use coworker decide for themselves: what plugins look for in a program would be left out, too.
    target_link_options(${target} PRIVATE LINKER:--gc-sections)
  endif()
  sanitized_target(${target})
endfunction()

# sees(TARGET place...): folders and headers of src that the target may include beside the public headers: nothing else of
# src is on its path. What it may see stands in a folder of the build's, as links.
function(sees target)
  set(path ${CMAKE_CURRENT_BINARY_DIR}/${target}-sees)
  file(MAKE_DIRECTORY ${path})
  foreach(place IN LISTS ARGN)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/src/${place} ${path}/${place} SYMBOLIC)
  endforeach()
  target_include_directories(${target} PRIVATE ${path})
endfunction()

# precompile(TARGET <header>...) or precompile(TARGET REUSE_FROM other): reads what most files of the target begin with once
# only. That saves clang a third and more of the time for small files, a fifth for unity files. g++ gains nothing by it, and
# sees that files include what they use.
function(precompile target)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    return()
  endif()
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp") # as ccache wants it
endfunction()

# in_sections(TARGET): compiles it so that the linker can leave out each function by itself.
function(in_sections target)
  target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
endfunction()

# hardened_target(TARGET): what distributions compile their packages with. Not in Debug builds: _FORTIFY_SOURCE needs
# optimisation.
function(hardened_target target)
  if(NOT COWORKER_HARDENING OR COWORKER_SANITIZE OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  set(hardened $<NOT:$<CONFIG:Debug>>)
  foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    target_compile_options(${target} PRIVATE $<${hardened}:${flag}>)
  endforeach()
  set(is_for_libraries $<BOOL:$<TARGET_PROPERTY:POSITION_INDEPENDENT_CODE>>)
  target_compile_options(${target} PRIVATE $<$<AND:${hardened},$<NOT:${is_for_libraries}>>:-fPIE>)
  get_target_property(type ${target} TYPE)
  if(type MATCHES "EXECUTABLE|SHARED_LIBRARY")
    target_link_options(${target} PRIVATE $<${hardened}:LINKER:-z,relro> $<${hardened}:LINKER:-z,now>)
  endif()
  if(type STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE $<${hardened}:-pie>)
  endif()
endfunction()

# sanitized_target(TARGET): the sanitizers only.
function(sanitized_target target)
  if(COWORKER_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${COWORKER_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${COWORKER_SANITIZE})
    if(NOT COWORKER_SANITIZE MATCHES thread)
      target_compile_options(${target} PRIVATE -fno-sanitize-recover=all)
    endif()
    if(COWORKER_HAS_LIBFUZZER)
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link -fsanitize-coverage-allowlist=${fuzzed})
    endif()
    if(COWORKER_OWN_TESTS)
      # Without checks of each access through a pointer: the address sanitizer sees what matters of these in a test.
      target_compile_options(${target} PRIVATE -g0 -fno-sanitize=null,alignment,object-size,vptr)
    endif()
  endif()
endfunction()

# own_library(TARGET): how a library is compiled so that programs need not be compiled like it, how it is named, and what
# it exports if it is a shared one.
function(own_library target)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    DEFINE_SYMBOL "" # compiled alike, shared or not
    INSTALL_RPATH $ORIGIN
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  # What is exported will not be replaced by functions of the same name, so it may be inlined.
  target_compile_options(${target} PRIVATE -fno-semantic-interposition "SHELL:-include ${own_names}")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    target_link_options(${target} PRIVATE LINKER:--version-script=${exports})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
  endif()
endfunction()
set(own_names ${CMAKE_CURRENT_LIST_DIR}/../src/boost/own_names.hpp)
get_filename_component(own_names ${own_names} ABSOLUTE)
