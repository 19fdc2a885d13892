#pragma once

#include "base/result.h"
#include "estimate/families/network_builder.h"
#include "estimate/work/program.h"
#include "spec/architecture.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <string>
#include <utility>
#include <vector>

namespace ridgeline {

/// Steps of source and of target of a recurrent network that nobody states: the mean sentence of
/// WMT 16 in sub-words.
inline constexpr int usual_recurrent_steps = 28;

/// Whether the model is a program of networks (families/convolution, diffusion, recurrent,
/// adversarial, recommender) rather than a list of transformer layers.
bool has_program(const Architecture& architecture);

/// The program of one micro-batch of training, or of one batch of inference. Precondition:
/// has_program.
Program program_of(const Architecture& architecture, const Workload& workload,
                   const SoftwareProfile& software);

/// Whether ranks share the rows of embedding tables, so that what one of them holds and does
/// depends on how many they are, whatever the plan shards beside.
bool shares_tables(const Architecture& architecture);

/// The workload less what its program does not depend on: micro-batches beyond the first, and the
/// plan but for how the steps of denoising are split, and over how many ranks tables are.
Workload listed_workload(const Architecture& architecture, Workload workload);

/// Exact parameters of the model's own network; 0 for a kind that nobody lists.
double program_parameters(const Architecture& architecture);

/// FLOPs of a forward pass of that network over the samples of its usual program, pictures of that
/// side; 0 for a kind that nobody lists.
///
/// image_size  0: the network's own
double program_flops(const Architecture& architecture, int image_size = 0);

/// The parameters by part of the network, in the order of the forward pass.
std::vector<std::pair<std::string, double>> program_groups(const Architecture& architecture);

/// Whether the sizes of model and workload make a network: images that a layer leaves nothing of
/// are an error that names the field and the layer.
Result<void> check_program(const Architecture& architecture, const Workload& workload);

/// What the model counts its work in: "images", "clips", "utterances", "samples".
std::string_view unit_of(const Architecture& architecture);

/// Side in pixels that a sample of the model has where nobody says; 0: it has none.
int usual_image_size(const Architecture& architecture);
/// Seconds of a sample of a network that hears; 0: it does not.
double usual_audio_seconds(const Architecture& architecture);

/// Samples of an optimizer step where nobody says.
int usual_batch(const Architecture& architecture);

/// How precise the maps of a pass are.
PassContext pass_context(const Workload& workload, const SoftwareProfile& software, double samples);

}  // namespace ridgeline
