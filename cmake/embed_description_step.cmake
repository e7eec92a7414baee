# Build step of the gateway: writes OUTPUT, a C++ file with the parts of the API's description: the files of FOLDER
# (FILES, separated by |). A file's name begins with the kind of its parts: schemas.list.json has schemas.
cmake_minimum_required(VERSION 3.25)

string(REPLACE "|" ";" files "${FILES}")
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} text)
  string(REGEX REPLACE "\\..*" "" kind ${file})
  # Compilers limit the length of one literal; adjacent ones are joined.
  string(LENGTH "${text}" length)
  set(begin 0)
  set(literal "")
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 8000 piece)
    string(APPEND literal "\n     R\"json(${piece})json\"")
    math(EXPR begin "${begin} + 8000")
  endwhile()
  string(APPEND entries "    {\"${kind}\",${literal}},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated. Do not edit.
#include \"http/description.hpp\"

namespace {
const coworker::detail::description_part description_files[] = {
${entries}};
}

std::span<const coworker::detail::description_part> coworker::detail::description_parts() noexcept
{
    return description_files;
}
")
