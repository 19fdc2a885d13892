#include "ask/open_questions.h"

#include "advise/figure_words.h"
#include "advise/fits/replies.h"
#include "advise/hardware/desk.h"
#include "advise/largest/replies.h"
#include "advise/reading/words/sentence.h"
#include "ask/typed_words.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

// Questions of newcomers, who name no model: the size that one has in mind decides what to buy, so
// that a usual one is answered and the others are told beside it.

namespace ridgeline::ask {
namespace {

/// Sizes in which open models for one's own computer are published.
constexpr std::array classes{8, 14, 32, 70};
constexpr int most_of_one_card = 32;
constexpr int tuned_most = 8;

std::string name_of_class(int billions) { return fmt::format("{}b", billions); }

bool seeks_hardware(const std::vector<std::string>& words) {
    return has_word_of(
        words,
        "gpu gpus card cards hardware laptop notebook pc computer workstation server "
        "machine rig setup nvidia amd intel mac");
}

/// Whether nothing else is said than what such a question is made of: any other word tells of work
/// that a language model is not.
bool is_plain(const std::vector<std::string>& words) {
    static constexpr std::string_view known =
        "a an the what whats which is are be best good better right decent cheap cheapest budget "
        "smallest gpu gpus card cards graphics hardware laptop notebook pc computer workstation "
        "machine rig setup mini mac macbook nvidia amd intel to for of in at on with and or vs "
        "versus than do does can could will i we my me need needed should would want buy get run "
        "running use using work local locally home ai ml llm llms chatbot learning deep models "
        "model large language student students phd beginner hobby hobbyist it there this much vram "
        "ram memory enough sufficient ok now today someone tell if have has hate dont quiet silent "
        "fan fans noise noisy loud please pls thanks psu supply power watt watts w only under "
        "below limit used new";
    return std::ranges::all_of(words, [](const std::string& word) {
        return !is_letter(word.front()) || reading::is_any(word, known);
    });
}

bool is_beginner(const std::vector<std::string>& words) {
    return has_word_of(
        words, "student students beginner beginners start starting learn hobby hobbyist course");
}

bool speaks_of_models(const std::vector<std::string>& words) {
    return has_word_of(words, "ai ml llm llms chatbot learning models student phd beginner hobby");
}

/// "a 16gb card", "24 GB".
bool says_memory(const std::vector<std::string>& words) {
    return std::ranges::any_of(words, [](const std::string& word) { return word.ends_with("gb"); });
}

/// Whether what is looked for stands at home: said, or by who runs there.
bool is_for_home(const Reading& reading) {
    const bool computer = std::ranges::any_of(
        reading.require, [](const std::string& each) { return is_build(each); });
    const bool mac = reading.vendors.size() == 1 && reading.vendors.front() == "apple";
    return reading.home || computer || mac || reading.framework == "llama.cpp";
}

/// Whether a choice of hardware for language models is asked, and no more is said of them.
bool leaves_model_open(const Reading& reading) {
    const bool named = !reading.model.empty() || !reading.family_models.empty() ||
                       !reading.profile.empty() || reading.kernel || asks(reading, "value") ||
                       !reading.accelerators.empty();
    const bool loaded = reading.concurrency.value_or(1) > 1 || reading.requests_per_s;
    return reading.intent == Intent::hardware && !named && !loaded && !reading.usd_per_hour;
}

/// Of a memory that is told, the largest class whose 4-bit files leave a tenth of it.
int class_at_home(std::optional<double> memory_gib) {
    constexpr double gb_of_a_billion = 0.6;  // in q4_k_m
    if (!memory_gib) {
        return most_of_one_card;
    }
    const auto found = std::find_if(classes.rbegin(), classes.rend(), [&](int size) {
        return gb_of_a_billion * size <= 0.9 * *memory_gib;
    });
    return found == classes.rend() ? classes.front() : *found;
}

Supplement with_class(std::string_view before, int size, Intent intent, std::string_view why) {
    const std::string name = name_of_class(size);
    return {fmt::format("{}, {}", before, name), intent, {"model", name, std::string(why)}};
}

/// Of memory: whether one is enough, or how much is.
std::optional<Supplement> supplement_of_memory(const std::vector<std::string>& words) {
    const bool memory =
        has_word_of(words, "vram ram memory") ||
        std::ranges::any_of(words, [](const std::string& word) { return word.ends_with("gb"); });
    const bool two = has_word_of(words, "or vs versus") &&
                     std::ranges::count_if(
                         words, [](const std::string& word) { return word.ends_with("gb"); }) > 1;
    if (memory && (two || has_word_of(words, "enough sufficient ok good"))) {
        return Supplement{", what can i run", Intent::largest, {}};
    }
    return memory && has_word_of(words, "much")
               ? std::optional(with_class("", most_of_one_card, Intent::memory, class_for_home))
               : std::nullopt;
}

constexpr std::string_view words_of_text =
    "chatbot chatbots chat bot assistant assistants email emails mail mails letters essays pdf "
    "pdfs summarize summarise summarizes summarises summaries summary notes homework";

/// "is a 3060 good enough for a local chatbot", "how much vram to write my emails": what is written
/// tells that a language model is meant, none is named.
std::optional<Supplement> supplement_of_texts(const Reading& reading,
                                              const std::vector<std::string>& words) {
    const bool fit = reading.intent == Intent::fit && !reading.accelerators.empty();
    const bool memory = reading.intent == Intent::memory && reading.accelerators.empty();
    const bool named = !reading.model.empty() || !reading.family_models.empty() || reading.kernel ||
                       reading.audio_s || reading.task == Task::train;
    if (named || !(fit || memory) || !has_word_of(words, words_of_text)) {
        return std::nullopt;
    }
    constexpr double least_gb = 12;  // below it files of 8B in 4 bits leave little for a text
    const bool small =
        has_word_of(words, "small tiny little") || reading.memory_gib.value_or(least_gb) < least_gb;
    const std::string name = small ? "4b" : name_of_class(classes.front());
    return Supplement{", " + name, reading.intent, {"model", name, std::string(class_for_text)}};
}

/// "a chatbot for 30 students at once": a load, of a model that nobody named.
bool serves_people(const Reading& reading, const std::vector<std::string>& words) {
    return reading.concurrency.value_or(1) > 1 &&
           (has_word_of(words, words_of_text) || has_word_of(words, "llm llms ai chatgpt"));
}

/// What is usual for questions of one kind, by their words.
struct Opening {
    bool unread;              ///< it is none where anything else of the question was understood
    std::string_view any[3];  ///< a word of each list
    std::string_view words;   ///< what is usual, behind those of the question
    Intent intent;
    std::string_view field{}, value{}, why{};  ///< what is told as assumed; no field: nothing is
};
constexpr std::string_view words_of_cards = "gpu gpus card cards graphics";
constexpr std::string_view words_of_rents = "rent renting rental cloud hire lease";
constexpr std::string_view words_of_cheap = "cheap cheapest lowest";
constexpr std::string_view words_of_people =
    "server employees staff company companys office business customers colleagues internal "
    "documents docs users practice clinic hospital patient patients client clients firm us";
constexpr std::string_view words_of_code =
    "copilot copilots autocomplete completion completions code coding";
constexpr std::string_view model_for_code = "qwen3-coder-30b-a3b";
constexpr Opening openings[] = {
    {false,
     {words_of_code,
      "dev devs developer developers engineer engineers programmer programmers coders team teams",
      ""},
     ", serving qwen3-coder-30b-a3b",
     Intent::hardware,
     "model",
     model_for_code,
     class_for_code},
    {true,
     {"byte bytes", "parameter parameters param params weight",
      "adam adamw sgd adafactor lion muon optimizer mixed train training finetune finetuning "
      "tuning"},
     ", adam states of a 1b",
     Intent::memory,
     "model",
     "1b",
     "no model was named: bytes of a parameter are the same in each"},
    {true,
     {"cuda",
      "learn learning study studying teach practice practise beginner beginners course "
      "programming start starting",
      "gpu gpus card cards graphics hardware"},
     ", cheapest geforce card with tensor cores to buy",
     Intent::price},
    {false,
     {"replace replacing replacement successor swap upgrade",
      "same equal match matching equivalent", "throughput speed performance fast pace rate"},
     ", serving 8b to 64 users",
     Intent::hardware,
     "model",
     "8b",
     class_for_service},
    {true,
     {"buy buying own owning", words_of_rents, words_of_cards},
     ", a 4090",
     Intent::own,
     "accelerators",
     "rtx-4090",
     "no card was named: one that many buy and many rent"},
    {true,
     {"much cost costs price prices", words_of_rents, words_of_cards},
     ", 1gb or more",
     Intent::price},
    {true, {words_of_cheap, words_of_cards, words_of_cheap}, ", 1gb or more", Intent::price},
    {false,
     {"share sharing pool combine combined add stack", "memory vram",
      "two 2 multiple dual several"},
     ", 2x 3090, serving 32b",
     Intent::fit,
     "accelerators",
     "rtx-3090",
     "no card was named; memory is not pooled: each holds its part of one model"},
    {false,
     {"llm llms ai chatbot chatbots rag assistant openai", words_of_people, words_of_people},
     ", serving 8b",
     Intent::hardware,
     "model",
     "8b",
     class_for_service},
};

/// Whether nothing is known of the work or the hardware: what is usual contradicts nothing.
bool leaves_all_open(const Reading& reading) {
    return reading.model.empty() && reading.family_models.empty() && !reading.kernel &&
           reading.accelerators.empty() && !reading.memory_gib && !reading.budget_usd &&
           !reading.usd_per_hour && !reading.usd_per_month && reading.task != Task::train &&
           reading.environment.empty() &&
           (reading.intent == Intent::hardware || reading.intent == Intent::budget);
}

std::optional<Supplement> supplement_of_kind(const Reading* reading,
                                             const std::vector<std::string>& words) {
    if (reading != nullptr && leaves_all_open(*reading) && serves_people(*reading, words) &&
        !has_word_of(words, words_of_code)) {
        return with_class(", serving", classes.front(), Intent::hardware, class_for_service);
    }
    for (const Opening& kind : openings) {
        const bool open = reading == nullptr || (!kind.unread && leaves_all_open(*reading));
        if (open &&
            std::ranges::all_of(kind.any, [&](auto list) { return has_word_of(words, list); })) {
            const bool counted = std::ranges::any_of(
                words, [](const std::string& word) { return is_digit(word.front()); });
            return Supplement{
                std::string(kind.words) + (counted                         ? ""
                                           : kind.why == class_for_service ? " to 50 users"
                                           : kind.why == class_for_code    ? " to 20 users"
                                                                           : ""),
                kind.intent,
                {std::string(kind.field), std::string(kind.value), std::string(kind.why)}};
        }
    }
    return std::nullopt;
}

/// "can my gaming pc run it": what stands in a computer of which no card is told.
std::optional<Supplement> supplement_of_computer(const Reading& reading,
                                                 const std::vector<std::string>& words) {
    const bool asked = has_word_of(words, "can could will would does enough able") &&
                       !has_word_of(words, "what which best need buy cheapest");
    const bool own = has_word_of(words, "my our gaming normal average ordinary regular old home");
    const bool laptop = has_word_of(words, "laptop notebook");
    const bool mac = has_word_of(words, "mac macbook imac");
    const bool open = reading.intent == Intent::hardware && !reading.model.empty() &&
                      reading.model_known && reading.accelerators.empty() && !reading.memory_gib &&
                      !reading.host_memory_gib && !reading.budget_usd && !reading.concurrency;
    if (asked && own && mac && open) {
        return Supplement{", on an m4 16gb",
                          Intent::fit,
                          {"accelerators", "apple-m4",
                           "no chip and no memory was named: an M4 of 16 GB; more memory holds "
                           "larger models"}};
    }
    if (!asked || !own || !open || !(laptop || has_word_of(words, "pc computer desktop"))) {
        return std::nullopt;
    }
    const char* const gb = laptop ? "8" : "16";
    return Supplement{fmt::format(", on one {}gb card", gb),
                      Intent::fit,
                      {"memory", fmt::format("{} GB", gb),
                       "of such a computer's card, which was not named: say which, as in \"on a "
                       "3060\""}};
}

/// "2 nodes for 3k users of qwen3-32b enough?": of the parts that are usual in a node.
std::optional<Supplement> supplement_of_nodes(const Reading& reading,
                                              const std::vector<std::string>& words) {
    const bool judged =
        has_word_of(words, "enough sufficient suffice handle handles do will can") &&
        !has_word_of(words, "how which what cheapest best");
    if (!reading.nodes || reading.model.empty() || !reading.accelerators.empty() || !judged ||
        reading.intent != Intent::hardware) {
        return std::nullopt;
    }
    return Supplement{fmt::format(", {} nodes of 8 h100", *reading.nodes),
                      Intent::fit,
                      {"accelerators", "h100-sxm5-80gb",
                       "no part was named: nodes of 8, as most of those that are rented"}};
}

/// "can you train loras on a mac": one of those that are sold, as none is named.
std::optional<Supplement> supplement_of_mac(const Reading& reading,
                                            const std::vector<std::string>& words) {
    const bool open = reading.intent == Intent::hardware && reading.model.empty() &&
                      reading.accelerators.empty() && !reading.memory_gib && !reading.budget_usd;
    if (!open || reading.task != Task::train ||
        !has_word_of(words, "mac macs macbook macbooks imac") ||
        !has_word_of(words, "can could does do is able possible") ||
        has_word_of(words, "which what best buy cheapest")) {
        return std::nullopt;
    }
    return Supplement{
        ", does lora of 8b fit on an m4 pro 48gb",
        Intent::fit,
        {"accelerators", "apple-m4-pro", "no Mac was named: one with 48 GB, and a model of 8B"}};
}

/// Of hardware that is named, and no model.
std::optional<Supplement> supplement_of_hardware(const Reading& reading,
                                                 const std::vector<std::string>& words) {
    if (reading.intent != Intent::largest || !reading.model.empty() ||
        !reading.family_models.empty() || reading.accelerators.empty() ||
        reading.task == Task::train) {
        return std::nullopt;
    }
    if (reading.extreme == Extreme::users) {
        return with_class(", serving", tuned_most, Intent::largest, class_for_service);
    }
    return has_word_of(words, "tokens tok tps words") &&
                   has_word_of(words, "second sec s tps fast speed")
               ? std::optional(
                     Supplement{", 8b vs 14b vs 32b vs 70b in q4_k_m",
                                Intent::compare,
                                {"model", "8b", "no model was named: the usual sizes are told"}})
               : std::nullopt;
}

/// Of a question that could be read, and is about a choice of hardware.
std::optional<Supplement> supplement_of_choice(const Reading& reading,
                                               const std::vector<std::string>& words) {
    if (reading.task == Task::train || !reading.method.empty()) {
        const bool tunes =
            has_word_of(words, "fine finetune finetuning tune tuning lora qlora teach");
        return tunes && reading.method != "full"
                   ? std::optional(with_class("", tuned_most, Intent::hardware, class_for_tuning))
                   : std::nullopt;
    }
    const bool least =
        has_word_of(words, "smallest cheapest minimum") && has_word_of(words, "llm llms");
    if (least && reading.task == Task::inference && !reading.memory_gib) {
        return with_class(", at home", classes.front(), Intent::hardware, class_for_home);
    }
    // "best workstation gpu for ai"
    const bool no_work = !reading.task && reading.profile.empty() && is_plain(words);
    return no_work || (is_for_home(reading) && reading.task)
               ? std::optional(with_class(", at home", class_at_home(reading.memory_gib),
                                          Intent::hardware, class_for_home))
               : std::nullopt;
}

/// Of one that could not be, by its words.
std::optional<Supplement> supplement_of_words(const std::vector<std::string>& words) {
    if (seeks_hardware(words) && speaks_of_models(words) && is_plain(words)) {
        return says_memory(words)
                   ? Supplement{", what can i run", Intent::largest, {}}
                   : with_class(", at home", most_of_one_card, Intent::hardware, class_for_home);
    }
    return std::nullopt;
}

/// "1 x RTX 3060 Ti (about $200, 65.6 tokens/s)" for models of another size; empty: nothing.
std::string choice_words(Question question, const std::string& model, const World& world) {
    question.query.workload.model_id = question.query.model_text = model;
    const auto advice = advice_on(question, world, AdviceExtent::options);
    if (!advice || advice->options.empty()) {
        return {};
    }
    const Option& best = advice->options.front();
    const std::string price = best.purchase_usd
                                  ? "about " + format_usd(*best.purchase_usd)
                                  : format_usd(best.estimate.cost.usd_per_hour) + "/h";
    return fmt::format("{} x {} ({}, {} tokens/s)", best.cluster.count,
                       short_name(*best.cluster.accelerator), price,
                       figure_words(best.estimate.time.tokens_per_second));
}

/// "a 5 kW circuit, how big a model could it run": beyond the classes of one card the largest usual
/// size that a machine within that power writes as fast as one reads, and on what.
std::string largest_fed(const Question& question, const World& world) {
    if (!question.query.rack_kw) {
        return "";
    }
    Question paced = question;
    constexpr double least_pace = 5;  // tokens a second, as fast as one reads
    paced.query.tpot_s = 1 / least_pace;
    for (const int size : {405, 235, 123}) {
        const std::string on = choice_words(paced, name_of_class(size), world);
        if (!on.empty()) {
            const auto& type = question.query.workload.quantization;
            return fmt::format("A machine within {:g} kW runs up to {}B{}: {}. ",
                               *question.query.rack_kw, size,
                               type && *type != "none" ? " in " + *type : "", on);
        }
    }
    return "";
}

/// Whether a class stands for models that the question leaves open.
bool is_class(const AssumedField* model) {
    return model != nullptr && (model->why == class_for_home || model->why == class_for_tuning ||
                                model->why == class_for_service || model->why == class_for_text);
}

}  // namespace

std::optional<Supplement> supplement_of(const std::string& question, const Reading* reading) {
    const auto words = typed_words(question);
    const bool fits = reading != nullptr && reading->intent == Intent::fit &&
                      reading->model.empty() && reading->accelerators.empty();
    const bool open = reading != nullptr && leaves_model_open(*reading);
    if (reading == nullptr || fits || open) {
        if (auto memory = supplement_of_memory(words)) {
            return memory;
        }
    }
    // "which gpu for a machine learning student": one learns on a card that trains something.
    if (reading != nullptr && reading->intent == Intent::hardware && reading->model.empty() &&
        reading->profile == "llm-training" && is_beginner(words)) {
        auto tuned =
            with_class(", nvidia, at home, qlora", tuned_most, Intent::hardware, class_for_tuning);
        return tuned;
    }
    if (auto nodes = reading == nullptr ? std::nullopt : supplement_of_nodes(*reading, words)) {
        return nodes;
    }
    if (auto mac = reading == nullptr ? std::nullopt : supplement_of_mac(*reading, words)) {
        return mac;
    }
    if (auto texts = reading == nullptr ? std::nullopt : supplement_of_texts(*reading, words)) {
        return texts;
    }
    auto usual = open                 ? supplement_of_choice(*reading, words)
                 : reading == nullptr ? supplement_of_words(words)
                                      : supplement_of_hardware(*reading, words);
    // "a server with 200 GB in total": its memory is what is sought.
    const bool sized = reading != nullptr && reading->memory_of_all_gib;
    usual = usual || sized ? usual : supplement_of_kind(reading, words);
    return usual || reading == nullptr ? usual : supplement_of_computer(*reading, words);
}

void lead_with_class(const Reading& reading, const Question& question, const World& world,
                     Answer& reply) {
    const AssumedField* model = assumed_of(reading, "model");
    if (!is_class(model)) {
        return;
    }
    std::string words;
    for (const int size : classes) {
        const std::string name = name_of_class(size);
        if (name == model->value) {
            reply.headline = fmt::format("For models of {}B: {}", size, reply.headline);
            continue;
        }
        // What is there was measured with the class alone.
        const std::string other =
            question.query.least_rate > 0 ? "" : choice_words(question, name, world);
        if (!other.empty()) {
            words += fmt::format("{} {}B {}", words.empty() ? " For" : ", for", size, other);
        }
    }
    reply.headline += words.empty() ? words : words + ".";
    reply.headline = largest_fed(question, world) + reply.headline;
}

void lead_with_class(const Reading& reading, const AnswerTools& tools, Answer& reply) {
    const AssumedField* model = assumed_of(reading, "model");
    if (!is_class(model)) {
        return;
    }
    std::string words;
    for (const int size : classes) {
        Reading one = reading;
        one.model = name_of_class(size);
        one.concurrency.reset();
        one.quantization = reply.weights.empty() ? "none" : reply.weights;
        const auto other = one.model == model->value ? Result<Answer>(tl::unexpected(Error{}))
                                                     : reply_largest(one, query_of(one), tools);
        const double most = other ? other->values.front().mid.value_or(0) : 0;
        if (most > 0) {
            words += fmt::format("{} {}B {:g}", words.empty() ? " For" : ", for", size, most);
        }
    }
    reply.headline = fmt::format("For models of {}: {}{}", model->value, reply.headline,
                                 words.empty() ? words : words + ".");
}

void lead_with_memory_of_classes(const Reading& reading, const AnswerTools& tools, Answer& reply) {
    if (!is_class(assumed_of(reading, "model"))) {
        return;
    }
    std::string words;
    for (const int size : classes) {
        Reading one = reading;
        one.model = name_of_class(size);
        one.task = Task::inference;
        one.quantization = "q4_k_m";
        const auto answer = reply_memory(one, tools);
        if (answer && answer->needs) {
            words += fmt::format("{}{}B {:.1f} GiB", words.empty() ? "" : ", ", size,
                                 answer->needs->mid);
        }
    }
    reply.headline = fmt::format("The size of the model decides; served in 4 bits: {}. {}", words,
                                 reply.headline);
}

}  // namespace ridgeline::ask
