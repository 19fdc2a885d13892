install(DIRECTORY ${PROJECT_SOURCE_DIR}/catalog ${PROJECT_SOURCE_DIR}/profiles
    DESTINATION ${CMAKE_INSTALL_DATADIR}/ridgeline)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(packaging ${PROJECT_SOURCE_DIR}/packaging)
install(FILES ${packaging}/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# What is linked in, as SPDX 2.3: only Debian knows its packages.
find_package(Python3 QUIET COMPONENTS Interpreter)
find_program(RIDGELINE_DPKG_QUERY dpkg-query)
if(RIDGELINE_DPKG_QUERY AND Python3_FOUND)
    set(bill ${PROJECT_BINARY_DIR}/ridgeline.spdx.json)
    add_custom_target(sbom
        COMMAND ${Python3_EXECUTABLE} ${packaging}/write_sbom.py ${PROJECT_VERSION} ${bill}
            $<TARGET_FILE:ridgeline> $<TARGET_FILE:ridgeline_capi>
        DEPENDS ridgeline ridgeline_capi
        VERBATIM)
    install(FILES ${bill} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
endif()

# `cpack -G DEB` needs dpkg-dev and file on the build machine.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ridgeline)
set(CPACK_PACKAGE_CONTACT "Ridgeline authors <ridgeline@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Opened at run time, not linked: the products of `probe --backend cpu`.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libopenblas0-pthread")
set(CPACK_STRIP_FILES ON)
include(CPack)
