#include "report/catalog_report.h"
#include "report/json.h"
#include "report/table.h"

#include <fmt/format.h>

#include <array>

namespace ridgeline::report {
namespace {

/// A public price table that `prices import` reads.
struct PriceSource {
    std::string_view id;
    std::string_view covers;
    std::string_view licence;
    std::string_view seen;  ///< day on which it was last looked at
    std::string_view fetch;
};

constexpr std::array sources{
    PriceSource{"skypilot",
                "AWS, Azure, GCP, OCI, Lambda, Nebius, RunPod and others; on demand and spot",
                "no licence file; SkyPilot itself is Apache-2.0", "2026-08",
                "mkdir -p aws && curl -o aws/vms.csv https://raw.githubusercontent.com/"
                "skypilot-org/skypilot-catalog/master/catalogs/v8/aws/vms.csv"},
    PriceSource{"gpuhunt",
                "AWS, Azure, GCP, OCI, Lambda, RunPod, Vast and others; on demand and spot",
                "MPL-2.0 (the program)", "2026-08-19",
                "pip install gpuhunt && python -m gpuhunt aws --output aws.csv"},
};

}  // namespace

std::string price_sources_text(const Style& style) {
    std::string out;
    for (const PriceSource& source : sources) {
        out += strong(source.id, style) + "\n";
        out += paragraph("  covers   ", source.covers, style);
        out += paragraph("  licence  ", source.licence, style);
        out += paragraph("  seen     ", source.seen, style);
        out += fmt::format("  fetch    {}\n", source.fetch);
    }
    return out + paragraph("",
                           "Fetch a table yourself, then `ridgeline prices import FILE`: the "
                           "program opens no connection.",
                           style);
}

std::string price_sources_json(const Stamp& stamp) {
    Json list = Json::array();
    for (const PriceSource& source : sources) {
        list.push_back(Json{{"id", source.id},
                            {"covers", source.covers},
                            {"licence", source.licence},
                            {"seen", source.seen},
                            {"fetch", source.fetch}});
    }
    Json out = document("ridgeline/price-sources/1", stamp);
    out["sources"] = list;
    return text_of(out);
}

std::string price_files_text(const std::vector<PriceFile>& files, const Catalog& catalog,
                             const Style& style) {
    Table table({"name", ">offers", "newest", "problem"});
    table.may_leave_out(3);
    for (const PriceFile& file : files) {
        table.add({file.name, fmt::format("{}", file.offers), file.date, file.problem});
    }
    return fmt::format("{} offers in all, the newest of {}\n", catalog.offers.size(),
                       catalog.offers_date) +
           (files.empty() ? std::string("no prices of yours are imported\n") : table.text(style));
}

std::string price_files_json(const std::vector<PriceFile>& files, const Stamp& stamp) {
    Json list = Json::array();
    for (const PriceFile& file : files) {
        list.push_back(Json{{"name", file.name},
                            {"offers", file.offers},
                            {"date", file.date},
                            {"problem", file.problem}});
    }
    Json out = document("ridgeline/price-files/1", stamp);
    out["files"] = list;
    return text_of(out);
}

}  // namespace ridgeline::report
