#include "advise/reading/models/datasets.h"
#include "advise/reading/reading.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

// How long networks are usually trained: by the paper, reference or example that trains them.

namespace ridgeline::reading {
namespace {

/// The run that a kind of network is usually trained for, by the beginning of its id.
struct NamedRun {
    std::string_view begins;
    UsualRun run;
};
constexpr double coco_images = 118'287;  // train2017
constexpr NamedRun usual_runs[] = {
    // Baevski et al. 2020 (arXiv 2006.11477), 4.2: 400,000 updates of 1.6 hours of speech; an
    // utterance of LibriSpeech lasts 12.3 s
    {"wav2vec2-base",
     {400e3 * 1.6 * 3600 / 12.3, 1,
      "400,000 updates of 1.6 hours of speech, as its paper trains it", 0, false, 0, 468}},
    // The same, appendix B: of the large one 320,000 updates of all 960 hours, 24 cards of 80 s
    // each
    {"wav2vec2-large",
     {320e3 * 24 * 80 / 12.3, 1, "320,000 updates of half an hour of speech, as its paper tunes it",
      0, false, 0, 156}},
    // NVIDIA DeepLearningExamples GNMT: 6 epochs of WMT16 English to German, 4.5 million pairs
    {"gnmt", {4.5e6, 6, "WMT16 English to German, as NVIDIA's example trains it"}},
    // Xie et al. 2021 (arXiv 2105.15203), 4.1: 160,000 steps of 16 of ADE20K
    {"segformer", {160e3 * 16, 1, "160,000 steps of 16 pictures, as its paper trains it", 16}},
    // facebookresearch/detr main.py: --epochs, default 300, --batch_size 2 of each of 8 cards; no
    // mixed precision
    {"detr", {coco_images, 300, "COCO, as its reference's default has it", 0, true, 0, 16}},
    // NVlabs/stylegan3 train.py: --kimg, default 25000
    {"stylegan", {25e6, 1, "the 25,000 kimg of its reference"}},
    // Ho et al. 2020 (arXiv 2006.11239), appendix B: 800,000 steps of 128
    {"ddpm",
     {800e3 * 128, 1, "800,000 steps of 128 pictures, as its paper trains it", 0, false, 0, 128}},
    // Peebles and Xie 2023 (arXiv 2212.09748), table 4: 7 million steps of 256
    {"dit-",
     {7e6 * 256, 1, "7 million steps of 256 pictures, as its paper trains it", 0, false, 0, 256}},
    // Kong et al. 2020 (arXiv 2010.05646): 2.5 million steps; jik876/hifi-gan config_v1.json: 16
    // segments each
    {"hifi-gan", {40e6, 1, "2.5 million steps of 16 segments, as its paper trains it", 16}},
    // mlcommons/training recommendation_v2: one pass over days 0 to 22 of Criteo's click logs
    {"dlrm", {4'195'197'692, 1, "one pass over Criteo's 1 TB of clicks, as MLPerf trains it"}},
    // pytorch/examples dcgan/main.py: --niter, default 25, --batchSize 64
    {"dcgan", {202'599, 25, "CelebA, as PyTorch's example trains it", 0, false, 0, 64}},
    // junyanz/pytorch-CycleGAN-and-pix2pix train.py: 100 epochs and 100 more that slow down; the
    // 400 pictures of facades, the larger side of horse2zebra
    {"pix2pix", {400, 200, "the 400 facades, as its reference trains it", 1}},
    {"cyclegan", {1334, 200, "horse2zebra, as its reference trains it", 1}},
    // Zaremba et al. 2014 (arXiv 1409.2329): 929k words in sequences of 35, the large network for
    // 55 epochs
    {"ptb-lstm",
     {929e3 / 35, 55,
      "Penn Treebank, sequences of 35 words, as Zaremba et al. train the large network"}},
    // ultralytics cfg/default.yaml: epochs 100, batch 16
    {"yolo", {coco_images, 100, "COCO, as its reference's default has it", 0, false, 0, 16}},
    // pytorch/vision references/detection: 26 epochs, SSD 120; 2 pictures on each of 8 cards; --amp
    // is off unless it is asked
    {"ssd", {coco_images, 120, "COCO, as torchvision's reference trains it", 0, true}},
    {"retinanet", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true, 0, 16}},
    {"fasterrcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true, 0, 16}},
    {"faster-rcnn",
     {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true, 0, 16}},
    {"maskrcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true, 0, 16}},
    {"mask-rcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true, 0, 16}},
    {"keypointrcnn",
     {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true, 0, 16}},
    {"fcos", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true, 0, 16}},
    // NVIDIA DeepLearningExamples, Tacotron 2: 1501 epochs of LJSpeech's 12,500 clips of training,
    // 104 on each card in mixed precision
    {"tacotron2", {12'500, 1501, "LJSpeech, as NVIDIA's example trains it", 0, false, 104}},
    // The same: FastPitch 1000 epochs of LJSpeech (--epochs), Jasper and QuartzNet 440 and 260 of
    // LibriSpeech's 960 hours (scripts/train.sh)
    {"fastpitch", {12'500, 1000, "LJSpeech, as NVIDIA's example trains it", 256}},
    {"jasper", {281'241, 440, "LibriSpeech, as NVIDIA's example trains it", 0, false, 64}},
    {"quartznet", {281'241, 260, "LibriSpeech, as NVIDIA's example trains it", 0, false, 144}},
    // mlcommons/logging rcp_checker: epochs to the target of MLPerf at the batch named (rcps_rnnt,
    // rcps_unet3d, rcps_gnn)
    {"rnnt", {281'241, 42, "LibriSpeech until MLPerf's target", 512}},
    // Isensee et al. 2021 (nnU-Net): 1000 epochs of 250 steps of 2 patches, whatever the set
    {"unet3d-brats", {500e3, 1, "1000 x 250 steps of 2 patches, as nnU-Net trains", 2}},
    {"unet3d-kits19", {168, 2300, "KiTS19 until MLPerf's target", 56}},
    {"rgat", {94'605'581, 0.86, "IGBH until MLPerf's target", 16'384}},
    // pytorch/vision references/segmentation: 30 epochs over COCO's images of the 20 classes of VOC
    {"deeplab", {92'518, 30, "COCO with VOC's classes, as torchvision's reference trains it"}},
    {"fcn", {92'518, 30, "COCO with VOC's classes, as torchvision's reference trains it"}},
};
// mlcommons/logging rcp_checker (rcps_bert, rcps_resnet): until the target at the batch named; of
// BERT, which goes on from a checkpoint, sequences
constexpr NamedRun mlperf_runs[] = {
    {"bert-large", {2.4e6, 1, "2.4 million sequences until MLPerf's target", 448}},
    {"resnet-50", {1'281'167, 35, "ImageNet until MLPerf's target", 3264}},
};
/// Classifiers: epochs of ImageNet of the recipe that trains them as a rule.
struct ClassifierRun {
    std::string_view begins;
    double epochs;
    std::string_view words;
    int step = 0;  ///< images of a step; 0: not known
};
constexpr std::string_view of_paper = "ImageNet, as its paper trains it";
constexpr std::string_view of_torchvision = "ImageNet, as torchvision's reference trains it";
constexpr ClassifierRun classifiers[] = {
    // arXiv 1905.11946 (350; also 2104.00298), 2103.14030, 2201.03545, 2012.12877, 2204.01697
    {"efficientnet", 350, of_paper},
    {"swin", 300, of_paper, 1024},
    {"convnext", 300, of_paper, 4096},
    {"deit", 300, of_paper, 1024},
    {"maxvit", 300, of_paper, 4096},
    // pytorch/vision references/classification: 32 images on each of 8 cards unless it says more;
    // ViT's paper (2010.11929) 4096
    {"vit-b", 300, of_torchvision, 4096},
    {"vit-l", 600, of_torchvision, 4096},
    {"mobilenet-v2", 300, of_torchvision, 256},
    {"mobilenet-v3", 600, of_torchvision, 1024},
    {"regnet", 100, of_torchvision, 1024},
    {"resnet", 90, of_torchvision, 256},
    {"resnext", 90, of_torchvision, 256},
    {"wide-resnet", 90, of_torchvision, 256},
    {"vgg", 90, of_torchvision, 256},
    {"densenet", 90, of_torchvision, 256},
    {"inception-v3", 90, of_torchvision, 256},
    {"alexnet", 90, of_torchvision, 256},
    {"googlenet", 90, of_torchvision, 256},
    {"squeezenet", 90, of_torchvision, 256},
};
/// Where nothing better is known of it.
constexpr std::string_view other_classifiers[] = {"mobilenet", "inception",  "vit",
                                                  "mixer",     "shufflenet", "mnasnet"};

}  // namespace

double epochs_of_tuning(std::string_view model) {
    // arXiv 2103.14030 (appendix A2.1), 2201.03545 (table 6): 30 epochs after a larger set
    constexpr double usual = 30;
    const bool classifies =
        std::ranges::any_of(
            classifiers,
            [&](const ClassifierRun& each) { return model.starts_with(each.begins); }) ||
        std::ranges::any_of(other_classifiers,
                            [&](std::string_view each) { return model.starts_with(each); });
    return classifies ? usual : 0;
}

std::optional<UsualRun> usual_run(std::string_view model, std::string_view framework) {
    for (const NamedRun& each : mlperf_runs) {
        if (framework == "mlperf" && model.starts_with(each.begins)) {
            return each.run;
        }
    }
    for (const NamedRun& each : usual_runs) {
        if (model.starts_with(each.begins)) {
            return each.run;
        }
    }
    const NamedDataset& imagenet = named_datasets().front();
    for (const ClassifierRun& each : classifiers) {
        if (model.starts_with(each.begins)) {
            return UsualRun{imagenet.samples, each.epochs, each.words, 0, false, 0, each.step};
        }
    }
    for (const std::string_view each : other_classifiers) {
        if (model.starts_with(each)) {
            return UsualRun{imagenet.samples, imagenet.epochs,
                            "ImageNet, 90 times over as is usual"};
        }
    }
    for (const NamedDataset& each :
         named_datasets()) {  // "unet3d-kits19" tells what it learns from
        if (model.find("-" + std::string(each.name)) != model.npos) {
            return UsualRun{each.samples, std::max(each.epochs, 1.0),
                            "one pass over what its name tells"};
        }
    }
    return {};
}

std::optional<UsualRun> usual_run_on_set(const Reading& reading, bool tuned) {
    const auto run = usual_run(reading.model, reading.framework);
    const bool told_by_samples = run && run->epochs == 1;
    return tuned && told_by_samples && reading.dataset.empty() ? std::nullopt : run;
}

}  // namespace ridgeline::reading
