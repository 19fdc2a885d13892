#include "advise/reading/models/data_sizes.h"

#include "advise/reading/words/names.h"
#include "base/text.h"

#include <fmt/format.h>

// Sizes of data: "8.3 GB of text", "features 53GB", "a dataset of 2 TB". They are no memory of a
// card.

namespace ridgeline::reading {
namespace {

/// Of English and code under the tokenizers of today; other languages have fewer.
constexpr double bytes_of_a_token = 4;

double bytes_of(std::string_view unit) {
    struct Unit {
        std::string_view word;
        double bytes;
    };
    static constexpr Unit units[] = {{"mb", 1e6},         {"mib", 1e6}, {"megabytes", 1e6},
                                     {"gb", 1e9},         {"gib", 1e9}, {"gigs", 1e9},
                                     {"gigabytes", 1e9},  {"tb", 1e12}, {"tib", 1e12},
                                     {"terabytes", 1e12}, {"pb", 1e15}};
    for (const Unit& each : units) {
        if (each.word == unit) {
            return each.bytes;
        }
    }
    return 0;
}

bool is_text(std::string_view word) {
    return is_any(word,
                  "text texts corpus corpora jsonl documents docs logs books code pdfs articles "
                  "transcripts emails");
}

bool is_data(std::string_view word) {
    return is_text(word) ||
           is_any(word,
                  "data dataset datasets images pictures photos jpegs jpgs pngs videos footage "
                  "features tables table "
                  "tfrecords parquet samples scans slides embeddings csv recordings");
}

/// The word of the data behind or before a size at [at, end), and one past the last token behind;
/// empty: none.
std::pair<std::string_view, std::size_t> data_beside(const Sentence& sentence, std::size_t at,
                                                     std::size_t end) {
    for (std::size_t i = end; i < end + 4 && sentence.follows(i); ++i) {
        if (is_data(sentence.word(i))) {
            return {sentence.word(i), i + 1};
        }
        if (!sentence.names.model_words.contains(std::string(sentence.word(i))) &&
            !is_any(sentence.word(i),
                    "of dlrm raw plain our my training domain private internal english embedding "
                    "python "
                    "medical legal the worth "
                    "jpeg")) {
            break;
        }
    }
    for (std::size_t i = at; i > 0 && at - i < 3 && sentence.tokens[i].gap != Gap::stop; --i) {
        if (is_data(sentence.word(i - 1))) {
            return {sentence.word(i - 1), end};
        }
        if (!is_any(sentence.word(i - 1), "of is are about around has size ~")) {
            break;
        }
    }
    return {};
}

}  // namespace

bool match_data_size(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || measure->scaled || measure->negative || measure->value <= 0) {
        return false;
    }
    const std::size_t unit = at + measure->length;
    const bool glued = !measure->unit.empty();
    const double scale = glued                    ? bytes_of(measure->unit)
                         : sentence.follows(unit) ? bytes_of(sentence.word(unit))
                                                  : 0;
    const auto [word, end] = scale > 0 ? data_beside(sentence, at, unit + (glued ? 0 : 1))
                                       : std::pair<std::string_view, std::size_t>();
    if (word.empty()) {
        return false;
    }
    Reading& reading = sentence.reading;
    reading.dataset_bytes = measure->value * scale;
    const auto model = sentence.named_architecture();
    if (is_text(word) || (is_any(word, "data dataset") && !(model && model->network))) {
        sentence.text_bytes = reading.dataset_bytes;
    } else if (is_any(word, "table tables")) {
        reading.not_understood.push_back(
            fmt::format("{:g} GB of tables", reading.dataset_bytes / 1e9));
    }
    sentence.claim(at, end - at);
    return true;
}

void settle_data_sizes(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool told = reading.tokens || reading.samples || reading.steps;
    const bool learnt = sentence.any_word(
        "train training pretrain pretraining pretrained finetune finetuning finetuned tune tuning "
        "lora "
        "qlora sft epoch epochs");
    if (sentence.text_bytes <= 0 || told || !learnt) {
        return;
    }
    reading.tokens = sentence.text_bytes / bytes_of_a_token;
    sentence.assume("tokens", format_count(*reading.tokens),
                    fmt::format("{:g} bytes of text a token", bytes_of_a_token));
}

}  // namespace ridgeline::reading
