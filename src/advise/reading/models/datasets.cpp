#include "advise/reading/models/datasets.h"

#include "advise/reading/models/steps.h"
#include "advise/reading/words/names.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string_view>

// Public datasets by name: of images: how many samples one pass has, bytes on storage, and the
// length of a run that is usual (ImageNet: 90 epochs, as torchvision's references and its
// benchmarks have it).

namespace ridgeline::reading {
namespace {

/// Longer names go before those that they begin with.
constexpr NamedDataset datasets[] = {
    {"imagenet-1k", 1'281'167, 148e9, 90},  // ILSVRC 2012, image-net.org
    // image-net.org, fall 2011: 21,841 classes; 90 epochs: Swin (arXiv 2103.14030), ConvNeXt
    // (2201.03545)
    {"imagenet-21k", 14'197'122, 1.3e12, 90},
    {"imagenet-22k", 14'197'122, 1.3e12, 90},  // the same
    {"imagenet", 1'281'167, 148e9, 90},        // ILSVRC 2012, where it is not said
    {"coco", 118'287, 19.3e9},                 // train2017, cocodataset.org
    {"laion-400m", 413'000'000, 0},            // laion.ai/blog/laion-400-open-dataset: pairs
    {"movielens-20m", 20'000'263, 0},          // grouplens.org/datasets/movielens: ratings
    {"movielens-25m", 25'000'095, 0},          // the same
    {"movielens-1m", 1'000'209, 0},            // the same
    {"criteo", 4'195'197'692, 0},  // Criteo 1TB click logs, days 0 to 22 (mlcommons/training)
    {"ljspeech", 13'100, 2.6e9},   // keithito.com/LJ-Speech-Dataset: clips, 24 hours
    {"cifar-100", 50'000, 0.17e9, 0, 32},  // cs.toronto.edu/~kriz/cifar.html
    {"cifar-10", 50'000, 0.17e9, 0, 32},   // the same
    {"cifar", 50'000, 0.17e9, 0, 32},
    {"fashion-mnist", 60'000, 0.03e9, 0,
     32},  // zalandoresearch/fashion-mnist; 28 pixels, padded as LeNet takes them
    {"mnist", 60'000, 0.01e9, 0, 32},  // LeCun et al. 1998, the same
    {"svhn", 73'257, 0, 0, 32},        // ufldl.stanford.edu/housenumbers: digits of training
    {"tiny-imagenet", 100'000, 0.24e9, 0, 64},  // cs231n.stanford.edu: 200 classes of 500
    {"food-101", 75'750, 5e9},                  // Bossard et al. 2014: 101 classes of 750
    {"ucf-101", 9'537, 7e9},  // crcv.ucf.edu/data/UCF101: clips of its first training split
    // host.robots.ox.ac.uk/pascal/VOC: trainval of 2007 and 2012
    {"pascal-voc", 16'551, 2.8e9},
    {"celeba-hq", 30'000, 0},    // Karras et al. 2018 (arXiv 1710.10196)
    {"celeba", 202'599, 1.4e9},  // mmlab.ie.cuhk.edu.hk/projects/CelebA.html
    {"ffhq", 70'000, 89e9},      // NVlabs/ffhq-dataset, 1024 x 1024
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
    {"brats", 335, 0},              // CBICA BraTS 2019: cases of training (NVIDIA UNet_3D_Medical)
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

}  // namespace

std::span<const NamedDataset> named_datasets() { return datasets; }

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

/// "ffhq 1024", "celeba-hq 256": the side at which the pictures of the set are learnt.
void claim_side(Sentence& sentence, std::size_t at) {
    const bool number = sentence.open(at) && sentence.follows(at) &&
                        is_any(sentence.word(at), "64 128 256 512 1024") &&
                        !(sentence.follows(at + 1) && counts_things(sentence.word(at + 1)));
    const bool part = std::ranges::any_of(sentence.mentions,
                                          [&](const Mention& each) { return each.at == at + 1; });
    if (number && !part) {
        sentence.reading.image_size =
            static_cast<int>(number_with_suffix(sentence.word(at)).value_or(0));
        sentence.claim(at);
    }
}

/// "3x schedule": of detectors on COCO, 90,000 steps of 16 pictures each (the model zoo of
/// Detectron: "1x", "3x", about 37 epochs).
void match_schedule(Sentence& sentence, std::size_t at) {
    constexpr int batch_of_schedule = 16;
    constexpr double pictures_of_one = 90'000.0 * batch_of_schedule;
    constexpr double coco_images = 118'287;
    const auto times = sentence.open(at) ? measure_at(sentence, at) : std::nullopt;
    if (!times || times->value < 1 || times->value > 9 || sentence.reading.epochs) {
        return;
    }
    const bool glued = times->unit == "x";
    const std::size_t end = at + times->length + (glued ? 0 : 1);
    const bool x = glued || (times->unit.empty() && sentence.word(end - 1) == "x");
    const bool behind = sentence.follows(end) && is_any(sentence.word(end), "schedule schedules");
    const bool before = at > 0 && is_any(sentence.word(at - 1), "schedule schedules");
    const bool finds = sentence.any_word(
        "rcnn r-cnn detector detectors detection detectron detectron2 mmdetection coco retinanet "
        "maskrcnn fasterrcnn mask faster fcos cascade");
    if (!x || !(behind || before) || !finds) {
        return;
    }
    sentence.reading.epochs = std::round(times->value * pictures_of_one / coco_images);
    sentence.assume("epochs", fmt::format("{:g}", *sentence.reading.epochs),
                    fmt::format("{:g} times 90,000 steps of 16 pictures of COCO, as Detectron "
                                "counts its schedules",
                                times->value));
    if (!sentence.reading.batch && !sentence.reading.micro_batch) {
        sentence.reading.batch = batch_of_schedule;
        sentence.assume("batch", fmt::format("{}", batch_of_schedule), std::string(of_schedule));
    }
    sentence.marks.push_back({Means::train, "", at, end - at});
    sentence.claim(at, end - at + (behind ? 1 : 0));
    sentence.claim(at - (before ? 1 : 0));
}

}  // namespace

void recognise_datasets(Sentence& sentence) {
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        match_schedule(sentence, at);
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
                claim_side(sentence, at + length);
            }
        }
    }
}

std::string named_by_set(const Sentence& sentence, const std::string& family) {
    constexpr std::size_t long_enough = 6;  // shorter pieces are sizes and versions
    for (const std::string& id : sentence.vocabulary.profiles.model_ids) {
        for (const auto& piece : split(id.starts_with(family + "-") ? id : "", '-')) {
            if (piece.size() >= long_enough && has_digit(piece) && sentence.any_word(piece)) {
                return id;
            }
        }
    }
    return "";
}

}  // namespace ridgeline::reading
