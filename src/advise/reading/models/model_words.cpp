#include "advise/reading/models/model_words.h"

#include "advise/reading/words/sentence.h"
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"

#include <algorithm>

// The words of a model's name, and the families that people name.

namespace ridgeline::reading {
namespace {

constexpr Usual usual_table[] = {
    {"llama", "llama-3.1-8b"},
    {"mistral", "mistral-7b-v0.3"},
    {"qwen", "qwen2.5-7b"},
    {"gemma", "gemma-3-12b"},
    {"phi", "phi-4"},
    {"mixtral", "mixtral-8x7b"},
    {"falcon", "falcon-7b"},
    {"whisper", "whisper-large-v3"},
    {"bert", "bert-base"},
    {"deepseek", "deepseek-v3"},
    {"flux", "flux.1-dev-transformer"},
    {"bloom", "bloom-176b"},
    {"gpt2", "gpt2"},
    {"yi", "yi-34b"},
    {"roberta", "roberta-base"},
    {"resnet", "resnet-50"},
    {"pythia", "pythia-6.9b"},
    {"opt", "opt-6.7b"},
    {"swin", "swin-base"},
    {"sdxl", "sdxl-unet"},
    {"vit", "vit-b-16"},
};

constexpr Foreign foreign_table[] = {
    {"yolo", "yolo", true},
    {"stable diffusion xl", "sdxl"},
    {"stable diffusion 1.5", "sd-1.5"},
    {"stable diffusion 2.1", "sd-2.1"},
    {"stable diffusion 3.5", "sd3.5"},
    {"stable diffusion 3", "sd3"},
    {"stable diffusion", "stable-diffusion"},
    {"sdxl", "sdxl"},
    {"sd 1.5", "sd-1.5"},
    {"sd15", "sd-1.5"},
    {"sd1.5", "sd-1.5"},
    {"sd3", "sd3"},
    {"sd3.5", "sd3.5"},
    {"flux", "flux"},
    {"wan", "wan", true},
    {"hunyuanvideo", "hunyuanvideo"},
    {"hunyuan video", "hunyuanvideo"},
    {"hunyuan", "hunyuan"},
    {"cogvideox", "cogvideox"},
    {"ltx video", "ltx-video"},
    {"ltx", "ltx"},
    {"mochi", "mochi"},
    {"animatediff", "animatediff"},
    {"controlnet", "controlnet"},
    {"sam2", "sam2"},
    {"segment anything", "sam"},
    {"detr", "detr"},
    {"dinov2", "dinov2"},
    {"dinov3", "dinov3"},
    {"llava", "llava"},
    {"internvl", "internvl"},
    {"pixtral", "pixtral"},
    {"nemotron", "nemotron"},
    {"granite", "granite"},
    {"jamba", "jamba"},
    {"minimax", "minimax"},
    {"ernie", "ernie"},
    {"exaone", "exaone"},
    {"starcoder", "starcoder"},
    {"codellama", "codellama"},
    {"code llama", "codellama"},
    {"vicuna", "vicuna"},
    {"wizardlm", "wizardlm"},
    {"zephyr", "zephyr"},
    {"solar", "solar"},
    {"rwkv", "rwkv"},
    {"mamba", "mamba"},
    {"bge", "bge"},
    {"wav2vec2", "wav2vec2"},
    {"wav2vec", "wav2vec2"},
    {"tacotron", "tacotron"},
    {"xtts", "xtts"},
    {"bark", "bark"},
    {"musicgen", "musicgen"},
    {"deberta", "deberta"},
    {"electra", "electra"},
    {"xlnet", "xlnet"},
    {"albert", "albert"},
    {"claude", "claude"},
    {"gemini", "gemini"},
    {"grok", "grok"},
    {"chatgpt", "chatgpt"},
    {"gpt4", "gpt-4"},
    {"gpt5", "gpt-5"},
    {"alphafold", "alphafold"},
    {"esm2", "esm2"},
    {"esm 2", "esm2"},
    {"nomic embed text", "nomic-embed-text"},
    {"nomic", "nomic"},
    {"jina embeddings", "jina-embeddings"},
    {"jina", "jina"},
    {"mxbai", "mxbai"},
    {"gte", "gte"},
    {"arctic embed", "arctic-embed"},
    {"rcnn", "rcnn"},
    {"r cnn", "rcnn"},
    {"mask rcnn", "mask-rcnn"},
    {"faster rcnn", "faster-rcnn"},
    {"mask r cnn", "mask-rcnn"},
    {"faster r cnn", "faster-rcnn"},
    {"resnext", "resnext"},
    {"inception", "inception"},
    {"efficientdet", "efficientdet"},
    {"efficientnet", "efficientnet"},
    {"mobilenet", "mobilenet"},
    {"dlrm", "dlrm"},
    {"lstm", "lstm"},
    {"gcn", "graph-convolution"},
    {"graphsage", "graphsage"},
    {"stylegan", "stylegan"},
    {"dreamfusion", "dreamfusion"},
    {"qwq", "qwq"},
    {"devstral", "devstral"},
    {"ministral", "ministral"},
    {"magistral", "magistral"},
    {"minicpm", "minicpm"},
    {"internlm", "internlm"},
    {"baichuan", "baichuan"},
    {"chatglm", "chatglm"},
    {"glm", "glm"},
    {"kimi", "kimi"},
    {"aya", "aya"},
    {"dbrx", "dbrx"},
    {"arctic", "arctic"},
    {"lfm2", "lfm2"},
    {"apertus", "apertus"},
    {"seed oss", "seed-oss"},
    {"step", "step"},
    {"mimo", "mimo"},
    {"olmo", "olmo"},
    {"stablelm", "stablelm"},
    {"gpt neo", "gpt-neo"},
    {"bart", "bart"},
    {"layoutlm", "layoutlm"},
    {"colbert", "colbert"},
    {"minilm", "minilm"},
    {"nllb", "nllb"},
    {"seamless", "seamless"},
    {"parakeet", "parakeet"},
    {"kokoro", "kokoro"},
    {"tabpfn", "tabpfn"},
    {"timesfm", "timesfm"},
    {"patchtst", "patchtst"},
    {"informer", "informer"},
    {"donut", "donut"},
    {"nougat", "nougat"},
    {"olmocr", "olmocr"},
};

}  // namespace

std::span<const Usual> usual_models() { return usual_table; }

std::span<const Foreign> foreign_models() { return foreign_table; }

bool is_release_word(std::string_view piece) {
    return is_any(piece,
                  "instruct chat base hf it pt uncased cased model models instuct thinking preview "
                  "meta dense");
}

bool is_kind_word(std::string_view piece) {
    return is_any(piece,
                  "coder code vl math omni vision audio distill distilled moe next air flash guard "
                  "embedding scout maverick oss vlm turbo "
                  "nemo mini nano");
}

bool is_size_piece(std::string_view piece) { return parameters_in(piece).has_value(); }

bool is_version_piece(std::string_view piece) {
    if (piece.size() > 1 && piece.front() == 'v') {
        piece.remove_prefix(1);
    }
    return !piece.empty() && piece.size() <= 4 && is_digit(piece.front()) &&
           std::all_of(piece.begin(), piece.end(), [](char c) { return is_digit(c) || c == '.'; });
}

bool has_size(const std::vector<std::string>& pieces) {
    return std::any_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
        return is_size_piece(piece) || (!piece.empty() && is_digit(piece.front()) &&
                                        piece.find('x') != std::string::npos);  // "8x7b", no "next"
    });
}

bool is_footage(const Sentence& sentence, std::size_t at) {
    const std::string_view before = at > 0 && sentence.follows(at) ? sentence.word(at - 1) : "";
    return is_any(before,
                  "video second seconds sec s short long longest per each audio movie film min "
                  "minute") ||
           (!before.empty() && has_digit(before)) ||
           (sentence.follows(at + 1) && is_any(sentence.word(at + 1), "length duration"));
}

std::vector<std::string> with_point(std::vector<std::string> pieces) {
    for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
        if (all_digits(pieces[i]) && all_digits(pieces[i + 1]) && pieces[i].size() == 1 &&
            pieces[i + 1].size() == 1) {
            pieces[i] += "." + pieces[i + 1];
            pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i + 1));
        }
    }
    return pieces;
}

double usual_file_bytes(const Sentence& sentence) {
    constexpr double bytes_of_a_weight = 4.83 / 8;
    const auto architecture = sentence.named_architecture();
    const double parameters = architecture && !architecture->stacks.empty()
                                  ? static_cast<double>(count_parameters(*architecture).total)
                                  : parameters_in(sentence.reading.model).value_or(0);
    return bytes_of_a_weight * parameters;
}

}  // namespace ridgeline::reading
