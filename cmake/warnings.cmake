option(RIDGELINE_WERROR "Treat warnings as errors" OFF)

function(ridgeline_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion
        # In a batch, a file-local function that is never called may have lost its calls to a namesake.
        -Werror=unused-function
        # In a batch of sources the file-local names of one are global to the next.
        $<$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wshadow>
        # GCC 12 reports std::string at -O2 falsely (GCC bug 105651).
        $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
        # Clang 19 reports std::stable_sort itself, whose buffer GCC 12's library takes by a deprecated call.
        $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
        $<$<BOOL:${RIDGELINE_WERROR}>:-Werror>)
endfunction()

# What reads a line or prints a page is not where the time goes: compiled for size it takes half of the room, in the
# file and in memory, and no longer to compile.
#   ridgeline_seldom_run(target [source...])  the sources named run often and stay as they are
function(ridgeline_seldom_run target)
    if(NOT CMAKE_BUILD_TYPE MATCHES "RelWithDebInfo|Debug")
        ridgeline_alone(${ARGN})
        return()
    endif()
    if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
        # Where less is inlined, GCC 12 takes an empty std::optional for a value that nobody wrote.
        target_compile_options(${target} PRIVATE -Os $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
        set_target_properties(${target} PROPERTIES RIDGELINE_SELDOM_RUN ON)
    endif()
    if(ARGN)
        get_target_property(sources ${target} SOURCES)
        list(REMOVE_ITEM sources ${ARGN})
        set_target_properties(${target} PROPERTIES SOURCES "${sources}")
        add_library(${target}_often OBJECT ${ARGN})
        target_include_directories(${target}_often PRIVATE ${PROJECT_SOURCE_DIR}/src)
        get_target_property(libraries ${target} LINK_LIBRARIES)
        target_link_libraries(${target}_often PRIVATE ${libraries})
        ridgeline_warnings(${target}_often)
        target_precompile_headers(${target}_often REUSE_FROM ridgeline_base)
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_often>)
    endif()
endfunction()
