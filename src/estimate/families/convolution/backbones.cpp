// Backbones by the names that detectors and segmenters call them by (detectron2, mmdetection,
// mmsegmentation).
#include "estimate/families/convolution/networks.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ridgeline {
namespace {

struct NamedBackbone {
    std::string_view name;
    std::array<double, 4> layers;
    bool basic = false;
    double groups = 1;
    double group_width = 64;
};

constexpr std::array backbones = {NamedBackbone{"r18", {2, 2, 2, 2}, true},
                                  NamedBackbone{"r34", {3, 4, 6, 3}, true},
                                  NamedBackbone{"r50", {3, 4, 6, 3}},
                                  NamedBackbone{"r101", {3, 4, 23, 3}},
                                  NamedBackbone{"x50-32x4d", {3, 4, 6, 3}, false, 32, 4},
                                  NamedBackbone{"x101-32x4d", {3, 4, 23, 3}, false, 32, 4},
                                  NamedBackbone{"x101-64x4d", {3, 4, 23, 3}, false, 64, 4},
                                  NamedBackbone{"x101-32x8d", {3, 4, 23, 3}, false, 32, 8}};

}  // namespace

NetworkSizes backbone_named(std::string_view name) {
    NetworkSizes sizes;
    std::string plain(name);
    if (plain.starts_with("resnet-")) {
        plain = "r" + plain.substr(7);
    }
    for (const std::string_view word : {"resnext-", "resnext"}) {
        if (plain.starts_with(word)) {
            plain = "x" + plain.substr(word.size());
        }
    }
    std::replace(plain.begin(), plain.end(), '_', '-');
    const bool paper_stem = plain.ends_with("b");  // mmsegmentation: "r50b" has the 7x7 stem
    if (paper_stem) {
        plain.pop_back();
    }
    if (plain.starts_with("mit-b")) {
        const int size = plain.size() > 5 ? std::clamp(plain[5] - '0', 0, 5) : 0;
        static constexpr double depths[6][4] = {{2, 2, 2, 2},  {2, 2, 2, 2},  {3, 4, 6, 3},
                                                {3, 4, 18, 3}, {3, 8, 27, 3}, {3, 6, 40, 3}};
        sizes.type = "mix";
        const double width = size == 0 ? 32 : 64;
        sizes.numbers = {{"depths", {std::begin(depths[size]), std::end(depths[size])}},
                         {"hidden_sizes", {width, 2 * width, 5 * width, 8 * width}}};
        return sizes;
    }
    if (plain.starts_with("swin")) {
        sizes.type = "swin";
        const bool small = plain.ends_with("s");
        sizes.numbers = {{"depths", {2, 2, small ? 18.0 : 6.0, 2}},
                         {"num_heads", {3, 6, 12, 24}},
                         {"embed_dim", {96}}};
        return sizes;
    }
    if (plain.starts_with("convnext")) {
        sizes.type = "convnext";
        const double width = plain.ends_with("xl") ? 256 : plain.ends_with("l") ? 192 : 128;
        sizes.numbers = {{"depths", {3, 3, 27, 3}},
                         {"hidden_sizes", {width, 2 * width, 4 * width, 8 * width}}};
        return sizes;
    }
    const auto found = std::find_if(backbones.begin(), backbones.end(),
                                    [&](const auto& entry) { return entry.name == plain; });
    if (found == backbones.end()) {
        return sizes;
    }
    sizes.type = "resnet";
    sizes.words = {{"block", found->basic ? "basic" : "bottleneck"}};
    sizes.numbers = {{"layers", {found->layers.begin(), found->layers.end()}},
                     {"expansion", {found->basic ? 1.0 : 4.0}},
                     {"groups", {found->groups}},
                     {"width_per_group", {found->group_width}},
                     {"paper_stem", {paper_stem ? 1.0 : 0.0}}};
    return sizes;
}

Pyramid list_backbone(NetworkBuilder& net, const NetworkSizes& backbone, const ImageShape& image,
                      const BackboneHabits& habits) {
    if (backbone.type == "swin") {
        return list_swin_backbone(net, backbone, image);
    }
    if (backbone.type == "convnext") {
        return list_convnext_backbone(net, backbone, image);
    }
    if (backbone.type == "mix") {
        return list_mix_backbone(net, backbone, image);
    }
    net.freeze_norms(habits.frozen_norms);
    Pyramid stages = list_residual_backbone(net, backbone, image, habits);
    net.freeze_norms(false);
    return stages;
}

}  // namespace ridgeline
