#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ridgeline {

enum class Severity { info, warning, error };

/// What a rule found: shown with every answer, stable by rule name.
struct Finding {
    std::string rule;  ///< "does_not_fit", "tensor_parallel_without_nvlink", ...
    Severity severity = Severity::info;
    std::string message;                                  ///< one sentence with the numbers in it
    std::vector<std::pair<std::string, double>> numbers;  ///< key with unit -> value
    std::string source;
    friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace ridgeline
