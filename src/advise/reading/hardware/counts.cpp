#include "advise/reading/hardware/loose_counts.h"
#include "advise/reading/hardware/one_card.h"
#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/numbers/limits.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// How many: "8 x", "x8", "8-gpu", "dual", "a pair of", "4 nodes of 8", "at most 4 gpus".

namespace ridgeline::reading {
namespace {

/// "tp8", "--tensor-parallel-size 4 --pipeline-parallel-size 2": what shares a model tells how many
/// there are, where nothing else does; of "tp4 or tp8" the larger.
void count_by_plan(Sentence& sentence) {
    const bool counted = std::any_of(sentence.mentions.begin(), sentence.mentions.end(),
                                     [](const Mention& each) { return each.count.has_value(); });
    int most = 0;
    for (const auto& [degree, at] : sentence.degrees) {
        most = std::max(most, static_cast<int>(number_with_suffix(degree.substr(2)).value_or(0)));
    }
    const bool shares = most > 0 || sentence.reading.pipeline || sentence.data_degree > 1;
    if (counted || sentence.loose_count || !shares) {
        return;
    }
    const bool apart =
        sentence.has(Means::versus) || sentence.has(Means::either);  // "tp 4 or pp 4"
    sentence.loose_count = std::max(most, 1) * (apart ? 1 : sentence.reading.pipeline.value_or(1)) *
                           sentence.data_degree;
    sentence.assume("count", std::to_string(*sentence.loose_count),
                    "as many as the degrees of parallelism span");
}

/// The number before or behind a mention, and the token where the two begin together.
struct NumberOfParts {
    std::optional<int> value;
    std::size_t begin = 0;
};

/// "5k H100-hours": so long, not so many.
bool take_part_hours(Sentence& sentence, const Mention& mention) {
    const bool hours = sentence.follows(mention.end) &&
                       is_any(sentence.word(mention.end), "hours hrs gpu-hours gpu-hrs card-hours");
    const auto before = count_before(sentence, mention.at);
    constexpr int most_cards = 64;
    if (!before || !hours || before->value <= most_cards) {
        return false;
    }
    sentence.claim(before->begin, mention.end + 1 - before->begin);
    sentence.assume("accelerator_hours", std::to_string(before->value),
                    "hours on hardware are no number of it: one is judged");
    sentence.reading.part_hours = before->value;
    return true;
}

/// "tp 8 h200", "pipeline parallel 2 a100": a degree of parallelism, which counts no parts by
/// itself.
bool is_parallel_degree(const Sentence& sentence, std::size_t number) {
    const std::string_view before = number > 0 ? sentence.word(number - 1) : "";
    const bool spelt = is_any(before, "parallel parallelism") && number > 1 &&
                       is_any(sentence.word(number - 2), "tensor pipeline data");
    return sentence.follows(number) && (spelt || is_any(before, "tp pp dp"));
}

NumberOfParts take_count(Sentence& sentence, Mention& mention) {
    const auto before = count_before(sentence, mention.at);
    if (before && !is_parallel_degree(sentence, before->begin)) {
        sentence.claim(before->begin, mention.at - before->begin);
        take_least(sentence, before->begin, mention.end, before->value);
        return {fewer(sentence, before->begin, before->value), before->begin};
    }
    const auto after = count_after(sentence, mention.end);
    if (!after) {
        return {std::nullopt, mention.at};
    }
    sentence.claim(mention.end, after->second - mention.end);
    mention.end = after->second;
    return {after->first, mention.at};
}

/// "2x8xH100": two nodes of eight.
bool take_nodes_by_x(Sentence& sentence, Mention& mention, const NumberOfParts& counted) {
    const std::size_t begin = counted.begin;
    if (!counted.value || mention.per_machine || begin < 2 || sentence.word(begin - 1) != "x" ||
        !sentence.follows(begin) || !amount_in(sentence.word(begin - 2)) ||
        !sentence.open(begin - 2)) {
        return false;
    }
    const auto nodes = whole_at(sentence, begin - 2);
    if (!nodes) {
        return false;
    }
    // "8 x 8 x 8 h100": further factors are groups of such nodes.
    double groups = 1;
    std::size_t first = begin - 2;
    while (first >= 2 && sentence.word(first - 1) == "x" && sentence.follows(first) &&
           sentence.open(first - 2) && whole_at(sentence, first - 2)) {
        groups *= *whole_at(sentence, first - 2);
        first -= 2;
    }
    constexpr double most = 1e6;
    if (groups * *nodes * *counted.value > most) {
        sentence.fail(fmt::format("found {:g} accelerators, expected at most {:g}",
                                  groups * *nodes * *counted.value, most));
        return true;
    }
    mention.nodes = static_cast<int>(groups) * *nodes;
    mention.count = *mention.nodes * *counted.value;
    sentence.claim(first, begin - first);
    return true;
}

/// "2 nodes dgx h100"; "8 H100 on a DGX H100" counts accelerators, "2 x DGX H100" machines.
int take_machines(Sentence& sentence, Mention& mention, const NumberOfParts& counted) {
    const auto nodes = counted.value ? std::nullopt : nodes_before(sentence, counted.begin);
    if (nodes) {
        sentence.claim(nodes->second, counted.begin - nodes->second);
    }
    mention.nodes = nodes ? nodes->first : counted.value.value_or(1);
    return *mention.nodes * *mention.per_machine;
}

/// "4 nodes of 8 h100"
int take_nodes_of(Sentence& sentence, Mention& mention, const NumberOfParts& counted, int nodes,
                  std::size_t at) {
    mention.nodes = nodes;
    sentence.claim(at, counted.begin - at);
    const bool desks = is_any(sentence.word(at + 1), "pcs computers desktops workstations");
    return nodes * counted.value.value_or(desks ? 1 : 8);
}

/// "an h100 server price", "mi300x node": whether such a machine stands behind the part, or within
/// its name, which may end on that word.
bool is_in_server(const Sentence& sentence, const Mention& mention) {
    const std::string_view behind =
        sentence.follows(mention.end) ? sentence.word(mention.end) : std::string_view();
    return is_any(behind, "node server system box") ||
           (mention.end > mention.at + 1 && is_any(sentence.word(mention.end - 1), "node server"));
}

/// The word for a node behind a part or at the end of its name; none: one past what is there.
std::size_t node_word_at(const Sentence& sentence, const Mention& mention) {
    const bool behind = sentence.follows(mention.end) && is_node_word(sentence.word(mention.end));
    const std::size_t last = mention.end - 1;
    const bool within = last > mention.at && sentence.word(last) != "pcs" &&  // "8 pcs" are cards
                        is_node_word(sentence.word(last));
    return behind ? mention.end : within ? last : sentence.tokens.size();
}

/// "how many dgx h100", "number of nvl72 racks": their number is what is asked.
bool asks_their_number(const Sentence& sentence, const Mention& mention) {
    constexpr std::size_t most_between = 3;
    for (std::size_t i = mention.at; i > 1 && mention.at - i < most_between && sentence.follows(i);
         --i) {
        if ((sentence.word(i - 1) == "many" && sentence.word(i - 2) == "how") ||
            (sentence.word(i - 1) == "of" && sentence.word(i - 2) == "number")) {
            return true;
        }
    }
    return false;
}

/// "v100 nodes of 4", "nodes with 4 gpus each": what each of the nodes at token `node` holds; 0: it
/// was not said.
int cards_of_each_node(Sentence& sentence, std::size_t node) {
    const std::size_t number = node + 2;
    if (!sentence.follows(node + 1) || !is_any(sentence.word(node + 1), "of with having") ||
        !sentence.follows(number) || !sentence.open(number) || !amount_in(sentence.word(number))) {
        return 0;
    }
    const bool counts = number + 1 >= sentence.tokens.size() || !sentence.follows(number + 1) ||
                        is_any(sentence.word(number + 1), "gpu gpus card cards each x on for");
    constexpr int most = 16;
    const auto value = counts ? whole_at(sentence, number) : std::nullopt;
    if (!value || *value > most) {
        return 0;
    }
    std::size_t end = number + 1;
    while (sentence.follows(end) && is_any(sentence.word(end), "gpu gpus card cards each")) {
        ++end;
    }
    sentence.claim(node + 1, end - node - 1);
    return *value;
}

/// "an h100 node", "2 h100 nodes": a node is one of eight.
std::optional<int> take_nodes_after(Sentence& sentence, Mention& mention,
                                    const NumberOfParts& counted) {
    const std::optional<int> value = counted.value;
    const std::string_view word =
        sentence.follows(mention.end) ? sentence.word(mention.end) : std::string_view();
    if (!value && is_board_of_eight(mention) && is_in_server(sentence, mention)) {
        mention.nodes = 1;
        sentence.assume("count", "8", "a server of such modules holds 8");
        if (is_any(word, "node server system box")) {
            sentence.claim(mention.end);
        }
        return 8;
    }
    const std::size_t node = node_word_at(sentence, mention);
    if (node == sentence.tokens.size() || !value) {
        return value;
    }
    const std::string_view nodes = sentence.word(node);
    if (asks_their_number(sentence, mention)) {  // "how many 8x h100 nodes"
        return std::nullopt;
    }
    // "an 8x h100 box", "8 gpu servers", "8 a100 nodes" say what a node holds.
    const bool several = *value > 1 && nodes.ends_with('s') &&
                         !is_any(sentence.word(counted.begin + 1), "x gpu gpus") &&
                         !(*value == cards_of_node && nodes == "nodes");
    const bool desks = !is_board_of_eight(mention) && !is_any(nodes, "nodes servers");
    if (several && !desks) {
        mention.nodes = value;
        sentence.claim(node);
        if (const int each = cards_of_each_node(sentence, node); each > 0) {
            return *value * each;
        }
        sentence.assume("count", std::to_string(*value * cards_of_node),
                        "a node was taken as one of 8");
        return *value * cards_of_node;
    }
    return value;
}

/// "how many nodes of 8 a100": of the count at token `begin` there are so many nodes as is asked.
bool asks_nodes_of(Sentence& sentence, std::size_t begin) {
    std::size_t i = begin;
    while (i > 0 && sentence.follows(i) && is_any(sentence.word(i - 1), "of with each having")) {
        --i;
    }
    const bool asked = i > 2 && is_node_word(sentence.word(i - 1)) &&
                       ((sentence.word(i - 2) == "many" && sentence.word(i - 3) == "how") ||
                        (sentence.word(i - 2) == "of" && sentence.word(i - 3) == "number"));
    // "minimum nodes of 8xh100"
    const bool fewest = i > 1 && is_node_word(sentence.word(i - 1)) && begin > i &&
                        is_any(sentence.word(i - 2), "minimum min fewest minimal");
    if (asked || fewest) {
        sentence.claim(i - 1, begin - i + 1);
    }
    return asked || fewest;
}

/// "min nodes for kimi k2 on 8xh100 boxes": machines are counted elsewhere in the question, and
/// what stands here is what each holds.
bool asks_nodes_elsewhere(Sentence& sentence, const Mention& mention) {
    const std::size_t node = node_word_at(sentence, mention);
    for (std::size_t i = 1; i < sentence.tokens.size() && node < sentence.tokens.size(); ++i) {
        const std::string_view before = sentence.word(i - 1);
        const bool counted =
            is_any(before, "minimum min fewest minimal") ||
            (i > 1 && ((before == "many" && sentence.word(i - 2) == "how") ||
                       (before == "of" && is_any(sentence.word(i - 2), "number count"))));
        if (i != node && is_node_word(sentence.word(i)) && counted) {
            sentence.claim(i);
            sentence.claim(node);
            return true;
        }
    }
    return false;
}

/// Tokens of a number and a word for accelerators that end right before token `end`: "8 gpus".
std::optional<std::pair<int, std::size_t>> cards_before(Sentence& sentence, std::size_t end) {
    const std::size_t noun = end > 1 && is_gpu_word(sentence.word(end - 1)) ? end - 1 : end;
    const std::size_t number = noun > 0 ? noun - 1 : 0;
    if (noun == end || !sentence.open(number) || !amount_in(sentence.word(number))) {
        return std::nullopt;
    }
    const auto value = whole_at(sentence, number);
    return value ? std::optional(std::pair{*value, number}) : std::nullopt;
}

/// "8 gpus of a gb200 nvl72", "gb200 nvl72, 8 gpus of it": so many of what the machine holds, and
/// not so many machines.
bool take_share_of_machine(Sentence& sentence, Mention& mention) {
    if (mention.per_machine.value_or(1) <= 1 || !mention.provider.empty()) {
        return false;
    }
    std::optional<std::pair<int, std::size_t>> cards;
    std::size_t end = 0;
    std::size_t of = mention.at;
    while (of > 0 && sentence.follows(of) &&
           is_any(sentence.word(of - 1), "a an one the single whole full same")) {
        --of;
    }
    if (of > 0 && sentence.follows(of) && is_any(sentence.word(of - 1), "of from within inside")) {
        of -= of > 1 && sentence.word(of - 2) == "out" ? 2 : 1;
        cards = cards_before(sentence, of);
        end = mention.at;
    }
    constexpr std::size_t farthest = 7;
    for (std::size_t i = mention.end; !cards && i < mention.end + farthest; ++i) {
        if (is_any(sentence.word(i), "vs versus or against than")) {
            break;
        }
        const std::size_t whole =
            sentence.word(i + 1) == "the" || sentence.word(i + 1) == "that" ? i + 2 : i + 1;
        if (sentence.word(i) == "of" &&
            is_any(sentence.word(whole), "it that them rack machine system box node")) {
            cards = cards_before(sentence, i);
            end = whole + 1;
        }
    }
    if (!cards || cards->first >= *mention.per_machine) {
        return false;
    }
    const std::size_t from = std::min(cards->second, mention.end);
    for (std::size_t i = from; i < end; ++i) {
        // "gb200 nvl72 fraction: 8 gpus of it"
        if (i >= cards->second || is_any(sentence.word(i), "fraction share portion part slice")) {
            sentence.claim(i);
        }
    }
    sentence.assume("count", std::to_string(cards->first),
                    fmt::format("of the {} that one such machine holds", *mention.per_machine));
    mention.count = cards->first;
    mention.per_machine.reset();
    mention.machine.clear();
    return true;
}

void count_mention(Sentence& sentence, Mention& mention) {
    if (take_share_of_machine(sentence, mention) || take_part_hours(sentence, mention) ||
        (mention.per_machine && asks_their_number(sentence, mention))) {
        return;
    }
    sentence.reading.in_nodes =
        sentence.reading.in_nodes ||
        (is_board_of_eight(mention) && node_word_at(sentence, mention) < sentence.tokens.size() &&
         asks_their_number(sentence, mention));
    const NumberOfParts counted = take_count(sentence, mention);
    if (sentence.error || take_nodes_by_x(sentence, mention, counted)) {
        return;
    }
    if (counted.value &&
        (asks_nodes_of(sentence, counted.begin) || asks_nodes_elsewhere(sentence, mention))) {
        sentence.reading.in_nodes = true;
        return;
    }
    const auto nodes = nodes_before(sentence, counted.begin);
    const std::optional<int> value =
        nodes && !mention.per_machine
            ? take_nodes_of(sentence, mention, counted, nodes->first, nodes->second)
        : mention.per_machine ? take_machines(sentence, mention, counted)
                              : take_nodes_after(sentence, mention, counted);
    // "dual xeon" is the entry of two sockets.
    const bool sockets = !mention.parts.empty() && mention.parts.front()->id.starts_with("cpu-2x");
    mention.count = sockets && value == 2 ? std::nullopt : value;
}

/// "3090 without nvlink x2", "h100 no nvlink, x4", "4090 24gb x2": the number behind what is said
/// of their link or memory.
void count_behind_link(Sentence& sentence) {
    for (Mention& mention : sentence.mentions) {
        std::size_t at = mention.end;
        while (sentence.follows(at) &&
               (memory_piece(sentence.word(at)) > 0 ||
                is_any(sentence.word(at), "without with no nvlink bridge link links"))) {
            ++at;
        }
        const std::string_view word = at < sentence.tokens.size() ? sentence.word(at) : "";
        const bool apart = word == "x" && at + 1 < sentence.tokens.size();
        const auto number =
            apart ? whole_at(sentence, at + 1)
            : word.starts_with('x') && word.size() > 1 && is_digit(word[1])
                ? std::optional(static_cast<int>(number_with_suffix(word.substr(1)).value_or(0)))
                : std::nullopt;
        if (at > mention.end && !mention.count && number && *number > 1) {
            mention.count = number;
            sentence.claim(at, apart ? 2 : 1);
        }
    }
}

}  // namespace

void recognise_counts(Sentence& sentence) {
    forbid_several(sentence);
    recognise_counted_memory(sentence);
    join_machine_contents(sentence);
    for (Mention& mention : sentence.mentions) {
        count_mention(sentence, mention);
    }
    count_behind_link(sentence);
    count_loose(sentence);
    apply_launch(sentence);
    count_by_plan(sentence);
    for (std::size_t i = 2; i < sentence.tokens.size(); ++i) {
        // "how many nodes for 5k users": of whatever is found.
        const bool how_many = (sentence.word(i - 1) == "many" && sentence.word(i - 2) == "how") ||
                              (sentence.word(i - 1) == "of" && sentence.word(i - 2) == "number");
        sentence.reading.in_nodes = sentence.reading.in_nodes ||
                                    (how_many && is_any(sentence.word(i), "node nodes servers") &&
                                     sentence.mentions.empty());
        // "2 a100 are too few: how many more": those in all are asked for.
        if (is_any(sentence.word(i), "more additional extra") && sentence.word(i - 1) == "many" &&
            sentence.mentions.size() == 1 && sentence.mentions.front().count) {
            sentence.assume("count", "open",
                            fmt::format("{} are there: how many it takes in all is answered",
                                        *sentence.mentions.front().count));
            sentence.mentions.front().count.reset();
        }
    }
}

}  // namespace ridgeline::reading
