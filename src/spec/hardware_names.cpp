#include "spec/hardware_names.h"

#include "base/lists.h"
#include "base/text.h"

#include <algorithm>
#include <cctype>

namespace ridgeline {
namespace {

using NameWords = std::vector<std::string>;

// Words before a name that say whose it is; the name alone means the same.
bool is_brand(std::string_view word) {
    return is_among(word,
                    {"nvidia", "geforce",  "rtx",    "gtx",       "tesla",   "amd",   "radeon",
                     "rx",     "instinct", "intel",  "arc",       "habana",  "apple", "google",
                     "cloud",  "aws",      "amazon", "ec2",       "azure",   "gcp",   "oracle",
                     "oci",    "lambda",   "quadro", "microsoft", "standard"});
}

// Lower-case words of letters and digits.
NameWords words_of(std::string_view text) {
    NameWords words(1);
    for (const char c : text) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) {
        words.pop_back();
    }
    return words;
}

std::string joined(const NameWords& words, std::size_t from) {
    std::string out;
    for (std::size_t i = from; i < words.size(); ++i) {
        out += words[i];
    }
    return out;
}

// A name without its brand must still be one: "4090" is, "6000" could be any number.
bool stands_alone(std::string_view name) {
    const bool round =
        all_digits(name) && (name.size() < 4 || name.substr(name.size() - 3) == "000");
    return name.size() >= 2 && has_digit(name) && !round;
}

void add_name(std::map<std::string, std::vector<std::size_t>, std::less<>>& names,
              std::string_view name, std::size_t index) {
    // What stands in brackets describes and does not name.
    const NameWords words = words_of(name.substr(0, name.find('(')));
    for (std::size_t from = 0; from < words.size(); ++from) {
        const std::string squeezed = joined(words, from);
        if (from > 0 && !stands_alone(squeezed)) {
            break;
        }
        std::vector<std::size_t>& meant = names[squeezed];
        if (!is_among(index, meant)) {
            meant.push_back(index);
        }
        if (!is_brand(words[from])) {
            break;
        }
    }
}

// What tells the forms of a family apart: board, memory, and any word of the part's own names.
NameWords form_words(const Accelerator& part) {
    NameWords words;
    const auto add = [&words](std::string_view text) {
        for (const std::string& word : words_of(text)) {
            words.push_back(word);
            if (word.starts_with("sxm")) {
                words.emplace_back("sxm");
            }
        }
    };
    add(part.id);
    add(part.name);
    add(part.form_factor);
    add(part.memory_type);
    for (const std::string& alias : part.aliases) {
        add(alias);
    }
    if (part.marketed_gb > 0) {
        const std::string size = std::to_string(static_cast<long>(part.marketed_gb));
        for (const char* unit : {"gb", "g", "gib"}) {
            words.push_back(size + unit);
        }
    }
    // A bare number is no form: "a100 40" may go on "users".
    std::erase_if(words, [](const std::string& word) { return all_digits(word); });
    return words;
}

// Whether `text` is a row of words of the part.
bool made_of(std::string_view text, const NameWords& words) {
    return text.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
               return text.starts_with(word) && made_of(text.substr(word.size()), words);
           });
}

// "a100-80": a number behind a hyphen is the size of the memory.
bool ends_with_size(std::string_view text) {
    const std::size_t mark = text.find_last_of("-_");
    return mark != std::string_view::npos && mark > 0 && all_digits(text.substr(mark + 1));
}

}  // namespace

HardwareNames::HardwareNames(const std::vector<Accelerator>& accelerators,
                             const std::vector<Machine>& machines) {
    for (std::size_t i = 0; i < accelerators.size(); ++i) {
        const Accelerator& part = accelerators[i];
        add_name(parts_, part.id, i);
        add_name(parts_, part.name, i);
        for (const auto* names : {&part.aliases, &part.families}) {
            for (const std::string& name : *names) {
                add_name(parts_, name, i);
            }
        }
        words_.push_back(form_words(part));
    }
    for (std::size_t i = 0; i < machines.size(); ++i) {
        add_name(machines_, machines[i].id, i);
        add_name(machines_, machines[i].name, i);
        for (const std::string& alias : machines[i].aliases) {
            add_name(machines_, alias, i);
        }
    }
}

HardwareNames::Meaning HardwareNames::find_squeezed(const std::string& name) const {
    Meaning meaning;
    if (const auto machine = machines_.find(name); machine != machines_.end()) {
        meaning.machines = machine->second;
        return meaning;
    }
    for (std::size_t length = name.size(); length >= 2; --length) {
        const std::string_view rest = std::string_view(name).substr(length);
        const auto found = parts_.find(std::string_view(name).substr(0, length));
        if (found == parts_.end()) {
            continue;
        }
        for (const std::size_t part : found->second) {
            if (made_of(rest, words_[part])) {
                meaning.accelerators.push_back(part);
            }
        }
        if (!meaning.accelerators.empty()) {
            break;
        }
    }
    return meaning;
}

HardwareNames::Meaning HardwareNames::find(std::string_view text) const {
    const NameWords words = words_of(text);
    const bool sized = ends_with_size(text);
    for (std::size_t from = 0; from < words.size(); ++from) {
        const std::string name = joined(words, from);
        std::vector<std::string> spellings{name};
        if (sized) {
            spellings.push_back(name + "gb");
        }
        if (name.size() > 2 && name.back() == 's') {
            spellings.push_back(name.substr(0, name.size() - 1));
        }
        for (const std::string& spelling : spellings) {
            const bool whole = from == 0 || stands_alone(spelling);
            Meaning meaning = whole ? find_squeezed(spelling) : Meaning{};
            if (!meaning.accelerators.empty() || !meaning.machines.empty()) {
                return meaning;
            }
        }
        if (!is_brand(words[from])) {
            break;
        }
    }
    return {};
}

std::string short_name(const Accelerator& accelerator) {
    constexpr std::string_view brands[] = {"NVIDIA GeForce ", "NVIDIA ", "AMD Instinct ", "AMD "};
    const std::string name = accelerator.name.substr(0, accelerator.name.find(" ("));
    for (const std::string_view brand : brands) {
        if (name.starts_with(brand)) {
            return name.substr(brand.size());
        }
    }
    return name;
}

std::string cards_words(const Cluster& cluster) {
    return std::to_string(cluster.count) + " x " + cluster.accelerator->name;
}

}  // namespace ridgeline
