#include "advise/reading/words/shorthand.h"

#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

// Words that stand for others by what is around them, before anything is recognised.

namespace ridgeline::reading {
namespace {

void drop_token(std::vector<Token>& tokens, std::size_t at) {
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
}

/// "20+ tok/s" is 20 at least, as every rate is; "24gb+" of a card says so of its memory.
void settle_plus(std::vector<Token>& tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const bool last = i + 1 >= tokens.size() || tokens[i + 1].gap == Gap::stop ||
                          !is_digit(tokens[i + 1].text.front());
        if (tokens[i].text != "+" || tokens[i].gap != Gap::none ||
            !is_digit(tokens[i - 1].text.front()) || !last) {
            continue;
        }
        if (memory_piece(tokens[i - 1].text) > 0) {
            tokens[i] = tokens[i - 1];
            tokens[i].gap = Gap::space;
            tokens[i - 1].text = ">";
        } else {
            drop_token(tokens, i);
        }
    }
}

/// "2 a100 80s": several of a memory that forms of the part have.
void settle_plural_memory(std::vector<Token>& tokens, const Names& names) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        std::string_view part = tokens[i - 1].text;
        part.remove_suffix(part.size() > 2 && part.back() == 's' ? 1 : 0);
        const auto forms = names.parts_by_core.find(std::string(part));
        std::string& memory = tokens[i].text;
        const std::string_view digits = std::string_view(memory).substr(0, memory.size() - 1);
        const auto size = memory.size() > 2 && memory.back() == 's' && all_digits(digits)
                              ? amount_in(digits)
                              : std::nullopt;
        if (forms == names.parts_by_core.end() || tokens[i].gap == Gap::stop || !size) {
            continue;
        }
        if (std::any_of(forms->second.begin(), forms->second.end(), [&](const Names::Part* each) {
                return each->part->marketed_gb == size->value;
            })) {
            memory = std::string(digits) + "gb";
        }
    }
}

/// Whether a model's name begins with these joined letters.
bool begins_model(const Names& names, const std::string& key) {
    return std::any_of(names.models_by_key.begin(), names.models_by_key.end(),
                       [&](const auto& each) { return each.first.starts_with(key); });
}

/// "command r+": a sign that is glued to a name of models whose longer form has the word.
void settle_plus_of_name(std::vector<Token>& tokens, const Names& names) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const bool ends = i + 1 >= tokens.size() || tokens[i + 1].gap != Gap::none;
        if (tokens[i].text != "+" || tokens[i].gap != Gap::none || !ends) {
            continue;
        }
        const std::string own = tokens[i - 1].text;
        const bool joined = i > 1 && tokens[i - 1].gap != Gap::stop;
        if (begins_model(names, bare(own) + "plus") ||
            (joined && begins_model(names, bare(tokens[i - 2].text + own) + "plus"))) {
            tokens[i].text = "plus";
            tokens[i].gap = Gap::joint;
        }
    }
}

/// What says how something is made or run: a method, an engine, a type of weights.
bool names_way(const Names& names, const std::string& word) {
    const auto rows = names.lexicon.find(word);
    return std::any_of(rows.begin(), rows.end(), [](const auto* row) {
        return row->means == Means::framework || row->means == Means::quantization ||
               row->means == Means::compute || row->means == Means::optimizer ||
               (row->means == Means::train && !row->value.empty());
    });
}

/// "w/o nvlink": "without". "a 14b w lora", "a rig w 20 users", "batch 8 w/ lora": "with"; behind a
/// plain number the letter is watts or weeks unless a way of working follows.
void settle_with(std::vector<Token>& tokens, const Names& names) {
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        const Token& next = tokens[i + 1];
        const bool apart = tokens[i].gap == Gap::space || tokens[i].gap == Gap::paren ||
                           tokens[i].gap == Gap::stop;
        if (tokens[i].text != "w" || !apart || next.gap == Gap::stop) {
            continue;
        }
        if (next.text == "o" && next.gap == Gap::slash) {
            tokens[i].text = "without";
            tokens[i].end = next.end;
            drop_token(tokens, i + 1);
            continue;
        }
        const auto before = amount_in(tokens[i - 1].text);
        const bool plain = before && before->unit.empty() && tokens[i].gap == Gap::space;
        if (!plain || names_way(names, next.text)) {
            tokens[i].text = "with";
            tokens[i + 1].gap = next.gap == Gap::slash ? Gap::space : next.gap;
        }
    }
}

/// The letter of a size that is spelt out, and its words from `at` on; no letter: none is.
std::pair<std::string, std::size_t> letter_of_size(const std::vector<Token>& tokens,
                                                   std::size_t at) {
    static constexpr std::pair<std::string_view, std::string_view> sizes[] = {
        {"nano", "n"}, {"tiny", "t"},  {"small", "s"}, {"medium", "m"}, {"med", "m"},
        {"big", "l"},  {"large", "l"}, {"huge", "h"},  {"xlarge", "x"}, {"extralarge", "x"}};
    const bool extra = at + 1 < tokens.size() && is_any(tokens[at].text, "extra x") &&
                       tokens[at + 1].text == "large" && tokens[at + 1].gap != Gap::stop;
    for (const auto& [word, letter] : sizes) {
        if (!extra && tokens[at].text == word) {
            return {std::string(letter), 1};
        }
    }
    return extra ? std::pair{std::string("x"), std::size_t{2}}
                 : std::pair{std::string(), std::size_t{0}};
}

/// "yolov8 large", "yolo v8 small": releases whose sizes are letters in their names.
void settle_letters(std::vector<Token>& tokens, const Names& names) {
    const auto known = [&](const std::string& key) { return names.models_by_key.contains(key); };
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const auto [letter, words] = letter_of_size(tokens, i);
        if (letter.empty() || tokens[i].gap == Gap::stop || !has_digit(tokens[i - 1].text)) {
            continue;
        }
        std::string key = bare(tokens[i - 1].text);
        if (!known(key + letter) && i > 1 && tokens[i - 1].gap != Gap::stop) {
            key = bare(tokens[i - 2].text) + key;
        }
        if (known(key + letter) && !begins_model(names, key + tokens[i].text)) {
            tokens[i - 1].text += letter;
            tokens[i - 1].end = tokens[i + words - 1].end;
            for (std::size_t n = 0; n < words; ++n) {
                drop_token(tokens, i);
            }
        }
    }
}

/// "gebraucht", "d'occasion", "usada": what is sold a second time, in other languages; "neue" the
/// first.
void settle_used(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (is_any(tokens[i].text,
                   "gebraucht gebrauchte gebrauchten gebrauchter gebrauchtes doccasion usado usada "
                   "usados usadas usato usata usati tweedehands begagnad")) {
            tokens[i].text = "used";
        } else if (is_any(tokens[i].text,
                          "neue neuer neues neuen neuve nuevo nueva nuovo nuova nieuwe")) {
            tokens[i].text = "new";
        } else if (is_any(tokens[i].text, "gebrauchtpreis gebrauchtpreise gebrauchtmarkt")) {
            const std::size_t market = tokens[i].text.ends_with("markt") ? 1 : 0;
            Token price = tokens[i];
            price.text = market == 1 ? "market" : "price";
            price.gap = Gap::space;
            tokens[i].text = "used";
            tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1), std::move(price));
            ++i;
        }
    }
}

/// "in comfy": people's word for ComfyUI; "fits comfy" is none.
void settle_comfy(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool named = i + 1 < tokens.size() && tokens[i + 1].text == "ui";
        const bool easy = i > 0 && is_any(tokens[i - 1].text,
                                          "fit fits fitting run runs running is be pretty very so "
                                          "more quite a nice");
        if (tokens[i].text == "comfy" && !named && !easy) {
            tokens[i].text = "comfyui";
        }
    }
}

/// "my own private chatgpt", "something like chatgpt": a kind of thing, as no weights of it are to
/// be had; one that is to be trained stays what it is called.
void settle_kind_of_product(std::vector<Token>& tokens) {
    const bool trained = std::ranges::any_of(tokens, [](const Token& each) {
        return is_any(each.text, "train training pretrain pretraining scratch finetune");
    });
    for (std::size_t i = 0; i < tokens.size() && !trained; ++i) {
        const bool before =
            i > 0 && is_any(tokens[i - 1].text,
                            "own private personal local offline like similar mini selfhosted "
                            "homemade");
        const bool behind =
            i + 1 < tokens.size() && tokens[i + 1].gap != Gap::stop &&
            is_any(tokens[i + 1].text, "like alternative alternatives clone style equivalent");
        if (tokens[i].text == "chatgpt" && (before || behind)) {
            tokens[i].text = "chatbot";
        }
    }
}

/// "ds zero2", "ds z3 offload", "ds config": the library, beside what it alone has; "ds v3" is a
/// model.
void settle_deepspeed(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::string_view next = tokens[i + 1].text;
        const bool own =
            next.starts_with("zero") ||
            is_any(next, "z1 z2 z3 stage offload config ulysses moe inference fastgen");
        if (tokens[i].text == "ds" && own && tokens[i + 1].gap != Gap::stop) {
            tokens[i].text = "deepspeed";
        }
    }
}

/// "how much r 2 a6000s": a verb, no rank; "co-workers" are one word.
void settle_are(std::vector<Token>& tokens) {
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        if (tokens[i - 1].text == "co" && is_any(tokens[i].text, "worker workers") &&
            tokens[i].gap != Gap::stop) {
            tokens[i - 1].text += tokens[i].text;
            tokens[i - 1].end = tokens[i].end;
            drop_token(tokens, i);
            continue;
        }
        if (tokens[i].text == "r" && is_any(tokens[i - 1].text, "much many what how")) {
            tokens[i].text = "are";
        }
    }
}

}  // namespace

void settle_shorthand(std::vector<Token>& tokens, const Names& names) {
    settle_are(tokens);
    settle_deepspeed(tokens);
    settle_used(tokens);
    settle_comfy(tokens);
    settle_kind_of_product(tokens);
    settle_with(tokens, names);
    settle_letters(tokens, names);
    settle_plus_of_name(tokens, names);
    settle_plus(tokens);
    settle_plural_memory(tokens, names);
}

void join_overnight(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].text == "max" && tokens[i + 1].text == "q" &&
            tokens[i + 1].gap != Gap::stop) {
            tokens[i].text = "maxq";
            tokens[i].end = tokens[i + 1].end;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1));
            continue;
        }
        const bool always =
            tokens[i].text == "24" && tokens[i + 1].text == "7" && tokens[i + 1].gap == Gap::slash;
        if (always || (tokens[i].text == "over" && tokens[i + 1].text == "night" &&
                       tokens[i + 1].gap != Gap::stop)) {
            tokens[i].text = always ? "24x7" : "overnight";
            tokens[i].end = tokens[i + 1].end;
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
    }
}

}  // namespace ridgeline::reading
