// Readers of people's files never crash: cut short, bytes changed, values replaced.
#include "data/load.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <string>

using namespace ridgeline;

namespace {

const std::string workload = R"({"schema": "ridgeline/workload/1", "name": "w", "model": {
  "model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48, "head_dim": 128,
  "num_attention_heads": 32, "num_key_value_heads": 4, "intermediate_size": 6144,
  "vocab_size": 151936, "num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768,
  "layer_types": ["full_attention"], "sliding_window": 128, "use_sliding_window": true},
  "task": "train", "method": "lora", "software": {"framework": "x"},
  "precision": {"weights": "bf16"}, "optimizer": {"name": "adamw"},
  "lora": {"rank": 16, "targets": ["q_proj"], "dropout": 0.1}, "batch": {"micro": 1},
  "parallel": {"data": 2, "sharding": "fsdp"}, "recompute": {"full_layers": 3},
  "offload": {"optimizer": "cpu"}, "duration": {"tokens": 5}})";

const std::string vision = R"({"model_type": "gemma3", "text_config": {"hidden_size": 2560,
  "intermediate_size": 10240, "num_hidden_layers": 34, "sliding_window": 1024},
  "vision_config": {"hidden_size": 1152, "image_size": 896, "patch_size": 14,
  "projector": [[1152, 2560]], "extra_norms": 1}})";

/// The call's outcome does not matter; that it returns does.
void swallow(const std::string& text) {
    static_cast<void>(workload_from_json(text, "fuzz"));
    static_cast<void>(architecture_from_config(text, "fuzz"));
}

nlohmann::json strange_value(int kind) {
    switch (kind) {
        case 0:
            return nullptr;
        case 1:
            return -1;
        case 2:
            return 0;
        case 3:
            return 1e308;
        case 4:
            return 18446744073709551615ULL;
        case 5:
            return "text";
        case 6:
            return nlohmann::json::array({1, "a", nullptr});
        case 7:
            return nlohmann::json::object({{"a", 1}});
        case 8:
            return true;
        case 9:
            return 0.5;
        case 10:
            return 2147483648LL;
        default:
            return nlohmann::json::array();
    }
}

/// Replaces the value at the n-th place of a document, in the order of a walk.
void replace_at(nlohmann::json& value, int& n, const nlohmann::json& with) {
    if (n-- == 0) {
        value = with;
        return;
    }
    if (value.is_structured()) {
        for (auto& child : value) {
            if (n >= 0) {
                replace_at(child, n, with);
            }
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(hostile_json)

BOOST_AUTO_TEST_CASE(every_truncation) {
    for (const std::string& text : {workload, vision}) {
        for (std::size_t length = 0; length <= text.size(); ++length) {
            swallow(text.substr(0, length));
        }
    }
}

BOOST_AUTO_TEST_CASE(every_place_with_every_strange_value) {
    for (const std::string& text : {workload, vision}) {
        for (int place = 0; place < 80; ++place) {
            for (int kind = 0; kind < 12; ++kind) {
                nlohmann::json document = nlohmann::json::parse(text);
                int n = place;
                replace_at(document, n, strange_value(kind));
                swallow(document.dump());
            }
        }
    }
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_CASE(changed_bytes) {
    const bool held = rc::check("any byte changed", [] {
        std::string text = *rc::gen::elementOf(std::vector<std::string>{workload, vision});
        const int changes = *rc::gen::inRange(1, 6);
        for (int i = 0; i < changes; ++i) {
            const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
            text[at] = *rc::gen::arbitrary<char>();
        }
        swallow(text);
    });
    BOOST_TEST(held);
}

BOOST_AUTO_TEST_CASE(deep_nesting) {
    swallow(std::string(200000, '['));
    std::string deep;
    for (int i = 0; i < 100000; ++i) {
        deep += "{\"model\":";
    }
    swallow(deep);
    BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
