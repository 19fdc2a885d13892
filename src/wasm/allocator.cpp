// Memory of the core: blocks of a few sizes, kept by size when they are given back and never
// joined. Questions ask for the same sizes again and again, and the allocator of the C library is
// some five times as large in a page whose bytes count.
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace {

constexpr std::size_t page_bytes = 65536;
constexpr std::size_t least_pages = 16;  // that are asked of the page at once
constexpr std::size_t unit = 16;         // alignment, and the room before a block for its class
constexpr std::size_t steps = 4;         // sizes from one power of two to the next
constexpr std::size_t classes = 4 * 30;

struct Free {
    Free* next;
};
Free* kept[classes];
std::uintptr_t fresh = 0;
std::uintptr_t end_of_fresh = 0;

std::size_t size_of_class(std::size_t index) {
    const std::size_t power = std::size_t{1} << (index / steps + 4);
    return (power + index % steps * power / steps + unit - 1) / unit * unit;
}

/// The first class whose blocks hold `bytes`.
std::size_t class_of(std::size_t bytes) {
    std::size_t index = bytes <= unit ? 0 : (std::bit_width(bytes - 1) - 5) * steps;
    while (size_of_class(index) < bytes) {
        ++index;
    }
    return index;
}

std::size_t& class_before(void* block) {
    return *reinterpret_cast<std::size_t*>(static_cast<char*>(block) - unit);
}

void* grown(std::size_t bytes) {
    if (end_of_fresh - fresh < bytes) {
        const std::size_t needed = (bytes + page_bytes - 1) / page_bytes;
        const std::size_t more = needed < least_pages ? least_pages : needed;
        const std::size_t at = __builtin_wasm_memory_grow(0, more);
        if (at == SIZE_MAX) {
            return nullptr;
        }
        fresh = at * page_bytes == end_of_fresh ? fresh : at * page_bytes;
        end_of_fresh = (at + more) * page_bytes;
    }
    const std::uintptr_t block = fresh;
    fresh += bytes;
    return reinterpret_cast<void*>(block);
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
    if (bytes > SIZE_MAX / 4) {
        return nullptr;
    }
    const std::size_t index = class_of(bytes);
    if (Free* block = kept[index]; block != nullptr) {
        kept[index] = block->next;
        return block;
    }
    void* whole = grown(size_of_class(index) + unit);
    if (whole == nullptr) {
        return nullptr;
    }
    void* block = static_cast<char*>(whole) + unit;
    class_before(block) = index;
    return block;
}

void free(void* block) {
    if (block != nullptr) {
        Free*& first = kept[class_before(block)];
        first = new (block) Free{first};
    }
}

void* calloc(std::size_t count, std::size_t bytes) {
    void* block = bytes != 0 && count > SIZE_MAX / bytes ? nullptr : malloc(count * bytes);
    return block != nullptr ? std::memset(block, 0, count * bytes) : nullptr;
}

void* realloc(void* block, std::size_t bytes) {
    const std::size_t had = block != nullptr ? size_of_class(class_before(block)) : 0;
    if (block != nullptr && bytes <= had) {
        return block;
    }
    void* larger = malloc(bytes);
    if (larger != nullptr && block != nullptr) {
        std::memcpy(larger, block, had);
        free(block);
    }
    return larger;
}

/// Nothing here is aligned beyond 16 bytes.
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return alignment <= unit ? malloc(bytes) : nullptr;
}

int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
    *block = aligned_alloc(alignment, bytes);
    return *block != nullptr ? 0 : ENOMEM;
}

}  // extern "C"
