#include "ask/newcomers.h"

#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"
#include "ask/typed_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

// Newcomers ask for no figure of a model on a part: why something is slow, what a word means, what
// to learn on. The sentence that a friend would say stands before the figures of a usual case.

namespace ridgeline::ask {
namespace {

/// What the question must have told beside the words of a row.
enum class ToldBeside { anything, memory, no_memory, part, on_part, no_part, sum, no_sum, model };

/// `{gb}` of texts is the memory that was told, `{model}` the model.
struct Newcomer {
    std::string_view any[4];  ///< a word of each; an empty list asks for none
    std::string_view none;    ///< none of these
    ToldBeside told;
    bool alone;  ///< `words` are the whole question, else they stand behind it
    std::string_view words;
    std::optional<Intent> intent;
    std::string_view field{}, value{}, why{};
    std::string_view lead{};
    std::string_view beside{};  ///< a question whose answer is told behind
};

constexpr std::string_view words_of_ai =
    "ai ml llm llms learning model models chatbot chatgpt ollama network networks neural";
constexpr std::string_view cards_said = "gpu gpus card cards graphics vga";
constexpr std::string_view words_of_learning =
    "learn learning study studying beginner beginners student students course courses school "
    "university degree homework tutorials newbie hobby bachelor";
constexpr std::string_view words_judging =
    "enough sufficient ok okay good fine useful usable work worth suitable decent can will";
/// Work of a company or of science: no row of a home tells of it.
constexpr std::string_view words_of_company =
    "server servers service services cluster clusters lab labs hpc users clients peak company "
    "companies datacenter datacentre vllm sglang throughput latency production";
/// What no language model is trained for.
constexpr std::string_view other_networks =
    "vision detection detector detect image images picture pictures photo photos audio sound "
    "speech voice robot robots robotics drone drones protein proteins video videos segmentation "
    "classification classifier recognition music cnn gan diffusion";
constexpr std::string_view open_model = "no model was named: a usual one";
constexpr std::string_view open_card = "no hardware was named: usual cards";

constexpr std::string_view why_slow =
    "Each token reads the whole model once: slow memory, or a model larger than the card's, makes "
    "it slow.";

constexpr std::string_view long_talks =
    "With every word all of the conversation so far is read again beside the model, and what it "
    "takes grows with it: what the card no longer holds moves to the slower memory of the "
    "computer, and a text that was cut is worked through anew. A new chat, a shorter context or "
    "an 8-bit cache helps.";

// clang-format off
constexpr Newcomer newcomers[] = {
    {{"slow slower slowly lag lags laggy slows", "conversation conversations chat chats history context thread", "long longer length grows grow fills", "why how"}, "train training finetune finetuning vs", ToldBeside::no_part, true,
     "8b in q4_k_m tokens per second on a 4060 laptop with a 16k prompt", Intent::throughput, "model", "8b", "no model and no card was named: usual ones of a laptop", long_talks, "8b in q4_k_m tokens per second on a 4060 laptop"},
    {{"gaming gamer gamers", "pc computer desktop rig machine", "enough sufficient good ok okay fine work can", "ai llm llms chatbot"}, "vs or buy which laptop build under", ToldBeside::no_memory, true,
     "what can i run with 8gb of vram", Intent::largest, "memory_gib", "8", "no card was named: one of a usual gaming computer, of 8 to 16 GB", "Yes, for models of up to about 12 billion parameters in 4 bits; larger ones want more memory than such a card has."},
    {{"memory vram oom", "out oom", "why how says say", "lora qlora finetune finetuning tuning training train"}, "picture pictures image images flux sdxl", ToldBeside::memory, true,
     "oom with qlora of 8b on one {gb}gb card, what do i change", Intent::fit, "model", "8b", open_model},
    {{"memory vram oom", "out oom", "why how says say", ""}, "lora qlora finetune finetuning tuning training train", ToldBeside::memory, true,
     "what can i run with {gb}gb of vram", Intent::largest, {}, {}, {},
     "Beside the file lie the cache of the context, work areas and the screen: shorten the context first, or take a smaller file."},
    {{"memory vram oom", "out oom", "why how", "my local ai llm ollama comfyui"}, "lora finetune training train", ToldBeside::no_memory, true,
     "memory of 8b in q4_k_m at 4k and at 32k context", {}, "model", "8b", open_model,
     "Weights, the cache of the context and work areas must fit into the card's memory together; a shorter context, a smaller model or weights of fewer bits is what to change."},
    {{"two 2 dual", "twice double faster fast speed", cards_said, words_of_ai}, "train training nvlink a100 h100", ToldBeside::no_part, true,
     "32b in q4_k_m, 2x 3090 vs 1x 3090", Intent::compare, "accelerators", "2 x rtx-3090, rtx-3090", "no card was named: one that many have two of",
     "Two cards hold twice as much; for one user they take turns at the layers of a model, so that it gets little faster."},
    {{"two 2 second dual several", "one single", "big bigger large better best", cards_said}, "nvlink a100 h100", ToldBeside::no_part, true,
     "32b in q4_k_m, 2x 3060 12gb vs 1x 3090", Intent::compare, "accelerators", "2 x rtx-3060-12gb, rtx-3090", "no card was named: 24 GB as two cards and as one",
     "One card with as much memory is simpler and faster for one user: two take turns at the layers of a model."},
    {{"two 2 multiple several second another", "different mix mixed unequal another other brand brands", "together combine same join add brand brands beside", cards_said}, "", ToldBeside::no_part, true,
     "will a 3090 + 3060 12gb run a 32b q6", Intent::fit, "accelerators", "rtx-3090, rtx-3060-12gb", open_card,
     "For running language models yes: llama.cpp and programs on it part the layers by the memory of each card. One picture or clip is not shared so."},
    {{"more bigger", "vram memory gb gigs", "faster fast speed quicker newer new", "or vs versus than better"}, "ram", ToldBeside::no_part, true,
     "24b in q4_k_m, 5060 ti 16gb vs 5070", Intent::compare, "accelerators", "rtx-5060-ti-16gb, rtx-5070", "no card was named: one with more memory, one that is faster",
     "Memory first: it decides what runs at all; among cards that hold the model the bandwidth of their memory decides how fast."},
    {{"chatgpt claude gemini", "cheaper cheap worth better pay paying subscription", "buy buying own", "card gpu graphics computer pc"}, "users api employees company than", ToldBeside::no_sum, true,
     "20 dollars a month for chatgpt or buy a graphics card", Intent::hardware, "api_usd_per_month", "20", "what a subscription of one person lists a month, as none was said"},
    {{"difference", "train training", "use using run running inference", "memory vram"}, "", ToldBeside::no_part, true,
     "8b, memory of serving it vs qlora vs lora vs full fine-tuning", {}, "model", "8b", open_model,
     "A model that is used lies there with the cache of its text; training keeps what each layer made for the way back, and of every number it changes a gradient and the optimizer's two."},
    {{"need needs", "h100 a100 h200 b200", "small little tiny play hobby beginner", "do does"}, "users rent server train training", ToldBeside::anything, true,
     "which card to buy for 8b at home", Intent::hardware, "model", "8b", open_model,
     "Not for small models: such parts are made for servers and for many users at once."},
    {{"ram", "help helps matter matters more", words_of_ai, ""}, "vram", ToldBeside::no_part, true,
     "14b in q4_k_m tokens per second without gpu", Intent::throughput, "model", "14b", open_model,
     "RAM lets larger models run, but slowly: a card computes from its own memory.", "14b in q4_k_m tokens per second on a 3060 12gb"},
    {{"ram", "enough sufficient ok good", words_of_ai, ""}, "vram laptop notebook train training finetune", ToldBeside::on_part, false,
     ", what can i run", Intent::largest},
    {{"ram", "enough sufficient ok good", words_of_ai, "without no"}, "vram laptop notebook mac macbook train training finetune finetuning", ToldBeside::memory, true,
     "{gb}gb ram without gpu, what can i run", Intent::largest, "accelerators", "cpu-desktop-ddr5", "RAM serves a computer's processor; a card has memory of its own",
     "Without a graphics card:"},
    {{"ram", "enough sufficient ok good", words_of_ai, ""}, "vram gpu card laptop notebook mac macbook train training finetune finetuning", ToldBeside::memory, true,
     "{gb}gb ram without gpu, what can i run", Intent::largest, "accelerators", "cpu-desktop-ddr5", "RAM serves a computer's processor; a card has memory of its own",
     "Without a graphics card:"},
    {{"bigger larger exceed exceeds too more fit fits", "vram memory card gpu", "model models llm", "happens happen"}, "", ToldBeside::no_part, true,
     "32b q4_k_m tokens/s on a 3060 12gb", Intent::throughput, "accelerators", "rtx-3060-12gb", open_card,
     "llama.cpp and programs on it leave the layers that do not fit to the processor and its slower memory; others refuse to load it.", "14b q4_k_m tokens/s on a 3060 12gb"},
    {{"faster slower quicker speed", "4bit 4 q4 int4", "8bit 8 q8 int8 16bit 16", "or vs versus than"}, "gb memory vram train training lora card gpu", ToldBeside::no_part, true,
     "8b in q4_k_m vs 8b in q8_0 on a 3060 12gb", Intent::compare, "accelerators", "rtx-3060-12gb", open_card},
    {{"tokens token tps tok", "second sec tps s", "good enough fluent comfortable usable readable fine", "how many what"}, "users batch train training serve server laptop notebook gpu gpus card cards mac", ToldBeside::no_part, true,
     "8b in q4_k_m tokens per second on a 3060 12gb", Intent::throughput, "model", "8b", open_model,
     "A token is about three quarters of a word; people read about 5 tokens a second, 10 feel fluent."},
    {{"slow slowly", cards_said, words_of_ai, "faster speed better what which"}, "train training finetune finetuning vs", ToldBeside::no_part, true,
     "which card to buy for 8b at home", Intent::hardware, "model", "8b", open_model, why_slow},
    {{"only just", "why", "second sec tps", ""}, "train training finetune finetuning vs", ToldBeside::no_part, true,
     "8b in q4_k_m tokens per second on a 4060 laptop", Intent::throughput, "model", "8b", open_model, why_slow, "8b in q4_k_m tokens per second without gpu"},
    {{"slow slowly", "why how", "train training finetuning", ""}, "vs", ToldBeside::no_part, true,
     "tokens per second of qlora of 3b on a 4060 laptop", Intent::throughput, "model", "3b", open_model,
     "Training computes about three times as much for a token as running does, in the limits of the card's power and memory."},
    {{"first", "answer answers token reply response word start", "why how", "long slow slowly late"}, "vs", ToldBeside::no_part, true,
     "time to first token of 8b in q4_k_m with a 4k prompt on a 4060 laptop", Intent::throughput, "model", "8b", open_model,
     "Before the first word the file is read from the disk, once, and the whole prompt is worked through."},
    {{"many", "people users persons", cards_said, "one single a same"}, "need needs train training finetune finetuning", ToldBeside::no_part, true,
     "how many users of 8b on a 4090", Intent::largest, "accelerators", "rtx-4090", "neither a model nor a card was named: usual ones"},
    {{"supercomputer", "rent renting hire lease", "", ""}, "", ToldBeside::no_part, false,
     ", price to rent 8 h100", Intent::price, "accelerators", "8 x h100", "none was named: a server as they stand in large ones"},
    {{"free nothing", "where run use try", "ai llm llms model models", ""}, "gpu gpus vram card train training finetune slots memory space", ToldBeside::no_part, true,
     "does 8b in q4_k_m fit on free colab", Intent::fit, "model", "8b", open_model,
     "Colab and Kaggle lend a card of 16 GB for nothing, for some hours at a time."},
    {{"fast speed quick", "laptop notebook", "ai llm llms chatbot", ""}, "which best buy", ToldBeside::no_part, true,
     "8b in q4_k_m tokens per second on a 4060 laptop", Intent::throughput, "model", "8b", open_model, {}, "8b in q4_k_m tokens per second without gpu"},
    {{"gpu gpus card", "cpu cpus processor processors", "why better difference faster", "ai llm llms learning"}, "ryzen epyc xeon buy", ToldBeside::anything, true,
     "8b in q4_k_m tokens per second on a 3060 12gb", Intent::throughput, "model", "8b", open_model,
     "A GPU computes on thousands of numbers at once and reads its memory several times as fast.", "8b in q4_k_m tokens per second without gpu"},
    {{words_of_learning, "colab kaggle notebooks", "buy buying own", ""}, "", ToldBeside::anything, true,
     "does qlora of a 3b fit on free colab", Intent::fit, "model", "3b", "no model was named: a small one, whose adapters are tuned",
     "To begin, Colab and Kaggle are enough: they lend a card of 16 GB for nothing, for some hours at a time."},
    {{"future futureproof proof years last", "vram gb memory gpu card", "", ""}, "vs or price cost", ToldBeside::memory, true,
     "what can i run with {gb}gb of vram", Intent::largest, {}, {}, {},
     "Which models come is not known here; those of today:"},
    {{"know tell check find", "my our", cards_said, "run runs handle"}, "", ToldBeside::model, true,
     "memory of {model} to run it", Intent::memory, {}, {}, {},
     "Compare the card's memory (nvidia-smi, or the task manager) with what the model takes."},
    {{"know tell check find", "which what", words_of_ai, "my our"}, "users vs or buy need needs get mac macbook imac laptop notebook ram hobby", ToldBeside::no_memory, true,
     "what can i run with 8gb of vram", Intent::largest, "memory_gib", "8", "no card was named: one of a usual gaming computer, of 8 to 16 GB",
     "Look up the memory of the graphics card (nvidia-smi, or the task manager): models run whose files leave a tenth of it free. Of 8 GB:"},
    {{"need needs", "run running use using", "computer pc desktop", "my our"}, "rent cloud server", ToldBeside::model, false,
     ", which card to buy", Intent::hardware},
    {{"long time", "train training finetune tune", "chatbot llm ai model", ""}, "from scratch photo photos picture pictures image images video videos voice music", ToldBeside::on_part, false,
     ", qlora of 8b", Intent::duration, "model", "8b", class_for_tuning},
    {{"slow slowly slower lagging faster speed", "why how make makes", words_of_ai, "my our local locally ollama home it"}, "train training finetune finetuning vs", ToldBeside::no_part, true,
     "8b in q4_k_m tokens per second on a 4060 laptop", Intent::throughput, "model", "8b", open_model, why_slow, "8b in q4_k_m tokens per second without gpu"},
    {{"difference between", words_of_ai, cards_said, ""}, "", ToldBeside::memory, true,
     "does it matter if i get {least}gb or {gb}gb for local ai, what can i run", Intent::largest},
    {{"laptop notebook", "no without", cards_said, words_of_ai}, "", ToldBeside::no_sum, true,
     "laptop with 8gb ram without a gpu, 4b in q4_k_m, does it fit", Intent::fit, "host_memory_gib", "8", "no memory was told: that of an old laptop", "Models of 1 to 4 billion parameters in 4 bits:"},
    {{"can could", "computer pc desktop laptop notebook", "ai llm llms chatbot", "my our normal office old average ordinary regular"}, "which what best buy gaming card cards gpu gpus nvidia geforce radeon learn study", ToldBeside::no_memory, true,
     "laptop with 16gb ram without a gpu, 8b in q4_k_m, does it fit", Intent::fit, "host_memory_gib", "16", "no card and no memory was told: a usual computer without a card",
     "Small models run on it, also without a graphics card."},
    {{words_of_learning, "need must should", "buy buying own", cards_said}, "rent vs or which what", ToldBeside::no_part, true,
     "does qlora of a 3b fit on free colab", Intent::fit, "model", "3b", "no model was named: a small one, whose adapters are tuned",
     "Not to begin: Colab and Kaggle lend a card of 16 GB for nothing."},
    {{"school university homework class assignment thesis project", "recognition recognize recognise classify classification detect detection", cards_said, ""}, "rent", ToldBeside::no_sum, false,
     ", cheapest card to buy", Intent::hardware},
    {{"mac macbook imac", "ok okay good fine enough useful work suitable run runs handle", "ai ml learn learning llm llms student", ""}, "vs or which buy train training finetune finetuning tuning", ToldBeside::no_part, true,
     "what can i do with an m4 16gb", Intent::budget, "accelerators", "apple-m4", "no chip and no memory was named: a MacBook Air M4 of 16 GB; more memory holds larger models",
     "A Mac runs language models well for the memory that it has; it trains slowly, and code of courses for CUDA does not run on it."},
    {{"laptop notebook", words_of_learning, "", ""}, "vram ram", ToldBeside::no_memory, true,
     "does qlora of 3b fit on a 4060 laptop", Intent::fit, "accelerators", "rtx-4060-laptop", "no laptop was named",
     "To learn, a laptop with a GeForce of 8 GB is enough: courses are written for CUDA, and their networks take 2 to 6 GB. Prices of laptops with such cards are not kept here."},
    {{"laptop notebook", "ai ml llm llms", "under below budget max cheap cheapest expensive dollars euros less", ""}, "my vram 8b 14b", ToldBeside::no_part, true,
     "does qlora of 3b fit on a 4060 laptop", Intent::fit, "accelerators", "rtx-4060-laptop", "no laptop was named",
     "Prices of laptops with cards are not kept here, so that no sum is weighed: look for a GeForce of 8 GB or more, which runs models of 8B in 4 bits."},
    {{words_of_learning, words_judging, "vram memory gb gigs", ""}, "ram", ToldBeside::memory, true,
     "what can i do with {gb}gb", Intent::largest, {}, {}, {},
     "{learns}: networks of courses (ResNet-50, BERT) take 2 to 6 GB to train."},
    {{"ai ml llm llms chatgpt beginner beginners learn learning", "", "", ""}, "vs or than upgrade price cost ram", ToldBeside::part, false,
     ", what can i run", Intent::largest},
    {{"is are", "good enough useful decent ok worth fast", "", ""}, "vs or than upgrade price cost rent hour for $ deal", ToldBeside::part, false,
     ", what can i run", Intent::largest},
    {{"pc computer desktop rig machine", "ai llms llm", "under below budget for max", ""}, "my laptop", ToldBeside::sum, false,
     ", to run llms", Intent::budget},
    {{"train training", "ai llm chatbot chatgpt", "cost costs price expensive much long", "scratch"}, "gpu gpus card cards laptop", ToldBeside::no_part, true,
     "cost to pretrain llama 3 8b from scratch", Intent::duration, "model", "llama-3-8b", "no model was named: one of those that a company trains",
     {}, "cost of lora of 8b"},
    {{"train training", "ai llm chatbot chatgpt", "cost costs price expensive much long", ""}, "my our gpu gpus card cards scratch", ToldBeside::no_part, true,
     "cost of lora of 8b", Intent::duration, "model", "8b", open_model,
     "What is trained decides. Adapters of a model that is there:", "cost to pretrain llama 3 8b from scratch"},
    {{"cost costs much expensive", "run running", "all always", "day night time"}, "rent renting cloud api users train training finetune server", ToldBeside::no_part, true,
     "electricity cost of a 5060 ti 16gb, 24 hours a day", Intent::describe, "hours_per_day", "24", "no card was told: a usual one, which computes all day"},
    {{"electricity power kwh", "ai llm llms gpu card", "cost costs much expensive bill", ""}, "", ToldBeside::no_part, true,
     "electricity cost of a 5060 ti 16gb, 2 hours a day", Intent::describe, "hours_per_day", "2", "no card and no use was told: a usual one for 2 hours a day"},
    {{"month monthly", "own private", "gpt llm chatbot ai", "cost costs price much expensive"}, "users buy buying finetune train gpus cloud rent rented hosted", ToldBeside::no_part, false,
     ", to rent, serving 8b", Intent::hardware, "model", "8b", open_model},
    {{"month monthly", "cloud rent rented renting hosted", words_of_ai, "cost costs price much expensive"}, "api subscription plus train training finetune lora gpu gpus card cards", ToldBeside::no_part, false,
     ", serving 8b", Intent::hardware, "model", "8b", open_model},
    {{"cheap cheapest lowest", "try trying test testing play", "model models llm ai", "evening night weekend afternoon once hour hourly"}, "finetune lora train gpu gpus card cards", ToldBeside::no_part, true,
     "cheapest gpu to rent for 70b in q4_k_m, 4 hours", Intent::hardware, "model", "70b", "no model was named: a big one that one card holds in 4 bits, for an evening"},
    {{"train training finetune finetuning teach", "small tiny little", "model models llm network", ""}, "scratch pretrain laptop", ToldBeside::sum, false,
     ", qlora of 3b", {}, "model", "3b", "no model was named: a small one, whose adapters are tuned"},
    {{"train training finetune finetuning teach", "small tiny little", "model models llm network", ""}, "scratch pretrain laptop", ToldBeside::no_part, false,
     ", qlora of 3b, card to buy", {}, "model", "3b", "no model was named: a small one, whose adapters are tuned"},
    {{"learn learning study student students beginner beginners school university course kaggle", "gpu gpus card cards graphics pc computer desktop", "competitions competition project deep machine ai ml buy best which what need", ""}, "vs vram gb rent diffusion image images picture pictures cuda", ToldBeside::no_sum, false,
     ", nvidia, at home, qlora 8b, which card to buy", {}, "model", "8b", class_for_tuning},
    {{"download downloading", "long time", "", ""}, "", ToldBeside::model, true,
     "size of the weights of {model}", Intent::memory},
};

/// A word that is asked about, the sentence on it, and the question whose figures show it.
struct Term {
    std::string_view words;
    std::string_view lead;
    std::string_view question;
    std::string_view of_memory{};  ///< the question where a memory was told
};
constexpr Term known_terms[] = {
    {"quantized quantised quantization quantisation quantize quantisierung gguf quant quants 4bit 8bit q4 q5 q6 q8 q4_k_m q5_k_m q6_k q8_0 q4_0 int4 int8",
     "Quantized weights are rounded to fewer bits: 4 in place of 16 take a third of the memory, at a small loss of quality; pick the widest of q8_0, q6_k, q5_k_m and q4_k_m that fits.",
     "memory of 8b to run it", "what can i run with {gb}gb of vram"},
    {"vram", "VRAM is the graphics card's own memory, which decides what runs at the card's speed.",
     "how much vram, 8b", "what can i run with {gb}gb of vram"},
    {"tps tok/s t/s", "A token is about three quarters of a word; people read about 5 tokens a second, 10 feel fluent.", "8b in q4_k_m tokens per second on a 3060 12gb"},
    {"token tokens", "A token is about three quarters of a word; people read about 5 tokens a second, 10 feel fluent.", "8b in q4_k_m tokens per second on a 3060 12gb"},
    {"lora qlora", "LoRA trains small matrices beside weights that stay as they are; QLoRA keeps those in 4 bits.", "how much vram to finetune an 8b"},
    {"finetuning finetune fine", "Fine-tuning trains a model that is there further, on data of one's own.", "how much vram to finetune an 8b"},
    {"inference", "Inference is running a model that has been trained; training it takes several times the memory.", "how much vram for 8b"},
    {"context", "The context is the text that a model has before it, prompt and answer together; a cache of it takes memory beside the weights.", "kv cache of llama 3.1 8b at 32k"},
};
// clang-format on

/// Memory sizes of the words in GB, in their order: "8gb", "8 gigs", and a bare number behind
/// "have".
std::vector<double> memories_of(const TypedWords& words) {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto amount = reading::amount_in(words[i]);
        const std::string_view unit = i + 1 < words.size() ? std::string_view(words[i + 1]) : "";
        const bool bare = amount && amount->unit.empty();
        const bool had = i > 0 && words[i - 1] == "have" && i + 1 == words.size();
        if (amount && (amount->unit == "gb" || amount->unit == "go" ||
                       (bare && reading::is_any(unit, "gb gig gigs gigabyte gigabytes giga go")) ||
                       (bare && had))) {
            sizes.push_back(amount->value);
        }
    }
    return sizes;
}

bool is_size(const std::string& word) {
    return word.ends_with('b') && reading::parameters_in(word).has_value();
}

bool is_term(const std::string& word) {
    return std::ranges::any_of(known_terms,
                               [&](const Term& each) { return reading::is_any(word, each.words); });
}

/// "what does 7b mean", "what is a token", "define lora": nothing stands there but the term and
/// the words that ask. "mean" beside anything else is an average or a consequence.
bool asks_meaning(const TypedWords& words, const std::vector<double>& memories) {
    constexpr std::string_view asking =
        "what whats what's was is are does do did it a an the mean means meaning of define "
        "definition "
        "explain me to please in on by for with letter word term terms exactly actually really "
        "simple plain ai llm llms model models name names files file tuning per second and how "
        "many much i need why which one should pick take choose use matter matters difference "
        "between";
    // "what does the 7b mean, and does it matter for my card with 6 gb"
    const bool meant = has_word_of(words, "mean means meaning");
    if (!std::ranges::all_of(words, [&](const std::string& word) {
            return word.size() == 1 || reading::is_any(word, asking) || is_term(word) ||
                   (meant && reading::is_any(word, "my card cards graphics gpu have")) ||
                   is_size(word) ||
                   (!memories.empty() && (is_digit(word.front()) || word == "gb")) ||
                   !(is_letter(word.front()) || is_digit(word.front()));
        })) {
        return false;
    }
    const bool what = has_word_of(words, "what whats what's was");
    if (has_word_of(words, "define definition explain meaning") ||
        (what && has_word_of(words, "mean means") && words.back() != "it")) {
        return true;
    }
    const bool starts = words.size() > 2 && reading::is_any(words[0], "what") &&
                        reading::is_any(words[1], "is are");
    const std::size_t at = starts && reading::is_any(words[2], "a an the") ? 3 : 2;
    // "what is int4 8b vram": of a size that stands beside a term a figure is asked.
    return starts && at < words.size() && (is_term(words[at]) || is_size(words[at])) &&
           !(std::ranges::any_of(words, is_size) && std::ranges::any_of(words, is_term));
}

std::string filled_in(std::string_view text, const std::vector<double>& memories,
                      const Reading* reading) {
    std::string out(text);
    const auto put = [&out](std::string_view name, const std::string& value) {
        for (std::size_t at = out.find(name); at != out.npos; at = out.find(name)) {
            out.replace(at, name.size(), value);
        }
    };
    if (!memories.empty()) {
        put("{gb}", fmt::format("{:g}", std::ranges::max(memories)));
        put("{least}", fmt::format("{:g}", std::ranges::min(memories)));
        constexpr double of_courses = 6;
        put("{learns}", std::ranges::max(memories) >= of_courses ? "Yes, to learn"
                                                                 : "For small exercises only");
    }
    put("{model}", reading != nullptr ? reading->model : std::string());
    return out;
}

std::optional<Supplement> meaning_of(const TypedWords& words, const std::vector<double>& memories) {
    if (!asks_meaning(words, memories)) {
        return std::nullopt;
    }
    Supplement out;
    out.alone = true;
    for (const std::string& word : words) {
        if (const auto size = reading::parameters_in(word); size && is_size(word)) {
            out.lead = fmt::format(
                "{} stands for {:g} billion parameters, the numbers that a model has learnt: they "
                "take 2 bytes each in 16 bits, about 0.6 in 4.",
                word, *size / 1e9);
            out.words = memories.empty() ? "memory to run " + word
                                         : fmt::format("what can i run with {:g}gb of vram",
                                                       std::ranges::max(memories));
            return out;
        }
    }
    for (const Term& term : known_terms) {
        if (has_word_of(words, term.words)) {
            out.lead = term.lead;
            out.words = filled_in(
                memories.empty() || term.of_memory.empty() ? term.question : term.of_memory,
                memories, nullptr);
            return out;
        }
    }
    return std::nullopt;
}

/// "28 kids at the same time": so many who ask at once; 0: no number stands before such a word.
double users_of(const TypedWords& words) {
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const auto amount = reading::amount_in(words[i]);
        if (amount && amount->unit.empty() && amount->value >= 2 &&
            reading::field_named_after(words[i + 1]) == reading::Field::users) {
            return amount->value;
        }
    }
    return 0;
}

bool has_told(ToldBeside told, const Reading* reading, const std::vector<double>& memories) {
    const bool part =
        reading != nullptr && (!reading->accelerators.empty() || !reading->unknown_parts.empty());
    const bool model = reading != nullptr && reading->model_known && !reading->model.empty();
    switch (told) {
        case ToldBeside::memory:
            return !memories.empty() && !part;
        case ToldBeside::no_memory:
            return memories.empty() && !part;
        case ToldBeside::part:
            return part && memories.empty() &&
                   (reading->intent == Intent::describe ||
                    (reading->intent == Intent::fit && reading->task != Task::train)) &&
                   reading->attributes.empty() && reading->unknown_parts.empty();
        case ToldBeside::on_part:
            return part && reading->unknown_parts.empty();
        case ToldBeside::no_part:
            return !part;
        case ToldBeside::sum:
            return !part && reading != nullptr && reading->budget_usd;
        case ToldBeside::no_sum:
            return !part &&
                   (reading == nullptr || (!reading->budget_usd && !reading->usd_per_hour));
        case ToldBeside::model:
            return model && !part;
        default:
            return true;
    }
}

/// Whether figures were told that a question in the place of the typed one would drop: watts,
/// prices, hours, more cards than two that are weighed.
bool tells_figures(const TypedWords& words, const Reading* reading) {
    constexpr std::string_view units =
        "w watt watts kw cent cents kwh hour hours h day days month months year years user users "
        "people person request requests node nodes images";
    constexpr std::string_view cards = "card cards gpu gpus";
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto amount = reading::amount_in(words[i]);
        const std::string_view next = i + 1 < words.size() ? std::string_view(words[i + 1]) : "";
        const std::string_view unit = amount && amount->unit.empty() ? next
                                      : amount ? std::string_view(amount->unit)
                                               : std::string_view();
        if (amount &&
            (reading::is_any(unit, units) || (amount->value > 2 && reading::is_any(unit, cards)))) {
            return true;
        }
    }
    if (reading == nullptr) {
        return false;
    }
    const Reading& of = *reading;
    return of.count.value_or(1) > 2 || of.nodes || of.concurrency.value_or(1) > 1 ||
           of.requests_per_s || of.usd_per_kwh || of.max_watts || of.power_cap_w ||
           of.hours_per_day || of.part_hours || of.usd_per_hour || of.usd_per_month || of.months ||
           of.deadline_s || of.ttft_s || of.tpot_s;
}

/// What is had by a subscription alone: no model that anybody runs.
bool names_subscription(const Reading& reading) {
    return !reading.model_known && reading::is_any(reading.model, "chatgpt claude gemini");
}

/// Whether the work is open: neither a model nor anything else of it was read.
bool leaves_all_of_it_open(const Reading* reading) {
    return reading == nullptr ||
           (reading->model.empty() && reading->family_models.empty() && !reading->kernel &&
            reading->environment.empty() && !asks(*reading, "value") && !asks(*reading, "api"));
}

}  // namespace

std::optional<Supplement> supplement_of_newcomer(const std::string& question,
                                                 const Reading* reading) {
    const TypedWords words = typed_words(question);
    const auto memories = memories_of(words);
    const bool parts = reading != nullptr && !reading->accelerators.empty();
    if (auto meaning = parts ? std::nullopt : meaning_of(words, memories)) {
        return meaning;
    }
    const bool of_company = has_word_of(words, words_of_company);
    const bool figures = tells_figures(words, reading);
    const bool other_network = has_word_of(words, other_networks) ||
                               (reading != nullptr && !reading->unknown_names.empty());
    for (const Newcomer& each : newcomers) {
        const bool named = each.told == ToldBeside::model;
        const bool subscription =
            each.field == "api_usd_per_month" && reading != nullptr && names_subscription(*reading);
        const bool open = named || subscription || (leaves_all_of_it_open(reading) && !of_company);
        const bool tunes = each.words.find("qlora") != each.words.npos && each.field == "model";
        if (!open || (each.alone && figures) || (tunes && other_network) ||
            !has_told(each.told, reading, memories) ||
            (!each.none.empty() && has_word_of(words, each.none)) ||
            !std::ranges::all_of(each.any, [&](auto list) { return has_word_of(words, list); })) {
            continue;
        }
        Supplement out{filled_in(each.words, memories, reading),
                       each.intent,
                       {std::string(each.field), std::string(each.value), std::string(each.why)}};
        out.alone = each.alone;
        if (const double users = users_of(words); users > 0 && each.intent == Intent::fit) {
            out.words += fmt::format(", {:g} users", users);
        }
        out.lead = filled_in(each.lead, memories, reading);
        out.beside = each.beside;
        return out;
    }
    return std::nullopt;
}

}  // namespace ridgeline::ask
