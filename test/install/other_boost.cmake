# SPDX-License-Identifier: MIT

# Uses the library below PREFIX with another BOOST than its own: a folder that says that it is 1.88.0.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${FOLDER})
file(WRITE ${FOLDER}/other/include/boost/version.hpp
  "#include_next <boost/version.hpp>\n#undef BOOST_VERSION\n#define BOOST_VERSION 108800\n")
file(WRITE ${FOLDER}/other/BoostConfig.cmake "
add_library(Boost::headers INTERFACE IMPORTED)
target_include_directories(Boost::headers INTERFACE ${FOLDER}/other/include)")
file(WRITE ${FOLDER}/other/BoostConfigVersion.cmake "
set(PACKAGE_VERSION 1.88.0)
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL 1.88.0 AND NOT PACKAGE_FIND_VERSION_COUNT EQUAL 3)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()")
file(WRITE ${FOLDER}/user/CMakeLists.txt "
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
if(BOOST_FIRST)
  find_package(Boost 1.86 CONFIG REQUIRED)
endif()
find_package(coworker REQUIRED)
file(WRITE \${CMAKE_BINARY_DIR}/found \${coworker_BOOST_VERSION})")

# configure(NAME ARGUMENT...): configures that project. Sets `result` and `said`, the words of its complaint.
function(configure name)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${FOLDER}/user -B ${FOLDER}/${name} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
      -DCMAKE_PREFIX_PATH=${PREFIX} ${ARGN}
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  set(result ${result} PARENT_SCOPE)
  set(said "${said}" PARENT_SCOPE)
endfunction()

# says(TEXT): fails unless the complaint has this.
function(says text)
  string(FIND "${said}" "${text}" position)
  if(position EQUAL -1 OR result EQUAL 0)
    message(SEND_ERROR "'${text}' is not what CMake complains of: ${said}")
  endif()
endfunction()

# Where it was built its Boost is found, whichever other is there.
foreach(name IN ITEMS alone beside)
  set(arguments "")
  if(name STREQUAL "beside")
    set(arguments -DBoost_DIR=${FOLDER}/other)
  endif()
  configure(${name} ${arguments})
  if(NOT result EQUAL 0)
    message(SEND_ERROR "The library's own Boost is not found: ${said}")
  endif()
endforeach()
file(READ ${FOLDER}/alone/found version)

configure(another -DBOOST_FIRST=ON -DBoost_DIR=${FOLDER}/other)
says("coworker was built with Boost ${version}")
says("this project uses Boost 1.88.0 in ${FOLDER}/other/include")
says(".deps/boost/usr")
configure(none -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
says("coworker was built with Boost ${version}")
says("no Boost of this version was found")

# Whoever does not ask CMake is told by the linker.
file(WRITE ${FOLDER}/user.cpp "#include <coworker/client.hpp>\nint main() {}\n")
foreach(which IN ITEMS own other)
  set(first "")
  if(which STREQUAL "other")
    set(first -isystem ${FOLDER}/other/include)
  endif()
  execute_process(
    COMMAND ${COMPILER} -std=gnu++20 -DBOOST_ASIO_SEPARATE_COMPILATION -DBOOST_JSON_NO_LIB -pthread -I${PREFIX}/include
      ${first} -isystem ${BOOST} ${FOLDER}/user.cpp -o ${FOLDER}/${which}_user -L${LIBRARIES} -lcoworker -lcoworker_boost
      -lssl -lcrypto
    RESULT_VARIABLE result ERROR_VARIABLE said)
  if(which STREQUAL "own" AND NOT result EQUAL 0)
    message(SEND_ERROR "A program with the library's own Boost does not link: ${said}")
  elseif(which STREQUAL "other")
    says("built_with_boost_108800")
  endif()
endforeach()
