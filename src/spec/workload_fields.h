#pragma once

#include "base/help_text.h"
#include "spec/workload_document.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ridgeline {

enum class FieldType { whole, number, boolean, word, text, names };

/// Kinds of work by what is stated of them.
namespace work {
constexpr unsigned text_training = 1, text_serving = 2, network = 4, kernel = 8;
}

/// What a field may be given: a switch, a number, a word or text, a list of names.
using FieldValue = std::variant<bool, double, std::string, std::vector<std::string>>;

/// One field of the workload document. Reader, command line, overlay, sweeps and help all follow
/// from its row: a new field is one row, and the code that uses it.
struct WorkloadField {
    std::string_view path;    ///< "/batch/sequence_length"
    std::string_view option;  ///< "sequence"; empty: only a document can state it
    FieldType type = FieldType::text;
    std::string_view unit;  ///< "tokens", "samples"; empty: none
    double least = 0;       ///< bounds of a number, both included
    double most = 0;
    HelpText help;
    std::vector<std::string_view> (*words)() =
        nullptr;  ///< of a word or a label, in the order of the contract
    /// Stores a value of the right type; a word must be one of `words`.
    void (*set)(WorkloadDocument& document, const FieldValue& value) = nullptr;

    /// Whether two documents state the same of it.
    bool (*same)(const WorkloadDocument& a, const WorkloadDocument& b) = nullptr;
    /// States of it what another document states.
    void (*take)(const WorkloadDocument& from, WorkloadDocument& to) = nullptr;
    /// Kinds of work, a bit of `Work` each, of whose answers it always changes a figure. Of others
    /// a stated value may change nothing, which is then told.
    unsigned telling = 0;

    /// "batch" of "/batch/micro"; empty for a key of the document itself.
    [[nodiscard]] std::string_view section() const;
    /// "micro" of "/batch/micro".
    [[nodiscard]] std::string_view key() const;
    /// Whether a length in tokens, of which 8k means 8192.
    [[nodiscard]] bool is_length() const { return unit == "tokens" && most < 1e12; }
};

/// All of them, by section.
std::span<const WorkloadField> workload_fields();

/// The field with that option name; null when there is none.
const WorkloadField* field_of_option(std::string_view option);

}  // namespace ridgeline
