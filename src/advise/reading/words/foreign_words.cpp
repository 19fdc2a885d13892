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

/// "cien mil millones", "um bilhao": numbers in words of other languages right before a scale,
/// where they are no article and no other word.
void settle_foreign_numbers(std::vector<Token>& tokens) {
    static constexpr std::pair<std::string_view, std::string_view> numbers[] = {
        {"1", "um uma un una uno une ein eine einer"},
        {"2", "dos due"},
        {"7", "siete sete sette sept"},
        {"9", "nueve nove neun neuf"},
        {"10", "diez dez dieci dix zehn"},
        {"100", "cien cem cento cent hundert"},
        {"200", "doscientos duzentos duecento"},
        {"500", "quinientos quinhentos cinquecento"}};
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const std::string_view next = tokens[i + 1].text;
        const bool scale = next.size() > 2 && tokens[i + 1].gap == Gap::space &&
                           (scale_of_word(next) >= 1e3 || is_any(next, "mila mille"));
        for (const auto& [figures, words] : numbers) {
            if (scale && is_any(tokens[i].text, words)) {
                tokens[i].text = figures;
                break;
            }
        }
    }
}

/// "half a trillion", "2 billions of tokens": as they are read elsewhere.
void settle_spoken_scales(std::vector<Token>& tokens) {
    for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
        const bool half = tokens[i - 1].text == "half" && tokens[i].text == "a" &&
                          is_any(tokens[i + 1].text, "million billion trillion");
        const bool of = tokens[i].text == "of" && tokens[i].gap == Gap::space &&
                        is_any(tokens[i + 1].text, "tokens token") &&
                        tokens[i - 1].text.size() > 2 && scale_of_word(tokens[i - 1].text) >= 1e6;
        if (half) {
            tokens[i - 1].text = "0.5";
        }
        if (half || of) {
            tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
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
        // Spanish has it with twelve zeros, in English it is a slip of the keys.
        if (next.starts_with("token") && tokens[i].text == "billon" && !romance) {
            tokens[i].text = "billion";
        }
        if (tokens[i].text == "bi" && number && is_any(next, "de tokens token parametros")) {
            tokens[i].text = "billion";
        }
    }
    // "mil millones de tokens": one of them
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const bool alone =
            i == 0 || is_any(tokens[i - 1].text, "con com su sobre de en em di on with of para");
        if (tokens[i].text == "thousand" && alone &&
            is_any(tokens[i + 1].text, "millones milhoes milioni miliardi")) {
            tokens[i].text = "1000";
        }
    }
}

/// "pendant 2 ans", "durante 3 meses", "10 Stunden am Tag": units of time behind a number, and what
/// stands before it. Units of other languages mean nothing else there.
void settle_foreign_times(std::vector<Token>& tokens) {
    static constexpr std::pair<std::string_view, std::string_view> units[] = {
        {"days", "tage tagen jours dias giorni dagen"},
        {"day", "tag jour dia giorno dag"},
        {"weeks", "wochen semanas semaines settimane weken"},
        {"week", "woche semana semaine settimana"},
        {"months", "monate monaten mois meses mesi maanden"},
        {"month", "monat mes mese maand"},
        {"years", "jahre jahren ans annees anos anni jaren"},
        {"year", "jahr annee ano anno jaar"}};
    for (std::size_t i = 1; i < tokens.size(); ++i) {
        const bool number = all_digits(tokens[i - 1].text) && tokens[i].gap == Gap::space;
        for (const auto& [english, foreign] : units) {
            if (!number || !is_any(tokens[i].text, foreign)) {
                continue;
            }
            tokens[i].text = english;
            if (i > 1 && tokens[i - 1].gap == Gap::space &&
                is_any(tokens[i - 2].text,
                       "pendant durante gedurende wahrend waehrend fur fuer uber "
                       "ueber pour sur para por per voor auf")) {
                tokens[i - 2].text = "for";
            }
            break;
        }
    }
}

}  // namespace

void settle_foreign_words(std::vector<Token>& tokens) {
    settle_foreign_numbers(tokens);
    settle_foreign_scales(tokens);
    settle_spoken_scales(tokens);
    settle_foreign_times(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        Token& token = tokens[i];
        const bool flux =
            i > 0 && std::any_of(tokens.begin() +
                                     static_cast<std::ptrdiff_t>(i - std::min<std::size_t>(i, 3)),
                                 tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                 [](const Token& each) { return each.text.starts_with("flux"); });
        if (is_any(token.text, "kontext kontextlange kontextlaenge kontextfenster") && !flux) {
            token.text = "context";
        } else if (is_any(token.text, "contexte contexto contesto") && !flux) {
            token.text = "context";
            // "16k de contexte", "contexte de 16k"
            for (const std::size_t of : {i - std::min<std::size_t>(i, 1), i + 1}) {
                if (of < tokens.size() && is_any(tokens[of].text, "de di")) {
                    tokens[of].text = "of";
                }
            }
        } else if (is_any(token.text, "maximal maximaal hochstens")) {
            token.text = "max";
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
        // "10 Stunden am Tag", "4 Stunden in der Woche"; "am" and "im" mean nothing in English.
        const bool german = i > 0 && is_any(tokens[i].text, "am im") &&
                            is_any(tokens[i - 1].text, "stunden stunde hours euro tokens anfragen");
        if (!german && !is_any(tokens[i].text, "pro por par al per je")) {
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
