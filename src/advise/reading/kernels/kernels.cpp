// Single kernels of scientific computing: "fft 512^3 fp64", "a 16384 dgemm", "ns/day of 1M atoms".

#include "advise/reading/kernels/kernel_words.h"
#include "advise/reading/kernels/steps.h"
#include "advise/reading/words/lexicon.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/negation.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"
#include "estimate/families/kernel/kernel_work.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace ridgeline::reading {
namespace {

void read_molecular_system(Sentence& sentence, std::string_view text, Kernel& kernel) {
    if (kernel.operation != "molecular_dynamics" || kernel.elements > 0) {
        return;
    }
    for (const MolecularSystem& system : molecular_systems()) {
        if (const Span span = find_words(text, system.name); span.any()) {
            claim_span(sentence, span);
            kernel.elements = system.atoms;
            sentence.assume("atoms", std::to_string(static_cast<long long>(system.atoms)),
                            "those of " + std::string(system.name));
            return;
        }
    }
}

/// "lammps lennard jones", "lj", "eam copper": forces of pairs without charges. "lj-pme" and
/// "lj and coulomb" have them.
void read_forces(Sentence& sentence, std::string_view text, Kernel& kernel) {
    if (kernel.operation != "molecular_dynamics") {
        return;
    }
    const bool charges =
        sentence.any_word("pme ewald pppm coulomb charges electrostatics water protein");
    struct Said {
        std::string_view words;
        std::string_view method;
    };
    for (const auto& [words, method] :
         {Said{"lj pme", "lj-pme"}, Said{"lennard jones", "lj"}, Said{"lennard jonesium", "lj"},
          Said{"lj", "lj"}, Said{"argon", "lj"}, Said{"eam", "eam"}, Said{"embedded atom", "eam"},
          Said{"embedded atoms", "eam"}}) {
        if (const Span span = find_words(text, words); span.any()) {
            claim_span(sentence, span);
            const bool alone = method != "lj-pme" && charges;
            kernel.method = kernel.method.empty() && !alone ? method : kernel.method;
        }
    }
}

/// "2 fs", "timestep of 4 femtoseconds"; without it that of the program: GROMACS' benchmarks and
/// tutorials take 2 fs, those of OpenMM and Amber 4 with heavy hydrogens.
void read_time_step(Sentence& sentence, Kernel& kernel) {
    if (kernel.operation != "molecular_dynamics") {
        return;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const auto step = sentence.open(i) ? measure_at(sentence, i) : std::nullopt;
        const bool glued = step && is_any(step->unit, "fs femtosecond femtoseconds");
        const std::size_t unit = i + (step ? step->length : 0);
        const bool apart = step && step->unit.empty() && sentence.follows(unit) &&
                           is_any(sentence.word(unit), "fs femtosecond femtoseconds");
        if ((glued || apart) && !step->negative && step->value > 0 && step->value <= 100) {
            kernel.time_step_fs = step->value;
            sentence.claim(i, step->length + (apart ? 1 : 0));
            for (std::size_t k = 0; k < sentence.tokens.size(); ++k) {
                if (is_any(sentence.word(k), "timestep timesteps")) {
                    sentence.claim(k);
                } else if (sentence.word(k) == "time" &&
                           is_any(sentence.word(k + 1), "step steps")) {
                    sentence.claim(k, 2);
                }
            }
            return;
        }
    }
    const bool gromacs = std::ranges::any_of(
        sentence.tokens, [](const Token& token) { return token.text.starts_with("gromacs"); });
    constexpr double of_gromacs = 2;
    if (gromacs && kernel.method != "lj" && kernel.method != "eam") {
        kernel.time_step_fs = of_gromacs;
    }
}

/// "sort 1 billion keys": the verb alone may mean anything.
bool names_sort(Sentence& sentence, const std::string& text) {
    const bool things = sentence.any_word("keys integers floats elements records array");
    for (const std::string_view verb : {"sort", "sorting"}) {
        if (const Span said = find_words(text, verb); said.any() && things) {
            claim_span(sentence, said);
            return true;
        }
    }
    return false;
}

/// "the largest matrix I can multiply", "multiply two matrices"
bool names_product(Sentence& sentence, const std::string& text) {
    for (const std::string_view noun : {"matrix", "matrices"}) {
        for (const std::string_view verb : {"multiply", "multiplied", "multiplying"}) {
            const Span said = find_words(text, noun);
            const Span done = find_words(text, verb);
            if (said.any() && done.any()) {
                claim_span(sentence, said);
                claim_span(sentence, done);
                return true;
            }
        }
    }
    return false;
}

/// "fft llama 3.2 3b": full fine-tuning of a model, no transform.
bool tunes_fully(const Sentence& sentence) {
    return std::any_of(sentence.tokens.begin(), sentence.tokens.end(),
                       [&](const Token& token) {
                           return parameters_in(token.text) ||
                                  sentence.names.model_words.contains(token.text) ||
                                  is_any(token.text, "lora qlora adamw finetune epochs");
                       }) &&
           !sentence.any_word("fp64 double complex complex64 complex128 3d 2d 1d");
}

/// "is allreduce the limit for 13b fsdp full ft": the collective is a part of the step that is
/// asked about, where no message has a size.
bool is_part_of_training(const Sentence& sentence) {
    const bool sized = std::ranges::any_of(
        sentence.tokens, [](const Token& token) { return parameters_in(token.text).has_value(); });
    return sized &&
           sentence.any_word(
               "fsdp ddp zero zero1 zero2 zero3 lora qlora train training finetune "
               "finetuning ft sft pretrain pretraining tuning epochs") &&
           !sentence.any_word(
               "gb gib mb mib kb bytes elements message messages buffer payload "
               "gradients gradient grads busbw");
}

/// "allreduce time", "time of an all-reduce", "how long does one allreduce take": its own time.
bool is_timed(const Sentence& sentence, const Span& span) {
    const auto& tokens = sentence.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].end == span.begin || tokens[i].begin < span.begin) {
            continue;
        }
        std::size_t before = i;
        while (before > 0 && is_any(sentence.word(before - 1),
                                    "a an the one each nccl rccl of for does will do take")) {
            --before;
        }
        std::size_t behind = i;
        while (behind < tokens.size() && tokens[behind].begin < span.end) {
            ++behind;
        }
        return (before > 0 && is_any(sentence.word(before - 1), "time latency long duration")) ||
               is_any(sentence.word(behind), "time times latency duration");
    }
    return false;
}

/// "a memory bound CFD code": what its memory moves is what it does.
bool names_bound_code(Sentence& sentence, const std::string& text) {
    const Profiles& profiles = sentence.vocabulary.profiles;
    const bool science =
        sentence.any_word("double solver solvers fortran pde") ||
        std::ranges::any_of(sentence.tokens, [&](const Token& token) {
            return std::ranges::any_of(
                sentence.names.lexicon.find(token.text), [&](const Phrase* phrase) {
                    return phrase->means == Means::profile && profiles.in_doubles(phrase->value);
                });
        });
    for (const std::string_view words : {"memory bound", "memory limited", "bandwidth bound",
                                         "memory bandwidth bound", "bandwidth limited"}) {
        if (const Span said = find_words(text, words); said.any() && science) {
            claim_span(sentence, said);
            sentence.assume(
                "kernel", "triad",
                "a code that is bound by memory runs as fast as a triad of STREAM moves bytes");
            return true;
        }
    }
    return false;
}

/// "cfd finite volume 50M cells": implicit codes solve for their cells.
bool names_cells(Sentence& sentence, const std::string& text) {
    const bool cells = find_words(text, "cells").any() || find_words(text, "cell").any();
    bool found = false;
    for (const std::string_view words :
         {"cfd", "finite volume", "finite volumes", "navier stokes"}) {
        if (const Span said = find_words(text, words); said.any() && cells) {
            claim_span(sentence, said);
            found = true;
        }
    }
    return found;
}

/// "namd3", "amber24", "gromacs 2024": a program with its version, which counts nothing.
Span find_program(const Sentence& sentence, std::string_view name) {
    constexpr double oldest = 2000;  // of versions that are years
    constexpr double newest = 2100;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const Token& token = sentence.tokens[i];
        if (!token.text.starts_with(name) ||
            token.text.find_first_not_of("0123456789.", name.size()) != token.text.npos) {
            continue;
        }
        const auto year = sentence.follows(i + 1) ? measure_at(sentence, i + 1) : std::nullopt;
        const bool dated = year && year->unit.empty() && year->value > oldest &&
                           year->value < newest && sentence.word(i + 2) != "atoms";
        return {token.begin, dated ? sentence.tokens[i + 1].end : token.end};
    }
    return {};
}

/// Whether an earlier name has taken one of these words: "stencil" of "7 point stencil".
bool is_claimed(const Sentence& sentence, const Span& span) {
    return std::ranges::any_of(sentence.tokens, [&](const Token& token) {
        return token.claimed && token.begin < span.end && token.end > span.begin;
    });
}

/// The kernel by its name, and the type of numbers that the name says ("dgemm"); empty: none is
/// named.
std::string take_kernel_name(Sentence& sentence, const std::string& text) {
    std::string operation;
    std::string_view program;
    for (const KernelWords& row : kernel_names()) {
        const Span span =
            row.program ? find_program(sentence, row.words) : find_words(text, row.words);
        const bool fused = row.kind == "copy" && row.type;
        // "lora on quantum circuit data": of a run they are the subject of its texts.
        const bool subject =
            row.kind == "state_vector" &&
            (tunes_fully(sentence) ||
             sentence.any_word("llm model training train tune classifier dataset"));
        const bool step =
            is_any(row.kind, "all_reduce all_gather reduce_scatter all_to_all broadcast") &&
            span.any() && is_part_of_training(sentence) && !is_timed(sentence, span);
        if (step) {
            claim_span(sentence, span);
            continue;
        }
        if (!span.any() || subject || ((row.words == "fft" || fused) && tunes_fully(sentence))) {
            continue;
        }
        const bool told = is_claimed(sentence, span);
        claim_span(sentence, span);
        if (!told && !operation.empty() && row.kind != operation && !row.program) {
            // "fft and spmv": one is answered.
            add_once(sentence.reading.not_understood,
                     std::string(row.words) + " beside the kernel");
        }
        if (fused && operation.empty()) {
            sentence.assume("kernel", "copy",
                            "fused, " + std::string(row.words) +
                                " reads and writes each number once: as fast as a copy at best");
        }
        if (operation.empty()) {
            operation = row.kind;
            sentence.reading.kernel_type = row.type;
        }
        if (row.kind == "lbm_d3q19" && assumed_of(sentence.reading, "lattice") == nullptr) {
            assume_first(sentence.reading, "lattice", "one copy",
                         "updated in place, as FluidX3D does: codes that keep two take twice as "
                         "much");
        }
        if (is_any(row.words, "cholesky dpotrf")) {
            assume_first(sentence.reading, "factorization", "LU",
                         "Cholesky's takes the same array and half the operations: about half the "
                         "time");
        }
        if (row.program && program.empty() && row.kind == operation) {
            program = row.words;
        }
    }
    // "an fft of 4096, 3d"; of both, what is said first: "of a 2d image, 3d video".
    const Span solid = find_words(text, "3d");
    const Span flat = find_words(text, "2d");
    if (operation == "fft" && (solid.any() || flat.any())) {
        const bool is_flat = flat.any() && (!solid.any() || flat.begin < solid.begin);
        claim_span(sentence, is_flat ? flat : solid);
        operation += is_flat ? "2d" : "3d";
    }
    if (!program.empty()) {
        sentence.assume("code", "a tuned one",
                        std::string(program) +
                            " may be faster or slower: codes differ by up to a factor of two");
    }
    return operation;
}

/// "md 100k atoms": the letters alone may mean anything.
bool names_dynamics(Sentence& sentence, const std::string& text) {
    const Span said = find_words(text, "md");
    const bool atoms = said.any() && sentence.any_word("atoms atom");
    if (atoms) {
        claim_span(sentence, said);
    }
    return atoms;
}

/// A kernel by what it does: "multiply two matrices", "memory bound code".
std::string described_kernel(Sentence& sentence, const std::string& text) {
    const bool atoms = sentence.any_word("atoms particles");
    const bool forces = find_words(text, "lj").any() || find_words(text, "eam").any();
    return names_product(sentence, text)      ? "gemm"
           : atoms && forces                  ? "molecular_dynamics"
           : names_sort(sentence, text)       ? "sort"
           : names_dynamics(sentence, text)   ? "molecular_dynamics"
           : names_cells(sentence, text)      ? "hpcg"
           : names_bound_code(sentence, text) ? "triad"
                                              : "";
}

/// Whether one of `words` stands in the question; claims each that does.
bool take_words(Sentence& sentence, const std::string& text,
                std::initializer_list<std::string_view> words) {
    bool found = false;
    for (const std::string_view said : words) {
        if (const Span span = find_words(text, said); span.any()) {
            claim_span(sentence, span);
            found = true;
        }
    }
    return found;
}

/// "double precision not needed": what is told of it is that 32 bits do.
bool is_unneeded(const Sentence& sentence, const Span& span) {
    const auto of_span = [&](const Token& token) {
        return token.begin < span.end && token.end > span.begin;
    };
    const auto first = std::ranges::find_if(sentence.tokens, of_span);
    const std::ptrdiff_t length = std::ranges::count_if(sentence.tokens, of_span);
    return length > 0 &&
           is_unwanted_aim(sentence, static_cast<std::size_t>(first - sentence.tokens.begin()),
                           static_cast<std::size_t>(length));
}

/// "with fp32 accumulation", "accumulate in fp32", "float output": the type of the sums, none of
/// what is multiplied.
bool is_type_of_sums(std::string_view text, const Span& span) {
    constexpr std::size_t longest = 17;  // "accumulation in "
    const std::size_t from = span.begin - std::min(span.begin, longest);
    const std::string_view before = text.substr(from, span.begin - from);
    const std::string_view behind = text.substr(span.end);
    // "bf16 accumulate in fp32": the type of the sums stands behind.
    const bool sums =
        behind.starts_with(" accumul") &&
        !behind.substr(std::min(behind.find(' ', 1), behind.size())).starts_with(" in ");
    return sums || behind.starts_with(" output") ||
           (before.ends_with(" in ") && before.find("accumul") != before.npos);
}

void take_number_type(Sentence& sentence, const std::string& text, std::string_view operation) {
    // "dgemm with float inputs": the letter of the name tells in what it multiplies.
    const bool named = sentence.reading.kernel_type && is_any(operation, "gemm gemv axpy");
    const bool others = std::ranges::any_of(number_types(), [&](const TypeWords& row) {
        const Span span = find_words(text, row.words);
        return span.any() && !is_type_of_sums(text, span);
    });
    for (const TypeWords& row : number_types()) {
        if (const Span span = find_words(text, row.words); span.any()) {
            if (others && is_type_of_sums(text, span)) {
                claim_span(sentence, span);
                take_words(sentence, text,
                           {"accumulation", "accumulate", "accumulator", "accumulators"});
                continue;
            }
            if (named && is_any(row.words, "float floats")) {
                claim_span(sentence, span);
                return;
            }
            const bool unneeded = row.type == ComputeType::fp64 && is_unneeded(sentence, span);
            claim_span(sentence, span);
            // Products alone have units that add up in half precision.
            const bool halves =
                row.type == ComputeType::fp16_fp16_accumulate && operation != "gemm";
            sentence.reading.kernel_type = unneeded ? ComputeType::fp32
                                           : halves ? ComputeType::fp16
                                                    : row.type;
            return;
        }
    }
}

/// "real to complex"; "real time" tells nothing of numbers.
bool takes_real_numbers(Sentence& sentence, const std::string& text) {
    const bool transform = take_words(sentence, text, {"real to complex", "r2c"});
    const bool world = find_words(text, "real world").any() ||
                       find_words(text, "real time").any() || find_words(text, "real life").any();
    return (!world && take_words(sentence, text, {"real"})) || transform;
}

/// "fft 512^3 a100 ms": the unit in which the time is asked, at the end.
void claim_unit_of_answer(Sentence& sentence) {
    const std::size_t last = sentence.tokens.size() - 1;
    const bool behind_number = last > 0 && amount_in(sentence.word(last - 1));
    if (!behind_number &&
        is_any(sentence.word(last), "ms us usec msec milliseconds microseconds seconds")) {
        sentence.claim(last);
    }
}

}  // namespace

void recognise_kernels(Sentence& sentence) {
    const std::string text = lower(sentence.text);
    Kernel kernel;
    kernel.operation = take_kernel_name(sentence, text);
    if (kernel.operation.empty()) {
        kernel.operation = described_kernel(sentence, text);
    }
    if (kernel.operation.empty()) {
        return;
    }
    take_number_type(sentence, text, kernel.operation);
    kernel.real = takes_real_numbers(sentence, text);
    kernel.copies = take_words(sentence, text, {"with copies", "including copies", "copies"});
    const bool cpu = take_words(sentence, text, {"cpu", "cpus", "cpu core", "processor"});
    sentence.reading.beside_cpu = sentence.reading.beside_cpu || cpu;
    claim_unit_of_answer(sentence);
    read_kernel_counts(sentence, text, kernel);
    read_molecular_system(sentence, text, kernel);
    read_forces(sentence, text, kernel);
    read_time_step(sentence, kernel);
    if (kernel.operation == "hpl" && kernel.size.empty()) {
        // "HPL problem size N": the one that fills the memory is the answer.
        take_words(sentence, text, {"problem size n", "matrix size n", "size n", "problem size"});
    }
    sentence.reading.kernel = kernel;
}

namespace {

/// "200 ns/day" that is to be reached: time steps a second.
bool take_simulated_pace(Sentence& sentence, std::size_t at, const Measure& measure) {
    constexpr double fs = 1e6;  // of a nanosecond
    constexpr double day_s = 86400;
    const std::size_t unit = at + measure.length;
    const bool glued = measure.unit == "ns";
    const std::size_t behind = unit + (glued ? 0 : 1);
    const bool article = is_any(sentence.word(behind), "a per");
    const bool paced = (glued || (measure.unit.empty() && sentence.word(unit) == "ns")) &&
                       sentence.word(behind + (article ? 1 : 0)) == "day";
    if (!paced || measure.negative || measure.value <= 0) {
        return false;
    }
    sentence.reading.requests_per_s =
        measure.value * fs / time_step_of(*sentence.reading.kernel) / day_s;
    sentence.claim(at, behind + (article ? 2 : 1) - at);
    return true;
}

/// "500 ns", "1 microsecond" of molecular dynamics: time that is simulated, kept in time steps.
bool take_simulated_time(Sentence& sentence, std::size_t at, const Measure& measure) {
    const Kernel& kernel = *sentence.reading.kernel;
    if (kernel_kind_named(kernel.operation)->size != KernelSize::atoms) {
        return false;
    }
    if (take_simulated_pace(sentence, at, measure)) {
        return true;
    }
    const bool glued = !measure.unit.empty();
    const std::string_view unit =
        glued ? std::string_view(measure.unit) : sentence.word(at + measure.length);
    const double fs = is_any(unit, "ns nanosecond nanoseconds")          ? 1e6
                      : is_any(unit, "us microsecond microseconds usec") ? 1e9
                      : is_any(unit, "ps picosecond picoseconds")        ? 1e3
                      : is_any(unit, "ms millisecond milliseconds")      ? 1e12
                                                                         : 0;
    const std::size_t words = measure.length + (glued ? 0 : 1);
    const std::string_view behind = sentence.word(at + words);
    if (fs <= 0 || measure.negative || is_any(behind, "day days")) {
        return false;
    }
    sentence.reading.steps = measure.value * fs / time_step_of(kernel);
    sentence.claim(at, words);
    return true;
}

}  // namespace

void recognise_kernel_sizes(Sentence& sentence) {
    if (sentence.reading.kernel) {
        read_seen_rate(sentence);
        read_number_of_products(sentence);
    }
    if (!sentence.reading.kernel || !sentence.reading.kernel->size.empty()) {
        return;
    }
    const KernelSize size = kernel_kind_named(sentence.reading.kernel->operation)->size;
    if (size != KernelSize::atoms && sentence.reading.kernel->elements == 0) {
        read_bytes(sentence);
    }
    for (std::size_t at = 0; at < sentence.tokens.size() && !sentence.reading.steps; ++at) {
        if (const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt) {
            take_simulated_time(sentence, at, *measure);
        }
    }
    if (sentence.reading.kernel->bytes > 0) {
        return;  // a side follows from them
    }
    // What is left of whole numbers that are too large to count devices.
    constexpr double least = 64;
    const bool counts =
        size == KernelSize::elements || size == KernelSize::bytes || size == KernelSize::atoms;
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
        if (!measure || !measure->unit.empty() || measure->value < least || measure->negative) {
            continue;
        }
        // "hpl on 64 h100", "dgemm across 128 mi250x": a number right before a part counts it.
        const bool counts_part =
            std::any_of(sentence.mentions.begin(), sentence.mentions.end(),
                        [&](const Mention& each) { return each.at == at + measure->length; });
        if (counts && sentence.reading.kernel->elements > 0) {
            continue;  // "90k atoms", "10k bodies": said before
        }
        if (is_any(sentence.word(at + measure->length),
                   "step steps timestep timesteps iterations sweeps time")) {
            continue;  // how often, which is read later
        }
        const bool whole_machine = is_any(sentence.reading.kernel->operation, "hpl hpcg");
        if (counts_part && (whole_machine || (at > 0 && is_any(sentence.word(at - 1),
                                                               "on across over with using")))) {
            continue;
        }
        if (counts) {
            sentence.reading.kernel->elements = measure->value;
        } else {
            const auto length =
                measure->length > 1 ? std::nullopt : length_with_suffix(sentence.tokens[at].text);
            sentence.reading.kernel->size = {length.value_or(measure->value)};
        }
        sentence.claim(at, measure->length);
        return;
    }
}

}  // namespace ridgeline::reading
