#include "advise/fits/words.h"

#include "base/text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

// What is said of a fit beside its figures.

namespace ridgeline {

Answer of_copies(Answer one, const Reading& reading) {
    const int copies = *reading.copies;
    const int cards = reading.count.value_or(1);
    if (cards % copies == 0) {
        one.headline += fmt::format(" Each of {} at once has {} of the {} cards.", copies,
                                    cards / copies, cards);
        return one;
    }
    if (!one.needs || !one.have_gib || one.verdict == "no") {
        return one;
    }
    const double on_each = std::ceil(static_cast<double>(copies) / cards);
    const AnswerNeeds each = *one.needs;
    one.needs = AnswerNeeds{each.low * on_each, each.mid * on_each, each.high * on_each};
    one.verdict = one.needs->high <= *one.have_gib  ? "yes"
                  : one.needs->mid <= *one.have_gib ? "barely"
                                                    : "no";
    one.headline = fmt::format(
        "{}: {:g} at once on each card need {} ({} to {}) of {}, {} each; they share its time. One "
        "alone: {}",
        one.verdict == "yes"      ? "Yes"
        : one.verdict == "barely" ? "Barely"
                                  : "No",
        on_each, format_gib(one.needs->mid), format_gib(one.needs->low),
        format_gib(one.needs->high), format_gib(*one.have_gib), format_gib(each.mid), one.headline);
    if (one.verdict == "no") {
        one.headline +=
            fmt::format(" Each card holds {:.0f}.", std::floor(*one.have_gib / each.mid));
    }
    return one;
}

Answer without_yes_and_no(Answer reply) {
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"Yes", "It fits"}, {"Barely", "It barely fits"}, {"No", "It does not fit"}};
    for (const auto& [bare, whole] : words) {
        const bool first =
            reply.headline.starts_with(bare) &&
            (reply.headline[bare.size()] == ':' || reply.headline[bare.size()] == ',');
        if (first) {
            reply.headline.replace(0, bare.size(), whole);
            break;
        }
    }
    return reply;
}

Answer judged_as_too_much(Answer reply) {
    constexpr double half = 0.5;  // of the memory: the next smaller card would do
    const double share = reply.needs && reply.have_gib ? reply.needs->high / *reply.have_gib : 1;
    const std::string_view enough = share < half / 4   ? "an eighth"
                                    : share < half / 2 ? "a quarter"
                                    : share < half     ? "half"
                                                       : "";
    const bool fits = reply.verdict != "no";
    const std::size_t colon = reply.headline.find(": ");
    const std::string rest =
        colon == std::string::npos ? reply.headline : reply.headline.substr(colon + 2);
    reply.headline =
        fmt::format("{}: {}",
                    !fits             ? "No, it is too little"
                    : !enough.empty() ? fmt::format("In memory yes, {} of it would do", enough)
                                      : "No, its memory is needed",
                    rest);
    return reply;
}

}  // namespace ridgeline
