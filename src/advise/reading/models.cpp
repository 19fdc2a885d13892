#include "advise/reading/best_model.h"
#include "advise/reading/lexicon.h"
#include "advise/reading/model_words.h"
#include "advise/reading/names.h"
#include "advise/reading/units.h"
#include "base/text.h"

#include <algorithm>

// Models as people write them: "llama 3.1 8b", "70b llama", "Qwen/Qwen2.5-7B-Instruct".

namespace ridgeline::reading {
namespace {

struct Found {
    std::vector<std::string> pieces;
    std::size_t end = 0;
    std::string written;  ///< as the question joins it
};

/// Does token i count hardware or a quantity instead of going on with a name?
bool counts_something(const Sentence& sentence, std::size_t i) {
    if (sentence.tokens[i].gap == Gap::joint || sentence.tokens[i].gap == Gap::none) {
        return false;
    }
    const std::string_view next = sentence.word(i + 1);
    const bool mention = std::any_of(sentence.mentions.begin(),
                                     sentence.mentions.end(),
                                     [&](const Mention& each) { return each.at == i + 1; });
    return mention || counts_things(next) ||
           is_any(next, {"user", "bit", "bits", "concurrent", "requests", "streams", "k"});
}

/// Words of the work that a number in millions counts: "1M steps" is no size of a model.
bool counts_work(std::string_view word) {
    return is_any(word, {"tokens", "token", "examples", "samples", "steps", "step", "iterations", "iters", "updates", "images",
                         "pairs", "sentences", "documents", "rows", "clips", "frames"});
}

/// "2507", "0324": the month or the day of a release, which changes no shape.
bool is_release_date(std::string_view word) {
    if (word.size() != 4 || !all_digits(word) || word == "1024") {
        return false;
    }
    const auto two = [&](std::size_t at) { return 10 * (word[at] - '0') + (word[at + 1] - '0'); };
    const bool month = two(0) >= 23 && two(0) <= 29 && two(2) >= 1 && two(2) <= 12;
    return month || (two(0) >= 1 && two(0) <= 12 && two(2) >= 1 && two(2) <= 31);
}

bool names_weights(std::string_view word) {
    return std::ranges::any_of(Lexicon::shared().find(word), [](const Phrase* phrase) {
        return phrase->means == Means::quantization || phrase->means == Means::compute;
    });
}

/// The family's pieces from token `at` on.
Found collect(const Sentence& sentence, std::size_t at, const NamedModels& models) {
    Found found{model_pieces(sentence.word(at)), at + 1, std::string(sentence.word(at))};
    while (sentence.open(found.end) && sentence.follows(found.end) && found.end < at + 8) {
        const std::size_t i = found.end;
        const std::string word(sentence.word(i));
        const bool glued = sentence.tokens[i].gap == Gap::joint ||
                           sentence.tokens[i].gap == Gap::none ||
                           sentence.tokens[i].gap == Gap::colon;
        if (word == "it" && sentence.follows(i + 1) &&
            sentence.tokens[i + 1].gap == Gap::slash) {
            break;  // "it/s" are iterations
        }
        if (is_release_word(word) || is_size_piece(word)) {
            // "llama 8b tokens per second" asks for a rate of a model of 8B.
            const bool rate = is_any(sentence.word(i + 2), {"per", "a", "s", "sec", "second"});
            if (is_size_piece(word) && !rate && counts_work(sentence.word(i + 1))) {
                break;
            }
            if (is_size_piece(word) && has_size(found.pieces)) {
                break;
            }
            if (!is_any(word, {"model", "models"})) {
                found.pieces.push_back(word);
            }
        } else {
            std::vector<std::string> longer = found.pieces;
            for (const std::string& piece : model_pieces(word)) {
                longer.push_back(piece);
            }
            const bool number = is_version_piece(word);
            if (number && counts_something(sentence, i)) {
                break;
            }
            // "llama 7 500b" names a release that nothing knows, not a Llama of the usual size.
            const bool release = number && has_digit(word) && sentence.follows(i + 1) &&
                                 sentence.open(i + 1) && !has_size(found.pieces) &&
                                 is_size_piece(sentence.word(i + 1));
            if (release && !can_continue(models, longer)) {
                found.pieces = std::move(longer);
                found.written += " " + word;
                ++found.end;
                continue;
            }
            const bool weights =
                names_weights(word) || is_any(word, {"lora", "qlora", "iq4", "iq3"});
            const bool named =
                (glued && sentence.tokens[i].gap != Gap::slash && (number || has_letter(word))) ||
                is_kind_word(word);
            if (!can_continue(models, longer) && glued && is_release_date(word)) {
                ++found.end;
                continue;
            }
            if (!can_continue(models, longer) && (weights || !named)) {
                break;
            }
            found.pieces = std::move(longer);
        }
        found.written += (glued ? "-" : " ") + word;
        ++found.end;
    }
    return found;
}

/// One past the words of a release behind a name that ends at token `at`: "-instruct-2507".
std::size_t release_end(const Sentence& sentence, std::size_t at) {
    while (sentence.open(at) && sentence.follows(at)) {
        const bool rate = sentence.follows(at + 1) && sentence.tokens[at + 1].gap == Gap::slash;  // "it/s"
        const bool date = sentence.tokens[at].gap == Gap::joint && is_release_date(sentence.word(at));
        if (!date && (!is_release_word(sentence.word(at)) || rate)) {
            break;
        }
        ++at;
    }
    return at;
}

/// "Qwen/Qwen3-8B": the owner of a name, who is called as the family is.
bool is_owner(const Sentence& sentence, std::size_t at) {
    if (at + 1 >= sentence.tokens.size() || sentence.tokens[at + 1].gap != Gap::slash || !sentence.open(at + 1) ||
        sentence.word(at + 1) == sentence.word(at)) {
        return false;
    }
    // "qwen/qwen3-8b", "mistralai/mixtral-8x7b"
    const std::string family = model_pieces(sentence.word(at + 1)).front();
    const auto& families = sentence.names.models_by_family;
    return family == sentence.word(at) ||
           (families.count(family) > 0 && families.count(std::string(sentence.word(at))) == 0 &&
            (has_digit(sentence.word(at + 1)) || (at + 2 < sentence.tokens.size() && sentence.tokens[at + 2].gap == Gap::joint)));
}

void claim_owner(Sentence& sentence, std::size_t at) {
    // "meta-llama/Llama-3.1-8B"
    if (at > 0 && sentence.tokens[at].gap == Gap::joint && at + 1 < sentence.tokens.size() && sentence.tokens[at + 1].gap == Gap::slash) {
        sentence.claim(at - 1);
    }
    if (sentence.tokens[at].gap != Gap::slash) {
        return;
    }
    std::size_t i = at;
    while (i > 0) {
        --i;
        sentence.claim(i);
        if (sentence.tokens[i].gap != Gap::joint) {
            return;
        }
    }
}

void take_model(Sentence& sentence, std::size_t at, std::size_t end, std::string id, bool known) {
    claim_owner(sentence, at);
    sentence.claim(at, end - at);
    if (!sentence.reading.model.empty()) {
        // The first model is the one that is asked about, others are what it is compared with.
        if (known && id != sentence.reading.model) {
            sentence.other_models.push_back({id, at});
        } else if (!known && id != sentence.reading.model) {
            add_once(sentence.reading.unknown_names, id);  // told, though the first is answered
        }
        return;
    }
    sentence.model_at = at;
    sentence.model_end = end;
    sentence.reading.model = std::move(id);
    sentence.reading.model_known = known;
    if (!known) {
        sentence.reading.unknown_names.push_back(sentence.reading.model);
    }
}

/// A name in the style of the family's ids: "qwen2.5-...", "llama-3.1-...".
std::string unknown_id(const Found& found, const NamedModels& models) {
    const std::string& family = found.pieces.front();
    const bool apart = found.written.starts_with(family + "-");
    const bool glue =
        !apart && std::any_of(models.begin(), models.end(), [&](const Names::Model& model) {
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

/// The version or size that stands before the family: "70b llama".
std::optional<std::size_t> size_before(const Sentence& sentence, std::size_t at) {
    const bool size = at > 0 && sentence.follows(at) && sentence.open(at - 1) &&
                      is_size_piece(sentence.word(at - 1));
    return size ? std::optional(at - 1) : std::nullopt;
}

std::string usual_of(const Sentence& sentence, std::string_view family) {
    const auto& ids = sentence.vocabulary.profiles.model_ids;
    for (const Usual& usual : usual_models()) {
        if (usual.family == family && std::find(ids.begin(), ids.end(), usual.id) != ids.end()) {
            return std::string(usual.id);
        }
    }
    return "";
}

/// "sd3.5 medium" where "large" alone is known: the size right behind a name that its id has not; empty:
/// there is none.
std::string other_size(const Sentence& sentence, std::size_t end, const std::string& id) {
    static constexpr std::string_view sizes[] = {"tiny", "small", "medium", "base", "large", "xl"};
    if (!sentence.follows(end) || !sentence.open(end)) {
        return {};
    }
    const auto pieces = split(id, '-');
    const auto among = [&](std::string_view word) {
        return std::find(pieces.begin(), pieces.end(), word) != pieces.end();
    };
    const bool sized = std::any_of(std::begin(sizes), std::end(sizes), among);
    const bool said = std::find(std::begin(sizes), std::end(sizes), sentence.word(end)) != std::end(sizes);
    return sized && said && !among(sentence.word(end)) ? std::string(sentence.word(end)) : std::string();
}

/// "examples/llama-3/qlora-fsdp-70b.yaml": where the rest of a path has the size of a name without one; 0: nowhere.
std::size_t size_in_path(const Sentence& sentence, std::size_t end) {
    for (std::size_t i = end; i < sentence.tokens.size() && (sentence.tokens[i].gap == Gap::joint || sentence.tokens[i].gap == Gap::slash); ++i) {
        if (sentence.open(i) && is_size_piece(sentence.word(i))) {
            return i;
        }
    }
    return 0;
}

/// "llama3_1": a version whose point a path cannot have.
std::vector<std::string> with_point(std::vector<std::string> pieces) {
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
        if (all_digits(pieces[i]) && all_digits(pieces[i + 1]) && pieces[i].size() == 1 && pieces[i + 1].size() == 1) {
            pieces[i] += "." + pieces[i + 1];
            pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
    }
    return pieces;
}

bool match_family(Sentence& sentence, std::size_t at) {
    const auto own = model_pieces(sentence.word(at));
    if (own.empty()) {
        return false;
    }
    auto models = sentence.names.models_by_family.find(own.front());
    if (models == sentence.names.models_by_family.end()) {
        return false;
    }
    const bool english = is_any(own.front(),
                                {"command",
                                 "step",
                                 "solar",
                                 "seed",
                                 "falcon",
                                 "opt",
                                 "clip",
                                 "sam",
                                 "kimi",
                                 "a",
                                 "ring",
                                 "ling",
                                 "bloom",
                                 "llm",
                                 "text",
                                 "aya",
                                 "openai", "wide", "legacy", "nest", "pit", "tiny", "stable", "black", "bat",
                                 "mask", "efficient", "lambda", "dolphin", "cosmos", "twins", "res",
                                 "gpt"});
    Found found = collect(sentence, at, models->second);
    if (const auto before = size_before(sentence, at); before && !has_size(found.pieces)) {
        found.pieces.emplace_back(sentence.word(*before));
        sentence.claim(*before);
        found.written = std::string(sentence.word(*before)) + " " + found.written;
    }
    if (const std::size_t size = has_size(found.pieces) ? 0 : size_in_path(sentence, found.end); size > 0) {
        found.pieces.emplace_back(sentence.word(size));
        sentence.claim(size);
    }
    if (best_of(models->second, found.pieces) == nullptr) {
        found.pieces = with_point(std::move(found.pieces));
    }
    std::vector<std::string> said = found.pieces;
    std::erase_if(said, is_release_word);
    // "faster than": the family of Faster R-CNN begins with a word of the grammar itself.
    if (said.size() < 2 && !Lexicon::shared().find(said.front()).empty()) {
        return false;
    }
    // "a 5 s clip", "clips of a video"
    const std::string_view before = at > 0 && sentence.follows(at) ? sentence.word(at - 1) : "";
    const bool footage = is_any(before, {"video", "second", "seconds", "sec", "s", "short", "long", "per",
                                         "each", "audio", "movie", "film", "min", "minute"}) ||
                         (!before.empty() && has_digit(before));
    if (own.front() == "clip" && said.size() < 2 && (footage || !sentence.reading.model.empty())) {
        return false;
    }
    if (english && said.size() < 2 && own.front() != "falcon" && own.front() != "bloom" &&
        own.front() != "clip") {
        return false;
    }
    if (said.size() == 1) {
        // A family alone: an alias of that name, or what people mean by it.
        const auto exact = sentence.names.models_by_key.find(said.front());
        std::string id = exact != sentence.names.models_by_key.end()
                             ? exact->second
                             : usual_of(sentence, said.front());
        if (!id.empty()) {
            if (id != said.front()) {
                sentence.assume(
                    "model", id, "\"" + said.front() + "\" leaves version and size open");
            }
            take_model(sentence, at, found.end, id, true);
            return true;
        }
    }
    // "a 350M GPT": the name of the architecture beside a size.
    if (own.front() == "gpt" && said.size() == 2 && is_size_piece(said.back()) &&
        best_of(models->second, found.pieces) == nullptr) {
        take_model(sentence, at, found.end, said.back(), true);
        return true;
    }
    if (const Names::Model* model = best_of(models->second, found.pieces)) {
        if (const std::string other = other_size(sentence, found.end, model->id); !other.empty()) {
            take_model(sentence, at, found.end + 1, unknown_id(found, models->second) + "-" + other, false);
            return true;
        }
        const bool exact = model->pieces.size() == said.size();
        if (!exact) {
            sentence.assume(
                "model", model->id, "the newest that \"" + found.written + "\" may mean");
        }
        take_model(sentence, at, found.end, model->id, true);
        return true;
    }
    // "megatron 405b": a framework whose name a model bears, and a size.
    const auto phrases = Lexicon::shared().find(own.front());
    if (own.size() == 1 && std::any_of(phrases.begin(), phrases.end(), [](const Phrase* phrase) {
            return phrase->means == Means::framework;
        })) {
        return false;
    }
    take_model(sentence, at, found.end, unknown_id(found, models->second), false);
    return true;
}

/// The longest run of tokens whose joined letters are a model's id or alias.
bool match_key(Sentence& sentence, std::size_t at) {
    std::string key;
    std::string id;
    std::size_t length = 0;
    for (std::size_t n = 0; n < 8 && sentence.open(at + n) && (n == 0 || sentence.follows(at + n));
         ++n) {
        key += sentence.word(at + n);
        // "r 1" and the like are too short to be meant.
        const auto found = key.size() >= 3 ? sentence.names.models_by_key.find(key)
                                           : sentence.names.models_by_key.end();
        if (found != sentence.names.models_by_key.end()) {
            id = found->second;
            length = n + 1;
        }
    }
    if (length == 0) {
        return false;
    }
    const bool one_word = length == 1 && !has_digit(sentence.word(at));
    if (one_word) {
        return false;  // a family alone is looked at with what follows
    }
    // "qwen2 7b" must not end at an alias "qwen2".
    const std::size_t next = at + length;
    if (sentence.open(next) && sentence.follows(next) &&
        (is_size_piece(sentence.word(next)) || (sentence.tokens[next].gap == Gap::joint && !is_release_date(sentence.word(next))) ||
         (sentence.tokens[next].gap == Gap::slash && all_digits(sentence.word(next)))) &&
        !counts_work(sentence.word(next + 1)) && !is_release_word(sentence.word(next))) {
        return false;
    }
    const bool sized = std::any_of(sentence.tokens.begin() + static_cast<std::ptrdiff_t>(at),
                                   sentence.tokens.begin() + static_cast<std::ptrdiff_t>(next),
                                   [](const Token& each) { return is_size_piece(each.text); });
    if (!sized && size_in_path(sentence, next) > 0) {
        return false;
    }
    // "bge-base" stands for an encoder of another name: what is estimated is told.
    const std::string written(sentence.word(at));
    const std::string head = written.substr(0, written.find_first_of("-./0123456789"));
    if (sentence.reading.model.empty() && head.size() > 1 && id.find(head) == std::string::npos) {
        sentence.assume("model", id, "\"" + written + "\" has the shape of it");
    }
    take_model(sentence, at, next, id, true);
    sentence.claim(next, release_end(sentence, next) - next);
    return true;
}

bool match_foreign(Sentence& sentence, std::size_t at) {
    const auto own = model_pieces(sentence.word(at));
    for (const Foreign& model : foreign_models()) {
        const std::string_view front = model.words.substr(0, model.words.find(' '));
        const std::string_view rest = model.words.substr(std::min(front.size() + 1, model.words.size()));
        const bool first = own.front() == front || sentence.word(at) == front;
        const std::size_t behind = first && sentence.follows(at + 1) ? sentence.tokens_of(rest, at + 1) : 0;
        if (!first || (!rest.empty() && (behind == 0 || own.size() > 1))) {
            continue;
        }
        if (is_any(model.words, {"step", "wan", "bark", "solar", "arctic", "glm", "aya", "flux"}) &&
            own.size() < 2 && !(sentence.follows(at + 1) && has_digit(sentence.word(at + 1))) && model.words != "flux") {
            continue;
        }
        Found found{{std::string(model.id)}, at + 1 + behind, std::string(model.id)};
        if (own.size() > 1 && sentence.word(at) != front) {
            found.pieces.insert(found.pieces.end(), own.begin() + 1, own.end());
        }
        while (sentence.open(found.end) && sentence.follows(found.end) && found.end < at + 6) {
            const std::string_view word = sentence.word(found.end);
            const bool joint = sentence.tokens[found.end].gap == Gap::joint && has_letter(word) && Lexicon::shared().find(std::string(word)).empty();
            const bool part = joint || (is_size_piece(word) && unit_after_number(sentence, found.end + 1, "").field == Field::none) ||
                              (is_version_piece(word) && !counts_something(sentence, found.end)) ||
                              is_any(word, {"large", "small", "medium",  "base", "tiny", "xl",
                                            "turbo", "dev",   "schnell", "mini", "nano", "coder",
                                            "vl",    "super", "ultra",   "x",    "l",    "s",
                                            "m",     "n",     "lite",    "pro"});
            if (!part || (is_any(word, {"x", "l", "s", "m", "n"}) &&
                          sentence.tokens[found.end].gap == Gap::space)) {
                break;
            }
            found.pieces.emplace_back(word);
            ++found.end;
        }
        std::string id = found.pieces.front();
        for (std::size_t k = 1; k < found.pieces.size(); ++k) {
            id += (model.glue && k == 1 ? "" : "-") + found.pieces[k];
        }
        // What the profiles have under the plain name is what is meant.
        for (const std::string& known : sentence.vocabulary.profiles.model_ids) {
            if (known == id || known.starts_with(id + "-")) {
                take_model(sentence, at, found.end, known, true);
                return true;
            }
        }
        if (is_any(model.words, {"chatgpt", "claude", "gemini", "gpt4", "gpt5"})) {
            // "a private chatgpt on llama 70b" is an assistant that runs another model.
            sentence.products.push_back(id);
            sentence.claim(at, found.end - at);
            sentence.marks.push_back({Means::infer, "weak", at, found.end - at});
            return true;
        }
        take_model(sentence, at, found.end, id, false);
        return true;
    }
    return false;
}

/// "mask rcnn with a swin backbone": a detector on another network than its own is a model that nothing knows.
void join_backbone(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto detects = [](std::string_view id) {
        return id.starts_with("mask-rcnn") || id.starts_with("maskrcnn") || id.starts_with("faster-rcnn") ||
               id.starts_with("fasterrcnn") || id.starts_with("retinanet");
    };
    const auto carries = [](std::string_view id) {
        return id.starts_with("swin") || id.starts_with("vit-") || id.starts_with("convnext") || id.starts_with("pvt-") ||
               id.starts_with("resnet-101") || id.starts_with("resnext") || id.starts_with("efficientnet");
    };
    if (sentence.other_models.size() != 1 || sentence.any_word({"vs", "versus", "or", "than", "compare"})) {
        return;
    }
    const std::string& other = sentence.other_models.front().first;
    const bool first = carries(reading.model) && detects(other);
    if (!first && !(detects(reading.model) && carries(other))) {
        return;
    }
    const std::string detector = first ? other : reading.model;
    reading.neighbour = "the nearest that is known: " + detector;
    reading.model = (first ? reading.model : other) + "-" + detector.substr(0, detector.find("-r50"));
    reading.model_known = false;
    reading.unknown_names.push_back(reading.model);
    sentence.other_models.clear();
}

/// "controlnet training sd 1.5": of two names the one that is known is answered, the other is told.
void prefer_known(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto& known = sentence.vocabulary.profiles.model_ids;
    if (reading.model_known) {
        return;
    }
    for (auto& [id, at] : sentence.other_models) {
        if (std::find(known.begin(), known.end(), id) != known.end()) {
            std::swap(reading.model, id);
            std::swap(sentence.model_at, at);
            sentence.model_end = sentence.model_at;  // how far it reaches was not kept
            reading.model_known = true;
            return;
        }
    }
}

}  // namespace

void recognise_models(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!sentence.open(i) || sentence.tokens[i].foreign || !has_letter(sentence.word(i))) {
            continue;
        }
        const std::string_view word = sentence.word(i);
        if (is_any(word, {"llama.cpp", "llamacpp", "llamafile", "gpt-fast", "whisper.cpp", "whispercpp"}) ||
            (word == "llama" && is_any(sentence.word(i + 1), {"cpp", "factory", "bench"}))) {
            continue;
        }
        if (is_owner(sentence, i)) {
            continue;
        }
        if (!match_key(sentence, i) && !match_family(sentence, i)) {
            match_foreign(sentence, i);
        }
    }
    prefer_known(sentence);
    join_backbone(sentence);
    if (sentence.reading.model.empty() && !sentence.products.empty()) {
        sentence.reading.model = sentence.products.front();
        sentence.reading.model_known = false;
        sentence.reading.unknown_names.push_back(sentence.reading.model);
    }
}

}  // namespace ridgeline::reading
