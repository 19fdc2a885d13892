#include "data/local_machine.h"
#include "data/sha256.h"

#include <fmt/format.h>

namespace ridgeline {

std::string salted_hash(std::string_view text) {
    std::string hash;
    for (const char each :
         sha256(std::string("ridgeline calibration 1: ").append(text)).substr(0, 8)) {
        hash += fmt::format("{:02x}", static_cast<unsigned char>(each));
    }
    return hash;
}

}  // namespace ridgeline
