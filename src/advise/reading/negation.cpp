#include "advise/reading/negation.h"

#include <algorithm>

namespace ridgeline::reading {
namespace {

bool is_bridge(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i),
                  "on from any a an the using use with of to or and nor for need either have in gpus gpu cards has google want chinese public "
                  "shared community");
}

/// Whether token i names a maker, a provider or a feature: what a list has.
bool is_listed(const Sentence& sentence, std::size_t i) {
    return std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& each) {
        const bool named = each.means == Means::vendor || each.means == Means::provider || each.means == Means::feature;
        return named && i >= each.at && i < each.at + each.length;
    });
}

bool negates(const Mark& mark) {
    return mark.means == Means::negation && mark.value != "instead";
}

/// Whether nothing stands between the negation and token `at` that ends its reach.
bool reaches(const Sentence& sentence, const Mark& negation, std::size_t at) {
    for (std::size_t i = negation.at + negation.length; i < at; ++i) {
        if (!is_listed(sentence, i) && !is_bridge(sentence, i)) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool is_ruled_out(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i > 0 && sentence.follows(i); --i) {
        for (const Mark& mark : sentence.marks) {
            if (negates(mark) && mark.at + mark.length == i) {
                return true;
            }
        }
        if (!is_any(sentence.word(i - 1), "any the a use using need want with for of")) {
            return false;
        }
    }
    return false;
}

bool is_negated(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t farthest = 7;
    return std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& mark) {
        return negates(mark) && mark.at < at && at - mark.at <= farthest && reaches(sentence, mark, at);
    });
}

}  // namespace ridgeline::reading
