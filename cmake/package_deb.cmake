install(DIRECTORY ${PROJECT_SOURCE_DIR}/catalog ${PROJECT_SOURCE_DIR}/profiles
    DESTINATION ${CMAKE_INSTALL_DATADIR}/ridgeline)
# The page and, where the preset `wasm` was built, what answers in it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/page DESTINATION ${CMAKE_INSTALL_DATADIR}/ridgeline)
install(FILES ${PROJECT_SOURCE_DIR}/build/wasm/core.wasm
    DESTINATION ${CMAKE_INSTALL_DATADIR}/ridgeline/page OPTIONAL)
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

# A unit that nothing starts by itself: systemctl enable --now ridgeline.
configure_file(${packaging}/ridgeline.service.in ${PROJECT_BINARY_DIR}/ridgeline.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ridgeline.service DESTINATION lib/systemd/system)

# `cpack -G DEB` needs dpkg-dev and file on the build machine. Whoever hands the package on names themselves
# as Debian's tools do: DEBFULLNAME, DEBEMAIL.
set(maintainer "Ridgeline authors")
if(DEFINED ENV{DEBFULLNAME})
    set(maintainer "$ENV{DEBFULLNAME}")
endif()
set(address "ridgeline@example.org")
if(DEFINED ENV{DEBEMAIL})
    set(address "$ENV{DEBEMAIL}")
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ridgeline)
set(CPACK_PACKAGE_CONTACT "${maintainer} <${address}>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Ridgeline estimates memory and time of training, fine-tuning, inference and
scientific kernels on accelerators, ranks what can be bought or rented for
them, and shows formula, source and range of every figure. It reads training
configurations, rehearses training scripts on a card that is not there,
serves its answers over HTTP and writes them as one page.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${packaging}/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3:any")
# Opened at run time, not linked: the products of `probe --backend cpu`.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libopenblas0-pthread")
set(CPACK_STRIP_FILES ON)

# Debian's own list of changes, packed without a date.
find_program(RIDGELINE_GZIP gzip)
if(RIDGELINE_GZIP)
    set(changes ${PROJECT_BINARY_DIR}/changelog.gz)
    execute_process(COMMAND ${RIDGELINE_GZIP} -9nc ${packaging}/debian/changelog OUTPUT_FILE ${changes})
    install(FILES ${changes} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
include(CPack)
