#include "advise/reading/words/lexicon.h"

// Phrases about hardware and money: vendors, providers, features, kinds of price, forms, aims.

namespace ridgeline::reading {

// clang-format off
std::span<const Meaning> hardware_phrases() {
    static constexpr Meaning meanings[] = {
        {Means::gpu, "",
         "gpu|gpus|card|cards|gpu card|graphics card|graphics cards|video card|video cards|accelerator|accelerators|hardware|hw|gfx card|"
         "graphic card|workstation|workstations|server|servers|cluster|clusters|machine|machines|rig|box|laptop gpu|chip|chips|instance|"
         "instances|device|devices|setup|grafikkarte|tarjeta|carte graphique|vm|vms|virtual machine|edge device|edge devices|gpu server|"
         "scheda video|placa de video|videokaart|grafische kaart|gpu servers|gpu box|gpu rig|home server|homelab server|gpu cluster|gpu node|compute node|pod"},
        {Means::model_word, "",
         "model|models|llm|llms|language model|language models|large language model|modell|modelo|parameter model|parameter models|modele|"
         "network|transformer|neural network|dense model|moe"},
        {Means::vendor, "nvidia",
         "nvidia|nvda|team green|cuda|geforce"},
        {Means::vendor, "amd",
         "amd|team red|rocm|radeon"},
        {Means::vendor, "intel",
         "intel"},
        {Means::vendor, "apple",
         "apple|apple silicon|mac|macs|mac mini|mac studio|mac pro|macbook pro|macbook air|macbook|unified memory|unified ram"},
        {Means::vendor, "google",
         "google|tpu|tpus|google tpu|google tpus"},
        {Means::vendor, "huawei",
         "huawei"},
        {Means::vendor, "aws",
         "trainium|inferentia"},
        {Means::feature, "geforce",
         "geforce|geforces|gtx"},
        {Means::feature, "radeon",
         "radeon|radeons"},
        {Means::feature, "radeon-pro",
         "radeon pro"},
        {Means::feature, "instinct",
         "instinct|instincts"},
        {Means::feature, "jetson",
         "jetson|jetsons"},
        {Means::feature, "titan",
         "titan"},
        {Means::feature, "arc",
         "intel arc|arc"},
        {Means::feature, "quadro",
         "quadro|quadros"},
        {Means::feature, "rtx-pro",
         "rtx pro"},
        {Means::feature, "rtx",
         "rtx"},
        {Means::feature, "pascal",
         "pascal|pascal generation"},
        {Means::feature, "volta",
         "volta|volta generation"},
        {Means::feature, "turing",
         "turing|turing generation"},
        {Means::feature, "ampere",
         "ampere|ampere generation"},
        {Means::feature, "ada",
         "ada|ada lovelace|lovelace|ada generation"},
        {Means::feature, "hopper",
         "hopper|hopper generation"},
        {Means::feature, "blackwell",
         "blackwell|blackwells|blackwell generation"},
        {Means::feature, "cdna",
         "cdna"},
        {Means::feature, "rdna",
         "rdna"},
        {Means::feature, "tesla",
         "tesla|teslas"},
        {Means::feature, "mac-mini",
         "mac mini|mac minis"},
        {Means::feature, "mac-studio",
         "mac studio|mac studios"},
        {Means::feature, "macbook",
         "macbook|macbooks"},
        {Means::feature, "macbook-pro",
         "macbook pro"},
        {Means::feature, "macbook-air",
         "macbook air"},
        {Means::feature, "ecc",
         "ecc|ecc memory|ecc ram|error correction"},
        {Means::feature, "nvlink",
         "nvlink|nvlinked|nvswitch|nvlink bridge"},
        {Means::feature, "datacenter",
         "no consumer|not consumer|non consumer|no gaming|not gaming|no geforce|without geforce|no consumer grade|no desktop|data center|"
         "data center grade|data centre|data center only|enterprise grade|server grade|professional cards|pro cards"},
        {Means::feature, "mig",
         "mig|multi instance gpu|multi instance"},
        {Means::provider, "aws",
         "amazon|aws|ec2|sagemaker|amazon web services"},
        {Means::provider, "gcp",
         "gcp|google cloud|vertex|vertex ai|gce|google compute|google gcp"},
        {Means::provider, "azure",
         "azure|microsoft azure|microsoft"},
        {Means::provider, "hyperscaler",
         "hyperscaler|hyperscalers|big cloud|big clouds|big three|big 3"},
        {Means::provider, "lambda",
         "lambda|lambda labs|lambda cloud"},
        {Means::provider, "vast-ai",
         "vast|vast.ai|vast ai"},
        {Means::provider, "runpod",
         "runpod|runpod.io|runpod community|runpod secure"},
        {Means::provider, "coreweave",
         "coreweave"},
        {Means::provider, "verda",
         "verda|datacrunch"},
        {Means::provider, "novita",
         "novita"},
        {Means::provider, "modal",
         "modal"},
        {Means::provider, "spheron",
         "spheron"},
        {Means::provider, "akash",
         "akash"},
        {Means::provider, "digitalocean",
         "digitalocean"},
        {Means::provider, "paperspace",
         "paperspace"},
        {Means::provider, "hyperstack",
         "hyperstack"},
        {Means::provider, "vultr",
         "vultr"},
        {Means::provider, "jarvis-labs",
         "jarvislabs"},
        {Means::provider, "packet-ai",
         "packet.ai"},
        {Means::provider, "salad",
         "salad|saladcloud"},
        {Means::provider, "tensordock",
         "tensordock"},
        {Means::provider, "together",
         "together.ai|together ai"},
        {Means::provider, "oracle",
         "oracle|oracle cloud|oci"},
        {Means::provider, "ibm",
         "ibm cloud|ibm"},
        {Means::provider, "nebius",
         "nebius|nebius ai"},
        {Means::provider, "crusoe",
         "crusoe"},
        {Means::provider, "fluidstack",
         "fluidstack"},
        {Means::provider, "hetzner",
         "hetzner"},
        {Means::provider, "ovh",
         "ovh|ovhcloud"},
        {Means::provider, "scaleway",
         "scaleway"},
        {Means::provider, "cudo",
         "cudo|cudo compute"},
        {Means::provider, "linode",
         "linode|akamai"},
        {Means::provider, "alibaba",
         "alibaba cloud|alibaba"},
        {Means::provider, "tencent",
         "tencent cloud"},
        {Means::provider, "prime-intellect",
         "prime intellect"},
        {Means::provider, "sfcompute",
         "sf compute"},
        {Means::provider, "voltage-park",
         "voltage park"},
        {Means::provider, "denvr",
         "denvr"},
        {Means::provider, "thunder",
         "thunder compute"},
        {Means::provider, "massed-compute",
         "massed compute"},
        {Means::provider, "genesis",
         "genesis cloud"},
        {Means::price_kind, "spot",
         "spot|preemptible|interruptible|spot price|spot rate|spot rates|spot prices|spot pricing|spot instance|spot instances|spot market"},
        {Means::price_kind, "on_demand",
         "secure cloud|on demand|on demand price|on demand rate|on demand rates|on demand instance"},
        {Means::price_kind, "reserved",
         "reserved|reservation|committed|1yr reserved|1 year reserved|3 year reserved|reserved instance|reserved instances|savings plan|"
         "commit|commitment"},
        {Means::price_kind, "marketplace",
         "marketplace|community cloud|community hosts|community host|community hosting|community gpus|p2p hosts|peer to peer hosts"},
        {Means::price_kind, "purchase",
         "secondhand|second hand|2nd hand|pre owned|preowned|msrp|rrp|list price|launch price|release price|suggested price|retail|refurbished|used price|street price|purchase price|purchase quote|"
         "purchase cost|to buy|new price|buy price|buying price"},
        {Means::ask, "price",
         "spot rate|spot rates|spot prices|spot pricing|spot price|on demand price"},
        {Means::ask, "buy",
         "purchase quote|to buy|to purchase|cheapest to buy"},
        {Means::ask, "hardware",
         "do i need ecc|do i need ecc memory|do we need ecc|is ecc needed|is ecc necessary"},
        {Means::ask, "needs_nvlink",
         "do i need nvlink|do we need nvlink|is nvlink needed|is nvlink necessary|is nvlink required|is nvlink worth it|"
         "does nvlink matter|does nvlink help"},
        {Means::ask, "per_watt",
         "tokens per watt|tokens per joule|how many tokens per joule|how many tokens per watt|tokens/watt|tok/w|tok per watt|tok/watt|tok per joule|tokens per w"},
        {Means::ask, "value",
         "best value|better value|which is better value|which is the better value|which one is better value|which is best value|"
         "which is the best value|better value for the money|best bang for buck|bang for buck|bang for the buck|price performance|bang for your buck|best bang for the buck|best bang|"
         "most bang for the buck|most bang for my buck|bang for my buck|value for money|best value for money|better value for money|"
         "better bang for the buck|per dollar|per buck|per usd|per euro|per pound|most for the money|most for my money|for the money|"
         "performance per dollar|perf per dollar|performance per euro|price/perf|whats the price/perf|what is the price/perf|price/perf winner|price/performance|perf/price|performance/price|perf/$|perf/dollar|price perf|price to performance|cost/performance|"
         "tokens per dollar|tokens per $|tok per dollar|tokens per euro|tokens/$"},
        {Means::ask, "which",
         "which is better value|which is the better value|which one is better value|which is best value|which is the best value"},
        {Means::objective, "cost",
         "mas barato|mas barata|barato|moins cher|moins chere|pas cher|billigste|gunstigste|gunstig|goedkoopste|goedkoop|mais barato|mais barata|"
         "piu economica|piu economico|"
         "which is better value|which is the better value|which one is better value|which is best value|which is the best value|best bang for buck|"
         "tokens per dollar|tokens per $|tok per dollar|tokens per euro|tokens/$|"
         "lowest $/m tokens|lowest $/mtok|cheapest $/m tokens|lowest cost per million tokens|cheapest per million tokens|"
         "lowest $ per million tokens|lowest $ per m tokens|cheapest|cheap|low budget|on a budget|tight budget|small budget|"
         "limited budget|shoestring|shoestring budget|dirt cheap|on the cheap|frugal|low price|least cost|lowest tco|cost sensitive|"
         "cost optimised|cost optimized|lowest bill|cheaply|cheaper|lowest cost|least expensive|low cost|cost effective|"
         "most cost effective|cost efficient|most cost efficient|best value|bang for buck|bang for the buck|price performance|"
         "budget friendly|economical|most economical|affordable|most affordable|minimal cost|lowest price|save money|inexpensive|"
         "bang for your buck|cheaper than|best bang for the buck|best bang|most bang for the buck|most bang for my buck|bang for my buck|"
         "value for money|best value for money|better value|better value for money|better bang for the buck|most cost efficiently|cost efficiently|cheapest possible|as cheap as possible|"
         "as cheaply as possible|lowest cost per token|least money|best price|per dollar|per buck|per usd|per euro|per pound|"
         "most for the money|most for my money|for the money|performance per dollar|perf per dollar|performance per euro|price/perf|whats the price/perf|what is the price/perf|price/perf winner|price/performance|perf/price|performance/price|perf/$|perf/dollar|price perf|price to performance|cost/performance|"
         "by cost|by price|by cost per token|by cost per run|by cost per hour|ranked by cost|sorted by price"},
        {Means::objective, "price",
         "cheapest to buy|cheapest to purchase"},
        {Means::objective, "time",
         "mas rapido|mas rapida|plus rapide|schnellste|am schnellsten|snelste|mais rapido|mais rapida|piu veloce|fastest|quickest|faster|fast|as fast as possible|lowest latency|low latency|highest throughput|most throughput|quickly|shortest time|"
         "minimum latency|best latency|best throughput|max throughput|maximum throughput|best performance|highest performance|"
         "most performant|most powerful|beefiest|strongest|as powerful as possible|by speed|by throughput|by performance|ranked by speed|sorted by speed|"
         "whats the most powerful|what is the most powerful"},
        {Means::objective, "energy",
         "energy efficient|most energy efficient|power efficient|less power hungry|least power hungry|less power|less energy|least energy|"
         "fewer watts|per watt|per joule|most power efficient|greenest|lowest energy|least power|lowest power|most efficient|low power|"
         "energy efficiency|energy|greener|lowest electricity|least electricity|less electricity|uses less electricity|more frugal|most frugal|frugal|performance per watt|perf per watt|tokens per watt|"
         "tokens per joule|tokens/watt|tok/w|tok per watt|tok/watt|tok per joule|tokens per w|co2|carbon|low energy|lowest power draw|lowest tdp|most tokens per watt|quiet and efficient"},
        {Means::filler, "",
         "used|list price|dont need it fast|do not need it fast|doesnt need to be fast|does not need to be fast|need not be fast|"
         "dont need it to be fast|speed doesnt matter|speed does not matter|speed isnt important|speed is not important|"
         "dont care about speed|do not care about speed|dont need speed|dont care how long|no rush|not in a hurry|not in a rush|no hurry|"
         "lying around|over a|mini pc|mini pcs|mini computer|community|ran out of"},
        {Means::either, "",
         "oder|ou|or|or time for|or is it time for"},
        {Means::infer, "",
         "tokens per watt|tokens per joule|how many tokens per joule|how many tokens per watt|tokens/watt|tok/w|most tokens per watt"},
        {Means::negation, "",
         "pas de|pas d|pas une|pas un|never again|kein|keine|keinen|ohne|sans|sin|senza|no|not|without|except|except for|excluding|exclude|non|avoid|avoiding|skip|skipping|other than|dont want|do not want|dont like|"
         "hate|nor|never|outside of|outside|minus|besides|w/o|doesnt have|dont have|can not use|do not use|not allowed to use|"
         "must not use|not permitted to use|never use|may not use|forbidden to use|will not use|wont use|refuse to use|not willing to use|"
         "dont use|lacking|steer clear of|not interested in|no interest in|not a fan of|stay away from|cannot use|cant use|not on|"
         "not from|dont suggest|dont recommend|dont show|dont give|dont offer|dont propose|dont include|ignore|ignoring|leave out|leaving out|apart from|with no|dont trust|do not trust|distrust|neither|exception of|nothing"},
        {Means::negation, "instead",
         "instead of|rather than"},
        {Means::owned, "",
         "my|our|own|i own|i have|ive|ive got|i got|we have|we own|weve got|already have|i already have|have got|existing|idle|owned|"
         "i bought|inherited|i inherited|leftover|donated|were given|was given|bought|just bought|just got|we bought|i just got|"
         "sitting on|given my|have access to|i do have|having|spare|got|with my|on my|mine|weve|i am running|im running|im using|"
         "i am using|we are running|i currently have|we currently have|i only have|we only have|only have|i still have|have a spare|"
         "picked up|i picked up|scored|i scored|got my hands on|i have access to|sitting here with|at home i have"},
        {Means::owned, "weak",
         "have"},
        {Means::versus, "",
         "comparar|vergleich|vergleichen|comparer|vs|versus|vs.|compared to|compared with|against|compare|comparison|comparing|v/s|difference|difference between|diff between|diff|"
         "differences between|better than|faster than|slower than|how much slower|how much faster|how many times faster|cheaper than|beat|"
         "beats|outperform|worse than|upgrade from|upgrading from|replace|how does it compare|how do they compare|head to head|as fast as|"
         "as good as|vs the|versus the|more cost effective than|more expensive than|quicker than|how much better|how much cheaper|"
         "how many times|compared against|as quick as|stack up|stacks up|hold up against|side by side|relative to|advantage of|"
         "advantages of|upgrade over|upgrade to|step up from|replace my|swap my"},
        {Means::feature, "pcie",
         "pcie|pci express|pci e|nvl|pcie form factor|form factor pcie|pcie slot|pcie slots|pcie version|add in card|add in cards|slot card|slot cards|"
         "plug in card|plug in cards"},
        {Means::feature, "sxm",
         "sxm|sxm2|sxm4|sxm5|hgx|sxm form factor|form factor sxm|sxm socket|sxm sockets|sxm module|sxm modules|sxm board|sxm boards"},
        {Means::feature, "oam",
         "oam|oam module|oam modules"},
        {Means::feature, "single-slot",
         "single slot|one slot|1 slot|single slot card"},
        {Means::feature, "dual-slot",
         "dual slot|two slot|2 slot"},
        {Means::feature, "low-profile",
         "low profile|half height|lowprofile"},
    };
    return meanings;
}
// clang-format on

}  // namespace ridgeline::reading
