#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ridgeline::reading {

/// A public dataset of pictures, sounds or records.
struct NamedDataset {
    std::string_view name;
    double samples;
    double bytes;
    double epochs = 0;  ///< of the usual schedule of training from scratch; 0: none is usual
    int side = 0;       ///< pixels that are read of its pictures, where all read alike; 0: as the
                        ///< network takes them
};

/// All that are known; ImageNet-1k first, longer names before those that they begin with.
std::span<const NamedDataset> named_datasets();

/// Why a step has so many pictures where a schedule of a detector is named: it is one of them.
inline constexpr std::string_view of_schedule = "pictures of a step, as the schedule has it";

/// Epochs that a classifier of pictures is usually tuned for which was trained before; 0: it is no
/// such network.
double epochs_of_tuning(std::string_view model);

struct Sentence;

/// "graphsage on papers100M": the member of a family that tells by its id what it learns from,
/// where the question names that elsewhere; empty: there is none.
std::string named_by_set(const Sentence& sentence, const std::string& family);

}  // namespace ridgeline::reading
