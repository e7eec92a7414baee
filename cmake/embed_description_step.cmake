# SPDX-License-Identifier: MIT

# Build step of the gateway: writes OUTPUT, a C++ file with the parts of the API's description: the files of FOLDER
# (FILES, separated by |). A file's name begins with the kind of its parts: schemas.list.json has schemas.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/embed_table.cmake)

string(REPLACE "|" ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} text)
  string(REGEX REPLACE "\\..*" "" kind ${file})
  cpp_literal(literal "${text}" json)
  string(APPEND entries "    {\"${kind}\",${literal}},\n")
endforeach()
begin_tables(${OUTPUT} gateway/description.hpp)
add_table(${OUTPUT} description_part description_parts "${entries}" "")
