#include "advise/reading/kernels/kernel_sizes.h"
#include "advise/reading/kernels/kernel_words.h"
#include "advise/reading/numbers/fields.h"
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

// Numbers of a question about a kernel: sides, elements, stored elements, bytes.

namespace ridgeline::reading {
namespace {

/// What a number counts by the word after it.
double Kernel::*counted_by(std::string_view text, std::size_t at) {
    struct Counted {
        std::string_view word;
        double Kernel::*field;
    };
    constexpr std::array counted = {
        Counted{"atoms", &Kernel::elements},     Counted{"atom", &Kernel::elements},
        Counted{"bodies", &Kernel::elements},    Counted{"particles", &Kernel::elements},
        Counted{"elements", &Kernel::elements},  Counted{"keys", &Kernel::elements},
        Counted{"numbers", &Kernel::elements},   Counted{"cells", &Kernel::elements},
        Counted{"unknowns", &Kernel::elements},  Counted{"dofs", &Kernel::elements},
        Counted{"integers", &Kernel::elements},  Counted{"floats", &Kernel::elements},
        Counted{"qubits", &Kernel::elements},    Counted{"qubit", &Kernel::elements},
        Counted{"non zeros", &Kernel::nonzeros}, Counted{"nonzeros", &Kernel::nonzeros},
        Counted{"nnz", &Kernel::nonzeros},
    };
    for (const Counted& row : counted) {
        if (covers(text, skip_blanks(text, at), row.word) > 0) {
            return row.field;
        }
    }
    return nullptr;
}

/// Bytes of one number of the type that was said, else of the usual one.
double size_of_element(const Reading& reading) {
    return bytes_per_element(storage_of(reading.kernel_type.value_or(usual_type(*reading.kernel))));
}

/// "50 nonzeros per row" counts those of one row.
bool counts_each_row(std::string_view text, std::size_t end) {
    const std::size_t at = skip_blanks(text, end);
    return covers(text, at, "per row") > 0 || covers(text, at, "a row") > 0 ||
           covers(text, at, "each row") > 0 || text.substr(end, 4) == "/row";
}

/// "100 million rows" of HPCG, whose matrix is that of a cube: the byte behind them; 0: none.
std::size_t rows_of_grid(std::string_view text, std::size_t at, const Kernel& kernel) {
    const std::size_t word = skip_blanks(text, at);
    for (const std::string_view rows :
         {"rows", "row", "unknowns", "equations", "dofs", "cells", "cell"}) {
        if (kernel.operation == "hpcg" && covers(text, word, rows) > 0) {
            return word + rows.size();
        }
    }
    return 0;
}

/// The text of a question about a kernel while its numbers are read.
struct KernelText {
    Sentence& sentence;
    std::string_view text;
    Kernel& kernel;
    bool sparse = false;
    bool each_row = false;  ///< its stored elements are those of a row
};

/// "512^3", "256^3 rows": sides at byte `at`; the byte behind them, 0: none.
std::size_t take_sides(KernelText& read, std::size_t at) {
    const auto sides = read.kernel.size.empty() ? sides_in_text(read.text, at) : std::nullopt;
    if (!sides) {
        return 0;
    }
    read.kernel.size = sides->sides;
    std::size_t end = sides->end;
    if (read.sparse && sides->sides.size() == 3) {
        // A row for each point of a grid.
        const double rows = sides->sides[0] * sides->sides[1] * sides->sides[2];
        read.kernel.size = {rows, rows};
        const std::size_t word = skip_blanks(read.text, end);
        end = covers(read.text, word, "rows") > 0 ? word + 4 : end;
    }
    claim_span(read.sentence, {at, end});
    return end;
}

/// "10 million rows": of a sparse matrix, or of HPCG's; the byte behind them, 0: none.
std::size_t take_rows(KernelText& read, std::size_t at, const NumberInText& number) {
    const std::size_t word = skip_blanks(read.text, number.end);
    if (read.sparse && covers(read.text, word, "rows") > 0) {
        read.kernel.size = {number.value, number.value};
        claim_span(read.sentence, {at, word + 4});
        return word + 4;
    }
    const std::size_t end = rows_of_grid(read.text, number.end, read.kernel);
    if (end > 0) {
        // Pressure and three velocities of each, whose matrix of a cell and six neighbours has
        // 28 numbers a row: HPCG's has 27.
        const std::string_view until = read.text.substr(0, end);
        const bool cells = until.ends_with("cell") || until.ends_with("cells");
        const double rows = number.value * (cells ? 4 : 1);
        read.kernel.size = {std::round(std::cbrt(rows))};
        read.sentence.assume(
            "size", fmt::format("{:g}", read.kernel.size.front()),
            fmt::format("the side of a cube of {:g} rows{}", rows,
                        cells ? ": pressure and 3 velocities a cell, solved together" : ""));
        claim_span(read.sentence, {at, end});
    }
    return end;
}

/// "1M atoms", "50 nonzeros per row": the last byte of what is counted, 0: nothing is.
std::size_t take_elements(KernelText& read, std::size_t at, const NumberInText& number) {
    double Kernel::*field = counted_by(read.text, number.end);
    if (field == nullptr) {
        return 0;
    }
    read.kernel.*field = number.value;
    std::size_t end = skip_blanks(read.text, number.end);
    while (end < read.text.size() && part_of_word(read.text[end])) {
        ++end;
    }
    if (field == &Kernel::nonzeros && counts_each_row(read.text, end)) {
        read.each_row = true;
        end = read.text.find("row", end) + 3;
    }
    claim_span(read.sentence, {at, end});
    return end - 1;
}

/// The number at byte `at` with the word of its scale: "3 million".
std::optional<NumberInText> scaled_number(std::string_view text, std::size_t at) {
    auto number = number_in_text(text, at, false);
    if (!number) {
        return std::nullopt;
    }
    for (const std::string_view scale : {"thousand", "million", "billion"}) {
        const std::size_t word = skip_blanks(text, number->end);
        if (covers(text, word, scale) > 0) {
            number->value *= scale_of_word(scale);
            number->end = word + scale.size();
        }
    }
    return number;
}

/// Stored elements that are those of a row, times the rows.
void count_all_rows(KernelText& read) {
    Kernel& kernel = read.kernel;
    // Fewer than there are rows are those of each: a matrix has one on its diagonal at least.
    const bool fewer = read.sparse && kernel.nonzeros > 0 && !kernel.size.empty() &&
                       kernel.nonzeros < kernel.size.front();
    if (!read.each_row && !fewer) {
        return;
    }
    if (kernel.size.empty()) {
        constexpr double usual_rows = 1e7;
        kernel.size = {usual_rows, usual_rows};
        read.sentence.assume("rows", "10M", "the number of rows was not said");
    }
    kernel.nonzeros *= kernel.size.front();
}

}  // namespace

void read_kernel_counts(Sentence& sentence, std::string_view text, Kernel& kernel) {
    const bool sparse = kernel_kind_named(kernel.operation)->size == KernelSize::sparse;
    KernelText read{.sentence = sentence, .text = text, .kernel = kernel, .sparse = sparse};
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (std::isdigit(static_cast<unsigned char>(text[at])) == 0 ||
            (at > 0 && (part_of_word(text[at - 1]) || text[at - 1] == '.'))) {
            continue;
        }
        if (const std::size_t end = take_sides(read, at); end > 0) {
            at = end;
            continue;
        }
        const auto number = scaled_number(text, at);
        if (!number) {
            continue;
        }
        std::size_t end = take_rows(read, at, *number);
        end = end > 0 ? end : take_elements(read, at, *number);
        at = end > 0 ? end : number->end;
    }
    count_all_rows(read);
}

namespace {

/// "a card with 24 GB", "80 GB of vram": what hardware holds, not what it is to hold.
bool is_of_hardware(const Sentence& sentence, std::size_t at, std::size_t behind) {
    constexpr std::string_view parts =
        "card cards gpu gpus accelerator accelerators device devices";
    constexpr std::string_view memory = "memory ram vram hbm mem";
    const std::size_t next =
        behind + (is_any(sentence.word(behind), "of or and more at least") ? 1 : 0);
    const bool before =
        at > 0 && (is_any(sentence.word(at - 1), memory) || is_any(sentence.word(at - 1), parts) ||
                   (at > 1 && is_any(sentence.word(at - 1), "with has having in") &&
                    is_any(sentence.word(at - 2), parts)));
    return before || is_any(sentence.word(next), memory) || is_any(sentence.word(next), parts);
}

/// "1.35 TB/s": a rate that was seen or is wanted, no size of an array.
bool is_rate(const Sentence& sentence, std::size_t end) {
    if (!sentence.follows(end)) {
        return false;
    }
    const bool slash = sentence.tokens[end].gap == Gap::slash;
    return (slash && is_any(sentence.word(end), "s sec second")) ||
           (is_any(sentence.word(end), "per a") && is_any(sentence.word(end + 1), "s sec second"));
}

/// Claims what the bytes are of ("a grid of 200 GB", "40 GB matrices"); the word itself.
std::string_view claim_data(Sentence& sentence, std::size_t at, std::size_t end) {
    constexpr std::string_view names =
        "grid grids mesh data array arrays matrix matrices field "
        "fields set working problem domain footprint";
    std::string_view said;
    for (std::size_t i = at > 3 ? at - 3 : 0; i < end + 3 && i < sentence.tokens.size(); ++i) {
        if ((i < at || i >= end) && is_any(sentence.word(i), names)) {
            said = is_any(said, "working matrices") ? said : sentence.word(i);
            sentence.claim(i);
        }
    }
    return said;
}

}  // namespace

void read_bytes(Sentence& sentence) {
    constexpr std::array<std::pair<std::string_view, double>, 9> units = {
        {{"tib", 1024 * gibibyte.base()},
         {"gib", gibibyte.base()},
         {"mib", 1048576.0},
         {"kib", 1024.0},
         {"tb", 1e12},
         {"gb", 1e9},
         {"mb", 1e6},
         {"kb", 1e3},
         {"bytes", 1}}};
    Kernel& kernel = *sentence.reading.kernel;
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
        if (!measure || measure->negative) {
            continue;
        }
        const std::size_t behind = at + measure->length;
        const bool apart =
            measure->unit.empty() && sentence.follows(behind) && sentence.open(behind);
        const std::string_view unit =
            apart ? sentence.word(behind) : std::string_view(measure->unit);
        const std::size_t end = behind + (apart ? 1 : 0);
        const auto known =
            std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
        if (known == units.end() || is_of_hardware(sentence, at, end) || is_rate(sentence, end)) {
            continue;
        }
        const double bytes = measure->value * known->second;
        sentence.claim(at, end - at);
        if (kernel_kind_named(kernel.operation)->size == KernelSize::bytes) {
            kernel.elements = bytes / size_of_element(sentence.reading);
            return;
        }
        // What is transformed or sorted is written beside itself; three matrices are those of a
        // product.
        const std::string_view data = claim_data(sentence, at, end);
        const bool each = kernel.operation == "gemm" && data == "matrices";
        const bool twice =
            data == "data" && (kernel.operation.starts_with("fft") || kernel.operation == "sort");
        kernel.bytes = bytes * (each ? 3 : twice ? 2 : 1);
        return;
    }
}

void read_number_of_products(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.batch || !is_any(reading.kernel->operation, "gemm fft fft2d fft3d")) {
        return;
    }
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
        if (!measure || !measure->unit.empty() || measure->negative || measure->value < 2) {
            continue;
        }
        const std::size_t behind = at + measure->length;
        const bool counted =
            sentence.follows(behind) &&
            is_any(sentence.word(behind),
                   "batches matrices products multiplications matmuls gemms ffts transforms");
        // "batched 4096 gemms", "batch of 4096"
        const bool batched = at > 0 && (is_any(sentence.word(at - 1), "batch batches") ||
                                        (is_any(sentence.word(at - 1), "of count size =") &&
                                         at > 1 && is_any(sentence.word(at - 2), "batch batches")));
        if (counted || batched) {
            reading.batch = static_cast<int>(std::min(measure->value, 1e9));
            sentence.claim(at, measure->length + (counted ? 1 : 0));
            break;
        }
    }
    for (std::size_t i = 0; reading.batch && i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i), "batched batch batches")) {
            sentence.claim(i);
        }
    }
}

void read_seen_rate(Sentence& sentence) {
    const bool judged =
        judges(sentence) || sentence.any_word("fine sick broken healthy faulty low slow bad why");
    bool wished = sentence.any_word("need needs want wants must least target");
    for (std::size_t i = 0; i + 2 < sentence.tokens.size(); ++i) {
        wished = wished || (is_any(sentence.word(i), "do can could should") &&  // "how do i get"
                            is_any(sentence.word(i + 1), "i we you") &&
                            is_any(sentence.word(i + 2), "get reach hit"));
    }
    // Of a network Gbps are bits, of a memory people write bytes so.
    const double gbps = sentence.any_word("network ethernet ib infiniband roce rdma nic nics iperf")
                            ? 1e9 / 8
                            : 1e9;
    const std::array<std::pair<std::string_view, double>, 6> units = {{{"tb", 1e12},
                                                                       {"gb", 1e9},
                                                                       {"gbps", gbps},
                                                                       {"tflops", 1e12},
                                                                       {"tflop", 1e12},
                                                                       {"gflops", 1e9}}};
    for (std::size_t at = 0; !wished && at < sentence.tokens.size(); ++at) {
        const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
        const bool told = near_words(sentence, clause_start(sentence, at, 4), at,
                                     "see sees seeing measured measure get gets getting");
        if (!measure || measure->negative || measure->value <= 0 || !(judged || told)) {
            continue;
        }
        const std::size_t behind = at + measure->length;
        const bool apart = measure->unit.empty() && sentence.follows(behind);
        const std::string_view unit =
            apart ? sentence.word(behind) : std::string_view(measure->unit);
        const std::size_t end = behind + (apart ? 1 : 0);
        const auto known =
            std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
        const bool rate = known != units.end() &&
                          (unit.ends_with("ps") || unit == "tflop" || is_rate(sentence, end));
        if (!rate || is_of_hardware(sentence, at, end)) {
            continue;
        }
        sentence.reading.seen_per_s = measure->value * known->second;
        const bool second = is_rate(sentence, end);
        const std::size_t past = end + (!second                                  ? 0
                                        : sentence.tokens[end].gap == Gap::slash ? 1
                                                                                 : 2);
        sentence.claim(at,
                       past + (is_any(sentence.word(past), "busbw algbw bandwidth") ? 1 : 0) - at);
        return;
    }
}

void size_by_bytes(Sentence& sentence, Kernel& kernel) {
    const double bytes = std::exchange(kernel.bytes, 0);
    kernel.operation = kernel.operation == "fft" ? "fft3d" : kernel.operation;
    const auto type = sentence.reading.kernel_type.value_or(usual_type(kernel));
    double low = 1, high = 1e13;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        const auto work = kernel_work(kernel_of_size(kernel, middle), type, {});
        (work && work->resident <= bytes * byte ? low : high) = middle;
    }
    kernel = kernel_of_size(kernel, low);
    sentence.assume(kernel.size.empty() ? "elements" : "size", fmt::format("{:.0f}", low),
                    fmt::format("its arrays and work areas take {:.3g} GB", bytes / 1e9));
}

}  // namespace ridgeline::reading
