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

# What reads a line or prints a page is not where the time goes: less optimised, it compiles in half of the time.
#   ridgeline_seldom_run(target [source...])  the sources named run often and stay as they are
function(ridgeline_seldom_run target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    if(ARGN)
        set_source_files_properties(${ARGN} PROPERTIES
            COMPILE_OPTIONS $<$<CONFIG:RelWithDebInfo>:-O2>
            SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
endfunction()
