#pragma once

#include "data/file_tree.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline::onnx {

/// Bytes of a file, a block at a time: what is skipped is never read.
class Bytes {
public:
    /// Of a text in memory, which outlives this.
    explicit Bytes(std::string_view text) : block_(text), size_(text.size()) {}
    /// Of a file of `size` bytes.
    Bytes(TreePath file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// The byte at a place below `size`; 0 where it cannot be read (see `failed`).
    std::uint8_t at(std::uint64_t place) {
        if (place < first_ || place - first_ >= block_.size()) {
            load(place);
        }
        return place - first_ < block_.size()
                   ? static_cast<std::uint8_t>(block_[static_cast<std::size_t>(place - first_)])
                   : std::uint8_t{0};
    }
    /// At most `most` bytes from a place on.
    std::string text(std::uint64_t place, std::uint64_t count, std::size_t most);
    /// The file ended before its size, or could not be read.
    [[nodiscard]] bool failed() const { return failed_; }

private:
    void load(std::uint64_t place);

    TreePath file_;
    std::string owned_;
    std::string_view block_;
    std::uint64_t first_ = 0;
    std::uint64_t size_ = 0;
    bool failed_ = false;
};

/// The fields of one message of Google's protocol buffers, in the order in which they lie there.
/// What is no such message leaves `damaged`.
class Fields {
public:
    explicit Fields(Bytes& bytes) : Fields(bytes, 0, bytes.size()) {}
    Fields(Bytes& bytes, std::uint64_t begin, std::uint64_t end)
        : bytes_(bytes), place_(begin), end_(end) {}

    /// Moves to the next field; false at the end, and where the message is damaged.
    bool next();
    [[nodiscard]] int number() const { return number_; }
    /// Of a field with a length.
    [[nodiscard]] std::uint64_t length() const { return length_; }
    /// Of a varint, or the bits of a fixed number.
    [[nodiscard]] std::uint64_t value() const { return value_; }
    [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(value_); }
    [[nodiscard]] double float32() const;
    /// Fields of the message inside; none where the field has no length.
    [[nodiscard]] Fields inside() const { return {bytes_, payload_, payload_ + length_}; }
    [[nodiscard]] std::string text(std::size_t most = 4096) const {
        return bytes_.text(payload_, length_, most);
    }
    /// Calls `take(std::int64_t)` for each number of a repeated varint field, packed or not, at
    /// most `most` times; what is beyond is skipped.
    template <typename Take>
    void integers(std::size_t most, Take take) const {
        if (type_ != 2) {
            take(integer());
            return;
        }
        std::uint64_t place = payload_;
        std::uint64_t value = 0;
        while (most-- > 0 && place < payload_ + length_ &&
               varint(place, payload_ + length_, value)) {
            take(static_cast<std::int64_t>(value));
        }
    }
    [[nodiscard]] std::uint64_t place() const { return payload_; }
    [[nodiscard]] Bytes& bytes() const { return bytes_; }
    [[nodiscard]] bool has_length() const { return type_ == 2; }
    [[nodiscard]] bool damaged() const { return damaged_ || bytes_.failed(); }

private:
    bool varint(std::uint64_t& place, std::uint64_t end, std::uint64_t& value) const;
    bool fixed(int width);

    Bytes& bytes_;
    std::uint64_t place_;
    std::uint64_t end_;
    std::uint64_t payload_ = 0;
    std::uint64_t length_ = 0;
    std::uint64_t value_ = 0;
    int number_ = 0;
    int type_ = 0;
    bool damaged_ = false;
};

}  // namespace ridgeline::onnx
