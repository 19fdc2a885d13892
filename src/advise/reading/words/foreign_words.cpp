#include "advise/reading/words/foreign_words.h"

#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <string_view>
#include <utility>

// Words of other languages, as the grammar has them.

namespace ridgeline::reading {

namespace {

/// Whether a word of Spanish, Portuguese or Italian stands in the question that is none of English.
bool speaks_romance(const std::vector<Token>& tokens) {
    return std::ranges::any_of(tokens, [](const Token& token) {
        return is_any(
            token.text,
            "cuanto cuantos cuanta cuantas quanto quantos quanta quantas para con com una "
            "uma los las por usuarios ejemplos exemplos entrenar treinar");
    });
}

/// "3 mil millones", "100 mil ejemplos": a thousand, where English has a million; "100 bi de
/// tokens": a Brazilian billion.
void settle_foreign_scales(std::vector<Token>& tokens) {
    const bool romance = speaks_romance(tokens);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::string_view next = tokens[i + 1].text;
        const bool million = is_any(next, "millones millon milhoes milhao milioni");
        if (is_any(tokens[i].text, "mil mila mille") &&
            (romance || million || tokens[i].text != "mil")) {
            tokens[i].text = "thousand";
        }
        const bool number = i > 0 && tokens[i].gap == Gap::space && amount_in(tokens[i - 1].text);
        if (tokens[i].text == "bi" && number && is_any(next, "de tokens token parametros")) {
            tokens[i].text = "billion";
        }
    }
    // "mil millones de tokens": one of them
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const bool alone = i == 0 || !amount_in(tokens[i - 1].text);
        if (tokens[i].text == "thousand" && alone &&
            is_any(tokens[i + 1].text, "millones milhoes milioni miliardi")) {
            tokens[i].text = "1000";
        }
    }
}

}  // namespace

void settle_foreign_words(std::vector<Token>& tokens) {
    settle_foreign_scales(tokens);
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
