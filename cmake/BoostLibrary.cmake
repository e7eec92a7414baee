# SPDX-License-Identifier: MIT

# The compiled parts of Boost, in a library of their own with one member for each: the linker takes only members whose
# symbols the program does not define itself. The headers come from here as well.
#
# Boost itself is the parent project's, where that has found it already; else what CMake finds.
if(TARGET Boost::headers)
  set(boost_headers Boost::headers)
elseif(TARGET Boost::boost)
  set(boost_headers Boost::boost)
else()
  find_package(Boost 1.86 CONFIG REQUIRED)
  set(boost_headers Boost::headers)
endif()

# A folder with newer Boost.Redis headers must not bring the rest of Boost.
set(redis_include ${COWORKER_BOOST_REDIS_INCLUDE})
if(redis_include AND NOT EXISTS ${redis_include}/boost/redis/connection.hpp)
  message(FATAL_ERROR "COWORKER_BOOST_REDIS_INCLUDE: there is no boost/redis/connection.hpp in ${redis_include}.")
elseif(redis_include AND EXISTS ${redis_include}/boost/version.hpp)
  message(FATAL_ERROR
    "COWORKER_BOOST_REDIS_INCLUDE: ${redis_include} holds a whole Boost. Pass that with CMAKE_PREFIX_PATH, or copy "
    "boost/redis and boost/redis.hpp alone into a folder and pass this one.")
endif()

get_target_property(imported ${boost_headers} IMPORTED)
if(imported)
  string(MD5 checked "${boost_headers}${Boost_DIR}${redis_include}")
  if(NOT COWORKER_CHECKED_BOOST STREQUAL checked)
    set(kind_before ${CMAKE_TRY_COMPILE_TARGET_TYPE})
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    try_compile(boost_is_new_enough ${CMAKE_CURRENT_BINARY_DIR}/boost_check ${PROJECT_SOURCE_DIR}/src/boost/version_check.cpp
      CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${redis_include}"
      LINK_LIBRARIES ${boost_headers} OUTPUT_VARIABLE output)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE ${kind_before})
    if(NOT boost_is_new_enough)
      string(REGEX MATCH "coworker needs [^\n]*" reason "${output}")
      if(NOT reason)
        set(reason ${output})
      endif()
      message(FATAL_ERROR "${reason}")
    endif()
    set(COWORKER_CHECKED_BOOST ${checked} CACHE INTERNAL "The Boost that was found to be new enough")
  endif()
endif()

add_library(coworker_boost
  src/boost/asio.cpp src/boost/asio_ssl.cpp src/boost/json.cpp src/boost/redis.cpp)
add_library(coworker::boost ALIAS coworker_boost)
target_compile_features(coworker_boost PUBLIC cxx_std_20)
target_compile_definitions(coworker_boost PUBLIC BOOST_ASIO_SEPARATE_COMPILATION BOOST_JSON_NO_LIB)
target_link_libraries(coworker_boost PUBLIC ${boost_headers} OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
if(redis_include)
  # coworker's public headers do not use Boost.Redis, so programs need not know this folder.
  target_include_directories(coworker_boost SYSTEM BEFORE PUBLIC $<BUILD_INTERFACE:${redis_include}>)
endif()
set_target_properties(coworker_boost PROPERTIES
  EXPORT_NAME boost
  UNITY_BUILD OFF # each member by itself, or the linker could not leave one out
  POSITION_INDEPENDENT_CODE ON
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
in_sections(coworker_boost)
hardened_target(coworker_boost)
sanitized_target(coworker_boost)
# Somebody else's code: compiled as it is, without this project's warnings or definitions.
target_compile_options(coworker_boost PRIVATE -w)
# Boost.Redis only uses Asio; programs call what the others define.
set_source_files_properties(src/boost/redis.cpp PROPERTIES COMPILE_OPTIONS "-include;${own_names}")
