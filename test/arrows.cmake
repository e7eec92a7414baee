# SPDX-License-Identifier: MIT

# Checks that the folders of src include only what stands below them, and that no two headers have the same name. Run by CTest:
#   cmake -DSOURCE=<the tree> -P test/arrows.cmake

cmake_minimum_required(VERSION 3.25)

# Each folder, and the folders that its files may include beside itself; `.` is src itself. The public headers are open
# to all but text and exec, which know nothing of jobs. A new folder needs a line here.
set(may_include
  "text:."
  ".:text"
  "boost:"
  "schedule:. text redis"
  "redis:. text"
  "list:. text redis schedule"
  "managed:. text redis schedule"
  "worker:. text"
  "metrics:text"
  "inspect:. text redis list managed"
  "take:. text redis list managed worker inspect"
  "testing:. text managed worker"
  "zstd:text"
  "sodium:text"
  "exec:"
  "json:. text"
  "outbox:. text json"
  "notices:text"
  "postgresql:text outbox"
  "mysql:text outbox"
  "gateway:. text json"
  "program:. text exec json")
# The few headers that text may include: they include nothing themselves.
set(ground bounds.hpp coworker/timestamp.hpp)

# Gateway and program look at queues and act on them through coworker/inspector.hpp. The queues' own headers are for those of
# their files that push, wait for results, run workers and monitors, or speak qless' protocol.
set(queue_headers coworker/list_queue.hpp coworker/managed_queue.hpp coworker/managed_client.hpp)
set(queue_users gateway/api.hpp gateway/shared_metrics.cpp gateway/look_jobs.cpp gateway/managed_push.cpp gateway/limits.cpp gateway/holds.cpp gateway/act.cpp gateway/queue_settings.cpp program/commands/push_target.cpp program/commands/work.cpp program/commands/monitor.cpp program/commands/notify.cpp
  program/commands/qless.cpp program/commands/group.cpp program/commands/limits.cpp program/commands/hold.cpp program/commands/queue_limits.cpp program/commands/queue_settings.cpp program/commands/job_wait.hpp
  program/commands/signal.cpp)

# What is there all the same, file by file. Lines may only be taken away.
file(STRINGS ${SOURCE}/test/arrows_exceptions.txt exceptions REGEX "^[^#]")

set(wrong "")
set(used "")
set(names "")
file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/include/*.hpp ${SOURCE}/src/*.hpp)
foreach(header IN LISTS headers)
  get_filename_component(name ${header} NAME)
  if(name IN_LIST names)
    string(APPEND wrong "  ${header}: another header is called ${name} as well; say in the name what is in it\n")
  endif()
  list(APPEND names ${name})
endforeach()
file(GLOB_RECURSE files RELATIVE ${SOURCE}/src ${SOURCE}/src/*.hpp ${SOURCE}/src/*.cpp)
foreach(file IN LISTS files)
  set(folder .)
  if(file MATCHES "^([^/]+)/")
    set(folder ${CMAKE_MATCH_1})
  endif()
  set(allowed "")
  foreach(rule IN LISTS may_include)
    if(rule MATCHES "^([^:]+):(.*)$" AND CMAKE_MATCH_1 STREQUAL folder)
      string(REPLACE " " ";" allowed "${folder} ${CMAKE_MATCH_2}")
    endif()
  endforeach()
  if(allowed STREQUAL "")
    string(APPEND wrong "  src/${file}: the folder '${folder}' is not in test/arrows.cmake; say there what it may include\n")
    continue()
  endif()
  file(STRINGS ${SOURCE}/src/${file} includes REGEX "^ *# *include +(\"|<coworker/)")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE ".*[\"<]([^\">]+)[\">].*" "\\1" header "${line}")
    set(target .)
    if(header MATCHES "^([^/]+)/")
      set(target ${CMAKE_MATCH_1})
    endif()
    set(is_right FALSE)
    if(folder STREQUAL text AND NOT target STREQUAL text)
      if(header IN_LIST ground)
        set(is_right TRUE)
      endif()
    elseif(header IN_LIST queue_headers AND folder MATCHES "^(gateway|program)$")
      if(file IN_LIST queue_users)
        set(is_right TRUE)
      endif()
    elseif(target STREQUAL coworker)
      if(NOT folder STREQUAL exec)
        set(is_right TRUE)
      endif()
    elseif(target IN_LIST allowed)
      set(is_right TRUE)
    endif()
    if(NOT is_right)
      set(exception "${file} ${header}")
      if(exception IN_LIST exceptions)
        list(APPEND used "${exception}")
      else()
        string(APPEND wrong "  src/${file} includes ${header}, but '${folder}' may include only: ${allowed}\n")
      endif()
    endif()
  endforeach()
endforeach()
if(exceptions)
  list(REMOVE_ITEM exceptions ${used} "")
endif()
foreach(exception IN LISTS exceptions)
  string(APPEND wrong "  test/arrows_exceptions.txt: '${exception}' is not needed any more; remove the line\n")
endforeach()
if(wrong)
  message(FATAL_ERROR "Includes that point the wrong way, or headers with one name:\n${wrong}"
    "Move what both need to a folder below both, or give it to the public headers.")
endif()
