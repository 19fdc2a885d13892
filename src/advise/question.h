#pragma once

#include "advise/advise.h"
#include "advise/query.h"
#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// One line of the grammar of questions, as help and README print it.
struct QuestionForm {
    std::string_view about;    ///< "method"
    std::string_view words;    ///< "fine-tune, full, lora, qlora, pretrain, serve, ..."
    std::string_view example;  ///< "qlora llama-3.1-8b"
    std::string_view flag;     ///< "--method lora"
};
const std::vector<QuestionForm>& question_grammar();

/// Words that a question may be about: ids and names of the catalog and the profiles.
struct Vocabulary {
    const Catalog& catalog;
    const Profiles& profiles;
};

struct Reading {
    Query query;
    std::string flags;                     ///< flags_of(query)
    std::vector<std::string> unknown;      ///< words that were not understood, in order
    std::string deadline_date;             ///< "by 2027-03-01"; who knows today makes it a deadline
    bool length_open = false;              ///< no length, so a budget was taken for buying
    std::vector<std::string> assumptions;  ///< how open points were taken, sentences
};

/// Reads a question in plain words; words in any order, see question_grammar().
///
/// errors  a model name that is neither an id nor a size, or a part name that is none of the
///         catalog's (both with the nearest), a number out of range
Result<Reading> read_question(std::string_view text, const Vocabulary& vocabulary);

}  // namespace ridgeline
