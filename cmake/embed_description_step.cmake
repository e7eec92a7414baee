# Build step of the gateway: writes OUTPUT, a C++ file with the text of INPUT.
cmake_minimum_required(VERSION 3.25)

file(READ ${INPUT} text)
# Compilers limit the length of one literal; adjacent ones are joined.
string(LENGTH "${text}" length)
set(begin 0)
while(begin LESS length)
  string(SUBSTRING "${text}" ${begin} 8000 piece)
  string(APPEND literal "\n    R\"json(${piece})json\"")
  math(EXPR begin "${begin} + 8000")
endwhile()
file(WRITE ${OUTPUT} "// Generated. Do not edit.
#include \"http/description.hpp\"

std::string_view coworker::detail::openapi_description() noexcept
{
    return ${literal};
}
")
