#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"
#include "base/order.h"
#include "base/text.h"

#include <algorithm>

// What is compared besides hardware: "vllm vs sglang", "lora or qlora", "awq vs gptq", two models.

namespace ridgeline::reading {
namespace {

struct Named {
    std::string value;
    std::size_t at = 0;
};

void add(std::vector<Named>& list, std::string value, std::size_t at) {
    const bool known =
        std::ranges::any_of(list, [&](const Named& each) { return each.value == value; });
    if (!known) {
        list.push_back({std::move(value), at});
    }
}

/// Sharding without a framework's name stands for the trainer that most people mean by it.
std::string_view trainer_of(std::string_view word) {
    return word == "fsdp" ? "hf-trainer" : word == "fsdp2" ? "torchtitan" : "";
}

/// "tp 4 or pp 4", "tensor parallel vs pipeline parallel": ways of one copy over all cards, with
/// their degree; 0: none was said. "dp": a copy on each card.
void add_ways(const Sentence& sentence, std::vector<Named>& list) {
    const auto is_degree = [](std::string_view digits) {
        return !digits.empty() && digits.size() <= 2 && all_digits(digits);
    };
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const bool long_form =
            is_any(word, "tensor pipeline") && is_any(sentence.word(i + 1), "parallel parallelism");
        const std::string way = is_any(word, "tp tensor") || word.starts_with("tp") ? "tp" : "pp";
        std::size_t after = i + (long_form ? 2 : 1);
        after += is_any(sentence.word(after), "= of size") ? 1 : 0;
        const std::string_view next = sentence.word(after);
        // "2 replicas of tp4": a way of its own.
        const bool shared =
            is_any(sentence.word(i + 1), "of with at") &&
            (is_any(sentence.word(i + 2), "tp tensor") || sentence.word(i + 2).starts_with("tp"));
        const bool copies =
            (is_any(word, "replicas replica copies dp") && !shared) ||
            (word.starts_with("dp") && is_degree(word.substr(2))) ||
            (word == "data" && is_any(sentence.word(i + 1), "parallel parallelism"));
        if (copies) {
            add(list, "dp0", i);
        } else if (word == "tp" && is_degree(next) && sentence.follows(after + 2) &&
                   sentence.word(after + 1) == "pp" && is_degree(sentence.word(after + 2))) {
            // "tp 4 pp 2": one way of both degrees
            add(list, "tp" + std::string(next) + "pp" + std::string(sentence.word(after + 2)), i);
            i = after + 2;
        } else if (word.starts_with("pp") && is_degree(word.substr(2)) && sentence.follows(i + 1) &&
                   sentence.word(i + 1).starts_with("tp") &&
                   is_degree(sentence.word(i + 1).substr(2))) {
            add(list, std::string(sentence.word(i + 1)) + std::string(word), i);  // "pp2tp4"
            ++i;
        } else if (long_form || is_any(word, "tp pp")) {
            add(list, way + (is_degree(next) ? std::string(next) : "0"), i);
            // "tp 2 or 4": the noun is that of both.
            for (std::size_t more = after + 2;
                 is_degree(next) && is_any(sentence.word(more - 1), "or vs versus") &&
                 std::ranges::any_of(sentence.degrees,
                                     [&](const auto& each) { return each.second == more; });
                 more += 2) {
                add(list, way + std::string(sentence.word(more)), more);
            }
        } else if (word.starts_with(way) && is_degree(word.substr(way.size()))) {
            // "tp4pp2", "tp4 pp2": one way of both degrees
            const bool both = way == "tp" && sentence.follows(i + 1) && next.starts_with("pp") &&
                              is_degree(next.substr(2));
            add(list, std::string(word) + (both ? std::string(next) : ""), i);
            i += both ? 1 : 0;
        }
    }
}

/// "orpo vs dpo with qlora", "lora or qlora for dpo": of what judges the answers and of what trains
/// of the model the one that is named alone is that of all the others.
void keep_what_differs(std::vector<Named>& methods) {
    const auto judges = [](const Named& each) { return algorithm_named(each.value).has_value(); };
    const auto judged = std::ranges::count_if(methods, judges);
    const auto trained = static_cast<std::ptrdiff_t>(methods.size()) - judged;
    if (judged > 1 && trained == 1) {
        std::erase_if(methods, [&](const Named& each) { return !judges(each); });
    } else if (judged == 1 && trained > 1) {
        std::erase_if(methods, judges);
    }
}

std::vector<Named> values_of(const Sentence& sentence, std::string_view field) {
    std::vector<Named> found;
    if (field == "model" && !sentence.reading.model.empty()) {
        add(found, sentence.reading.model, sentence.model_at);
        for (const auto& [id, at] : sentence.other_models) {
            add(found, id, at);
        }
    }
    // "full vs lora": the word beside the comparison.
    for (const Mark& mark : sentence.marks) {
        if (field == "method" && (mark.means == Means::versus || mark.means == Means::either)) {
            for (const std::size_t i :
                 {mark.at - std::min<std::size_t>(mark.at, 1), mark.at + mark.length}) {
                if (sentence.word(i) == "full" && sentence.has(Means::train)) {
                    add(found, "full", i);
                }
            }
        }
    }
    for (const auto& [name, at] : sentence.shardings) {
        if (field == "sharding") {
            add(found, name, at);
        }
    }
    for (const auto& [name, at] : sentence.networks) {
        if (field == "network") {
            add(found, name, at);
        }
    }
    if (field == "tensor") {
        add_ways(sentence, found);
    }
    for (const auto& [type, at] : sentence.files) {
        if (field == "quantization") {
            add(found, type, at);
        }
    }
    for (const Mark& mark : sentence.marks) {
        const std::string value(mark.value);
        if (field == "optimizer" && mark.means == Means::optimizer) {
            add(found, value, mark.at);
        } else if (field == "framework" && mark.means == Means::framework) {
            add(found, value, mark.at);
        } else if (field == "framework" && mark.means == Means::train && value.empty()) {
            const auto trainer = trainer_of(sentence.word(mark.at));
            if (!trainer.empty() && sentence.shardings.size() < 2) {
                add(found, std::string(trainer), mark.at);
            }
        } else if (field == "method" && mark.means == Means::train && !value.empty()) {
            add(found, value, mark.at);
        } else if (field == "quantization" && mark.means == Means::quantization) {
            if (value != "gguf" || sentence.files.empty()) {  // "gguf q4_k_m" names one type
                add(found, value == "gguf" ? "q4_k_m" : value, mark.at);
            }
        } else if (field == "quantization" && mark.means == Means::compute) {
            add(found, "none", mark.at);
        }
    }
    if (field == "method") {
        keep_what_differs(found);
    }
    stable_order(found.begin(), found.end(),
                 [](const Named& a, const Named& b) { return a.at < b.at; });
    return found;
}

/// A word of comparison between the two, or before both and "and" between.
bool compared(const Sentence& sentence, std::size_t first, std::size_t second) {
    if (second - first > 8) {
        return false;
    }
    // "is fp8 worth it over bf16"
    const bool weighed = sentence.any_word(
        "worth better gain gains benefit benefits advantage choose prefer pick faster slower "
        "cheaper "
        "quicker improvement");
    for (std::size_t i = first; weighed && i < second; ++i) {
        if (is_any(sentence.word(i), "over than")) {
            return true;
        }
    }
    for (const Mark& mark : sentence.marks) {
        const bool joins = mark.means == Means::versus || mark.means == Means::either;
        if (joins && mark.at > first && mark.at < second) {
            return true;
        }
        if (mark.means == Means::versus && mark.at < first) {
            for (std::size_t i = first; i < second; ++i) {
                if (is_any(sentence.word(i), "and to with")) {
                    return true;
                }
            }
        }
    }
    return false;
}

/// "4bit and 8bit vram", "lora and qlora memory": each of what is listed has a figure.
bool lists_figures(const Sentence& sentence, std::string_view field, std::size_t first,
                   std::size_t second) {
    const bool memory = sentence.asks("memory") || sentence.asks("strong_memory") ||
                        sentence.asks("size_of") || sentence.asks("kv_cache");
    constexpr std::size_t most_between = 5;
    const bool states = field == "optimizer" && sentence.any_word("over than instead");
    if (!(memory || states) ||
        !(field == "quantization" || field == "method" || field == "optimizer") ||
        second - first > most_between) {
        return false;
    }
    // "flux in fp8 plus qwen3 in awq": each is of its own model.
    const bool parted = std::ranges::any_of(sentence.other_models, [&](const auto& other) {
        return other.second > first && other.second < second;
    });
    if (parted && field == "quantization") {
        return false;
    }
    for (std::size_t i = first + 1; i <= second; ++i) {
        const bool against =
            field == "optimizer" &&
            (is_any(sentence.word(i), "over than instead") || sentence.tokens[i].gap == Gap::slash);
        if ((against || is_any(sentence.word(i), "and & plus")) &&
            !sentence.beside_cache(second, 1)) {
            return true;
        }
    }
    return false;
}

/// "adam, 8-bit adam": two values with nothing but their own words between them.
bool in_one_list(const Sentence& sentence, std::size_t first, std::size_t second) {
    const auto belongs = [&](std::size_t i) {
        return std::ranges::any_of(sentence.marks, [i](const Mark& mark) {
            return mark.means != Means::filler && i >= mark.at && i < mark.at + mark.length;
        });
    };
    for (std::size_t i = first + 1; i < second; ++i) {
        if (!belongs(i)) {
            return false;
        }
    }
    return true;
}

/// Whether a word of comparison stands between two kinds of hardware, or before both of them.
bool weighs_hardware(const Sentence& sentence) {
    const auto& parts = sentence.mentions;
    for (std::size_t k = 1; k < parts.size(); ++k) {
        const std::size_t from = std::min(parts[k - 1].end, parts[k].end);
        const std::size_t to = std::max(parts[k - 1].at, parts[k].at);
        const bool marked = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
            const bool joins = mark.means == Means::versus || mark.means == Means::either;
            return (joins && mark.at >= from && mark.at < to) ||
                   (mark.means == Means::versus && mark.at < from);
        });
        bool than = false;
        for (std::size_t i = from; i < to; ++i) {
            than = than || is_any(sentence.word(i), "than over");
        }
        if (parts[k].name != parts[k - 1].name && (marked || than)) {
            return true;
        }
    }
    return false;
}

/// "from 7b to 13b how much more vram", "how much more does a 14b need over an 8b": models are
/// weighed by the memory that each takes, on no hardware.
bool weighs_memory_of_models(const Sentence& sentence) {
    return !sentence.other_models.empty() && sentence.mentions.empty() &&
           !sentence.reading.memory_gib && sentence.asks("memory strong_memory size_of how_much") &&
           sentence.any_word("more less extra additional difference than over versus vs from");
}

/// "5090 vs 4090 for llama 8b and sdxl": hardware is weighed for each of the models, which nothing
/// weighs against each other.
bool weighs_hardware_for_each(const Sentence& sentence) {
    if (sentence.other_models.empty() || sentence.reading.model.empty() ||
        !weighs_hardware(sentence)) {
        return false;
    }
    std::vector<std::size_t> models{sentence.model_at};
    for (const auto& [id, at] : sentence.other_models) {
        models.push_back(at);
    }
    const auto [first, last] = std::minmax_element(models.begin(), models.end());
    const bool apart =
        std::ranges::none_of(sentence.marks, [first = *first, last = *last](const Mark& mark) {
            const bool joins = mark.means == Means::versus || mark.means == Means::either;
            return joins && mark.at > first && mark.at < last;
        });
    const bool hardware_between =
        std::ranges::any_of(sentence.mentions, [first = *first, last = *last](const Mention& each) {
            return each.at > first && each.at < last;
        });
    return apart && !hardware_between;
}

/// Whether something joins what stands before token `end` with what stands from `begin` on.
bool joined_between(const Sentence& sentence, std::size_t begin, std::size_t end) {
    const bool marked = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        return (mark.means == Means::versus || mark.means == Means::either) && mark.at >= begin &&
               mark.at < end;
    });
    bool word = false;
    for (std::size_t i = begin; i < end; ++i) {
        word = word || is_any(sentence.word(i), "than over against and to");
    }
    return marked || word;
}

/// "nvfp4 on 4x b200 vs fp8 on 8x h200": each kind of hardware, or number of it, has a value of its
/// own, which is then no setting that is compared on one and the same; false: they are not parted
/// so.
bool part_among_sides(Sentence& sentence, std::string_view field,
                      const std::vector<Named>& values) {
    std::vector<Mention>& parts = sentence.mentions;
    const Reading& reading = sentence.reading;
    if (!is_any(field, "quantization framework method") || values.size() < 2 ||
        parts.size() != values.size() || (reading.model.empty() && reading.family.empty())) {
        return false;
    }
    // A side has only adapters, and only weights that are stored so, of its own: whole training and
    // types of products are compared over both.
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune);
    for (const Named& each : values) {
        if ((field == "method" && each.value != "lora" && each.value != "qlora") ||
            (field == "quantization" && trains)) {
            return false;
        }
    }
    for (std::size_t k = 1; k < parts.size(); ++k) {
        const std::size_t past = std::max(values[k - 1].at, parts[k - 1].end - 1);
        const std::size_t from = std::min(values[k].at, parts[k].at);
        const bool apart = parts[k].name != parts[k - 1].name ||
                           parts[k].count.value_or(1) != parts[k - 1].count.value_or(1);
        // "4090 at q4 or q8, versus 3090": both are of the first.
        const bool both_of_first = values[k - 1].at >= parts[k - 1].end &&
                                   values[k].at < parts[k].at &&
                                   joined_between(sentence, values[k].at + 1, parts[k].at);
        if (past >= from || !apart || both_of_first || !joined_between(sentence, past + 1, from)) {
            return false;
        }
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
        (field == "quantization" ? parts[k].quantization
         : field == "framework"  ? parts[k].framework
                                 : parts[k].method) = values[k].value;
    }
    return true;
}

}  // namespace

bool weigh_hardware_for_models(Sentence& sentence) {
    if (!sentence.reading.alternatives.empty() || !weighs_hardware_for_each(sentence)) {
        return false;
    }
    sentence.reading.alternatives_of = "models";
    sentence.reading.alternatives = {sentence.reading.model};
    const auto& unknown = sentence.reading.unknown_names;
    for (const auto& [id, at] : sentence.other_models) {
        if (std::ranges::find(unknown, id) == unknown.end()) {
            sentence.reading.alternatives.push_back(id);  // of the rest nothing can be told
        }
    }
    return true;
}

void recognise_alternatives(Sentence& sentence) {
    bool settings = recognise_settings_compared(sentence);
    settings = settings || weigh_hardware_for_models(sentence);
    for (const std::string_view field : {"optimizer", "framework", "method", "sharding", "tensor",
                                         "quantization", "network", "model"}) {
        if (settings) {
            break;
        }
        auto values = values_of(sentence, field);
        // "vram saved by an 8-bit optimizer": against the usual one.
        if (field == "optimizer" && values.size() == 1 && values.front().value != "adamw" &&
            sentence.any_word("save saves saved saving savings")) {
            values.insert(values.begin(), Named{"adamw", values.front().at});
            sentence.reading.alternatives = {"adamw", values.back().value};
            sentence.reading.alternatives_of = field;
            break;
        }
        if (part_among_sides(sentence, field, values)) {
            continue;
        }
        for (std::size_t k = 1; k < values.size(); ++k) {
            if (!(field == "model" && weighs_memory_of_models(sentence)) &&
                !compared(sentence, values[k - 1].at, values[k].at) &&
                !lists_figures(sentence, field, values[k - 1].at, values[k].at)) {
                continue;
            }
            Reading& reading = sentence.reading;
            // "adam, 8-bit adam or adafactor": what stands in the same list before the first two.
            std::size_t first = k - 1;
            while (reading.alternatives.empty() && first > 0 &&
                   in_one_list(sentence, values[first - 1].at, values[first].at)) {
                --first;
            }
            for (std::size_t each = first; reading.alternatives.size() < k - first; ++each) {
                reading.alternatives.push_back(values[each].value);
            }
            reading.alternatives.push_back(values[k].value);
            reading.alternatives_of = field;
        }
        if (!sentence.reading.alternatives.empty()) {
            break;
        }
    }
    // What is not compared is not dropped either.
    if (sentence.reading.alternatives_of != "model" &&
        sentence.reading.alternatives_of != "models") {
        for (const auto& [id, at] : sentence.other_models) {
            sentence.reading.not_understood.push_back(id);
            std::erase_if(sentence.reading.assumed, [&other = id](const AssumedField& each) {
                return each.field == "model" && each.value == other;  // it is not answered
            });
        }
    }
}

}  // namespace ridgeline::reading
