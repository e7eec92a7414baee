# Configures the project in SOURCE, builds it in BINARY, runs its program, and looks at the flags that
# its own file is compiled with.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${BINARY})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY} -G ${GENERATOR}
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10
    -DCMAKE_PREFIX_PATH=${PREFIX} -DBoost_DIR=${BOOST_DIR}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BINARY} --parallel 2 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${BINARY}/consumer COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS ${BINARY}/gateway_user)
  execute_process(COMMAND ${BINARY}/gateway_user COMMAND_ERROR_IS_FATAL ANY)
endif()

file(STRINGS ${BINARY}/compile_commands.json commands REGEX "\"command\": .*consumer\\.cpp")
list(LENGTH commands count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "How consumer.cpp is compiled cannot be found out: ${commands}")
endif()
if(commands MATCHES " (-W[a-z][^ ]*|-f?sanitize[^ ]*|-O[^ ]*)")
  message(FATAL_ERROR "coworker must not decide that a consumer is compiled with ${CMAKE_MATCH_1}:\n${commands}")
endif()
