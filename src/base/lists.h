#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace ridgeline {

/// Whether a list has that value.
template <typename List, typename Value>
bool holds(const List& list, const Value& value) {
    return std::find(std::begin(list), std::end(list), value) != std::end(list);
}
inline bool holds(std::initializer_list<std::string_view> list, std::string_view value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// Adds what a list does not have.
template <typename List, typename Value>
void add_once(List& list, const Value& value) {
    if (!holds(list, value)) {
        list.push_back(value);
    }
}

}  // namespace ridgeline
