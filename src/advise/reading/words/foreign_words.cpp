#include "advise/reading/words/foreign_words.h"

#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <string_view>
#include <utility>

// Words of other languages, as the grammar has them.

namespace ridgeline::reading {

void settle_foreign_words(std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        Token& token = tokens[i];
        const bool flux =
            i > 0 && std::any_of(tokens.begin() +
                                     static_cast<std::ptrdiff_t>(i - std::min<std::size_t>(i, 3)),
                                 tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                 [](const Token& each) { return each.text.starts_with("flux"); });
        if (is_any(token.text, "kontext kontextlange kontextlaenge kontextfenster") && !flux) {
            token.text = "context";
        } else if (is_any(token.text, "een numa num")) {
            token.text = "a";
        } else if (is_any(token.text,
                          "statt anstatt gegen gegenuber gegenueber contre contra tegen contro") &&
                   i > 0) {
            token.text = "vs";
        } else if (is_any(token.text, "o ou") && i > 0 && i + 1 < tokens.size() &&
                   has_digit(tokens[i - 1].text) &&
                   has_digit(tokens[i + 1].text)) {  // "4090 o 3090"
            token.text = "or";
        } else if (is_any(token.text, "horas hora heures heure ore uren uur")) {
            token.text = i > 0 && has_digit(tokens[i - 1].text) ? "hours" : token.text;
        } else if (token.text == "go" && i > 0 && all_digits(tokens[i - 1].text) &&
                   tokens[i - 1].text.size() <= 3) {  // "what does a 3090 go for"
            token.text = "gb";
        }
    }
}

void settle_foreign_periods(std::vector<Token>& tokens) {
    static constexpr std::pair<std::string_view, std::string_view> periods[] = {
        {"second", "sekunde segundo seconde secondo"},
        {"minute", "minuut minuto"},
        {"hour", "stunde hora heure ora uur"},
        {"day", "tag dia jour giorno dag"},
        {"week", "woche semana semaine settimana week"},
        {"month", "monat mes mois mese maand"},
        {"year", "jahr ano an anno jaar"}};
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (!is_any(tokens[i].text, "pro por par al per je")) {
            continue;
        }
        for (const auto& [english, foreign] : periods) {
            if (is_any(tokens[i + 1].text, foreign)) {
                tokens[i].text = "per";
                tokens[i + 1].text = english;
            }
        }
    }
}

}  // namespace ridgeline::reading
