# Finds one package and, where it is missing, says which Debian package brings it.
macro(ridgeline_require name debian)
    find_package(${name} ${ARGN} QUIET)
    if(NOT ${name}_FOUND)
        message(FATAL_ERROR "${name} was not found. On Debian or Ubuntu: apt-get install ${debian}")
    endif()
endmacro()

ridgeline_require(nlohmann_json nlohmann-json3-dev CONFIG)
ridgeline_require(fmt libfmt-dev CONFIG)
ridgeline_require(tl-expected libexpected-dev CONFIG)
ridgeline_require(CLI11 libcli11-dev CONFIG)
find_package(Threads REQUIRED)
