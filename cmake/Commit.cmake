# SPDX-License-Identifier: MIT

# coworker_commit(VARIABLE): which commit the sources are of, such as 1a2b3c4d5e6f; empty where git does not know. CMake
# runs again when another commit is checked out.
function(coworker_commit variable)
  set(commit "")
  find_package(Git QUIET)
  if(Git_FOUND AND EXISTS "${PROJECT_SOURCE_DIR}/.git")
    set(ask ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR})
    execute_process(COMMAND ${ask} rev-parse --short=12 HEAD OUTPUT_VARIABLE commit
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${ask} rev-parse --path-format=absolute --git-path logs/HEAD OUTPUT_VARIABLE log
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(EXISTS "${log}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
    endif()
  endif()
  set(${variable} "${commit}" PARENT_SCOPE)
endfunction()
