#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

// Lines that people paste: options of launchers and engines ("--nnodes=2 --nproc-per-node 8",
// "--gres=gpu:h100:8", "nvidia.com/gpu: 2", "-c 32768"), and rows of nvidia-smi. Before all other
// numbers.

namespace ridgeline::reading {
namespace {

/// What the value behind an option sets.
// clang-format off
enum class LaunchSets {
    chosen, nodes, each, in_all, sequence, users, micro_batch, cache_type, limit_s, list, nothing,
    alone, memory_share
};
// clang-format on

/// An option by its letters and digits alone; `alone` has no value.
struct LaunchOption {
    std::string_view name;
    LaunchSets sets;
};
// clang-format off
constexpr LaunchOption launch_options[] = {
    {"nodes", LaunchSets::nodes}, {"nnodes", LaunchSets::nodes}, {"numbernodes", LaunchSets::nodes},
    {"numbermachines", LaunchSets::nodes}, {"instancecount", LaunchSets::nodes},
    {"gpuspernode", LaunchSets::each}, {"gpupernode", LaunchSets::each},
    {"nprocpernode", LaunchSets::each}, {"ntaskspernode", LaunchSets::each},
    {"taskspernode", LaunchSets::each}, {"processespernode", LaunchSets::each},
    {"numbergpuspernode", LaunchSets::each}, {"numbergpus", LaunchSets::each},
    {"ngpus", LaunchSets::each}, {"gpucount", LaunchSets::each},
    {"nvidia.comgpu", LaunchSets::in_all}, {"amd.comgpu", LaunchSets::in_all},
    {"numberprocesses", LaunchSets::in_all}, {"worldsize", LaunchSets::in_all},
    {"gpus", LaunchSets::in_all}, {"ctxsize", LaunchSets::sequence},
    {"maxmodellen", LaunchSets::sequence}, {"maxseqlen", LaunchSets::sequence},
    {"maxseqlength", LaunchSets::sequence}, {"maxnumberseqs", LaunchSets::users},
    {"contextsize", LaunchSets::sequence}, {"parallel", LaunchSets::users},
    {"numberparallel", LaunchSets::users},
    {"ctk", LaunchSets::cache_type}, {"ctv", LaunchSets::cache_type},
    {"cachetypek", LaunchSets::cache_type}, {"cachetypev", LaunchSets::cache_type},
    {"kvcachedtype", LaunchSets::cache_type}, {"time", LaunchSets::limit_s},
    {"ngl", LaunchSets::chosen}, {"gpulayers", LaunchSets::chosen},
    {"ngpulayers", LaunchSets::chosen}, {"threads", LaunchSets::nothing},
    {"ubatchsize", LaunchSets::nothing}, {"ub", LaunchSets::nothing}, {"mem", LaunchSets::nothing},
    {"cpuspertask", LaunchSets::nothing}, {"partition", LaunchSets::nothing},
    {"jobname", LaunchSets::nothing}, {"gpumemoryutilization", LaunchSets::memory_share},
    {"gpumemutil", LaunchSets::memory_share}, {"gpumemutilization", LaunchSets::memory_share},
    {"memfractionstatic", LaunchSets::memory_share}, {"memfraction", LaunchSets::memory_share},
    {"kvcachefreegpumemoryfraction", LaunchSets::memory_share},
    {"kvcachefreegpumemfraction", LaunchSets::memory_share},
    {"port", LaunchSets::nothing}, {"ncpumoe", LaunchSets::chosen}, {"ntasks", LaunchSets::nothing},
    {"noderank", LaunchSets::nothing}, {"masterport", LaunchSets::nothing},
    {"modelnameorpath", LaunchSets::alone}, {"pretrainedmodelnameorpath", LaunchSets::alone},
    {"modelid", LaunchSets::alone}, {"modelpath", LaunchSets::alone},
    {"trainbatchsize", LaunchSets::micro_batch}, {"numbershard", LaunchSets::each},
    {"cudavisibledevices", LaunchSets::list}, {"cpumoe", LaunchSets::alone},
    {"flashattn", LaunchSets::alone}, {"standalone", LaunchSets::alone},
};
// clang-format on

/// Options of one letter or two, which mean something behind a hyphen alone; large letters as
/// written.
constexpr LaunchOption short_options[] = {{"N", LaunchSets::nodes},    {"np", LaunchSets::users},
                                          {"c", LaunchSets::sequence}, {"t", LaunchSets::nothing},
                                          {"fa", LaunchSets::alone},   {"m", LaunchSets::alone}};

bool behind_hyphen(const Sentence& sentence, std::size_t at) {
    const std::size_t begin = sentence.tokens[at].begin;
    return begin > 0 && sentence.text[begin - 1] == '-' &&
           (begin == 1 || sentence.text[begin - 2] == '-' || sentence.text[begin - 2] == ' ');
}

/// Whether "=" or ":" stands between token i and the one before it.
bool is_assigned(const Sentence& sentence, std::size_t i) {
    if (i == 0 || i >= sentence.tokens.size()) {
        return false;
    }
    const std::size_t from = sentence.tokens[i - 1].end;
    const std::string_view between =
        std::string_view(sentence.text).substr(from, sentence.tokens[i].begin - from);
    return between.find_first_of("=:") != between.npos;
}

struct FoundOption {
    LaunchSets sets = LaunchSets::nothing;
    std::size_t end = 0;  ///< one past the name; 0: there is none
};

FoundOption option_at(const Sentence& sentence, std::size_t at) {
    const bool dashed = behind_hyphen(sentence, at);
    const Token& token = sentence.tokens[at];
    const std::string_view written =
        std::string_view(sentence.text).substr(token.begin, token.end - token.begin);
    for (const LaunchOption& each : short_options) {
        if (dashed && written == each.name) {
            return {each.sets, at + 1};
        }
    }
    FoundOption found;
    std::string name;
    constexpr std::size_t most_words = 5;
    for (std::size_t i = at;
         i < at + most_words && sentence.open(i) && (i == at || sentence.follows(i)); ++i) {
        name += sentence.word(i);
        const auto* row = std::find_if(std::begin(launch_options), std::end(launch_options),
                                       [&](const LaunchOption& each) { return each.name == name; });
        // "nodes=4" and "--nodes 4" are options, "nodes 4" is none.
        const bool shaped = dashed || is_assigned(sentence, i + 1) ||
                            (i > at && sentence.tokens[i].gap != Gap::space);
        if (row != std::end(launch_options) && shaped) {
            found = {row->sets, i + 1};
        }
    }
    return found;
}

/// Whether token i is the value behind a name: next to it, or quoted ("gpu: \"4\"").
bool is_value(const Sentence& sentence, std::size_t i) {
    if (i == 0 || i >= sentence.tokens.size()) {
        return false;
    }
    const std::size_t from = sentence.tokens[i - 1].end;
    const std::string_view between =
        std::string_view(sentence.text).substr(from, sentence.tokens[i].begin - from);
    return sentence.follows(i) || between.find_first_not_of(":= \"'") == between.npos;
}

/// "CUDA_VISIBLE_DEVICES=0,1": as many as are listed; the tokens of the list.
std::size_t take_list(Sentence& sentence, std::size_t at) {
    std::size_t end = at;
    while (end < sentence.tokens.size() && all_digits(sentence.word(end)) &&
           sentence.word(end).size() <= 2 &&
           (end == at || sentence.text[sentence.tokens[end].begin - 1] == ',')) {
        ++end;
    }
    if (end > at) {
        sentence.launch.in_all = static_cast<int>(end - at);
    }
    return end - at;
}

/// "24:00:00" as seconds; 0: it is no time of a scheduler.
double clock_s(const Sentence& sentence, std::size_t at) {
    const auto part = [&](std::size_t i) {
        return all_digits(sentence.word(i)) &&
               (i == at || (sentence.follows(i) && sentence.tokens[i].gap == Gap::colon));
    };
    if (!part(at) || !part(at + 1) || !part(at + 2)) {
        return 0;
    }
    const auto value = [&](std::size_t i) {
        return number_with_suffix(sentence.word(i)).value_or(0);
    };
    return 3600 * value(at) + 60 * value(at + 1) + value(at + 2);
}

/// Fills what the option sets from the value at token `at`; the tokens of it.
std::size_t take_value(Sentence& sentence, LaunchSets sets, std::size_t at) {
    if (sets == LaunchSets::alone || !is_value(sentence, at)) {
        return 0;
    }
    if (sets == LaunchSets::limit_s) {
        const double seconds = clock_s(sentence, at);
        sentence.reading.deadline_s =
            seconds > 0 ? std::optional(seconds) : sentence.reading.deadline_s;
        return seconds > 0 ? 3 : 0;
    }
    if (sets == LaunchSets::cache_type) {
        std::string type(sentence.word(at));
        std::size_t end = at + 1;
        for (; sentence.follows(end) && sentence.tokens[end].gap == Gap::joint; ++end) {
            type += "_" + std::string(sentence.word(end));  // "q8_0"
        }
        sentence.reading.kv_cache = type;
        return end - at;
    }
    if (sets == LaunchSets::list) {
        return take_list(sentence, at);
    }
    const auto measure = measure_at(sentence, at);
    if (!measure) {
        return (sets == LaunchSets::nothing || sets == LaunchSets::chosen ||
                sets == LaunchSets::memory_share) &&
                       behind_hyphen(sentence, at - 1) && !behind_hyphen(sentence, at)
                   ? 1
                   : 0;
    }
    if (sets == LaunchSets::nothing || !measure->unit.empty()) {
        return measure->length;
    }
    if (sets == LaunchSets::memory_share && measure->value > 0.01 && measure->value <= 1) {
        sentence.reading.memory_fraction = measure->value;
        return measure->length;
    }
    if (sets == LaunchSets::chosen || sets == LaunchSets::memory_share) {
        sentence.assume("left_to_the_answer",
                        fmt::format("{} {:g}", sentence.word(at - 1), measure->value),
                        "what fits the card is worked out, not taken from the line");
        return measure->length;
    }
    if (sets == LaunchSets::micro_batch) {
        take(sentence, at, *measure, Field::micro_batch);
        return measure->length;
    }
    const bool processes =
        sets == LaunchSets::users && sentence.any_word("mpirun mpiexec horovodrun");
    if (!processes && (sets == LaunchSets::users || sets == LaunchSets::sequence)) {
        take(sentence, at, *measure, sets == LaunchSets::users ? Field::users : Field::sequence);
    } else if (in_range(sentence, at, *measure, 1, most_launched, "a count of an option")) {
        Launch& launch = sentence.launch;
        auto& target = sets == LaunchSets::nodes  ? launch.nodes
                       : sets == LaunchSets::each ? launch.each
                                                  : launch.in_all;
        target = static_cast<int>(measure->value);
    }
    return measure->length;
}

/// "--gres=gpu:8", "--gres=gpu:h100:8": so many in each node; a name between is that of the part.
std::size_t match_gres(Sentence& sentence, std::size_t at) {
    if (sentence.word(at) != "gres" || sentence.word(at + 1) != "gpu") {
        return 0;
    }
    sentence.launch.each_said = true;
    const auto each = sentence.tokens.size() > at + 2 && sentence.tokens[at + 2].gap == Gap::colon
                          ? measure_at(sentence, at + 2)
                          : std::nullopt;
    if (each && all_digits(sentence.word(at + 2))) {
        if (in_range(sentence, at + 2, *each, 1, most_launched, "a count of an option")) {
            sentence.launch.each = static_cast<int>(each->value);
        }
        return 3;
    }
    return 2;
}

/// Words of a manifest around what it asks for.
bool is_manifest_word(const Sentence& sentence, std::size_t i) {
    return is_any(sentence.word(i),
                  "resources limits requests nodeselector spec containers gpu.product") &&
           is_assigned(sentence, i + 1);
}

}  // namespace

/// "llama-server", "llama-cli": programs of llama.cpp, no models of the family; the tokens of the
/// name.
std::size_t match_program(Sentence& sentence, std::size_t at) {
    const bool program = sentence.word(at) == "llama" && at + 1 < sentence.tokens.size() &&
                         sentence.tokens[at + 1].gap == Gap::joint &&
                         is_any(sentence.word(at + 1), "server cli bench perplexity");
    if (!program) {
        return 0;
    }
    sentence.marks.push_back({Means::framework, "llama.cpp", at, 2});
    sentence.marks.push_back({Means::infer, "", at, 2});
    if (sentence.word(at + 1) == "bench") {
        sentence.marks.push_back({Means::ask, "throughput", at, 2});
    }
    return 2;
}

/// The stage that a word of the name of a configuration tells: 3 of "z3", "zero3", "stage3", of "3"
/// behind "zero" or "stage".
char stage_in(std::string_view word, std::string_view before) {
    const bool glued = word.size() > 1 && is_any(word.substr(0, word.size() - 1), "z zero stage");
    const bool apart = word.size() == 1 && is_any(before, "z zero stage");
    const bool level = !word.empty() && word.back() >= '1' && word.back() <= '3';
    return level && (glued || apart) ? word.back() : '\0';
}

/// "ds_z3", "ds_config_zero3", "zero_stage2": the name of a configuration of DeepSpeed says how it
/// shards; the tokens of it.
std::size_t match_config_name(Sentence& sentence, std::size_t at) {
    // "zero-2 or 3" is read with the words of a plan.
    const bool stage_alone =
        sentence.word(at) == "zero" && sentence.word(at + 1).size() == 1 &&
        (at + 2 >= sentence.tokens.size() || sentence.tokens[at + 2].gap != Gap::joint);
    if (!is_any(sentence.word(at), "ds deepspeed zero") || stage_alone) {
        return 0;
    }
    std::size_t end = at + 1;
    char stage = '\0';
    for (; end < sentence.tokens.size() && sentence.tokens[end].gap == Gap::joint; ++end) {
        const char found = stage_in(sentence.word(end), sentence.word(end - 1));
        stage = found != '\0' ? found : stage;
    }
    if (stage == '\0') {
        return 0;
    }
    sentence.shardings.emplace_back(std::string("zero") + stage, at);
    sentence.marks.push_back({Means::train, "", at, end - at});
    return end - at;
}

/// "accelerate launch --num_processes 2 train.py" runs one copy of the model on each card, unless
/// its line or its file says how they share it.
void settle_accelerate(Sentence& sentence, std::size_t at) {
    if (sentence.word(at) != "accelerate" || sentence.word(at + 1) != "launch") {
        return;
    }
    sentence.claim(at, 2);
    const bool told = sentence.text.find("fsdp") != std::string::npos ||
                      sentence.text.find("deepspeed") != std::string::npos ||
                      sentence.text.find("config_file") != std::string::npos ||
                      sentence.text.find("config-file") != std::string::npos;
    if (!told && sentence.launch.in_all.value_or(1) > 1) {
        sentence.reading.sharding = "ddp";
        sentence.assume("sharding", "ddp",
                        "accelerate launch runs a copy on each card where nothing else is said");
    }
}

void recognise_launchers(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size() && !sentence.error; ++i) {
        if (!sentence.open(i)) {
            continue;
        }
        if (const std::size_t length =
                std::max({match_gres(sentence, i), match_config_name(sentence, i),
                          match_program(sentence, i)});
            length > 0) {
            sentence.claim(i, length);
        } else if (const FoundOption found = option_at(sentence, i); found.end > 0) {
            const std::size_t value = take_value(sentence, found.sets, found.end);
            if (value > 0 || found.sets == LaunchSets::alone) {
                sentence.claim(i, found.end + value - i);
            }
        } else if (is_manifest_word(sentence, i) ||
                   is_any(sentence.word(i),
                          "sbatch srun salloc torchrun mpirun mpiexec nvidia.com amd.com")) {
            sentence.claim(i);
        }
    }
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        settle_accelerate(sentence, i);
    }
}

}  // namespace ridgeline::reading
