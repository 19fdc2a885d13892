#include "ask/named_parts.h"

#include "advise/hardware/offers.h"
#include "advise/reading/words/token.h"
#include "ask/world.h"

namespace ridgeline::ask {

Result<std::vector<const Accelerator*>> parts_named(const Catalog& catalog, std::string_view word,
                                                    const std::string& where) {
    if (const Accelerator* one = catalog.accelerator(word)) {
        return std::vector<const Accelerator*>{one};
    }
    if (const NamedHardware named = catalog.named(word)) {
        return named.accelerators;
    }
    const auto part = accelerator_named(catalog, word, where);
    return tl::unexpected(part.error());
}

const Accelerator* usual_form(const Catalog& catalog, std::string_view word) {
    return most_listed(catalog, catalog.named(word).accelerators);
}

std::string with_count_behind(std::string_view text) {
    const auto tokens = reading::tokens_of(text).list;
    if (tokens.size() < 3) {
        return std::string(text);
    }
    if (all_digits(tokens[0].text) && tokens[1].text == "x") {
        return std::string(text.substr(tokens[2].begin)) + ":" + tokens[0].text;
    }
    const auto& last = tokens.back();
    const auto& sign = tokens[tokens.size() - 2];
    if (all_digits(last.text) && sign.text == "x" && text.find(':') == text.npos) {
        const auto end = tokens[tokens.size() - 3].end;
        return std::string(text.substr(0, end)) + ":" + last.text;
    }
    return std::string(text);
}

}  // namespace ridgeline::ask
