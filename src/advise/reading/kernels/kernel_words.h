#pragma once

#include "advise/reading/words/sentence.h"
#include "spec/kernel.h"

#include <span>
#include <string_view>

// Words of kernels, and where they stand in the text of a question.

namespace ridgeline::reading {

/// A name of a kernel; longer names come before those that they contain.
struct KernelWords {
    std::string_view words;  ///< parted by single blanks; any sign may part them in the question
    std::string_view kind;
    std::optional<ComputeType> type{};
    bool program = false;  ///< one of several programs of this kind, which differ in speed
};
std::span<const KernelWords> kernel_names();

/// A name of a number type.
struct TypeWords {
    std::string_view words;
    ComputeType type;
};
std::span<const TypeWords> number_types();

/// Systems that molecular dynamics is measured on, by their atoms.
struct MolecularSystem {
    std::string_view name;
    double atoms;
};
std::span<const MolecularSystem> molecular_systems();

/// Bytes of the question that a phrase covers from `at` on; 0: it does not stand there.
std::size_t covers(std::string_view text, std::size_t at, std::string_view words);

/// Bytes of the text.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool any() const { return end > begin; }
};
/// Where words stand first; empty: nowhere.
Span find_words(std::string_view text, std::string_view words);
/// Claims the tokens that a span touches.
void claim_span(Sentence& sentence, const Span& span);

/// Sizes and counts of a kernel ("512^3", "1M atoms", "50 nonzeros per row") in the text, which are
/// claimed.
void read_kernel_counts(Sentence& sentence, std::string_view text, Kernel& kernel);
/// "1 GB", "256MB": bytes of an array or a message, else of all arrays, which no part has claimed
/// as its memory.
void read_bytes(Sentence& sentence);
/// "4096 batches of 64x64", "10000 matrices of 32x32": products or transforms that run as one call.
void read_number_of_products(Sentence& sentence);
/// "180 GB/s, normal?": a rate that was measured and is to be judged, in bytes or operations a
/// second.
void read_seen_rate(Sentence& sentence);
/// The sides or elements at which all arrays take the bytes that were read.
void size_by_bytes(Sentence& sentence, Kernel& kernel);

}  // namespace ridgeline::reading
