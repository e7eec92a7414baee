# Build step of the gateway: writes OUTPUT, a C++ file with the files of FOLDER (FILES, separated by |) and what
# browsers are told of them. index.html is served as /, dashboard.* at the top, the others below /dashboard/.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "|" ";" files "${FILES}")
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} bytes HEX)
  file(SHA256 ${FOLDER}/${file} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  get_filename_component(ending ${file} LAST_EXT)
  set(type_.html "text/html; charset=utf-8")
  set(type_.css "text/css; charset=utf-8")
  set(type_.js "text/javascript; charset=utf-8")
  set(type_.svg "image/svg+xml")
  if(file STREQUAL "index.html")
    set(path "/")
  elseif(file MATCHES "^dashboard\\.")
    set(path "/${file}")
  else()
    set(path "/dashboard/${file}")
  endif()
  # Lines of 40 bytes.
  string(REGEX REPLACE "(..)" "\\\\x\\1" text "${bytes}")
  string(LENGTH "${text}" length)
  set(begin 0)
  set(lines "")
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 160 line)
    string(APPEND lines "\n     \"${line}\"")
    math(EXPR begin "${begin} + 160")
  endwhile()
  string(APPEND entries "    {\"${path}\", \"${type_${ending}}\", \"\\\"${hash}\\\"\",${lines}},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated. Do not edit.
#include \"http/dashboard.hpp\"

namespace {
const coworker::detail::dashboard_file files[] = {
${entries}};
}

std::span<const coworker::detail::dashboard_file> coworker::detail::dashboard_files() noexcept
{
    return files;
}
")
