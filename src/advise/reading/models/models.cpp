#include "advise/reading/models/datasets.h"
#include "advise/reading/models/foreign_model.h"
#include "advise/reading/models/model_family.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/models/named_model.h"
#include "advise/reading/models/stand_ins.h"
#include "advise/reading/models/steps.h"
#include "advise/reading/models/styled_model.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <algorithm>

// Models as people write them: "llama 3.1 8b", "70b llama", "Qwen/Qwen2.5-7B-Instruct".

namespace ridgeline::reading {
namespace {

/// One past the words of a release behind a name that ends at token `at`: "-instruct-2507".
std::size_t release_end(const Sentence& sentence, std::size_t at) {
    while (sentence.open(at) && sentence.follows(at)) {
        const bool rate =
            sentence.follows(at + 1) && sentence.tokens[at + 1].gap == Gap::slash;  // "it/s"
        const bool date =
            sentence.tokens[at].gap == Gap::joint && is_release_date(sentence.word(at));
        const std::string_view word = sentence.word(at);
        const bool version = sentence.tokens[at].gap == Gap::joint && word.size() > 1 &&
                             word[0] == 'v' && is_digit(word[1]);  // "-Instruct-v0.1"
        if (!date && !version && (!is_release_word(word) || rate)) {
            break;
        }
        ++at;
    }
    return at;
}

/// "Qwen/Qwen3-8B": the owner of a name, who is called as the family is.
bool is_owner(const Sentence& sentence, std::size_t at) {
    if (at + 1 >= sentence.tokens.size() || sentence.tokens[at + 1].gap != Gap::slash ||
        !sentence.open(at + 1) || sentence.word(at + 1) == sentence.word(at)) {
        return false;
    }
    // "qwen/qwen3-8b", "mistralai/mixtral-8x7b"
    const std::string family = model_pieces(sentence.word(at + 1)).front();
    const auto& families = sentence.names.models_by_family;
    return family == sentence.word(at) ||
           (families.count(family) > 0 && families.count(std::string(sentence.word(at))) == 0 &&
            (has_digit(sentence.word(at + 1)) ||
             (at + 2 < sentence.tokens.size() && sentence.tokens[at + 2].gap == Gap::joint)));
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
    // "qwen2 7b", "qwen2 vl 7b" must not end at an alias "qwen2".
    const std::size_t next = at + length;
    if (sentence.open(next) && sentence.follows(next) &&
        (is_any(sentence.word(next), "vl") || is_size_piece(sentence.word(next)) ||
         (sentence.tokens[next].gap == Gap::joint && !is_release_date(sentence.word(next))) ||
         (sentence.tokens[next].gap == Gap::slash && all_digits(sentence.word(next)))) &&
        !is_work(sentence.word(next), sentence.word(next + 1)) &&
        !is_release_word(sentence.word(next))) {
        return false;
    }
    const bool sized = std::any_of(sentence.tokens.begin() + static_cast<std::ptrdiff_t>(at),
                                   sentence.tokens.begin() + static_cast<std::ptrdiff_t>(next),
                                   [](const Token& each) { return is_size_piece(each.text); });
    // "14b qwen3" is no Qwen3 of the usual size.
    if (!sized && (size_in_path(sentence, next) > 0 || size_before(sentence, at))) {
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

/// Whether a detector or a segmenter may stand on that network.
bool carries(std::string_view id) {
    return id.starts_with("swin") || id.starts_with("vit-") || id.starts_with("convnext") ||
           id.starts_with("pvt-") || id.starts_with("resnet-") || id.starts_with("resnext") ||
           id.starts_with("efficientnet");
}

/// "mask rcnn with a swin backbone": a detector on another network than its own is a model that
/// nothing knows.
void join_backbone(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto detects = [](std::string_view id) {
        return id.starts_with("mask-rcnn") || id.starts_with("maskrcnn") ||
               id.starts_with("faster-rcnn") || id.starts_with("fasterrcnn") ||
               id.starts_with("retinanet");
    };
    if (sentence.other_models.size() != 1 || sentence.any_word("vs versus or than compare")) {
        return;
    }
    const std::string& other = sentence.other_models.front().first;
    const bool first = carries(reading.model) && detects(other);
    if (!first && !(detects(reading.model) && carries(other))) {
        return;
    }
    const std::string detector = first ? other : reading.model;
    reading.neighbour = "the nearest that is known: " + detector;
    reading.model =
        (first ? reading.model : other) + "-" + detector.substr(0, detector.find("-r50"));
    reading.model_known = false;
    reading.unknown_names.push_back(reading.model);
    sentence.other_models.clear();
}

/// "clip finetuning ... vit-b/32": the network that the pictures of CLIP pass, far from its name.
void join_clip(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto& known = sentence.vocabulary.profiles.model_ids;
    const bool clip =
        reading.model.starts_with("clip-") && sentence.word(sentence.model_at).ends_with("clip");
    for (std::size_t i = 0; clip && i < sentence.tokens.size(); ++i) {
        std::string id = "clip";
        for (std::size_t k = i;
             k < i + 4 && k < sentence.tokens.size() && (k == i || sentence.follows(k)); ++k) {
            id += "-" + std::string(sentence.word(k));
            if (sentence.word(i) == "vit" && std::ranges::find(known, id) != known.end()) {
                reading.model = id;
                sentence.claim(i, k + 1 - i);
                std::erase_if(sentence.other_models, [&](const auto& other) {
                    return other.second >= i && other.second <= k;
                });
                std::erase_if(reading.unknown_names,
                              [](const std::string& name) { return name.starts_with("vit"); });
                forget_assumed(reading, "model");
                return;
            }
        }
    }
}

/// "controlnet training sd 1.5": of two names the one that is known is answered, the other is told.
void prefer_known(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto& known = sentence.vocabulary.profiles.model_ids;
    if (reading.model_known) {
        return;
    }
    for (auto& [id, at] : sentence.other_models) {
        // "mask2former swin-l": the known one is what the other stands on.
        const bool beneath = carries(id) && !reading.neighbour.empty();
        if (std::ranges::find(known, id) != known.end() && !beneath) {
            std::swap(reading.model, id);
            std::swap(sentence.model_at, at);
            sentence.model_end = sentence.model_at;  // how far it reaches was not kept
            reading.model_known = true;
            return;
        }
    }
}

/// "controlnet training for sdxl": the copy beside that U-Net, where it is known.
void join_controlnet(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto& known = sentence.vocabulary.profiles.model_ids;
    const auto copy_beside = [&](const std::string& id) {
        const std::string joined = id.substr(0, id.rfind('-')) + "-controlnet";
        const bool found = std::ranges::find(known, joined) != known.end();
        return found && id.ends_with("-unet") ? joined : std::string();
    };
    const auto is_copy = [](const std::string& id) { return id.ends_with("controlnet"); };
    std::string joined;
    for (const auto& [id, at] : sentence.other_models) {
        joined = is_copy(reading.model) && joined.empty() ? copy_beside(id)
                 : is_copy(id)                            ? copy_beside(reading.model)
                                                          : joined;
    }
    if (!joined.empty()) {
        forget_assumed(reading, "model");
        reading.model = joined;
        std::erase_if(sentence.other_models, [&](const auto& each) {
            return is_copy(each.first) || copy_beside(each.first) == joined;
        });
    }
}

/// "a sdxl-size unet", "unet for sdxl": the kind of the network that is named, no other one.
void drop_kind(Sentence& sentence) {
    constexpr std::string_view kind = "unet";
    Reading& reading = sentence.reading;
    std::erase_if(sentence.other_models, [&](const auto& other) {
        return sentence.word(other.second) == kind && reading.model.ends_with(kind);
    });
    for (auto& [id, at] : sentence.other_models) {
        if (sentence.word(sentence.model_at) == kind && id.ends_with(kind)) {
            reading.model = id;
            sentence.model_at = sentence.model_end = at;
            std::erase_if(sentence.other_models,
                          [&](const auto& other) { return other.first == reading.model; });
            return;
        }
    }
}

/// "ms-swift lora": tokens from `at` on that hyphens join to the name of a stack; 0: they name
/// none.
std::size_t stack_in_hyphens(const Sentence& sentence, std::size_t at) {
    constexpr std::size_t most = 3;
    std::string key(sentence.word(at));
    for (std::size_t n = 1;
         n < most && sentence.follows(at + n) && sentence.tokens[at + n].gap == Gap::joint; ++n) {
        key += sentence.word(at + n);
        const auto rows = sentence.names.lexicon.find(key);
        if (std::ranges::any_of(rows,
                                [](const Phrase* row) { return row->means == Means::framework; })) {
            return n + 1;
        }
    }
    return 0;
}

}  // namespace

void recognise_models(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (const std::size_t stack = stack_in_hyphens(sentence, i); stack > 0) {
            i += stack - 1;
            continue;
        }
        if (!sentence.open(i) || sentence.tokens[i].foreign || !has_letter(sentence.word(i))) {
            continue;
        }
        const std::string_view word = sentence.word(i);
        if (is_any(word, "llama.cpp llamacpp llamafile gpt-fast whisper.cpp whispercpp") ||
            (word == "llama" && is_any(sentence.word(i + 1), "cpp factory bench")) ||
            (word == "stable" && sentence.word(i + 1).starts_with("baselines")) ||
            // "two tower PCs": what is meant is told once all models are named
            (is_any(word, "two dual") && is_any(sentence.word(i + 1), "tower towers"))) {
            continue;
        }
        // "tiny-imagenet" is no small model.
        const bool hyphened = sentence.follows(i + 1) && sentence.tokens[i + 1].gap == Gap::joint;
        const std::string set = fmt::format("{}-{}", word, sentence.word(i + 1));
        const bool of_set =
            hyphened &&
            std::ranges::find(named_datasets(), set, &NamedDataset::name) != named_datasets().end();
        if (is_owner(sentence, i) || of_set) {
            continue;
        }
        if (!match_stand_in(sentence, i) && !match_styled_model(sentence, i) &&
            !match_key(sentence, i) && !match_family(sentence, i)) {
            match_foreign(sentence, i);
        }
    }
    prefer_known(sentence);
    join_controlnet(sentence);
    drop_kind(sentence);
    join_backbone(sentence);
    join_clip(sentence);
    if (sentence.reading.model.empty() && !sentence.products.empty()) {
        sentence.reading.model = sentence.products.front();
        sentence.reading.model_known = false;
        sentence.reading.unknown_names.push_back(sentence.reading.model);
    }
}

}  // namespace ridgeline::reading
