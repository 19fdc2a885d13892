#pragma once

#include "estimate/families/network_builder.h"
#include "spec/network.h"

#include <vector>

namespace ridgeline {

/// Pixels of one sample.
struct ImageShape {
    double height = 224;
    double width = 224;
    double depth = 1;  ///< slices of a volume
    double channels = 3;
};

/// Maps of a backbone at falling resolution, finest first, for necks and heads.
using Pyramid = std::vector<Map>;

/// Habits of a residual backbone that its user sets.
struct BackboneHabits {
    int frozen_stages = 0;      ///< stem and so many stages less one do not train
    bool frozen_norms = false;  ///< statistics and scale of batch norm are constants
    std::size_t stages = 4;     ///< of the backbone that are used
    int output_stride = 32;     ///< 8 or 16: later stages are dilated instead of strided
    bool dilates = true;        ///< otherwise they lose their stride alone
};

// One lister an architecture: from sizes in the words of its model file to operators. Each follows
// the reference implementation that the file names as its source.
Pyramid list_residual_backbone(NetworkBuilder& net, const NetworkSizes& sizes,
                               const ImageShape& image, const BackboneHabits& habits);
void list_residual(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_regnet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_vgg(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_densenet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
Pyramid list_mobilenet_v3_backbone(NetworkBuilder& net, const NetworkSizes& sizes,
                                   const ImageShape& image, bool dilated);
void list_mobilenet_v3(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_efficientnet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
Pyramid list_convnext_backbone(NetworkBuilder& net, const NetworkSizes& sizes,
                               const ImageShape& image);
void list_convnext(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
Pyramid list_swin_backbone(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
Pyramid list_mix_backbone(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_swin(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_unet(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_detector(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_segmenter(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
void list_yolo(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);
/// Sizes of a backbone by its usual name ("r50", "resnet-101", "x101-32x4d", "swin-t").
NetworkSizes backbone_named(std::string_view name);
/// Its maps, by the lister of its type.
Pyramid list_backbone(NetworkBuilder& net, const NetworkSizes& backbone, const ImageShape& image,
                      const BackboneHabits& habits);
/// What the model file writes out as rows of operators (docs/model-listings.md); the first map,
/// "a", is the sample.
void list_written(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& sample,
                  std::string_view rows = "listing");
/// A network known by its published multiply-accumulates and activations alone.
void list_published(NetworkBuilder& net, const NetworkSizes& sizes, const ImageShape& image);

/// The width of a channel count times a factor, a multiple of eight that loses at most a tenth.
double rounded_channels(double channels, double divisor = 8);
/// Convolution, batch norm and, unless `kind` is empty, activation.
Map conv_norm(NetworkBuilder& net, const Map& in, double filters, const Window& window,
              double groups = 1);
Map conv_norm_act(NetworkBuilder& net, const Map& in, double filters, const Window& window,
                  ActivationKind kind = ActivationKind::relu, double groups = 1);
/// Global pooling, two products, a gate and the product with the map; parameters with biases.
Map squeeze_excite(NetworkBuilder& net, const Map& in, double reduced, ActivationKind inner);

}  // namespace ridgeline
