#include "advise/reading/kernels/kernel_words.h"
#include "advise/reading/kernels/steps.h"
#include "advise/reading/words/sentence.h"
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

// What is still open of a kernel at the end, and what is asked of it.

namespace ridgeline::reading {
namespace {

/// Sizes of a usual benchmark, where none was said.
void fill_usual_size(Sentence& sentence, Kernel& kernel) {
    const KernelKind& kind = *kernel_kind_named(kernel.operation);
    const bool sized = !kernel.size.empty() || kernel.elements > 0;
    const bool open = sized || kernel.operation == "hpl" || kernel.operation == "hpcg";
    if (open && !(kind.size == KernelSize::sparse && kernel.nonzeros <= 0)) {
        return;
    }
    const auto assume = [&](const char* field, const char* value) {
        sentence.assume(field, value, "no size was said");
    };
    switch (kind.size) {
        case KernelSize::product:
            kernel.size = {8192};
            assume("size", "8192");
            break;
        case KernelSize::sides:
            kernel.operation = kernel.operation == "fft" ? "fft3d" : kernel.operation;
            kernel.size = {512};
            assume("size", "512");
            break;
        case KernelSize::sparse: {
            constexpr double usual_row = 27;
            if (kernel.size.empty()) {
                const double rows =
                    kernel.nonzeros > 0 ? std::ceil(kernel.nonzeros / usual_row) : 1e7;
                kernel.size = {rows, rows};
            }
            if (kernel.nonzeros <= 0) {
                kernel.nonzeros = usual_row * kernel.size.front();
            }
            assume("nonzeros", "27 a row");
            break;
        }
        case KernelSize::atoms:
            kernel.elements = 1e5;
            assume("atoms", "100,000");
            break;
        case KernelSize::qubits:
            kernel.elements = 30;
            assume("qubits", "30");
            break;
        case KernelSize::elements:
        case KernelSize::bytes:
            kernel.elements = kernel.operation == "nbody" ? 1e5 : 1e8;
            assume("elements", kernel.operation == "nbody" ? "100,000" : "100M");
            break;
    }
}

/// "largest square matmul", "how big a matmul": no size is given, the largest is asked for. "max
/// dgemm throughput" is a rate; the sizes of a sparse matrix are several.
bool asks_for_largest(const Sentence& sentence) {
    const Kernel& kernel = *sentence.reading.kernel;
    const auto asks = [&](Signals signals) { return sentence.asks(signals); };
    const bool sparse = kernel_kind_named(kernel.operation)->size == KernelSize::sparse;
    const bool figure = asks("throughput weak_throughput latency how_fast") ||
                        sentence.has(Means::attribute, "flops") ||
                        (asks("memory strong_memory ram") && !asks("fit strong_fit"));
    if (sparse || figure || !kernel.size.empty() || kernel.elements > 0 || kernel.bytes > 0 ||
        (sentence.mentions.empty() && !sentence.reading.memory_gib)) {
        return false;
    }
    bool how_big = false;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        how_big = how_big ||
                  (is_any(sentence.word(i), "big large") && sentence.word(i - 1) == "how") ||
                  (sentence.word(i) == "qubits" && is_any(sentence.word(i - 1), "many most"));
    }
    return how_big || asks("superlative what_can") ||
           sentence.any_word("largest biggest maximum max");
}

/// "20000x20000": two equal sides of a product are those of square matrices; three sides make a
/// transform of a cube.
void settle_sides(Kernel& kernel) {
    if (kernel.operation == "fft" && kernel.size.size() == 3) {
        kernel.operation = "fft3d";
    }
    const auto* kind = kernel_kind_named(kernel.operation);
    const bool square = kind->size == KernelSize::product || kernel.operation == "hpl";
    if (square && kind->sides != 2 && kernel.size.size() == 2 &&
        kernel.size.front() == kernel.size.back()) {
        kernel.size.pop_back();
    }
}

/// Words of scientific computing beside a product of matrices, whose numbers are of 64 bits then.
bool is_of_science(const Sentence& sentence) {
    return sentence.reading.profile == "scientific-computing" ||
           sentence.any_word(
               "hpc blas scientific science simulation simulations physics chemistry "
               "solver solvers algebra lapack scalapack fortran matlab "
               "finite element cfd dft vasp quantum mpi double doubles");
}

/// What networks multiply in on all parts that are named: bf16, else fp16 (a V100), else fp32.
ComputeType type_of_networks(const Sentence& sentence) {
    for (const ComputeType type : {ComputeType::bf16, ComputeType::fp16}) {
        const bool everywhere = std::ranges::all_of(sentence.mentions, [&](const Mention& each) {
            return std::ranges::all_of(
                each.parts, [&](const Accelerator* part) { return part->peak(type).has_value(); });
        });
        if (everywhere) {
            return type;
        }
    }
    return ComputeType::fp32;
}

void settle_number_type(Sentence& sentence, const Kernel& kernel) {
    Reading& reading = sentence.reading;
    if (reading.kernel_type) {
        return;
    }
    reading.kernel_type = usual_type(kernel);
    std::string why = "the usual type of such a kernel";
    if (kernel.operation == "gemm") {
        const bool science = is_of_science(sentence);
        reading.kernel_type = !reading.compute.empty() ? compute_type_named(reading.compute)
                              : science                ? ComputeType::fp64
                                                       : type_of_networks(sentence);
        why = science ? "products of scientific computing are of 64 bits"
                      : "products are mostly those of networks: \"fp64\" for others";
    }
    sentence.assume("dtype", std::string(name_of(*reading.kernel_type)), why);
}

void tell_time_step(Reading& reading, const Kernel& kernel) {
    const double step = time_step_of(kernel);
    const bool reduced = kernel.method == "lj";
    const bool told = kernel.time_step_fs > 0;
    const bool bonds = step >= 4 && !reduced && !told && kernel.method != "eam";
    assume_first(reading, "time-step-fs", fmt::format("{:g}", step),
                 reduced && !told ? "0.005 in reduced units, of argon"
                 : bonds ? "the usual one with heavy hydrogens; 2 without them gives half the "
                           "ns/day"
                 : told  ? "the ns/day grow with it: 4 needs heavy hydrogens, 2 does without"
                         : "the usual one");
}

/// "the largest square matrix": what is asked for is the size itself.
void ask_for_size(Sentence& sentence) {
    sentence.reading.intent = Intent::largest;
    sentence.reading.extreme = Extreme::kernel;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "square matrix matrices")) {
            sentence.claim(i);
            std::erase(sentence.reading.not_understood, std::string(sentence.word(i)));
        }
    }
}

/// "Memory bound", "memory bandwidth bound": memory is what slows the code, not what is asked for.
bool is_bound_by_memory(const Sentence& sentence) {
    bool bound = false;
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const std::size_t end = i + (is_any(sentence.word(i + 1), "bandwidth bw") ? 2 : 1);
        bound = bound ||
                (is_any(sentence.word(i), "memory mem ram vram") && end < sentence.tokens.size() &&
                 is_any(sentence.word(end), "bound limited bottlenecked starved"));
    }
    return bound;
}

Intent intent_of_kernel(const Sentence& sentence, bool several) {
    const bool card = sentence.reading.memory_gib && !sentence.reading.memory_at_least;
    // "Rmax, and what N fits": the rate at the size that fits.
    const bool rated = sentence.any_word("rmax");
    if (!several && !rated && sentence.asks("strong_fit") && (card || !sentence.mentions.empty())) {
        return Intent::fit;
    }
    if ((sentence.asks("strong_memory") || sentence.asks("memory") || sentence.asks("ram")) &&
        !is_bound_by_memory(sentence)) {
        return Intent::memory;
    }
    const bool how_many =
        sentence.any_word("many") && sentence.any_word("gpus gpu cards accelerators devices nodes");
    return several                                 ? Intent::compare
           : sentence.mentions.empty() || how_many ? Intent::hardware
                                                   : Intent::throughput;
}

/// A collective is between devices, a machine of them where nobody says how many.
void settle_devices(Sentence& sentence, const Kernel& kernel) {
    if (!kernel.operation.starts_with("all_") && kernel.operation != "reduce_scatter") {
        return;
    }
    constexpr int of_a_machine = 8;
    bool one = sentence.loose_count == 1;
    bool open = !sentence.loose_count && kernel.ranks < 2 && !sentence.reading.nodes;
    for (const Mention& each : sentence.mentions) {
        one = one || (each.count == 1 && !each.per_machine && each.nodes.value_or(1) == 1);
        open = open && !each.count && !each.per_machine && !each.nodes;
    }
    if (one) {
        sentence.fail("a collective is between two devices or more",
                      "Example: \"all reduce of 1 GB on 8 h100\".");
    } else if (open) {
        for (Mention& each : sentence.mentions) {
            each.count = of_a_machine;
        }
        sentence.loose_count = of_a_machine;
        sentence.assume("count", std::to_string(of_a_machine),
                        "a collective is between devices, and their number was not said");
    }
}

/// "train a vit-l and run lammps": the kernel is answered, and that a network is to run there too
/// is told.
void tell_network_beside(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool trains = sentence.has(Means::train) || sentence.has(Means::tune);
    const bool named =
        !reading.model.empty() && reading.model_known && (trains || sentence.has(Means::infer));
    const bool field = sentence.any_word("deep machine") && sentence.any_word("learning");
    if (!named && !field) {
        return;
    }
    const std::string work = named ? reading.model : std::string("deep learning");
    sentence.assume("beside", work + (trains ? ", trained" : ""),
                    "it is not in the figures: ask for it by itself, on hardware that does both");
    add_once(reading.not_understood, work + " beside the kernel");
}

/// "an fft in place": one array for what is read and written, and the work area beside it that
/// libraries take.
void tell_in_place(Sentence& sentence, const Kernel& kernel) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool two = sentence.word(i) == "in" && sentence.word(i + 1) == "place";
        if (!kernel.operation.starts_with("fft") || !(two || sentence.word(i) == "inplace")) {
            continue;
        }
        sentence.claim(i, two ? 2 : 1);
        std::erase_if(sentence.reading.not_understood,
                      [](const std::string& word) { return is_any(word, "place inplace"); });
        assume_first(sentence.reading, "in_place", "an array and a work area",
                     "the array alone is half of it; libraries take a work area as large beside "
                     "it, in place or not, unless one's own is smaller");
        return;
    }
}

}  // namespace

void settle_kernel(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.kernel) {
        return;
    }
    Kernel& kernel = *reading.kernel;
    tell_network_beside(sentence);
    // "a 3d stencil": what a word may mean of models is none beside a kernel.
    forget_assumed(reading, "model");
    reading.model.clear();
    reading.model_known = true;
    if (reading.batch) {
        kernel.batch = *reading.batch;
    }
    settle_sides(kernel);
    const bool several = std::any_of(
        sentence.mentions.begin(), sentence.mentions.end(),
        [&](const Mention& each) { return each.name != sentence.mentions.front().name; });
    const bool largest = !several && asks_for_largest(sentence);
    if (kernel.bytes > 0) {
        settle_number_type(sentence, kernel);
        size_by_bytes(sentence, kernel);
    } else if (!largest) {
        fill_usual_size(sentence, kernel);
    }
    settle_number_type(sentence, kernel);
    settle_devices(sentence, kernel);
    tell_in_place(sentence, kernel);
    if (kernel.operation == "molecular_dynamics") {
        tell_time_step(reading, kernel);
    }
    reading.intent = intent_of_kernel(sentence, several);
    if (largest) {
        ask_for_size(sentence);
    }
    const auto& kinds = sentence.vocabulary.profiles.workloads;
    const auto doubles = std::ranges::find_if(kinds, &WorkloadProfile::in_doubles);
    const bool network = kernel.operation == "gemm" && reading.kernel_type != ComputeType::fp64;
    if (reading.intent == Intent::hardware && reading.profile.empty() && !network &&
        doubles != kinds.end()) {
        reading.profile = doubles->id;  // the kind of work that such kernels are
    }
}

}  // namespace ridgeline::reading
