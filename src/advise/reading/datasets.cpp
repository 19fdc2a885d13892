#include "advise/reading/sentence.h"

#include <string_view>

// Public datasets of images by name: how many samples one pass has, bytes on storage, and the length
// of a run that is usual (ImageNet: 90 epochs, as torchvision's references and its benchmarks have it).

namespace ridgeline::reading {
namespace {

struct NamedDataset {
    std::string_view name;
    double samples;
    double bytes;
    double epochs = 0;  ///< of the usual schedule of training from scratch; 0: none is usual
};

constexpr NamedDataset datasets[] = {
    {"imagenet", 1'281'167, 148e9, 90},     // ILSVRC 2012, image-net.org
    {"imagenet1k", 1'281'167, 148e9, 90},   // the same
    {"imagenet-1k", 1'281'167, 148e9, 90},  // the same
    {"coco", 118'287, 19.3e9},          // train2017, cocodataset.org
    {"cifar10", 50'000, 0.17e9},        // cs.toronto.edu/~kriz/cifar.html
    {"cifar-10", 50'000, 0.17e9},       // the same
};

}  // namespace

double usual_epochs(std::string_view name) {
    for (const NamedDataset& dataset : datasets) {
        if (dataset.name == name) {
            return dataset.epochs;
        }
    }
    return 0;
}

void recognise_datasets(Sentence& sentence) {
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        for (const NamedDataset& dataset : datasets) {
            if (sentence.open(at) && sentence.word(at) == dataset.name) {
                sentence.reading.dataset = dataset.name;
                sentence.reading.dataset_bytes = dataset.bytes;
                if (!sentence.reading.samples) {
                    sentence.reading.samples = dataset.samples;
                }
                sentence.claim(at);
            }
        }
    }
}

}  // namespace ridgeline::reading
