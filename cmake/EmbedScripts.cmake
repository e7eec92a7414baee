# SPDX-License-Identifier: MIT

# embed_scripts(TARGET): compiles the Lua files in the folders below scripts/
# into TARGET, each with the parts it names and the SHA-1 of the whole.
#
# A script names its parts in lines of the form "-- uses: parts/NAME.lua", or demands them: scripts/managed/README.md.
function(embed_scripts target)
  set(generator ${PROJECT_SOURCE_DIR}/cmake/embed_scripts_step.cmake)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/generated/embedded_scripts.cpp)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/*.lua)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR}/scripts -DOUTPUT=${output} -P ${generator}
    DEPENDS ${files} ${generator} ${PROJECT_SOURCE_DIR}/cmake/embed_table.cmake
    COMMENT "Embedding the Lua scripts" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
