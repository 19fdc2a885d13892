# What attackers of a parser lean on is taken away: overwritten return addresses end the program, addresses are
# random, tables of functions are read-only. Builds with sanitizers look for more, and are left as they are.
include(CheckPIESupported)
check_pie_supported()
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT RIDGELINE_FUZZ)
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong>
        # Checked copies; glibc warns of them in code that is not optimised.
        "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>")
    add_link_options(LINKER:-z,relro LINKER:-z,now)
endif()
