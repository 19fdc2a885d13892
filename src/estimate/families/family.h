#pragma once

#include "estimate/families/network_builder.h"
#include "spec/architecture.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

namespace ridgeline {

/// What a family makes a program from.
struct FamilyInput {
    const Architecture& architecture;
    const NetworkSizes& sizes;
    const Workload& workload;
    const SoftwareProfile& software;
    PassContext context;

    [[nodiscard]] bool training() const { return workload.task == Task::train; }
};

using ProgramLister = Program (*)(const FamilyInput&);

struct ImageShape;

/// Pixels of a sample: what the workload asks for, else what the model is made for.
ImageShape image_of(const FamilyInput& input);

/// Forward; when it trains, backward and update as well.
std::vector<ProgramPass> simple_passes(bool training);

/// The program of one network that runs, and trains where the workload does, as a whole.
Program program_of_one(NetworkBuilder& net, bool training);

// One a family; each knows the kinds of its own folder.
ProgramLister convolution_program(std::string_view type);
ProgramLister adversarial_program(std::string_view type);
ProgramLister diffusion_program(std::string_view type);
ProgramLister recurrent_program(std::string_view type);
ProgramLister recommender_program(std::string_view type);
ProgramLister graph_program(std::string_view type);
ProgramLister listing_program(std::string_view type);

}  // namespace ridgeline
