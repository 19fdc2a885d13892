#include "advise/hardware/desk.h"
#include "advise/reading/amounts/long_texts.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/written.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// What a question says of requests: their lengths, how many run at once, how long an answer may
// take.

namespace ridgeline::reading {
namespace {

/// "200 users sharing a 6k token system prompt": all begin with it, and the prefix cache has it;
/// each adds a prompt of its own.
void settle_shared_prompt(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool kept = sentence.any_word("prefix") && sentence.any_word("caching cache cached");
    const bool shared = sentence.any_word("sharing share shares shared common") &&
                        sentence.any_word("prompt prefix");
    const int both = reading.sequence.value_or(0);
    const int stated = reading.input_tokens.value_or(0);
    if (!(kept || shared) || reading.task == Task::train || std::max(both, stated) == 0) {
        return;
    }
    const int common = both > 0 ? both : stated;
    const int own = both > 0 && stated > 0 ? stated : static_cast<int>(Serving{}.input_tokens);
    reading.sequence.reset();
    reading.input_tokens = common + own;
    sentence.assume(
        "cached_share", fmt::format("{:.3f}", static_cast<double>(common) / (common + own)),
        fmt::format("{} tokens that all share are found in the prefix cache, {} are each "
                    "one's own; room is counted for each whole",
                    common, own));
    std::erase_if(reading.not_understood, [](const std::string& word) {
        return is_any(word, "prefix caching cache cached sharing shared common system");
    });
}

/// "Answers in 20 s": of the whole, where one who writes them could; a second is waited for the
/// first token. What writes no tokens is there at once.
void settle_answer_time(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!sentence.answer_s || reading.task != Task::inference || reading.ttft_s || reading.tpot_s) {
        return;
    }
    // "answers within 3 s, 150 tokens": a number of tokens beside no prompt and no context is
    // theirs.
    if (reading.sequence && !reading.output_tokens && !reading.input_tokens &&
        !sentence.any_word("context ctx window prompt prompts input length seq sequence")) {
        reading.output_tokens = std::exchange(reading.sequence, std::nullopt);
    }
    constexpr double fastest_written = 100;  // tokens a second of one answer, on most hardware
    const double seconds = *sentence.answer_s;
    const int tokens = static_cast<int>(reading.output_tokens.value_or(Serving{}.output_tokens));
    const auto architecture = sentence.named_architecture();
    const bool writes = !architecture || architecture->kind == ModelKind::decoder;
    if (!writes || (sentence.answer_open && tokens > fastest_written * seconds)) {
        reading.ttft_s = seconds;
        sentence.assume("ttft_s", fmt::format("{:g}", seconds),
                        writes ? "so soon an answer begins: the time is that of its first token"
                               : "an answer that is there at once");
        return;
    }
    reading.answer_s = seconds;
    sentence.assume("answer_s", fmt::format("{:g}", seconds),
                    fmt::format("of a whole answer of {} tokens", tokens));
}

/// "embed 100M docs, l4 vs h100": sides make so many tokens of the kind that their rate counts, in
/// batches that nobody waits for.
void settle_work_of_sides(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const auto architecture = sentence.named_architecture();
    const bool reads =
        architecture && architecture->kind == ModelKind::encoder && !architecture->reads_images();
    const bool writes = !architecture || architecture->kind == ModelKind::decoder;
    const double each = reads    ? reading.input_tokens.value_or(reading.sequence.value_or(0))
                        : writes ? reading.output_tokens.value_or(0)
                                 : 0;
    if (reading.intent != Intent::compare || reading.task != Task::inference || !reading.samples ||
        reading.tokens || reading.counts_samples || each <= 0 || reading.requests_per_s) {
        return;
    }
    reading.tokens = *reading.samples * each;
    sentence.assume("tokens", format_count(*reading.tokens),
                    fmt::format("{} texts of {:g} tokens{}", format_count(*reading.samples), each,
                                reads ? "" : " that are written"));
    if (!reading.concurrency && !reading.batch && !reads) {
        reading.concurrency = usual_batch_of_requests;
        sentence.assume("concurrency", std::to_string(usual_batch_of_requests),
                        "requests at once of a job that nobody waits for");
    }
}

}  // namespace

namespace {

/// "clip embed 400M images": of two towers, of pictures and of texts, that of pictures alone works,
/// where texts are not spoken of.
void take_pictures_alone(Sentence& sentence, const std::optional<Architecture>& model) {
    Reading& reading = sentence.reading;
    const bool towers = model && model->reads_images() && model->stacks.size() > 1;
    if (!towers || reading.task != Task::inference || reading.input_tokens || reading.sequence ||
        !sentence.any_word("image images picture pictures photo photos img imgs frames bilder "
                           "imagenes fotos") ||
        sentence.any_word("text texts caption captions pairs prompt prompts query queries "
                          "documents")) {
        return;
    }
    reading.input_tokens = 1;
    sentence.assume("input_tokens", "1",
                    "pictures alone are spoken of: the tower of texts is counted with one token");
}

}  // namespace

// The context of training data is its length; of a prompt that a rate is asked for, its input.
void settle_serving(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (reading.task == Task::train && reading.memory_fraction && reading.algorithm.empty()) {
        sentence.assume("left_to_the_answer",
                        fmt::format("memory share {:g}", *reading.memory_fraction),
                        "it is that of an engine that serves, and this trains without one");
        reading.memory_fraction.reset();
    }
    settle_long_texts(sentence);
    settle_written(sentence);
    settle_shared_prompt(sentence);
    const auto model = sentence.named_architecture();
    take_pictures_alone(sentence, model);
    const bool pictures = model && (model->kind == ModelKind::image || model->reads_images());
    if (reading.task == Task::inference && reading.samples && !reading.tokens && !pictures &&
        !reading.counts_samples && reading.intent == Intent::duration) {
        const int told = usual_length(sentence);
        const int each =
            reading.input_tokens.value_or(reading.sequence.value_or(told > 0 ? told : 1024));
        reading.input_tokens = each;
        reading.sequence.reset();
        reading.tokens = *reading.samples * each;
        sentence.assume("tokens", format_count(*reading.tokens),
                        fmt::format("{} texts of {} tokens", format_count(*reading.samples), each));
    }
    settle_work_of_sides(sentence);
    settle_answer_time(sentence);
    // "2 replicas of tp4 or one tp8": copies stand idle beside a single request.
    reading.in_batches = reading.in_batches || (reading.alternatives_of == "tensor" &&
                                                sentence.any_word("replicas replica copies"));
    // "aggregate tok/s", "throughput" of a server: of many at once, whatever of it is compared.
    const bool servers = !sentence.mentions.empty() &&
                         std::ranges::all_of(sentence.mentions, [](const Mention& each) {
                             return !each.parts.empty() && !is_home(*each.parts.front()) &&
                                    !stands_at_a_desk(*each.parts.front());
                         });
    const bool ways = reading.alternatives.size() > 1 &&
                      is_any(reading.alternatives_of, "tensor quantization framework kv_cache");
    if (ways && servers && (reading.full_load || sentence.any_word("throughput")) &&
        reading.intent == Intent::compare && reading.task == Task::inference &&
        !reading.concurrency && !reading.requests_per_s && !reading.counts_samples &&
        !reading.in_batches && !reading.batch) {
        const int most = sentence.mentions.front().count.value_or(1);
        reading.concurrency = usual_batch_of_requests * std::max(1, reading.count.value_or(most));
        sentence.assume("concurrency", std::to_string(*reading.concurrency),
                        "throughput is that of many at once; of one: \"1 user\"");
    }
    // Engines that serve have kernels of their own.
    if (reading.task == Task::inference && !reading.attention.empty()) {
        reading.attention.clear();
        reading.not_understood.emplace_back("flash attention");
    }
    // A job of so many texts is served many at once by itself.
    const bool heard = sentence.any_word("batch batched") &&
                       sentence.any_word("transcription transcribe transcribing") &&
                       reading.intent != Intent::compare;
    const bool bulk = (sentence.has(Means::bulk) || heard) && reading.task == Task::inference &&
                      !reading.samples && !reading.tokens && !reading.audio_s;
    if (bulk && !reading.concurrency && !reading.batch && !reading.requests_per_s) {
        reading.concurrency = usual_batch_of_requests;
        sentence.assume("concurrency", std::to_string(usual_batch_of_requests),
                        "a batch that nobody waits for is served many at once");
    }
    if (sentence.read_for_each > 0 && reading.task != Task::train) {
        const std::string each =
            fmt::format("{:g} texts are read for each query", sentence.read_for_each);
        // A text of so many tokens is read.
        reading.input_tokens = reading.input_tokens    ? reading.input_tokens
                               : reading.output_tokens ? reading.output_tokens
                                                       : std::exchange(reading.sequence, {});
        reading.output_tokens.reset();
        if (!reading.input_tokens) {
            constexpr int usual_passage = 512;  // what such models were trained to read at most
            reading.input_tokens = usual_passage;
            sentence.assume("input_tokens", std::to_string(usual_passage),
                            "a passage and its query, as no length was said");
        }
        if (reading.requests_per_s) {
            *reading.requests_per_s *= sentence.read_for_each;
            sentence.assume("requests_per_s", fmt::format("{:g}", *reading.requests_per_s), each);
        }
        if (!reading.requests_per_s || reading.ttft_s) {  // a query waits for the last of them
            reading.concurrency = static_cast<int>(sentence.read_for_each);
            sentence.assume("concurrency", std::to_string(*reading.concurrency),
                            each + ", all at once");
        }
    }
    serve_batch_at_once(reading);
}

}  // namespace ridgeline::reading
