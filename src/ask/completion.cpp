#include "ask/completion.h"

#include "advise/hardware/fabric.h"
#include "ask/option_table.h"
#include "report/catalog_report.h"

#include <set>
#include <string_view>

namespace ridgeline::ask {
namespace {

using Completions = std::vector<Completion>;

void add_hardware(const World& world, Completions& found) {
    for (const Accelerator& part : world.catalog.accelerators) {
        found.push_back({part.id, part.name});
    }
    for (const Machine& machine : world.catalog.machines) {
        found.push_back({machine.id, machine.name});
    }
}

void add_models(const World& world, Completions& found) {
    for (const std::string& id : world.profiles.model_ids) {
        found.push_back({id, {}});
    }
}

void add_software(const World& world, Completions& found) {
    for (const SoftwareProfile& profile : world.profiles.software) {
        found.push_back({profile.id, {}});
    }
}

void add_works(const World& world, Completions& found) {
    for (const WorkloadProfile& profile : world.profiles.workloads) {
        found.push_back({profile.id, profile.name});
    }
}

/// Providers or regions of the offers, each once.
void add_offers(const World& world, std::string Offer::*field, Completions& found) {
    std::set<std::string> words;
    for (const Offer& offer : world.catalog.offers) {
        words.insert(offer.*field);
    }
    for (const std::string& word : words) {
        if (!word.empty()) {
            found.push_back({word, {}});
        }
    }
}

/// What `list` and `show` of a command may be followed by.
Completions subjects(const World& world, std::string_view command, const std::string& verb) {
    Completions found;
    if (command == "catalog" && verb == "list") {
        for (const char* kind : report::catalog_kinds) {
            found.push_back({kind, {}});
        }
    } else if (command == "catalog" && verb == "show") {
        add_hardware(world, found);
    } else if (command == "profiles" && verb == "list") {
        for (const char* kind : report::profile_kinds) {
            found.push_back({kind, {}});
        }
    } else if (command == "profiles" && verb == "show") {
        add_models(world, found);
        add_software(world, found);
        add_works(world, found);
    }
    return found;
}

Completions values_of(const World& world, const OptionRow& row) {
    Completions found;
    for (const std::string& word : row.words()) {
        found.push_back({word, {}});
    }
    if (row.type == OptionType::boolean) {
        return {{"true", {}}, {"false", {}}};
    }
    if (row.name == "on" || row.name == "without" ||
        (row.name == "accelerators" && row.positional) || row.name == "accelerator" ||
        row.name == "against") {
        add_hardware(world, found);
    } else if (row.name == "model") {
        add_models(world, found);
    } else if (row.name == "framework") {
        add_software(world, found);
    } else if (row.name == "profile") {
        add_works(world, found);
    } else if (row.name == "provider") {
        add_offers(world, &Offer::provider, found);
    } else if (row.name == "region") {
        add_offers(world, &Offer::region, found);
    } else if (row.name == "storage") {
        for (const Storage& storage : world.catalog.storage) {
            found.push_back({storage.id, storage.kind});
        }
    } else if (row.name == "network") {
        for (const Link& link : world.catalog.links) {
            if (check_network(world.catalog, link.id)) {
                found.push_back({link.id, link.kind});
            }
        }
    }
    return found;
}

/// Those that go on from `typed`; of a list joined by commas its last part is completed.
Completions begun(Completions all, const std::string& typed, const std::string& before,
                  bool commas) {
    const std::size_t comma = commas ? typed.rfind(',') : std::string::npos;
    const std::string head = comma == std::string::npos ? "" : typed.substr(0, comma + 1);
    const std::string rest = typed.substr(head.size());
    Completions found;
    for (Completion& each : all) {
        if (each.word.starts_with(rest)) {
            each.word = before + head + each.word;
            found.push_back(std::move(each));
        }
    }
    return found;
}

const OptionRow* option_named(const CommandRow& command, std::string_view word) {
    for (const OptionRow& row : options_of(command.command)) {
        if (!row.positional && word == "--" + std::string(row.name)) {
            return &row;
        }
    }
    return nullptr;
}

Completions command_words() {
    Completions found;
    for (const CommandRow& row : command_table()) {
        found.push_back({std::string(row.name), std::string(row.summary)});
    }
    found.push_back({"completions", "A script that completes commands in bash, zsh or fish"});
    found.push_back({"help", "What the commands do"});
    return found;
}

/// Positional words before the last one, and names of options that were given.
struct Line {
    std::vector<std::string> positional;
    std::set<std::string> given;
    const OptionRow* open = nullptr;  ///< an option whose value is being typed
};

Line line_of(const CommandRow& command, const std::vector<std::string>& words) {
    Line line;
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
        if (line.open != nullptr) {
            line.open = nullptr;
            continue;
        }
        if (!words[i].starts_with("--")) {
            line.positional.push_back(words[i]);
            continue;
        }
        const std::string name = words[i].substr(0, words[i].find('='));
        line.given.insert(name);
        const OptionRow* row = option_named(command, name);
        if (row != nullptr && row->type != OptionType::flag && name == words[i]) {
            line.open = row;
        }
    }
    return line;
}

Completions options_left(const CommandRow& command, const Line& line) {
    Completions found;
    for (const OptionRow& row : options_of(command.command)) {
        const std::string name = "--" + std::string(row.name);
        if (!row.positional && !row.after_mark && (row.many || line.given.count(name) == 0)) {
            found.push_back({name, std::string(row.help)});
        }
    }
    return found;
}

Completions positional_words(const World& world, const CommandRow& command, const Line& line) {
    std::size_t place = line.positional.size();
    for (const OptionRow& row : options_of(command.command)) {
        if (!row.positional) {
            continue;
        }
        if (row.name == "subject" && place == 0) {
            return subjects(world, command.name, line.positional.front());
        }
        if (place == 0 || row.many) {
            return values_of(world, row);
        }
        --place;
    }
    return {};
}

}  // namespace

std::vector<Completion> completions_of(const World& world, const std::vector<std::string>& words) {
    if (words.empty()) {
        return command_words();
    }
    const std::string& typed = words.back();
    if (words.size() == 1) {
        return begun(command_words(), typed, "", false);
    }
    if (words.front() == "completions") {
        return begun({{"bash", {}}, {"zsh", {}}, {"fish", {}}}, typed, "", false);
    }
    if (words.front() == "help") {
        return begun(command_words(), typed, "", false);
    }
    const CommandRow* command = command_named(words.front());
    if (command == nullptr) {
        return {};
    }
    const Line line = line_of(*command, words);
    if (line.open != nullptr) {
        return begun(values_of(world, *line.open), typed, "", line.open->commas);
    }
    if (const std::size_t equals = typed.find('=');
        typed.starts_with("--") && equals != std::string::npos) {
        const OptionRow* row = option_named(*command, typed.substr(0, equals));
        return row == nullptr ? Completions()
                              : begun(values_of(world, *row), typed.substr(equals + 1),
                                      typed.substr(0, equals + 1), row->commas);
    }
    if (typed.starts_with("-")) {
        return begun(options_left(*command, line), typed, "", false);
    }
    return begun(positional_words(world, *command, line), typed, "", false);
}

}  // namespace ridgeline::ask
