# SPDX-License-Identifier: MIT

# Build step of the gateway: writes OUTPUT, a C++ file with the files of FOLDER (FILES, separated by |) and what
# browsers are told of them. index.html is served as /, dashboard.* at the top, the others below /dashboard/.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/embed_table.cmake)

set(type_.html "text/html; charset=utf-8")
set(type_.css "text/css; charset=utf-8")
set(type_.js "text/javascript; charset=utf-8")
set(type_.svg "image/svg+xml")
string(REPLACE "|" ";" files "${FILES}")
set(entries "")
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} text)
  file(SHA256 ${FOLDER}/${file} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  get_filename_component(ending ${file} LAST_EXT)
  if(file STREQUAL "index.html")
    set(path "/")
  elseif(file MATCHES "^dashboard\\.")
    set(path "/${file}")
  else()
    set(path "/dashboard/${file}")
  endif()
  cpp_literal(literal "${text}" file)
  string(APPEND entries "    {\"${path}\", \"${type_${ending}}\", \"\\\"${hash}\\\"\",${literal}},\n")
endforeach()
write_table(${OUTPUT} gateway/dashboard.hpp dashboard_file dashboard_files "${entries}")
