#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

namespace ridgeline {

/// What a configuration may claim at most.
inline constexpr int most_layers = 10'000;
inline constexpr int most_size = 1'000'000;

/// Names under which files of different ages state one field.
using FieldNames = std::initializer_list<const char*>;

/// Lax view of one object of a model configuration: a field is read by any of its names, null is
/// absent, unknown keys are ignored. The first value of a wrong type or out of range is kept as the
/// error of the whole document; reading goes on with "absent".
class ConfigFields {
public:
    /// `object` must outlive the view; `where` names the document.
    ConfigFields(const nlohmann::json& object, std::string where);

    [[nodiscard]] bool has(FieldNames names) const;
    /// A whole number from 1 to `most`.
    std::optional<int> size(FieldNames names, int most = 10'000'000) const;
    /// A whole number from 0 to `most`.
    std::optional<int> count(FieldNames names, int most = 100'000'000) const;
    /// As `size`, and its absence is an error; returns 1 then.
    int required_size(FieldNames names, int most) const;
    /// A finite number that is not negative.
    std::optional<double> number(FieldNames names) const;
    /// As `number`, for counts of parameters.
    std::optional<long long> large_count(FieldNames names) const;
    std::optional<bool> flag(FieldNames names) const;
    std::optional<std::string> text(FieldNames names) const;
    /// The object under that name, or nothing.
    [[nodiscard]] std::optional<ConfigFields> child(const char* name) const;
    /// The object itself.
    [[nodiscard]] const nlohmann::json& object() const { return *object_; }
    /// The raw value, or null.
    [[nodiscard]] const nlohmann::json* raw(const char* name) const;

    /// Records an error at a field of this object unless one is already there.
    void fail(const std::string& field, const std::string& message, std::string hint = {}) const;
    [[nodiscard]] const std::optional<Error>& error() const;
    [[nodiscard]] const std::string& where() const { return where_; }

private:
    ConfigFields(const nlohmann::json& object, const ConfigFields& parent, const std::string& name);
    struct Found {
        const nlohmann::json* value = nullptr;
        std::string name;
    };
    [[nodiscard]] Found find(FieldNames names) const;
    std::optional<long long> whole(FieldNames names, long long least, long long most) const;

    const nlohmann::json* object_;
    std::string where_;
    std::string path_;
    std::shared_ptr<std::optional<Error>> error_;
};

}  // namespace ridgeline
