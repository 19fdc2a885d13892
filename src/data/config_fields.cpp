#include "data/config_fields.h"

#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace ridgeline {
namespace {

std::string shown(const nlohmann::json& value) {
    std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (text.size() > 40) {
        text = text.substr(0, 37) + "...";
    }
    return text;
}

std::string other_names(FieldNames names) {
    std::string text;
    for (const char* name : names) {
        if (name != *names.begin()) {
            append(text, ", ", name);
        }
    }
    return text.empty() ? text : fmt::format("Also read as {}", text);
}

}  // namespace

ConfigFields::ConfigFields(const nlohmann::json& object, std::string where)
    : object_(&object),
      where_(std::move(where)),
      error_(std::make_shared<std::optional<Error>>()) {}

ConfigFields::ConfigFields(const nlohmann::json& object, const ConfigFields& parent,
                           const std::string& name)
    : object_(&object),
      where_(parent.where_),
      path_(parent.path_ + "/" + name),
      error_(parent.error_) {}

ConfigFields::Found ConfigFields::find(FieldNames names) const {
    for (const char* name : names) {
        const auto at = object_->find(name);
        if (at != object_->end() && !at->is_null()) {
            return {&*at, name};
        }
    }
    return {};
}

bool ConfigFields::has(FieldNames names) const { return find(names).value != nullptr; }

std::optional<long long> ConfigFields::whole(FieldNames names, long long least,
                                             long long most) const {
    const Found found = find(names);
    if (found.value == nullptr) {
        return std::nullopt;
    }
    const double value = found.value->is_number() ? found.value->get<double>() : std::nan("");
    if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) ||
        value != std::floor(value)) {
        fail(found.name, fmt::format("found {}, expected a whole number from {} to {}",
                                     shown(*found.value), least, most));
        return std::nullopt;
    }
    return static_cast<long long>(value);
}

std::optional<int> ConfigFields::size(FieldNames names, int most) const {
    const auto value = whole(names, 1, most);
    return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

std::optional<int> ConfigFields::count(FieldNames names, int most) const {
    const auto value = whole(names, 0, most);
    return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

int ConfigFields::required_size(FieldNames names, int most) const {
    if (!has(names)) {
        fail(*names.begin(), fmt::format("missing, expected a whole number from 1 to {}", most),
             other_names(names));
        return 1;
    }
    return size(names, most).value_or(1);
}

std::optional<double> ConfigFields::number(FieldNames names) const {
    const Found found = find(names);
    if (found.value == nullptr) {
        return std::nullopt;
    }
    const double value = found.value->is_number() ? found.value->get<double>() : std::nan("");
    if (!std::isfinite(value) || value < 0) {
        fail(found.name,
             fmt::format("found {}, expected a number that is not negative", shown(*found.value)));
        return std::nullopt;
    }
    return value;
}

std::optional<long long> ConfigFields::large_count(FieldNames names) const {
    return whole(names, 0, 1'000'000'000'000'000);
}

std::optional<bool> ConfigFields::flag(FieldNames names) const {
    const Found found = find(names);
    if (found.value == nullptr) {
        return std::nullopt;
    }
    if (!found.value->is_boolean()) {
        fail(found.name, fmt::format("found {}, expected true or false", shown(*found.value)));
        return std::nullopt;
    }
    return found.value->get<bool>();
}

std::optional<std::string> ConfigFields::text(FieldNames names) const {
    const Found found = find(names);
    if (found.value == nullptr) {
        return std::nullopt;
    }
    if (!found.value->is_string()) {
        fail(found.name, fmt::format("found {}, expected text", shown(*found.value)));
        return std::nullopt;
    }
    return found.value->get<std::string>();
}

std::optional<ConfigFields> ConfigFields::child(const char* name) const {
    const Found found = find({name});
    if (found.value == nullptr) {
        return std::nullopt;
    }
    if (!found.value->is_object()) {
        fail(name, fmt::format("found {}, expected an object", shown(*found.value)));
        return std::nullopt;
    }
    return ConfigFields(*found.value, *this, name);
}

const nlohmann::json* ConfigFields::raw(const char* name) const { return find({name}).value; }

void ConfigFields::fail(const std::string& field, const std::string& message,
                        std::string hint) const {
    if (!error_->has_value()) {
        *error_ = Error{ErrorKind::input, fmt::format("{}: {}/{}", where_, path_, field), message,
                        std::move(hint)};
    }
}

const std::optional<Error>& ConfigFields::error() const { return *error_; }

}  // namespace ridgeline
