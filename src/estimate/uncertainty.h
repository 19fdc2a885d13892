#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "spec/calibration.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace ridgeline {

/// What decides how far a prediction may be off, from the general to the particular: a part, a
/// stack or a method that no evidence has seen falls back to a wider range.
struct PredictionKind {
    static constexpr std::size_t most_pieces = 6;
    std::string_view quantity;  ///< "memory", "train_time", ... (ResidualBand::quantity)
    std::array<std::string_view, most_pieces> pieces;
    std::size_t count = 0;

    PredictionKind(std::string_view of, std::initializer_list<std::string_view> names);
    /// The pieces joined by '/': "full/megatron/dense/Hopper/h100-sxm5-80gb".
    [[nodiscard]] std::string text() const;
};

/// method / framework / counter ("allocated", "reserved", "process"); of the training of
/// networks that are programs family / framework, where detectors are a family of their own
PredictionKind memory_kind(const EstimateInput& input, std::string_view counter);
/// method / framework / dense or moe / architecture / part
PredictionKind training_kind(const EstimateInput& input);
/// "train" or "inference" / family / framework / width of the operands / architecture / part: of
/// networks that are programs
PredictionKind network_kind(const EstimateInput& input);
/// phase / framework / figure ("ttft", "tpot", "time": the whole request) / part
PredictionKind serving_kind(const EstimateInput& input, std::string_view figure);
/// what runs (operand type of a product, operation of a stream or collective) / part
PredictionKind kernel_kind(std::string_view quantity, std::string_view what,
                           const Accelerator& accelerator);

/// Factors on a predicted figure that should hold the measured one nine times in ten.
///
/// returns  the band of the most specific row that matches, `assumed_band` when there is none
///
/// A row matches when each piece of its kind is "*" or equals the piece of `kind` at its place; a
/// row may have fewer pieces (a prefix). More equal pieces win, then the later row.
/// source   tests/measure/make_ranges.py says how the rows are made
Interval band_for(const Calibration& calibration, const PredictionKind& kind);

/// `band_for` on a part. What the evidence says of a stack tells little of how that
/// runs on the part of another maker: unless a row names its architecture, the range is then no
/// narrower than `assumed_band`.
Interval band_on_part(const Calibration& calibration, const Accelerator& part,
                      const PredictionKind& kind);

/// What an answer carries when no evidence of its kind exists: a wide band, no rows.
inline constexpr Interval assumed_band{.low = 0.6, .high = 1.7, .evidence_rows = 0, .kind = ""};

}  // namespace ridgeline
