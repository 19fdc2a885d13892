// Files that the stand-in card lets torch map, though they are larger than this machine's memory.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(files_of_weights)

BOOST_AUTO_TEST_CASE(a_file_larger_than_memory_is_mapped_to_be_written) {
    void* library = dlopen(RIDGELINE_CARD_13, RTLD_NOW | RTLD_LOCAL);
    BOOST_REQUIRE_MESSAGE(library != nullptr, dlerror());
    using Map = void* (*)(void*, std::size_t, int, int, int, off_t);
    const auto map = reinterpret_cast<Map>(dlsym(library, "mmap"));
    BOOST_REQUIRE(map != nullptr);

    constexpr std::size_t size = std::size_t{1} << 40;
    const auto path =
        std::filesystem::temp_directory_path() / ("ridgeline-weights-" + std::to_string(getpid()));
    std::ofstream(path) << "weights";
    std::filesystem::resize_file(path, size);
    const int file = open(path.c_str(), O_RDONLY);
    auto* at = static_cast<char*>(map(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0));
    BOOST_REQUIRE(at != MAP_FAILED);
    at[size - 1] = 1;
    BOOST_TEST(at[0] == 'w');
    munmap(at, size);
    close(file);
    std::filesystem::remove(path);
}

BOOST_AUTO_TEST_SUITE_END()
