#include "advise/reading/models/own_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::reading {
namespace {

/// A number at token i with its unit, glued or behind it.
struct Number {
    double value = 0;
    std::string unit{};
    std::size_t length = 0;
};

Number number_with_unit_at(const Sentence& sentence, std::size_t i) {
    const auto amount = sentence.open(i) ? amount_in(sentence.word(i)) : std::nullopt;
    if (!amount) {
        return {};
    }
    Number number{amount->value, amount->unit, 1};
    const double glued = scale_of_word(number.unit);
    if (glued > 0) {
        number.value *= glued;
        number.unit.clear();
    }
    if (number.unit.empty() && sentence.follows(i + 1)) {
        const std::string_view next = sentence.word(i + 1);
        const double scale = scale_of_word(next);
        if (scale > 0) {
            number.value *= scale;
            number.length = 2;
        } else if (is_any(next, "gb gib tb gigabytes terabytes")) {
            number.unit = next;
            number.length = 2;
        }
    }
    return number;
}

/// A size of a network, by the words before or behind its number.
struct Size {
    std::string_view kind;  ///< of the network, as its profile says
    std::string_view words;
    std::string_view key;
};
// clang-format off
constexpr Size sizes[] = {
    {"recurrent", "hidden units cells wide width", "hidden_size"},
    {"recurrent", "layer layers", "num_layers"},
    {"recurrent", "vocab vocabulary words", "vocab_size"},
    {"recommender", "dim dims dimension dimensions dimensional embedding embeddings emb",
     "embedding_dim"},
    {"recommender", "rows row entries", "rows"},
};
// clang-format on

/// What a table of two towers has a row of.
constexpr std::string_view things_of_towers =
    "users user items item products product movies ads videos tracks songs customers";

/// "hidden size of 1500", "1500 hidden units": tokens of it, and the number.
std::size_t size_at(const Sentence& sentence, std::size_t i, std::string_view words,
                    Number& number) {
    if (is_any(sentence.word(i), words)) {
        std::size_t at = i + 1;
        while (at < i + 4 && sentence.follows(at) &&
               is_any(sentence.word(at), "size dim of is = count units state")) {
            ++at;
        }
        number = sentence.follows(at) ? number_with_unit_at(sentence, at) : Number{};
        const bool next = sentence.follows(at + number.length) &&
                          is_any(sentence.word(at + number.length),
                                 "layer layers rows row entries tables features");
        return number.length > 0 && number.unit.empty() && !next ? at + number.length - i : 0;
    }
    number = number_with_unit_at(sentence, i);
    std::size_t at = i + number.length;
    if (number.length > 0 && sentence.follows(at) &&
        is_any(sentence.word(at), "embedding hidden") && !is_any(sentence.word(at), words)) {
        ++at;
    }
    return number.length > 0 && number.unit.empty() && sentence.follows(at) &&
                   is_any(sentence.word(at), words)
               ? at + 1 - i
               : 0;
}

/// "2 TB DLRM", "DLRM of 2 TB": what is so large of such a model are its tables, unless it is data.
std::size_t terabytes_at(const Sentence& sentence, std::size_t i, Number& number) {
    constexpr std::string_view names = "dlrm recommender recsys";
    number = number_with_unit_at(sentence, i);
    const std::size_t end = i + number.length;
    const bool before =
        i > 1 && is_any(sentence.word(i - 1), "of with at") && is_any(sentence.word(i - 2), names);
    if (number.length == 0 || !is_any(number.unit, "tb terabyte terabytes") ||
        !(before || is_any(sentence.word(end), names)) ||
        sentence.any_word("criteo dataset datasets data logs ssd nvme disk storage")) {
        return 0;
    }
    number.value *= 1000;
    return end - i;
}

/// "100 GB of embeddings", "embedding tables of 2 TB".
std::size_t tables_at(const Sentence& sentence, std::size_t i, Number& number) {
    if (const std::size_t whole = terabytes_at(sentence, i, number); whole > 0) {
        return whole;
    }
    constexpr std::string_view tables = "embedding embeddings tables table emb";
    std::size_t at = i;
    const bool before = is_any(sentence.word(i), tables);
    while (
        before && at < i + 4 && (at == i || sentence.follows(at)) &&
        is_any(sentence.word(at), "embedding embeddings tables table emb of with size total at")) {
        ++at;
    }
    number = number_with_unit_at(sentence, at);
    const double scale = is_any(number.unit, "gb gib gigabytes") ? 1
                         : is_any(number.unit, "tb terabytes")   ? 1000
                                                                 : 0;
    number.value *= scale;
    if (scale == 0) {
        return 0;
    }
    std::size_t end = at + number.length;
    if (before) {
        return end - i;
    }
    while (end < at + number.length + 2 && sentence.follows(end) &&
           is_any(sentence.word(end), "of in for")) {
        ++end;
    }
    const std::size_t noun = end;
    while (sentence.follows(end) && is_any(sentence.word(end), tables)) {
        ++end;
    }
    return end > noun ? end - i : 0;
}

/// "26 tables of", "26 embedding tables with", "26 tables x" before token i, or "each" and "per
/// table" from token `end` on: the rows between are those of one table. Returns how many tables
/// there are; 1: all rows were counted.
double tables_of_rows(Sentence& sentence, std::size_t i, std::size_t end) {
    const bool behind = sentence.follows(end) && is_any(sentence.word(end), "each apiece per a");
    for (std::size_t at = 0; at + 1 < sentence.tokens.size(); ++at) {
        const Number number = number_with_unit_at(sentence, at);
        std::size_t noun = at + number.length;
        noun += is_any(sentence.word(noun), "embedding sparse lookup") ? 1 : 0;
        const bool tables = number.length > 0 && number.unit.empty() && sentence.follows(noun) &&
                            is_any(sentence.word(noun), "tables features fields");
        const bool before = noun + 2 == i && is_any(sentence.word(noun + 1), "of with x at");
        if (tables && (before || behind)) {
            sentence.claim(at, noun + (before ? 2 : 1) - at);
            if (behind) {
                sentence.claim(end, is_any(sentence.word(end), "per a") ? 2 : 1);
            }
            return std::max(1.0, number.value);
        }
    }
    return 1;
}

/// "2 layers of 1024": tokens of the width behind a number of layers.
std::size_t width_behind(const Sentence& sentence, std::size_t i, Number& width) {
    if (!sentence.follows(i) || !is_any(sentence.word(i), "of x with")) {
        return 0;
    }
    constexpr double most = 65'536;
    width = number_with_unit_at(sentence, i + 1);
    return width.length > 0 && width.unit.empty() && width.value <= most ? 1 + width.length : 0;
}

/// "1 million sequences of 200 steps": so many samples, each so long.
std::size_t take_sequences(Sentence& sentence, std::size_t i) {
    const Number count = number_with_unit_at(sentence, i);
    const std::size_t noun = i + count.length;
    if (count.length == 0 || !count.unit.empty() || !sentence.follows(noun) ||
        !is_any(sentence.word(noun), "sequences series")) {
        return 0;
    }
    const bool of = sentence.follows(noun + 1) && is_any(sentence.word(noun + 1), "of with x");
    const Number steps = of ? number_with_unit_at(sentence, noun + 2) : Number{};
    std::size_t end = noun + 2 + steps.length;
    end += sentence.follows(end) && sentence.word(end) == "time" ? 1 : 0;
    const bool long_each = steps.length > 0 && steps.unit.empty() && sentence.follows(end) &&
                           is_any(sentence.word(end), "steps timesteps points tokens");
    sentence.reading.samples = count.value;
    if (long_each) {
        sentence.reading.sequence = static_cast<int>(std::min(steps.value, 1e6));
    }
    return (long_each ? end : noun) + 1 - i;
}

/// "an embedding of 1 billion rows x 64 dim", "embedding tables of 2 TB": those of a recommender,
/// where no network is named.
void take_tables(Sentence& sentence) {
    static constexpr std::string_view tables = "embedding embeddings";
    bool told = sentence.any_word(tables) && sentence.any_word("rows") &&
                sentence.any_word("dim dims dimension dimensions dimensional");
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        told = told ||
               (is_any(sentence.word(i), tables) && is_any(sentence.word(i + 1), "table tables"));
    }
    // "a 500M x 128 embedding table"
    const auto sides = [&sentence](std::size_t noun) -> std::optional<std::string> {
        if (noun < 3 || sentence.word(noun - 2) != "x" || !is_any(sentence.word(noun), tables)) {
            return std::nullopt;
        }
        const Number rows = number_with_unit_at(sentence, noun - 3);
        const Number width = number_with_unit_at(sentence, noun - 1);
        return rows.length == 1 && width.length == 1 && rows.unit.empty() && width.unit.empty()
                   ? std::optional(
                         fmt::format(":rows={:.0f},embedding_dim={:.0f}", rows.value, width.value))
                   : std::nullopt;
    };
    if (told && sentence.reading.model.empty()) {
        sentence.reading.model = "dlrm-criteo-1tb";
        sentence.assume("model", sentence.reading.model,
                        "tables of embeddings are those of a recommender, as none was named: its "
                        "other layers are small beside them");
        for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
            if (const auto said = sides(i)) {
                sentence.reading.model += *said;
                sentence.claim(i - 3, 5);
            }
        }
    }
}

/// "two tower PCs", "two towers with 4x 4090 each" from token `at` on, behind "towers": computers.
bool are_computers(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return false;
    }
    if (is_any(sentence.word(at),
               "pc pcs computer computers case cases chassis server servers workstation "
               "workstations machine machines build builds rig rigs box boxes desktop desktops "
               "system systems gpu")) {
        return true;
    }
    const auto part = [&](std::size_t i) {
        return std::ranges::any_of(sentence.mentions,
                                   [i](const Mention& each) { return each.at == i; });
    };
    bool held = false;
    for (std::size_t i = at; sentence.follows(i); ++i) {
        if (held && part(i)) {
            return true;
        }
        const bool holds = is_any(sentence.word(i), "with having have holding containing of");
        if (!holds && !has_digit(sentence.word(i)) &&
            !is_any(sentence.word(i), "each a an one two three four x rtx nvidia")) {
            return false;
        }
        held = held || holds;
    }
    return false;
}

/// Whether a size tells of another model: "7B"; "1B users" are rows.
bool names_a_size(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool rows =
            sentence.follows(i + 1) && (is_any(sentence.word(i + 1), things_of_towers) ||
                                        is_any(sentence.word(i + 1),
                                               "rows row entries embedding embeddings ids "
                                               "samples examples clicks interactions"));
        if (parameters_in(sentence.word(i)) && !rows) {
            return true;
        }
    }
    return false;
}

/// "a two-tower recommender", where no other model is named and no computers are meant: its name
/// would make names of all that begins with "two".
void take_towers(Sentence& sentence) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (sentence.reading.model.empty() && sentence.open(i) &&
            is_any(sentence.word(i), "two dual") && is_any(sentence.word(i + 1), "tower towers") &&
            !are_computers(sentence, i + 2) && !names_a_size(sentence)) {
            sentence.tokens[i + 1].text = "towers";  // no form of a computer
            sentence.reading.model = "twotower";
            sentence.assume("model", sentence.reading.model,
                            "a table of users, one of items, and small products behind each");
            sentence.claim(i, 2);
        }
    }
}

/// "a recsys with 200M users and 50M items": two kinds of things that a recommender has rows of, or
/// one of them and the width of a row.
void take_recommender(Sentence& sentence) {
    const auto said = std::ranges::find_if(sentence.tokens, [](const Token& token) {
        return is_any(token.text, "recsys recommender recommenders recommendation recommendations");
    });
    if (said == sentence.tokens.end() || !sentence.reading.model.empty()) {
        return;
    }
    int told = sentence.any_word("dim dims dimension dimensions embedding embeddings") ? 1 : 0;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        Number number;
        const std::size_t length =
            amount_in(sentence.word(i)) ? size_at(sentence, i, things_of_towers, number) : 0;
        told += length > 0 ? 1 : 0;
    }
    if (told >= 2) {
        sentence.reading.model = "twotower";
        sentence.assume("model", sentence.reading.model,
                        "a table of users, one of items, and small products behind each");
        sentence.claim(static_cast<std::size_t>(said - sentence.tokens.begin()));
    }
}

}  // namespace

void recognise_own_sizes(Sentence& sentence) {
    take_recommender(sentence);
    take_towers(sentence);
    take_tables(sentence);
    const auto known = sentence.named_architecture();
    const std::string kind = known && known->network ? known->network->type : std::string();
    const bool nodes =
        kind == "gnn" || (known && known->network && known->network->word("unit") == "nodes");
    if (nodes && (sentence.any_word("fullbatch") ||
                  (sentence.any_word("full whole entire") && sentence.any_word("batch graph")))) {
        sentence.fail("a whole graph as one batch is not estimated, only sampled neighbours",
                      "Example: \"graphsage on ogbn-products, batch 1024, on a 4090\".");
        return;
    }
    if (kind != "recurrent" && kind != "recommender") {
        return;
    }
    std::vector<std::string> figures;
    const auto told = [&](std::string_view key) {
        const std::string start = std::string(key) + "=";
        return std::ranges::any_of(
            figures, [&](const std::string& each) { return each.starts_with(start); });
    };
    const auto add = [&](std::string_view key, double value) {
        if (!told(key)) {
            figures.push_back(fmt::format("{}={:.0f}", key, value));
        }
    };
    const bool towers = sentence.reading.model.starts_with("twotower");
    double of_towers = 0;  // rows of both tables
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        Number number;
        std::size_t length = kind == "recommender" ? tables_at(sentence, i, number) : 0;
        if (length > 0) {
            add("table_gb", number.value);
        } else if (towers && (length = size_at(sentence, i, things_of_towers, number)) > 0) {
            of_towers += number.value;
            if (const std::size_t more = width_behind(sentence, i + length, number); more > 0) {
                add("embedding_dim", number.value);  // "30M items x 64"
                length += more;
            }
        } else if (kind == "recurrent") {
            length = take_sequences(sentence, i);
        }
        for (const Size& size : sizes) {
            if (length == 0 && size.kind == kind) {
                length = size_at(sentence, i, size.words, number);
                if (length > 0) {
                    const bool rows = size.key == "rows";
                    add(size.key,
                        number.value * (rows ? tables_of_rows(sentence, i, i + length) : 1));
                    // A width that was told is not told again: what follows is another number.
                    const bool layers = size.key == "num_layers" && !told("hidden_size");
                    const std::size_t more =
                        layers ? width_behind(sentence, i + length, number) : 0;
                    if (more > 0) {
                        add("hidden_size", number.value);
                        length += more;
                    }
                }
            }
        }
        sentence.claim(i, length);
        i += length > 0 ? length - 1 : 0;
    }
    if (of_towers > 0) {
        add("rows", of_towers);
    }
    if (!figures.empty()) {
        sentence.reading.model += fmt::format(":{}", fmt::join(figures, ","));
    }
}

}  // namespace ridgeline::reading
