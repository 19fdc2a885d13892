#include "advise/reading/settling/beyond.h"
#include "advise/reading/words/token.h"

#include <algorithm>
#include <string>

// Work on accelerators of which this program has no operators, by its name, and what one does to a
// card itself. A neighbour of it would be an answer to another question.

namespace ridgeline::reading {
namespace {

constexpr const char* known_work =
    "Known are models and networks with their operators, and kernels of scientific computing; for "
    "other work compare cards: \"4080 vs 4090\". Example: \"what GPU for a 70B fine-tune\".";

// clang-format off
constexpr std::string_view other_work[] = {
    // Scenes from pictures.
    "gaussian splatting", "gaussian splat", "3dgs", "nerf", "instant ngp", "photogrammetry", "gsplat",
    // Tables and trees.
    "matrix factorization", "collaborative filtering", "factorization machine",
    "xgboost", "lightgbm", "catboost", "random forest", "gradient boosting", "gradient boosted tree",
    "gbdt", "kmeans", "k means clustering", "pagerank",
    // Pictures and films that no network makes.
    "blender", "octane", "v ray", "redshift rendering", "arnold rendering", "unreal engine",
    "davinci resolve", "premiere pro", "after effects", "transcoding",
    "transcode", "video encoding", "h264", "h265", "hevc",
    // Clouds of points.
    "pointpillar", "pointnet", "centerpoint", "lidar detection",
    // Other computing.
    "password cracking", "hashcat", "bitcoin", "ethereum mining", "crypto mining", "monero", "folding at home"
};
// clang-format on

/// A model that is named by more than a number of parameters: what stands beside it is told of it.
bool names_known_model(const Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool named =
        !reading.model.empty() && reading.model_known && !parameters_in(reading.model).has_value();
    return named || !reading.family_models.empty() || reading.kernel ||
           !reading.environment.empty() || sentence.any_word("llm llms");
}

/// Whether the tokens from `at` on are `words`, whatever has claimed them; the last may stand in
/// the plural.
bool says(const Sentence& sentence, std::size_t at, std::string_view words) {
    for (std::size_t length = 0; !words.empty(); ++length) {
        const std::string_view wanted = words.substr(0, words.find(' '));
        const std::string_view own = sentence.word(at + length);
        words.remove_prefix(std::min(words.size(), wanted.size() + 1));
        const bool plural = words.empty() && own.size() == wanted.size() + 1 &&
                            own.starts_with(wanted) && own.ends_with('s');
        if ((own != wanted && !plural) || (length > 0 && !sentence.follows(at + length))) {
            return false;
        }
    }
    return true;
}

/// Whether token i is one of `words` after "how to", "how do i", or as an order.
bool is_deed(const Sentence& sentence, std::size_t i, std::string_view words) {
    const std::string_view before = i > 0 ? sentence.word(i - 1) : std::string_view();
    return is_any(sentence.word(i), words) && (i == 0 || is_any(before, "to i we you can help"));
}

}  // namespace

std::string other_work_named(const Sentence& sentence) {
    if (names_known_model(sentence)) {
        return {};
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        for (const std::string_view work : other_work) {
            if (says(sentence, i, work)) {
                return std::string(work);
            }
        }
    }
    return {};
}

std::string_view example_of_known_work() { return known_work; }

bool tells_a_deed(const Sentence& sentence) {
    if (!sentence.reading.model.empty() || sentence.mentions.empty()) {
        return false;
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const bool attention = is_any(sentence.word(i + 1), "attention attn");
        const bool hand =
            !attention && is_deed(sentence, i,
                                  "overclock undervolt underclock repaste repad deshroud flash "
                                  "unlock dust clean watercool");
        const bool install =
            is_deed(sentence, i, "install update upgrade downgrade uninstall reinstall") &&
            sentence.any_word("driver drivers cuda firmware vbios bios toolkit");
        const bool mine = is_any(sentence.word(i), "mine mining") &&
                          sentence.any_word("bitcoin btc eth ethereum monero crypto coins coin");
        if (hand || install || mine) {
            return true;
        }
    }
    return false;
}

}  // namespace ridgeline::reading
