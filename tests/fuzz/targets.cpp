#include "fuzz/targets.h"

#include "advise/reading/reading.h"
#include "ask/agent.h"
#include "ask/ask.h"
#include "ask/imports.h"
#include "ask/json_door.h"
#include "base/text.h"
#include "data/benchmark_results.h"
#include "data/bundle.h"
#include "data/formats/config_tree.h"
#include "data/formats/import_files.h"
#include "data/formats/shell_script.h"
#include "data/load.h"
#include "data/load_onnx.h"
#include "data/load_rehearsal.h"
#include "data/load_requests.h"
#include "data/load_trace.h"
#include "estimate/families/families.h"
#include "web/api.h"
#include "web/target.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace ridgeline::fuzz {
namespace {

const ask::World& world() {
    static const ask::World shipped = [] {
        const std::filesystem::path root = RIDGELINE_SOURCE_DIR;
        ask::WorldPlaces places;
        places.catalog = root / "catalog";
        places.profiles = root / "profiles";
        return ask::load_world(places).value();
    }();
    return shipped;
}

const std::vector<FormatTable>& formats() {
    static const std::vector<FormatTable> tables = ask::formats_of(world()).value();
    return tables;
}

/// A file of that name in a tree of its own, so that no reader touches the disk.
TreePath file_of(std::string_view bytes, const std::string& name) {
    return {name, bundle_of({{name, std::string(bytes)}})};
}

/// A finding: what was promised and does not hold.
void promise(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "broken promise: %s\n", what);
        std::abort();
    }
}

/// An answer is whole JSON in one piece, whatever was asked.
void is_json(const std::string& text) {
    promise(nlohmann::json::accept(text), "an answer is JSON");
}

void read_question_text(std::string_view bytes) {
    static const Vocabulary vocabulary = ask::vocabulary_of(world());
    if (auto reading = read_question(bytes, vocabulary)) {
        (void)query_of(*reading);
    }
}

/// A question taken all the way to its answer, in words and as a document.
void answer_question(std::string_view bytes) {
    ask::Request request;
    request.command = "advise";
    request.options["question"] = {std::string(bytes)};
    const auto told = ask::ask(world(), request);
    const std::string said = lower(bytes);
    for (const std::string word : {"nan", "inf"}) {
        for (const std::string& no_number : {" " + word + " ", " -" + word + " ", "$" + word}) {
            promise(!told || contains(said, word) || !contains(told->body, no_number),
                    "figures of an answer are numbers");
        }
    }
    request.options["json"] = {"true"};
    const auto document = ask::ask(world(), request);
    promise(!document || nlohmann::json::accept(document->body), "an answer is JSON");
}

void read_workload(std::string_view bytes) { (void)workload_from_json(bytes, "fuzz.json"); }

void read_model_config(std::string_view bytes) {
    (void)architecture_from_config(bytes, "fuzz.json");
}

void read_accelerator_entry(std::string_view bytes) {
    (void)load_accelerator(file_of(bytes, "fuzz.json"), world().catalog);
}

void read_configuration(std::string_view bytes) {
    (void)config_trees(bytes, "fuzz");
    (void)yaml_trees(bytes, "fuzz.yaml");
    (void)toml_tree(bytes, "fuzz.toml");
    for (const char* name : {"fuzz.yaml", "fuzz.sh", "fuzz.gguf", "fuzz.safetensors"}) {
        (void)import_files({{name, std::string(bytes)}}, formats());
    }
}

void read_shell_script(std::string_view bytes) { (void)shell_script(bytes); }

void read_price_file(std::string_view bytes) {
    static const Catalog& shipped = world().catalog;
    static Catalog catalog = shipped;
    for (const char* name : {"fuzz.csv", "fuzz.json"}) {
        // What a price file adds to; a copy of the rest each time takes longer than most files.
        catalog.offers = shipped.offers;
        catalog.offers_date = shipped.offers_date;
        catalog.notes = shipped.notes;
        (void)load_prices(file_of(bytes, name), catalog, "fuzz");
    }
}

void read_evidence(std::string_view bytes) { (void)load_evidence(file_of(bytes, "fuzz.json")); }

void read_calibration(std::string_view bytes) {
    (void)load_calibration_file(file_of(bytes, "fuzz.json"));
}

void read_benchmark(std::string_view bytes) {
    for (const char* name : {"fuzz.txt", "fuzz.json"}) {
        (void)benchmark_results(file_of(bytes, name), {});
    }
}

void read_requests(std::string_view bytes) { (void)load_requests(file_of(bytes, "fuzz.csv")); }

/// A graph, and the operators that memory and time are counted of.
void read_onnx(std::string_view bytes) {
    if (const auto architecture = onnx_from_text(bytes, "fuzz.onnx", {})) {
        (void)program_of(*architecture, Workload{}, SoftwareProfile{});
    }
}

void read_trace(std::string_view bytes) {
    (void)load_trace(file_of(bytes, "fuzz.json"));
    (void)load_rehearsed_memory(file_of(bytes, "fuzz.json"));
}

void read_bundle(std::string_view bytes) { (void)bundle_from(bytes); }

void read_request_line(std::string_view bytes) {
    const auto target = web::target_of(bytes);
    if (!target) {
        return;
    }
    for (const web::ApiRow& row : web::api_table()) {
        if (const auto request = web::api_request(row, *target, "")) {
            (void)web::canonical(*request);
            (void)web::is_search(*request);
        }
    }
}

/// Options as JSON, answered whole; files may not be named, long commands are left to others.
void answer_request(std::string_view bytes) { is_json(ask::ask_json(world(), bytes)); }

void answer_agent(std::string_view bytes) {
    const std::string reply = ask::agent_reply(world(), {}, bytes);
    if (!reply.empty()) {
        is_json(reply);
        promise(reply.find('\n') == std::string::npos, "a reply to an agent is one line");
    }
}

/// The words of the command line after "estimate", one a line: what was written either counts or is
/// refused.
void answer_flags(std::string_view bytes) {
    ask::Request request;
    request.command = "estimate";
    request.options["model"] = {"llama-3.1-8b"};
    request.options["on"] = {"l40s"};
    request.options["json"] = {"true"};
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        const std::string_view line = bytes.substr(0, end);
        const std::size_t equals = line.find('=');
        if (equals != std::string_view::npos && equals > 0) {
            request.options[std::string(line.substr(0, equals))] = {
                std::string(line.substr(equals + 1))};
        }
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    if (const auto reply = ask::ask(world(), request)) {
        promise(request.text("json") != "true" || nlohmann::json::accept(reply->body),
                "an estimate in JSON is JSON");
    }
}

const std::vector<Target>& table() {
    static const std::vector<Target> all = {
        {"question",
         read_question_text,
         {"tests/advise/questions"},
         {"what GPU for a 70B fine-tune", "qlora llama3:70b on 2 x rtx 4090 under $500",
          "serve mixtral to 200 users under 500 ms first token", "4 a100-80gb vs 2 h100"}},
        {"answer", answer_question, {"tests/advise/questions"}, {}, true},
        {"workload", read_workload, {"examples", "profiles/workloads"}, {}},
        {"model_config", read_model_config, {"profiles/models", "tests/formats/configs"}, {}},
        {"accelerator", read_accelerator_entry, {"catalog/accelerators"}, {}},
        {"configuration",
         read_configuration,
         {"tests/formats/configs"},
         {"a: &a [1, 2]\nb: [*a, *a]\n", "[x]\ny = 1979-05-27T07:32:00Z\n", "GGUF\3\0\0\0",
          "{\"__metadata__\": {}}"}},
        {"shell_script",
         read_shell_script,
         {"tests/formats/configs"},
         {"cat > a <<'EOF'\nx\nEOF\ntorchrun --nproc-per-node \"${N:-8}\" t.py $(date)\n"}},
        {"price_table",
         read_price_file,
         {"catalog/offers"},
         {"InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,SpotPrice,Region\n"
          "p5.48xlarge,H100,8,192,2048,98.32,,us-east-1\n"}},
        {"evidence",
         read_evidence,
         {"tests/evidence/speech.json", "tests/evidence/unseen_kernels.json"},
         {}},
        {"calibration", read_calibration, {"profiles/calibration", "tests/calibrate"}, {}},
        {"benchmark",
         read_benchmark,
         {"tests/cli"},
         {"Copy:            50000.0     0.1     0.1     0.1\nTriad: 48000 0.1 0.1 0.1\n",
          "# nThread 1 nGpus 8 minBytes 8 maxBytes 134217728\n"
          "   1048576  262144  float  sum  -1  35.1  29.9  52.3  0  34.9  30.0  52.6  0\n"}},
        {"onnx", read_onnx, {"tests/data/graphs"}, {}},
        {"trace",
         read_trace,
         {"tests/rehearsal"},
         {R"~({"schema":"1.1.1-chakra.0.0.4","nodes":[{"id":1,"name":"aten::mm","inputs":)~"
          R"~({"values":[],"shapes":[[8,8],[8,8]],"types":["Tensor(float)","Tensor(float)"]}}]})~",
          R"~({"traceEvents":[{"ph":"X","name":"aten::mm","ts":1,"dur":2,"args":)~"
          R"~({"Input Dims":[[8,8],[8,8]],"Input type":["float","float"]}}]})~"}},
        {"requests",
         read_requests,
         {},
         {"time,input_tokens,output_tokens\n0,512,64\n1.5,900,8\n",
          "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.97,4808,10\n",
          R"~({"timestamp":0,"input_length":1200,"output_length":5,"hash_ids":[1,2]})~"}},
        {"bundle", read_bundle, {}, {"ridgeline bundle 1\ncatalog/links.json 2\n{}"}},
        {"request_line",
         read_request_line,
         {},
         {"/api/v1/estimate?model=llama-3.1-8b&on=l40s&sequence=8k",
          "/api/v1/advise?question=a+b%20c"}},
        {"flags",
         answer_flags,
         {},
         {"sequence=8k\nmicro-batch=4\nmethod=lora",
          "on=h100-sxm5-80gb:8\nsharding=zero3\noptimizer=adamw",
          "task=inference\nconcurrency=32\ninput-tokens=512\noutput-tokens=128",
          "model=resnet-50\nbatch=64"}},
        {"request",
         answer_request,
         {},
         {R"({"command":"estimate","options":{"model":"llama-3.1-8b","on":"l40s","json":true}})",
          R"([{"command":"catalog","options":{"json":true}},{"command":"roofline","options":{"on":"a100"}}])",
          R"({"command":"compare","options":{"on":["a100","h100"],"model":"7b"}})"},
         true},
        {"agent",
         answer_agent,
         {},
         {R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})",
          R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"estimate","arguments":{"model":"7b","on":"a100"}}})",
          R"({"jsonrpc":"2.0","id":3,"method":"tools/list"})"},
         true},
    };
    return all;
}

}  // namespace

std::span<const Target> targets() { return table(); }

const Target* target_named(std::string_view name) {
    for (const Target& target : table()) {
        if (target.name == name) {
            return &target;
        }
    }
    return nullptr;
}

}  // namespace ridgeline::fuzz
