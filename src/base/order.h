#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace ridgeline {

/// The places of `count` things in order, of which `before(context, a, b)` compares two; equals
/// stay as they stand.
std::vector<std::size_t> places_in_order(std::size_t count,
                                         bool (*before)(const void* context, std::size_t a,
                                                        std::size_t b),
                                         const void* context);

/// As std::stable_sort, which each type of thing and comparison would compile anew: the page has no
/// room for forty of it.
template <typename Iterator, typename Before>
void stable_order(Iterator first, Iterator last, Before before) {
    using Thing = typename std::iterator_traits<Iterator>::value_type;
    const std::pair<Iterator, Before*> context(first, &before);
    const auto compare = [](const void* pointer, std::size_t a, std::size_t b) {
        const auto& [begin, less] = *static_cast<const std::pair<Iterator, Before*>*>(pointer);
        using Step = typename std::iterator_traits<Iterator>::difference_type;
        return static_cast<bool>((*less)(begin[static_cast<Step>(a)], begin[static_cast<Step>(b)]));
    };
    std::vector<Thing> ordered;
    ordered.reserve(static_cast<std::size_t>(last - first));
    for (const std::size_t place :
         places_in_order(static_cast<std::size_t>(last - first), compare, &context)) {
        ordered.push_back(std::move(
            first[static_cast<typename std::iterator_traits<Iterator>::difference_type>(place)]));
    }
    std::move(ordered.begin(), ordered.end(), first);
}

}  // namespace ridgeline
