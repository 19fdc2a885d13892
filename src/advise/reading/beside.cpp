#include "advise/reading/names.h"
#include "advise/reading/sentence.h"
#include "spec/words.h"

#include <algorithm>
#include <optional>

// Other work on the same hardware at the same time: "train a qlora of 32b and chat with a 32b at the same time".

namespace ridgeline::reading {
namespace {

/// A word of training or serving where it stands.
struct WorkWord {
    std::size_t at = 0;
    Task task = Task::inference;
    std::string_view method;
};

std::vector<WorkWord> told_work(const Sentence& sentence) {
    std::vector<WorkWord> words;
    for (const Mark& mark : sentence.marks) {
        const bool trains = mark.means == Means::train || mark.means == Means::tune;
        if (trains || (mark.means == Means::infer && mark.value != "weak")) {
            words.push_back({mark.at, trains ? Task::train : Task::inference, trains ? mark.value : std::string_view()});
        }
    }
    std::sort(words.begin(), words.end(), [](const WorkWord& a, const WorkWord& b) { return a.at < b.at; });
    return words;
}

/// What is done with the model at token `at`: by the words before it, else by those up to `next`.
std::optional<WorkBeside> work_told(const std::vector<WorkWord>& words, std::size_t from, std::size_t at, std::size_t next) {
    std::optional<WorkBeside> found;
    const auto take = [&](const WorkWord& word) {
        if (found && found->task == word.task && word.method.empty()) {
            return;  // "train a lora": the method stays
        }
        const bool same = found && found->task == word.task;
        const std::string method = word.method == "lora" && same && found->method == "qlora" ? found->method : std::string(word.method);
        found = WorkBeside{{}, word.task, method};
    };
    for (const WorkWord& word : words) {
        if (word.at >= from && word.at < at) {
            take(word);
        }
    }
    for (const WorkWord& word : words) {
        if (word.at > at && word.at < next && !found) {
            take(word);
        }
    }
    return found;
}

/// "on the same card", "on one l4", "a + b": models that share their hardware, where room is asked for.
bool share_hardware(const Sentence& sentence) {
    const bool room = sentence.asks("strong_fit") || sentence.asks("fit") || sentence.asks("memory") || sentence.asks("strong_memory") ||
                      sentence.asks("hardware") || sentence.asks("weak_hardware");
    const bool speed = sentence.asks("throughput") || sentence.asks("duration");
    if (!room || speed || sentence.other_models.empty()) {
        return false;
    }
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const std::size_t noun = i + (memory_piece(sentence.word(i + 1)) > 0 ? 2 : 1);
        const bool place = is_any(sentence.word(noun), "card gpu box machine node server hardware accelerator") ||
                           std::any_of(sentence.mentions.begin(), sentence.mentions.end(), [&](const Mention& each) { return each.at == noun; });
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

/// The types that weights of both are stored in: each has those that stand behind it; one type behind the second is that of
/// both where "both" have it.
void part_types(const Sentence& sentence, std::size_t second_at, Reading& reading, WorkBeside& second) {
    std::string first_type;
    std::string second_type;
    const auto take = [&](std::size_t at, std::string_view type) {
        (at < second_at ? first_type : second_type) = type;
    };
    for (const Mark& mark : sentence.marks) {
        if (mark.means == Means::quantization || (mark.means == Means::compute && is_any(mark.value, "fp16 bf16"))) {
            take(mark.at, mark.means == Means::compute ? "none" : mark.value);
        }
    }
    for (const auto& [type, at] : sentence.files) {
        take(at, type);
    }
    if (sentence.any_word("both all") && (first_type.empty() || second_type.empty())) {
        return;
    }
    if (!first_type.empty() || !second_type.empty()) {
        reading.quantization = first_type;
        reading.compute.clear();
        second.quantization = second_type;
    }
}

}  // namespace

void recognise_beside(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool together = happen_together(sentence) || sentence.any_word("both while whilst alongside together") ||
                          share_hardware(sentence);
    const bool compared = !reading.alternatives.empty() || sentence.has(Means::versus) || sentence.has(Means::either);
    if (!together || compared || reading.model.empty() || reading.kernel) {
        return;
    }
    const auto& others = sentence.other_models.empty() ? sentence.repeated_models : sentence.other_models;
    const std::vector<WorkWord> words = told_work(sentence);
    const auto has = [&](Task task) {
        return std::any_of(words.begin(), words.end(), [&](const WorkWord& word) { return word.task == task; });
    };
    const bool both_tasks = has(Task::train) && has(Task::inference);
    if (sentence.other_models.empty() && !both_tasks) {
        return;
    }
    const std::size_t end = sentence.tokens.size();
    const std::size_t second_at = others.empty() ? end : others.front().second;
    if (second_at <= sentence.model_at) {
        return;
    }
    auto first = work_told(words, 0, sentence.model_at, second_at);
    auto second = work_told(words, others.empty() ? sentence.model_at : sentence.model_end, second_at, end);
    if (!first && !second && words.empty() && reading.task != Task::train) {
        first = WorkBeside{};  // "will flux dev and qwen3 8b both fit": what holds them answers
    }
    if (!second && first) {
        second = first;  // "run whisper and llama 8b"
    }
    if (!first || !second || (others.empty() && first->task == second->task)) {
        return;
    }
    second->model = others.empty() ? reading.model : others.front().first;
    std::erase(reading.not_understood, second->model);
    reading.task = first->task;
    reading.method = first->task == Task::inference ? std::string() : first->method;
    if (first->task == Task::inference) {
        reading.algorithm.clear();
    }
    if (second->task == Task::train && second->method.empty()) {
        second->method = "lora";
    }
    if (first->task == Task::inference && second->task == Task::inference && !others.empty()) {
        part_types(sentence, second_at, reading, *second);
    }
    reading.beside = *second;
}

void tell_beside(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.beside) {
        return;
    }
    std::optional<std::string>& type = reading.beside->quantization;
    if (type && is_any(*type, "4bit gguf")) {
        type = "q4_k_m";  // as cards of one's own have it
    }
    const std::string words = reading.beside->model + (reading.beside->task == Task::inference ? " served" : ", " + reading.beside->method);
    sentence.assume("beside",
                    words,
                    reading.intent == Intent::fit || reading.intent == Intent::memory ? "on the same hardware at the same time: memory of both adds up, and they share its time"
                                                  : "it is not in the figures: what runs beside takes memory and time of its own");
}

}  // namespace ridgeline::reading
