// Single kernels of scientific computing: "fft 512^3 fp64", "a 16384 dgemm", "ns/day of 1M atoms".

#include "advise/reading/kernel_sizes.h"
#include "advise/reading/sentence.h"
#include "advise/reading/units.h"
#include "base/text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

namespace ridgeline::reading {
namespace {

struct KernelWords {
    std::string_view words;  ///< parted by single blanks; any sign may part them in the question
    std::string_view kind;
    std::optional<ComputeType> type{};
};

/// Longer names come before those that they contain.
constexpr std::array kernel_words_read = {
    KernelWords{"3d fourier transform", "fft3d"},
    KernelWords{"2d fourier transform", "fft2d"},
    KernelWords{"fourier transform", "fft"},
    KernelWords{"3d fft", "fft3d"},
    KernelWords{"2d fft", "fft2d"},
    KernelWords{"1d fft", "fft1d"},
    KernelWords{"fft3d", "fft3d"},
    KernelWords{"fft2d", "fft2d"},
    KernelWords{"fft1d", "fft1d"},
    KernelWords{"ffts", "fft"},
    KernelWords{"fft", "fft"},
    KernelWords{"dgemm", "gemm", ComputeType::fp64},
    KernelWords{"sgemm", "gemm", ComputeType::fp32},
    KernelWords{"hgemm", "gemm", ComputeType::fp16},
    KernelWords{"gemm", "gemm"},
    KernelWords{"matmul", "gemm"},
    KernelWords{"matrix multiplication", "gemm"},
    KernelWords{"matrix multiply", "gemm"},
    KernelWords{"matrix product", "gemm"},
    KernelWords{"dgemv", "gemv", ComputeType::fp64},
    KernelWords{"sgemv", "gemv", ComputeType::fp32},
    KernelWords{"daxpy", "axpy", ComputeType::fp64},
    KernelWords{"saxpy", "axpy", ComputeType::fp32},
    KernelWords{"axpy", "axpy"},
    KernelWords{"dot product", "dot"},
    KernelWords{"stream triad", "triad"},
    KernelWords{"stream copy", "copy"},
    KernelWords{"stream scale", "scale"},
    KernelWords{"stream add", "add"},
    KernelWords{"stream benchmark", "triad"},
    KernelWords{"triad", "triad"},
    KernelWords{"sparse matrix vector", "spmv"},
    KernelWords{"sparse matrix", "spmv"},
    KernelWords{"sparse matrices", "spmv"},
    KernelWords{"sparse solver", "spmv"},
    KernelWords{"sparse linear algebra", "spmv"},
    KernelWords{"conjugate gradient", "hpcg", ComputeType::fp64},
    KernelWords{"cg solver", "hpcg", ComputeType::fp64},
    KernelWords{"cg solve", "hpcg", ComputeType::fp64},
    KernelWords{"pcg", "hpcg", ComputeType::fp64},
    KernelWords{"multigrid", "hpcg", ComputeType::fp64},
    KernelWords{"spmv", "spmv"},
    KernelWords{"spmm", "spmm"},
    KernelWords{"linpack", "hpl", ComputeType::fp64},
    KernelWords{"hpl", "hpl", ComputeType::fp64},
    KernelWords{"hpcg", "hpcg", ComputeType::fp64},
    KernelWords{"n body", "nbody"},
    KernelWords{"nbody", "nbody"},
    KernelWords{"ns day", "molecular_dynamics"},
    KernelWords{"ns per day", "molecular_dynamics"},
    KernelWords{"molecular dynamics", "molecular_dynamics"},
    KernelWords{"openmm", "molecular_dynamics"},
    KernelWords{"lammps", "molecular_dynamics"},
    KernelWords{"gromacs", "molecular_dynamics"},
    KernelWords{"namd", "molecular_dynamics"},
    KernelWords{"amber", "molecular_dynamics"},
    KernelWords{"amber22", "molecular_dynamics"},
    KernelWords{"amber24", "molecular_dynamics"},
    KernelWords{"27 point stencil", "stencil27"},
    KernelWords{"7 point stencil", "stencil7"},
    KernelWords{"stencil", "stencil7"},
    KernelWords{"lattice boltzmann", "lbm_d3q19"},
    KernelWords{"fluidx3d", "lbm_d3q19"},
    KernelWords{"lbm", "lbm_d3q19"},
    KernelWords{"radix sort", "sort"},
    KernelWords{"reduce scatter", "reduce_scatter"},
    KernelWords{"all reduce", "all_reduce"},
    KernelWords{"allreduce", "all_reduce"},
    KernelWords{"all gather", "all_gather"},
    KernelWords{"allgather", "all_gather"},
    KernelWords{"all to all", "all_to_all"},
    KernelWords{"alltoall", "all_to_all"},
    KernelWords{"nccl test", "all_reduce"},
    KernelWords{"nccl tests", "all_reduce"},
};

/// Codes of molecular dynamics, whose speeds differ; one kernel stands for all.
constexpr std::array dynamics_codes = {"openmm", "lammps", "gromacs", "namd", "amber", "amber22", "amber24"};

struct TypeWords {
    std::string_view words;
    ComputeType type;
};
constexpr std::array type_words = {
    TypeWords{"complex64", ComputeType::fp32},  // two numbers of 32 bits
    TypeWords{"complex128", ComputeType::fp64},
    TypeWords{"float64", ComputeType::fp64},
    TypeWords{"float32", ComputeType::fp32},
    TypeWords{"double precision", ComputeType::fp64},
    TypeWords{"single precision", ComputeType::fp32},
    TypeWords{"half precision", ComputeType::fp16},
    TypeWords{"fp64", ComputeType::fp64},
    TypeWords{"double", ComputeType::fp64},
    TypeWords{"fp32", ComputeType::fp32},
    TypeWords{"tf32", ComputeType::tf32},
    TypeWords{"fp16", ComputeType::fp16},
    TypeWords{"bf16", ComputeType::bf16},
    TypeWords{"fp8", ComputeType::fp8},
    TypeWords{"int8", ComputeType::int8},
};

/// Bytes of the question that a phrase covers from `at` on; 0: it does not stand there.
std::size_t covers(std::string_view text, std::size_t at, std::string_view words) {
    std::size_t i = at;
    for (const char c : words) {
        if (c == ' ') {
            const std::size_t before = i;
            while (i < text.size() && (text[i] == ' ' || text[i] == '-' || text[i] == '/')) {
                ++i;
            }
            if (i == before) {
                return 0;
            }
        } else if (i < text.size() && text[i] == c) {
            ++i;
        } else {
            return 0;
        }
    }
    return i < text.size() && part_of_word(text[i]) ? 0 : i - at;
}

struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool any() const { return end > begin; }
};

Span find_words(std::string_view text, std::string_view words) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if ((at == 0 || !part_of_word(text[at - 1])) && text[at] == words.front()) {
            if (const std::size_t length = covers(text, at, words); length > 0) {
                return {at, at + length};
            }
        }
    }
    return {};
}

void claim_span(Sentence& sentence, const Span& span) {
    for (Token& token : sentence.tokens) {
        if (token.begin < span.end && token.end > span.begin) {
            token.claimed = true;
        }
    }
}

/// What a number counts by the word after it.
double Kernel::*counted_by(std::string_view text, std::size_t at) {
    struct Counted {
        std::string_view word;
        double Kernel::*field;
    };
    constexpr std::array counted = {
        Counted{"atoms", &Kernel::elements},
        Counted{"atom", &Kernel::elements},
        Counted{"bodies", &Kernel::elements},
        Counted{"particles", &Kernel::elements},
        Counted{"elements", &Kernel::elements},
        Counted{"keys", &Kernel::elements},
        Counted{"numbers", &Kernel::elements},
        Counted{"cells", &Kernel::elements},
        Counted{"unknowns", &Kernel::elements},
        Counted{"dofs", &Kernel::elements},
        Counted{"integers", &Kernel::elements},
        Counted{"floats", &Kernel::elements},
        Counted{"non zeros", &Kernel::nonzeros},
        Counted{"nonzeros", &Kernel::nonzeros},
        Counted{"nnz", &Kernel::nonzeros},
    };
    for (const Counted& row : counted) {
        if (covers(text, skip_blanks(text, at), row.word) > 0) {
            return row.field;
        }
    }
    return nullptr;
}

/// Bytes of one number of the type that was said, else of bf16, as collectives of training have them.
double size_of_element(const Sentence& sentence) {
    const std::string& text = sentence.text;
    const auto says = [&](std::string_view type) { return text.find(type) != std::string::npos; };
    return says("fp64") ? 8 : says("fp32") ? 4 : says("fp8") || says("int8") ? 1 : 2;
}

/// "50 nonzeros per row" counts those of one row.
bool counts_each_row(std::string_view text, std::size_t end) {
    const std::size_t at = skip_blanks(text, end);
    return covers(text, at, "per row") > 0 || covers(text, at, "a row") > 0 || covers(text, at, "each row") > 0 ||
           text.substr(end, 4) == "/row";
}

void read_counts(Sentence& sentence, std::string_view text, Kernel& kernel) {
    const bool sparse = kernel_kind_named(kernel.operation)->size == KernelSize::sparse;
    bool each_row = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (std::isdigit(static_cast<unsigned char>(text[at])) == 0 ||
            (at > 0 && (part_of_word(text[at - 1]) || text[at - 1] == '.'))) {
            continue;
        }
        if (const auto sides = sides_in_text(text, at); sides && kernel.size.empty()) {
            kernel.size = sides->sides;
            claim_span(sentence, {at, sides->end});
            at = sides->end;
            continue;
        }
        auto number = number_in_text(text, at, false);
        if (!number) {
            continue;
        }
        for (const std::string_view scale : {"thousand", "million", "billion"}) {
            const std::size_t word = skip_blanks(text, number->end);
            if (covers(text, word, scale) > 0) {
                number->value *= scale_of_word(scale);
                number->end = word + scale.size();
            }
        }
        if (const std::size_t word = skip_blanks(text, number->end); sparse && covers(text, word, "rows") > 0) {
            kernel.size = {number->value, number->value};
            claim_span(sentence, {at, word + 4});
            at = word + 4;
            continue;
        }
        if (double Kernel::*field = counted_by(text, number->end)) {
            kernel.*field = number->value;
            std::size_t end = skip_blanks(text, number->end);
            while (end < text.size() && part_of_word(text[end])) {
                ++end;
            }
            if (field == &Kernel::nonzeros && counts_each_row(text, end)) {
                each_row = true;
                end = text.find("row", end) + 3;
            }
            claim_span(sentence, {at, end});
            at = end - 1;
            continue;
        }
        at = number->end;
    }
    if (each_row) {
        if (kernel.size.empty()) {
            constexpr double usual_rows = 1e7;
            kernel.size = {usual_rows, usual_rows};
            sentence.assume("rows", "10M", "the number of rows was not said");
        }
        kernel.nonzeros *= kernel.size.front();
    }
}

/// Systems that molecular dynamics is measured on, by their atoms: the suites of Amber
/// (ambermd.org/GPUPerformance.php), NAMD (ks.uiuc.edu/Research/namd/utilities) and the benchmarks of
/// Kutzner et al. for GROMACS (mpinat.mpg.de/grubmueller/bench).
struct MolecularSystem {
    std::string_view name;
    double atoms;
};
constexpr std::array molecular_systems = {
    MolecularSystem{"stmv", 1'066'628},
    MolecularSystem{"satellite tobacco mosaic virus", 1'066'628},
    MolecularSystem{"cellulose", 408'609},
    MolecularSystem{"factor ix", 90'906},
    MolecularSystem{"factorix", 90'906},
    MolecularSystem{"apoa1", 92'224},
    MolecularSystem{"dhfr", 23'558},
    MolecularSystem{"jac", 23'558},
    MolecularSystem{"f1atpase", 327'506},
    MolecularSystem{"benchmem", 81'743},
    MolecularSystem{"benchrib", 2'136'412},
    MolecularSystem{"benchpep", 12'495'503},
};

void read_molecular_system(Sentence& sentence, std::string_view text, Kernel& kernel) {
    if (kernel.operation != "molecular_dynamics" || kernel.elements > 0) {
        return;
    }
    for (const MolecularSystem& system : molecular_systems) {
        if (const Span span = find_words(text, system.name); span.any()) {
            claim_span(sentence, span);
            kernel.elements = system.atoms;
            sentence.assume("atoms",
                            std::to_string(static_cast<long long>(system.atoms)),
                            "those of " + std::string(system.name));
            return;
        }
    }
}

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
        case KernelSize::elements:
        case KernelSize::bytes:
            kernel.elements = kernel.operation == "nbody" ? 1e5 : 1e8;
            assume("elements", kernel.operation == "nbody" ? "100,000" : "100M");
            break;
    }
}

/// "sort 1 billion keys": the verb alone may mean anything.
bool names_sort(Sentence& sentence, const std::string& text) {
    const bool things = sentence.any_word({"keys", "integers", "floats", "elements", "records", "array"});
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

/// "largest square matmul", "how big a matmul": no size is given, the largest is asked for. "max dgemm
/// throughput" is a rate; the sizes of a sparse matrix are several.
bool asks_for_largest(const Sentence& sentence) {
    const Kernel& kernel = *sentence.reading.kernel;
    const auto asks = [&](std::initializer_list<std::string_view> values) {
        return std::any_of(values.begin(), values.end(), [&](std::string_view each) { return sentence.asks(each); });
    };
    const bool sparse = kernel_kind_named(kernel.operation)->size == KernelSize::sparse;
    const bool figure = asks({"throughput", "weak_throughput", "latency", "how_fast"}) || sentence.has(Means::attribute, "flops") ||
                        (asks({"memory", "strong_memory", "ram"}) && !asks({"fit", "strong_fit"}));
    if (sparse || figure || !kernel.size.empty() || kernel.elements > 0 || sentence.mentions.empty()) {
        return false;
    }
    bool how_big = false;
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        how_big = how_big || (is_any(sentence.word(i), {"big", "large"}) && sentence.word(i - 1) == "how");
    }
    return how_big || asks({"superlative", "what_can"}) ||
           sentence.any_word({"largest", "biggest", "maximum", "max"});
}

}  // namespace

void recognise_kernels(Sentence& sentence) {
    const std::string text = lower(sentence.text);
    Kernel kernel;
    for (const KernelWords& row : kernel_words_read) {
        const Span span = find_words(text, row.words);
        if (!span.any()) {
            continue;
        }
        claim_span(sentence, span);
        if (kernel.operation.empty()) {
            kernel.operation = row.kind;
            sentence.reading.kernel_type = row.type;
        }
    }
    if (kernel.operation.empty() && names_product(sentence, text)) {
        kernel.operation = "gemm";
    }
    if (kernel.operation.empty() && names_sort(sentence, text)) {
        kernel.operation = "sort";
    }
    if (kernel.operation.empty()) {
        return;
    }
    for (const std::string_view code : dynamics_codes) {
        if (find_words(text, code).any() && kernel.operation == "molecular_dynamics") {
            sentence.assume("code", "a tuned one", std::string(code) + " may be faster or slower: codes differ by up to a factor of two");
            break;
        }
    }
    for (const TypeWords& row : type_words) {
        if (const Span span = find_words(text, row.words); span.any()) {
            claim_span(sentence, span);
            sentence.reading.kernel_type = row.type;
            break;
        }
    }
    for (const std::string_view said : {"real to complex", "r2c", "real"}) {
        if (const Span span = find_words(text, said); span.any()) {
            claim_span(sentence, span);
            kernel.real = true;
        }
    }
    for (const std::string_view said : {"with copies", "including copies", "copies"}) {
        if (const Span span = find_words(text, said); span.any()) {
            claim_span(sentence, span);
            kernel.copies = true;
        }
    }
    for (const std::string_view said : {"cpu", "cpus", "cpu core", "processor"}) {
        if (const Span span = find_words(text, said); span.any()) {
            claim_span(sentence, span);
            sentence.reading.beside_cpu = true;
        }
    }
    read_counts(sentence, text, kernel);
    read_molecular_system(sentence, text, kernel);
    sentence.reading.kernel = kernel;
}

namespace {

/// "1 GB", "256MB": bytes of an array or a message, which no part has claimed as its memory.
void read_message(Sentence& sentence) {
    constexpr std::array<std::pair<std::string_view, double>, 7> units = {{{"gib", 1073741824.0},
                                                                           {"mib", 1048576.0},
                                                                           {"kib", 1024.0},
                                                                           {"gb", 1e9},
                                                                           {"mb", 1e6},
                                                                           {"kb", 1e3},
                                                                           {"bytes", 1}}};
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
        if (!measure || measure->negative) {
            continue;
        }
        const std::size_t behind = at + measure->length;
        const bool apart = measure->unit.empty() && sentence.follows(behind) && sentence.open(behind);
        const std::string_view unit = apart ? sentence.word(behind) : std::string_view(measure->unit);
        for (const auto& [word, size] : units) {
            if (unit == word) {
                sentence.reading.kernel->elements = measure->value * size / size_of_element(sentence);
                sentence.claim(at, measure->length + (apart ? 1 : 0));
                return;
            }
        }
    }
}

}  // namespace

void recognise_kernel_sizes(Sentence& sentence) {
    if (!sentence.reading.kernel || !sentence.reading.kernel->size.empty()) {
        return;
    }
    const KernelSize size = kernel_kind_named(sentence.reading.kernel->operation)->size;
    if (size == KernelSize::bytes && sentence.reading.kernel->elements == 0) {
        read_message(sentence);
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
        const bool counts_part = std::any_of(sentence.mentions.begin(), sentence.mentions.end(), [&](const Mention& each) {
            return each.at == at + measure->length;
        });
        const bool whole_machine = is_any(sentence.reading.kernel->operation, {"hpl", "hpcg"});
        if (counts_part && (whole_machine || (at > 0 && is_any(sentence.word(at - 1), {"on", "across", "over", "with", "using"})))) {
            continue;
        }
        if (counts) {
            sentence.reading.kernel->elements = measure->value;
        } else {
            const auto length = length_with_suffix(sentence.tokens[at].text);
            sentence.reading.kernel->size = {length.value_or(measure->value)};
        }
        sentence.claim(at, measure->length);
        return;
    }
}

void settle_kernel(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.kernel) {
        return;
    }
    Kernel& kernel = *reading.kernel;
    if (reading.batch) {
        kernel.batch = *reading.batch;
    }
    if (kernel.operation == "fft" && kernel.size.size() == 3) {
        kernel.operation = "fft3d";
    }
    bool several = false;
    for (const Mention& mention : sentence.mentions) {
        several = several || mention.name != sentence.mentions.front().name;
    }
    const bool largest = !several && asks_for_largest(sentence);
    if (!largest) {
        fill_usual_size(sentence, kernel);
    }
    if (!reading.kernel_type) {
        reading.kernel_type = usual_type(kernel);
        // A product by name alone is one of scientific computing here.
        if (kernel.operation == "gemm") {
            reading.kernel_type =
                reading.compute.empty() ? ComputeType::fp64 : compute_type_named(reading.compute);
        }
        sentence.assume(
            "dtype", std::string(name_of(*reading.kernel_type)), "the usual type of such a kernel");
    }
    reading.intent = several                     ? Intent::compare
                     : sentence.mentions.empty() ? Intent::hardware
                                                 : Intent::throughput;
    if (sentence.asks("strong_memory") || sentence.asks("memory") || sentence.asks("ram")) {
        reading.intent = Intent::memory;
    }
    if (largest) {
        reading.intent = Intent::largest;
        reading.extreme = Extreme::kernel;
        for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
            if (is_any(sentence.word(i), {"square", "matrix", "matrices"})) {
                sentence.claim(i);
                std::erase(reading.not_understood, std::string(sentence.word(i)));
            }
        }
    }
    if (reading.intent == Intent::hardware && reading.profile.empty()) {
        reading.profile = "scientific-computing";  // the kind of work that such kernels are
    }
}

}  // namespace ridgeline::reading
