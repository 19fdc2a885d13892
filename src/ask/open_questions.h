#pragma once

#include "advise/answers/answer.h"
#include "ask/question.h"

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::ask {

/// What a question leaves open that an answer needs ("best gpu for ai", "is 8 GB enough"), as words
/// behind its own.
struct Supplement {
    std::string words;
    std::optional<Intent> intent;  ///< what is meant with them; read as another one they are not
                                   ///< taken; nothing: as they are read
    AssumedField assumed;          ///< told with the answer; no field: the words say it themselves
    bool alone = false;            ///< the words are the whole question, in place of what was typed
    std::string lead{};            ///< a sentence that explains the answer, before it
    std::string beside{};          ///< a question whose answer is told behind it
};

/// Why a class of models stands for those that a question leaves open.
inline constexpr std::string_view class_for_home =
    "no model was named: the largest class that one card for a desk holds in 4 bits";
inline constexpr std::string_view class_for_tuning =
    "no model was named: the class that is tuned most";
inline constexpr std::string_view class_for_service =
    "no model was named: a small one, as is served to many";
inline constexpr std::string_view class_for_text =
    "no model was named: a small one, as reads and writes texts";
inline constexpr std::string_view class_for_code =
    "no model was named: one of few active parameters that is trained on code";

/// The supplement of a question; nothing: it needs none, or nothing usual is known for it.
///
/// question  as it was typed
/// reading   of it; null: it could not be read
std::optional<Supplement> supplement_of(const std::string& question, const Reading* reading);

/// Says which class an answer is for, and what those of other sizes take. Nothing where the model
/// was named.
void lead_with_class(const Reading& reading, const Question& question, const World& world,
                     Answer& reply);

/// The same of an amount that is the largest.
void lead_with_class(const Reading& reading, const AnswerTools& tools, Answer& reply);

/// Leads with the memory that each class takes in 4 bits; nothing where the model was named.
void lead_with_memory_of_classes(const Reading& reading, const AnswerTools& tools, Answer& reply);

}  // namespace ridgeline::ask
