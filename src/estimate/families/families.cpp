#include "estimate/families/families.h"

#include "estimate/families/adapters.h"
#include "estimate/families/family.h"

#include <fmt/format.h>

#include <array>

namespace ridgeline {
namespace {

using Family = ProgramLister (*)(std::string_view);

struct NamedFamily {
    Family lister;
    std::string_view unit;
    int batch = 256;      ///< samples of an optimizer step where nobody says
    bool pixels = false;  ///< a sample has sides
};

constexpr std::array families = {
    NamedFamily{convolution_program, "images", 256, true},
    NamedFamily{diffusion_program, "images", 4, true},  // --train_batch_size of diffusers' scripts
    NamedFamily{adversarial_program, "images", 32, true},
    NamedFamily{recurrent_program, "utterances"},
    NamedFamily{recommender_program, "samples", 65536},
    NamedFamily{listing_program, "images", 256, true},
    NamedFamily{graph_program, "samples", 32}};

const NamedFamily* family_of(const Architecture& architecture) {
    if (!architecture.network) {
        return nullptr;
    }
    for (const NamedFamily& family : families) {
        if (family.lister(architecture.network->type) != nullptr) {
            return &family;
        }
    }
    return nullptr;
}

/// A step of the size that the model is made for.
Program usual_program(const Architecture& architecture, int image_size = 0,
                      Task task = Task::train) {
    Workload workload;
    workload.task = task;
    workload.batch.image_size = image_size > 0 ? image_size : usual_image_size(architecture);
    return program_of(architecture, workload, SoftwareProfile{});
}

/// Bytes of a map's element while products run in that type.
double map_bytes(ComputeType compute) {
    switch (compute) {
        case ComputeType::fp32:
        case ComputeType::tf32:
            return 4;
        case ComputeType::fp64:
            return 8;
        case ComputeType::int8:
            return 1;
        default:
            return 2;
    }
}

}  // namespace

std::vector<ProgramPass> simple_passes(bool training) {
    using enum ProgramPass::Kind;
    std::vector<ProgramPass> passes{{.kind = forward, .keeps = training, .name = "forward"}};
    if (training) {
        passes.push_back({.kind = backward, .name = "backward"});
        passes.push_back({.kind = update, .name = "update"});
    }
    return passes;
}

Program program_of_one(NetworkBuilder& net, bool training) {
    Program program;
    program.problem = net.problem();
    program.models.push_back(net.finish());
    program.models.back().trains = training;
    program.passes = simple_passes(training);
    return program;
}

bool has_program(const Architecture& architecture) { return family_of(architecture) != nullptr; }

bool takes_adapters(const Architecture& architecture) {
    const NamedFamily* family = family_of(architecture);
    return family == nullptr || family->lister == diffusion_program;
}

PassContext pass_context(const Workload& workload, const SoftwareProfile& software,
                         double samples) {
    PassContext context;
    context.samples = samples;
    context.bytes = map_bytes(workload.compute);
    context.training = workload.task == Task::train;
    if (context.training && workload.lora) {
        context.adapter_bytes = bytes_per_element(workload.lora->weights);
    }
    // Under autocast, layer norm, group norm and softmax compute in fp32. Adapters wider than what
    // the products compute in need it.
    const bool autocast =
        software.runtime.autocasts(workload.plan.sharding) || context.adapter_bytes > context.bytes;
    context.norm_bytes = autocast ? 4 : context.bytes;
    context.flash = workload.attention != AttentionKernel::eager;
    // Engines build the kernel for the graph (TensorRT developer guide, fusions of multi-head
    // attention).
    context.adds_to_scores = software.runtime.kind == RuntimeKind::engine && !context.training;
    return context;
}

Program program_of(const Architecture& architecture, const Workload& workload,
                   const SoftwareProfile& software) {
    const NamedFamily* family = family_of(architecture);
    if (family == nullptr) {
        return {};
    }
    const FamilyInput input{architecture, *architecture.network, workload, software,
                            pass_context(workload, software, workload.batch.micro)};
    Program program = family->lister(architecture.network->type)(input);
    program.unit = unit_of(architecture);
    return program;
}

bool shares_tables(const Architecture& architecture) {
    return architecture.network && architecture.network->type == "recommender";
}

Workload listed_workload(const Architecture& architecture, Workload workload) {
    const Plan& plan = workload.plan;
    workload.plan = {.data = shares_tables(architecture) ? plan.data : 1, .split = plan.split};
    workload.batch.global = workload.batch.micro;
    return workload;
}

double program_parameters(const Architecture& architecture) {
    const Program program = usual_program(architecture);
    return program.models.empty() ? 0 : program.models[program.main].parameters;
}

double program_flops(const Architecture& architecture, int image_size) {
    const Program program = usual_program(architecture, image_size);
    double flops = 0;
    if (!program.models.empty()) {
        for (const Block& block : program.models[program.main].blocks) {
            for (const Operator& op : block.operators) {
                flops += op.forward / flop * block.repeat;
            }
        }
    }
    return flops;
}

std::vector<std::pair<std::string, double>> program_groups(const Architecture& architecture) {
    std::vector<std::pair<std::string, double>> groups;
    const Program program = usual_program(architecture);
    if (program.models.empty()) {
        return groups;
    }
    for (const Block& block : program.models[program.main].blocks) {
        double parameters = 0;
        for (const Operator& op : block.operators) {
            parameters += op.parameters * block.repeat;
        }
        if (groups.empty() || groups.back().first != block.name) {
            groups.emplace_back(block.name, 0);
        }
        groups.back().second += parameters;
    }
    return groups;
}

namespace {

/// Whether the weights of a network that is written out fit pictures of its usual size alone:
/// products over the positions (MLP-Mixer) would have other ones.
bool weights_need_usual_size(const Architecture& architecture, const Workload& workload,
                             const Program& program) {
    const Batch& batch = workload.batch;
    const int usual = usual_image_size(architecture);
    const bool same =
        (batch.image_size == usual || batch.image_size <= 0) && batch.image_height <= 0;
    if (architecture.network->type != "listed" || same || usual <= 0 || program.models.empty() ||
        !program.problem.empty()) {
        return false;
    }
    return program.models[program.main].parameters !=
           usual_program(architecture, usual, workload.task).models[program.main].parameters;
}

}  // namespace

Result<void> check_program(const Architecture& architecture, const Workload& workload) {
    const NetworkSizes& sizes = *architecture.network;
    const bool published =
        sizes.type == "convnet" || sizes.type == "vit" || sizes.type == "diffusion";
    const bool named = sizes.type == "recurrent" && sizes.number("hidden_size", 0) <= 0;
    if (named) {
        return input_error(
            "model",
            fmt::format("\"{}\" is no network that is known here, and states no sizes",
                        architecture.name),
            "See `ridgeline profiles list`.");
    }
    if (published && sizes.number("gmacs", 0) <= 0) {
        return input_error("model",
                           fmt::format("\"{}\" is no network that is known here, and states "
                                       "neither layers nor \"gmacs\"",
                                       architecture.name),
                           "See `ridgeline profiles list`, or add gmacs, params_m and image_size.");
    }
    const Program program = program_of(architecture, workload, SoftwareProfile{});
    const bool fixed = weights_need_usual_size(architecture, workload, program);
    if (program.problem.empty() && !fixed) {
        return {};
    }
    const Batch& batch = workload.batch;
    const int height = batch.image_height > 0 ? batch.image_height : batch.image_size;
    return input_error(
        "batch.image_size",
        fixed
            ? fmt::format("found {} x {}, but the weights of \"{}\" mix the positions of one size",
                          height, batch.image_size, architecture.name)
            : fmt::format("found {} x {}, of which the layer \"{}\" of \"{}\" leaves nothing",
                          height, batch.image_size, program.problem, architecture.name),
        fmt::format("The model is made for {}.", usual_image_size(architecture)));
}

std::string_view unit_of(const Architecture& architecture) {
    const NamedFamily* family = family_of(architecture);
    if (family == nullptr) {
        return "samples";
    }
    const NetworkSizes& sizes = *architecture.network;
    const std::string_view stated = sizes.word("unit");
    return !stated.empty()                      ? stated
           : sizes.number("sample_rate", 0) > 0 ? "utterances"
           : sizes.number("fps", 0) > 0         ? "clips"
                                                : family->unit;
}

int usual_batch(const Architecture& architecture) {
    const NamedFamily* family = family_of(architecture);
    return family == nullptr ? 1 : family->batch;
}

double usual_audio_seconds(const Architecture& architecture) {
    return architecture.network ? architecture.network->number("audio_seconds", 0) : 0;
}

int usual_image_size(const Architecture& architecture) {
    const NamedFamily* family = family_of(architecture);
    if (family == nullptr || !family->pixels) {
        return 0;
    }
    const NetworkSizes& sizes = *architecture.network;
    if (sizes.type == "hifigan" || sizes.number("sample_rate", 0) > 0) {
        return 0;
    }
    return sizes.whole("image_size",
                       sizes.whole("gmacs_image_size", sizes.whole("resolution", 224)));
}

}  // namespace ridgeline
