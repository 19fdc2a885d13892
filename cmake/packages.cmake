# Finds one package and, where it is missing, says which Debian package brings it.
macro(ridgeline_require name debian)
    find_package(${name} ${ARGN} QUIET)
    if(NOT ${name}_FOUND)
        message(FATAL_ERROR "${name} was not found. On Debian or Ubuntu: apt-get install ${debian}")
    endif()
endmacro()

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
    message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} is too old, Ridgeline needs g++ 12 or newer")
endif()

ridgeline_require(nlohmann_json nlohmann-json3-dev 3.11 CONFIG)
ridgeline_require(fmt libfmt-dev 9 CONFIG)
ridgeline_require(tl-expected libexpected-dev CONFIG)
ridgeline_require(CLI11 libcli11-dev 2.1 CONFIG)
find_package(Threads REQUIRED)
