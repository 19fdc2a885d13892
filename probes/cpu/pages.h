#pragma once

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace probes {

/// Memory on huge pages where the system has them, as numpy and malloc give it to large arrays:
/// with small ones the rows of a matrix, each on a page of its own, miss the buffer of
/// translations.
template <typename T>
class Pages {
public:
    explicit Pages(std::size_t count)
        : values_(static_cast<T*>(::operator new(count * sizeof(T), huge_page))), count_(count) {
        madvise(values_, count * sizeof(T), MADV_HUGEPAGE);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { ::operator delete(values_, huge_page); }
    [[nodiscard]] T* data() { return values_; }
    [[nodiscard]] const T* data() const { return values_; }
    [[nodiscard]] std::size_t size() const { return count_; }
    T& operator[](std::size_t i) { return values_[i]; }
    const T& operator[](std::size_t i) const { return values_[i]; }

private:
    static constexpr std::align_val_t huge_page{std::size_t{2} << 20};
    T* values_;
    std::size_t count_;
};

}  // namespace probes
