#include "advise/largest/named.h"

#include "advise/figure_words.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/words/names.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ridgeline {
namespace {

struct Sized {
    std::string id;
    double parameters = 0;
};

/// Models by the size in their id between two sizes, the largest first.
std::vector<Sized> sized_by_id(const std::vector<std::string>& ids, double from, double to) {
    std::vector<Sized> list;
    for (const std::string& id : ids) {
        double size = 0;
        for (const std::string& piece : reading::model_pieces(id)) {
            const bool counts = reading::is_size_piece(piece);
            size = std::max(size, counts ? number_with_suffix(piece).value_or(0) : 0);
        }
        if (size > from && size <= to) {
            list.push_back({id, size});
        }
    }
    stable_order(list.begin(), list.end(),
                 [](const Sized& a, const Sized& b) { return a.parameters > b.parameters; });
    return list;
}

}  // namespace

std::string largest_by_name(const Reading& asked, double size, double told, const Cluster& cluster,
                            const AnswerTools& tools) {
    constexpr double rounding = 1.1;  // of the size in a name
    constexpr std::size_t most_tried = 16;
    constexpr double worth_naming = 1.2;  // over what is named already
    auto list =
        sized_by_id(tools.knowledge.profiles.model_ids, worth_naming * told, rounding * size);
    list.resize(std::min(list.size(), most_tried));
    std::string dense;
    std::string experts;
    for (const Sized& each : list) {
        Reading one = asked;
        one.model = each.id;
        WorkloadDocument document = query_of(one).workload;
        const auto architecture = tools.architecture(document);
        if (!architecture || architecture->kind != ModelKind::decoder) {
            continue;
        }
        std::string& words = architecture->text().moe ? experts : dense;
        const auto placed = words.empty() ? tools.place(document, *architecture, cluster)
                                          : Result<Placement>(tl::unexpected(Error{}));
        if (placed && placed->estimate.memory.fits) {
            const MemoryEstimate& memory = placed->estimate.memory;
            const Seconds tpot = placed->estimate.time.tpot;
            words = fmt::format(
                "{} ({:.1f} of {:.1f} GiB{})", each.id, memory.process / gibibyte,
                memory.capacity / gibibyte,
                tpot > Seconds{} ? fmt::format(", {} tokens/s", figure_words(second / tpot)) : "");
        }
        if (!dense.empty() && !experts.empty()) {
            break;
        }
    }
    if (dense.empty() && experts.empty()) {
        return "";
    }
    return fmt::format(" The largest by name: {}{}{}.", dense,
                       dense.empty() || experts.empty() ? "" : ", ",
                       experts.empty() ? "" : "of experts " + experts);
}

}  // namespace ridgeline
