#include "advise/reading/reading.h"

#include "spec/words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace ridgeline {

std::string_view name_of(Intent intent) {
    static constexpr std::array<std::string_view, 11> names = {
        "hardware",   "fit",   "memory", "compare", "largest", "duration",
        "throughput", "price", "own",    "budget",  "describe"};
    return names[static_cast<std::size_t>(intent)];
}

void assume(Reading& reading, std::string field, std::string value, std::string why) {
    reading.assumed.push_back({std::move(field), std::move(value), std::move(why)});
}

void assume_first(Reading& reading, std::string field, std::string value, std::string why) {
    reading.assumed.insert(reading.assumed.begin(),
                           {std::move(field), std::move(value), std::move(why)});
}

void serve_batch_at_once(Reading& reading) {
    if (reading.task == Task::inference && reading.batch && !reading.concurrency) {
        reading.concurrency = reading.batch;
        assume(reading, "concurrency", std::to_string(*reading.batch),
               "a batch of requests is served at once");
    }
}

void forget_assumed(Reading& reading, std::string_view field) {
    std::erase_if(reading.assumed,
                  [field](const AssumedField& each) { return each.field == field; });
}

const AssumedField* assumed_of(const Reading& reading, std::string_view field) {
    const auto found = std::ranges::find(reading.assumed, field, &AssumedField::field);
    return found == reading.assumed.end() ? nullptr : &*found;
}

AssumedField* assumed_of(Reading& reading, std::string_view field) {
    return const_cast<AssumedField*>(assumed_of(std::as_const(reading), field));
}

bool asks(const Reading& reading, FigureName name) {
    return std::ranges::find(reading.attributes, name.text()) != reading.attributes.end();
}

void take_method(Reading& reading, const std::string& value) {
    const bool judges = algorithm_named(value).has_value();
    const bool trained = !reading.method.empty() && !algorithm_named(reading.method);
    reading.algorithm = judges ? value : reading.algorithm;
    reading.method = judges && trained ? reading.method : value;
}

bool pays_told_rent(const Reading& reading) {
    return reading.usd_per_hour && reading.hourly_paid && !reading.usd_per_month &&
           !reading.accelerators.empty();
}

void ask_for(Reading& reading, FigureName name) { reading.attributes.emplace_back(name.text()); }

}  // namespace ridgeline
