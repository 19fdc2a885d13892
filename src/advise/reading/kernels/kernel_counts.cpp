#include "advise/reading/kernels/kernel_sizes.h"
#include "advise/reading/kernels/kernel_words.h"

#include <array>
#include <cctype>
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

}  // namespace

void read_kernel_counts(Sentence& sentence, std::string_view text, Kernel& kernel) {
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
        if (const std::size_t word = skip_blanks(text, number->end);
            sparse && covers(text, word, "rows") > 0) {
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

void read_message(Sentence& sentence) {
    constexpr std::array<std::pair<std::string_view, double>, 7> units = {{{"gib", gibibyte.base()},
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
        const bool apart =
            measure->unit.empty() && sentence.follows(behind) && sentence.open(behind);
        const std::string_view unit =
            apart ? sentence.word(behind) : std::string_view(measure->unit);
        for (const auto& [word, size] : units) {
            if (unit == word) {
                sentence.reading.kernel->elements =
                    measure->value * size / size_of_element(sentence.reading);
                sentence.claim(at, measure->length + (apart ? 1 : 0));
                return;
            }
        }
    }
}

}  // namespace ridgeline::reading
