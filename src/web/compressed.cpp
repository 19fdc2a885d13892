#include "web/compressed.h"

#include <cstdint>
#include <lzma.h>

namespace ridgeline::web {
namespace {

/// Raw LZMA in which so many high bits of the byte before count. Empty when memory is out.
std::string squeezed(std::string_view bytes, std::uint32_t bits_before) {
    lzma_options_lzma options{};
    lzma_lzma_preset(&options, LZMA_PRESET_DEFAULT | LZMA_PRESET_EXTREME);
    options.nice_len = 273;
    // What repeats does so wherever it stands.
    options.lc = bits_before;
    options.lp = 0;
    options.pb = 0;
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA1, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
    std::string out(bytes.size() + bytes.size() / 8 + 256, '\0');
    std::size_t size = 0;
    const lzma_ret done = lzma_raw_buffer_encode(
        filters, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
        reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
    out.resize(done == LZMA_OK ? size : 0);
    return out;
}

void append_number(std::string& out, std::size_t number) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        out += static_cast<char>(number >> shift & 0xffU);
    }
}

}  // namespace

std::string compressed(const std::vector<std::string_view>& pieces) {
    std::string out;
    for (const std::string_view piece : pieces) {
        // Texts and codes tell by the whole letter before; numbers whose high bits say little do so
        // sooner by few.
        constexpr std::uint32_t few = 1;
        constexpr std::uint32_t many = 4;
        const std::string by_few = squeezed(piece, few);
        const std::string by_many = squeezed(piece, many);
        const bool more = by_many.size() < by_few.size();
        const std::string& best = more ? by_many : by_few;
        if (best.empty()) {
            return "";
        }
        out += static_cast<char>(more ? many : few);
        append_number(out, piece.size());
        append_number(out, best.size());
        out += best;
    }
    return out;
}

}  // namespace ridgeline::web
