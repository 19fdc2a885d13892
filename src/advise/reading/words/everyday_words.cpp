#include "advise/reading/words/everyday_words.h"

#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

// What newcomers say in other languages: no words of the field, but of home, school and everyday
// life. A language is told by words of its own that English lacks.

namespace ridgeline::reading {
namespace {

/// A word, or several that blanks part, and what it is in English.
struct Everyday {
    std::string_view words;
    std::string_view english;
};

struct Language {
    std::string_view tells;  ///< words of it that are none of English
    std::span<const Everyday> unknown;
    std::span<const Everyday> known;  ///< that the tables of words have
};

// clang-format off
constexpr Everyday german[] = {
    {"kunstliche intelligenz", "ai"}, {"kuenstliche intelligenz", "ai"}, {"ki", "ai"},
    {"maschinelles lernen", "machine learning"}, {"maschinelle lernen", "machine learning"}, {"maschinellem lernen", "machine learning"},
    {"lernen", "learn"}, {"anfanger", "beginner"}, {"anfaenger", "beginner"}, {"einsteiger", "beginner"}, {"studentin", "student"}, {"schuler", "student"},
    {"schulprojekt", "school project"}, {"schule", "school"}, {"studium", "university"}, {"bachelorarbeit", "thesis"}, {"masterarbeit", "thesis"},
    {"sprachmodell", "llm"}, {"sprachmodelle", "llms"}, {"sprachmodellen", "llms"},
    {"warum", "why"}, {"wieso", "why"}, {"langsam", "slow"}, {"schneller", "faster"}, {"kleines", "small"}, {"kleine", "small"}, {"kleinen", "small"},
    {"zu hause", "at home"}, {"zuhause", "at home"}, {"daheim", "at home"}, {"lokales", "local"}, {"lokale", "local"}, {"lokalen", "local"},
    {"mein", "my"}, {"meine", "my"}, {"meinem", "my"}, {"meinen", "my"}, {"meiner", "my"}, {"unter", "under"}, {"mochte", "want"}, {"moechte", "want"},
    {"bilder generieren", "generate images"}, {"bilder erstellen", "generate images"}, {"bilder erzeugen", "generate images"},
    {"gut genug", "good enough"}, {"gunstig", "cheap"}, {"gunstige", "cheap"}, {"guenstige", "cheap"}, {"billige", "cheap"}, {"gunstigste", "cheapest"}, {"billigste", "cheapest"},
    {"kaufe ich", "buy"}, {"kaufe", "buy"}, {"hallo", "hello"}, {"rechner", "computer"}, {"ausfuhren", "run"}, {"trainiere", "train"}, {"was bedeutet", "what means"}, {"bedeutet", "means"},
};
constexpr Everyday german_known[] = {
    {"nutzt", "help"}, {"hilft", "help"}, {"bringt", "help"}, {"mehr", "more"}, {"bei", "with"},
    {"laufen zu lassen", "run"}, {"laufen lassen", "run"}, {"wie viel", "how much"}, {"wieviel", "how much"}, {"was kostet", "how much cost"}, {"ohne", "without"}, {"keine", "no"}, {"besser", "better"}, {"auf", "on"}, {"zu", "to"}, {"es", "it"},
    {"welche", "which"}, {"welcher", "which"}, {"welches", "which"}, {"welchen", "which"}, {"grafikkarte", "graphics card"}, {"grafikkarten", "graphics cards"}, {"karte", "card"},
    {"grafikspeicher", "vram"}, {"videospeicher", "vram"}, {"reicht", "enough"}, {"reichen", "enough"}, {"brauche", "need"}, {"brauch", "need"}, {"braucht", "need"}, {"kaufen", "buy"}, {"mieten", "rent"},
    {"trainieren", "train"}, {"trainiert", "train"}, {"modell", "model"}, {"modelle", "models"}, {"beste", "best"}, {"besten", "best"}, {"bestes", "best"}, {"gut", "good"}, {"gute", "good"},
    {"ist", "is"}, {"ich", "i"}, {"fur", "for"}, {"mit", "with"}, {"um", "to"}, {"zum", "to"}, {"ein", "a"}, {"eine", "a"}, {"und", "and"}, {"oder", "or"}, {"kann", "can"}, {"laufen", "run"}, {"was", "what"}, {"wie", "how"},
    {"lauft", "run"},
};
constexpr Everyday spanish[] = {
    {"inteligencia artificial", "ai"}, {"ia", "ai"}, {"aprendizaje automatico", "machine learning"}, {"aprendizaje profundo", "deep learning"}, {"modelo de lenguaje", "llm"}, {"modelos de lenguaje", "llms"},
    {"aprender", "learn"}, {"principiante", "beginner"}, {"estudiante", "student"}, {"tesis", "thesis"}, {"universidad", "university"}, {"proyecto escolar", "school project"}, {"escuela", "school"},
    {"por que", "why"}, {"porque", "why"}, {"lento", "slow"}, {"lenta", "slow"}, {"pequeno", "small"}, {"pequena", "small"}, {"cual es", "what is"},
    {"barata", "cheap"}, {"barato", "cheap"}, {"baratas", "cheap"}, {"mejor", "best"}, {"portatil", "laptop"}, {"ordenador", "computer"}, {"computadora", "computer"},
    {"en casa", "at home"}, {"puedo usar", "can i use"}, {"usar", "use"}, {"es suficiente", "is enough"}, {"suficiente", "enough"}, {"suficientes", "enough"}, {"imagenes", "images"}, {"significa", "means"}, {"cual", "which"}, {"hola", "hello"}, {"escribir", "write"},
};
constexpr Everyday spanish_known[] = {
    {"cuanto cuesta", "how much cost"}, {"cuanta", "how much"}, {"memoria de video", "vram"}, {"ejecutar", "run"}, {"correr", "run"}, {"sin", "without"}, {"por", "for"},
    {"tarjeta de video", "graphics card"}, {"tarjeta grafica", "graphics card"}, {"grafica", "card"}, {"tarjeta", "card"}, {"que", "what"}, {"necesito", "need"}, {"un", "a"}, {"mi", "my"},
    {"entrenar", "train"}, {"modelo", "model"}, {"comprar", "buy"}, {"compro", "buy"}, {"tengo", "have"}, {"quiero", "want"}, {"alquilar", "rent"}, {"memoria", "memory"},
    {"la", "the"}, {"el", "the"}, {"para", "for"}, {"con", "with"}, {"una", "a"}, {"en", "on"}, {"de", "of"}, {"es", "is"}, {"puedo", "can"},
};
constexpr Everyday french[] = {
    {"intelligence artificielle", "ai"}, {"lintelligence artificielle", "ai"}, {"ia", "ai"}, {"lia", "ai"}, {"dia", "ai"}, {"apprentissage automatique", "machine learning"}, {"apprentissage profond", "deep learning"}, {"modele de langage", "llm"}, {"modeles de langage", "llms"},
    {"apprendre", "learn"}, {"debutant", "beginner"}, {"debute", "beginner"}, {"etudiant", "student"}, {"etudiante", "student"}, {"these", "thesis"}, {"universite", "university"}, {"projet scolaire", "school project"}, {"ecole", "school"},
    {"pourquoi", "why"}, {"lent", "slow"}, {"lente", "slow"}, {"petit", "small"}, {"petite", "small"}, {"pas cher", "cheap"}, {"pas chere", "cheap"}, {"meilleure", "best"}, {"meilleur", "best"},
    {"pc portable", "laptop"}, {"ordinateur portable", "laptop"}, {"portable", "laptop"}, {"ordinateur", "computer"}, {"a la maison", "at home"}, {"chez moi", "at home"}, {"mon", "my"}, {"ma", "my"},
    {"est ce suffisant", "is it enough"}, {"suffisant", "enough"}, {"suffisent", "enough"}, {"suffit", "enough"}, {"generer des images", "generate images"}, {"signifie", "means"}, {"faire de", "use"}, {"faire tourner", "run"}, {"faire", "use"}, {"jachete", "buy"}, {"laquelle", "which"}, {"bonjour", "hello"}, {"ecrire", "write"},
};
constexpr Everyday french_known[] = {
    {"combien coute", "how much cost"}, {"combien de", "how much"}, {"sans", "without"}, {"les", "the"}, {"des", "the"},
    {"carte graphique", "graphics card"}, {"carte", "card"}, {"quelle", "which"}, {"quel", "which"}, {"acheter", "buy"}, {"louer", "rent"}, {"entrainer", "train"}, {"modele", "model"}, {"memoire", "memory"},
    {"pour", "for"}, {"la", "the"}, {"le", "the"}, {"un", "a"}, {"une", "a"}, {"de", "of"}, {"avec", "with"}, {"est", "is"}, {"maison", "home"},
};
constexpr Everyday portuguese[] = {
    {"inteligencia artificial", "ai"}, {"ia", "ai"}, {"aprendizado de maquina", "machine learning"}, {"modelo de linguagem", "llm"}, {"modelos de linguagem", "llms"}, {"aprender", "learn"}, {"iniciante", "beginner"},
    {"estudante", "student"}, {"tese", "thesis"}, {"tcc", "thesis"}, {"universidade", "university"}, {"faculdade", "university"}, {"escola", "school"}, {"por que", "why"}, {"porque", "why"}, {"lento", "slow"}, {"pequeno", "small"},
    {"barata", "cheap"}, {"barato", "cheap"}, {"melhor", "best"}, {"computador", "computer"}, {"em casa", "at home"}, {"suficiente", "enough"}, {"imagens", "images"}, {"meu", "my"}, {"minha", "my"}, {"preciso", "need"}, {"significa", "means"},
};
constexpr Everyday portuguese_known[] = {
    {"quanto custa", "how much cost"}, {"quanta", "how much"}, {"sem", "without"}, {"executar", "run"},
    {"placa de video", "graphics card"}, {"placa", "card"}, {"qual", "which"}, {"comprar", "buy"}, {"compro", "buy"}, {"tenho", "have"}, {"alugar", "rent"}, {"treinar", "train"}, {"modelo", "model"}, {"rodar", "run"}, {"para", "for"}, {"em", "on"}, {"uma", "a"}, {"um", "a"}, {"com", "with"}, {"memoria", "memory"},
};
constexpr Everyday italian[] = {
    {"affittare", "rent"}, {"noleggiare", "rent"}, {"al giorno", "a day"}, {"un giorno", "a day"},
    {"intelligenza artificiale", "ai"}, {"lintelligenza artificiale", "ai"}, {"ia", "ai"}, {"lia", "ai"}, {"imparare", "learn"}, {"studente", "student"}, {"tesi", "thesis"}, {"universita", "university"}, {"scuola", "school"}, {"perche", "why"}, {"lento", "slow"}, {"piccolo", "small"},
    {"economica", "cheap"}, {"migliore", "best"}, {"portatile", "laptop"}, {"a casa", "at home"}, {"sufficiente", "enough"}, {"bastano", "enough"}, {"basta", "enough"}, {"mio", "my"},
};
constexpr Everyday italian_known[] = {
    {"quanto costa", "how much cost"}, {"quanta", "how much"}, {"senza", "without"},
    {"scheda video", "graphics card"}, {"scheda grafica", "graphics card"}, {"scheda", "card"}, {"quale", "which"}, {"comprare", "buy"}, {"addestrare", "train"}, {"modello", "model"}, {"per", "for"}, {"una", "a"}, {"con", "with"},
};
constexpr Language languages[] = {
    {"ich bringt hilft nutzt mehr lokalen lokale lokales eine einen kostet wie viel oder mein meine meinem meinen fur fuer ist reicht brauche welche welcher welches warum wieso nicht mochte moechte zuhause grafikkarte bedeutet", german, german_known},
    {"cuanto cuanta que cual necesito puedo quiero una para tarjeta suficiente significa entrenar", spanish, spanish_known},
    {"combien je quelle quel pour est mon puis avec carte pourquoi suffisant suffisent suffit signifie entrainer", french, french_known},
    {"quanto custa qual meu minha preciso uma para posso rodar placa significa treinar", portuguese, portuguese_known},
    {"quanto costa quale scheda posso mio perche sufficiente bastano basta vorrei addestrare", italian, italian_known},
};
// clang-format on

/// The language of a question: that of which most words stand in it; null: English, or none that is
/// known here.
const Language* language_of(const std::vector<Token>& tokens) {
    const Language* spoken = nullptr;
    std::ptrdiff_t most = 0;
    for (const Language& language : languages) {
        const auto words = std::ranges::count_if(
            tokens, [&](const Token& token) { return is_any(token.text, language.tells); });
        if (words > most) {
            spoken = &language;
            most = words;
        }
    }
    return spoken;
}

std::size_t stands_at(const std::vector<Token>& tokens, std::size_t at, std::string_view words) {
    std::size_t length = 0;
    for (const std::string& word : split(words, ' ')) {
        if (at + length >= tokens.size() || tokens[at + length].text != word) {
            return 0;
        }
        ++length;
    }
    return length;
}

/// Puts `english` in the place of `length` tokens from `at` on; the last of its words spans those
/// that are left.
void put(std::vector<Token>& tokens, std::size_t at, std::size_t length, std::string_view english) {
    const std::vector<std::string> words = split(english, ' ');
    const Token first = tokens[at];
    const std::size_t end = tokens[at + length - 1].end;
    const auto from = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    tokens.erase(from, from + static_cast<std::ptrdiff_t>(length));
    for (std::size_t i = 0; i < words.size(); ++i) {
        Token word = first;
        word.text = words[i];
        word.end = end;
        word.gap = i == 0 ? first.gap : Gap::space;
        tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at + i), std::move(word));
    }
}

void settle_by(std::span<const Everyday> table, std::vector<Token>& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        for (const Everyday& each : table) {
            const std::size_t length = stands_at(tokens, i, each.words);
            if (length > 0) {
                put(tokens, i, length, each.english);
                i += static_cast<std::size_t>(std::ranges::count(each.english, ' '));
                break;
            }
        }
    }
}

}  // namespace

void settle_everyday_words(std::vector<Token>& tokens) {
    if (const Language* spoken = language_of(tokens)) {
        settle_by(spoken->unknown, tokens);
    }
}

void settle_all_everyday_words(std::vector<Token>& tokens) {
    if (const Language* spoken = language_of(tokens)) {
        settle_by(spoken->unknown, tokens);
        settle_by(spoken->known, tokens);
    }
}

}  // namespace ridgeline::reading
