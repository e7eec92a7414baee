# SPDX-License-Identifier: MIT

# Installs the library, its headers and a package for find_package(coworker) and pkg-config, and describes the packages
# that cpack makes: `runtime` is the program and what runs it, `dev` what programs are built with.
include(CMakePackageConfigHelpers)
include(BoostVersion)

# What names no component, such as the program, is for running.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/coworker)
set(libraries coworker coworker_boost)
if(TARGET coworker_gateway)
  list(APPEND libraries coworker_gateway)
endif()
install(TARGETS ${libraries} EXPORT coworker-targets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev
  ARCHIVE COMPONENT dev
  FILE_SET HEADERS COMPONENT dev)
# What needs another library has an export of its own: the package is usable where that is missing.
set(extras zstd sodium postgresql mysql)
foreach(extra IN LISTS extras)
  if(TARGET coworker_${extra})
    install(TARGETS coworker_${extra} EXPORT coworker-${extra}-targets
      LIBRARY COMPONENT runtime NAMELINK_COMPONENT dev
      ARCHIVE COMPONENT dev
      FILE_SET HEADERS COMPONENT dev)
    install(EXPORT coworker-${extra}-targets NAMESPACE coworker:: DESTINATION ${package_dir} COMPONENT dev)
  endif()
endforeach()
install(EXPORT coworker-targets NAMESPACE coworker:: DESTINATION ${package_dir} COMPONENT dev)
coworker_boost_version(boost_version ${boost_headers})
if(NOT boost_version)
  message(FATAL_ERROR "Which Boost this is cannot be told from the target ${boost_headers}: coworker cannot be installed, "
    "since programs would have to use the same (-D COWORKER_INSTALL=OFF).")
endif()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/coworker-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/coworker-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/coworker-config-version.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/coworker-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/coworker-config-version.cmake
    ${PROJECT_SOURCE_DIR}/cmake/FindCodecLibrary.cmake ${PROJECT_SOURCE_DIR}/cmake/BoostVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)

# For pkg-config. The files find the prefix from where they are; Boost is where it was when the library was built.
set(boost_cflags "")
if(NOT boost_version_FOLDER IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
  set(boost_cflags " -isystem ${boost_version_FOLDER}")
endif()
file(RELATIVE_PATH prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
foreach(library IN ITEMS coworker coworker-gateway coworker-zstd coworker-sodium coworker-postgresql coworker-mysql)
  string(REPLACE "-" "_" target ${library})
  if(TARGET ${target})
    configure_file(${PROJECT_SOURCE_DIR}/cmake/${library}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${library}.pc
      DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
  endif()
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
# As Debian wants both: the text of the licence with blanks in front, the changes compressed.
file(READ ${PROJECT_SOURCE_DIR}/LICENSE LICENSE_TEXT)
string(REGEX REPLACE "\n\n" "\n.\n" LICENSE_TEXT "${LICENSE_TEXT}")
string(STRIP "${LICENSE_TEXT}" LICENSE_TEXT)
string(REPLACE "\n" "\n " LICENSE_TEXT " ${LICENSE_TEXT}")
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/copyright.in ${CMAKE_CURRENT_BINARY_DIR}/copyright @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}-dev COMPONENT dev)
find_program(COWORKER_GZIP gzip)
if(COWORKER_GZIP)
  set(changelog ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz)
  add_custom_command(OUTPUT ${changelog}
    COMMAND ${COWORKER_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${changelog}
    DEPENDS ${PROJECT_SOURCE_DIR}/CHANGELOG.md VERBATIM)
  add_custom_target(coworker-changelog ALL DEPENDS ${changelog})
  install(FILES ${changelog} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
  install(FILES ${changelog} DESTINATION ${CMAKE_INSTALL_DOCDIR}-dev COMPONENT dev OPTIONAL)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
  PATTERN Doxyfile EXCLUDE PATTERN mkdocs.yml EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/example/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT dev
  FILES_MATCHING PATTERN "*.cpp")
install(FILES ${PROJECT_SOURCE_DIR}/packaging/prometheus/alerts.yaml DESTINATION ${CMAKE_INSTALL_DATADIR}/coworker)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/grafana/coworker.json DESTINATION ${CMAKE_INSTALL_DATADIR}/coworker
  RENAME grafana.json)

# cpack -G DEB: coworker_VERSION_ARCH.deb and coworker-dev_VERSION_ARCH.deb.
set(CPACK_PACKAGE_NAME coworker)
set(CPACK_PACKAGE_CONTACT "the authors of coworker <coworker@localhost>" CACHE STRING "Maintainer of packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
# With DESTDIR, so that what is installed knows where it will stand.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME coworker)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "ca-certificates, tzdata") # TLS to Redis, and the zones of schedules
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(maintainer_scripts postinst prerm postrm conffiles)
list(TRANSFORM maintainer_scripts PREPEND ${PROJECT_SOURCE_DIR}/packaging/debian/
  OUTPUT_VARIABLE CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS redis-server)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME coworker-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS libssl-dev)
set(needed_by_extras "")
set(package_of_zstd libzstd-dev)
set(package_of_sodium libsodium-dev)
set(package_of_postgresql libpq-dev)
set(package_of_mysql libmariadb-dev)
foreach(extra IN LISTS extras)
  if(TARGET coworker_${extra})
    list(APPEND needed_by_extras ${package_of_${extra}})
  endif()
endforeach()
list(JOIN needed_by_extras ", " CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS)
if(BUILD_SHARED_LIBS)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", coworker (= ${PROJECT_VERSION})")
endif()
include(CPack)
