#include "base/text.h"
#include "data/profile_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ridgeline {
namespace {

constexpr Range microseconds{0, 1e6};

/// Reads each key that is present into the member of its name; an inherited value stays else.
class Members {
public:
    explicit Members(Reader& document) : document_(document) {}

    void read(std::string_view key, bool& member) { member = document_.boolean_or(key, member); }
    void read(std::string_view key, int& member, Range range) {
        member = document_.integer_or(key, member, range);
    }
    void read(std::string_view key, double& member, Range range) {
        member = document_.number_or(key, member, range);
    }
    void read(std::string_view key, Seconds& member) {
        member = document_.number_or(key, member / microsecond, microseconds) * microsecond;
    }
    void read(std::string_view key, std::string& member) {
        member = document_.text_or(key, member);
    }
    void read(std::string_view key, DType& member) {
        if (const auto type = dtype(key)) {
            member = *type;
        }
    }
    void read(std::string_view key, std::optional<DType>& member) {
        if (const auto type = dtype(key)) {
            member = *type;
        }
    }
    template <typename E>
    void read(std::string_view key,
              E& member,
              std::initializer_list<std::pair<std::string_view, E>> choices) {
        if (const auto value = document_.optional_choice<E>(key, choices)) {
            member = *value;
        }
    }

private:
    std::optional<DType> dtype(std::string_view key) {
        return document_.optional_choice<DType>(key,
                                                {{"fp32", DType::fp32},
                                                 {"bf16", DType::bf16},
                                                 {"fp16", DType::fp16},
                                                 {"fp8", DType::fp8},
                                                 {"int8", DType::int8},
                                                 {"int4", DType::int4},
                                                 {"fp4", DType::fp4}});
    }
    Reader& document_;
};

void read_defaults(Members& members, SoftwareProfile& profile) {
    members.read<AttentionKernel>("attention",
                                  profile.attention,
                                  {{"flash", AttentionKernel::flash},
                                   {"sdpa", AttentionKernel::sdpa},
                                   {"eager", AttentionKernel::eager}});
    members.read("compiled", profile.compiled);
    members.read<LossMode>("loss",
                           profile.loss,
                           {{"eager", LossMode::eager},
                            {"chunked", LossMode::chunked},
                            {"compiled", LossMode::compiled},
                            {"fused_linear", LossMode::fused_linear},
                            {"vocab_parallel", LossMode::vocab_parallel}});
    members.read("cuda_graphs", profile.cuda_graphs);
    members.read("weights", profile.weights);
    members.read<ComputeType>("compute",
                              profile.compute,
                              {{"fp32", ComputeType::fp32},
                               {"tf32", ComputeType::tf32},
                               {"fp16", ComputeType::fp16},
                               {"bf16", ComputeType::bf16},
                               {"fp8", ComputeType::fp8},
                               {"mxfp8", ComputeType::mxfp8},
                               {"nvfp4", ComputeType::fp4},
                               {"int8", ComputeType::int8}});
    members.read("gradients", profile.gradients);
    members.read("master_weights", profile.master_weights);
    members.read("optimizer_state", profile.optimizer_state);
    members.read("states_follow_weights", profile.states_follow_weights);
    members.read("splits_loss", profile.splits_loss);
    members.read<OptimizerImplementation>("optimizer_implementation",
                                          profile.optimizer_implementation,
                                          {{"foreach", OptimizerImplementation::foreach},
                                           {"fused", OptimizerImplementation::fused},
                                           {"paged", OptimizerImplementation::paged}});
    members.read("lora_weights", profile.lora_weights);
    members.read("lora_dropout", profile.lora_dropout, Range{0, 1});
    members.read<RecomputeMode>("recompute",
                                profile.recompute,
                                {{"none", RecomputeMode::none},
                                 {"selective", RecomputeMode::selective},
                                 {"full", RecomputeMode::full}});
    members.read<Sharding>("sharding",
                           profile.sharding,
                           {{"none", Sharding::none},
                            {"ddp", Sharding::ddp},
                            {"zero1", Sharding::zero1},
                            {"zero2", Sharding::zero2},
                            {"zero3", Sharding::zero3},
                            {"fsdp", Sharding::fsdp},
                            {"hsdp", Sharding::hsdp}});
    members.read("qlora_quantization", profile.qlora_quantization);
    members.read("double_quantization", profile.double_quantization);
}

void read_kernels(Members& members, SoftwareProfile& profile) {
    members.read<NormKernel>(
        "norm",
        profile.norm,
        {{"eager", NormKernel::eager}, {"torch", NormKernel::torch}, {"fused", NormKernel::fused}});
    members.read<ActivationKernel>(
        "activation",
        profile.activation,
        {{"eager", ActivationKernel::eager}, {"fused", ActivationKernel::fused}});
    members.read("rope_keeps_inputs", profile.rope_keeps_inputs);
    members.read("repeats_kv", profile.repeats_kv);
    members.read("kbit_upcast", profile.kbit_upcast);
    members.read("autocast", profile.autocast);
    members.read("fused_qkv", profile.fused_qkv);
    members.read("joins_rotary", profile.joins_rotary);
    members.read("scales_norm_fp32", profile.scales_norm_fp32);
    members.read("python_gelu", profile.python_gelu);
    members.read("holds_last_loss", profile.holds_last_loss);
    members.read("dequantized_copies", profile.dequantized_copies, Range{1, 8});
    members.read("lora_casts_input", profile.lora_casts_input);
    members.read("holds_logits", profile.holds_logits);
    members.read("keeps_logits_float", profile.keeps_logits_float);
    members.read("loss_chunk_tokens", profile.loss_chunk_tokens, Range{0, 1e9});
    members.read("dummy_weight_gradients", profile.dummy_weight_gradients);
    members.read("vocabulary_multiple", profile.vocabulary_multiple, Range{1, 1e6});
    members.read("gradient_buffer", profile.gradient_buffer);
    members.read("ddp_bucket_bytes", profile.ddp_bucket_bytes, any_size);
    members.read("gradient_as_bucket_view", profile.gradient_as_bucket_view);
    members.read("zero_bucket_elements", profile.zero_bucket_elements, any_size);
    members.read("untied_embeddings", profile.untied_embeddings);
    members.read("compiles_loss", profile.compiles_loss);
    members.read("compiles_layers", profile.compiles_layers);
    members.read("gathers_float8", profile.gathers_float8);
    members.read("complex_rotary", profile.complex_rotary);
    members.read("pipeline_holds_outputs", profile.pipeline_holds_outputs);
    members.read("stages_hold_outputs", profile.stages_hold_outputs);
    members.read("whole_table_gradient", profile.whole_table_gradient);
    members.read("loss_in_place", profile.loss_in_place);
    members.read("loss_upcasts", profile.loss_upcasts);
    members.read("quantized_keeps_input", profile.quantized_keeps_input);
    members.read("keeps_dequantized", profile.keeps_dequantized);
    members.read("loss_fp32_logits", profile.loss_fp32_logits, Range{0, 16});
    members.read("quantizes_head", profile.quantizes_head);
    members.read<RoutingWeights>("routing_weights",
                                 profile.routing_weights,
                                 {{"after_experts", RoutingWeights::after_experts},
                                  {"in_activation", RoutingWeights::in_activation},
                                  {"before_experts", RoutingWeights::before_experts}});
    members.read("selective_lacks_cudnn", profile.selective_lacks_cudnn);
    members.read<SelectiveRecompute>(
        "selective",
        profile.selective,
        {{"core_attention", SelectiveRecompute::core_attention},
         {"every_second_matmul", SelectiveRecompute::every_second_matmul}});
    members.read<FsdpTables>("fsdp_tables",
                             profile.fsdp_tables,
                             {{"root", FsdpTables::root}, {"separate", FsdpTables::separate}});
    members.read("reduce", profile.reduce);
    members.read("regathers_sequence", profile.regathers_sequence);
    members.read("selective_saves_exchanges", profile.selective_saves_exchanges);
    members.read("routing_upcasts", profile.routing_upcasts);
    members.read("expert_rows_multiple", profile.expert_rows_multiple, Range{1, 4096});
    members.read("fuses_weight_gradients", profile.fuses_weight_gradients);
    members.read("fsdp_copies_out", profile.fsdp_copies_out);
    members.read("regathers_experts", profile.regathers_experts);
    members.read("fsdp_flattens", profile.fsdp_flattens);
    using Word = std::string;
    members.read<Word>("logged_counter",
                       profile.logged_counter,
                       {{"allocated", "allocated"},
                        {"active", "active"},
                        {"reserved", "reserved"},
                        {"process", "process"}});
    members.read("accumulates_unsharded", profile.accumulates_unsharded);
    members.read("replays_allocator", profile.replays_allocator);
    members.read("rotary_tables", profile.rotary_tables);
    members.read("fsdp_prefetch_units", profile.fsdp_prefetch_units, Range{0, 64});
    members.read("load_copies", profile.load_copies, Range{0, 8});
}

void read_time(Reader& document, Members& members, SoftwareProfile& profile) {
    members.read<FlashGeneration>("flash_generation",
                                  profile.flash,
                                  {{"flash1", FlashGeneration::flash1},
                                   {"flash2", FlashGeneration::flash2},
                                   {"flash3", FlashGeneration::flash3}});
    members.read("launch_per_kernel_us", profile.launch_per_kernel);
    members.read("broadcasts_shards", profile.broadcasts_shards);
    members.read("matrix_share", profile.matrix_share, Range{0.1, 1.5});
    members.read("product_per_expert", profile.product_per_expert);
    members.read("dedupes_experts", profile.dedupes_experts);
    members.read("overlaps_data_parallel", profile.overlaps_data_parallel);
    members.read("overlaps_tensor_parallel", profile.overlaps_tensor_parallel);
    members.read("overlaps_pipeline", profile.overlaps_pipeline);
    members.read("gathers_context", profile.gathers_context);
    members.read("overlaps_expert_parallel", profile.overlaps_expert_parallel);
    members.read("fragmentation", profile.fragmentation, Range{0, 10});
    members.read("reduces_apart", profile.reduces_apart);
    members.read("expandable_with_context", profile.expandable_with_context);
    members.read("launches_nodes_plainly", profile.launches_nodes_plainly);
    members.read("expandable_segments", profile.expandable_segments);
    members.read("fragmentation_loss", profile.fragmentation_loss, Range{0, 10});
    if (const auto share = document.optional_number("fragmentation_kept", Range{0, 10})) {
        profile.fragmentation_kept = *share;
    }
    if (const auto share = document.optional_number("fragmentation_experts", Range{0, 10})) {
        profile.fragmentation_experts = *share;
    }
    if (const auto share = document.optional_number("fragmentation_compiled", Range{0, 10})) {
        profile.fragmentation_compiled = *share;
    }
    members.read("prefill_chunk_tokens", profile.prefill_chunk_tokens, any_size);
    if (const auto share = document.optional_number("memory_fraction", Range{0.01, 1})) {
        profile.memory_fraction = *share;
    }
    members.read<MemoryShare>("memory_fraction_of",
                              profile.memory_fraction_of,
                              {{"card", MemoryShare::card},
                               {"weights_and_cache", MemoryShare::weights_and_cache},
                               {"free_after_weights", MemoryShare::free_after_weights}});
    if (document.has("fp8_cache_with")) {
        profile.fp8_cache_with = document.texts("fp8_cache_with");
    }
    members.read("cache_block_tokens", profile.cache_block_tokens, Range{1, 65536});
    members.read("expert_dispatch_share", profile.expert_dispatch_share, Range{0.01, 1});
    members.read("expert_width_multiple", profile.expert_width_multiple, Range{1, 4096});
    members.read("embedding_on_host", profile.embedding_on_host);
    members.read("host_gb_per_s", profile.host_gb_per_s, Range{0, 1e5});
    if (document.has("shared_query_groups")) {
        profile.shared_query_groups.clear();
        for (const double size : document.numbers("shared_query_groups", Range{1, 1024})) {
            profile.shared_query_groups.push_back(static_cast<int>(size));
        }
    }
    members.read("steps_before_prompt", profile.steps_before_prompt, Range{0, 100});
    members.read("serving_step_overhead_us", profile.serving_step_overhead);
    members.read("serving_request_overhead_us", profile.serving_request_overhead);
    members.read("kernel_gap_us", profile.kernel_gap);
    members.read("prompt_kernel_gap_us", profile.prompt_kernel_gap);
    members.read("burst_share", profile.burst_share, Range{0, 1});
    members.read("request_overhead_us", profile.request_overhead);
    members.read("all_reduce_latency_us", profile.all_reduce_latency);
    members.read("all_reduce_per_doubling_us", profile.all_reduce_per_doubling);
    members.read("fuses_products", profile.fuses_products);
    members.read("half_accumulate", profile.half_accumulate);
    members.read("prompt_share", profile.prompt_share, Range{0.01, 1});
    members.read("hbm_share", profile.hbm_share, Range{0.01, 1});
    members.read("quantized_prompt_share", profile.quantized_prompt_share, Range{0.01, 1});
    members.read("expert_prompt_share", profile.expert_prompt_share, Range{0.01, 1});
    members.read("expert_kernels", profile.expert_kernels, Range{0, 1000});
    members.read("pipeline_overlap", profile.pipeline_overlap, Range{0, 1});
    members.read("weight_only_share", profile.weight_only_share, Range{0.01, 1});
    members.read("cache_share", profile.cache_share, Range{0.01, 1});
    members.read("prompt_attention_share", profile.prompt_attention_share, Range{0.01, 1});
    members.read("stage_overhead_us", profile.stage_overhead);
    for (Reader& entry : document.objects("prompt_shares")) {
        profile.prompt_shares.push_back(
            {entry.text("architecture"), entry.number("share", Range{0.01, 2})});
        entry.reject_unknown();
    }
}

void read_spreads(Reader& root, ParallelSupport& spreads) {
    auto object = root.optional_object("spreads");
    if (!object) {
        return;
    }
    spreads.tensor = object->boolean_or("tensor", spreads.tensor);
    spreads.pipeline = object->boolean_or("pipeline", spreads.pipeline);
    spreads.context = object->boolean_or("context", spreads.context);
    spreads.expert = object->boolean_or("expert", spreads.expert);
    spreads.adapters = object->boolean_or("adapters", spreads.adapters);
    spreads.offload_optimizer = object->boolean_or("offload_optimizer", spreads.offload_optimizer);
    spreads.offload_parameters =
        object->boolean_or("offload_parameters", spreads.offload_parameters);
    spreads.offload_activations =
        object->boolean_or("offload_activations", spreads.offload_activations);
    object->reject_unknown();
}

struct Raw {
    Document document;
    std::string file;
};

/// Fills profiles in the order of inheritance, each once.
class Family {
public:
    explicit Family(std::map<std::string, Raw>& raws) : raws_(raws) {}

    Result<void> resolve(const std::string& id) {
        if (done_.contains(id)) {
            return {};
        }
        Raw& raw = raws_.at(id);
        if (!open_.insert(id).second) {
            return input_error(raw.file + ": /inherits", "inherits from itself");
        }
        Reader root = raw.document.root();
        const std::string parent = root.text_or("inherits", "");
        SoftwareProfile profile;
        if (!parent.empty()) {
            if (!raws_.contains(parent)) {
                std::vector<std::string> names;
                for (const auto& [name, other] : raws_) {
                    names.push_back(name);
                }
                return input_error(raw.file + ": /inherits",
                                   fmt::format("no software profile \"{}\"", printable(parent)),
                                   did_you_mean(parent, names));
            }
            if (Result<void> read = resolve(parent); !read) {
                return read;
            }
            profile = done_.at(parent);
        }
        profile.id = id;
        profile.inherits = parent;
        root.ignore("schema");
        root.ignore("id");
        profile.name = root.text("name");
        profile.sources = root.texts("sources");
        root.texts("notes");
        profile.until = root.text_or("until", "");
        if (const auto least = root.optional_number("least_compute_capability", Range{1, 99})) {
            profile.least_compute_capability = least;
        }
        if (profile.sources.empty()) {
            root.fail("sources", "names no source, expected where the defaults come from");
        }
        Members members(root);
        read_defaults(members, profile);
        read_kernels(members, profile);
        read_time(root, members, profile);
        read_spreads(root, profile.spreads);
        root.reject_unknown();
        if (Result<void> checked = raw.document.result(); !checked) {
            return checked;
        }
        done_.emplace(id, std::move(profile));
        return {};
    }

    std::vector<SoftwareProfile> take() {
        std::vector<SoftwareProfile> list;
        for (auto& [id, profile] : done_) {
            list.push_back(std::move(profile));
        }
        return list;
    }

private:
    std::map<std::string, Raw>& raws_;
    std::map<std::string, SoftwareProfile> done_;
    std::set<std::string> open_;
};

}  // namespace

Result<std::vector<SoftwareProfile>> read_software_profiles(
    const std::vector<TreePath>& files) {
    std::map<std::string, Raw> raws;
    for (const TreePath& file : files) {
        Result<Document> document = Document::read(file);
        if (!document) {
            return tl::unexpected(document.error());
        }
        Reader root = document->root();
        check_schema(root, "ridgeline/software-profile/1");
        const std::string id = root.text("id");
        if (!id.empty() && id != file.stem()) {
            root.fail("id", fmt::format("expected \"{}\", as the file", file.stem()));
        }
        if (Result<void> checked = document->result(); !checked) {
            return tl::unexpected(checked.error());
        }
        raws.emplace(id, Raw{std::move(*document), file.string()});
    }
    Family family(raws);
    for (const auto& [id, raw] : raws) {
        if (Result<void> read = family.resolve(id); !read) {
            return tl::unexpected(read.error());
        }
    }
    return family.take();
}

}  // namespace ridgeline
