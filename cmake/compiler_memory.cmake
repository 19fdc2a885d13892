# GCC collects garbage while it compiles, a tenth of its time on a batch of sources: where each core has the memory, it
# starts at 600 MB instead of what GCC chooses (at most 128). What is compiled does not change.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR memory_of_core "${memory_mib} / ${cores}")
    if(memory_of_core GREATER_EQUAL 3000)
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=600000>)
    endif()
endif()
