#include "advise/reading/words/names.h"

#include "base/text.h"

#include <algorithm>

namespace ridgeline::reading {

bool is_variant(std::string_view piece) {
    return is_any(piece, "ti super xt xtx gre ada sff max ultra pro mini nano nx laptop mobile");
}

bool is_brand(std::string_view piece) {
    return is_any(piece,
                  "nvidia amd intel geforce rtx gtx rx radeon quadro tesla titan apple mac macbook "
                  "studio studios minis macs macbooks "
                  "imac tpu google instinct arc jetson agx cloud silicon aws hgx ryzen");
}

double memory_piece(std::string_view piece) {
    for (const std::string_view unit : {"gib", "gb", "g"}) {
        if (piece.size() > unit.size() && piece.ends_with(unit) &&
            all_digits(piece.substr(0, piece.size() - unit.size())) &&
            piece.size() - unit.size() <= 4) {
            return number_with_suffix(piece.substr(0, piece.size() - unit.size())).value_or(0);
        }
    }
    return 0;
}

std::vector<std::string> part_pieces(std::string_view word) {
    std::vector<std::string> pieces;
    for (const std::string_view brand : {"geforce", "rtx", "gtx", "rx"}) {
        if (word.size() > brand.size() && word.starts_with(brand) &&
            (is_digit(word[brand.size()]) || word[brand.size()] == 'a')) {
            pieces.emplace_back(brand);
            word.remove_prefix(brand.size());
        }
    }
    std::size_t digits = 0;
    while (digits < word.size() && is_digit(word[digits])) {
        ++digits;
    }
    if (digits >= 3 && is_any(word.substr(digits), "ti super xt xtx gre")) {
        pieces.emplace_back(word.substr(0, digits));
        word.remove_prefix(digits);
    }
    pieces.emplace_back(word);
    return pieces;
}

std::vector<std::string> model_pieces(std::string_view name) {
    std::vector<std::string> pieces;
    std::string plain = lower(name);
    for (char& c : plain) {
        if (c == '_' || c == ' ' || c == ':') {
            c = '-';
        }
    }
    for (const std::string& piece : split(plain, '-')) {
        std::size_t letters = 0;
        while (letters < piece.size() && is_letter(piece[letters])) {
            ++letters;
        }
        std::size_t word = letters;
        // "yolov8" is "yolo v8"; "flux.1" is "flux 1".
        if (letters > 3 && letters < piece.size() && piece[letters - 1] == 'v' &&
            is_digit(piece[letters])) {
            --word;
        }
        const bool parted =
            letters >= 3 && letters < piece.size() &&
            (is_digit(piece[letters]) || (piece[letters] == '.' && letters + 1 < piece.size()));
        if (parted) {
            pieces.push_back(piece.substr(0, word));
            pieces.push_back(piece.substr(piece[letters] == '.' ? letters + 1 : word));
        } else if (!piece.empty()) {
            pieces.push_back(piece);
        }
    }
    return pieces;
}

namespace {

/// Pieces that tell a part from all others: those with a digit, less memory, boards and counts.
bool is_core(std::string_view piece) {
    const bool board = piece.starts_with("sxm") || piece.starts_with("hbm") ||
                       piece.starts_with("gddr") || piece.starts_with("pcie");
    if (memory_piece(piece) > 0 || board || is_brand(piece) || is_variant(piece)) {
        return false;
    }
    return (has_digit(piece) && has_letter(piece) && piece.size() >= 2) ||
           (all_digits(piece) && piece.size() >= 4) || is_any(piece, "spark trillium halo thor");
}

}  // namespace

namespace {

/// What questions call the stacks that have profiles, and those that are estimated as one of them.
std::vector<Phrase> engine_phrases(const Profiles& profiles) {
    std::vector<Phrase> phrases;
    const auto add = [&](const std::vector<std::string>& words, std::string_view id) {
        for (const std::string& each : words) {
            phrases.push_back({each, Means::framework, id});
        }
    };
    for (const SoftwareProfile& profile : profiles.software) {
        add(profile.words, profile.id);
        for (const StackAlike& other : profile.alike) {
            add(other.words, other.id);
        }
    }
    return phrases;
}

}  // namespace

Names::Names(const Vocabulary& vocabulary) : lexicon(engine_phrases(vocabulary.profiles)) {
    add_parts(vocabulary);
    add_machines(vocabulary);
    add_models(vocabulary);
    for (const Offer& offer : vocabulary.catalog.offers) {
        providers.insert(offer.provider);
        if (!offer.region.empty()) {
            regions.insert(lower(offer.region));
        }
        if (offer.kind == PriceKind::marketplace) {
            marketplaces.insert(offer.provider);
        }
    }
    for (const Offer& offer : vocabulary.catalog.offers) {
        if (offer.kind == PriceKind::on_demand) {
            marketplaces.erase(offer.provider);
        }
    }
}

void Names::add_parts(const Vocabulary& vocabulary) {
    for (const Accelerator& part : vocabulary.catalog.accelerators) {
        Part entry{&part, {}};
        const auto add = [&](std::string_view name) {
            std::string plain = lower(name);
            std::replace(plain.begin(), plain.end(), ' ', '-');
            for (const std::string& word : split(plain, '-')) {
                for (std::string& piece : part_pieces(word)) {
                    if (std::ranges::find(entry.pieces, piece) == entry.pieces.end()) {
                        entry.pieces.push_back(std::move(piece));
                    }
                }
            }
        };
        parts_by_key.emplace(bare(part.id), &part);
        parts_by_key.emplace(bare(part.name), &part);
        for (const std::string& alias : part.aliases) {
            parts_by_key.emplace(bare(alias), &part);
        }
        add(part.id);
        parts_.push_back(std::move(entry));
    }
    for (const Part& entry : parts_) {
        for (const std::string& family : entry.part->families) {
            const bool word = family.find(' ') == std::string::npos;
            if (word && !is_core(family) && family.size() >= 5) {
                parts_by_core[family].push_back(&entry);  // "gaudi", "trainium"
            } else if (word && is_core(family)) {
                auto& parts = parts_by_core[family];
                if (std::ranges::find(parts, &entry) == parts.end()) {
                    parts.push_back(&entry);
                }
            }
        }
        if (entry.part->kind == "cpu") {
            continue;  // a host is named by its whole id
        }
        for (const std::string& piece : entry.pieces) {
            const auto& families = entry.part->families;
            const bool other = std::ranges::any_of(parts_, [&](const Part& each) {
                return std::ranges::find(each.part->families, piece) != each.part->families.end();
            });
            // A family is what the catalog says it is.
            const bool member = std::ranges::find(families, piece) != families.end();
            if (is_core(piece) && !member && !other) {
                parts_by_core[piece].push_back(&entry);
            }
        }
    }
}

void Names::add_machines(const Vocabulary& vocabulary) {
    const Catalog& catalog = vocabulary.catalog;
    for (const ridgeline::Machine& machine : catalog.machines) {
        if (machine.id.starts_with("workstation")) {
            continue;
        }
        Machine entry{machine.id, catalog.accelerator(machine.accelerator), machine.accelerators,
                      machine.provider.value_or("")};
        std::string name = machine.id;
        if (machine.provider && name.starts_with(*machine.provider + "-")) {
            name = name.substr(machine.provider->size() + 1);
        }
        std::vector<std::string> spellings = machine.aliases;
        spellings.insert(spellings.end(), {name, machine.id, machine.name});
        for (const std::string& spelling : spellings) {
            // "8x A100" counts parts, whatever a provider calls so.
            if (const std::string key = bare(spelling); !key.empty() && !is_digit(key.front())) {
                Machine& known = machines_by_key.emplace(key, entry).first->second;
                // "inf2", "g5": of a family of instances the smallest.
                const auto size = [](const Machine& each) {
                    return std::pair(each.count, each.id.size());
                };
                if (known.part == entry.part && size(entry) < size(known)) {
                    known = entry;
                }
            }
        }
        machine_pieces.emplace_back(split(name, '-'), entry);
    }
    for (const Offer& offer : catalog.offers) {
        const Accelerator* part = catalog.accelerator(offer.accelerator);
        const std::string key = bare(offer.instance_type);
        // "8xh100" as a provider calls it is a count and a part.
        const bool named = key.size() >= 4 && has_digit(key) && has_letter(key) &&
                           (offer.instance_type.find_first_of(".-_") != std::string::npos) &&
                           parts_by_key.count(key) == 0 && !is_digit(key.front());
        if (part != nullptr && named) {
            machines_by_key.emplace(
                key, Machine{"", part, offer.count, offer.provider, offer.instance_type});
            if (key.starts_with("standard")) {
                machines_by_key.emplace(
                    key.substr(8),
                    Machine{"", part, offer.count, offer.provider, offer.instance_type});
            }
        }
    }
}

void Names::add_models(const Vocabulary& vocabulary) {
    const auto add = [this](const std::string& name, const std::string& id) {
        const std::string own(last_part(name));
        models_by_key.emplace(bare(own), id);
        auto pieces = model_pieces(own);
        if (!pieces.empty()) {
            for (const std::string& piece : pieces) {
                if (piece.size() > 4 && std::ranges::all_of(piece, is_letter)) {
                    model_words.insert(piece);
                }
            }
            std::string family = pieces.front();
            models_by_family[family].push_back({id, std::move(pieces)});
        }
    };
    for (const std::string& id : vocabulary.profiles.model_ids) {
        add(id, id);
    }
    if (vocabulary.model_aliases != nullptr) {
        for (const auto& [alias, id] : *vocabulary.model_aliases) {
            add(alias, id);
        }
    }
    for (const ModelStandIn& entry : vocabulary.profiles.stand_ins) {
        for (const std::string& name : entry.names) {
            stand_ins.emplace(bare(name), &entry);
        }
    }
}

}  // namespace ridgeline::reading
