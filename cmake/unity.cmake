# Sources are compiled in batches (CMAKE_UNITY_BUILD): a third of the time, since the headers of
# fmt and nlohmann/json are read once a batch. A source whose file-local names another one has too
# is compiled alone.
#   ridgeline_alone(json_parser.cpp)
function(ridgeline_alone)
    if(ARGN)
        set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
endfunction()
