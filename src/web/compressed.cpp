#include "web/compressed.h"

#include <cstdint>
#include <lzma.h>
#include <utility>

namespace ridgeline::web {
namespace {

/// Raw LZMA in which so many high bits of the byte before count, and 8 more where bytes are pairs.
/// Empty when memory is out.
std::string squeezed(std::string_view bytes, std::uint32_t setting) {
    lzma_options_lzma options{};
    lzma_lzma_preset(&options, LZMA_PRESET_DEFAULT | LZMA_PRESET_EXTREME);
    options.nice_len = 273;
    // What repeats does so wherever it stands, but for numbers of two bytes.
    options.lc = setting & 7U;
    options.lp = setting >> 3U;
    options.pb = setting >> 3U;
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
        // sooner by few, or by which byte of two they are: of long texts that is never tried.
        constexpr std::size_t longest_numbers = 200'000;
        std::string best;
        std::uint32_t chosen = 0;
        for (const std::uint32_t setting : {1U, 4U, 8U}) {
            std::string packed = setting == 8 && piece.size() > longest_numbers
                                     ? std::string()
                                     : squeezed(piece, setting);
            if (!packed.empty() && (best.empty() || packed.size() < best.size())) {
                best = std::move(packed);
                chosen = setting;
            }
        }
        if (best.empty()) {
            return "";
        }
        out += static_cast<char>(chosen);
        append_number(out, piece.size());
        append_number(out, best.size());
        out += best;
    }
    return out;
}

}  // namespace ridgeline::web
