#include "ask/ask.h"
#include "ask/option_table.h"
#include "shipped_world.h"
#include "spec/workload_fields.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

// Nothing that a user states is dropped in silence: each option of each kind of work changes the
// answer, is refused, or is told of.

using namespace ridgeline;
using namespace ridgeline::ask;
using nlohmann::json;

namespace {

using Options = std::map<std::string, std::vector<std::string>, std::less<>>;

struct Work {
    const char* name;
    Options options;
};

Options with(Options options, const std::string& name, const std::string& value) {
    options[name] = {value};
    return options;
}

const std::vector<Work>& works() {
    static const std::vector<Work> list = {
        {"language model",
         {{"model", {"llama-3.1-8b"}}, {"task", {"train"}}, {"on", {"h100-sxm5-80gb:8x2"}}}},
        {"experts",
         {{"model", {"mixtral-8x7b"}}, {"task", {"train"}}, {"on", {"h100-sxm5-80gb:8x4"}}}},
        {"adapters", {{"model", {"llama-3.1-8b"}}, {"method", {"lora"}}, {"on", {"l40s:2"}}}},
        {"quantised adapters",
         {{"model", {"llama-3.1-8b"}}, {"method", {"qlora"}}, {"on", {"rtx-4090"}}}},
        {"server",
         {{"model", {"llama-3.1-8b"}},
          {"task", {"inference"}},
          {"on", {"h100-sxm5-80gb:2"}},
          {"concurrency", {"8"}}}},
        {"llama.cpp",
         {{"model", {"llama-3.1-8b"}},
          {"task", {"inference"}},
          {"framework", {"llama.cpp"}},
          {"on", {"rtx-4090"}}}},
        {"encoder", {{"model", {"bert-base"}}, {"task", {"train"}}, {"on", {"l40s:2"}}}},
        {"network of pictures",
         {{"model", {"resnet-50"}}, {"task", {"train"}}, {"on", {"a100-sxm4-80gb:8"}}}},
        {"pictures classified",
         {{"model", {"resnet-50"}}, {"task", {"inference"}}, {"on", {"l40s"}}}},
        {"segmentation",
         {{"model", {"unet3d-kits19"}}, {"task", {"train"}}, {"on", {"a100-sxm4-80gb:8"}}}},
        {"detector",
         {{"model", {"retinanet-r50-fpn"}}, {"task", {"train"}}, {"on", {"a100-sxm4-80gb:8"}}}},
        {"recurrent",
         {{"model", {"gnmt-4layer"}}, {"task", {"train"}}, {"on", {"a100-sxm4-80gb:8"}}}},
        {"adversarial",
         {{"model", {"stylegan2-f-1024"}}, {"task", {"train"}}, {"on", {"a100-sxm4-80gb:8"}}}},
        {"pictures made", {{"model", {"sdxl-unet"}}, {"task", {"inference"}}, {"on", {"l40s"}}}},
        {"denoiser trained",
         {{"model", {"sdxl-unet"}}, {"task", {"train"}}, {"on", {"h100-sxm5-80gb:8"}}}},
        {"denoiser's adapters",
         {{"model", {"flux.1-dev-transformer"}}, {"method", {"lora"}}, {"on", {"h100-sxm5-80gb"}}}},
        {"preferences",
         {{"model", {"llama-3.1-8b"}}, {"algorithm", {"dpo"}}, {"on", {"h100-sxm5-80gb:8"}}}},
        {"rewards",
         {{"model", {"qwen2.5-7b"}}, {"algorithm", {"grpo"}}, {"on", {"h100-sxm5-80gb:8"}}}},
        {"recommender",
         {{"model", {"dlrm-criteo-1tb"}}, {"task", {"train"}}, {"on", {"a100-sxm4-80gb:8"}}}},
        {"speech", {{"model", {"whisper-large-v3"}}, {"task", {"inference"}}, {"on", {"l40s"}}}},
        {"product", {{"kernel", {"gemm"}}, {"size", {"4096"}}, {"on", {"h100-sxm5-80gb"}}}},
        {"stream", {{"kernel", {"triad"}}, {"elements", {"100M"}}, {"on", {"h100-sxm5-80gb"}}}},
    };
    return list;
}

struct Answer {
    int exit_code = 0;
    std::string figures;  ///< of an answer, less the echo of what was stated
    std::string told;
};

Answer answer(const Options& options) {
    Request request;
    request.command = "estimate";
    request.options = options;
    request.options["json"] = {"true"};
    const auto reply = ask::ask(shipped_world(), request);
    if (!reply) {
        return {exit_code_of(reply.error()), "", reply.error().text()};
    }
    json body = json::parse(reply->body);
    body.erase("workload");
    body.erase("defaults");
    body.erase("kernel");
    return {reply->exit_code, body.dump(), reply->messages};
}

std::vector<std::string> values_of(const OptionRow& row, const WorkloadField* field) {
    static const std::map<std::string_view, std::vector<std::string>> texts = {
        {"framework", {"vllm", "plain", "megatron", "deepspeed"}},
        {"targets", {"q_proj", "to_q", "query"}},
        {"storage", {"nvme-gen4", "sata-ssd"}},
        {"network", {"ib-ndr", "eth-100", "roce-400"}},
        {"size", {"512", "1024x1024x1024"}},
        {"memory-fraction", {"0.5"}},
        {"ttft", {"1"}},
        {"tpot", {"0.01"}},
    };
    if (const auto found = texts.find(row.name); found != texts.end()) {
        return found->second;
    }
    if (row.type == OptionType::boolean) {
        return {"true", "false"};
    }
    if (const std::vector<std::string> words = row.words(); !words.empty()) {
        return words;
    }
    std::vector<std::string> values;
    for (const double value :
         {0.25, 0.7, 0., 1., 2., 3., 4., 8., 16., 64., 512., 8192., 1e6, 1e9}) {
        const bool whole = field->type == FieldType::whole;
        if (value >= field->least && value <= field->most && (!whole || value >= 1 || value == 0)) {
            values.push_back(json(value).dump());
        }
    }
    return values;
}

/// Why nobody would notice that the option was stated; empty: it shows.
std::string silence(const Work& work, const Answer& usual, const OptionRow& row) {
    const WorkloadField* field = field_of_option(row.name);
    std::string quiet;
    int count = 0;
    for (const std::string& value : values_of(row, field)) {
        const Answer stated = answer(with(work.options, std::string(row.name), value));
        if (stated.figures.empty()) {
            continue;
        }
        if (stated.exit_code != usual.exit_code || stated.figures != usual.figures ||
            stated.told != usual.told) {
            return "";
        }
        quiet += " " + value;
        ++count;
    }
    return count > 1 ? quiet : "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(statements)

BOOST_AUTO_TEST_CASE(every_option_shows_or_is_refused) {
    for (const Work& work : works()) {
        const Answer usual = answer(work.options);
        BOOST_TEST(!usual.figures.empty(), work.name << ": " << usual.told);
        if (usual.figures.empty()) {
            continue;
        }
        for (const OptionRow& row : options_of(Command::estimate)) {
            const bool states = !row.path.empty() || row.name == "memory-fraction" ||
                                row.name == "ttft" || row.name == "tpot";
            if (!states || work.options.contains(row.name) || row.name == "model" ||
                row.name == "task") {
                continue;
            }
            const std::string quiet = silence(work, usual, row);
            BOOST_TEST(quiet.empty(), work.name << ": --" << row.name << quiet);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
