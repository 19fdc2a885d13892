#include "base/text.h"
#include "base/utf8.h"
#include "data/load.h"
#include "data/whole_file.h"
#include "spec/words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace ridgeline {
namespace {

std::string row_of(const Offer& offer) {
    std::string row;
    const auto add = [&row](std::string_view key, const nlohmann::json& value) {
        append(row, ",\n", fmt::format("   \"{}\": {}", key, value.dump()));
    };
    add("id", offer.id);
    add("provider", offer.provider);
    add("instance_type", offer.instance_type);
    add("accelerator", offer.accelerator);
    add("count", offer.count);
    add("region", offer.region);
    add("kind", name_of(offer.kind));
    add("usd_per_hour", offer.usd_per_hour);
    add("date", offer.date);
    add("source", offer.source);
    add("licence", offer.licence);
    if (offer.network_gbps) {
        add("network_gbps", *offer.network_gbps);
    }
    if (offer.host_ram_gib) {
        add("host_ram_gib", *offer.host_ram_gib);
    }
    if (!offer.caveats.empty()) {
        add("caveats", offer.caveats);
    }
    return "  {\n" + row + "\n  }";
}

}  // namespace

Result<void> save_prices(const std::filesystem::path& file, const std::vector<Offer>& offers) {
    std::string newest;
    std::string rows;
    for (const Offer& offer : offers) {
        newest = std::max(newest, offer.date);
        append(rows, ",\n", row_of(offer));
    }
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    if (problem) {
        return tl::unexpected(Error{ErrorKind::internal, file.string(),
                                    fmt::format("cannot be written ({})", problem.message()), ""});
    }
    return write_whole_file(file,
                            fmt::format("{{\n \"schema\": \"ridgeline/offers/1\",\n \"date\": {},\n"
                                        " \"offers\": [\n{}\n ]\n}}\n",
                                        json_string(newest), rows));
}

}  // namespace ridgeline
