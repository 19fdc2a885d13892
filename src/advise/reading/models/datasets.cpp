#include "advise/reading/models/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

// Public datasets by name: of images: how many samples one pass has, bytes on storage, and the
// length of a run that is usual (ImageNet: 90 epochs, as torchvision's references and its
// benchmarks have it).

namespace ridgeline::reading {
namespace {

struct NamedDataset {
    std::string_view name;
    double samples;
    double bytes;
    double epochs = 0;  ///< of the usual schedule of training from scratch; 0: none is usual
    int side = 0;       ///< pixels that are read of its pictures, where all read alike; 0: as the
                   ///< network takes them
};

/// Longer names go before those that they begin with.
constexpr NamedDataset datasets[] = {
    {"imagenet-1k", 1'281'167, 148e9, 90},  // ILSVRC 2012, image-net.org
    // image-net.org, fall 2011: 21,841 classes; 90 epochs: Swin (arXiv 2103.14030), ConvNeXt
    // (2201.03545)
    {"imagenet-21k", 14'197'122, 1.3e12, 90},
    {"imagenet-22k", 14'197'122, 1.3e12, 90},  // the same
    {"imagenet", 1'281'167, 148e9, 90},        // ILSVRC 2012, where it is not said
    {"coco", 118'287, 19.3e9},                 // train2017, cocodataset.org
    {"criteo", 4'195'197'692, 0},  // Criteo 1TB click logs, days 0 to 22 (mlcommons/training)
    {"ljspeech", 13'100, 2.6e9},   // keithito.com/LJ-Speech-Dataset: clips, 24 hours
    {"cifar-100", 50'000, 0.17e9, 0, 32},  // cs.toronto.edu/~kriz/cifar.html
    {"cifar-10", 50'000, 0.17e9, 0, 32},   // the same
    {"cifar", 50'000, 0.17e9, 0, 32},
    {"fashion-mnist", 60'000, 0.03e9, 0,
     32},  // zalandoresearch/fashion-mnist; 28 pixels, padded as LeNet takes them
    {"mnist", 60'000, 0.01e9, 0, 32},  // LeCun et al. 1998, the same
    {"celeba-hq", 30'000, 0},          // Karras et al. 2018 (arXiv 1710.10196)
    {"celeba", 202'599, 1.4e9},        // mmlab.ie.cuhk.edu.hk/projects/CelebA.html
    {"ffhq", 70'000, 89e9},            // NVlabs/ffhq-dataset, 1024 x 1024
    // cityscapes-dataset.com: finely annotated images of training; crops and 160,000 steps of 8:
    // Xie et al. 2021 (arXiv 2105.15203)
    {"cityscapes", 2'975, 11e9, 430, 1024},
    {"ade20k", 20'210, 0.9e9},        // Zhou et al. 2017: images of training
    {"places365", 1'803'460, 105e9},  // places2.csail.mit.edu, standard
    {"kitti", 7'481, 12e9},           // cvlibs.net/datasets/kitti, object detection
    {"kinetics-400", 240'436, 0},  // Kay et al. 2017 (arXiv 1705.06950): clips of training, about
    // ogb.stanford.edu/docs/nodeprop: nodes of the training split, 128 features of each of 111
    // million
    // mlcommons/training rgat split_seeds.py: 0.6 of the 157,675,969 papers with one of 2,983
    // labels
    {"igbh", 94'605'581, 0},
    {"ogbn-papers100m", 1'207'179, 57e9},
    {"papers100m", 1'207'179, 57e9},
    {"ogbn-products", 196'615, 0},  // ogb.stanford.edu/docs/nodeprop: nodes of the training split
    {"ogbn-arxiv", 90'941, 0},      // the same
    {"kits19", 168, 0},  // mlcommons/training unet3d: 210 cases less the 42 of its evaluation
    {"librispeech", 281'241, 60e9},  // openslr.org/12: utterances of the 960 hours of training
};

/// Sets of texts: tokens of one pass, or its examples where they are tuned on one by one.
struct NamedTexts {
    std::string_view name;
    double tokens;
    double examples = 0;
    int each = 0;  ///< tokens of an example on average; 0: not published
};
constexpr NamedTexts texts[] = {
    {"openwebtext", 9.04e9},    // karpathy/nanoGPT data/openwebtext: 9,035,582,198 GPT-2 tokens
    {"c4", 156e9},              // Dodge et al. 2021: 156 billion tokens of C4.EN
    {"slimpajama", 627e9},      // cerebras/SlimPajama-627B
    {"redpajama", 1.2e12},      // togethercomputer/RedPajama-Data-1T
    {"fineweb-edu", 1.3e12},    // HuggingFaceFW/fineweb-edu
    {"fineweb", 15e12},         // HuggingFaceFW/fineweb at its release
    {"wikitext-103", 103.2e6},  // Merity et al. 2016: words
    {"alpaca", 0, 52'002,
     110},                 // tatsu-lab/alpaca; lengths: S. Raschka, Practical tips for LoRA (2023)
    {"dolly", 0, 15'011},  // databricks-dolly-15k
    {"openorca", 0, 4.2e6},     // Open-Orca/OpenOrca, about
    {"ultrachat", 0, 207'865},  // HuggingFaceH4/ultrachat_200k, train_sft
    {"gsm8k", 0, 7'473},        // openai/gsm8k, train
    {"squad", 0, 87'599},       // rajpurkar/squad, train
    {"wikitext-2", 2.09e6},     // Merity et al. 2016: words
    {"penn-treebank", 929e3},   // the same
    {"wikipedia",
     2.5e9},  // English, Devlin et al. 2018: words; 40 passes over both are 131B of their tokens
    {"enwiki", 2.5e9},
    {"bookcorpus", 0.8e9},  // the same
    {"books-corpus", 0.8e9},
    {"bookscorpus", 0.8e9},
    {"the-pile", 300e9},      // Biderman et al. 2023 (arXiv 2304.01373)
    {"dolma", 3e12},          // Soldaini et al. 2024 (arXiv 2402.00159)
    {"refinedweb", 600e9},    // Penedo et al. 2023 (arXiv 2306.01116): what was published
    {"openwebmath", 14.7e9},  // Paster et al. 2023 (arXiv 2310.06786)
    {"wmt14", 0,
     4.5e6},  // English to German: Vaswani et al. 2017 (arXiv 1706.03762), sentence pairs
};

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
      "400,000 updates of 1.6 hours of speech, as its paper trains it"}},
    // NVIDIA DeepLearningExamples GNMT: 6 epochs of WMT16 English to German, 4.5 million pairs
    {"gnmt", {4.5e6, 6, "WMT16 English to German, as NVIDIA's example trains it"}},
    // Xie et al. 2021 (arXiv 2105.15203), 4.1: 160,000 steps of 16 of ADE20K
    {"segformer", {160e3 * 16, 1, "160,000 steps of 16 pictures, as its paper trains it", 16}},
    // facebookresearch/detr main.py: --epochs, default 300; no mixed precision
    {"detr", {coco_images, 300, "COCO, as its reference's default has it", 0, true}},
    // NVlabs/stylegan3 train.py: --kimg, default 25000
    {"stylegan", {25e6, 1, "the 25,000 kimg of its reference"}},
    // Ho et al. 2020 (arXiv 2006.11239), appendix B: 800,000 steps of 128
    {"ddpm", {800e3 * 128, 1, "800,000 steps of 128 pictures, as its paper trains it"}},
    // Kong et al. 2020 (arXiv 2010.05646): 2.5 million steps; jik876/hifi-gan config_v1.json: 16
    // segments each
    {"hifi-gan", {40e6, 1, "2.5 million steps of 16 segments, as its paper trains it", 16}},
    // mlcommons/training recommendation_v2: one pass over days 0 to 22 of Criteo's click logs
    {"dlrm", {4'195'197'692, 1, "one pass over Criteo's 1 TB of clicks, as MLPerf trains it"}},
    // pytorch/examples dcgan/main.py: --niter, default 25
    {"dcgan", {202'599, 25, "CelebA, as PyTorch's example trains it"}},
    // junyanz/pytorch-CycleGAN-and-pix2pix train.py: 100 epochs and 100 more that slow down; the
    // 400 pictures of facades, the larger side of horse2zebra
    {"pix2pix", {400, 200, "the 400 facades, as its reference trains it", 1}},
    {"cyclegan", {1334, 200, "horse2zebra, as its reference trains it", 1}},
    // Zaremba et al. 2014 (arXiv 1409.2329): 929k words in sequences of 35, the large network for
    // 55 epochs
    {"ptb-lstm",
     {929e3 / 35, 55,
      "Penn Treebank, sequences of 35 words, as Zaremba et al. train the large network"}},
    // ultralytics cfg/default.yaml: epochs 100
    {"yolo", {coco_images, 100, "COCO, as its reference's default has it"}},
    // pytorch/vision references/detection: 26 epochs, SSD 120; --amp is off unless it is asked
    {"ssd", {coco_images, 120, "COCO, as torchvision's reference trains it", 0, true}},
    {"retinanet", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true}},
    {"fasterrcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true}},
    {"faster-rcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true}},
    {"maskrcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true}},
    {"mask-rcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true}},
    {"keypointrcnn", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true}},
    {"fcos", {coco_images, 26, "COCO, as torchvision's reference trains it", 0, true}},
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
    {"unet3d-kits19", {168, 2300, "KiTS19 until MLPerf's target", 56}},
    {"rgat", {94'605'581, 0.86, "IGBH until MLPerf's target", 16'384}},
    // pytorch/vision references/segmentation: 30 epochs over COCO's images of the 20 classes of VOC
    {"deeplab", {92'518, 30, "COCO with VOC's classes, as torchvision's reference trains it"}},
    {"fcn", {92'518, 30, "COCO with VOC's classes, as torchvision's reference trains it"}},
};
/// Classifiers: epochs of ImageNet of the recipe that trains them as a rule.
struct ClassifierRun {
    std::string_view begins;
    double epochs;
    std::string_view words;
};
constexpr std::string_view of_paper = "ImageNet, as its paper trains it";
constexpr std::string_view of_torchvision = "ImageNet, as torchvision's reference trains it";
constexpr ClassifierRun classifiers[] = {
    // arXiv 1905.11946 (350; also 2104.00298), 2103.14030, 2201.03545, 2012.12877, 2204.01697
    {"efficientnet", 350, of_paper},
    {"swin", 300, of_paper},
    {"convnext", 300, of_paper},
    {"deit", 300, of_paper},
    {"maxvit", 300, of_paper},
    // pytorch/vision references/classification
    {"vit-b", 300, of_torchvision},
    {"vit-l", 600, of_torchvision},
    {"mobilenet-v2", 300, of_torchvision},
    {"mobilenet-v3", 600, of_torchvision},
    {"regnet", 100, of_torchvision},
    {"resnet", 90, of_torchvision},
    {"resnext", 90, of_torchvision},
    {"wide-resnet", 90, of_torchvision},
    {"vgg", 90, of_torchvision},
    {"densenet", 90, of_torchvision},
    {"inception-v3", 90, of_torchvision},
    {"alexnet", 90, of_torchvision},
    {"googlenet", 90, of_torchvision},
    {"squeezenet", 90, of_torchvision},
};
/// Where nothing better is known of it.
constexpr std::string_view other_classifiers[] = {"mobilenet", "inception",  "vit",
                                                  "mixer",     "shufflenet", "mnasnet"};

}  // namespace

std::optional<UsualRun> usual_run(std::string_view model) {
    for (const NamedRun& each : usual_runs) {
        if (model.starts_with(each.begins)) {
            return each.run;
        }
    }
    const double images = datasets[0].samples;
    for (const ClassifierRun& each : classifiers) {
        if (model.starts_with(each.begins)) {
            return UsualRun{images, each.epochs, each.words};
        }
    }
    for (const std::string_view each : other_classifiers) {
        if (model.starts_with(each)) {
            return UsualRun{images, datasets[0].epochs, "ImageNet, 90 times over as is usual"};
        }
    }
    for (const NamedDataset& each : datasets) {  // "unet3d-kits19" tells what it learns from
        if (model.find("-" + std::string(each.name)) != model.npos) {
            return UsualRun{each.samples, std::max(each.epochs, 1.0),
                            "one pass over what its name tells"};
        }
    }
    return {};
}

double usual_epochs(std::string_view name) {
    for (const NamedDataset& dataset : datasets) {
        if (dataset.name == name) {
            return dataset.epochs;
        }
    }
    return 0;
}

namespace {

/// Tokens from `at` on that make the name, with or without its hyphens ("imagenet 21k"); 0: they do
/// not.
std::size_t tokens_of_name(const Sentence& sentence, std::size_t at, std::string_view name) {
    std::string joined;
    std::string wanted(name);
    std::erase(wanted, '-');
    for (std::size_t n = 0; n < 2 && sentence.open(at + n) && (n == 0 || sentence.follows(at + n));
         ++n) {
        joined += sentence.word(at + n);
        std::erase(joined, '-');
        if (joined == wanted) {
            return n + 1;
        }
    }
    return 0;
}

/// Of sets that are named together all are passed over: "wikipedia + bookcorpus".
void add_texts(Sentence& sentence, double tokens, std::string_view name) {
    Reading& reading = sentence.reading;
    for (AssumedField& field : reading.assumed) {
        if (field.field == "tokens" && field.why.starts_with("one pass over ")) {
            reading.tokens = *reading.tokens + tokens;
            field.value = format_count(*reading.tokens);
            field.why += fmt::format(" and {}", name);
        }
    }
}

/// "wikipedia+books": BookCorpus, where it stands beside Wikipedia.
bool match_books(Sentence& sentence, std::size_t at) {
    constexpr double books = 0.8e9;
    const bool beside = at > 0 && is_any(sentence.word(at), "books book") &&
                        (sentence.word(at - 1) == "wikipedia" ||
                         (at > 1 && is_any(sentence.word(at - 1), "+ and plus &") &&
                          sentence.word(at - 2) == "wikipedia"));
    if (beside && sentence.open(at)) {
        add_texts(sentence, books, "books");
        sentence.claim(at);
    }
    return beside;
}

void match_texts(Sentence& sentence, std::size_t at) {
    Reading& reading = sentence.reading;
    if (match_books(sentence, at)) {
        return;
    }
    for (const NamedTexts& set : texts) {
        const std::size_t length = tokens_of_name(sentence, at, set.name);
        if (length == 0) {
            continue;
        }
        sentence.claim(at, length);
        if (reading.tokens && set.tokens > 0) {
            add_texts(sentence, set.tokens, set.name);
        }
        if (reading.tokens || reading.samples || reading.steps) {
            return;  // so much of it
        }
        if (set.tokens > 0) {
            reading.tokens = set.tokens;
            sentence.assume("tokens", format_count(set.tokens),
                            fmt::format("one pass over {}", set.name));
        } else {
            reading.samples = set.examples;
            sentence.assume("samples", fmt::format("{:.0f}", set.examples),
                            fmt::format("those of {}", set.name));
            if (set.each > 0 && !reading.sequence) {
                reading.tokens_each = set.each;
            }
        }
        return;
    }
}

/// "1M comparisons": a large number of what no word is known for, where training is spoken of.
void match_unknown_samples(Sentence& sentence, std::size_t at) {
    constexpr double least = 500;
    Reading& reading = sentence.reading;
    const auto measure = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    if (!measure || !measure->unit.empty() || measure->value < least || measure->negative ||
        reading.samples || reading.tokens || reading.steps) {
        return;
    }
    // "7B experiments": so many are parameters.
    constexpr double most = 1e9;
    if (measure->value >= most && parameters_in(sentence.word(at))) {
        return;
    }
    const std::size_t noun = at + measure->length;
    const std::string word(sentence.follows(noun) && sentence.open(noun) ? sentence.word(noun)
                                                                         : "");
    const bool things = word.size() > 4 && word.ends_with('s') && !has_digit(word) &&
                        sentence.names.lexicon.find(word).empty() &&
                        !sentence.names.lexicon.knows(word);
    const bool learnt = sentence.any_word(
        "train training finetune finetuning tune tuning lora qlora dpo sft epoch epochs learn");
    if (things && learnt) {
        reading.samples = measure->value;
        sentence.assume("samples", format_count(measure->value),
                        "\"" + word + "\" were taken as what is trained on");
        sentence.claim(at, measure->length + 1);
    }
}

/// "criteo 1tb", "criteo 1 tb": how much the set that was named holds is part of its name.
void claim_volume(Sentence& sentence, std::size_t at) {
    if (!sentence.open(at) || !sentence.follows(at)) {
        return;
    }
    const auto amount = amount_in(sentence.word(at));
    const bool apart = amount && amount->unit.empty() && sentence.open(at + 1) &&
                       sentence.follows(at + 1) && is_any(sentence.word(at + 1), "tb terabyte");
    if (apart || (amount && amount->unit == "tb") || sentence.word(at) == "terabyte") {
        sentence.claim(at, apart ? 2 : 1);
    }
}

}  // namespace

void recognise_datasets(Sentence& sentence) {
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        match_texts(sentence, at);
        match_unknown_samples(sentence, at);
        for (const NamedDataset& dataset : datasets) {
            const std::size_t length = tokens_of_name(sentence, at, dataset.name);
            if (length > 0) {
                sentence.reading.dataset = dataset.name;
                sentence.reading.dataset_bytes = dataset.bytes;
                if (!sentence.reading.samples) {
                    sentence.reading.samples = dataset.samples;
                }
                if (dataset.side > 0 && !sentence.reading.image_size) {
                    sentence.reading.image_size = dataset.side;
                    sentence.assume("image_size", fmt::format("{}", dataset.side),
                                    "as pictures of " + std::string(dataset.name) + " are read");
                }
                sentence.claim(at, length);
                claim_volume(sentence, at + length);
            }
        }
    }
}

}  // namespace ridgeline::reading
