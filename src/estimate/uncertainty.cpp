#include "estimate/uncertainty.h"

#include "spec/words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace ridgeline {
namespace {

constexpr std::size_t most_pieces = 6;

struct Pieces {
    std::array<std::string_view, most_pieces> piece;
    std::size_t count = 0;
};

Pieces pieces_of(std::string_view kind) {
    Pieces result;
    while (!kind.empty() && result.count < most_pieces) {
        const std::size_t slash = std::min(kind.find('/'), kind.size());
        result.piece[result.count++] = kind.substr(0, slash);
        kind.remove_prefix(std::min(slash + 1, kind.size()));
    }
    return result;
}

/// Equal pieces of a row's kind, or -1 when it does not match.
int specificity(std::string_view row_kind, std::span<const std::string_view> pieces) {
    int equal = 0;
    for (std::size_t place = 0; !row_kind.empty(); ++place) {
        const std::size_t slash = std::min(row_kind.find('/'), row_kind.size());
        const std::string_view piece = row_kind.substr(0, slash);
        row_kind.remove_prefix(std::min(slash + 1, row_kind.size()));
        if (piece == "*") {
            continue;
        }
        if (place >= pieces.size() || piece != pieces[place]) {
            return -1;
        }
        ++equal;
    }
    return equal;
}

Interval best_match(const Calibration& calibration,
                    std::string_view quantity,
                    std::span<const std::string_view> pieces) {
    int best = -1;
    Interval band = assumed_band;
    for (const ResidualBand& row : calibration.residuals) {
        if (row.quantity != quantity) {
            continue;
        }
        const int equal = specificity(row.kind, pieces);
        if (equal >= 0 && equal >= best) {
            best = equal;
            band = {.low = row.low, .high = row.high, .evidence_rows = row.rows, .kind = row.kind};
        }
    }
    return band;
}

}  // namespace

Interval band_for(const Calibration& calibration,
                  std::string_view quantity,
                  std::string_view kind) {
    const Pieces pieces = pieces_of(kind);
    return best_match(calibration, quantity, std::span(pieces.piece).first(pieces.count));
}

Interval band_for(const Calibration& calibration,
                  std::string_view quantity,
                  std::initializer_list<std::string_view> pieces) {
    return best_match(calibration, quantity, {pieces.begin(), pieces.size()});
}

Interval serving_band(const Calibration& calibration,
                      const Workload& workload,
                      std::string_view figure) {
    const std::string_view phase = name_of(workload.serving.value_or(Serving{}).phase);
    if (figure.empty()) {
        return band_for(calibration, "inference", {phase, workload.framework});
    }
    return band_for(calibration, "inference", {phase, workload.framework, figure});
}

}  // namespace ridgeline
