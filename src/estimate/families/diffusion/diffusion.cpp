// Pipelines of latent diffusion: text encoders, then the denoiser once or twice a step, then the
// decoder; training runs the denoiser forward and backward over noised latents.
#include "estimate/families/convolution/networks.h"
#include "estimate/families/diffusion/networks.h"
#include "estimate/families/family.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

using Denoiser = void (*)(NetworkBuilder&, const NetworkSizes&, const LatentShape&);

struct NamedDenoiser {
    std::string_view type;
    Denoiser list;
    bool joins_passes;  ///< passes of one step run as one batch
};

void list_written_denoiser(NetworkBuilder& net, const NetworkSizes& sizes,
                           const LatentShape& latent) {
    list_written(net, sizes,
                 {.height = latent.height,
                  .width = latent.width,
                  .depth = latent.frames,
                  .channels = sizes.number("in_channels", 4)});
}

constexpr std::array denoisers = {
    NamedDenoiser{"unet2d", list_unet_denoiser, true},
    NamedDenoiser{"sd3", list_sd3, true},
    NamedDenoiser{"flux", list_flux, true},
    NamedDenoiser{"flux2", list_flux2, false},
    NamedDenoiser{"qwen_image", list_qwen_image, false},
    NamedDenoiser{"hunyuan_video", list_hunyuan_video, true},
    NamedDenoiser{"wan", list_wan, false},
    NamedDenoiser{"cogvideox", list_cogvideox, true},
    NamedDenoiser{"pixart", list_pixart, true},
    NamedDenoiser{"dit", list_single_stream, true},
    NamedDenoiser{"listed_denoiser", list_written_denoiser, true},
};

const NamedDenoiser* denoiser_of(std::string_view type) {
    const auto found = std::find_if(denoisers.begin(), denoisers.end(),
                                    [type](const auto& entry) { return entry.type == type; });
    return found == denoisers.end() ? nullptr : &*found;
}

LatentShape latent_of(const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const Batch& batch = input.workload.batch;
    const double scale = sizes.number("vae_scale", 8);
    const double side = sizes.number("image_size", scale * sizes.number("sample_size", 64));
    const double width = batch.image_size > 0 ? batch.image_size : side;
    // A clip keeps the sides' ratio of its model.
    const double height = batch.image_height > 0
                              ? batch.image_height
                              : width * sizes.number("image_height", side) / side;
    LatentShape latent;
    latent.width = std::floor(width / scale);
    latent.height = std::floor(height / scale);
    const double frames = batch.frames > 0 ? batch.frames : sizes.number("frames", 1);
    const double group = sizes.number("vae_frames", 4);
    latent.frames = frames > 1 ? std::floor((frames - 1) / group) + 1 : 1;
    latent.text_tokens = sizes.number("text_tokens", 77);
    if (input.training() && input.workload.lora) {
        latent.rank = input.workload.lora->rank;
    }
    return latent;
}

/// Rows of a text encoder: hidden, layers, heads, ffn, vocabulary, tokens, gated. Of language
/// models beside them: heads of keys and values, width of a head, norms a layer, norms of heads,
/// tables of relative positions.
std::vector<TextEncoderShape> encoders_of(const NetworkSizes& sizes) {
    constexpr std::size_t columns = 7;
    constexpr std::size_t form_columns = 5;
    std::vector<TextEncoderShape> shapes;
    const auto* rows = sizes.list("text_encoders");
    const auto* forms = sizes.list("text_encoder_forms");
    for (std::size_t i = 0; rows != nullptr && i + columns <= rows->size(); i += columns) {
        const auto at = [&](std::size_t column) { return (*rows)[i + column]; };
        shapes.push_back({.hidden = at(0),
                          .layers = std::clamp(at(1), 1.0, 1000.0),
                          .heads = at(2),
                          .ffn = at(3),
                          .vocabulary = at(4),
                          .tokens = at(5),
                          .gated = at(6) != 0});
        const std::size_t form = i / columns * form_columns;
        if (forms != nullptr && form + form_columns <= forms->size()) {
            TextEncoderShape& shape = shapes.back();
            shape.key_heads = (*forms)[form];
            shape.head_dim = (*forms)[form + 1];
            shape.norms = (*forms)[form + 2];
            shape.head_norm = (*forms)[form + 3] != 0;
            shape.position_tables = (*forms)[form + 4];
        }
    }
    return shapes;
}

AutoencoderShape autoencoder_of(const NetworkSizes& sizes) {
    AutoencoderShape shape;
    if (const auto* channels = sizes.list("vae_channels")) {
        shape.channels = *channels;
    }
    shape.latent_channels = sizes.number("latent_channels", 4);
    shape.layers = sizes.number("vae_layers", 2);
    shape.quantised = sizes.flag("vae_quantised", true);
    shape.taps = sizes.number("frames", 1) > 1 ? 3 : 1;
    return shape;
}

class Pipeline {
public:
    explicit Pipeline(const FamilyInput& input)
        : input_(input), latent_(latent_of(input)), denoiser_(denoiser_of(input.sizes.type)) {}

    Program program() {
        const std::string_view phase = input_.workload.batch.phase;
        const bool whole = phase.empty() || phase == "pipeline";
        const bool conditions = whole && !input_.workload.cached_conditions;
        if (conditions) {
            add_text_encoders();
            // A batch that is stated in latents was encoded before the run (MLPerf's Stable
            // Diffusion reads moments of the autoencoder from its data set).
            if (input_.training() && input_.workload.batch.latent_size <= 0) {
                add_autoencoder("encode images", list_encoder);
            }
        }
        add_denoiser();
        if (!input_.training() && whole) {
            add_autoencoder("decode", list_decoder);
        }
        return std::move(program_);
    }

private:
    [[nodiscard]] PassContext inference_context(double samples) const {
        PassContext context = input_.context;
        context.training = false;
        context.samples = samples;
        return context;
    }

    [[nodiscard]] double guidance() const {
        return std::max(1, input_.workload.batch.guidance_passes);
    }

    /// Passes of guidance that one rank runs.
    [[nodiscard]] double own_guidance() const {
        return std::max(1.0, guidance() / input_.workload.plan.split.guidance);
    }

    int add(SubModel model, bool trains) {
        model.trains = trains;
        program_.models.push_back(std::move(model));
        return static_cast<int>(program_.models.size()) - 1;
    }

    void add_text_encoders() {
        for (const TextEncoderShape& shape : encoders_of(input_.sizes)) {
            NetworkBuilder net(
                inference_context(input_.context.samples * (input_.training() ? 1 : guidance())),
                "text encoder");
            list_text_encoder(net, shape);
            const int at = add(net.finish(), false);
            program_.passes.push_back({.model = at, .keeps = false, .name = "text encoder"});
        }
    }

    void add_autoencoder(std::string_view name,
                         void (*list)(NetworkBuilder&, const AutoencoderShape&,
                                      const LatentShape&)) {
        if (input_.sizes.list("vae_channels") == nullptr) {
            return;
        }
        // Images decode one by one where slicing is on; a clip in groups of two latent frames.
        LatentShape part = latent_;
        part.frames = std::min(part.frames, 2.0);
        const double parts = latent_.frames / part.frames *
                             (latent_.frames > 1 ? input_.sizes.number("vae_frames", 4) / 2 : 1);
        NetworkBuilder net(inference_context(input_.context.samples), "autoencoder");
        net.in_full_precision(overflows());
        list(net, autoencoder_of(input_.sizes), part);
        const int at = add(net.finish(), false);
        program_.passes.push_back(
            {.model = at, .keeps = false, .repeat = std::max(1.0, parts), .name = name});
    }

    /// The autoencoder of SDXL leaves the range of fp16 (force_upcast of its configuration):
    /// scripts that train beside it keep it in fp32 (train_dreambooth_lora_sdxl.py), the pipeline
    /// decodes in fp32 (pipeline_stable_diffusion_xl.py, upcast_vae). Programs that make pictures
    /// alone choose a type of their own (ComfyUI, vae_dtype), compiled pipelines take one that was
    /// mended.
    [[nodiscard]] bool overflows() const {
        const bool serves_alone = input_.software.serves && !input_.software.trains;
        const bool pipeline = !serves_alone && !input_.workload.compiled;
        return (input_.training() || pipeline) && input_.sizes.flag("vae_overflows") &&
               input_.workload.compute == ComputeType::fp16 &&
               input_.software.runtime.kind == RuntimeKind::plain;
    }

    void add_denoiser() {
        PassContext context = input_.context;
        const bool training = input_.training();
        if (!training && denoiser_->joins_passes) {
            context.samples *= own_guidance();
        }
        const bool steered = input_.sizes.flag("controlnet");
        NetworkBuilder net(context, "denoiser");
        if (latent_.rank > 0) {
            net.freeze_weights();
        }
        denoiser_->list(net, input_.sizes, latent_);
        program_.problem = net.problem();
        const int at = add(net.finish(), training && !steered);
        const int control = steered ? add_control(context) : at;
        program_.main = static_cast<std::size_t>(control);
        if (training) {
            add_training(at, control);
            return;
        }
        const double calls = denoiser_->joins_passes ? 1 : own_guidance();
        const double steps =
            input_.workload.batch.phase == "step" ? 1 : std::max(1, input_.workload.batch.steps);
        if (steered) {
            program_.passes.push_back(
                {.model = control, .keeps = false, .repeat = steps * calls, .name = "ControlNet"});
        }
        program_.passes.push_back({.model = at,
                                   .keeps = false,
                                   .repeat = steps * calls,
                                   .serial = 1,
                                   .name = "denoiser"});
    }

    int add_control(const PassContext& context) {
        NetworkBuilder net(context, "ControlNet");
        list_controlnet(net, input_.sizes, latent_);
        return add(net.finish(), input_.training());
    }

    /// Forward through the ControlNet and the denoiser, and back; where there is none they are one.
    void add_training(int denoiser, int control) {
        using enum ProgramPass::Kind;
        if (control != denoiser) {
            program_.passes.push_back({.model = control, .name = "ControlNet"});
        }
        program_.passes.push_back({.model = denoiser, .name = "forward"});
        program_.passes.push_back({.model = denoiser,
                                   .kind = backward,
                                   .weights = control == denoiser,
                                   .name = "backward"});
        if (control != denoiser) {
            program_.passes.push_back(
                {.model = control, .kind = backward, .name = "ControlNet backward"});
        }
        program_.passes.push_back({.model = control, .kind = update, .name = "update"});
    }

    const FamilyInput& input_;
    LatentShape latent_;
    const NamedDenoiser* denoiser_;
    Program program_;
};

Program list_pipeline(const FamilyInput& input) { return Pipeline(input).program(); }

/// A denoiser known by its published multiply-accumulates alone.
Program list_published_denoiser(const FamilyInput& input) {
    PassContext context = input.context;
    const Batch& batch = input.workload.batch;
    context.samples *= input.training() ? 1 : std::max(1, batch.guidance_passes);
    NetworkBuilder net(context, "denoiser");
    ImageShape image;
    const double side =
        input.sizes.number("image_size", input.sizes.number("gmacs_image_size", 64));
    image.width = batch.latent_size > 0 ? batch.latent_size : side;
    image.height = image.width;
    list_published(net, input.sizes, image);
    Program program = program_of_one(net, input.training());
    if (!input.training()) {
        program.passes.front().repeat = std::max(1, batch.steps);
        program.passes.front().name = "denoiser";
    }
    return program;
}

}  // namespace

ProgramLister diffusion_program(std::string_view type) {
    if (type == "diffusion") {
        return list_published_denoiser;
    }
    return denoiser_of(type) != nullptr ? list_pipeline : nullptr;
}

}  // namespace ridgeline
