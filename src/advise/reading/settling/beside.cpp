#include "advise/reading/amounts/steps.h"
#include "advise/reading/models/model_words.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/order.h"

#include <algorithm>
#include <optional>

// Other work on the same hardware at the same time: "train a qlora of 32b and chat with a 32b at
// the same time".

namespace ridgeline::reading {
namespace {

/// A word of training or serving where it stands.
struct WorkWord {
    std::size_t at = 0;
    Task task = Task::inference;
    std::string_view method;
};

/// weak  words count that only hint at serving: "8b chat for 200 users"
std::vector<WorkWord> told_work(const Sentence& sentence, bool weak = false) {
    std::vector<WorkWord> words;
    for (const Mark& mark : sentence.marks) {
        const bool trains = mark.means == Means::train || mark.means == Means::tune;
        if (trains || (mark.means == Means::infer && mark.value != "weak")) {
            words.push_back({mark.at, trains ? Task::train : Task::inference,
                             trains ? mark.value : std::string_view()});
        }
    }
    for (std::size_t i = 0; weak && i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "chat chats users requests")) {
            words.push_back({i, Task::inference, {}});
        }
    }
    stable_order(words.begin(), words.end(),
                 [](const WorkWord& a, const WorkWord& b) { return a.at < b.at; });
    return words;
}

/// What is done with the model at token `at`: by the words before it, else by those up to `next`.
std::optional<WorkBeside> work_told(const std::vector<WorkWord>& words, std::size_t from,
                                    std::size_t at, std::size_t next) {
    std::optional<WorkBeside> found;
    const auto take = [&](const WorkWord& word) {
        if (found && found->task == word.task && word.method.empty()) {
            return;  // "train a lora": the method stays
        }
        const bool same = found && found->task == word.task;
        const std::string method = word.method == "lora" && same && found->method == "qlora"
                                       ? found->method
                                       : std::string(word.method);
        found = WorkBeside{{}, word.task, method};
    };
    for (const WorkWord& word : words) {
        if (word.at >= from && word.at < at) {
            take(word);
        }
    }
    for (const WorkWord& word : words) {
        // "train a 7b qlora": the method stands behind the model.
        const bool method =
            found && found->task == word.task && found->method.empty() && word.at <= at + 2;
        if (word.at > at && word.at < next && (!found || method)) {
            take(word);
        }
    }
    return found;
}

/// "whisper-small and a 3b llm", "bge-m3 and an 8b": served side by side, where nobody trains.
bool joined_by_and(const Sentence& sentence) {
    if (sentence.has(Means::train) || sentence.has(Means::tune)) {
        return false;
    }
    const std::size_t to = sentence.other_models.front().second;
    const std::size_t from = std::max(sentence.model_end, sentence.model_at + 1);
    // "llm, sd and whisper": a list; that of sizes names one model.
    const std::size_t begin = std::min(sentence.tokens[from - 1].end, sentence.tokens[to].begin);
    const bool sizes =
        parameters_in(sentence.reading.model) && parameters_in(sentence.other_models.front().first);
    bool joined =
        !sizes && sentence.text.substr(begin, sentence.tokens[to].begin - begin).find(',') !=
                      std::string::npos;
    for (std::size_t i = from; i < to; ++i) {
        joined = joined || is_any(sentence.word(i), "and & + plus und et y");
        const bool passes =
            is_any(sentence.word(i),
                   "and & + plus und et y a an the one also with my q4 q8 fp8 some bit of "
                   "run running local occasional light maybe llm llms model "
                   "models stable diffusion image video generation");
        if (!passes || sentence.tokens[i].gap == Gap::stop) {
            return false;
        }
    }
    return joined;
}

/// "on the same card", "on one l4", "a + b": models that share their hardware, where room is asked
/// for.
bool share_hardware(const Sentence& sentence) {
    // "a card for llama 8b + flux"
    const bool open = sentence.mentions.empty() && sentence.has(Means::gpu);
    const bool sought = sentence.asks("hardware weak_hardware") || sentence.takes_cards || open;
    const bool room = sought || sentence.asks("strong_fit") || sentence.asks("fit") ||
                      sentence.asks("memory") || sentence.asks("strong_memory") ||
                      sentence.mentions.size() == 1;
    const bool speed = sentence.asks("throughput") || sentence.asks("duration");
    if (!room || speed || sentence.other_models.empty()) {
        return false;
    }
    if (joined_by_and(sentence) &&
        (sought || sentence.asks("strong_fit fit") || sentence.mentions.size() == 1)) {
        return true;
    }
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        // "the same 24gb card", "the same 4 h100"
        const bool passes =
            memory_piece(sentence.word(i + 1)) > 0 || measure_at(sentence, i + 1).has_value();
        const std::size_t noun = i + (passes ? 2 : 1);
        const bool place =
            is_any(sentence.word(noun), "card gpu box machine node server hardware accelerator") ||
            std::ranges::any_of(sentence.mentions,
                                [&](const Mention& each) { return each.at == noun; });
        if (place && is_any(sentence.word(i), "same one single")) {
            return true;
        }
        const bool between = i >= sentence.model_end && i < sentence.other_models.front().second;
        if (between && is_any(sentence.word(i), "+ plus &")) {
            return true;
        }
    }
    return false;
}

}  // namespace

namespace {

/// A model and what is done with it.
struct Placed {
    std::string id;
    std::size_t at = 0;
    std::optional<WorkBeside> work{};
};

/// What a model is for by the word before it, of those that learn from others: "a 70b teacher",
/// "student".
std::optional<WorkBeside> work_of_role(Sentence& sentence, std::size_t at) {
    constexpr std::size_t nearest = 3;
    for (std::size_t i = at - std::min(at, nearest); i < at + nearest; ++i) {
        if (sentence.word(i) == "teacher") {
            sentence.claim(i);
            return WorkBeside{};
        }
        if (sentence.word(i) == "student") {
            sentence.claim(i);
            return WorkBeside{{}, Task::train, "full"};
        }
    }
    return std::nullopt;
}

/// Whether no profile has the shape of a model that is named beside another.
bool tells_unknown_model(const Sentence& sentence, const std::string& id) {
    const auto& architecture = sentence.vocabulary.architecture;
    return architecture && !parameters_in(id) && !architecture(id);
}

/// The models of the question with the work of each: what is told of it, else that of the one
/// before; empty where no work is told of any.
std::vector<Placed> placed_models(Sentence& sentence, const std::vector<WorkWord>& words) {
    const auto& others =
        sentence.other_models.empty() ? sentence.repeated_models : sentence.other_models;
    std::vector<Placed> models{{sentence.reading.model, sentence.model_at}};
    for (const auto& [id, at] : others) {
        if (!tells_unknown_model(sentence, id)) {
            models.push_back({id, at});
        }
    }
    const bool alone = models.size() == 1;
    if (alone) {
        models.push_back(
            {sentence.reading.model, sentence.tokens.size()});  // "train a 32b and serve it"
    }
    const bool served = words.empty() && sentence.reading.task != Task::train;
    std::optional<WorkBeside> last = served
                                         ? std::optional(WorkBeside{})
                                         : std::nullopt;  // "will flux dev and qwen3 8b both fit"
    for (std::size_t k = 0; k < models.size(); ++k) {
        const std::size_t from = k == 0  ? 0
                                 : k > 1 ? models[k - 1].at + 1
                                 : alone ? sentence.model_at
                                         : sentence.model_end;
        const std::size_t next = k + 1 < models.size() ? models[k + 1].at : sentence.tokens.size();
        auto told = work_of_role(sentence, models[k].at);
        told = told ? told : work_told(words, from, models[k].at, next);
        last = told ? told : last;
        models[k].work = last;
    }
    // "whisper + qwen3 4b, an assistant": what is told of a later one is meant of those before it
    // too.
    for (std::size_t k = models.size() - 1; k-- > 0;) {
        if (!models[k].work && models[k + 1].work && models[k + 1].work->task == Task::inference) {
            models[k].work = models[k + 1].work;
        }
    }
    return models;
}

/// "both in q4", "all in 8 bit"; "all at once" is of time.
bool types_all(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool of_time = is_any(sentence.word(i + 1), "at together on running the day time");
        if (sentence.word(i) == "both" || (sentence.word(i) == "all" && !of_time)) {
            return true;
        }
    }
    return false;
}

/// The types that weights of all are stored in: each has those that stand behind it; one type
/// behind the last is that of all where "both" or "all" have it.
void part_types(const Sentence& sentence, const std::vector<Placed>& models, Reading& reading) {
    std::vector<std::string> types(models.size());
    const auto take = [&](std::size_t at, std::string_view type) {
        std::size_t owner = 0;
        while (owner + 1 < models.size() && models[owner + 1].at <= at) {
            ++owner;
        }
        types[owner] = type;
    };
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::quantization ||
            (mark.means == Means::compute && is_any(mark.value, "fp16 bf16"))) {
            take(mark.at, mark.means == Means::compute ? "none" : mark.value);
        }
    }
    for (const auto& [type, at] : sentence.files) {
        take(at, type);
    }
    const auto open = static_cast<std::size_t>(std::ranges::count(types, std::string()));
    if (open == types.size() || (types_all(sentence) && open > 0)) {
        return;
    }
    reading.quantization = types.front();
    reading.compute.clear();
    for (std::size_t k = 1; k < models.size(); ++k) {
        if (reading.beside[k - 1].task == Task::inference) {
            reading.beside[k - 1].quantization = types[k];
        }
    }
}

/// "5 users of llama and 8 whisper streams": where several numbers are told, each is of the model
/// that stands nearest.
void part_users(Sentence& sentence, const std::vector<Placed>& models, Reading& reading) {
    std::vector<std::optional<int>> users_of(models.size());
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto count = measure_at(sentence, i);
        // "3 models: ...": those that are named.
        if (count && count->unit.empty() && sentence.open(i) &&
            count->value == static_cast<double>(models.size()) &&
            is_any(sentence.word(i + count->length), "models llms networks")) {
            sentence.claim(i, count->length);
            std::erase(reading.not_understood, sentence.tokens[i].text);
        }
        bool users = false;
        const bool people = count && count->unit.empty() && !count->scaled && count->value >= 1 &&
                            count->value < 1e6;
        for (std::size_t k = count ? i + count->length : 0;
             people && !measure_at(sentence, k) && k < i + 6 && !users && sentence.follows(k);
             ++k) {
            users = is_any(sentence.word(k),
                           "user users stream streams people person chats callers requests");
        }
        if (!users) {
            continue;
        }
        // "4 users of qwen": of two as near the one behind.
        const auto apart = [&](const Placed& model) {
            return model.at > i ? std::pair(model.at - i, 0) : std::pair(i - model.at, 1);
        };
        const auto nearest = std::ranges::min_element(
            models, [&](const Placed& a, const Placed& b) { return apart(a) < apart(b); });
        users_of[static_cast<std::size_t>(nearest - models.begin())] =
            static_cast<int>(count->value);
    }
    if (std::count(users_of.begin(), users_of.end(), std::nullopt) + 2 >
        static_cast<std::ptrdiff_t>(models.size())) {
        return;
    }
    reading.concurrency = users_of.front();
    for (std::size_t k = 1; k < models.size(); ++k) {
        reading.beside[k - 1].concurrency = users_of[k];
    }
}

}  // namespace

namespace {

/// "whisper and a 3b side by side on one a10": two models that run, no two that are compared.
bool run_side_by_side(Sentence& sentence) {
    const auto compares = [&](const Mark& mark) {
        return mark.means == Means::versus &&
               !(sentence.word(mark.at) == "side" && sentence.word(mark.at + 1) == "by");
    };
    const bool sided = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::versus && !compares(mark);
    });
    if (!sided || sentence.mentions.size() > 1 || sentence.other_models.empty() ||
        std::ranges::any_of(sentence.marks, compares) ||
        !(sentence.has(Means::infer) || sentence.asks("fit strong_fit memory strong_memory"))) {
        return false;
    }
    std::erase_if(sentence.marks, [](const Mark& mark) { return mark.means == Means::versus; });
    return true;
}

}  // namespace

namespace {

/// Whether some words are of training and others of serving.
bool tells_both_tasks(const std::vector<WorkWord>& words) {
    const auto has = [&](Task task) {
        return std::ranges::any_of(words, [&](const WorkWord& word) { return word.task == task; });
    };
    return has(Task::train) && has(Task::inference);
}

/// "6 l40s and 3 a100: 8b chat for 200 users and a weekly 13b lora": which work goes where is not
/// weighed, so that the first is judged as what is told of it, not by the method of the other.
void judge_first_work(Sentence& sentence, const std::vector<WorkWord>& words) {
    Reading& reading = sentence.reading;
    if (sentence.mentions.size() < 2 || sentence.other_models.empty() || reading.model.empty() ||
        !tells_both_tasks(words) || sentence.has(Means::versus) || sentence.has(Means::either)) {
        return;
    }
    const auto models = placed_models(sentence, words);
    const auto& first = models.front().work;
    const auto& other = models[1].work;
    if (!first || !other || first->task == other->task || models[1].at <= models.front().at) {
        return;
    }
    reading.task = first->task;
    reading.method = first->task == Task::inference ? std::string() : first->method;
    reading.unweighed.emplace_back(
        "which work goes where (the first alone is judged: ask of each by itself)");
}

/// "serve 8b to 100 users and train a lora of 7b on 4 h100", "one serves a 70b, the others tune an
/// 8b": both on the one hardware that is named.
bool serves_and_trains(const Sentence& sentence, const std::vector<WorkWord>& words) {
    if (sentence.other_models.empty() || sentence.mentions.size() != 1 ||
        !tells_both_tasks(words)) {
        return false;
    }
    for (std::size_t i = sentence.model_at; i < sentence.other_models.front().second; ++i) {
        if (is_any(sentence.word(i), "and plus + & also other others another rest while whereas") ||
            (i >= sentence.model_end && sentence.tokens[i].gap == Gap::stop)) {
            return true;
        }
    }
    return false;
}

}  // namespace

void recognise_beside(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool sided = run_side_by_side(sentence);
    const bool together =
        happen_together(sentence) || sentence.any_word("both while whilst alongside together") ||
        (sentence.any_word("teacher") && sentence.any_word("student")) || sided ||
        share_hardware(sentence) || serves_and_trains(sentence, told_work(sentence));
    const bool compared =
        !reading.alternatives.empty() || sentence.has(Means::versus) || sentence.has(Means::either);
    const std::vector<WorkWord> words = told_work(sentence);
    if (!together || compared || reading.model.empty() || reading.kernel) {
        judge_first_work(sentence, told_work(sentence, true));
        return;
    }
    const bool both_tasks = tells_both_tasks(words);
    if (sentence.other_models.empty() && !both_tasks) {
        return;
    }
    const std::vector<Placed> models = placed_models(sentence, words);
    const Placed& first = models.front();
    const bool same = sentence.other_models.empty() && sentence.repeated_models.empty() &&
                      first.work && models[1].work && first.work->task == models[1].work->task;
    if (!first.work || same || models[1].at <= first.at) {
        return;
    }
    reading.task = first.work->task;
    reading.method = first.work->task == Task::inference ? std::string() : first.work->method;
    if (first.work->task == Task::inference) {
        reading.algorithm.clear();
    }
    for (auto each = models.begin() + 1; each != models.end(); ++each) {
        WorkBeside work = *each->work;
        work.model = each->id;
        work.method = work.task == Task::train && work.method.empty() ? "lora" : work.method;
        std::erase(reading.not_understood, work.model);
        reading.beside.push_back(work);
    }
    if (first.work->task == Task::inference &&
        (!sentence.other_models.empty() || !sentence.repeated_models.empty())) {
        part_types(sentence, models, reading);
    }
    if (!sentence.other_models.empty()) {
        part_users(sentence, models, reading);
    }
}

namespace {

/// "a pc for llms and some sdxl", "flux and sdxl": who looks for a card makes pictures with one
/// model at a time, unless both are said to run at once.
bool runs_in_turn(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const auto makes_pictures = [&](const std::string& id) {
        const auto model =
            sentence.vocabulary.architecture ? sentence.vocabulary.architecture(id) : std::nullopt;
        return model && model->kind == ModelKind::diffusion;
    };
    const bool pictures = makes_pictures(reading.model) ||
                          std::ranges::any_of(reading.beside, [&](const WorkBeside& work) {
                              return makes_pictures(work.model);
                          });
    const bool served = reading.task == Task::inference &&
                        std::ranges::all_of(reading.beside, [](const WorkBeside& work) {
                            return work.task == Task::inference;
                        });
    const bool sought = reading.intent == Intent::hardware || reading.intent == Intent::budget;
    return sought && served && pictures && !happen_together(sentence) &&
           !sentence.any_word("both while whilst alongside together");
}

/// Names of the question that are no models known here, in a list of those that are: they stand
/// beside a comma, a plus or "and".
std::vector<std::string> names_unknown(const Sentence& sentence) {
    std::vector<std::string> names;
    const auto joins = [&](std::size_t i) {
        return i < sentence.tokens.size() &&
               (is_any(sentence.word(i), "and & + plus und et y") ||
                (i > 0 && sentence.text
                                  .substr(sentence.tokens[i - 1].end,
                                          sentence.tokens[i].begin - sentence.tokens[i - 1].end)
                                  .find(',') != std::string::npos));
    };
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string name(sentence.word(i));
        const auto& unknown = sentence.reading.not_understood;
        const bool listed = joins(i) || joins(i + 1) || joins(i + 2) ||
                            (i > 0 && joins(i - 1) && sentence.word(i - 1) != name);
        if (listed && std::ranges::find(unknown, name) != unknown.end() && has_letter(name)) {
            add_once(names, name);
        }
    }
    return names;
}

}  // namespace

void tell_beside(Sentence& sentence) {
    Reading& reading = sentence.reading;
    std::string words;
    // What is counted without one of a list holds for the others alone.
    for (const std::string& name :
         reading.beside.empty() ? std::vector<std::string>() : names_unknown(sentence)) {
        reading.unweighed.push_back(name + " (no model of that name is known here)");
    }
    for (WorkBeside& work : reading.beside) {
        if (work.quantization && is_any(*work.quantization, "4bit gguf")) {
            work.quantization = "q4_k_m";  // as cards of one's own have it
        }
        words += (words.empty() ? "" : "; ") + work.model +
                 (work.task == Task::inference ? " served" : ", " + work.method);
    }
    // Programs that make pictures load what each step needs and put the last back.
    reading.in_turn =
        !words.empty() && (sentence.any_word(picture_programs) || runs_in_turn(sentence));
    if (!words.empty()) {
        sentence.assume(
            "beside", words,
            reading.in_turn ? "one is loaded at a time: the larger decides"
            : reading.intent == Intent::fit || reading.intent == Intent::memory
                ? "on the same hardware at the same time: memory of all adds up, and they share "
                  "its time"
            : (reading.intent == Intent::hardware || reading.intent == Intent::budget) &&
                    reading.task == Task::inference
                ? "memory of all adds up; rates are of the first alone, whose time they share"
                : "it is not in the figures: what runs beside takes memory and time of its own");
    }
}

}  // namespace ridgeline::reading
