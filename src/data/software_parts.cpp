#include "base/text.h"
#include "data/profile_reader.h"
#include "spec/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline {
namespace {

constexpr Range launch_microseconds{0, 1e6};

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
        member = document_.number_or(key, member / microsecond, launch_microseconds) * microsecond;
    }
    void read(std::string_view key, std::optional<double>& member, Range range) {
        const auto value = document_.optional_number(key, range);
        member = value ? value : member;
    }
    void read(std::string_view key, DType& member) { read(key, member, state_type_words()); }
    template <typename E>
    void read(std::string_view key, E& member, Words<E> words) {
        member = document_.optional_choice<E>(key, words).value_or(member);
    }
    template <typename E>
    void read(std::string_view key, E& member,
              std::initializer_list<std::pair<std::string_view, E>> choices) {
        member = document_.optional_choice<E>(key, choices).value_or(member);
    }

private:
    Reader& document_;
};

/// Reads the object at `key` into a part of the profile, where the document has one.
template <typename Part>
void read_part(Reader& document, std::string_view key, Part& part, void (*read)(Reader&, Part&)) {
    if (auto object = document.optional_object(key)) {
        read(*object, part);
    }
}

/// A list of words: each named member is true where its word stands in the list, all others false.
void read_words(Reader& document, std::string_view key,
                std::initializer_list<std::pair<std::string_view, bool*>> members) {
    if (!document.has(key)) {
        return;
    }
    std::vector<std::string> names;
    for (const auto& [name, member] : members) {
        *member = false;
        names.emplace_back(name);
    }
    for (const std::string& word : document.texts(key)) {
        const auto found = std::find_if(members.begin(), members.end(),
                                        [&](const auto& each) { return each.first == word; });
        if (found == members.end()) {
            document.fail(
                key,
                fmt::format("found \"{}\", expected {}", printable(word), fmt::join(names, ", ")),
                did_you_mean(word, names));
        } else {
            *found->second = true;
        }
    }
}

void read_defaults(Reader& document, FrameworkDefaults& defaults) {
    Members members(document);
    members.read("compiled", defaults.compiled);
    members.read("channels_last", defaults.channels_last);
    members.read("weights", defaults.weights);
    members.read("compute", defaults.compute, compute_type_words());
    members.read("master_weights", defaults.master_weights);
    members.read("optimizer_implementation", defaults.optimizer_implementation,
                 implementation_words());
    members.read("lora_weights", defaults.lora_weights);
    members.read("lora_dropout", defaults.lora_dropout, Range{0, 1});
    members.read("recompute", defaults.recompute, recompute_words());
    members.read("sharding", defaults.sharding, sharding_words());
    document.reject_unknown();
}

void read_attention(Reader& document, AttentionProfile& attention) {
    Members members(document);
    members.read("kernel", attention.kernel, attention_words());
    members.read("generation", attention.generation, flash_words());
    read_words(document, "habits",
               {{"repeats_kv", &attention.repeats_kv}, {"fused_qkv", &attention.fused_qkv}});
    document.reject_unknown();
}

void read_loss(Reader& document, LossProfile& loss) {
    Members members(document);
    members.read("kernel", loss.kernel, loss_words());
    members.read("in_place", loss.in_place);
    members.read("upcasts", loss.upcasts);
    members.read("chunk_tokens", loss.chunk_tokens, Range{0, 1e9});
    members.read<HeldLogits>("held", loss.held,
                             {{"none", HeldLogits::none},
                              {"as_made", HeldLogits::as_made},
                              {"as_fp32", HeldLogits::as_fp32},
                              {"measured", HeldLogits::measured}});
    members.read("outlives_step", loss.outlives_step);
    document.reject_unknown();
}

void read_adapter(Reader& document, AdapterProfile& adapter) {
    Members members(document);
    members.read<Quantizer>(
        "quantizer", adapter.quantizer,
        {{"bitsandbytes", Quantizer::bitsandbytes}, {"lightning", Quantizer::lightning}});
    members.read<Upcast>(
        "upcasts", adapter.upcasts,
        {{"none", Upcast::none}, {"norms", Upcast::norms}, {"rest", Upcast::rest}});
    members.read("fused", adapter.fused);
    document.reject_unknown();
}

void read_kernels(Reader& document, KernelProfile& kernels) {
    Members members(document);
    members.read<NormKernel>("norm", kernels.norm,
                             {{"eager", NormKernel::eager},
                              {"eager_fp32_scale", NormKernel::eager_fp32_scale},
                              {"torch", NormKernel::torch},
                              {"fused", NormKernel::fused}});
    members.read<ActivationKernel>("activation", kernels.activation,
                                   {{"eager", ActivationKernel::eager},
                                    {"modules", ActivationKernel::modules},
                                    {"fused", ActivationKernel::fused}});
    read_part(document, "attention", kernels.attention, read_attention);
    read_part(document, "loss", kernels.loss, read_loss);
    read_part(document, "adapter", kernels.adapter, read_adapter);
    document.reject_unknown();
}

/// "2.10".
void read_version(Reader& document, std::string_view key, Version& version) {
    const std::string text = document.text_or(key, "");
    if (text.empty()) {
        return;
    }
    const char* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, version.major);
    const bool parted = major.ec == std::errc() && major.ptr != end && *major.ptr == '.';
    const auto minor = parted ? std::from_chars(major.ptr + 1, end, version.minor) : major;
    if (!parted || minor.ec != std::errc() || minor.ptr != end) {
        document.fail(key, "expected a release such as \"2.10\"");
    }
}

void read_libraries(Reader& document, Libraries& libraries) {
    read_version(document, "torch", libraries.torch);
    read_version(document, "transformers", libraries.transformers);
    read_version(document, "bitsandbytes", libraries.bitsandbytes);
    document.reject_unknown();
}

void read_options(Reader& document, RuntimeOptions& options) {
    Members members(document);
    members.read("autocast", options.autocast);
    members.read("plain_sgd", options.plain_sgd);
    members.read<FsdpTables>("tables", options.tables,
                             {{"root", FsdpTables::root}, {"separate", FsdpTables::separate}});
    members.read("reduce", options.reduce);
    members.read("bucket_elements", options.bucket_elements, any_size);
    members.read("expert_rows_multiple", options.expert_rows_multiple, Range{1, 4096});
    members.read<Tf32Use>("tf32", options.tf32,
                          {{"never", Tf32Use::never},
                           {"convolutions", Tf32Use::convolutions},
                           {"always", Tf32Use::always}});
    members.read("launch_per_kernel_us", options.launch_per_kernel);
    members.read("launch_per_call_us", options.launch_per_call);
    members.read("launch_per_sample_us", options.launch_per_sample);
    members.read("matrix_share", options.matrix_share, Range{0.1, 1.5});
    read_words(document, "overlaps",
               {{"tensor_parallel", &options.overlaps_tensor_parallel},
                {"expert_parallel", &options.overlaps_expert_parallel}});
    read_words(document, "holds",
               {{"untied_embeddings", &options.untied_embeddings},
                {"unsharded_gradients", &options.accumulates_unsharded},
                {"wide_shards", &options.wide_shards},
                {"shards_by_parameter", &options.shards_by_parameter},
                {"exchanges", &options.saves_exchanges},
                {"recomputed_outputs", &options.reentrant_checkpoints},
                {"checkpoint", &options.checkpoint_on_device}});
    document.reject_unknown();
}

void read_runtime(Reader& document, RuntimeProfile& runtime) {
    Members members(document);
    members.read<RuntimeKind>("kind", runtime.kind,
                              {{"plain", RuntimeKind::plain},
                               {"fsdp1", RuntimeKind::fsdp1},
                               {"fsdp2", RuntimeKind::fsdp2},
                               {"megatron", RuntimeKind::megatron},
                               {"engine", RuntimeKind::engine}});
    read_part(document, "libraries", runtime.libraries, read_libraries);
    read_part(document, "options", runtime.options, read_options);
    document.reject_unknown();
}

void read_allocator(Reader& document, AllocatorProfile& allocator) {
    Members members(document);
    members.read("replays", allocator.replays);
    members.read<ExpandableSegments>("expandable", allocator.expandable,
                                     {{"never", ExpandableSegments::never},
                                      {"on_one_node", ExpandableSegments::on_one_node},
                                      {"always", ExpandableSegments::always}});
    members.read("fragmentation", allocator.fragmentation, Range{0, 10});
    members.read("fragmentation_kept", allocator.fragmentation_kept, Range{0, 10});
    document.reject_unknown();
}

/// Where room for a part of the answers is reserved: SGLang's new_token_ratio at the start.
constexpr double most_of_output = 0.7;
/// Steps that prompts wait for others, and the share of an iteration at which they wait no longer:
/// max_waiting_tokens and waiting_served_ratio of Text Generation Inference.
constexpr double waiting_steps = 20;
constexpr double waiting_share = 0.3;

/// How the scheduler composes an iteration, and what the engine asks of checkpoints, in words.
void read_habits(Reader& document, EngineProfile& engine) {
    if (!document.has("habits")) {
        return;
    }
    bool prompts_first = false;
    bool whole_prompts = false;
    bool reserves_most = false;
    bool reserves_all = false;
    bool waits = false;
    bool eager_prompts = false;
    read_words(document, "habits",
               {{"quantized_cache", &engine.quantized_cache},
                {"half_accumulate", &engine.half_accumulate},
                {"absorbs_prompts", &engine.absorbs_prompts},
                {"sorts_experts", &engine.sorts_experts},
                {"eager_prompts", &eager_prompts},
                {"prompts_first", &prompts_first},
                {"whole_prompts", &whole_prompts},
                {"reserves_most", &reserves_most},
                {"reserves_all", &reserves_all},
                {"prompts_wait", &waits}});
    engine.prompt_graphs = !eager_prompts;
    SchedulerProfile scheduler;
    scheduler.prompts = prompts_first ? PromptPolicy::prompts_first : PromptPolicy::mixed;
    scheduler.chunks = !whole_prompts;
    scheduler.reserved_output = reserves_all ? 1 : reserves_most ? most_of_output : 0;
    scheduler.prompt_wait_iterations = waits ? waiting_steps : 0;
    scheduler.prompt_wait_share = waits ? waiting_share : scheduler.prompt_wait_share;
    engine.scheduler = scheduler;
}

/// Shares of calibrated rates, which replace those of the profile that it inherits. Those of
/// prompts and of a narrow cache go by architecture, the others hold for all.
void read_shares(Reader& document, EngineProfile& engine) {
    if (!document.has("rate_shares")) {
        return;
    }
    engine.prompt_shares.clear();
    engine.narrow_cache_shares.clear();
    double prompts = 1;
    double narrow_cache = 1;
    using Rate = double*;
    const std::initializer_list<std::pair<std::string_view, Rate>> kinds = {
        {"prompts", &prompts},
        {"narrow_cache", &narrow_cache},
        {"attention", &engine.attention_share},
        {"integer_products", &engine.integer_share},
        {"stacked_memory", &engine.stacked_memory_share}};
    for (const auto& kind : kinds) {
        *kind.second = 1;
    }
    engine.integer_share = 0;
    for (Reader& entry : document.objects("rate_shares")) {
        Rate rate = entry.optional_choice<Rate>("of", kinds).value_or(&prompts);
        *rate = entry.number("share", Range{0.01, 1});
        if (rate == &prompts || rate == &narrow_cache) {
            auto& shares = rate == &prompts ? engine.prompt_shares : engine.narrow_cache_shares;
            shares.push_back({entry.text_or("architecture", ""), *rate});
        }
        entry.reject_unknown();
    }
}

void read_card_sizes(Reader& document, EngineProfile& engine) {
    if (!document.has("card_sizes")) {
        return;
    }
    engine.card_sizes.clear();
    for (Reader& entry : document.objects("card_sizes")) {
        CardSizes sizes;
        sizes.below_gib = entry.number_or("below_gib", 0, any_size);
        sizes.chips = entry.has("chips") ? entry.texts("chips") : std::vector<std::string>();
        sizes.iteration_tokens = entry.number_or("iteration_tokens", 0, any_size);
        sizes.sequences = entry.number_or("sequences", 0, any_size);
        entry.reject_unknown();
        engine.card_sizes.push_back(std::move(sizes));
    }
}

void read_engine(Reader& document, EngineProfile& engine) {
    Members members(document);
    read_card_sizes(document, engine);
    members.read("memory_fraction", engine.memory_fraction, Range{0.01, 1});
    members.read<MemoryShare>("memory_fraction_of", engine.memory_fraction_of,
                              {{"card", MemoryShare::card},
                               {"weights_and_cache", MemoryShare::weights_and_cache},
                               {"free_after_weights", MemoryShare::free_after_weights}});
    members.read("kernel_gap_us", engine.kernel_gap);
    members.read("request_overhead_us", engine.request_overhead);
    members.read("front_end_us", engine.front_end);
    members.read("step_overhead_us", engine.step_overhead);
    members.read("all_reduce_latency_us", engine.all_reduce_latency);
    read_words(document, "fuses",
               {{"products", &engine.fuses_products},
                {"neighbours", &engine.fuses_neighbours},
                {"epilogues", &engine.fuses_epilogues}});
    read_shares(document, engine);
    if (document.has("shared_query_groups")) {
        engine.shared_query_groups.clear();
        for (const double size : document.numbers("shared_query_groups", Range{1, 1024})) {
            engine.shared_query_groups.push_back(static_cast<int>(size));
        }
    }
    members.read("pipeline_overlap", engine.pipeline_overlap, Range{0, 1});
    read_habits(document, engine);
    document.reject_unknown();
}

void read_preference(Reader& document, PreferenceHabits& habits) {
    Members members(document);
    members.read("placement", habits.placement, placement_words());
    members.read("memory_fraction", habits.memory_fraction, Range{0.01, 1});
    members.read("engine_sleeps", habits.engine_sleeps);
    members.read("offloads_states", habits.offloads_states);
    members.read("reference_waits", habits.reference_waits);
    members.read("packs", habits.packs);
    document.reject_unknown();
}

}  // namespace

void read_chips(Reader& document, ChipSupport& chips) {
    if (document.has("makers")) {
        chips.makers = document.texts("makers");
    }
    Members members(document);
    constexpr Range capability{1, 99};
    members.read("least", chips.least, capability);
    if (auto types = document.optional_object("least_of")) {
        chips.least_of.clear();
        for (const std::string& type : types->keys()) {
            chips.least_of.emplace_back(type, types->number(type, capability));
        }
    }
    if (document.has("cannot_read")) {
        chips.cannot_read = document.texts("cannot_read");
    }
    members.read("least_of_wheels", chips.least_of_wheels, capability);
    document.reject_unknown();
}

void read_software_parts(Reader& document, SoftwareProfile& profile) {
    read_part(document, "defaults", profile.defaults, read_defaults);
    read_part(document, "kernels", profile.kernels, read_kernels);
    read_part(document, "runtime", profile.runtime, read_runtime);
    read_part(document, "allocator", profile.allocator, read_allocator);
    read_part(document, "engine", profile.engine, read_engine);
    read_part(document, "preference", profile.preference, read_preference);
    ParallelSupport& support = profile.support;
    read_words(document, "support",
               {{"tensor", &support.tensor},
                {"pipeline", &support.pipeline},
                {"context", &support.context},
                {"expert", &support.expert},
                {"adapters", &support.adapters},
                {"offload_optimizer", &support.offload_optimizer},
                {"offload_parameters", &support.offload_parameters},
                {"offload_activations", &support.offload_activations},
                {"always_shards", &support.always_shards},
                {"shards_optimizer_alone", &support.shards_optimizer_alone},
                {"checkpoints_on_host", &support.checkpoints_on_host},
                {"streams_weights", &support.streams_weights},
                {"layers_on_host", &profile.engine.splits_layers}});
}

}  // namespace ridgeline
