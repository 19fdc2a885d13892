#include "advise/reading/settling/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

// What a question may say at the most, whichever step read it and whatever it was multiplied by.

namespace ridgeline::reading {
namespace {

constexpr double least = 1e-12;
constexpr double most = 1e18;

struct Quantity {
    std::optional<double> Reading::*member;
    std::string_view what;
    double largest = most;
    double smallest = least;
};
constexpr Quantity quantities[] = {
    {&Reading::memory_gib, "a memory size"},
    {&Reading::host_memory_gib, "the host's memory"},
    {&Reading::host_memory_gb_per_s, "a bandwidth"},
    {&Reading::clip_s, "the length of a clip"},
    {&Reading::weight_bits, "bits of a weight"},
    {&Reading::requests_per_s, "requests a second", 1e9},
    {&Reading::ttft_s, "seconds to the first token"},
    {&Reading::tpot_s, "seconds of a token", most, 1e-6},
    {&Reading::answer_s, "seconds of an answer"},
    {&Reading::tokens, "a number of tokens"},
    {&Reading::samples, "a number of examples"},
    {&Reading::epochs, "epochs"},
    {&Reading::steps, "a number of steps"},
    {&Reading::audio_s, "seconds of recordings"},
    {&Reading::usd_per_kwh, "a price of electricity"},
    {&Reading::grid_gco2_per_kwh, "grams of CO2 a kWh", 2000},
    {&Reading::tokens_per_parameter, "a ratio"},
    {&Reading::usd_per_million, "a price"},
    {&Reading::usd_per_million_read, "a price"},
    {&Reading::api_usd_per_month, "a sum"},
    {&Reading::resale_usd, "a sum"},
    {&Reading::part_hours, "hours"},
    {&Reading::max_watts, "watts"},
    {&Reading::power_cap_w, "watts"},
    {&Reading::open_tokens_per_s, "a rate", 1e9},
    {&Reading::seen_tokens_per_s, "a rate", 1e9},
    {&Reading::seen_mfu, "a share of the peak"},
    {&Reading::given_mfu, "a share of the peak", 1, 0.001},
    {&Reading::seen_per_s, "a rate"},
    {&Reading::seen_step_s, "seconds of a step"},
    {&Reading::seen_ttft_s, "seconds to the first token"},
    {&Reading::seen_time_s, "seconds"},
    {&Reading::budget_usd, "a sum"},
    {&Reading::usd_per_hour, "a price of an hour"},
    {&Reading::usd_per_month, "a sum of a month"},
    {&Reading::deadline_s, "seconds of a run"},
    {&Reading::months, "months"},
    {&Reading::hours_per_day, "hours of a day"},
    {&Reading::rack_kw, "kilowatts of a rack"},
};

void check(Sentence& sentence, double value, double largest, std::string_view what,
           double smallest = least) {
    if (value != 0 && !(value >= smallest && value <= largest)) {
        sentence.fail(fmt::format("found {:g} as {}, expected a number from {:g} to {:g}", value,
                                  what, smallest, largest));
    }
}

/// Passes over a set of texts: each may be possible and all of them not.
void check_run(Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const double each = std::max({1, reading.sequence.value_or(1), reading.tokens_each});
    const double once = std::max(reading.tokens.value_or(0), reading.samples.value_or(0) * each);
    check(sentence, once * reading.epochs.value_or(1), most, "a number of tokens of the whole run");
}

/// As the workload document bounds them.
void check_kernel(Sentence& sentence, const Kernel& kernel) {
    constexpr double largest = 1e15;
    check(sentence, kernel.elements, largest, "a number of elements");
    check(sentence, kernel.nonzeros, largest, "a number of stored elements");
    check(sentence, kernel.batch, largest, "a batch");
    for (const double side : kernel.size) {
        check(sentence, side, largest, "a side");
    }
}

}  // namespace

void check_bounds(Sentence& sentence) {
    for (const Quantity& quantity : quantities) {
        check(sentence, (sentence.reading.*quantity.member).value_or(0), quantity.largest,
              quantity.what, quantity.smallest);
    }
    check_run(sentence);
    check(sentence, sentence.reading.dataset_bytes, most, "bytes of a dataset");
    if (sentence.reading.kernel) {
        check_kernel(sentence, *sentence.reading.kernel);
    }
}

}  // namespace ridgeline::reading
