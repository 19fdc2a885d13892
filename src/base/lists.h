#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace ridgeline {

template <typename Value, typename List>
bool is_among(const Value& value, const List& list) {
    return std::find(std::begin(list), std::end(list), value) != std::end(list);
}
inline bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Adds what a list does not have.
template <typename List, typename Value>
void add_once(List& list, const Value& value) {
    if (!is_among(value, list)) {
        list.push_back(value);
    }
}

}  // namespace ridgeline
