#include "advise/reading/models/steps.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/numbers/fields.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Tasks of networks that people name without a network: "object detection", "text to image".

namespace ridgeline::reading {
namespace {

/// What a network is for, and one that is usually taken; its name with `suffix` is its form for the
/// task.
struct UsualModel {
    std::string_view words;
    std::string_view model;
    std::string_view suffix = "";
};
constexpr UsualModel usual_networks[] = {
    {"object detection", "yolo11m"},
    {"object detector", "yolo11m"},
    {"nnunet 2d", "unet-2015"},
    {"nnunet 3d fullres", "unet3d-kits19"},
    {"nnunet 3d", "unet3d-kits19"},
    {"nnunet", "unet3d-kits19"},  // whose reference is the nnU-Net that won KiTS19
    {"volumetric segmentation", "unet3d-kits19"},
    {"instance segmentation", "maskrcnn-resnet50-fpn-v2", "-seg"},
    {"image segmentation", "deeplabv3-resnet50", "-seg"},
    {"semantic segmentation", "deeplabv3-resnet50", "-seg"},
    {"segmentation", "deeplabv3-resnet50", "-seg"},
    {"pose estimation", "yolo11m-pose", "-pose"},
    {"image classification", "resnet-50", "-cls"},
    {"image recognition", "resnet-50"},
    {"picture recognition", "resnet-50"},
    {"image classifier", "resnet-50", "-cls"},
    {"convolutional neural networks", "resnet-50"},
    {"convolutional neural network", "resnet-50"},
    {"convolutional networks", "resnet-50"},
    {"convolutional network", "resnet-50"},
    {"convolutional nets", "resnet-50"},
    {"conv nets", "resnet-50"},
    {"convnets", "resnet-50"},
    {"convnet", "resnet-50"},
    {"cnns", "resnet-50"},
    {"cnn", "resnet-50"},
    {"resnets", "resnet-50"},
    {"image classifiers", "resnet-50"},
    {"recurrent neural networks", "ptb-lstm-large"},
    {"recurrent neural network", "ptb-lstm-large"},
    {"recurrent networks", "ptb-lstm-large"},
    {"recurrent network", "ptb-lstm-large"},
    {"recurrent nets", "ptb-lstm-large"},
    {"rnns", "ptb-lstm-large"},
    {"rnn", "ptb-lstm-large"},
    {"recurrent net", "ptb-lstm-large"},
    {"unets", "unet-2015"},
    {"u nets", "unet-2015"},
    {"vision transformers", "vit-b-16"},
    {"vision transformer", "vit-b-16"},
    // Neighbours are sampled, so that a step is as large on a larger graph.
    {"graph neural networks", "graphsage-ogbn-products-3x256"},
    {"graph neural network", "graphsage-ogbn-products-3x256"},
    {"graph neural nets", "graphsage-ogbn-products-3x256"},
    {"graph neural net", "graphsage-ogbn-products-3x256"},
    {"graph networks", "graphsage-ogbn-products-3x256"},
    {"gnns", "graphsage-ogbn-products-3x256"},
    {"gnn", "graphsage-ogbn-products-3x256"},
    {"pytorch geometric", "graphsage-ogbn-products-3x256"},
    {"pyg", "graphsage-ogbn-products-3x256"},
    {"speech recognition", "whisper-large-v3"},
    {"speech to text", "whisper-large-v3"},
    {"asr", "whisper-large-v3"},
    {"transcription", "whisper-large-v3"},
    {"transcribe", "whisper-large-v3"},
    {"transcribing", "whisper-large-v3"},
    {"image generation", "sdxl-unet"},
    {"image gen", "sdxl-unet"},
    {"img gen", "sdxl-unet"},
    {"picture generation", "sdxl-unet"},
    {"generating images", "sdxl-unet"},
    {"generate images", "sdxl-unet"},
    {"image generating", "sdxl-unet"},
    {"image generator", "sdxl-unet"},
    {"image creation", "sdxl-unet"},
    {"picture generator", "sdxl-unet"},
    {"picture generating", "sdxl-unet"},
    {"making images", "sdxl-unet"},
    {"making pictures", "sdxl-unet"},
    {"making ai pictures", "sdxl-unet"},
    {"creating images", "sdxl-unet"},
    {"creating pictures", "sdxl-unet"},
    {"generating pictures", "sdxl-unet"},
    {"generate pictures", "sdxl-unet"},
    {"text to image", "sdxl-unet"},
    {"comfyui", "sdxl-unet"},
    {"comfy ui", "sdxl-unet"},
    {"diffusion model", "sd-1.5-unet"},
    {"diffusion models", "sd-1.5-unet"},
    {"diffusion", "sd-1.5-unet"},
    {"ddpm", "ddpm-cifar10-unet"},
    {"ai images", "sdxl-unet"},
    {"ai pictures", "sdxl-unet"},
    {"ai art", "sdxl-unet"},
    {"video diffusion models", "wan2.1-t2v-14b-transformer"},
    {"video diffusion model", "wan2.1-t2v-14b-transformer"},
    {"video diffusion", "wan2.1-t2v-14b-transformer"},
    {"ai videos", "wan2.1-t2v-14b-transformer"},
    {"ai video", "wan2.1-t2v-14b-transformer"},
    {"video generation", "wan2.1-t2v-14b-transformer"},
    {"video gen", "wan2.1-t2v-14b-transformer"},
    {"generate videos", "wan2.1-t2v-14b-transformer"},
    {"text to video", "wan2.1-t2v-14b-transformer"},
    {"image to video", "wan2.1-i2v-14b-transformer"},
    {"text to speech", "tacotron2"},
    {"speech synthesis", "tacotron2"},
    {"tts", "tacotron2"},
    {"embedding documents", "bge-m3"},
    {"embed documents", "bge-m3"},
    {"embedding server", "bge-m3"},
    {"embedding service", "bge-m3"},
    {"embedding model", "bge-m3"},
    {"text embeddings", "bge-m3"},
    {"recommendation model", "dlrm-dcnv2-criteo-1tb-multihot"},
    {"recommendation system", "dlrm-dcnv2-criteo-1tb-multihot"},
    {"recommender system", "dlrm-dcnv2-criteo-1tb-multihot"},
    {"recommender", "dlrm-dcnv2-criteo-1tb-multihot"},
    {"recsys", "dlrm-dcnv2-criteo-1tb-multihot"},
};

/// Tokens of a phrase from `at` on, joined as the writer likes; 0: it does not stand there.
std::size_t stands_at(const Sentence& sentence, std::size_t at, std::string_view words) {
    std::string wanted(words);
    std::erase(wanted, ' ');
    std::string found;
    for (std::size_t i = at;
         i < at + 4 && (i == at ? i < sentence.tokens.size() : sentence.follows(i)); ++i) {
        found += sentence.word(i);
        if (found == wanted) {
            return i + 1 - at;
        }
        if (!wanted.starts_with(found)) {
            break;
        }
    }
    return 0;
}

void take_usual(Sentence& sentence, const UsualModel& usual) {
    Reading& reading = sentence.reading;
    const auto& known = sentence.vocabulary.profiles.model_ids;
    const std::string form = reading.model + std::string(usual.suffix);
    if (!reading.model.empty() && !usual.suffix.empty() && form != reading.model &&
        std::ranges::find(known, form) != known.end()) {
        sentence.assume("model", form,
                        fmt::format("the form of {} for {}", reading.model, usual.words));
        reading.model = form;
        return;
    }
    // What is held or sold is asked of hardware, with no network in mind.
    const bool of_hardware = std::ranges::any_of(sentence.marks, [](const Mark& mark) {
        return mark.means == Means::ask &&
               is_any(mark.value, "largest_model what_can what_can_do own describe");
    });
    if (reading.model.empty() && sentence.products.empty() && !reading.kernel && !of_hardware) {
        reading.model = usual.model;
        sentence.assume("model", reading.model,
                        fmt::format("a usual network for {}, as none was named", usual.words));
    }
}

/// "train cnns and a 7b qlora", "mostly cnn + some sdxl": a kind of network beside a language model
/// or one of diffusion that is named is other work, no word for that model.
bool is_another_network(const Sentence& sentence, const UsualModel& usual) {
    const bool kind = is_any(usual.model,
                             "resnet-50 unet-2015 dcgan-generator-64 "
                             "graphsage-ogbn-products-3x256") &&
                      usual.suffix.empty();
    const Reading& reading = sentence.reading;
    const auto model = sentence.named_architecture();
    const bool language = parameters_in(reading.model).has_value() ||
                          (model && model->kind == ModelKind::decoder && !model->network);
    const bool diffusion =
        model && model->kind == ModelKind::diffusion && usual.model != "unet-2015";
    return kind && (language || diffusion);
}

/// "gan" at a size beyond that of the small network that it stands for: the next that is made for
/// as much.
void suit_to_size(Sentence& sentence) {
    Reading& reading = sentence.reading;
    struct Sized {
        int side;
        std::string_view model;
    };
    static constexpr Sized networks[] = {{256, "stylegan2-generator-256"},
                                         {512, "stylegan2-generator-512"},
                                         {1024, "stylegan2-f-1024"}};
    constexpr int side_of_small = 64;
    if (reading.model != "dcgan-generator-64" || !sentence.any_word("gan gans") ||
        reading.image_size.value_or(0) <= side_of_small) {
        return;
    }
    const auto* large =
        std::find_if(std::begin(networks), std::end(networks),
                     [&](const Sized& each) { return each.side >= *reading.image_size; });
    reading.model = large == std::end(networks) ? networks[2].model : large->model;
    reading.image_size = large == std::end(networks) ? networks[2].side : large->side;
    forget_assumed(reading, "model");
    sentence.assume("model", reading.model,
                    "a usual network for pictures of that size, as none was named");
}

/// A diffusion model that is trained from nothing on pictures of a few dozen pixels works on the
/// pixels themselves.
void suit_diffusion_to_size(Sentence& sentence) {
    Reading& reading = sentence.reading;
    constexpr int side_of_pixels = 64;
    const bool assumed = assumed_of(reading, "model") != nullptr;
    const bool small = reading.dataset.starts_with("cifar") ||
                       reading.image_size.value_or(side_of_pixels + 1) <= side_of_pixels;
    if (assumed && small && is_any(reading.model, "sd-1.5-unet sdxl-unet")) {
        reading.model = "ddpm-cifar10-unet";
        forget_assumed(reading, "model");
        sentence.assume("model", reading.model,
                        "a usual network for diffusion over pictures of that size");
    }
}

/// Whether the question is about volumes: "ct", "3d", "128x128x128".
bool is_about_volumes(const Sentence& sentence) {
    const auto cube = [](const Token& token) {
        const auto sides = split(token.text, 'x');
        return sides.size() == 3 && std::ranges::all_of(sides, [](std::string_view side) {
                   return side.size() >= 2 && all_digits(side);
               });
    };
    return sentence.any_word(
               "3d volume volumes volumetric ct mri cbct voxel voxels tomography tomograms") ||
           std::ranges::any_of(sentence.tokens, cube);
}

/// "5 folds", "5-fold", "all folds" of a cross-validation: so many runs; 1: none is told.
int folds_of(Sentence& sentence) {
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        if (!is_any(sentence.word(i), "fold folds")) {
            continue;
        }
        const auto measure = measure_at(sentence, i - 1);
        const auto word = number_word(sentence.word(i - 1));
        const bool all = is_any(sentence.word(i - 1), "all five");  // nnU-Net's default is five
        const double folds = all ? 5 : word ? *word : measure ? measure->value : 0;
        if (folds >= 1 && folds <= 100 && folds == std::floor(folds)) {
            sentence.claim(i - 1, 2);
            std::erase(sentence.reading.not_understood, sentence.word(i - 1));
            std::erase(sentence.reading.not_understood, sentence.word(i));
            return static_cast<int>(folds);
        }
    }
    return 1;
}

/// "predict 1000 scans", "to segment 50 ct scans": a network at its work, no run of training.
bool segments_scans(Sentence& sentence) {
    if (sentence.has(Means::train) || sentence.has(Means::tune) || sentence.reading.epochs) {
        return false;
    }
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        const bool verb = is_any(sentence.word(i), "segment segments segmenting") &&
                          sentence.follows(i + 1) && amount_in(sentence.word(i + 1));
        if (verb) {
            sentence.marks.push_back({Means::infer, "", i, 1});
            sentence.claim(i);
            std::erase(sentence.reading.not_understood, sentence.word(i));
        }
        const auto measure =
            verb && sentence.open(i + 1) ? measure_at(sentence, i + 1) : std::nullopt;
        if (measure && measure->unit.empty() && measure->length == 1 && !sentence.reading.samples &&
            near_words(sentence, i + 2, i + 4, "scan scans volume volumes image images")) {
            take(sentence, i + 1, *measure, Field::samples);
            sentence.claim(i + 1);
            std::erase(sentence.reading.not_understood, sentence.word(i + 1));
        }
    }
    return sentence.has(Means::infer);
}

/// An epoch of nnU-Net is 250 steps, whatever the set, and a run has 1000 (nnUNetTrainer:
/// num_iterations_per_epoch, num_epochs).
void take_usual_steps(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (segments_scans(sentence)) {
        return;
    }
    const bool timed = reading.epochs || sentence.asks("duration cost days how_much");
    if (reading.steps || reading.tokens || !timed || sentence.asks("memory strong_memory")) {
        return;
    }
    constexpr double steps_of_epoch = 250;
    constexpr double usual_epochs = 1000;
    const double epochs = reading.epochs.value_or(usual_epochs);
    const int folds = folds_of(sentence);
    reading.steps = epochs * steps_of_epoch * folds;
    reading.epochs.reset();
    reading.samples.reset();
    sentence.assume("steps", format_count(*reading.steps),
                    fmt::format("{:g} epochs of 250 steps, as nnU-Net counts them whatever the "
                                "set{}",
                                epochs,
                                folds > 1 ? fmt::format(", for {} folds one after another", folds)
                                          : std::string(", for one fold")));
}

/// nnU-Net plans at least two patches a step (its experiment planner, UNet_min_batch_size), as many
/// as its memory takes at the size of a patch it starts from.
void take_usual_patches(Sentence& sentence, std::string_view words) {
    Reading& reading = sentence.reading;
    constexpr int least = 2;
    if (words.starts_with("nnunet") && !reading.batch && !reading.micro_batch) {
        reading.batch = least;
        sentence.assume("batch", std::to_string(least), "patches of a step, as nnU-Net plans it");
    }
    if (words.starts_with("nnunet")) {
        take_usual_steps(sentence);
    }
}

/// "mae loss", "an mae of 0.1": the mean absolute error, no way of training.
bool is_mean_error(const Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.word(i) != "mae") {
            continue;
        }
        constexpr std::string_view errors =
            "loss losses error errors metric metrics regression score mse rmse l1";
        const std::size_t from = clause_start(sentence, i, 3);
        const std::size_t number = past_words(sentence, i + 1, "of is at under below < = about");
        const auto amount =
            sentence.follows(number) ? amount_in(sentence.word(number)) : std::nullopt;
        if (near_words(sentence, from, i + 4, errors) ||
            (amount && amount->value != std::floor(amount->value))) {
            return true;
        }
    }
    return sentence.any_word("regression regress regressor");
}

/// "MAE pretraining": an encoder of pictures passes a quarter of their patches, as many as a
/// picture of half the side has (He et al. 2022, arXiv 2111.06377).
void suit_to_masked_pictures(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool trains = sentence.has(Means::train) || reading.epochs;
    const auto model = sentence.named_architecture();
    if (!trains || !model || !model->reads_images() || !sentence.any_word("mae") ||
        is_mean_error(sentence)) {
        return;
    }
    const TransformerStack& tower = model->stacks.front();
    const int side = reading.image_size.value_or(tower.image);
    if (tower.patch <= 0 || side % (2 * tower.patch) != 0) {
        return;
    }
    reading.image_size = side / 2;
    assume_first(reading, "image_size", std::to_string(side / 2),
                 fmt::format("MAE encodes a quarter of the patches of {} pixels a side, as many as "
                             "so small a picture has; its light decoder, a sixth more beside a "
                             "huge one, is not counted",
                             side));
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (sentence.word(i) == "mae") {
            sentence.claim(i);
        }
    }
    std::erase(reading.not_understood, "mae");
}

/// "unet" and "segmentation" of volumes: the network in three dimensions.
void suit_to_volumes(Sentence& sentence) {
    Reading& reading = sentence.reading;
    const bool flat = is_any(reading.model, "unet-2015 deeplabv3-resnet50");
    if (!flat || assumed_of(reading, "model") == nullptr || !is_about_volumes(sentence)) {
        return;
    }
    reading.model = "unet3d-kits19";
    forget_assumed(reading, "model");
    sentence.assume("model", reading.model,
                    "the U-Net of volumes, as the question speaks of them and names no other");
    for (const char* said : {"3d", "ct", "mri", "volume", "volumes", "volumetric"}) {
        std::erase(reading.not_understood, said);
    }
}

}  // namespace

bool names_usual_model(const Sentence& sentence, std::size_t at) {
    return std::any_of(
        std::begin(usual_networks), std::end(usual_networks),
        [&](const UsualModel& usual) { return stands_at(sentence, at, usual.words) > 0; });
}

void settle_usual_model(Sentence& sentence) {
    // "embedding 10M documents": texts become vectors, whatever counts them.
    const bool embeds = sentence.any_word("embed embedding embeddings vectorize vectorise") &&
                        sentence.reading.samples;
    if (embeds && sentence.mentions.size() <= 1 && !sentence.has(Means::train) &&
        !sentence.has(Means::tune)) {
        take_usual(sentence, {"text embeddings", "bge-m3"});
    }
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        for (const UsualModel& usual : usual_networks) {
            const std::size_t length = stands_at(sentence, i, usual.words);
            // "ai video upscaling": nothing new is made.
            if (length == 0 || is_any(sentence.word(i + length),
                                      "upscaling upscale upscaler enhancement enhancing "
                                      "interpolation editing compression")) {
                continue;
            }
            if (is_another_network(sentence, usual)) {
                for (std::size_t k = i; k < i + length; ++k) {
                    add_once(sentence.reading.not_understood, sentence.word(k));
                }
                i += length - 1;
                break;
            }
            take_usual(sentence, usual);
            take_usual_patches(sentence, usual.words);
            sentence.claim(i, length);
            std::erase_if(sentence.reading.not_understood, [&](const std::string& word) {
                return std::any_of(
                    sentence.tokens.begin() + static_cast<std::ptrdiff_t>(i),
                    sentence.tokens.begin() + static_cast<std::ptrdiff_t>(i + length),
                    [&](const Token& token) { return token.text == word; });
            });
            i += length - 1;
            break;
        }
    }
    // "200 hours of audio a day": they are written down, where nobody says what else.
    if (sentence.reading.audio_s && sentence.reading.family.empty() &&
        !sentence.has(Means::train) && !sentence.has(Means::tune)) {
        take_usual(sentence, {"recordings", "whisper-large-v3"});
    }
    // "30 cameras, detection": what is seen in films is found by such a network.
    if (sentence.reading.concurrency && sentence.reading.requests_per_s &&
        sentence.any_word("camera cameras cam cams cctv") &&
        sentence.any_word("detection detecting detect detector")) {
        take_usual(sentence, {"object detection", "yolo11m"});
        std::erase(sentence.reading.not_understood, "detection");
    }
    suit_to_volumes(sentence);
    suit_to_masked_pictures(sentence);
    suit_to_size(sentence);
    suit_diffusion_to_size(sentence);
}

}  // namespace ridgeline::reading
