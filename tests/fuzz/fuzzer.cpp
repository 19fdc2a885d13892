// One program for all targets: the name that it is started by chooses one ("fuzz_question").
#include "fuzz/targets.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {
const ridgeline::fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int*, char*** arguments) {
    std::string_view name = (*arguments)[0];
    name.remove_prefix(name.rfind('/') + 1);
    name.remove_prefix(name.rfind("fuzz_") == 0 ? 5 : 0);
    chosen = ridgeline::fuzz::target_named(name);
    if (chosen == nullptr) {
        std::fprintf(stderr, "no target of that name; start one of the links fuzz_*:\n");
        for (const auto& target : ridgeline::fuzz::targets()) {
            std::fprintf(stderr, "  fuzz_%s\n", std::string(target.name).c_str());
        }
        std::exit(2);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    chosen->read({reinterpret_cast<const char*>(data), size});
    return 0;
}
