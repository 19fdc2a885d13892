# A build tree is laid out as an installation, by links: share/ridgeline beside the program, so that no
# binary needs to know where it was built.
set(share ${PROJECT_BINARY_DIR}/share/ridgeline)
file(MAKE_DIRECTORY ${share}/rehearsal)
foreach(folder catalog profiles page rehearsal/python)
    if(NOT EXISTS ${share}/${folder})
        file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${share}/${folder} SYMBOLIC)
    endif()
endforeach()
