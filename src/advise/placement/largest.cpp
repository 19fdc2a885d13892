#include "advise/placement/largest.h"

#include "advise/placement/placement.h"
#include "estimate/families/transformer/parameters.h"
#include "spec/workload_fields.h"

#include <algorithm>

namespace ridgeline {
namespace {

constexpr int most = 1 << 20;

/// What is served; to ask how many requests or how long a context fits is to ask about serving.
Serving& serving_of(WorkloadDocument& document) {
    if (!document.serving) {
        document.serving.emplace();
        document.task = Task::inference;
    }
    return *document.serving;
}

}  // namespace

void set_size(WorkloadDocument& document, std::string_view field, int value, bool per_rank) {
    if (field == "context" && per_rank) {
        Serving& serving = serving_of(document);
        serving.input_tokens = std::max(1.0, value - serving.output_tokens);
        return;
    }
    if (field == "batch" && per_rank) {
        document.micro_batch = value;
        document.global_batch.reset();
        return;
    }
    const WorkloadField* row = field_of_option(field);
    if (row == nullptr) {
        return;
    }
    if (row->section() == "serving") {
        serving_of(document);
    }
    document.has_lora = document.has_lora || row->section() == "lora";
    row->set(document, static_cast<double>(value));
}

int smallest_size(std::string_view field) {
    return field == "sequence" || field == "context" ? 128 : 1;
}

Result<int> largest_that_fits(const Knowledge& knowledge, const WorkloadDocument& document,
                              const Architecture& architecture, const Cluster& cluster,
                              std::string_view field) {
    const auto fits = [&](int value) -> Result<bool> {
        WorkloadDocument trial = document;
        set_size(trial, field, value, true);
        return fits_on(knowledge, trial, architecture, cluster);
    };
    const int unit = smallest_size(field);
    const auto first = fits(unit);
    if (!first) {
        return tl::unexpected(first.error());
    }
    if (!*first) {
        return 0;
    }
    int low = 1;
    int high = 2;
    while (high * unit <= most && fits(high * unit).value_or(false)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (fits(middle * unit).value_or(false) ? low : high) = middle;
    }
    return low * unit;
}

LargestModel largest_model(const Knowledge& knowledge, const WorkloadDocument& document,
                           const Cluster& cluster,
                           const std::function<Result<Architecture>(const std::string&)>& model) {
    LargestModel largest;
    for (const std::string& id : knowledge.profiles.model_ids) {
        const auto architecture = model(id);
        if (!architecture || architecture->stacks.empty() ||
            (document.task == Task::inference && !architecture->text().causal)) {
            continue;
        }
        const double parameters = static_cast<double>(count_parameters(*architecture).total);
        const bool current = architecture->max_positions >= current_positions;
        const bool larger = parameters > largest.parameters;
        if (!larger && !(current && parameters > largest.current_parameters)) {
            continue;
        }
        WorkloadDocument trial = document;
        trial.model_id = id;
        if (fits_on(knowledge, trial, *architecture, cluster).value_or(false)) {
            largest.id = larger ? id : largest.id;
            largest.parameters = std::max(largest.parameters, parameters);
            if (current && parameters > largest.current_parameters) {
                largest.current_id = id;
                largest.current_parameters = parameters;
            }
        }
    }
    return largest;
}

}  // namespace ridgeline
