#include "data/json_tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace ridgeline {

const char* JsonNode::type_name() const {
    switch (kind_) {
        case Kind::null:
            return "null";
        case Kind::boolean:
            return "boolean";
        case Kind::text:
            return "string";
        case Kind::list:
            return "array";
        case Kind::object:
            return "object";
        default:
            return "number";
    }
}

double JsonNode::number() const {
    return kind_ == Kind::real      ? real_
           : kind_ == Kind::natural ? static_cast<double>(natural_)
                                    : static_cast<double>(negative_);
}

std::span<const JsonNode> JsonNode::elements() const {
    return kind_ == Kind::list ? std::span(elements_, size_) : std::span<const JsonNode>();
}

std::span<const JsonMember> JsonNode::members() const {
    return kind_ == Kind::object ? std::span(members_, size_) : std::span<const JsonMember>();
}

const JsonMember* JsonNode::find(std::string_view name) const {
    const std::span<const JsonMember> all = members();
    if (all.size() > most_unsorted_members) {
        const auto at = std::ranges::lower_bound(all, name, {}, &JsonMember::name);
        return at != all.end() && at->name == name ? &*at : nullptr;
    }
    for (std::size_t i = all.size(); i-- > 0;) {
        if (all[i].name == name) {
            return &all[i];
        }
    }
    return nullptr;
}

nlohmann::json JsonNode::copy() const {
    switch (kind_) {
        case Kind::null:
            return nullptr;
        case Kind::boolean:
            return boolean_;
        case Kind::natural:
            return natural_;
        case Kind::negative:
            return negative_;
        case Kind::real:
            return real_;
        case Kind::text:
            return std::string(text());
        case Kind::list: {
            nlohmann::json list = nlohmann::json::array();
            list.get_ref<nlohmann::json::array_t&>().reserve(size_);
            for (const JsonNode& each : elements()) {
                list.push_back(each.copy());
            }
            return list;
        }
        default: {
            nlohmann::json object = nlohmann::json::object();
            for (const JsonMember& member : members()) {
                object[std::string(member.name)] = member.value.copy();
            }
            return object;
        }
    }
}

std::byte* JsonTree::room(std::size_t bytes) {
    constexpr std::size_t usual_block = 8192;
    constexpr std::size_t alignment = alignof(JsonMember);
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (bytes > left_) {
        left_ = std::max(bytes, usual_block);
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(left_));
        free_ = blocks_.back().get();
    }
    std::byte* const place = free_;
    free_ += bytes;
    left_ -= bytes;
    return place;
}

template <typename Value>
std::span<const Value> JsonTree::keep(std::span<const Value> values) {
    if (values.empty()) {
        return {};
    }
    std::byte* const place = room(values.size_bytes());
    std::uninitialized_copy(values.begin(), values.end(), reinterpret_cast<Value*>(place));
    return {reinterpret_cast<const Value*>(place), values.size()};
}

template std::span<const JsonNode> JsonTree::keep(std::span<const JsonNode> values);
template std::span<const JsonMember> JsonTree::keep(std::span<const JsonMember> values);

std::string_view JsonTree::keep(std::string_view text) {
    const std::span<const char> kept = keep(std::span<const char>(text));
    return {kept.data(), kept.size()};
}

JsonNode JsonTree::copied(const nlohmann::json& value) {
    using Type = nlohmann::json::value_t;
    switch (value.type()) {
        case Type::boolean:
            return JsonNode(value.get<bool>());
        case Type::number_unsigned:
            return JsonNode(value.get<std::uint64_t>());
        case Type::number_integer:
            return JsonNode(value.get<std::int64_t>());
        case Type::number_float:
            return JsonNode(value.get<double>());
        case Type::string:
            return JsonNode(keep(std::string_view(value.get_ref<const std::string&>())));
        case Type::array: {
            std::vector<JsonNode> list;
            for (const nlohmann::json& each : value) {
                list.push_back(copied(each));
            }
            return JsonNode(keep(std::span<const JsonNode>(list)));
        }
        case Type::object: {
            std::vector<JsonMember> object;
            for (const auto& [name, each] : value.items()) {
                object.push_back({keep(std::string_view(name)), copied(each)});
            }
            return JsonNode(keep(std::span<const JsonMember>(object)));
        }
        default:
            return {};
    }
}

void JsonTree::copy(const nlohmann::json& value) { root_ = copied(value); }

}  // namespace ridgeline
