#pragma once

#include "advise/answers/answer.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Sizes of dense models that are tried: 4 % apart, from 0.1 billion parameters at index 0 to 9.8
/// trillion, the largest that a model may have in words.
inline constexpr double largest_size_index = 293;
double size_of_index(double index);
/// "7.03B": the model in words that has so many parameters.
std::string model_of_size(double parameters);

/// What the question wants of a model, as questions of fit are judged: the least that a step takes
/// where nobody said a batch, a run from scratch by its length.
void want_least(WorkloadDocument& trial, const Reading& reading, double parameters);

/// The usual placement, or where it lacks memory a leaner one that fits.
///
/// with  " with Unsloth", where it is leaner
Result<Placement> placed_to_fit(const WorkloadDocument& document, const Architecture& architecture,
                                const Cluster& cluster, const AnswerTools& tools,
                                std::string& with);

/// A way to use a model.
struct Use {
    Task task;
    std::string method, weights, words;
};

/// Those that the question leaves open.
std::vector<Use> uses_of(const Reading& reading);

/// Of the sizes of a family the largest that fits in each way; of nearly equal ones the newest.
Result<Answer> largest_of_family(const Reading& reading, const Cluster& cluster,
                                 const AnswerTools& tools);

/// The largest dense model of any size that fits in each way.
Result<Answer> largest_models(const Reading& reading, const Cluster& cluster,
                              const AnswerTools& tools);

}  // namespace ridgeline
