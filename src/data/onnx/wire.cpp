#include "data/onnx/wire.h"

#include <algorithm>
#include <bit>

namespace ridgeline::onnx {

void Bytes::load(std::uint64_t place) {
    constexpr std::uint64_t block = 32 * 1024;
    first_ = place;
    block_ = {};
    if (failed_ || place >= size_) {
        failed_ = true;
        return;
    }
    const auto count = static_cast<std::size_t>(std::min(block, size_ - place));
    auto read = file_.read_at(place, count);
    failed_ = !read || read->size() != count;
    if (!failed_) {
        owned_ = std::move(*read);
        block_ = owned_;
    }
}

std::string Bytes::text(std::uint64_t place, std::uint64_t count, std::size_t most) {
    std::string text;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, most) && !failed_; ++i) {
        text += static_cast<char>(at(place + i));
    }
    return text;
}

bool Fields::varint(std::uint64_t& place, std::uint64_t end, std::uint64_t& value) const {
    value = 0;
    for (int shift = 0; shift < 64 && place < end; shift += 7) {
        const std::uint8_t byte = bytes_.at(place++);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return !bytes_.failed();
        }
    }
    return false;
}

bool Fields::fixed(int width) {
    if (end_ - place_ < static_cast<std::uint64_t>(width)) {
        return false;
    }
    value_ = 0;
    for (int i = 0; i < width; ++i) {
        value_ |= static_cast<std::uint64_t>(bytes_.at(place_++)) << (8 * i);
    }
    return true;
}

bool Fields::next() {
    if (damaged_ || place_ >= end_) {
        return false;
    }
    std::uint64_t key = 0;
    damaged_ = !varint(place_, end_, key);
    number_ = static_cast<int>(key >> 3 & 0xFFFFFFF);
    type_ = static_cast<int>(key & 7);
    length_ = 0;
    payload_ = place_;
    if (damaged_ || number_ == 0) {
        damaged_ = true;
        return false;
    }
    switch (type_) {
        case 0:
            damaged_ = !varint(place_, end_, value_);
            break;
        case 1:
            damaged_ = !fixed(8);
            break;
        case 2:
            damaged_ = !varint(place_, end_, length_) || length_ > end_ - place_;
            payload_ = place_;
            place_ += damaged_ ? 0 : length_;
            break;
        case 5:
            damaged_ = !fixed(4);
            break;
        default:
            damaged_ = true;  // groups have not been written since 2008
    }
    return !damaged_;
}

double Fields::float32() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value_)); }

}  // namespace ridgeline::onnx
