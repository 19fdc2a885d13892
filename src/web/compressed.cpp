#include "web/compressed.h"

#include <cstdint>
#include <lzma.h>

namespace ridgeline::web {

std::string compressed(std::string_view bytes) {
    lzma_options_lzma options{};
    lzma_lzma_preset(&options, LZMA_PRESET_DEFAULT | LZMA_PRESET_EXTREME);
    options.nice_len = 273;
    // What repeats does so wherever it stands. Much of a program comes in streams of one kind of
    // number, whose high bits say little: two of the byte before count, and the more often seen
    // contexts are learned sooner.
    options.lc = 2;
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

}  // namespace ridgeline::web
