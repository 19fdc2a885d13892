#include "spec/catalog.h"

#include "base/lists.h"
#include "base/order.h"
#include "base/text.h"

#include <algorithm>
#include <functional>

namespace ridgeline {
namespace {

template <typename Entry>
const Entry* with_id(const std::vector<Entry>& entries, std::string_view word) {
    const auto found = std::ranges::find_if(
        entries, [&](const Entry& entry) { return same_letters(entry.id, word); });
    return found == entries.end() ? nullptr : &*found;
}

template <typename Entry>
const Entry* with_id_or_name(const std::vector<Entry>& entries, std::string_view word) {
    if (const Entry* found = with_id(entries, word)) {
        return found;
    }
    const auto found = std::ranges::find_if(
        entries, [&](const Entry& entry) { return same_letters(entry.name, word); });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const Accelerator* Catalog::accelerator(std::string_view word) const {
    if (const Accelerator* found = with_id_or_name(accelerators, word)) {
        return found;
    }
    for (const Accelerator& candidate : accelerators) {
        for (const std::string& alias : candidate.aliases) {
            if (same_letters(alias, word)) {
                return &candidate;
            }
        }
    }
    const std::size_t slash = word.find('/');
    if (slash != std::string_view::npos) {
        const Accelerator* card = accelerator(word.substr(0, slash));
        return card == nullptr ? nullptr
                               : with_id(slices, card->id + std::string(word.substr(slash)));
    }
    const NamedHardware meant = named(word);
    return meant.machines.empty() && meant.accelerators.size() == 1 ? meant.accelerators.front()
                                                                    : nullptr;
}

const Machine* Catalog::machine(std::string_view id) const {
    if (const Machine* found = with_id_or_name(machines, id)) {
        return found;
    }
    const NamedHardware meant = named(id);
    return meant.machines.size() == 1 ? meant.machines.front() : nullptr;
}

NamedHardware Catalog::named(std::string_view text) const {
    const HardwareNames::Meaning meaning = names.find(text);
    NamedHardware found;
    for (const std::size_t index : meaning.accelerators) {
        found.accelerators.push_back(&accelerators[index]);
    }
    for (const std::size_t index : meaning.machines) {
        const Machine& machine = machines[index];
        found.machines.push_back(&machine);
        const Accelerator* part = with_id(accelerators, machine.accelerator);
        if (part != nullptr && !is_among(part, found.accelerators)) {
            found.accelerators.push_back(part);
        }
    }
    stable_order(found.accelerators.begin(), found.accelerators.end(), std::less<>());
    return found;
}

const Link* Catalog::link(std::string_view id) const { return with_id(links, id); }

const Storage* Catalog::storage_kind(std::string_view id) const { return with_id(storage, id); }

std::vector<std::string> Catalog::errata_about(std::string_view id,
                                               std::string_view architecture) const {
    std::vector<std::string> found;
    for (const Erratum& erratum : errata) {
        const bool meant = std::ranges::any_of(erratum.about, [&](const std::string& subject) {
            return subject == id || (!architecture.empty() && subject == architecture);
        });
        if (meant) {
            found.push_back(erratum.article + ": \"" + erratum.claim + "\": " + erratum.right);
        }
    }
    return found;
}

const Offer* Catalog::offer(std::string_view id) const { return with_id(offers, id); }

const OwnershipFigure* OwnershipFacts::figure(std::string_view id) const {
    return with_id(figures, id);
}

namespace {

// Months since year 0 of "2025-03"; a year alone counts as its first month.
int month_of(std::string_view date) {
    const auto number = [&](std::size_t at, std::size_t digits) {
        int value = 0;
        for (std::size_t i = at; i < at + digits && i < date.size(); ++i) {
            value = value * 10 + (is_digit(date[i]) ? date[i] - '0' : 0);
        }
        return value;
    };
    return 12 * number(0, 4) + (date.size() >= 7 ? number(5, 2) : 1);
}

}  // namespace

std::vector<const Purchase*> OwnershipFacts::recent_purchases(std::string_view accelerator) const {
    PurchaseBasis widest = PurchaseBasis::card;
    for (const Purchase& each : purchases) {
        if (each.accelerator == accelerator) {
            widest = std::max(widest, each.basis);
        }
    }
    std::vector<const Purchase*> found;
    int newest = 0;
    for (const Purchase& each : purchases) {
        if (each.accelerator == accelerator && each.basis == widest) {
            found.push_back(&each);
            newest = std::max(newest, month_of(each.date));
        }
    }
    std::erase_if(found, [newest](const Purchase* p) { return month_of(p->date) < newest - 12; });
    stable_order(found.begin(), found.end(),
                 [](const Purchase* a, const Purchase* b) { return a->usd_each < b->usd_each; });
    return found;
}

namespace {

/// "2024", "2024-12" or "2024-12-26".
bool is_date(std::string_view text) {
    constexpr std::string_view form = "0000-00-00";
    if (text.size() != 4 && text.size() != 7 && text.size() != form.size()) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool digit = is_digit(text[i]);
        if (form[i] == '0' ? !digit : text[i] != form[i]) {
            return false;
        }
    }
    return true;
}

}  // namespace

const SoftwareProfile* Profiles::software_profile(std::string_view name) const {
    const std::size_t at = name.find('@');
    const SoftwareProfile* newest = with_id(software, name.substr(0, at));
    for (auto profile = software.begin(); newest == nullptr && profile != software.end();
         ++profile) {
        const bool alike = std::ranges::any_of(
            profile->alike, [&](const StackAlike& each) { return each.id == name.substr(0, at); });
        newest = alike ? &*profile : nullptr;
    }
    if (newest == nullptr || at == std::string_view::npos) {
        return newest;
    }
    const std::string_view date = name.substr(at + 1);
    if (!is_date(date)) {
        return nullptr;
    }
    if (newest->older.empty() || newest->from <= date) {
        return newest;
    }
    const SoftwareProfile* found = &newest->older.front();
    for (const SoftwareProfile& release : newest->older) {
        found = release.from <= date ? &release : found;
    }
    return found;
}

const SoftwareProfile* Profiles::unnamed_software() const {
    for (const SoftwareProfile& profile : software) {
        if (is_among(UsualFor{}, profile.usual_for)) {
            return &profile;
        }
    }
    return nullptr;
}

const WorkloadProfile* Profiles::workload_profile(std::string_view id) const {
    return with_id(workloads, id);
}

bool Profiles::in_doubles(std::string_view id) const {
    const WorkloadProfile* profile = workload_profile(id);
    return profile != nullptr && profile->in_doubles();
}

}  // namespace ridgeline
