// Any bytes as a model configuration and as a workload document: an error or a value, never a crash.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "data/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)ridgeline::architecture_from_config(text, "fuzz.json");
    (void)ridgeline::workload_from_json(text, "fuzz.json");
    return 0;
}
