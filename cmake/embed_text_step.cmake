# SPDX-License-Identifier: MIT

# Build step of the gateway: writes OUTPUT, a C++ file with coworker::detail::FUNCTION(), declared in HEADER, which returns
# the text of FILE in pieces: compilers limit the length of one.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/embed_table.cmake)

file(READ ${FILE} text)
cpp_literal(literal "${text}" text)
string(REPLACE ")text\"\n" ")text\",\n" entries "${literal}")
begin_tables(${OUTPUT} ${HEADER})
add_table(${OUTPUT} std::string_view ${FUNCTION} "${entries}\n" "")
