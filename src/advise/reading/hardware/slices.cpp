#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/sentence.h"
#include "advise/reading/words/token.h"
#include "base/text.h"
#include "spec/mig.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// Parts of a part, and several chips as one: profiles of MIG, slices of TPUs.

namespace ridgeline::reading {
namespace {

/// Chips of a TPU slice, "v5e-8": the number behind the name counts chips from v5e on, the two
/// cores of each chip in v4 and v5p (cloud.google.com/tpu/docs/system-architecture). 0: no slice.
std::size_t tpu_slice_at(const Sentence& sentence, std::size_t end, const Accelerator& part) {
    if (!part.id.starts_with("tpu") || !sentence.open(end) || !sentence.follows(end) ||
        sentence.tokens[end].gap != Gap::joint || !all_digits(sentence.word(end)) ||
        sentence.word(end).size() > 5) {
        return 0;
    }
    const auto number =
        static_cast<std::size_t>(number_with_suffix(sentence.word(end)).value_or(0));
    return is_any(part.id, "tpu-v4 tpu-v5p") ? std::max<std::size_t>(number / 2, 1) : number;
}

void add_tpu_slices(Sentence& sentence) {
    for (Mention& mention : sentence.mentions) {
        const std::size_t chips =
            mention.parts.empty() ? 0 : tpu_slice_at(sentence, mention.end, *mention.parts.front());
        if (chips > 0) {
            mention.per_machine = static_cast<int>(chips);
            sentence.claim(mention.end);
            ++mention.end;
        }
    }
}

/// "3g.40gb": a profile of MIG, of the cards that were named and can be cut so.
bool is_mig_profile(std::string_view word) {
    const std::size_t units = word.find("g.");
    return units != std::string_view::npos && units > 0 && word.ends_with("gb") && has_digit(word);
}

void add_mig_profiles(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string word(sentence.word(i));
        if (!sentence.open(i) || !is_mig_profile(word)) {
            continue;
        }
        for (Mention& mention : sentence.mentions) {
            std::vector<const Accelerator*> cut;
            for (const Accelerator& slice : sentence.vocabulary.catalog.slices) {
                const bool named = std::any_of(
                    mention.parts.begin(), mention.parts.end(),
                    [&](const Accelerator* part) { return part->id == card_of(slice.id); });
                if (named && slice.id.ends_with("/" + word)) {
                    cut.push_back(&slice);
                }
            }
            if (!cut.empty()) {
                mention.name = cut.size() == 1 ? cut.front()->id : mention.name + "/" + word;
                mention.parts = std::move(cut);
                sentence.claim(i);
            }
        }
        if (sentence.mentions.empty()) {
            // "a 2g.20gb slice", of no card: of each that is cut so.
            Mention mention;
            mention.at = i;
            mention.end = i + 1;
            mention.name = word;
            for (const Accelerator& slice : sentence.vocabulary.catalog.slices) {
                if (slice.id.ends_with("/" + word)) {
                    mention.parts.push_back(&slice);
                }
            }
            if (!mention.parts.empty()) {
                sentence.claim(i);
                sentence.mentions.push_back(std::move(mention));
            }
        }
        for (std::size_t at = 0; !sentence.open(i) && at < sentence.tokens.size(); ++at) {
            if (is_any(sentence.word(at), "mig slice slices partition partitions")) {
                sentence.claim(at);
            }
        }
    }
}

}  // namespace

void add_slices(Sentence& sentence) {
    add_tpu_slices(sentence);
    add_mig_profiles(sentence);
}

}  // namespace ridgeline::reading
