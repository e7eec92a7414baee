# SPDX-License-Identifier: MIT

# Finds the code blocks of Markdown files.
#
# Texts are always quoted here and never made into lists, so brackets and semicolons do no harm.

# Cuts the first block of `language` out of the text in the variable `rest`: sets `block` to its lines, or
# to "" if there is none, `block_line` to the line of its first one, counted from the beginning of
# `rest`, and `rest` to what follows.
function(next_block language)
  set(fence "\n```${language}\n")
  string(FIND "${rest}" "${fence}" begin)
  if(begin EQUAL -1)
    set(block "" PARENT_SCOPE)
    return()
  endif()
  string(LENGTH "${fence}" fence_length)
  math(EXPR begin "${begin} + ${fence_length}")
  string(SUBSTRING "${rest}" 0 ${begin} before)
  string(REGEX REPLACE "[^\n]" "" newlines "${before}")
  string(LENGTH "${newlines}" line)
  string(SUBSTRING "${rest}" ${begin} -1 rest)
  string(FIND "${rest}" "\n```" end)
  if(end EQUAL -1)
    message(FATAL_ERROR "a code block is not closed")
  endif()
  math(EXPR end "${end} + 1")
  string(SUBSTRING "${rest}" 0 ${end} block)
  string(SUBSTRING "${rest}" ${end} -1 rest)
  math(EXPR line "${line} + 1")
  set(block "${block}" PARENT_SCOPE)
  set(block_line ${line} PARENT_SCOPE)
  set(rest "${rest}" PARENT_SCOPE)
endfunction()

# Cuts what stands before and behind the next code block, of whatever language, out of `rest`: sets `prose`
# to the text before the block, or to "" at the end.
function(next_prose)
  string(FIND "${rest}" "\n```" begin)
  if(begin EQUAL -1)
    set(prose "${rest}" PARENT_SCOPE)
    set(rest "" PARENT_SCOPE)
    return()
  endif()
  string(SUBSTRING "${rest}" 0 ${begin} before)
  math(EXPR begin "${begin} + 4")
  string(SUBSTRING "${rest}" ${begin} -1 rest)
  string(FIND "${rest}" "\n```" end)
  math(EXPR end "${end} + 4")
  string(SUBSTRING "${rest}" ${end} -1 rest)
  set(prose "${before}\n" PARENT_SCOPE)
  set(rest "${rest}" PARENT_SCOPE)
endfunction()

# Writes `text` to `file`, unless that is what it holds: what need not be compiled again is not.
function(write_if_different file text)
  file(WRITE ${file}.new "${text}")
  file(COPY_FILE ${file}.new ${file} ONLY_IF_DIFFERENT)
  file(REMOVE ${file}.new)
endfunction()

# Writes the C++ blocks of a document into source files below `folder` and lists these in `written`:
# one for each whole file, and one, NAME_fragments.cpp, for all fragments together. Compilers' messages name
# the document's own lines.
function(write_cpp_blocks document folder written)
  file(READ ${document} rest)
  get_filename_component(name ${document} NAME_WE)
  string(MAKE_C_IDENTIFIER ${name} name)
  set(files "")
  set(fragments "")
  set(number 0)
  set(line 0)
  next_block(cpp)
  while(NOT block STREQUAL "")
    math(EXPR number "${number} + 1")
    math(EXPR line "${line} + ${block_line}")
    set(here "#line ${line} \"${document}\"\n")
    if(block MATCHES "#include")
      write_if_different(${folder}/${name}_${number}.cpp "${here}${block}")
      list(APPEND files ${folder}/${name}_${number}.cpp)
    elseif(block MATCHES "^(struct|class|enum|namespace|template|asio::awaitable<)")
      string(APPEND fragments "\nnamespace block_${number} {\n${here}${block}}\n")
    else()
      string(APPEND fragments
        "\nasio::awaitable<void> block_${number}(FRAGMENT_MAY_USE)\n{\n${here}${block}    co_return;\n}\n")
    endif()
    # `rest` begins with the line break before the closing fence.
    string(REGEX REPLACE "[^\n]" "" newlines "${block}")
    string(LENGTH "${newlines}" length)
    math(EXPR line "${line} + ${length} - 1")
    next_block(cpp)
  endwhile()
  if(fragments)
    write_if_different(${folder}/${name}_fragments.cpp
      "#include \"prelude.hpp\"\n\nnamespace page_${name} {\n${fragments}\n}\n")
    list(APPEND files ${folder}/${name}_fragments.cpp)
  endif()
  set(${written} ${files} PARENT_SCOPE)
endfunction()
