#include "estimate/uncertainty.h"

#include "base/lists.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace ridgeline {
namespace {

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

Interval best_match(const Calibration& calibration, std::string_view quantity,
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
            // Where most of the rows lie on one side the range still reaches to the estimate
            // itself.
            band = {.low = std::min(1.0, row.low),
                    .high = std::max(1.0, row.high),
                    .evidence_rows = row.rows,
                    .kind = row.kind};
        }
    }
    return band;
}

/// Of the workload, as rows of evidence are told apart.
std::string_view method_of(const Workload& workload) {
    if (workload.task == Task::inference) {
        return "inference";
    }
    return name_of(workload.method);
}

/// Releases of one framework are judged together.
std::string_view framework_of(const Workload& workload) {
    const std::string_view framework = workload.framework;
    return framework.substr(0, framework.find('@'));
}

bool reads_patches(const Architecture& architecture) {
    return !architecture.stacks.empty() && architecture.stacks.front().tokens > 0;
}

/// Encoders, and transformers over patches of an image or frames of sound: their runs are measured,
/// and judged, with the other networks of their field and not with language models.
bool judged_as_network(const Architecture& architecture) {
    return architecture.kind == ModelKind::encoder ||
           (architecture.kind == ModelKind::encoder_decoder && reads_patches(architecture));
}

/// Networks whose residuals are told apart.
std::string_view residual_family(const Architecture& architecture) {
    const std::string_view type =
        architecture.network ? std::string_view(architecture.network->type) : std::string_view();
    if (type == "recommender" || type == "gnn" || type == "hash_embedding_kernel") {
        return "recommender";
    }
    switch (architecture.kind) {
        case ModelKind::diffusion:
            return "diffusion";
        case ModelKind::gan:
            return "adversarial";
        case ModelKind::recurrent:
            return "recurrent";
        case ModelKind::encoder_decoder:
            return "speech";
        case ModelKind::encoder:
            return reads_patches(architecture) ? "vision" : "encoder";
        default:
            return "vision";
    }
}

/// Boxes matched to anchors and pools that are filled by the largest picture are of detectors
/// alone.
std::string_view memory_family(const Architecture& architecture) {
    constexpr std::array<std::string_view, 2> detectors = {"detection", "yolo"};
    const bool detects = architecture.network && is_among(architecture.network->type, detectors);
    return detects ? "detection" : residual_family(architecture);
}

/// Of 32 bits streams weigh most, of 8 and less what quantises, in between products: a stack that
/// was measured on one of them says little of another.
std::string_view operand_width(const Workload& workload) {
    const double bytes = bytes_per_element(storage_of(workload.compute));
    return bytes > 2 ? "wide" : bytes < 2 ? "narrow" : "half";
}

}  // namespace

PredictionKind::PredictionKind(std::string_view of, std::initializer_list<std::string_view> names)
    : quantity(of), count(std::min(names.size(), most_pieces)) {
    std::copy_n(names.begin(), count, pieces.begin());
}

std::string PredictionKind::text() const {
    return fmt::format("{}", fmt::join(std::span(pieces).first(count), "/"));
}

PredictionKind memory_kind(const EstimateInput& input, std::string_view counter) {
    // Published peaks of networks are of training alone.
    if (input.architecture.network && input.workload.task == Task::train) {
        return {"network_memory",
                {memory_family(input.architecture), framework_of(input.workload)}};
    }
    return {"memory", {method_of(input.workload), framework_of(input.workload), counter}};
}

PredictionKind training_kind(const EstimateInput& input) {
    if (judged_as_network(input.architecture)) {
        return network_kind(input);
    }
    const Accelerator& part = *input.cluster.accelerator;
    // Layers with states have no measured row: the wider kinds that know no layers judge them.
    const TransformerStack& tower = input.architecture.text();
    const std::string_view layers = tower.state ? "state" : tower.moe ? "moe" : "dense";
    return {"train_time",
            {method_of(input.workload), framework_of(input.workload), layers, part.architecture,
             part.id}};
}

PredictionKind network_kind(const EstimateInput& input) {
    const Accelerator& part = *input.cluster.accelerator;
    const bool training = input.workload.task == Task::train;
    // What moves weights runs the kernels of the stack that it inherits from.
    const SoftwareProfile& software = input.software;
    return {"networks",
            {training ? "train" : "inference", residual_family(input.architecture),
             software.support.streams_weights ? std::string_view(software.inherits)
                                              : framework_of(input.workload),
             operand_width(input.workload), part.architecture, part.id}};
}

PredictionKind serving_kind(const EstimateInput& input, std::string_view figure) {
    if (figure == "time" && judged_as_network(input.architecture)) {
        return network_kind(input);
    }
    const Serving serving = input.workload.serving.value_or(Serving{});
    // Where all requests come at once most of the time is spent in queues and in the last, longest
    // answers.
    return {"inference",
            {serving.burst ? std::string_view("burst") : name_of(serving.phase),
             framework_of(input.workload), figure, input.cluster.accelerator->id}};
}

PredictionKind kernel_kind(std::string_view quantity, std::string_view what,
                           const Accelerator& accelerator) {
    return {quantity, {what, accelerator.id}};
}

Interval band_for(const Calibration& calibration, const PredictionKind& kind) {
    return best_match(calibration, kind.quantity, std::span(kind.pieces).first(kind.count));
}

Interval band_on_part(const Calibration& calibration, const Accelerator& part,
                      const PredictionKind& kind) {
    const Interval band = band_for(calibration, kind);
    bool elsewhere = false;
    bool measured = false;
    for (const ResidualBand& row : calibration.residuals) {
        elsewhere = elsewhere || (row.quantity == kind.quantity && !row.makers.empty());
        measured = measured || (row.quantity == kind.quantity && is_among(part.vendor, row.makers));
    }
    const auto pieces = split(band.kind, '/');
    if (measured || !elsewhere || is_among(part.architecture, pieces)) {
        return band;
    }
    return {.low = std::min(band.low, assumed_band.low),
            .high = std::max(band.high, assumed_band.high),
            .evidence_rows = 0,
            .kind = ""};
}

}  // namespace ridgeline
