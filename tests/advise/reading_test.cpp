#include "advise/reading/reading.h"

#include "advise/reading/words/lexicon.h"
#include "data/model_aliases.h"
#include "samples.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fnmatch.h>
#include <fstream>
#include <map>

// Questions as people type them, with what must be read from them: tests/advise/questions.
// `*` stands for the rest of an id; numbers may differ by half a percent.

using namespace ridgeline;

namespace {

bool matches(const std::string& pattern, const std::string& text) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

std::map<std::string, std::string> words_of(const Reading& reading) {
    std::map<std::string, std::string> words{
        {"replaced", reading.replaced},   {"intent", std::string(name_of(reading.intent))},
        {"method", reading.method},       {"model", reading.model},
        {"framework", reading.framework}, {"quantization", reading.quantization},
        {"compute", reading.compute},     {"optimizer", reading.optimizer},
        {"sharding", reading.sharding},   {"price_kind", reading.price_kind},
        {"profile", reading.profile},     {"algorithm", reading.algorithm}};
    if (reading.task) {
        words["task"] = *reading.task == Task::inference ? "inference" : "training";
    }
    if (reading.kernel) {
        words["kernel"] = reading.kernel->operation;
        words["dtype"] = std::string(name_of(*reading.kernel_type));
    }
    if (reading.objective) {
        words["objective"] = std::string(name_of(*reading.objective));
    }
    return words;
}

std::map<std::string, double> numbers_of(const Reading& reading) {
    std::map<std::string, double> numbers;
    const auto put = [&numbers](const char* key, const auto& value) {
        if (value) {
            numbers[key] = static_cast<double>(*value);
        }
    };
    put("count", reading.count);
    put("min_count", reading.min_count);
    put("max_count", reading.max_count);
    put("nodes", reading.nodes);
    put("copies", reading.copies);
    put("memory_gib", reading.memory_gib);
    put("sequence", reading.sequence);
    put("input_tokens", reading.input_tokens);
    put("output_tokens", reading.output_tokens);
    put("batch", reading.batch);
    put("micro_batch", reading.micro_batch);
    put("rank", reading.rank);
    put("tensor", reading.tensor);
    put("pipeline", reading.pipeline);
    put("power_cap_w", reading.power_cap_w);
    put("expert", reading.expert_parallel);
    put("weight_bits", reading.weight_bits);
    put("image_size", reading.image_size);
    put("frames", reading.frames);
    put("group", reading.group);
    put("concurrency", reading.concurrency);
    put("requests_per_s", reading.requests_per_s);
    put("ttft_s", reading.ttft_s);
    put("tpot_s", reading.tpot_s);
    put("answer_s", reading.answer_s);
    put("seen_tokens_per_s", reading.seen_tokens_per_s);
    put("seen_per_s", reading.seen_per_s);
    put("seen_step_s", reading.seen_step_s);
    put("seen_ttft_s", reading.seen_ttft_s);
    put("seen_time_s", reading.seen_time_s);
    put("checkpoints", reading.checkpoints);
    put("tokens", reading.tokens);
    put("samples", reading.samples);
    put("epochs", reading.epochs);
    put("budget_usd", reading.budget_usd);
    put("usd_per_hour", reading.usd_per_hour);
    put("deadline_s", reading.deadline_s);
    put("months", reading.months);
    if (reading.kernel) {
        numbers["elements"] = reading.kernel->elements;
        numbers["side"] = reading.kernel->size.empty() ? 0 : reading.kernel->size.front();
        numbers["dimensions"] = static_cast<double>(reading.kernel->size.size());
        numbers["nonzeros"] = reading.kernel->nonzeros;
    }
    put("hours_per_day", reading.hours_per_day);
    put("usd_per_month", reading.usd_per_month);
    put("usd_per_kwh", reading.usd_per_kwh);
    put("grid_gco2_per_kwh", reading.grid_gco2_per_kwh);
    put("rack_kw", reading.rack_kw);
    put("racks", reading.racks);
    put("audio_s", reading.audio_s);
    put("steps", reading.steps);
    if (!reading.sides.empty()) {
        numbers["side_count"] = static_cast<double>(reading.sides.size());
    }
    return numbers;
}

std::map<std::string, std::vector<std::string>> lists_of(const Reading& reading) {
    std::vector<std::string> beside;
    for (const WorkBeside& work : reading.beside) {
        beside.push_back(work.model);
    }
    return {{"beside", beside},
            {"alternatives", reading.alternatives},
            {"accelerators", reading.accelerators},
            {"lora_targets", reading.lora_targets},
            {"vendors", reading.vendors},
            {"vendors_excluded", reading.vendors_excluded},
            {"providers", reading.providers},
            {"providers_excluded", reading.providers_excluded},
            {"accelerators_excluded", reading.accelerators_excluded},
            {"instances_excluded", reading.instances_excluded},
            {"require", reading.require},
            {"attributes", reading.attributes}};
}

bool sides_match(const Reading& reading, const nlohmann::json& wanted) {
    if (reading.sides.size() != wanted.size()) {
        return false;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& side = reading.sides[i];
        const bool count = side.count.value_or(0) == wanted[i].value("count", 0);
        if (side.accelerator != wanted[i].at("accelerator").get<std::string>() || !count) {
            return false;
        }
    }
    return true;
}

bool field_matches(const Reading& reading, const std::string& field, const nlohmann::json& wanted) {
    if (field == "parts") {
        const auto pattern = wanted.get<std::string>();
        if (pattern.empty()) {
            return reading.accelerators.empty();
        }
        return !reading.accelerators.empty() &&
               std::all_of(reading.accelerators.begin(), reading.accelerators.end(),
                           [&](const std::string& id) { return matches(pattern, id); });
    }
    if (field == "sides") {
        return sides_match(reading, wanted);
    }
    if (field == "understood") {
        return reading.not_understood.empty() == wanted.get<bool>();
    }
    if (field == "recompute") {
        return reading.recompute == wanted.get<bool>();
    }
    if (field == "owned") {
        return reading.owned == wanted.get<bool>();
    }
    if (wanted.is_null()) {  // nobody said it
        const auto words = words_of(reading);
        const auto word = words.find(field);
        return numbers_of(reading).count(field) == 0 &&
               (word == words.end() || word->second.empty());
    }
    if (wanted.is_array()) {
        const auto got = lists_of(reading).at(field);
        return std::all_of(wanted.begin(), wanted.end(), [&](const nlohmann::json& word) {
            return std::find(got.begin(), got.end(), word.get<std::string>()) != got.end();
        });
    }
    if (wanted.is_number()) {
        const auto numbers = numbers_of(reading);
        const auto got = numbers.find(field);
        const double value = wanted.get<double>();
        return got != numbers.end() && std::abs(got->second - value) <= 0.005 * value;
    }
    const auto words = words_of(reading);
    const auto got = words.find(field);
    return got != words.end() && matches(wanted.get<std::string>(), got->second);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reading)

/// Reads every question of a file and compares what is expected of it; how many there are.
int check_questions(const std::string& name) {
    const std::string& root = released::root;
    const auto aliases = model_aliases(root + "/profiles");
    Vocabulary vocabulary{released::catalog(), released::profiles(), &aliases};
    vocabulary.names = names_of(vocabulary);
    vocabulary.architecture = [&](const std::string& id) {
        const auto model = load_model(root + "/profiles", id);
        return model ? std::optional(*model) : std::nullopt;
    };
    std::ifstream file(root + "/tests/advise/questions/" + name);
    int questions = 0;
    for (std::string line; std::getline(file, line);) {
        const auto row = nlohmann::json::parse(line);
        const auto text = row.at("q").get<std::string>();
        const auto read = read_question(text, vocabulary);
        ++questions;
        if (row.value("refused", false)) {
            BOOST_TEST(!read.has_value(), text);
            continue;
        }
        BOOST_TEST(read.has_value(), text << (read ? "" : ": " + read.error().text()));
        if (!read) {
            continue;
        }
        for (const auto& [field, wanted] : row.at("reading").items()) {
            BOOST_TEST(field_matches(*read, field, wanted), text << ": " << field << " " << wanted);
        }
    }
    return questions;
}

BOOST_AUTO_TEST_CASE(questions_of_forums_are_read_as_they_are_meant) {
    BOOST_TEST(check_questions("forum.jsonl") >= 500);
}

BOOST_AUTO_TEST_CASE(colloquial_questions_are_read_as_they_are_meant) {
    BOOST_TEST(check_questions("colloquial.jsonl") >= 120);
}

BOOST_AUTO_TEST_CASE(plain_questions_are_read_as_they_are_meant) {
    BOOST_TEST(check_questions("plain.jsonl") >= 300);
}

BOOST_AUTO_TEST_CASE(mixed_questions_are_read_as_they_are_meant) {
    BOOST_TEST(check_questions("mixed.jsonl") >= 1550);
}

// Code that asks for a name of no list does not compile; that every name is said by some phrase's
// row is held here.
BOOST_AUTO_TEST_CASE(phrases_mean_what_stands_in_the_lists) {
    std::size_t rows = 0;
    for (const auto& phrases :
         {ridgeline::reading::work_phrases(), ridgeline::reading::hardware_phrases(),
          ridgeline::reading::asking_phrases()}) {
        for (const ridgeline::reading::Meaning& meaning : phrases) {
            const auto stands_in = [&](const auto& names) {
                return std::find(names.begin(), names.end(), meaning.value) != names.end();
            };
            const bool listed =
                (meaning.means != ridgeline::reading::Means::ask ||
                 stands_in(ridgeline::reading::signal_names)) &&
                (meaning.means != ridgeline::reading::Means::attribute || stands_in(figure_names));
            BOOST_TEST(listed, meaning.value);
            ++rows;
        }
    }
    BOOST_TEST(rows > 100U);
}

BOOST_AUTO_TEST_CASE(a_refusal_says_what_was_understood_and_gives_an_example) {
    const Catalog catalog = samples::catalog();
    const Profiles profiles = samples::profiles();
    const auto aliases = model_aliases(std::string(RIDGELINE_SOURCE_DIR) + "/profiles");
    for (const char* text : {"blue cheese", "train my cat", "\x01\x02\x03", "", "; rm -rf /"}) {
        const auto read = read_question(text, {catalog, profiles, &aliases});
        BOOST_REQUIRE(!read);
        BOOST_TEST(read.error().hint.find("Example") != std::string::npos, text);
        BOOST_TEST(read.error().text().find('\n') == std::string::npos, text);
    }
}

BOOST_AUTO_TEST_CASE(what_no_profile_describes_stands_for_no_other_model_silently) {
    const auto aliases = model_aliases(released::root + "/profiles");
    const auto read = [&](const char* text) {
        auto reading = read_question(text, {released::catalog(), released::profiles(), &aliases});
        BOOST_TEST_REQUIRE(reading.has_value(), text);
        return *reading;
    };
    const Reading half = read("vram for llava 1.5 13b");
    BOOST_TEST(half.model == "llava-1.5-13b");
    BOOST_TEST(half.stands_for == "llama-2-13b");
    BOOST_TEST(half.assumed.front().why.find("text half") != std::string::npos);
    for (const char* text :
         {"can I train rwkv-7b on an a100", "train graphcast on an a100", "vram for kimi linear",
          "train openfold on 8 a100", "kandinsky 2.2 on a t4", "fine-tune florence-2-large on a t4",
          "bitnet b1.58 on an rtx 4090", "fine-tune bitnet on a t4"}) {
        const Reading refused = read(text);
        BOOST_TEST(!refused.model_known, text);
        BOOST_TEST(!refused.unknown_names.empty(), text);
        BOOST_TEST(!refused.neighbour.empty(), text);
    }
    BOOST_TEST(read("fine-tune deberta-v3-base on a t4").model == "deberta-v3-base");
    BOOST_TEST(read("fine-tune xlm-roberta-large on a 3090").model == "xlm-roberta-large");
    BOOST_TEST(read("train DETR resnet50 on coco with 4 v100").stands_for == "detr-resnet-50");
}

/// Names that another model stands for must lead to a file, and none may hide a model of its own.
BOOST_AUTO_TEST_CASE(stand_ins_name_models_that_are_there) {
    const Profiles& profiles = released::profiles();
    const auto& ids = profiles.model_ids;
    for (const ModelStandIn& entry : profiles.stand_ins) {
        BOOST_TEST(!entry.why.empty());
        BOOST_TEST(
            (entry.model.empty() || std::find(ids.begin(), ids.end(), entry.model) != ids.end()),
            entry.model);
        for (const std::string& name : entry.names) {
            BOOST_TEST((std::find(ids.begin(), ids.end(), name) == ids.end()), name);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_name_that_is_not_known_is_kept) {
    const Catalog catalog = samples::catalog();
    const Profiles profiles = samples::profiles();
    const auto aliases = model_aliases(std::string(RIDGELINE_SOURCE_DIR) + "/profiles");
    const auto part = read_question("can an rtx 3099 run a 7b", {catalog, profiles, &aliases});
    BOOST_REQUIRE(part);
    BOOST_TEST((part->unknown_parts == std::vector<std::string>{"rtx-3099"}));
    BOOST_TEST(!part->neighbour.empty());
    const auto provider = read_question("h100 price on hetzner", {catalog, profiles, &aliases});
    BOOST_REQUIRE(provider);
    BOOST_TEST((provider->unknown_names == std::vector<std::string>{"hetzner"}));
}

BOOST_AUTO_TEST_SUITE_END()
