#include "advise/reading/reading.h"
#include "samples.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

const Catalog& the_catalog() {
    static const Catalog catalog = samples::catalog();
    return catalog;
}
const Profiles& the_profiles() {
    static const Profiles profiles = samples::profiles();
    return profiles;
}
Result<Reading> read(std::string_view text) {
    static const Vocabulary plain{the_catalog(), the_profiles()};
    static const Vocabulary vocabulary{plain.catalog, plain.profiles, nullptr, names_of(plain)};
    return read_question(text, vocabulary);
}
Query query_of(std::string_view text) {
    const auto reading = read(text);
    BOOST_REQUIRE_MESSAGE(reading, text << ": " << (reading ? "" : reading.error().text()));
    Reading read = *reading;
    return query_of(read);
}
bool asks_for(const Query& query, std::vector<std::string> ids) {
    return query.accelerators == ids;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(question)

BOOST_AUTO_TEST_CASE(a_size_and_fine_tune_leave_the_method_open) {
    auto reading = read("what GPU for a 70B fine-tune");
    BOOST_REQUIRE(reading);
    BOOST_TEST(reading->model == "70b");
    BOOST_TEST(reading->method.empty());
    BOOST_TEST(reading->not_understood.empty());
    const Query query = query_of(*reading);
    BOOST_TEST(query.method_open);
    BOOST_TEST((query.workload.method == Method::lora));
    BOOST_TEST(reading->assumed.size() == 1u);
    BOOST_TEST(flags_of(*reading, query) == "--model 70b --method lora --objective cost");
}

BOOST_AUTO_TEST_CASE(methods_are_read) {
    const struct {
        const char* text;
        Method method;
    } rows[] = {
        {"qlora llama-3.1-8b", Method::qlora},  {"lora 70b", Method::lora},
        {"full fine-tune of 7B", Method::full}, {"full finetuning 7B", Method::full},
        {"pretrain 7B", Method::full},          {"train a 7B model from scratch", Method::full},
        {"4-bit fine-tune 70B", Method::qlora}, {"fine tune 7b with lora", Method::lora},
    };
    for (const auto& row : rows) {
        const Query query = query_of(row.text);
        BOOST_TEST((query.workload.task == Task::train), row.text);
        BOOST_TEST((query.workload.method == row.method), row.text);
        BOOST_TEST(!query.method_open, row.text);
    }
}

BOOST_AUTO_TEST_CASE(models_are_found_however_their_name_is_joined) {
    const struct {
        const char* text;
        const char* model;
    } rows[] = {
        {"lora llama-3.1-8b", "llama-3.1-8b"},
        {"lora Llama 3.1 8B", "llama-3.1-8b"},
        {"lora meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"},
        {"serve mixtral 8x7B", "mixtral-8x7b"},
        {"serve 8x7b", "mixtral-8x7b"},
        {"serve llama3 70b", "llama-3-70b"},
        {"serve llama 70b", "llama-3.3-70b"},
        {"lora 1.5B", "1.5b"},
        {"fine-tune a 70 billion parameter model", "70b"},
        {"run qwen2.5-72b-instruct", "qwen2.5-72b"},
    };
    for (const auto& row : rows) {
        BOOST_TEST(query_of(row.text).model_text == row.model, row.text);
    }
}

BOOST_AUTO_TEST_CASE(serving_is_read_with_its_load) {
    const Query users = query_of("serve llama-3.3-70b to 64 users with 8k context");
    BOOST_TEST((users.workload.task == Task::inference));
    BOOST_TEST(users.workload.serving->concurrency == 64);
    BOOST_TEST(*users.workload.sequence_length == 8192);
    BOOST_TEST(query_of("run llama-3.1-8b").workload.serving->concurrency == 1);
    BOOST_TEST(query_of("serve llama-3.1-8b").workload.serving->concurrency == 1);
    const Query rate = query_of("serve 70b at 10 requests per second ttft 500 ms tpot 50ms");
    BOOST_TEST(*rate.requests_per_s == 10);
    BOOST_TEST(*rate.ttft_s == 0.5, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(*rate.tpot_s == 0.05, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(hardware_is_read_with_its_count) {
    const Query one = query_of("qlora llama-3.1-8b on one 24GB card");
    BOOST_TEST(*one.exact_accelerators == 1);
    BOOST_TEST(*one.memory_per_accelerator_gib == 24);
    BOOST_TEST(one.accelerators.empty());

    const Query eight = query_of("lora 70b on 8 h100");
    BOOST_TEST(*eight.exact_accelerators == 8);
    BOOST_TEST(asks_for(eight, {"h100-pcie-80gb", "h100-sxm5-80gb"}));

    BOOST_TEST(asks_for(query_of("lora 70b on 8xH100 sxm"), {"h100-sxm5-80gb"}));
    BOOST_TEST(asks_for(query_of("lora 70b on a100 80gb"), {"a100-sxm4-80gb"}));
    BOOST_TEST(asks_for(query_of("lora 70b on a100 40 GB"), {"a100-sxm4-40gb"}));
    BOOST_TEST(asks_for(query_of("lora 7b on an rtx 4090"), {"rtx-4090"}));
    BOOST_TEST(asks_for(query_of("lora 7b on a 4090"), {"rtx-4090"}));
    BOOST_TEST(*query_of("lora 7b on two 4090s").exact_accelerators == 2);
    BOOST_TEST(*query_of("lora 70b on h100x4").exact_accelerators == 4);
    BOOST_TEST(*query_of("lora 70b on mi300x:2").exact_accelerators == 2);
    BOOST_TEST(*query_of("lora 70b on a single gpu").exact_accelerators == 1);
    BOOST_TEST(*query_of("lora 70b on up to 16 gpus").max_accelerators == 16);
    BOOST_TEST(*query_of("lora 70b on 2x24GB").memory_per_accelerator_gib == 24);
}

BOOST_AUTO_TEST_CASE(owned_hardware_is_owned) {
    const Query two = query_of("I have 2x 3090, can I fine-tune 7B");
    BOOST_TEST(two.owned);
    BOOST_TEST(*two.exact_accelerators == 2);
    BOOST_TEST(asks_for(two, {"rtx-3090"}));
    const Query one = query_of("lora 7b on my 4090");
    BOOST_TEST(one.owned);
    BOOST_TEST(*one.exact_accelerators == 1);
    BOOST_TEST(*query_of("lora 7b on my 4090s").exact_accelerators == 2);  // said as assumed
    BOOST_TEST(*query_of("lora 7b on my 2x 4090").exact_accelerators == 2);
    BOOST_TEST(!query_of("lora 7b on a 4090").owned);
    BOOST_TEST(!query_of("fine-tune my 7B model").owned);
}

BOOST_AUTO_TEST_CASE(money_time_and_length_are_read) {
    const Query run = query_of("cheapest way to pretrain 7B on 1T tokens in 30 days for $50,000");
    BOOST_TEST(run.model_text == "7b");
    BOOST_TEST(*run.workload.duration_tokens == 1e12);
    BOOST_TEST(*run.deadline_s == 30 * 86400.0);
    BOOST_TEST(*run.budget_usd == 50000);
    BOOST_TEST(!run.buy);
    BOOST_TEST((run.objective == Objective::cost));
    BOOST_TEST(*query_of("lora 7b on 100M tokens within 12 hours").deadline_s == 12 * 3600.0);
    BOOST_TEST(*query_of("lora 7b on 100M tokens under 2k dollars").budget_usd == 2000);
    BOOST_TEST(*query_of("lora 7b on 100M tokens budget 500").budget_usd == 500);
    BOOST_TEST(*query_of("$2,000 budget for lora 7b on 100M tokens").budget_usd == 2000);
    BOOST_TEST(query_of("lora 7b under $2k").buy);
    BOOST_TEST(*query_of("lora 7b overnight").deadline_s == 12 * 3600.0);
    BOOST_TEST(*query_of("lora 7b in a week").deadline_s == 7 * 86400.0);
    BOOST_TEST(!query_of("lora 7b, 10 runs a month").deadline_s.has_value());
}

BOOST_AUTO_TEST_CASE(a_price_an_hour_is_no_sum) {
    const Query month = query_of("serve llama-3.1-8b for $1460 a month");
    BOOST_TEST(*month.budget_usd_per_hour == 1460 / 730.0);
    BOOST_TEST(!month.budget_usd.has_value());
    BOOST_TEST(!month.deadline_s.has_value());
    BOOST_TEST(*query_of("serve llama-3.1-8b under $48 daily").budget_usd_per_hour == 2);
    BOOST_TEST(*query_of("lora llama-3.1-8b on 1B tokens for $50 in a week").budget_usd == 50);
    for (const char* words :
         {"for $4 per hour", "for $4 an hour", "under $4/h", "under $4/hour",
          "at most 4 dollars per hr", "for 4 dollars/hour", "budget $4 hourly", "for 4$ /h"}) {
        const auto reading = read("serve llama-3.1-8b " + std::string(words));
        BOOST_TEST_INFO(words);
        BOOST_REQUIRE(reading);
        Reading one = *reading;
        const Query query = query_of(one);
        BOOST_TEST(query.budget_usd_per_hour.value_or(0) == 4.0);
        BOOST_TEST(!query.budget_usd.has_value());
        BOOST_TEST(reading->not_understood.empty());
        BOOST_TEST(flags_of(one, query).find("--budget 4/h") != std::string::npos);
    }
    const Query sum = query_of("lora 7b on 100M tokens under $400 in 4 hours");
    BOOST_TEST(*sum.budget_usd == 400.0);
    BOOST_TEST(!sum.budget_usd_per_hour.has_value());
    BOOST_TEST(*sum.deadline_s == 4 * 3600.0);
}

BOOST_AUTO_TEST_CASE(a_date_waits_for_who_knows_today) {
    const auto reading = read("pretrain 7B on 1T tokens, finish by 2027-03-01");
    BOOST_REQUIRE(reading);
    BOOST_TEST(reading->deadline_date == "2027-03-01");
    BOOST_TEST(!reading->deadline_s.has_value());
    BOOST_TEST(reading->not_understood.empty());
    BOOST_TEST(read("pretrain 7B in 30 days")->deadline_date.empty());
}

BOOST_AUTO_TEST_CASE(round_numbers_of_accelerators_are_said) {
    const auto reading = read("what can I do with thousands of GPUs");
    BOOST_REQUIRE(reading);
    BOOST_TEST(reading->count.value() == 4096);
    BOOST_TEST(reading->assumed.size() >= 1U);
    BOOST_TEST(reading->not_understood.empty());
}

BOOST_AUTO_TEST_CASE(a_budget_without_length_is_the_price_of_hardware) {
    BOOST_TEST(query_of("fastest fine-tune of 70B under $5000").buy);
    BOOST_TEST(!query_of("lora 70B on 1B tokens under $5000").buy);
}

BOOST_AUTO_TEST_CASE(other_words_are_settings) {
    const Query query = query_of(
        "fastest lora 70b rank 64 sequence 4096 batch size 32 amd only on aws spot with ecc and "
        "mig");
    BOOST_TEST((query.objective == Objective::time));
    BOOST_TEST(*query.workload.lora_rank == 64);
    BOOST_TEST(*query.workload.sequence_length == 4096);
    BOOST_TEST(*query.workload.global_batch == 32);
    BOOST_TEST(query.vendor == "amd");
    BOOST_TEST(query.provider == "aws");
    BOOST_TEST(query.price_kind == "spot");
    BOOST_TEST((query.require == std::vector<std::string>{"ecc", "mig"}));
    BOOST_TEST((query_of("lora 7b with the lowest energy").objective == Objective::energy));
    BOOST_TEST((query_of("greenest 7b lora").objective == Objective::energy));
    BOOST_TEST(query_of("cheapest 7b lora to buy").buy);
    BOOST_TEST(query_of("scientific computing 7b").profile == "scientific-computing");
    BOOST_TEST(*query_of("serve 70b in fp8").workload.quantization == "fp8");
    BOOST_TEST((query_of("pretrain 70b in fp8").workload.compute == ComputeType::fp8));
    BOOST_TEST(*query_of("serve 70b with vllm").workload.framework == "vllm");
}

BOOST_AUTO_TEST_CASE(unknown_words_are_named) {
    const auto reading = read("what gpu for a quantum 70b lora without snorkel");
    BOOST_REQUIRE(reading);
    BOOST_TEST((reading->not_understood == std::vector<std::string>{"quantum", "snorkel"}));
}

BOOST_AUTO_TEST_CASE(a_wrong_model_name_is_kept_with_the_nearest) {
    for (const char* text : {"lora llama-3.1-9b", "qlora gemma-2-9c"}) {
        const auto reading = read(text);
        BOOST_REQUIRE_MESSAGE(reading, text);
        BOOST_TEST(!reading->model_known, text);
        BOOST_TEST(reading->unknown_names.size() == 1u, text);
        BOOST_TEST(!reading->neighbour.empty(), text);
    }
}

BOOST_AUTO_TEST_CASE(numbers_out_of_range_are_errors) {
    for (const char* text : {"lora 7b rank 0", "serve 7b to 0 users", "lora 7b under $0",
                             "lora 7b sequence 99999999999", "serve 7b with ttft of -5 ms"}) {
        BOOST_TEST(!read(text), text);
    }
}

BOOST_AUTO_TEST_CASE(any_bytes_are_read_without_a_crash) {
    const char* pieces[] = {
        "8x",     "x",    "$",        "$$",
        "70",     "b",    "-",        "1e308",
        "nan",    "inf",  "\xff\xfe", "99999999999999999999999999999999999999999999",
        "tokens", "in",   "days",     "gb",
        "rtx",    "h100", "lora",     "context",
        "rank",   "ttft", "usd"};
    for (const char* a : pieces) {
        for (const char* b : pieces) {
            for (const char* c : pieces) {
                const std::string text = std::string(a) + " " + b + " " + c;
                const auto reading = read(text);
                BOOST_TEST((reading || !reading.error().text().empty()));
            }
        }
    }
    BOOST_TEST(!read(std::string(100000, 'a')));
    std::string many;
    for (int i = 0; i < 500; ++i) {
        many += "lora ";
    }
    BOOST_TEST(!read(many));
}

BOOST_AUTO_TEST_CASE(the_echo_asks_the_same_again) {
    const Query query = query_of("qlora 70b on 8 h100 on 100M tokens in 2 days rank 8 with ecc");
    BOOST_TEST(flags_of(query) ==
               "--model 70b --method qlora --rank 8 --tokens 100000000 --on "
               "h100-pcie-80gb,h100-sxm5-80gb --accelerators 8 --deadline 2d --objective cost "
               "--require ecc");
}

BOOST_AUTO_TEST_SUITE_END()
