#include "report/json_value.h"

#include <algorithm>

namespace ridgeline::report {
namespace {

Json::Array array_of(std::initializer_list<JsonPart> parts) {
    Json::Array array;
    array.reserve(parts.size());
    for (const JsonPart& part : parts) {
        array.push_back(part.taken_element());
    }
    return array;
}

}  // namespace

Json JsonPart::taken_element() const {
    return named_ ? Json{Json(std::move(key_)), std::move(part_)} : std::move(part_);
}

Json::Json(std::initializer_list<JsonPart> parts) {
    if (!std::ranges::all_of(parts, [](const JsonPart& part) { return part.named(); })) {
        value_ = array_of(parts);
        return;
    }
    Object object;
    object.reserve(parts.size());
    for (const JsonPart& part : parts) {
        object.push_back(part.taken_member());
    }
    value_ = std::move(object);
}

Json Json::array(std::initializer_list<JsonPart> parts) { return Json(Value(array_of(parts))); }

Json& Json::operator[](std::string_view key) {
    if (std::holds_alternative<std::nullptr_t>(value_)) {
        value_ = Object();
    }
    auto& object = std::get<Object>(value_);
    for (Member& member : object) {
        if (member.key == key) {
            return member.value;
        }
    }
    return object.emplace_back(Member{std::string(key), Json()}).value;
}

void Json::push_back(Json part) {
    if (std::holds_alternative<std::nullptr_t>(value_)) {
        value_ = Array();
    }
    std::get<Array>(value_).push_back(std::move(part));
}

void Json::update(Json other) {
    for (Member& member : std::get<Object>(other.value_)) {
        (*this)[member.key] = std::move(member.value);
    }
}

void Json::erase(std::string_view key) {
    std::erase_if(std::get<Object>(value_),
                  [key](const Member& member) { return member.key == key; });
}

bool Json::contains(std::string_view key) const {
    const auto* object = std::get_if<Object>(&value_);
    return object != nullptr &&
           std::any_of(object->begin(), object->end(),
                       [key](const Member& member) { return member.key == key; });
}

bool Json::empty() const {
    const auto* array = std::get_if<Array>(&value_);
    const auto* object = std::get_if<Object>(&value_);
    return (array == nullptr || array->empty()) && (object == nullptr || object->empty());
}

}  // namespace ridgeline::report
