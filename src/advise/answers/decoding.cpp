#include "advise/answers/rate_words.h"
#include "advise/answers/throughput.h"
#include "advise/figure_words.h"
#include "base/text.h"
#include "estimate/serving/waiting.h"

#include <fmt/format.h>

#include <cmath>

// Of a server of texts: what a request and all together get. Those figures lead that were asked
// for.

namespace ridgeline {
namespace {

class DecodingReply {
public:
    DecodingReply(const Reading& reading, const Placement& placement, const std::string& where)
        : reading_(reading),
          placement_(placement),
          where_(where),
          time_(placement.estimate.time),
          serving_(placement.workload.serving.value_or(Serving{})),
          decode_(rate("decode", second / time_.tpot, placement.tpot_band, "tokens/s")),
          first_(time_value("ttft", time_.ttft, placement.ttft_band, "s", 1)),
          next_(time_value("tpot", time_.tpot, placement.tpot_band, "s", 1)) {}

    Answer reply();

private:
    void describe();
    /// Puts a figure that was asked for in front of the rest.
    void lead(const AnswerValue& value, const std::string& verb, std::string_view more);
    /// Of words that are asked, how many it writes.
    void lead_with_words();
    void lead_with_rates();
    void lead_with_cost();
    void lead_with_times();
    /// What it does, without the time of the first token.
    std::string does_alone() const {
        return does_.substr(0, does_.rfind("; the first token")) + ".";
    }
    AnswerValue whole_request() const;
    /// ", 364 requests a minute" where that is asked.
    std::string by_the_clock(const AnswerValue& requests) const;

    const Reading& reading_;
    const Placement& placement_;
    const std::string& where_;
    const TimeEstimate& time_;
    Serving serving_;
    AnswerValue decode_;
    AnswerValue first_;
    AnswerValue next_;
    std::string does_;
    Answer reply_;
};

void DecodingReply::describe() {
    reply_.values = {decode_};
    does_ = fmt::format("decodes {} for each request", ranged(decode_, "tokens/s"));
    const double users = placement_.workload.serving ? serving_.concurrency : 1;
    if (users > 1) {
        reply_.values.push_back(rate("total", time_.tokens_per_second, time_.band, "tokens/s"));
        const double running = running_requests(placement_.estimate.memory, placement_.workload);
        does_ += fmt::format(", {} for ", ranged(reply_.values.back(), "tokens/s"));
        does_ += running < users
                     ? fmt::format("the {:.0f} of {:g} that run at once while the others wait",
                                   running, users)
                     : fmt::format("{:g} at once", users);
    }
    reply_.values.push_back(first_);
    reply_.values.push_back(next_);
    does_ += fmt::format("; the first token comes after {}.", lasts(first_));
}

void DecodingReply::lead(const AnswerValue& value, const std::string& verb, std::string_view more) {
    does_ = fmt::format("{} {}{}; it {}", verb, ranged(value, value.unit), more, does_);
    reply_.values.insert(reply_.values.begin(), value);
}

std::string DecodingReply::by_the_clock(const AnswerValue& requests) const {
    const auto as = [&](double seconds, std::string_view unit) {
        return fmt::format(", {} requests {}", figure_words(*requests.mid * seconds), unit);
    };
    return asks(reading_, "requests_per_minute") ? as(60, "a minute")
           : asks(reading_, "requests_per_hour") ? as(3600, "an hour")
                                                 : std::string();
}

void DecodingReply::lead_with_words() {
    // English prose in vocabularies of 32,000 tokens or more.
    constexpr double words_of_a_token = 0.75;
    const bool minutes = asks(reading_, "words_per_minute");
    if (!minutes && !asks(reading_, "words_per_second")) {
        return;
    }
    const double words = words_of_a_token * (minutes ? 60 : 1) * (second / time_.tpot);
    lead(rate("words", words, placement_.tpot_band, minutes ? "words/min" : "words/s"), "writes",
         ", three quarters of a word to a token");
}

void DecodingReply::lead_with_rates() {
    const bool serves = placement_.workload.serving.has_value();
    const bool hears = placement_.architecture.reads_sound();
    const AnswerValue total = reply_.values[1];
    if (hears) {
        const double factor = time_.samples_per_second * audio_window_s;
        lead(rate("real_time_factor", factor, time_.band, "times real time"), "hears",
             fmt::format(", in windows of 30 s: {:.0f} live streams keep up", std::floor(factor)));
    }
    if (asks(reading_, "prefill") && serves && time_.ttft > Seconds{}) {
        const double read = serving_.input_tokens * serving_.concurrency;
        lead(rate("prefill", read / (time_.ttft / second), placement_.ttft_band, "tokens/s"),
             "reads prompts at",
             serving_.concurrency > 1
                 ? std::string()
                 : fmt::format(", one of {:g} tokens at a time", serving_.input_tokens));
    }
    if (reading_.full_load && serves && serving_.concurrency > 1) {
        const AnswerValue requests =
            rate("requests", time_.requests_per_second, time_.band, "requests/s");
        const std::string of = fmt::format("of {:g} tokens in and {:g} out", serving_.input_tokens,
                                           serving_.output_tokens);
        if (reading_.tokens_of_all) {
            lead(total, "makes", fmt::format(" in all, {} {}", ranged(requests, "requests/s"), of));
            reply_.values.insert(reply_.values.begin() + 1, requests);
        } else {
            lead(requests, "serves",
                 fmt::format("{}, {}, {} in all", by_the_clock(requests), of,
                             ranged(total, "tokens/s")));
        }
    }
    if (asks(reading_, "all_day") && !hears) {
        constexpr double day = 86400;
        const AnswerValue all =
            rate("total", day * time_.tokens_per_second, time_.band, "tokens/day");
        does_ = fmt::format("makes {} tokens a day ({} to {}); it {}", format_count(*all.mid),
                            format_count(*all.low), format_count(*all.high), does_);
        reply_.values.insert(reply_.values.begin(), all);
    }
    lead_with_words();
    reply_.headline = where_ + " " + does_;
}

void DecodingReply::lead_with_cost() {
    const double usd = placement_.estimate.cost.usd_per_million_tokens;
    if (!asks(reading_, "per_million") || usd <= 0) {
        return;
    }
    const double low = usd * time_.band.low;
    const double high = usd * time_.band.high;
    reply_.values.insert(reply_.values.begin(), {"cost", low, usd, high, "USD/million tokens", ""});
    reply_.headline = fmt::format(
        "{} for a million tokens ({} to {}){}, {:.3g} accelerator-hours: {}", format_usd(usd),
        format_usd(low), format_usd(high),
        placement_.estimate.cost.offer ? rented_words(placement_) : paid_words(placement_),
        1e6 / time_.tokens_per_second / 3600 * placement_.cluster.count, reply_.headline);
}

/// From the request to its last token.
AnswerValue DecodingReply::whole_request() const {
    const double steps = serving_.output_tokens - 1;
    return {"request",
            *first_.low + steps * *next_.low,
            *first_.mid + steps * *next_.mid,
            *first_.high + steps * *next_.high,
            "s",
            ""};
}

void DecodingReply::lead_with_times() {
    const bool led = placement_.architecture.reads_sound() || asks(reading_, "prefill") ||
                     asks(reading_, "per_million");
    if (asks(reading_, "ttft") && !asks(reading_, "prefill")) {
        std::swap(reply_.values.front(), *(reply_.values.end() - 2));
    }
    if (asks(reading_, "whole_request")) {
        const AnswerValue whole = whole_request();
        reply_.headline = fmt::format(
            "{}: a request of {:g} tokens in and {:g} out takes {}; the first token comes after "
            "{}, each further one after {}; it {}",
            where_, serving_.input_tokens, serving_.output_tokens, lasts(whole),
            format_duration(*first_.mid), format_duration(*next_.mid), does_alone());
        reply_.values.insert(reply_.values.begin(), whole);
    } else if (!led && asks(reading_, "tpot") && !asks(reading_, "latency") &&
               !asks(reading_, "ttft")) {
        reply_.headline = fmt::format("{}: each token comes after {}, the first after {}; it {}",
                                      where_, lasts(next_), lasts(first_), does_alone());
        std::rotate(reply_.values.begin(), reply_.values.end() - 1, reply_.values.end());
    } else if (!led && (asks(reading_, "latency") || asks(reading_, "tpot"))) {
        reply_.headline =
            fmt::format("{}: the first token comes after {}, each further one after {}; it {}",
                        where_, lasts(first_), lasts(next_), does_alone());
    } else if (!led && asks(reading_, "ttft")) {
        reply_.headline = fmt::format("{}: the first token comes after {}; it {}", where_,
                                      lasts(first_), does_alone());
    }
}

Answer DecodingReply::reply() {
    describe();
    lead_with_rates();
    lead_with_cost();
    lead_with_times();
    return std::move(reply_);
}

}  // namespace

Answer decoding_reply(const Reading& reading, const Placement& placement,
                      const std::string& where) {
    return DecodingReply(reading, placement, where).reply();
}

}  // namespace ridgeline
