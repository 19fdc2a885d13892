// The workload document (contract: workload.md), strict: what the document does not know is an
// error that names the nearest word, so that a typo never silently means "default".
#include "data/load.h"

#include "base/text.h"
#include "data/import_huggingface.h"
#include "data/reader.h"
#include "data/reader_errors.h"
#include "data/workload_reader.h"
#include "spec/words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace ridgeline {
namespace {

constexpr Range ranks{1, 1e6};
constexpr Range samples{1, 1e9};

constexpr std::array weight_types = {
    std::pair<std::string_view, DType>{"fp32", DType::fp32},
    std::pair<std::string_view, DType>{"bf16", DType::bf16},
    std::pair<std::string_view, DType>{"fp16", DType::fp16},
    std::pair<std::string_view, DType>{"fp8", DType::fp8},
};
constexpr std::array state_types = {
    std::pair<std::string_view, DType>{"fp32", DType::fp32},
    std::pair<std::string_view, DType>{"bf16", DType::bf16},
    std::pair<std::string_view, DType>{"fp16", DType::fp16},
    std::pair<std::string_view, DType>{"fp8", DType::fp8},
    std::pair<std::string_view, DType>{"int8", DType::int8},
    std::pair<std::string_view, DType>{"int4", DType::int4},
};
constexpr std::array compute_types_read = {
    std::pair<std::string_view, ComputeType>{"fp32", ComputeType::fp32},
    std::pair<std::string_view, ComputeType>{"tf32", ComputeType::tf32},
    std::pair<std::string_view, ComputeType>{"fp16", ComputeType::fp16},
    std::pair<std::string_view, ComputeType>{"bf16", ComputeType::bf16},
    std::pair<std::string_view, ComputeType>{"fp8", ComputeType::fp8},
    std::pair<std::string_view, ComputeType>{"mxfp8", ComputeType::mxfp8},
    std::pair<std::string_view, ComputeType>{"nvfp4", ComputeType::fp4},
    std::pair<std::string_view, ComputeType>{"mxfp4", ComputeType::fp4},
    std::pair<std::string_view, ComputeType>{"int8", ComputeType::int8},
    std::pair<std::string_view, ComputeType>{"fp64", ComputeType::fp64},
};

template <typename E, std::size_t N>
Words<E> words(const std::array<std::pair<std::string_view, E>, N>& table) {
    return table;
}

std::optional<std::string> word(Reader& reader,
                                std::string_view key,
                                std::span<const std::string_view> known) {
    const std::vector<std::string> names(known.begin(), known.end());
    const auto index = reader.choice_index(key, names);
    return index ? std::optional<std::string>(names[*index]) : std::nullopt;
}

void read_software(Reader& top, WorkloadDocument& document) {
    auto software = top.optional_object("software");
    if (!software) {
        return;
    }
    document.framework = software->optional_text("framework");
    document.attention = software->optional_choice("attention", attention_words());
    document.compiled = software->optional_boolean("compile");
    document.loss = software->optional_choice("loss", loss_words());
    document.cuda_graphs = software->optional_boolean("cuda_graphs");
    document.channels_last = software->optional_boolean("channels_last");
    document.fp16_accumulate = software->optional_boolean("fp16_accumulate");
    document.cached_conditions = software->optional_boolean("precomputed_conditions");
    if (software->optional_boolean("streams_weights_from_host").value_or(false)) {
        document.offload_parameters = OffloadTarget::cpu;
    }
    // Layers of a style generator that run in half precision: the compute type says it already.
    software->optional_integer("high_resolution_fp16_layers");
    software->reject_unknown();
}

void read_precision(Reader& top, WorkloadDocument& document) {
    auto precision = top.optional_object("precision");
    if (!precision) {
        return;
    }
    document.weights = precision->optional_choice("weights", words(weight_types));
    document.compute = precision->optional_choice("compute", words(compute_types_read));
    document.gradients = precision->optional_choice("gradients", words(weight_types));
    document.master_weights =
        precision->optional_choice<bool>("master_weights", {{"none", false}, {"fp32", true}});
    document.quantization = word(*precision, "quantization", quantization_words());
    document.double_quantization = precision->optional_boolean("double_quantization");
    document.kv_cache = precision->optional_choice("kv_cache", words(state_types));
    precision->reject_unknown();
}

void read_optimizer(Reader& top, WorkloadDocument& document) {
    auto optimizer = top.optional_object("optimizer");
    if (!optimizer) {
        return;
    }
    document.optimizer = word(*optimizer, "name", optimizer_words());
    document.optimizer_state = optimizer->optional_choice("state", words(state_types));
    document.optimizer_implementation =
        optimizer->optional_choice("implementation", implementation_words());
    document.optimizer_in_backward = optimizer->optional_boolean("in_backward");
    optimizer->reject_unknown();
}

void read_lora(Reader& top, WorkloadDocument& document) {
    auto lora = top.optional_object("lora");
    if (!lora) {
        return;
    }
    document.has_lora = true;
    document.lora_rank = lora->optional_integer("rank", {1, 65'536});
    document.lora_variant = lora->optional_choice("variant", lora_variant_words());
    if (const auto kind = lora->optional_text("kind"); kind && *kind != "lora") {
        lora->fail("kind", "found \"" + printable(*kind) + "\", expected \"lora\"");
    }
    if (lora->is_text("targets")) {
        const std::string targets = lora->text("targets");
        if (targets == "all-linear") {
            document.lora_targets = {targets};
        } else {
            lora->fail("targets",
                       fmt::format("found \"{}\", expected \"all-linear\" or a list of names",
                                   printable(targets)),
                       did_you_mean(targets, std::vector<std::string>{"all-linear"}));
        }
    } else if (lora->has("targets")) {
        document.lora_targets = lora->texts("targets");
        if (lora->is_array("targets") && lora->raw("targets").empty()) {
            lora->fail("targets", "is an empty list, expected at least one name");
        }
    }
    document.lora_weights = lora->optional_choice("weights", words(weight_types));
    document.lora_dropout = lora->optional_number("dropout", fraction);
    lora->reject_unknown();
}

/// A side, or [height, width], or [depth, height, width].
void read_image_size(Reader& batch, WorkloadDocument& document) {
    constexpr Range side{1, 65'536};
    if (!batch.is_array("image_size")) {
        document.image_size = batch.optional_integer("image_size", side);
        return;
    }
    const std::vector<double> sides = batch.numbers("image_size", side);
    if (sides.size() != 2 && sides.size() != 3) {
        batch.fail("image_size", "expected a side, [height, width] or [depth, height, width]");
        return;
    }
    document.image_size = static_cast<int>(sides.back());
    document.image_height = static_cast<int>(sides[sides.size() - 2]);
    if (sides.size() == 3) {
        document.image_depth = static_cast<int>(sides.front());
    }
}

void read_batch(Reader& top, WorkloadDocument& document) {
    auto batch = top.optional_object("batch");
    if (!batch) {
        return;
    }
    document.micro_batch = batch->optional_integer("micro", samples);
    document.global_batch = batch->optional_integer("global", samples);
    document.sequence_length = batch->optional_integer("sequence_length", samples);
    read_image_size(*batch, document);
    document.frames = batch->optional_integer("frames", {1, 1e6});
    constexpr Range seconds{1e-3, 1e6};
    document.audio_seconds = batch->optional_number("audio_seconds", seconds);
    for (const char* mean : {"audio_seconds_mean", "chunk_seconds"}) {
        if (const auto stated = batch->optional_number(mean, seconds)) {
            document.audio_seconds = stated;
        }
    }
    // The longest utterance pads its batch; buckets by length keep that small.
    batch->optional_number("audio_seconds_max", seconds);
    constexpr double sampling_rate = 22'050;
    if (const auto stated = batch->optional_number("audio_samples", {1, 1e9})) {
        document.audio_seconds = *stated / sampling_rate;
    }
    constexpr double frames_per_second = 100;
    const auto features = batch->optional_number("feature_frames", {1, 1e9});
    if (features && !document.audio_seconds) {
        document.audio_seconds = *features / frames_per_second;
    }
    document.encoder_steps = batch->optional_integer("encoder_steps", {1, 1e6});
    document.decoder_steps = batch->optional_integer("decoder_steps", {1, 1e6});
    document.beam = batch->optional_integer("beam", {1, 1000});
    document.phase = batch->optional_text("phase");
    document.latent_size = batch->optional_integer("latent_size", {1, 65'536});
    document.steps = batch->optional_integer("steps", {1, 1e6});
    document.guidance_passes = batch->optional_integer("guidance_passes", {1, 1000});
    batch->reject_unknown();
}

void read_parallel(Reader& top, WorkloadDocument& document) {
    auto parallel = top.optional_object("parallel");
    if (!parallel) {
        return;
    }
    document.data = parallel->optional_integer("data", ranks);
    document.tensor = parallel->optional_integer("tensor", ranks);
    document.pipeline = parallel->optional_integer("pipeline", ranks);
    document.virtual_pipeline = parallel->optional_integer("virtual_pipeline", ranks);
    document.context = parallel->optional_integer("context", ranks);
    document.expert = parallel->optional_integer("expert", ranks);
    document.sequence_parallel = parallel->optional_boolean("sequence_parallel");
    document.sharding = parallel->optional_choice("sharding", sharding_words());
    document.shard_group = parallel->optional_integer("shard_group", ranks);
    document.reshard_after_forward = parallel->optional_boolean("reshard_after_forward");
    // Tables of a recommender are always cut over the ranks; the word says so.
    parallel->optional_text("embedding");
    parallel->reject_unknown();
}

void read_recompute(Reader& top, WorkloadDocument& document) {
    if (!top.is_object("recompute")) {
        document.recompute = top.optional_choice("recompute", recompute_words());
        return;
    }
    Reader recompute = top.object("recompute");
    document.recompute = RecomputeMode::full;
    document.full_recompute_layers = recompute.integer("full_layers", {0, 1e6});
    recompute.reject_unknown();
}

void read_offload(Reader& top, WorkloadDocument& document) {
    auto offload = top.optional_object("offload");
    if (!offload) {
        return;
    }
    document.offload_optimizer = offload->optional_choice("optimizer", offload_words());
    document.offload_parameters = offload->optional_choice("parameters", offload_words());
    document.offload_activations = offload->optional_choice("activations", offload_words());
    offload->reject_unknown();
}

void read_serving(Reader& top, WorkloadDocument& document) {
    auto serving = top.optional_object("serving");
    if (!serving) {
        return;
    }
    Serving values;
    const Range tokens{0, 1e9};
    values.input_tokens = serving->number_or("input_tokens", values.input_tokens, tokens);
    values.output_tokens = serving->number_or("output_tokens", values.output_tokens, tokens);
    values.concurrency = serving->number_or("concurrency", values.concurrency, samples);
    values.phase = serving->optional_choice("phase", phase_words()).value_or(values.phase);
    values.draft_tokens = serving->integer_or("draft_tokens", values.draft_tokens, {0, 64});
    values.acceptance = serving->number_or("acceptance", values.acceptance, {0, 1});
    values.draft_parameters =
        serving->number_or("draft_parameters", values.draft_parameters, {0, 1e13});
    values.gpu_layers = serving->optional_integer("gpu_layers", {0, 100000});
    serving->reject_unknown();
    document.serving = values;
}

void read_input(Reader& top, WorkloadDocument& document) {
    auto input = top.optional_object("input");
    if (!input) {
        return;
    }
    const Range bytes{0, 1e13};
    const Range rate{1e-9, 1e9};
    InputPipeline values;
    values.bytes_per_sample = input->number_or("bytes_per_sample", 0, bytes);
    values.reads_per_sample = input->number_or("reads_per_sample", 0, {0, 1e9});
    values.decoded_bytes_per_sample = input->number_or("decoded_bytes_per_sample", 0, bytes);
    values.decode_core_seconds = 1e-3 * input->number_or("decode_core_ms_per_sample", 0, {0, 1e9});
    values.cores_per_accelerator = input->optional_number("cores_per_accelerator", {1e-3, 1e6});
    values.storage = input->text_or("storage", "");
    if (const auto read = input->optional_number("storage_gb_per_s", rate)) {
        values.storage_bytes_per_s = *read * 1e9;
    }
    values.storage_reads_per_s = input->optional_number("storage_reads_per_s", {1e-3, 1e15});
    values.direct = input->boolean_or("gpudirect", false);
    input->reject_unknown();
    document.input = values;
}

void read_kernel(Reader& top, WorkloadDocument& document) {
    auto kernel = top.optional_object("kernel");
    if (!kernel) {
        if (document.task == Task::kernel) {
            top.fail("kernel", "missing, expected an object with the operation of task \"kernel\"");
        }
        return;
    }
    Kernel values;
    if (!kernel->has("operation")) {
        kernel->fail("operation", "missing, expected \"gemm\", a stream or a collective");
    }
    values.operation = word(*kernel, "operation", kernel_words()).value_or("");
    if (values.operation == "gemm") {
        const Range size{1, 1e9};
        values.m = kernel->number("m", size);
        values.n = kernel->number("n", size);
        values.k = kernel->number("k", size);
    } else if (!values.operation.empty()) {
        values.bytes = kernel->number("bytes", {0, 1e15});
        values.ranks = kernel->integer_or("ranks", 1, ranks);
    }
    for (const std::string_view key : {"m", "n", "k", "bytes", "ranks"}) {
        kernel->ignore(key);
    }
    kernel->reject_unknown();
    document.kernel = values;
}

/// The error of an inline model keeps its path: "<document>: /model/hidden_size".
Result<Architecture> inline_model(const nlohmann::json& value,
                                  const std::string& where,
                                  const std::filesystem::path& folder) {
    if (const auto path = value.find("hf_config"); path != value.end()) {
        if (!path->is_string() || path->get_ref<const std::string&>().empty()) {
            return input_error(where + ": /model/hf_config", "expected the path of a config.json");
        }
        return load_hf_config(folder / path->get<std::string>());
    }
    auto architecture = architecture_from_json(value, where);
    if (!architecture) {
        Error error = architecture.error();
        if (error.where.starts_with(where + ": /")) {
            error.where.insert(where.size() + 2, "/model");
        }
        return tl::unexpected(error);
    }
    return architecture;
}

Result<void> read_model(Reader& top,
                        const std::string& where,
                        const std::filesystem::path& folder,
                        WorkloadDocument& document) {
    if (!top.has("model")) {
        return {};
    }
    if (!top.is_object("model")) {
        document.model_id = top.text("model");
        if (top.is_text("model") && document.model_id.empty()) {
            top.fail("model", "is empty, expected a model id");
        }
        return {};
    }
    auto architecture = inline_model(top.raw("model"), where, folder);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    document.architecture = *architecture;
    return {};
}

Task read_task(Reader& top) {
    if (const auto task = top.optional_choice("task", task_words())) {
        return *task;
    }
    if (top.has("kernel")) {
        return Task::kernel;
    }
    return top.has("serving") ? Task::inference : Task::train;
}

void read_top(Reader& top, WorkloadDocument& document) {
    constexpr std::string_view schema = "ridgeline/workload/1";
    const std::string stated = top.text_or("schema", schema);
    if (stated != schema && top.is_text("schema")) {
        top.fail("schema", fmt::format("found \"{}\", expected \"{}\"", printable(stated), schema));
    }
    document.name = top.text_or("name", "");
    document.task = read_task(top);
    document.method = top.optional_choice("method", method_words());
    read_software(top, document);
    read_precision(top, document);
    read_optimizer(top, document);
    read_lora(top, document);
    read_batch(top, document);
    read_parallel(top, document);
    read_recompute(top, document);
    read_offload(top, document);
    if (auto duration = top.optional_object("duration")) {
        document.duration_tokens = duration->optional_number("tokens", {1, 1e18});
        document.duration_samples = duration->optional_number("samples", {1, 1e18});
        document.duration_epochs = duration->optional_number("epochs", {1e-6, 1e9});
        duration->reject_unknown();
    }
    if (auto dataset = top.optional_object("dataset")) {
        document.dataset_samples = dataset->optional_number("samples", {1, 1e15});
        document.dataset_bytes = dataset->optional_number("bytes", {1, 1e18});
        dataset->reject_unknown();
    }
    read_serving(top, document);
    read_input(top, document);
    read_kernel(top, document);
}

}  // namespace

Result<WorkloadDocument> workload_from_value(const nlohmann::json& value,
                                             const std::string& where,
                                             const std::filesystem::path& folder) {
    if (!value.is_object()) {
        return input_error(where,
                           fmt::format("found {}, expected a workload object", value.type_name()));
    }
    Errors errors(where);
    Reader top(&value, "", &errors);
    WorkloadDocument document;
    read_top(top, document);
    const Result<void> model = read_model(top, where, folder, document);
    top.reject_unknown();
    std::vector<Error> all = errors.list();
    if (!model) {
        all.push_back(model.error());
    }
    if (all.size() == 1) {
        return tl::unexpected(all.front());
    }
    if (!all.empty()) {
        std::string lines;
        for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 20); ++i) {
            lines += (lines.empty() ? "" : "\n") + all[i].text();
        }
        return tl::unexpected(Error{ErrorKind::input, "", lines, ""});
    }
    return document;
}

Result<WorkloadDocument> workload_from_json(std::string_view json_text, const std::string& where) {
    const Result<Document> document = Document::parse(json_text, where);
    if (!document) {
        return tl::unexpected(document.error());
    }
    return workload_from_value(document->value(), where, {});
}

Result<WorkloadDocument> load_workload(const std::filesystem::path& file) {
    const Result<Document> document = Document::read(file);
    if (!document) {
        return tl::unexpected(document.error());
    }
    return workload_from_value(document->value(), file.string(), file.parent_path());
}

}  // namespace ridgeline
