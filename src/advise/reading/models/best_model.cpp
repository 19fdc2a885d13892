#include "advise/reading/models/best_model.h"

#include "advise/reading/models/model_words.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <tuple>

// Which model of a family the pieces of a name mean.

namespace ridgeline::reading {
namespace {

bool has_piece(const std::vector<std::string>& pieces, std::string_view piece) {
    return std::ranges::find(pieces, piece) != pieces.end();
}

/// Numbers of a name come in its order, so that "llama 70b 2 a100" is no Llama 2.
bool in_order(const std::vector<std::string>& said, const std::vector<std::string>& name) {
    std::size_t at = 0;
    for (const std::string& piece : said) {
        if (!has_digit(piece) || is_size_piece(piece)) {
            continue;
        }
        const auto found =
            std::find(name.begin() + static_cast<std::ptrdiff_t>(at), name.end(), piece);
        if (found == name.end()) {
            return false;
        }
        at = static_cast<std::size_t>(found - name.begin()) + 1;
    }
    return true;
}

/// How far a size lies from what most people run, as a factor's logarithm; names without one
/// count 1.
double distance_from_usual(const std::vector<std::string>& pieces) {
    constexpr double usual = 8e9;
    for (const std::string& piece : pieces) {
        if (const auto size = parameters_in(piece)) {
            return std::abs(std::log(*size / usual));
        }
    }
    return 1;
}

/// "phi-4 14b" describes a model without a size in its name; "llama 3.2 11b" is no Llama of 3B,
/// though people call that one "llama 3.2".
bool may_have_size(std::string_view id, const std::vector<std::string>& said) {
    constexpr double same = 1.15;
    for (const std::string& own : split(id, '-')) {
        const auto size = parameters_in(own);
        for (const std::string& piece : said) {
            const auto wanted = size ? parameters_in(piece) : std::nullopt;
            if (wanted && (*wanted > same * *size || *size > same * *wanted)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace

double version_of(const std::vector<std::string>& pieces) {
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        if (is_version_piece(pieces[i])) {
            const auto digits = pieces[i].front() == 'v' ? pieces[i].substr(1) : pieces[i];
            return number_with_suffix(digits).value_or(0);
        }
    }
    return 0;
}

bool can_continue(const NamedModels& models, const std::vector<std::string>& said) {
    return std::ranges::any_of(models, [&](const Names::Model& model) {
        return std::ranges::all_of(said,
                                   [&](const std::string& piece) {
                                       return has_piece(model.pieces, piece) ||
                                              is_release_word(piece);
                                   }) &&
               in_order(said, model.pieces);
    });
}

const Names::Model* best_of(const NamedModels& models, std::vector<std::string> said) {
    std::erase_if(said, is_release_word);
    const auto pick = [&](const std::vector<std::string>& wanted, bool sized) {
        const Names::Model* best = nullptr;
        double best_words = 1e9;
        double best_version = -1;
        double best_distance = 1e9;
        for (const Names::Model& model : models) {
            const bool all = std::ranges::all_of(
                wanted, [&](const std::string& piece) { return has_piece(model.pieces, piece); });
            if (!all || !in_order(wanted, model.pieces) ||
                (!sized && (has_size(model.pieces) || !may_have_size(model.id, said)))) {
                continue;
            }
            double words = 0;
            for (const std::string& piece : model.pieces) {
                words +=
                    has_piece(wanted, piece) || is_version_piece(piece) || is_release_word(piece)
                        ? 0
                        : 1;
            }
            const double version = version_of(model.pieces);
            const double distance = distance_from_usual(model.pieces);
            const auto order = std::tuple(words, -version, distance);
            if (order < std::tuple(best_words, -best_version, best_distance)) {
                best = &model;
                best_distance = distance;
                best_words = words;
                best_version = version;
            }
        }
        return best;
    };
    if (const Names::Model* found = pick(said, true)) {
        return found;
    }
    // "phi-4 14b": a size describes a model whose name has none.
    std::vector<std::string> unsized = said;
    std::erase_if(unsized, is_size_piece);
    // Distillations of DeepSeek-R1 have a size and another shape.
    if (has_piece(said, "r1") && std::ranges::any_of(said, [](const std::string& piece) {
            return parameters_in(piece).value_or(1e12) < 6e11;
        })) {
        return nullptr;
    }
    return unsized.size() < said.size() && unsized.size() > 1 ? pick(unsized, false) : nullptr;
}

}  // namespace ridgeline::reading
