#pragma once

#include "advise/reading/reading.h"
#include "advise/reading/words/lexicon.h"
#include "advise/reading/words/sentence.h"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ridgeline::reading {

/// Names of the catalog and the profiles, taken to pieces so that people may join, order and
/// shorten them as they like: "A100-SXM4-80GB", "a100 80gb sxm", "80GB A100".
class Names {
public:
    explicit Names(const Vocabulary& vocabulary);

    struct Part {
        const Accelerator* part = nullptr;
        std::vector<std::string> pieces;  ///< of its id and aliases
    };
    struct Machine {
        std::string id;  ///< of the catalog; empty: an instance that offers alone name
        const Accelerator* part = nullptr;
        int count = 1;
        std::string provider;
        std::string instance{};  ///< as its provider calls it, where offers alone name it
    };
    struct Model {
        std::string id;
        std::vector<std::string> pieces;  ///< of one of its names, in order
    };

    Lexicon lexicon;
    std::unordered_map<std::string, std::vector<const Part*>> parts_by_core;
    std::unordered_map<std::string, const Accelerator*> parts_by_key;
    std::unordered_map<std::string, Machine> machines_by_key;
    std::vector<std::pair<std::vector<std::string>, Machine>> machine_pieces;
    std::unordered_map<std::string, std::vector<Model>> models_by_family;
    std::unordered_map<std::string, std::string> models_by_key;
    std::unordered_map<std::string, const ModelStandIn*> stand_ins;
    std::unordered_set<std::string> model_words;  ///< pieces of models' names in letters alone
    std::unordered_set<std::string> providers;
    std::set<std::string> regions;  ///< of rents
    std::set<std::string>
        marketplaces;  ///< providers that list nothing but offers of a marketplace

private:
    void add_parts(const Vocabulary& vocabulary);
    void add_machines(const Vocabulary& vocabulary);
    void add_models(const Vocabulary& vocabulary);
    std::vector<Part> parts_;
};

/// "qwen2.5-coder-32b" -> qwen, 2.5, coder, 32b: words of three letters part from their version.
std::vector<std::string> model_pieces(std::string_view name);
/// "rtx4070ti" -> rtx, 4070, ti; "a100" stays.
std::vector<std::string> part_pieces(std::string_view word);

/// "80gb", "80g", "80gib" as a size; 0: it is none.
double memory_piece(std::string_view piece);
/// Words that make another part of one: "ti", "super", "max", ...
bool is_variant(std::string_view piece);
/// Words before a part's own name: "nvidia", "rtx", "mac", ...
bool is_brand(std::string_view piece);

}  // namespace ridgeline::reading
