# SPDX-License-Identifier: MIT

# What the steps that compile files in have in common.

# cpp_literal(VARIABLE TEXT DELIMITER): sets VARIABLE to TEXT as adjacent raw literals, which C++ joins: compilers limit
# the length of one. They end with lines, so that no character is cut.
function(cpp_literal variable text delimiter)
  set(literals "")
  string(LENGTH "${text}" length)
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 8000 piece)
    string(FIND "${piece}" "\n" end REVERSE)
    if(NOT end EQUAL -1)
      math(EXPR end "${end} + 1")
      string(SUBSTRING "${piece}" 0 ${end} piece)
    endif()
    string(LENGTH "${piece}" end)
    math(EXPR begin "${begin} + ${end}")
    string(APPEND literals "\n     R\"${delimiter}(${piece})${delimiter}\"")
  endwhile()
  set(${variable} "${literals}" PARENT_SCOPE)
endfunction()

# begin_tables(OUTPUT HEADER): begins the C++ file that defines what HEADER declares.
function(begin_tables output header)
  file(WRITE ${output} "// Generated. Do not edit.\n#include \"${header}\"\n")
endfunction()

# add_table(OUTPUT TYPE FUNCTION ENTRIES BEFORE): defines coworker::detail::FUNCTION(), which returns a table of TYPE with
# these entries; BEFORE is what they refer to.
function(add_table output type function entries before)
  file(APPEND ${output} "
namespace coworker::detail {

std::span<const ${type}> ${function}() noexcept
{
${before}    static const ${type} embedded[] = {
${entries}    };
    return embedded;
}

} // namespace coworker::detail
")
endfunction()
