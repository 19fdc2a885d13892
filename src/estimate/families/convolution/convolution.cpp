// Networks over images: one pass forward, and one backward when they train.
#include "estimate/families/convolution/networks.h"
#include "estimate/families/family.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

struct KernelSides {
    double channels, filters, taps;
};

/// The product as the matrix units see it: channels in whole vectors of 16 bytes, and the long sum
/// of a weight gradient in pieces that run side by side.
void fill_units(GemmShape& gemm, std::string_view pass, KernelSides sides, double bytes) {
    constexpr double vector_bytes = 16;
    constexpr double piece = 128;
    const double multiple = bytes < 4 ? vector_bytes / bytes : 1;
    const double channels = std::ceil(sides.channels / multiple) * multiple;
    const double filters = std::ceil(sides.filters / multiple) * multiple;
    if (pass == "backward_weight") {
        const double pieces = std::max(1.0, std::floor(gemm.k / piece));
        gemm = {.m = filters, .n = channels * sides.taps, .k = gemm.k / pieces, .count = pieces};
    } else if (pass == "backward_data") {
        gemm.k *= filters / sides.filters;
        gemm.n = channels;
    } else {
        gemm.n = filters;
        gemm.k = channels * sides.taps;
    }
}

/// tile: side of a window that tiles of outputs compute with fewer products; 0: none.
std::string_view kernel_name(std::string_view pass, double tile) {
    const bool gradient = pass == "backward_weight";
    if (tile == 3) {
        return gradient ? winograd_gradient : winograd_convolution;
    }
    if (tile == 5) {
        return gradient ? wide_gradient : wide_convolution;
    }
    // The gradient of the input is a convolution with the weights turned.
    return gradient                  ? convolution_gradient
           : pass == "backward_data" ? convolution_input_gradient
                                     : "convolution";
}

/// One call of a convolution: forward, or the gradient of its input or of its weight. Each is a
/// product of the same size, whose rows are what it writes.
void list_convolution_kernel(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape&) {
    const double channels = sizes.number("c", 1);
    const double filters = sizes.number("k", 1);
    const double height = sizes.number("h", 1);
    const double width = sizes.number("w", 1);
    const double rows = sizes.number("r", 1);
    const double columns = sizes.number("s", rows);
    const double stride = sizes.number("stride_h", 1);
    const double across = sizes.number("stride_w", stride);
    const auto steps = [](double side, double pad, double kernel, double step) {
        return std::floor((side + 2 * pad - kernel) / step) + 1;
    };
    const Map in = net.input(channels, height, width);
    const Map out = net.made(filters, 1, steps(height, sizes.number("pad_h", 0), rows, stride),
                             steps(width, sizes.number("pad_w", 0), columns, across));
    const std::string_view pass = sizes.word("pass");
    const double samples = net.context().samples;
    const double taps = rows * columns;
    const bool steps_by_one = stride == 1 && across == 1 && channels >= 16;
    const double tile = steps_by_one && rows == columns ? rows : 0;
    Operator& op =
        net.add_operator(kernel_name(pass, tile), Role::linear, OperatorClass::convolution);
    op.gemm = {.m = samples * out.positions(), .n = filters, .k = channels * taps, .count = 1};
    if (pass == "backward_data") {
        op.gemm = {.m = samples * in.positions(),
                   .n = channels,
                   .k = op.gemm.m * filters * taps / (samples * in.positions()),
                   .count = 1};
    } else if (pass == "backward_weight") {
        op.gemm = {.m = filters, .n = channels * taps, .k = op.gemm.m, .count = 1};
    }
    op.forward = op.gemm.flops();
    fill_units(op.gemm, pass, {channels, filters, taps}, net.context().bytes);
    // A window that is smaller than its step never reads what lies between; a gradient fills it,
    // and where windows step vector units clear it first and add to it: written, read and written
    // again.
    const bool vectors = net.context().bytes >= 4;
    const double steps_over = vectors && (stride > 1 || across > 1) ? 4 : 1;
    const double seen = pass == "backward_data"
                            ? steps_over
                            : std::min(1.0, rows / stride) * std::min(1.0, columns / across);
    op.forward_traffic =
        Bytes::of_base(net.context().bytes * (samples * (seen * in.elements() + out.elements()) +
                                              filters * channels * taps));
}

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
    NamedLister{"mobilenet_v3", list_mobilenet_v3},
    NamedLister{"efficientnet", list_efficientnet},
    NamedLister{"convnext", list_convnext},
    NamedLister{"swin", list_swin},
    NamedLister{"unet", list_unet},
    NamedLister{"detection", list_detector},
    NamedLister{"segmentation", list_segmenter},
    NamedLister{"yolo", list_yolo},
    NamedLister{"conv2d_kernel", list_convolution_kernel},
    NamedLister{"convnet", list_published},
    NamedLister{"vit", list_published},
};

const NamedLister* lister_of(std::string_view type) {
    const auto found = std::find_if(listers.begin(), listers.end(),
                                    [type](const auto& entry) { return entry.type == type; });
    return found == listers.end() ? nullptr : &*found;
}

Program list_convolution_program(const FamilyInput& input) {
    NetworkBuilder net(input.context, input.sizes.type);
    lister_of(input.sizes.type)->list(net, input.sizes, image_of(input));
    return program_of_one(net, input.training());
}

}  // namespace

ImageShape image_of(const FamilyInput& input) {
    const Batch& batch = input.workload.batch;
    const double side =
        input.sizes.number("image_size", input.sizes.number("gmacs_image_size", 224));
    ImageShape image;
    image.width = batch.image_size > 0 ? batch.image_size : side;
    image.height = batch.image_height > 0
                       ? batch.image_height
                       : image.width * input.sizes.number("image_height", side) / side;
    // Of a volume a side alone is that of a cube, or of what its network reads as a rule.
    const double slices = input.sizes.number("image_depth", 1) *
                          (input.sizes.flag("volume") ? image.width / side : 1);
    image.depth = batch.image_depth > 0 ? batch.image_depth : slices;
    image.channels = input.sizes.number("in_channels", 3);
    return image;
}

ProgramLister convolution_program(std::string_view type) {
    return lister_of(type) != nullptr ? list_convolution_program : nullptr;
}

}  // namespace ridgeline
