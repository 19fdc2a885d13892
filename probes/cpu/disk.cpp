#include "probes/cpu/disk.h"

#include "probes/sampling.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/statvfs.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace probes {
namespace {

constexpr std::size_t block = std::size_t{1} << 20;

struct Freed {
    void operator()(char* memory) const { std::free(memory); }
};
using Block = std::unique_ptr<char, Freed>;

Block aligned_block() {
    return Block(static_cast<char*>(std::aligned_alloc(4096, block)));
}

/// A descriptor that closes itself.
class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor_ >= 0) {
            close(descriptor_);
        }
    }
    [[nodiscard]] int get() const { return descriptor_; }

private:
    int descriptor_;
};

bool write_file(int file, std::size_t blocks) {
    const Block buffer = aligned_block();
    for (std::size_t b = 0; b < blocks; ++b) {
        for (std::size_t i = 0; i < block; i += 8) {  // compressing file systems gain nothing
            const std::uint64_t word = mixed(b, i);
            std::memcpy(buffer.get() + i, &word, 8);
        }
        if (write(file, buffer.get(), block) != static_cast<ssize_t>(block)) {
            return false;
        }
    }
    return fsync(file) == 0;
}

/// Seconds of reading the file by so many threads; negative on an error.
double timed_read(const std::string& path, int flags, std::size_t blocks, int readers) {
    using Clock = std::chrono::steady_clock;
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    const Clock::time_point begin = Clock::now();
    std::vector<std::thread> pool;
    for (int r = 0; r < readers; ++r) {
        pool.emplace_back([&] {
            const File file(open(path.c_str(), O_RDONLY | flags));
            const Block buffer = aligned_block();
            for (std::size_t b = next++; b < blocks && file.get() >= 0; b = next++) {
                if (pread(file.get(), buffer.get(), block, static_cast<off_t>(b * block)) !=
                    static_cast<ssize_t>(block)) {
                    failed = true;
                    return;
                }
            }
            failed = failed || file.get() < 0;
        });
    }
    for (std::thread& thread : pool) {
        thread.join();
    }
    return failed ? -1 : std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

DiskRead read_disk(const std::string& folder, double bytes, int readers) {
    DiskRead result;
    struct statvfs space {};
    if (statvfs(folder.c_str(), &space) != 0 ||
        static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) < 4 * bytes) {
        result.problem = "there is no room for a file of its own in " + folder;
        return result;
    }
    std::string path = folder + "/ridgeline-probe-XXXXXX";
    const File file(mkstemp(path.data()));
    if (file.get() < 0) {
        result.problem = "no file could be made in " + folder + ": " + std::strerror(errno);
        return result;
    }
    const auto blocks = static_cast<std::size_t>(bytes) / block;
    if (write_file(file.get(), blocks)) {
        posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
        result.direct = true;
        result.seconds = timed_read(path, O_DIRECT, blocks, readers);
        if (result.seconds < 0) {  // tmpfs, overlay and some network file systems refuse it
            result.direct = false;
            result.seconds = timed_read(path, 0, blocks, readers);
        }
        result.bytes = static_cast<double>(blocks * block);
    }
    if (result.seconds <= 0) {
        result.problem = "the file in " + folder + " could not be written or read";
    }
    unlink(path.c_str());
    return result;
}

}  // namespace probes
