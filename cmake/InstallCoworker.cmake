# Installs the library, its headers and a package for find_package(coworker).
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/coworker)
install(TARGETS coworker EXPORT coworker-targets FILE_SET HEADERS)
if(TARGET coworker_gateway)
  install(TARGETS coworker_gateway EXPORT coworker-targets FILE_SET HEADERS)
endif()
install(EXPORT coworker-targets NAMESPACE coworker:: DESTINATION ${package_dir})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/coworker-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/coworker-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/coworker-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/coworker-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/coworker-config-version.cmake
  DESTINATION ${package_dir})
