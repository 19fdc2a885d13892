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

nlohmann::ordered_json json_of(const Offer& offer) {
    nlohmann::ordered_json row{{"id", offer.id},
                               {"provider", offer.provider},
                               {"instance_type", offer.instance_type},
                               {"accelerator", offer.accelerator},
                               {"count", offer.count},
                               {"region", offer.region},
                               {"kind", name_of(offer.kind)},
                               {"usd_per_hour", offer.usd_per_hour},
                               {"date", offer.date},
                               {"source", offer.source},
                               {"licence", offer.licence}};
    if (offer.network_gbps) {
        row["network_gbps"] = *offer.network_gbps;
    }
    if (offer.host_ram_gib) {
        row["host_ram_gib"] = *offer.host_ram_gib;
    }
    if (!offer.caveats.empty()) {
        row["caveats"] = offer.caveats;
    }
    return row;
}

}  // namespace

Result<void> save_prices(const std::filesystem::path& file, const std::vector<Offer>& offers) {
    std::string newest;
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Offer& offer : offers) {
        newest = std::max(newest, offer.date);
        rows.push_back(json_of(offer));
    }
    const nlohmann::ordered_json document{
        {"schema", "ridgeline/offers/1"}, {"date", newest}, {"offers", rows}};
    std::error_code problem;
    std::filesystem::create_directories(file.parent_path(), problem);
    if (problem) {
        return tl::unexpected(Error{ErrorKind::internal, file.string(),
                                    fmt::format("cannot be written ({})", problem.message()), ""});
    }
    return write_whole_file(file, document.dump(1) + "\n");
}

}  // namespace ridgeline
