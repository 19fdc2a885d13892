#include "web/packed_text.h"

#include <cstddef>

namespace ridgeline::web {
namespace {

constexpr std::string_view refused("\0\n\r<", 4);
constexpr unsigned first_pair = 0xa0;

/// Seven bits at a time, zeros after the end.
class Sevens {
public:
    explicit Sevens(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] bool done() const { return bit_ >= 8 * bytes_.size(); }
    unsigned next() {
        const auto byte_at = [this](std::size_t i) {
            return i < bytes_.size() ? static_cast<unsigned char>(bytes_[i]) : 0U;
        };
        const std::size_t byte = bit_ / 8;
        const unsigned pair = byte_at(byte) << 8U | byte_at(byte + 1);
        const unsigned bits = pair >> (9U - bit_ % 8) & 0x7fU;
        bit_ += 7;
        return bits;
    }

private:
    std::string_view bytes_;
    std::size_t bit_ = 0;
};

}  // namespace

std::string packed_text(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() * 8 / 7 + 2);
    Sevens sevens(bytes);
    while (!sevens.done()) {
        const char letter = static_cast<char>(sevens.next());
        const std::size_t place = refused.find(letter);
        if (place == std::string_view::npos) {
            out += letter;
            continue;
        }
        const unsigned code = first_pair + static_cast<unsigned>(place << 7U) + sevens.next();
        out += static_cast<char>(0xc0U | code >> 6U);
        out += static_cast<char>(0x80U | (code & 0x3fU));
    }
    return out;
}

}  // namespace ridgeline::web
