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

# write_table(OUTPUT HEADER TYPE FUNCTION ENTRIES): writes the C++ file that defines coworker::detail::FUNCTION(), which
# HEADER declares: it returns a table of TYPE with these entries.
function(write_table output header type function entries)
  file(WRITE ${output} "// Generated. Do not edit.
#include \"${header}\"

// Of strings beyond 65,536 bytes compilers say under -Wpedantic that others need not take them; g++ and clang do.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace coworker::detail {

std::span<const ${type}> ${function}() noexcept
{
    static const ${type} embedded[] = {
${entries}    };
    return embedded;
}

} // namespace coworker::detail
")
endfunction()
