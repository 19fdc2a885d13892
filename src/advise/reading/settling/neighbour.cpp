#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"
#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

// What a name that is not known may have meant.

namespace ridgeline::reading {
namespace {

/// "rtx-5095-40gb": its series and its number, of three digits or more; 0: it has none.
struct NumberedName {
    std::string series;
    long number = 0;
    std::size_t digits = 0;
};

NumberedName numbered(std::string_view name) {
    constexpr std::size_t fewest = 3, most = 5;
    NumberedName found;
    std::size_t i = 0;
    for (; i < name.size() && !is_digit(name[i]); ++i) {
        found.series += name[i] == '-' ? "" : std::string(1, name[i]);
    }
    for (; i < name.size() && is_digit(name[i]) && found.digits <= most; ++i, ++found.digits) {
        found.number = 10 * found.number + (name[i] - '0');
    }
    found.number = found.digits >= fewest && found.digits <= most ? found.number : 0;
    return found;
}

/// Of the same series the part of that class (the last two digits) and the nearest generation: an
/// "rtx-6090" is what comes after the 5090, however its memory reads. Nothing: none is numbered so.
std::optional<std::string> nearest_number(const std::string& name,
                                          const std::vector<std::string>& candidates) {
    const NumberedName meant = numbered(name);
    const auto distance = [&](const std::string& id) {
        const NumberedName each = numbered(id);
        long shared = 0;  // "ti", "super"
        for (const auto& piece : split(id, '-')) {
            shared += ("-" + name + "-").find("-" + std::string(piece) + "-") != name.npos ? 1 : -1;
        }
        return std::tuple(std::abs(each.number % 100 - meant.number % 100),
                          std::abs(each.number / 100 - meant.number / 100), -shared);
    };
    const std::string* best = nullptr;
    for (const std::string& id : candidates) {
        const NumberedName each = numbered(id);
        if (meant.number > 0 && each.series == meant.series && each.digits == meant.digits &&
            (best == nullptr || distance(id) < distance(*best))) {
            best = &id;
        }
    }
    return best != nullptr ? std::optional(*best) : std::nullopt;
}

/// "gpt-4o", "claude-sonnet", "gemini-2.5-pro": models that are had behind an API alone, whatever
/// open one is spelt alike.
bool is_closed_family(std::string_view name) {
    const std::string_view family = name.substr(0, name.find_first_of("0123456789-."));
    const std::size_t digit = name.find_first_of("0123456789");
    const bool later = digit != name.npos && (name[digit] == '4' || name[digit] == '5');
    return is_any(family, "claude gemini chatgpt") || (family == "gpt" && later);
}

}  // namespace

void add_neighbour(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.unknown_names.empty()) {
        const std::string& name = reading.unknown_names.front();
        std::vector<const Accelerator*> parts;
        for (const Accelerator& part : sentence.vocabulary.catalog.accelerators) {
            parts.push_back(&part);
        }
        // Of names as near as each other the newest part is meant.
        stable_order(parts.begin(), parts.end(),
                     [](const Accelerator* a, const Accelerator* b) { return a->year > b->year; });
        std::vector<std::string> candidates;
        for (const Accelerator* part : parts) {
            candidates.push_back(part->id);
        }
        const bool part =
            std::ranges::find(reading.unknown_parts, name) != reading.unknown_parts.end();
        if (!part) {
            candidates = sentence.vocabulary.profiles.model_ids;
        }
        const bool provider = std::ranges::find(reading.providers, name) != reading.providers.end();
        const auto closed = sentence.names.stand_ins.find("chatgpt");
        if (!part && reading.neighbour.empty() && is_closed_family(name) &&
            closed != sentence.names.stand_ins.end()) {
            reading.neighbour = closed->second->why;
        }
        if (provider) {
            reading.neighbour =
                "no price of that provider is listed: leave it out, or import its prices";
        }
        // "wan2.2-14b" means another of its own family, whatever is spelt alike.
        const std::string family = name.substr(0, name.find_first_of("0123456789-."));
        if (!part && family.size() >= 3) {
            std::vector<std::string> own;
            std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(own),
                         [&](const std::string& each) {
                             return each.starts_with(family) && !(each.size() > family.size() &&
                                                                  is_letter(each[family.size()]));
                         });
            candidates = own.empty() ? candidates : own;
        }
        auto near = provider ? std::nullopt
                    : part   ? nearest_number(name, candidates)
                             : std::optional<std::string>();
        near = near || provider ? near : nearest(name, candidates);
        // "rtx-5090-super" is near the 5090: the number counts for more than what follows it.
        for (const std::string& each : candidates) {
            near = part && !provider && name.starts_with(each + "-") ? std::optional(each) : near;
        }
        if (!provider && !near && !part && !candidates.empty() && family.size() >= 3 &&
            candidates.front().starts_with(family)) {
            near = candidates.front();
        }
        std::string size;
        for (const auto& piece : split(name, '-')) {
            size = parameters_in(piece) ? piece : size;
        }
        reading.neighbour =
            provider || !reading.neighbour.empty() ? reading.neighbour
            : name.ends_with("-laptop")
                ? "a laptop's part is slower than the card of that name and may have less "
                  "memory: give its memory instead, as in \"8gb laptop\""
            : near ? fmt::format("the nearest that is known: {}", *near)
            : part
                ? reading.memory_gib
                      ? fmt::format("give its memory instead: --memory {:g}GB", *reading.memory_gib)
                      : std::string(
                            "whether a model fits is told by memory alone, as in --memory 24GB")
            : !size.empty() ? fmt::format("a typical model of its size: --model {}", size)
                            : "give a size (--model 8B) or a config.json (--hf-config)";
    }
    for (const std::string& name : reading.unknown_names) {
        add_once(reading.not_understood, name);
    }
}

}  // namespace ridgeline::reading
