#include "advise/reading/amounts/cameras.h"
#include "advise/reading/models/family_extremes.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/settling/steps.h"

#include <algorithm>

// The largest of something: a word of degree before what grows ("most users", "max bs", "how far
// can i push context"), or a word of limit behind it ("context ceiling").

namespace ridgeline::reading {
namespace {

/// What can be as large as possible, and the signal that says so.
struct Growing {
    std::string_view word;
    std::string_view signal;
};
// clang-format off
constexpr Growing growing[] = {
    {"context", "largest_sequence"},    {"ctx", "largest_sequence"},
    {"contexts", "largest_sequence"},   {"sequence", "largest_sequence"},
    {"sequences", "largest_sequence"},  {"seq", "largest_sequence"},
    {"seqlen", "largest_sequence"},     {"prompt", "largest_sequence"},
    {"conversations", "largest_users"}, {"calls", "largest_users"},
    {"viewers", "largest_users"},       {"players", "largest_users"},
    {"concurrency", "largest_users"},   {"batch", "largest_batch"},
    {"batchsize", "largest_batch"},     {"bs", "largest_batch"},
    {"bsz", "largest_batch"},           {"microbatch", "largest_batch"},
    {"resolution", "largest_image"},    {"resolutions", "largest_image"},
    {"px", "largest_image"},            {"pixels", "largest_image"},
    {"frames", "largest_frames"},
    {"rank", "largest_rank"},           {"model", "largest_model"},
    {"models", "largest_model"},        {"llm", "largest_model"},
    {"llms", "largest_model"},
    {"video", "largest_frames"},        {"videos", "largest_frames"},
    {"clip", "largest_frames"},         {"clips", "largest_frames"},
};
// clang-format on

std::string_view signal_of(std::string_view word) {
    for (const Growing& each : growing) {
        if (each.word == word) {
            return each.signal;
        }
    }
    return field_named_after(word) == Field::users ? "largest_users" : "";
}

/// Words between the degree and what grows.
bool joins_growth(std::string_view word) {
    return is_any(word,
                  "of for on the a an possible usable feasible number amount size lora global "
                  "micro training parallel active concurrent simultaneous "
                  "can could does do will i we you push get go have with set use it this that "
                  "local open dense moe language coding input token tokens "
                  "my our different capable would stretch raise crank extend up in terms chat");
}

/// "max context 8k" and "batch size of 16" are settings, no questions.
bool is_setting(const Sentence& sentence, std::size_t noun) {
    std::size_t i = noun + 1;
    while (sentence.follows(i) &&
           is_any(sentence.word(i), "size length len window of is at to tokens = limit")) {
        ++i;
    }
    return sentence.follows(i) && amount_in(sentence.word(i)) &&
           (sentence.tokens[i].gap == Gap::space || sentence.tokens[i].gap == Gap::colon) &&
           std::none_of(sentence.mentions.begin(), sentence.mentions.end(),
                        [&](const Mention& each) { return each.at <= i && i < each.end; });
}

/// "number of simultaneous chats", "user count": so many as it carries, where no number stands
/// beside it.
bool match_number_of(Sentence& sentence, std::size_t at) {
    const bool count = is_any(sentence.word(at), "user client session seat") &&
                       sentence.follows(at + 1) &&
                       is_any(sentence.word(at + 1), "count capacity number limit");
    std::size_t noun = at + 2;
    const bool number = is_any(sentence.word(at), "number amount") && sentence.word(at + 1) == "of";
    while (number && noun < at + 5 &&
           is_any(sentence.word(noun), "concurrent simultaneous parallel active chat our the")) {
        ++noun;
    }
    const bool grows =
        number && sentence.follows(noun) && signal_of(sentence.word(noun)) == "largest_users";
    if ((!count && !grows) || sentence.reading.concurrency ||
        is_setting(sentence, count ? at + 1 : noun)) {
        return false;
    }
    const std::size_t end = count ? at + 2 : noun + 1;
    sentence.marks.push_back({Means::ask, "largest_users", at, end - at});
    sentence.claim(at, end - at);
    return true;
}

/// "users served at 15 t/s": of whom no number is told, but the pace of each.
bool match_users_at_a_pace(Sentence& sentence, std::size_t at) {
    const Reading& reading = sentence.reading;
    const bool asked = sentence.has(Means::ask, "hardware") || sentence.asks("throughput") ||
                       sentence.any_word("how what which");
    const bool open = reading.tpot_s && !reading.concurrency && !reading.requests_per_s &&
                      !reading.model.empty() && !sentence.mentions.empty() && !asked;
    std::size_t pace = at + 1;
    while (pace < at + 4 &&
           is_any(sentence.word(pace), "served supported possible each that get")) {
        ++pace;
    }
    if (!open || signal_of(sentence.word(at)) != "largest_users" || !sentence.follows(pace) ||
        !is_any(sentence.word(pace), "at @ with") || !has_digit(sentence.word(pace + 1))) {
        return false;
    }
    sentence.marks.push_back({Means::ask, "largest_users", at, 1});
    sentence.claim(at, pace + 1 - at);
    return true;
}

/// "docs per second", "images can it classify a minute": a period within some words, of no rate
/// that is told
/// ("users at 30 tok/s").
bool asks_a_rate(const Sentence& sentence, std::size_t from) {
    for (std::size_t i = from + 1; i < from + 7 && sentence.follows(i); ++i) {
        const std::string_view next = sentence.word(i + 1);
        const bool told =
            has_digit(sentence.word(i - 1)) || (i > 1 && amount_in(sentence.word(i - 2)));
        if (told) {
            continue;
        }
        const bool period = is_any(sentence.word(i), "per a each every") &&
                            is_any(next, "second sec s minute min hour");
        const bool slash = sentence.tokens[i].gap == Gap::slash &&
                           is_any(sentence.word(i), "s sec second min minute h hour");
        if (period || slash) {
            return true;
        }
    }
    return false;
}

/// "how many images per batch max", "max images at once": as many as one step holds; a model of
/// pictures makes them where nobody trains it.
bool match_things_at_once(Sentence& sentence, std::size_t at) {
    const bool thing = is_any(sentence.word(at),
                              "image images pic pics picture pictures img imgs photos sample "
                              "samples sequence sequences examples "
                              "crops clips pairs");
    std::size_t end = at + 1;
    while (
        thing && end < at + 4 &&
        is_any(sentence.word(end), "can do i we you put fit per in a an one each the single at")) {
        ++end;
    }
    const bool together =
        (is_any(sentence.word(end), "batch minibatch batches") && end > at + 1) ||
        (is_any(sentence.word(end), "once time") && sentence.word(end - 1) != "in");
    const std::size_t from = at - std::min<std::size_t>(at, 4);
    const bool asked =
        near_words(sentence, from, at, "many max maximum most number biggest largest highest") ||
        near_words(sentence, end, end + 6, "max maximum most limit");
    if (!thing || !together || !asked ||
        (at > 0 && sentence.follows(at) && has_digit(sentence.word(at - 1)) &&
         sentence.word(at - 1).size() < 3)) {
        return false;
    }
    const auto model = sentence.named_architecture();
    const bool made = model && model->kind == ModelKind::diffusion && !sentence.has(Means::train) &&
                      !sentence.has(Means::tune);
    std::erase_if(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::ask && is_any(mark.value, "throughput images largest_users");
    });
    sentence.marks.push_back({Means::ask, "largest_batch", at, end + 1 - at});
    if (made) {
        sentence.marks.push_back({Means::infer, "", at, end + 1 - at});
    }
    sentence.claim(at, end + 1 - at);
    return true;
}

/// "biggest local qwen": a word of degree, and the family that it is of within some words.
bool match_family_behind(Sentence& sentence, std::size_t i) {
    std::size_t named = i + 1;
    while (sentence.follows(named) && named < i + 7 && named != sentence.model_at &&
           joins_growth(sentence.word(named))) {
        ++named;
    }
    return sentence.follows(named) && match_family_extreme(sentence, i, named);
}

/// What a model makes or reads, by the word before "model".
bool is_of_kind(const Architecture& model, std::string_view word) {
    const bool diffuses = model.kind == ModelKind::diffusion;
    const bool clips = frames_a_second(model) > 0;
    return is_any(word, "image images picture pictures diffusion t2i") ? diffuses && !clips
           : is_any(word, "video videos t2v")                          ? diffuses && clips
           : is_any(word, "vision vit")                     ? model.reads_images() && !diffuses
           : is_any(word, "speech asr transcription audio") ? model.reads_sound()
           : is_any(word, "embedding embeddings")           ? model.makes_vectors
                                                            : false;
}

/// "biggest image model", "largest vision transformer": of all models those of that kind.
bool match_largest_of_kind(Sentence& sentence, std::size_t i) {
    Reading& reading = sentence.reading;
    constexpr std::string_view kinds =
        "image images picture pictures diffusion t2i video videos t2v vision vit speech asr "
        "transcription audio embedding embeddings";
    std::size_t noun = i + 1;
    while (noun < i + 4 && sentence.follows(noun) &&
           is_any(sentence.word(noun), "open local stable style text to generation generating")) {
        ++noun;
    }
    const std::string_view kind = sentence.word(noun);
    std::size_t model = noun + 1;
    while (model < noun + 4 &&
           is_any(sentence.word(model),
                  "style generation generating generator generative diffusion")) {
        ++model;
    }
    const auto& known = sentence.vocabulary;
    if (!is_degree(sentence, i) || !sentence.follows(noun) || !is_any(kind, kinds) ||
        !is_any(sentence.word(model), "model models transformer transformers network networks") ||
        !(reading.model.empty() || kind == "diffusion") || !known.architecture ||
        (sentence.mentions.empty() && !reading.memory_gib)) {
        return false;
    }
    for (const std::string& id : known.profiles.model_ids) {
        const auto architecture = known.architecture(id);
        if (architecture && is_of_kind(*architecture, kind)) {
            reading.family_models.push_back(id);
        }
    }
    if (reading.family_models.empty()) {
        return false;
    }
    reading.model.clear();
    forget_assumed(reading, "model");
    reading.family = std::string(kind) + " models";
    sentence.assume("model", reading.family, "each that is known is tried");
    std::erase_if(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::ask && is_any(mark.value, "images throughput superlative");
    });
    sentence.marks.push_back({Means::ask, "largest_model", i, 1});
    if (!sentence.has(Means::train) && !sentence.has(Means::tune)) {
        sentence.marks.push_back({Means::infer, "", i, 1});
    }
    sentence.claim(i, model + 1 - i);
    return true;
}

/// What grows at token i itself: "context ceiling", and "batch size for vit-l on a 24gb card", as a
/// question that starts with it asks how far.
bool match_growing(Sentence& sentence, std::size_t i) {
    const std::string_view signal = signal_of(sentence.word(i));
    const std::size_t size = is_any(sentence.word(i + 1), "size length window") ? 1 : 0;
    const std::size_t behind = i + 1 + size;
    if (signal.empty() || !sentence.follows(behind)) {
        return false;
    }
    if (sentence.has(Means::ask, signal) && is_any(sentence.word(behind), "is matters") &&
        near_words(sentence, behind, behind + 3, "matters")) {
        sentence.claim(i, behind + 1 - i);  // "seq is what matters"
        return true;
    }
    if (is_any(sentence.word(behind), "ceiling limit cap") && !is_setting(sentence, i + 1)) {
        sentence.marks.push_back({Means::ask, signal, i, 2 + size});
        return true;
    }
    const bool hardware = !sentence.mentions.empty() || sentence.reading.memory_gib;
    const bool grows =
        signal == "largest_batch" || (signal == "largest_sequence" && size == 1 && hardware);
    if (i != 0 || !grows || !is_any(sentence.word(behind), "for on with to of") ||
        is_setting(sentence, i) || sentence.reading.batch || sentence.reading.sequence) {
        return false;
    }
    sentence.marks.push_back({Means::ask, signal, i, 1 + size});
    sentence.claim(i, 1 + size);
    return true;
}

/// The token of what grows behind a word of degree at token i, or of the first word that does not
/// link them.
std::size_t growing_behind(const Sentence& sentence, std::size_t i, bool best) {
    const auto of_model = [&](std::size_t at) {
        return at >= sentence.model_at && at < sentence.model_end;
    };
    std::size_t noun = i + 1;
    while (sentence.follows(noun) && noun < i + 9 && signal_of(sentence.word(noun)).empty() &&
           (joins_growth(sentence.word(noun)) || of_model(noun)) &&
           !(best && sentence.word(noun) == "for")) {
        ++noun;
    }
    return noun;
}

/// "highest resolution for sd 1.5 on 6gb", "longest video wan2.2 makes": of a model that makes them
/// and is not trained.
bool match_largest_picture(Sentence& sentence, std::size_t at, std::size_t noun,
                           std::string_view signal) {
    const auto model = sentence.named_architecture();
    const bool made = model && model->kind == ModelKind::diffusion && !sentence.has(Means::train) &&
                      !sentence.has(Means::tune);
    const bool degree = is_any(
        sentence.word(at),
        "max maximum largest biggest longest highest greatest most maximal long big high large");
    const bool other =
        sentence.follows(noun + 1) && is_any(sentence.word(noun + 1), "model models per");
    if (!made || !degree || other ||
        (signal == "largest_image" ? sentence.reading.image_size : sentence.reading.frames)) {
        return false;
    }
    const std::size_t size =
        is_any(sentence.word(noun + 1), "size resolution dimensions length duration") ? 2 : 1;
    std::erase_if(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::ask && is_any(mark.value, "images throughput duration");
    });
    sentence.marks.push_back({Means::ask, signal, at, 1});
    sentence.marks.push_back({Means::infer, "", at, 1});
    sentence.claim(at);
    sentence.claim(noun, size);
    return true;
}

/// "max rank/seq": what grows beside the noun at `noun`.
void mark_listed_behind(Sentence& sentence, std::size_t noun) {
    for (std::size_t i = noun + 1; sentence.follows(i); ++i) {
        const bool joined = sentence.tokens[i].gap == Gap::slash;
        const std::size_t other = joined ? i : i + (is_any(sentence.word(i), "and or &") ? 1 : 0);
        const std::string_view signal = signal_of(sentence.word(other));
        if ((!joined && other == i) || signal.empty() || !sentence.follows(other) ||
            is_setting(sentence, other)) {
            return;
        }
        // A context is held: a batch beside it makes no training of it.
        if (signal != "largest_batch" || !is_any(sentence.word(noun), "context ctx contexts")) {
            sentence.marks.push_back({Means::ask, signal, other, 1});
        }
        sentence.assume("largest", "one of several",
                        "a context goes before users, a batch and a rank: ask for the others by "
                        "themselves");
        sentence.claim(i, other + 1 - i);
        i = other;
    }
}

/// "max bs", "how many users", "best local model"; "how many docs per second" asks for a rate.
void match_superlative(Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    const bool best = word == "best";  // of models alone
    if (!is_degree(sentence, i) && !best) {
        return;
    }
    const std::size_t noun = growing_behind(sentence, i, best);
    std::string_view signal =
        sentence.follows(noun) ? signal_of(sentence.word(noun)) : std::string_view();
    // "max image size for sdxl", "largest picture flux makes"
    const bool picture =
        is_any(sentence.word(noun), "image picture pic") &&
        !is_any(sentence.word(noun + 1), "batch batches model models throughput rate speed");
    signal = sentence.follows(noun) && picture ? "largest_image" : signal;
    if (is_any(signal, "largest_image largest_frames") &&
        match_largest_picture(sentence, i, noun, signal)) {
        return;
    }
    if (best && signal != "largest_model") {
        return;
    }
    if (word == "many" && asks_a_rate(sentence, i + 1)) {
        std::erase_if(sentence.marks, [](const Mark& mark) {
            return mark.means == Means::ask && mark.value == "largest_users";
        });
        sentence.marks.push_back({Means::ask, "throughput", i, 1});
        sentence.claim(i);
        return;
    }
    if (signal == "largest_frames" && sentence.named_architecture() &&
        sentence.named_architecture()->kind != ModelKind::diffusion) {
        return;  // "longest clip whisper transcribes": no pictures are made
    }
    const bool many = signal == "largest_users" || signal == "largest_frames";
    const bool counted =
        (word == "many" && !many) || (word == "much" && signal != "largest_sequence");
    if (!signal.empty() && !counted && !is_setting(sentence, noun)) {
        sentence.marks.push_back({Means::ask, signal, i, 1});
        sentence.claim(i);
        sentence.claim(noun);
        mark_listed_behind(sentence, noun);
    }
}

/// "tokens/day at max batch": the rate is asked, the batch tells under which load.
void take_batch_for_load(Sentence& sentence) {
    for (Mark& mark : sentence.marks) {
        const std::size_t before = first_of_words(sentence, mark.at, "the a");
        if (mark.means == Means::ask && mark.value == "largest_batch" && before > 0 &&
            is_any(sentence.word(before - 1), "at @ with") && sentence.asks("throughput")) {
            mark.value = "full_load";
        }
    }
}

/// "what batch saturates an h100", "sweet spot of concurrency": from how many at once on the rate
/// grows no more.
void match_saturation(Sentence& sentence) {
    const std::size_t count = sentence.tokens.size();
    for (std::size_t i = 0; i < count; ++i) {
        const bool pair = (sentence.word(i) == "compute" && sentence.word(i + 1) == "bound") ||
                          (sentence.word(i) == "sweet" && sentence.word(i + 1) == "spot") ||
                          (sentence.word(i) == "diminishing" && sentence.word(i + 1) == "returns");
        if (!pair && !is_any(sentence.word(i), "saturate saturates saturating saturation")) {
            continue;
        }
        if (!sentence.any_word("batch batches batchsize bs minibatch concurrency")) {
            return;
        }
        // Mixed precision under autocast is a matter of training.
        const bool autocast = sentence.any_word("amp autocast") && !sentence.has(Means::infer);
        const bool trains = sentence.has(Means::train) || sentence.has(Means::tune) || autocast;
        const std::size_t length = pair ? 2 : 1;
        // A batch that is told is no question, without hardware nothing is saturated; a network's
        // batch is sought where it trains alone.
        const auto model = sentence.named_architecture();
        const bool network =
            model && (model->kind == ModelKind::image || model->kind == ModelKind::gan ||
                      model->kind == ModelKind::diffusion);
        if (sentence.reading.batch || sentence.mentions.empty() || (network && !trains)) {
            return;
        }
        std::erase_if(sentence.marks, [&](const Mark& mark) {
            const bool inside = mark.at >= i && mark.at < i + length;  // "spot" is no price here
            return inside ||
                   (mark.means == Means::ask &&
                    is_any(mark.value, "full_load throughput largest_batch largest_users fit"));
        });
        sentence.marks.push_back(
            {Means::ask, trains ? "largest_batch" : "largest_users", i, length});
        if (!trains) {
            sentence.marks.push_back({Means::infer, "", i, length});
        } else if (autocast) {
            sentence.marks.push_back({Means::train, "", i, length});
        }
        ask_for(sentence.reading, "saturating");
        sentence.claim(i, length);
        return;
    }
}

}  // namespace

void recognise_extremes(Sentence& sentence) {
    match_experts(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (!match_things_at_once(sentence, i) && !match_largest_of_kind(sentence, i) &&
            !match_family_behind(sentence, i) && !match_growing(sentence, i) &&
            !match_number_of(sentence, i) && !match_users_at_a_pace(sentence, i) &&
            !match_live_streams(sentence, i)) {
            match_superlative(sentence, i);
        }
    }
    take_batch_for_load(sentence);
    match_saturation(sentence);
    read_real_time(sentence);
}

}  // namespace ridgeline::reading
