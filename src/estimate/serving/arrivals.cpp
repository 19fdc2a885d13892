#include "estimate/serving/arrivals.h"

#include "estimate/serving/answer_lengths.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

/// Requests of a load that is no closed loop and states no number.
constexpr std::size_t usual_requests = 1000;
/// Lengths vary evenly by this share about those that are stated, where nobody says how much:
/// requests of one length would stay in step for ever, which those of people do not.
constexpr double usual_spread = 0.2;

/// Numbers between 0 and 1 that are the same on every machine (Steele et al. 2014, SplitMix64).
class Draws {
public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    double next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
    }

private:
    std::uint64_t state_;
};

/// The requests of a file at its times, at random ones of a rate, or without any in a closed loop.
Arrivals recorded(const Serving& serving, double rate, std::uint64_t seed) {
    Arrivals arrivals{.requests = *serving.trace, .in_flight = 0};
    if (rate > 0) {
        arrivals.requests.resize(std::min(arrivals.requests.size(), most_requests));
        Draws gaps(seed);
        double time = 0;
        for (TracedRequest& request : arrivals.requests) {
            request.time = time;
            time -= std::log(gaps.next()) / rate;
        }
    } else if (arrivals.requests.back().time <= 0) {
        arrivals.in_flight = std::max(1.0, serving.concurrency);
    }
    return arrivals;
}

double longest_answer(const Serving& serving) {
    return std::max(serving.output_tokens, serving.longest_output.value_or(0));
}

/// Of the stated lengths, between which those of requests are even.
std::pair<double, double> spread_of_lengths(const Serving& serving) {
    return {serving.shortest_share.value_or(1 - usual_spread),
            serving.shortest_share ? 1 : 1 + usual_spread};
}

/// Prompts of a load whose answers are spread as those of chats are spread as well, about the mean
/// that even ones would have.
double chat_prompt(const Serving& serving, double shorter) {
    const auto [least, most] = spread_of_lengths(serving);
    return chat_prompt_length(serving.input_tokens * (least + most) / 2, shorter);
}

/// Of those that no file states.
double longest_drawn_prompt(const Serving& serving) {
    return spreads_answers(serving) ? std::max(serving.input_tokens, chat_prompt(serving, 1))
                                    : serving.input_tokens;
}

}  // namespace

bool spreads_answers(const Serving& serving) {
    return serving.longest_output.value_or(0) > serving.output_tokens;
}

Arrivals arrivals_of(const Serving& serving, double rate, std::uint64_t seed) {
    Arrivals arrivals;
    if (serving.trace) {
        return recorded(serving, rate, seed);
    }
    const bool loop = rate <= 0 && !serving.burst;
    const double concurrency = std::max(1.0, serving.concurrency);
    const double asked = loop            ? usual_rounds * concurrency
                         : serving.burst ? concurrency
                                         : static_cast<double>(usual_requests);
    const double of_a_run = static_cast<double>(most_requests);
    const double rounds = loop ? least_rounds * std::min(concurrency, of_a_run) : 0;
    const auto count = static_cast<std::size_t>(std::min(asked, std::max(rounds, of_a_run)));
    arrivals.in_flight = loop ? concurrency : 0;
    arrivals.requests.reserve(count);
    Draws lengths(seed);
    Draws gaps(seed ^ 0x5bd1e995ULL);
    double time = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto [least, most] = spread_of_lengths(serving);
        const auto drawn = [&, least = least, most = most](double stated) {
            const double share = least + (most - least) * lengths.next();
            return std::max(1.0, std::round(stated * share));
        };
        const double input = spreads_answers(serving)
                                 ? std::max(1.0, std::round(chat_prompt(serving, lengths.next())))
                                 : drawn(serving.input_tokens);
        const double longest = longest_answer(serving);
        const double output =
            spreads_answers(serving)
                ? std::max(1.0, std::round(
                                    answer_length(serving.output_tokens, longest, lengths.next())))
                : drawn(serving.output_tokens);
        arrivals.requests.push_back({time, input, output, 0});
        time += rate > 0 ? -std::log(gaps.next()) / rate : 0;
    }
    return arrivals;
}

bool is_closed_loop(const Serving& serving) {
    const bool timed = serving.trace && serving.trace->back().time > 0;
    return serving.request_rate <= 0 && !serving.burst && !timed;
}

double longest_request(const Serving& serving) {
    if (!serving.trace) {
        return longest_drawn_prompt(serving) + longest_answer(serving);
    }
    double longest = 2;
    for (const TracedRequest& request : *serving.trace) {
        longest = std::max(longest, request.input_tokens + request.output_tokens);
    }
    return longest;
}

double usual_context(const Serving& serving) {
    if (serving.trace || !spreads_answers(serving)) {
        return longest_request(serving) / 2;
    }
    const auto [least, most] = spread_of_lengths(serving);
    return serving.input_tokens * (least + most) / 2 + serving.output_tokens / 2;
}

double longest_prompt(const Serving& serving) {
    double longest = serving.trace ? 2 : longest_drawn_prompt(serving);
    if (serving.trace) {
        for (const TracedRequest& request : *serving.trace) {
            longest = std::max(longest, request.input_tokens);
        }
    }
    return longest;
}

}  // namespace ridgeline
