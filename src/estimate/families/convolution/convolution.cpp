// Networks over images: one pass forward, and one backward when they train.
#include "estimate/families/convolution/networks.h"
#include "estimate/families/family.h"

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

using NetworkLister = void (*)(NetworkBuilder&, const NetworkSizes&, const ImageShape&);

struct NamedLister {
    std::string_view type;
    NetworkLister list;
};

constexpr std::array listers = {
    NamedLister{"resnet", list_residual},
    NamedLister{"regnet", list_regnet},
    NamedLister{"vgg", list_vgg},
    NamedLister{"densenet", list_densenet},
    NamedLister{"squeezenet", list_squeezenet},
    NamedLister{"shufflenet_v2", list_shufflenet},
    NamedLister{"inception_v3", list_inception},
    NamedLister{"mobilenet_v2", list_mobilenet_v2},
    NamedLister{"mobilenet_v3", list_mobilenet_v3},
    NamedLister{"mnasnet", list_mnasnet},
    NamedLister{"efficientnet", list_efficientnet},
    NamedLister{"convnext", list_convnext},
    NamedLister{"swin", list_swin},
    NamedLister{"vision_transformer", list_vit},
    NamedLister{"unet", list_unet},
    NamedLister{"detection", list_detector},
    NamedLister{"segmentation", list_segmenter},
    NamedLister{"yolo", list_yolo},
    NamedLister{"convnet", list_published},
    NamedLister{"vit", list_published},
};

const NamedLister* lister_of(std::string_view type) {
    const auto found = std::find_if(
        listers.begin(), listers.end(), [type](const auto& entry) { return entry.type == type; });
    return found == listers.end() ? nullptr : &*found;
}

ImageShape image_of(const FamilyInput& input) {
    const Batch& batch = input.workload.batch;
    const double side = input.sizes.number("image_size", input.sizes.number("gmacs_image_size", 224));
    ImageShape image;
    image.width = batch.image_size > 0 ? batch.image_size : side;
    image.height = batch.image_height > 0
                       ? batch.image_height
                       : image.width * input.sizes.number("image_height", side) / side;
    image.depth = batch.image_depth > 0 ? batch.image_depth : input.sizes.number("image_depth", 1);
    image.channels = input.sizes.number("in_channels", 3);
    return image;
}

Program list_program(const FamilyInput& input) {
    NetworkBuilder net(input.context, input.sizes.type);
    lister_of(input.sizes.type)->list(net, input.sizes, image_of(input));
    Program program;
    program.problem = net.problem();
    program.models.push_back(net.finish());
    program.models.back().trains = input.training();
    program.passes = simple_passes(input.training());
    return program;
}

}  // namespace

ProgramLister convolution_program(std::string_view type) {
    return lister_of(type) != nullptr ? list_program : nullptr;
}

}  // namespace ridgeline
