# own_target(TARGET): warnings and sanitizers for a target of this project. They
# never reach a program that uses coworker.
function(own_target target)
  if(COWORKER_WARNINGS)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  endif()
  if(COWORKER_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${COWORKER_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=${COWORKER_SANITIZE})
    if(COWORKER_SANITIZE MATCHES undefined)
      target_compile_options(${target} PRIVATE -fno-sanitize-recover=undefined)
    endif()
  endif()
endfunction()
