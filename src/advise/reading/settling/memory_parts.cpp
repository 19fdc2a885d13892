#include "advise/reading/settling/context_memory.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>

// Single parts of a model's memory that are asked for: states of the optimizer, gradients,
// activations, weights or their file, the cache of a context, the host's share.

namespace ridgeline::reading {
namespace {

/// The part of training's memory that a word names; empty: none.
std::string_view part_of(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    return is_any(word,
                  "optimizer optimiser optim adam adamw lion muon adafactor sgd lamb momentum") ||
                   (word == "opt" && sentence.open(i))
               ? "part_optimizer"
           : is_any(word, "grad grads gradient gradients")   ? "part_gradients"
           : is_any(word, "act acts activation activations") ? "part_activations"
                                                             : "";
}

/// "without the activations", "excluding grads and activations", "activations not counted": all but
/// the part at token `at`.
bool is_left_out(const Sentence& sentence, std::size_t at) {
    std::size_t i = at;
    while (i > 0 && sentence.follows(i) &&
           (is_any(sentence.word(i - 1), "any the all for counting including and or nor") ||
            !part_of(sentence, i - 1).empty())) {
        --i;
    }
    const std::string_view before =
        i > 0 && sentence.follows(i) ? sentence.word(i - 1) : std::string_view();
    const std::string_view governs = i > 1 ? sentence.word(i - 2) : std::string_view();
    if (is_any(before,
               "without excluding exclude excludes excl except ignoring ignore minus no not "
               "besides omitting disregarding neglecting sans") ||
        (before == "out" && is_any(governs, "leaving leave left")) ||
        (before == "from" && is_any(governs, "apart aside")) ||
        (before == "than" && governs == "other") || (before == "o" && governs == "w")) {
        return true;
    }
    i = at + 1;
    while (sentence.follows(i) && is_any(sentence.word(i), "are is memory being were")) {
        ++i;
    }
    const std::string_view behind = sentence.follows(i) ? sentence.word(i) : std::string_view();
    return is_any(behind, "excluded ignored aside apart omitted excl") ||
           (is_any(behind, "not arent left") &&
            is_any(sentence.word(i + 1), "counted included considered out counting"));
}

/// "AdamW states", "grad memory", "mem of the grads", "activations only", "grads of 13b": a part of
/// training's memory by itself.
void match_part_of_memory(Sentence& sentence, std::size_t at) {
    const std::string_view part = part_of(sentence, at);
    const std::string_view next =
        sentence.follows(at + 1) ? sentence.word(at + 1) : std::string_view();
    if (part.empty() ||
        is_any(
            next,
            "checkpointing checkpoints checkpoint ckpt accumulation clipping norm noise steps")) {
        return;
    }
    if (is_left_out(sentence, at)) {
        for (const std::string_view asked :
             {std::string_view("without_parts"), std::string_view("strong_memory"), part}) {
            sentence.marks.push_back({Means::ask, asked, at, 1});
        }
        sentence.marks.push_back({Means::train, "", at, 1});
        sentence.claim(at);
        for (std::size_t i = at + 1; i < at + 4 && sentence.follows(i); ++i) {
            if (is_any(sentence.word(i),
                       "counted included considered excluded ignored aside apart omitted")) {
                sentence.claim(i);
            }
        }
        return;
    }
    const bool kept = is_any(next, "state states moment moments buffers") || is_memory_word(next);
    const bool by_itself =
        is_any(next, "only alone") || (at > 0 && is_any(sentence.word(at - 1), "just only"));
    const std::size_t of =
        at - std::min<std::size_t>(at, is_any(sentence.word(at - 1), "the its") ? 2 : 1);
    const bool sized =
        of > 0 && of < at && sentence.word(of) == "of" && is_memory_word(sentence.word(of - 1));
    const bool noun = is_any(sentence.word(at), "grads gradients activations acts") ||
                      (next.empty() && is_any(sentence.word(at), "optimizer optimiser") &&
                       sentence.asks("memory strong_memory"));
    // "how much memory does adam need", no "7b with adam takes"
    const bool subject =
        part == "part_optimizer" && sentence.asks("memory strong_memory") &&
        is_any(next, "need needs take takes use uses require requires eat eats occupy add adds") &&
        (at == 0 || !is_any(sentence.word(at - 1), "with using via by and"));
    // "gradients, optimizer and activations": one of a list of parts.
    const auto neighbour = [&](std::size_t i) {
        return i < sentence.tokens.size() && i != at &&
               !is_any(sentence.word(i + 1), "checkpointing checkpoints checkpoint ckpt steps") &&
               (!part_of(sentence, i).empty() || is_any(sentence.word(i), "weights"));
    };
    const std::size_t behind = past_words(sentence, at + 1, "and plus the");
    const std::size_t before = first_of_words(sentence, at, "and plus the");
    const bool listed = neighbour(behind) || (before > 0 && neighbour(before - 1));
    if (!kept && !by_itself && !sized && !noun && !subject && !listed) {
        return;
    }
    const std::size_t words = kept ? 2 : 1;
    sentence.marks.push_back({Means::ask, part, at, words});
    sentence.marks.push_back({Means::train, "", at, words});
    if (is_memory_word(next) || sized) {
        sentence.marks.push_back({Means::ask, "memory", at, words});
    }
    sentence.claim(at, words);
}

/// "bytes/param of full ft with adamw, fp32 master and bf16 grads": weights, gradients and states
/// together, whose types are those of mixed precision.
void match_bytes_of_parameter(Sentence& sentence, std::size_t at) {
    const std::size_t noun = at + (is_any(sentence.word(at + 1), "per a each") ? 2 : 1);
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune) ||
                        sentence.any_word("adam adamw optimizer optimiser grads gradients states");
    if (!is_any(sentence.word(at), "byte bytes") || !trains || !sentence.follows(noun) ||
        !is_any(sentence.word(noun), "param params parameter parameters weight")) {
        return;
    }
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        return mark.means == Means::compute &&
               is_any(sentence.word(mark.at + mark.length), "grad grads gradient gradients");
    });
    for (const std::string_view asked : {"part_parameters", "part_gradients", "part_optimizer",
                                         "mixed_precision", "strong_memory"}) {
        sentence.marks.push_back({Means::ask, asked, at, noun + 1 - at});
    }
    sentence.marks.push_back({Means::train, "", at, noun + 1 - at});
    sentence.claim(at, noun + 1 - at);
}

/// "weights + grads + states": the weights of a run, where the word stands beside another part.
void match_weights_beside(Sentence& sentence, std::size_t at) {
    if (!is_any(sentence.word(at), "weights weight params parameters")) {
        return;
    }
    const auto part_at = [&](std::size_t i) {
        return i < sentence.tokens.size() &&
               std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
                   return mark.means == Means::ask && mark.value.starts_with("part_") &&
                          mark.at <= i && i < mark.at + mark.length;
               });
    };
    const std::size_t behind = past_words(sentence, at + 1, "and plus & + the");
    const std::size_t before = first_of_words(sentence, at, "and plus & + the model fp16 bf16");
    if (part_at(behind) || (before > 0 && part_at(before - 1))) {
        sentence.marks.push_back({Means::ask, "part_parameters", at, 1});
        sentence.claim(at);
    }
}

/// "fp32 adam", "adamw in fp32", "fp32 master weights", "optimizer states in 8bit": the type of the
/// optimizer's states, no type that the model computes or is stored in.
void match_typed_states(Sentence& sentence) {
    constexpr std::size_t nearest = 3;
    const auto keeps = [&](std::size_t i) {
        return is_any(sentence.word(i),
                      "adam adamw optimizer optimiser optim moments states state master");
    };
    bool narrowed = false;
    for (Mark& mark : sentence.marks) {
        const bool wide = (mark.means == Means::compute && mark.value == "fp32") ||
                          (mark.means == Means::quantization && sentence.word(mark.at) == "full");
        const bool narrow = mark.means == Means::quantization && mark.value == "int8";
        const std::size_t end = mark.at + mark.length;
        // Nothing else stands between the 8 bits and what they are of: "8bit lora with adam" has
        // them of the weights.
        const auto joined = [&](std::size_t from, std::size_t to) {
            while (
                from < to &&
                is_any(sentence.word(from),
                       "in of the with for paged bnb bitsandbytes are is kept at as size memory")) {
                ++from;
            }
            return !narrow || from >= to;
        };
        bool beside = false;
        for (std::size_t i = mark.at - std::min(mark.at, nearest);
             (wide || narrow) && i < end + nearest; ++i) {
            const bool behind = i >= end;
            // What stands before is joined: "adam in fp32", "master weights fp32".
            beside = beside ||
                     (keeps(i) && (behind ? sentence.follows(end) && joined(end, i)
                                          : sentence.follows(mark.at) && joined(i + 1, mark.at)));
        }
        if (beside) {
            mark = {Means::optimizer, wide ? "adamw-fp32" : "adamw-8bit", mark.at, mark.length};
        }
        narrowed = narrowed || (beside && narrow);
    }
    // "8 bit bitsandbytes adam": the library of the states, no weights.
    std::erase_if(sentence.marks, [&](const Mark& mark) {
        return narrowed && mark.means == Means::quantization &&
               is_any(sentence.word(mark.at), "bnb bitsandbytes");
    });
}

/// Whether token i is a type that weights are stored in: "fp16", "8bit".
bool takes_a_type(const Sentence& sentence, std::size_t i) {
    return std::ranges::any_of(sentence.marks, [i](const Mark& mark) {
        const bool type = mark.means == Means::quantization || mark.means == Means::compute;
        return type && mark.at <= i && i < mark.at + mark.length;
    });
}

/// "gguf size", "size of the file", "disk space", "just the weights": what is stored, and nothing
/// that runs.
void match_weights(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::string_view next =
        sentence.follows(at + 1) ? sentence.word(at + 1) : std::string_view();
    const bool file =
        is_any(word, "gguf file files download safetensors") && is_any(next, "size sizes");
    const bool disk = (is_any(word, "disk storage") && is_any(next, "space size usage")) ||
                      (word == "on" && next == "disk");
    // "how big is gpt-oss 20b in gigabytes": of a model alone, with no context and no hardware
    const bool in_bytes = is_any(word, "big large heavy") && at > 0 &&
                          sentence.word(at - 1) == "how" && sentence.mentions.empty() &&
                          !sentence.reading.sequence && !sentence.reading.memory_gib &&
                          sentence.any_word("gigabyte gigabytes gb gib gigs megabytes mb") &&
                          !sentence.any_word(
                              "cache kv context optimizer states gradients adapter adapters lora "
                              "checkpoint checkpoints activations batch run serve card gpu vram");
    const bool sized =
        (in_bytes || (is_any(word, "big large size") && sentence.any_word("gguf file download"))) &&
        sentence.reading.task != Task::train;
    // "fp16 weights of a 33b in gb", "how much do the weights of mixtral take"
    const bool typed = at > 0 && sentence.follows(at) && takes_a_type(sentence, at - 1);
    const bool sized_weights =
        word == "weights" && (typed || next == "of" || next == "in") &&
        sentence.reading.task != Task::train && sentence.mentions.empty() &&
        !sentence.any_word(
            "serve serving fit fits run context kv cache train training tune with "
            "faster slower quicker cheaper worse better speed larger smaller") &&
        (sentence.any_word("gb gib gigs gigabytes size big large much") ||
         sentence.asks("memory strong_memory size_of how_much"));
    const bool for_them = is_any(word, "just only") && next == "for" &&
                          sentence.word(at + 2) == "the" && sentence.word(at + 3) == "weights";
    const bool weights =
        sized_weights || for_them || (word == "weights" && is_any(next, "alone only")) ||
        (is_any(word, "just only") &&
         (next == "weights" || (next == "the" && sentence.word(at + 2) == "weights")));
    if (!(file || disk || sized || weights)) {
        return;
    }
    const std::size_t words = for_them ? 4 : sized || sized_weights ? 1 : 2;
    sentence.marks.push_back({Means::ask, "part_weights", at, words});
    sentence.claim(at, words);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "gguf file files download")) {
            sentence.claim(i);
        }
    }
}

/// "20 checkpoints": so many are kept, where a number stands before the word.
void take_number_of_checkpoints(Sentence& sentence, std::size_t at) {
    const bool several = is_any(sentence.word(at), "checkpoints ckpts");
    const std::size_t before = at - std::min<std::size_t>(at, 1);
    const auto number = several && before < at ? measure_at(sentence, before) : std::nullopt;
    if (number && number->unit.empty() && number->length == 1 && number->value >= 1 &&
        number->value <= 1e6) {
        sentence.reading.checkpoints = static_cast<int>(number->value);
        sentence.claim(before);
    }
}

/// "time to save at 2 GB/s": what the storage takes in a second.
void take_rate_of_storage(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto measure = measure_at(sentence, i);
        std::size_t end = i + (measure ? measure->length : 0);
        if (!measure || !(measure->value > 0)) {
            continue;
        }
        const std::string_view unit = measure->unit.empty() ? sentence.word(end++) : measure->unit;
        const double gb = is_any(unit, "gb gib gb/s")   ? 1
                          : is_any(unit, "mb mib mb/s") ? 1e-3
                          : is_any(unit, "tb tib tb/s") ? 1e3
                                                        : 0;
        const bool joined = unit.ends_with("/s");
        const bool per = !joined && sentence.word(end) == "per";
        end += per ? 1 : 0;
        const bool slash = end < sentence.tokens.size() && sentence.tokens[end].gap == Gap::slash;
        const bool second = (per || slash) && is_any(sentence.word(end), "s sec second");
        if (gb > 0 && (joined || second)) {
            sentence.reading.storage_gb_per_s = measure->value * gb;
            // A rate of bytes was taken for one of a link, which no network has.
            std::erase_if(sentence.reading.not_understood, [](const std::string& words) {
                return words.ends_with("b/s") || words == "s";
            });
            sentence.claim(i, end + (joined ? 0 : 1) - i);
            return;
        }
    }
}

/// "checkpoint on disk", "size of the adapters", "one layer", "embedding table", "logits": pieces
/// that are asked for by themselves.
void match_piece(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    const std::string_view next =
        sentence.follows(at + 1) ? sentence.word(at + 1) : std::string_view();
    const std::string_view before = at > 0 ? sentence.word(at - 1) : std::string_view();
    const bool sized =
        sentence.asks("memory strong_memory size_of how_much kv_cache") ||
        sentence.any_word(
            "size big large heavy disk storage space gb gib mb mib tb parameters params");
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune) ||
                        sentence.any_word("optimizer optimiser states");
    std::string_view piece;
    std::size_t words = 1;
    if (is_any(word, "checkpoint checkpoints ckpt ckpts") &&
        !is_any(before, "gradient activation grad act with") && trains && sized) {
        piece = "part_checkpoint";
        take_number_of_checkpoints(sentence, at);
        take_rate_of_storage(sentence);
    } else if (is_any(word, "adapter adapters") && !sentence.reading.served_adapters && sized &&
               !sentence.any_word("serve serving hold users vram")) {
        piece = "part_adapters";
    } else if (is_any(word, "layer block") &&
               is_any(before, "one single per each a transformer decoder encoder") && sized &&
               !sentence.any_word("layers")) {
        piece = "per_layer";
        if (is_any(before, "transformer decoder encoder")) {
            sentence.claim(at - 1);
        }
    } else if (is_any(word, "embedding embeddings token vocabulary") &&
               is_any(next, "table matrix weights layer")) {
        piece = "part_embedding";
        words = 2;
    } else if (word == "logits" && sized) {
        piece = "part_logits";
    } else {
        return;
    }
    sentence.marks.push_back({Means::ask, piece, at, words});
    sentence.claim(at, words);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "mb mib disk linear")) {
            sentence.claim(i);
        }
    }
}

/// "host ram", "cpu memory", "how much ram ... with a 4090": of the computer, not of a card.
void match_host(Sentence& sentence, std::size_t at) {
    const bool beside = sentence.mentions.size() == 1 && !sentence.mentions.front().parts.empty() &&
                        sentence.mentions.front().parts.front()->kind == "gpu" &&
                        sentence.mentions.front().parts.front()->vendor != "Apple";
    // "how much ram for a lora of 8b on a 3090" is the card's, unless something is offloaded.
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune) ||
                        !sentence.reading.method.empty() || sentence.any_word("vram");
    if (beside && at > 0 && sentence.word(at) == "ram" && !sentence.reading.host_memory_gib &&
        sentence.word(at - 1) == "much" && (!trains || sentence.has(Means::offload))) {
        sentence.marks.push_back({Means::ask, "host_ram", at, 1});
        return;
    }
    const bool host = is_any(sentence.word(at), "host cpu system main") &&
                      sentence.follows(at + 1) && is_any(sentence.word(at + 1), "ram memory");
    if (host && !sentence.reading.host_memory_gib) {
        sentence.marks.push_back({Means::ask, "host_ram", at, 2});
        sentence.claim(at, 2);
    }
}

}  // namespace

void recognise_memory_parts(Sentence& sentence) {
    const bool sized = std::ranges::any_of(
        sentence.tokens, [](const Token& token) { return parameters_in(token.text).has_value(); });
    if (sentence.reading.model.empty() && !sized) {
        return;
    }
    match_typed_states(sentence);
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        match_part_of_memory(sentence, i);
        if (sentence.mentions.empty() && !sentence.reading.memory_gib) {
            match_weights(sentence, i);  // "what size gguf for my 3060" asks what fits
        }
        if (sentence.mentions.empty() ||
            sentence.any_word("checkpoint checkpoints adapter adapters")) {
            match_piece(sentence, i);
        }
        match_bytes_of_parameter(sentence, i);
        match_host(sentence, i);
        match_beyond_weights(sentence, i);
        match_bare_cache(sentence, i);
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        match_weights_beside(sentence, i);
    }
    match_context(sentence);
}

}  // namespace ridgeline::reading
