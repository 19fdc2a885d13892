#include "advise/reading/models/model_family.h"

#include "advise/reading/models/best_model.h"
#include "advise/reading/models/datasets.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/models/named_model.h"
#include "advise/reading/words/lexicon.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>

// A model by its family, with version, size and kind in any order: "llama 3.1 8b", "70b llama".

namespace ridgeline::reading {
namespace {

/// What stands of a name, in pieces.
struct Found {
    std::vector<std::string> pieces;
    std::size_t end = 0;
    std::string written;  ///< as the question joins it
};

bool names_weights(const Sentence& sentence, std::string_view word) {
    return std::ranges::any_of(sentence.names.lexicon.find(word), [](const Phrase* phrase) {
        return phrase->means == Means::quantization || phrase->means == Means::compute;
    });
}

/// What a word behind a family does to its name.
enum class Goes {
    on,      ///< it adds a piece
    beside,  ///< it belongs there and adds no more
    no,      ///< the name ends before it
};

Goes take_size(const Sentence& sentence, Found& found, const NamedModels& models) {
    const std::string word(sentence.word(found.end));
    // "llama 8b tokens per second" asks for a rate of a model of 8B.
    const bool rate = is_any(sentence.word(found.end + 2), "per a s sec second");
    const bool size = is_size_piece(word);
    if (size &&
        ((!rate && is_work(word, sentence.word(found.end + 1))) || has_size(found.pieces))) {
        return Goes::no;
    }
    // "unet (31M params)": networks whose names have no size; the words tell how large it is.
    const bool told = size &&
                      is_any(sentence.word(found.end + 1), "param params parameter parameters") &&
                      std::ranges::none_of(
                          models, [](const Names::Model& each) { return has_size(each.pieces); });
    if (told) {
        return Goes::no;
    }
    if (!is_any(word, "model models")) {
        found.pieces.push_back(word);
    }
    return Goes::on;
}

/// "llama 7 500b" names a release that nothing knows, not a Llama of the usual size.
bool is_release_before_size(const Sentence& sentence, const Found& found) {
    return has_digit(sentence.word(found.end)) && sentence.follows(found.end + 1) &&
           sentence.open(found.end + 1) && !has_size(found.pieces) &&
           is_size_piece(sentence.word(found.end + 1));
}

Goes take_version(const Sentence& sentence, Found& found, const NamedModels& models, bool glued) {
    const std::string word(sentence.word(found.end));
    // "dlrm embedding tables" are a part of the network, no other one.
    if (word == "embedding" &&
        is_any(sentence.word(found.end + 1), "table tables layer layers matrix size dim weights")) {
        return Goes::no;
    }
    const bool number = is_version_piece(word);
    if (number && counts_something(sentence, found.end)) {
        return Goes::no;
    }
    std::vector<std::string> longer = found.pieces;
    for (const std::string& piece : model_pieces(word)) {
        longer.push_back(piece);
    }
    if (!can_continue(models, longer)) {
        if (number && is_release_before_size(sentence, found)) {
            found.pieces = std::move(longer);
            found.written += " " + word;
            return Goes::beside;
        }
        if (glued && is_release_date(word)) {
            return Goes::beside;
        }
        const bool weights = names_weights(sentence, word) || is_any(word, "lora qlora iq4 iq3");
        // "nemotron ultra 253b", "nemotron super": another model of the family
        const bool before_size =
            sentence.follows(found.end + 1) && is_size_piece(sentence.word(found.end + 1));
        const bool kind = (before_size && is_any(word, "ultra super nano pro lite")) ||
                          (found.pieces.size() == 1 && is_any(word, "ultra super nano"));
        const bool named = kind ||
                           (glued && sentence.tokens[found.end].gap != Gap::slash &&
                            (number || has_letter(word))) ||
                           is_kind_word(word);
        if (weights || !named) {
            return Goes::no;
        }
    }
    found.pieces = std::move(longer);
    return Goes::on;
}

/// The family's pieces from token `at` on.
Found collect(const Sentence& sentence, std::size_t at, const NamedModels& models) {
    Found found{model_pieces(sentence.word(at)), at + 1, std::string(sentence.word(at))};
    while (sentence.open(found.end) && sentence.follows(found.end) && found.end < at + 8) {
        const std::string word(sentence.word(found.end));
        const Gap gap = sentence.tokens[found.end].gap;
        const bool glued = gap == Gap::joint || gap == Gap::none || gap == Gap::colon;
        if (word == "it" && sentence.follows(found.end + 1) &&
            sentence.tokens[found.end + 1].gap == Gap::slash) {
            break;  // "it/s" are iterations
        }
        const bool sees = word == "vl" && found.pieces.front().starts_with("qwen");
        if (sees) {
            found.pieces.push_back(word);
        }
        const Goes goes = sees ? Goes::on
                          : is_release_word(word) || is_size_piece(word)
                              ? take_size(sentence, found, models)
                              : take_version(sentence, found, models, glued);
        if (goes == Goes::no) {
            break;
        }
        if (goes == Goes::on) {
            found.written += (glued ? "-" : " ") + word;
        }
        ++found.end;
    }
    return found;
}

/// A name in the style of the family's ids: "qwen2.5-...", "llama-3.1-...".
std::string unknown_id(const Found& found, const NamedModels& models) {
    const std::string& family = found.pieces.front();
    const bool apart = found.written.starts_with(family + "-");
    const bool glue = !apart && std::ranges::any_of(models, [&](const Names::Model& model) {
        return model.id.size() > family.size() && model.id.starts_with(family) &&
               is_digit(model.id[family.size()]);
    });
    std::string id = family;
    for (std::size_t i = 1; i < found.pieces.size(); ++i) {
        if (!is_release_word(found.pieces[i])) {
            id +=
                (glue && i == 1 && is_version_piece(found.pieces[i]) ? "" : "-") + found.pieces[i];
        }
    }
    return id;
}

/// A size that stands before the family, or in the rest of its path.
void add_size_apart(Sentence& sentence, std::size_t at, Found& found) {
    if (const auto before = size_before(sentence, at); before && !has_size(found.pieces)) {
        found.pieces.emplace_back(sentence.word(*before));
        sentence.claim(*before);
        found.written = std::string(sentence.word(*before)) + " " + found.written;
    }
    if (const std::size_t size = has_size(found.pieces) ? 0 : size_in_path(sentence, found.end);
        size > 0) {
        found.pieces.emplace_back(sentence.word(size));
        sentence.claim(size);
    }
}

std::string usual_of(const Sentence& sentence, std::string_view family) {
    const auto& ids = sentence.vocabulary.profiles.model_ids;
    for (const Usual& usual : usual_models()) {
        if (usual.family == family && std::ranges::find(ids, usual.id) != ids.end()) {
            return std::string(usual.id);
        }
    }
    return "";
}

/// "sd3.5 medium" where "large" alone is known: the size right behind a name that its id has not;
/// empty: there is none.
std::string other_size(const Sentence& sentence, std::size_t end, const std::string& id) {
    static constexpr std::string_view sizes[] = {"tiny", "small", "medium", "base", "large", "xl"};
    if (!sentence.follows(end) || !sentence.open(end)) {
        return {};
    }
    const auto pieces = split(id, '-');
    const auto among = [&](std::string_view word) {
        return std::ranges::find(pieces, word) != pieces.end();
    };
    const bool sized = std::any_of(std::begin(sizes), std::end(sizes), among);
    const bool said =
        std::find(std::begin(sizes), std::end(sizes), sentence.word(end)) != std::end(sizes);
    return sized && said && !among(sentence.word(end)) ? std::string(sentence.word(end))
                                                       : std::string();
}

/// Families whose name is a word of English: alone it names no model.
bool is_plain_word(std::string_view family) {
    return is_any(family,
                  "command ds step solar seed opt sam kimi a 3d ring ling llm text aya openai wide "
                  "legacy nest pit tiny stable black bat mask "
                  "efficient lambda dolphin cosmos twins res gpt r ms neural arctic cross legal "
                  "twitter hermes starling nous rnn");
}

/// "the big llama", "the largest qwen": the size of the family that is meant, "70b"; empty: no such
/// word stands before it. Without a superlative those that fill a whole server are not.
std::string size_by_degree(const Sentence& sentence, std::size_t at, const NamedModels& models) {
    constexpr double least = 20e9;  // below, "large" is a part of a name
    constexpr double most_of_big = 100e9;
    const std::string_view word =
        at > 0 && sentence.follows(at) ? sentence.word(at - 1) : std::string_view();
    const bool superlative = is_any(word, "biggest largest");
    if (!superlative && !is_any(word, "big large huge")) {
        return {};
    }
    std::string chosen;
    double largest = least;
    for (const Names::Model& model : models) {
        // What only has the shape of another family's model is none of the large ones of its own.
        if (model.pieces.empty() || !model.id.starts_with(model.pieces.front())) {
            continue;
        }
        for (const std::string& piece : model.pieces) {
            const double size = is_size_piece(piece) ? parameters_in(piece).value_or(0) : 0;
            if (size > largest && (superlative || size <= most_of_big)) {
                largest = size;
                chosen = piece;
            }
        }
    }
    return chosen;
}

/// Whether a family alone, without a version or a size, is another word of the question.
bool is_another_word(const Sentence& sentence, std::size_t at, const std::string& family,
                     const std::string& said) {
    // "faster than": the family of Faster R-CNN begins with a word of the grammar itself.
    const bool grammar = !sentence.names.lexicon.find(said).empty();
    const bool clip =
        family == "clip" && (is_footage(sentence, at) || !sentence.reading.model.empty());
    return grammar || clip || is_plain_word(family);
}

/// A family alone: an alias of that name, or what people mean by it.
bool take_alone(Sentence& sentence, std::size_t at, std::size_t end, const std::string& said) {
    if (sentence.reading.model.ends_with("-" + said)) {  // "sdxl full unet": the network of it
        sentence.claim(at, end - at);
        return true;
    }
    if (const std::string id = named_by_set(sentence, said); !id.empty()) {
        take_model(sentence, at, end, id, true);
        return true;
    }
    const auto exact = sentence.names.models_by_key.find(said);
    const std::string id =
        exact != sentence.names.models_by_key.end() ? exact->second : usual_of(sentence, said);
    if (id.empty()) {
        return false;
    }
    if (id != said) {
        sentence.assume("model", id, "\"" + said + "\" leaves version and size open");
    }
    take_model(sentence, at, end, id, true);
    return true;
}

/// Whether a model has about as many parameters as `size` says ("14b"); none: its count is unknown.
std::optional<bool> is_of_size(const Sentence& sentence, const std::string& id,
                               const std::string& size) {
    const auto& architecture = sentence.vocabulary.architecture;
    const auto model = architecture ? architecture(id) : std::nullopt;
    if (!model || !model->published_parameters) {
        return std::nullopt;
    }
    constexpr double alike = 0.1;
    const auto own = static_cast<double>(*model->published_parameters);
    return std::abs(own - parameters_in(size).value_or(0)) <= alike * own;
}

/// "hunyuanvideo 13b": a family whose names have no size, and the size of the one that is meant.
bool take_alone_of_size(Sentence& sentence, std::size_t at, const Found& found) {
    const std::string family = found.pieces.front();
    const std::string& size = found.pieces.back();
    const auto exact = sentence.names.models_by_key.find(family);
    if (found.pieces.size() != 2 || !is_size_piece(size) ||
        exact == sentence.names.models_by_key.end() ||
        !is_of_size(sentence, exact->second, size).value_or(false)) {
        return false;
    }
    take_model(sentence, at, found.end, exact->second, true);
    return true;
}

/// "grok 4 on 8 h200": a number behind a family's name that counts nothing is a version of it.
bool names_other_version(const Sentence& sentence, std::size_t i) {
    const bool digit = sentence.follows(i) && sentence.open(i) && all_digits(sentence.word(i)) &&
                       sentence.word(i).size() == 1 && sentence.tokens[i].gap != Gap::stop;
    const bool counts =
        counts_something(sentence, i) || amount_in(sentence.word(i + 1)) ||
        is_any(sentence.word(i + 1), "x h100 h200 a100 b200 v100 gpu gpus card cards way bit");
    // "8 h200 for grok 4" ends so.
    return digit && (!sentence.follows(i + 1) ||
                     (!counts && (is_any(sentence.word(i + 1),
                                         "on in at with using fit fits need needs run runs running "
                                         "require requires take takes for or vs inference serving "
                                         "training tokens tok throughput speed"))));
}

/// The model of a family that the pieces mean. Names without a size may be told with one: "phi-4
/// 14b" is Phi-4 and "phi-4 8b" is nothing, "glm 4.5 110b" is the member of that size.
const Names::Model* meant(const Sentence& sentence, const Found& found, const NamedModels& models) {
    const Names::Model* best = best_of(models, found.pieces);
    const auto size = std::ranges::find_if(found.pieces, is_size_piece);
    if (best == nullptr || size == found.pieces.end() || has_size(best->pieces) ||
        is_of_size(sentence, best->id, *size).value_or(true)) {
        return best;
    }
    for (const Names::Model& model : models) {
        const bool all = std::ranges::all_of(found.pieces, [&](const std::string& piece) {
            return is_size_piece(piece) || is_release_word(piece) ||
                   std::ranges::find(model.pieces, piece) != model.pieces.end();
        });
        if (all && !has_size(model.pieces) &&
            is_of_size(sentence, model.id, *size).value_or(false)) {
            return &model;
        }
    }
    return nullptr;
}

void take_best(Sentence& sentence, std::size_t at, const Found& found, const NamedModels& models,
               const Names::Model& best, std::size_t said) {
    if (const std::string other = other_size(sentence, found.end, best.id); !other.empty()) {
        take_model(sentence, at, found.end + 1, unknown_id(found, models) + "-" + other, false);
        return;
    }
    if (names_other_version(sentence, found.end)) {
        take_model(sentence, at, found.end + 1,
                   unknown_id(found, models) + "-" + std::string(sentence.word(found.end)), false);
        return;
    }
    if (best.pieces.size() != said) {
        sentence.assume("model", best.id, "the newest that \"" + found.written + "\" may mean");
    }
    take_model(sentence, at, found.end, best.id, true);
}

/// The highest version among pieces of names; 0: none is one.
double version_of(const std::vector<std::string>& pieces) {
    double highest = 0;
    for (const std::string& piece : pieces) {
        highest = is_version_piece(piece) && !is_size_piece(piece)
                      ? std::max(highest, number_with_suffix(piece).value_or(0))
                      : highest;
    }
    return highest;
}

/// "llama-5-70b": a later version than any that is known.
bool is_of_later_version(const Found& found, const NamedModels& models) {
    constexpr double highest_version = 20;  // beyond it a number is a date or a size
    const double said = version_of(found.pieces);
    return said > 0 && said < highest_version &&
           std::ranges::all_of(models, [said](const Names::Model& each) {
               const double own = version_of(each.pieces);
               return own < said || own >= highest_version;
           });
}

/// What a name that nothing knows tells of its size, where a word or a later version tells it from
/// those that are known ("nemotron ultra 253b", "qwen3-next 80b-a3b", "llama-5-70b"): "253b",
/// "80b-a3b"; empty: it tells none, or it is a known name with another number.
std::string size_in_name(const Found& found, const NamedModels& models) {
    std::string size;
    std::string active;
    bool apart = is_of_later_version(found, models);
    for (std::size_t i = 1; i < found.pieces.size(); ++i) {
        const std::string& piece = found.pieces[i];
        const bool share = piece.size() > 2 && piece.front() == 'a' &&
                           is_size_piece(std::string_view(piece).substr(1));
        if (is_size_piece(piece)) {
            size = size.empty() ? piece : "two";
        } else if (share) {
            active = "-" + piece;
        } else {
            apart = apart || is_any(piece, "ultra super nano pro lite next");
        }
    }
    return apart && size != "two" && !size.empty() ? size + active : std::string();
}

/// A model that no profile has, for which another is estimated.
void take_as(Sentence& sentence, std::size_t at, std::size_t end, const std::string& id,
             const std::string& other, std::string why) {
    const bool first = sentence.reading.model.empty();
    take_model(sentence, at, end, first ? id : other, true);
    if (first) {
        sentence.reading.stands_for = other;
        sentence.assume("model", other, std::move(why));
    }
}

/// "qwen2.5-vl-7b": the text half, which was made from the model of that name (arXiv 2409.12191,
/// 2502.13923, 2511.21631).
bool take_text_half(Sentence& sentence, std::size_t at, const Found& found,
                    const NamedModels& models) {
    std::vector<std::string> pieces = found.pieces;
    const bool sees = pieces.front().starts_with("qwen") && std::erase(pieces, "vl") > 0;
    const Names::Model* half = sees ? best_of(models, pieces) : nullptr;
    if (half == nullptr || !has_size(pieces)) {
        return false;
    }
    take_as(sentence, at, found.end, unknown_id(found, models), half->id,
            "the text half of \"" + found.written +
                "\"; its encoder of pictures, about 0.7B more, is not in it");
    return true;
}

bool names_framework(const Sentence& sentence, const std::string& word) {
    const auto phrases = sentence.names.lexicon.find(word);
    return std::ranges::any_of(
        phrases, [](const Phrase* phrase) { return phrase->means == Means::framework; });
}

}  // namespace

bool match_family(Sentence& sentence, std::size_t at) {
    const auto own = model_pieces(sentence.word(at));
    const auto family = own.empty() ? sentence.names.models_by_family.end()
                                    : sentence.names.models_by_family.find(own.front());
    if (family == sentence.names.models_by_family.end()) {
        return false;
    }
    const NamedModels& models = family->second;
    Found found = collect(sentence, at, models);
    if (own.front() == "all" && found.pieces.size() < 2) {
        return false;  // "14b, all weights"
    }
    add_size_apart(sentence, at, found);
    if (best_of(models, found.pieces) == nullptr) {
        found.pieces = with_point(std::move(found.pieces));
    }
    std::vector<std::string> said = found.pieces;
    std::erase_if(said, is_release_word);
    if (said.size() < 2 && is_another_word(sentence, at, own.front(), said.front())) {
        return false;
    }
    const std::string by_degree =
        said.size() == 1 ? size_by_degree(sentence, at, models) : std::string();
    if (!by_degree.empty()) {
        Found sized = found;
        sized.pieces.push_back(by_degree);
        if (const Names::Model* const large = meant(sentence, sized, models)) {
            sentence.assume("model", large->id,
                            "\"" + std::string(sentence.word(at - 1)) + " " + said.front() +
                                "\" leaves version and size open");
            take_model(sentence, at, found.end, large->id, true);
            return true;
        }
    }
    if (said.size() == 1 && take_alone(sentence, at, found.end, said.front())) {
        return true;
    }
    const Names::Model* best = meant(sentence, found, models);
    if (best == nullptr && std::erase(found.pieces, "moe") > 0) {
        best = meant(sentence, found, models);  // "a 30b qwen3 moe": the kind, told beside the size
    }
    if (best != nullptr) {
        take_best(sentence, at, found, models, *best, said.size());
        return true;
    }
    // "a 350M GPT", "gpt-3 1.3b": the name of the architecture beside a size.
    if (own.front() == "gpt" && said.size() <= 3 && is_size_piece(said.back())) {
        take_model(sentence, at, found.end, said.back(), true);
        return true;
    }
    if (take_alone_of_size(sentence, at, found)) {
        return true;
    }
    // "megatron 405b": a framework whose name a model bears, and a size.
    if (own.size() == 1 && names_framework(sentence, own.front())) {
        return false;
    }
    if (take_text_half(sentence, at, found, models)) {
        return true;
    }
    const std::string id = unknown_id(found, models);
    const std::string size = size_in_name(found, models);
    if (size.empty()) {
        take_model(sentence, at, found.end, id, false);
    } else {
        take_as(sentence, at, found.end, id, size,
                "\"" + id + "\" is in no profile: a usual model of its size");
    }
    return true;
}

}  // namespace ridgeline::reading
