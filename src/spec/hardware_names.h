#pragma once

#include "spec/accelerator.h"
#include "spec/machine.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// What a name of hardware that a person typed stands for. Empty when nothing has that name.
struct NamedHardware {
    std::vector<const Accelerator*> accelerators;  ///< every form meant, sorted by id
    std::vector<const Machine*>
        machines;  ///< machines of that name; then `accelerators` are theirs

    explicit operator bool() const { return !accelerators.empty(); }
    /// The name of a family: more than one form is meant.
    [[nodiscard]] bool is_family() const { return accelerators.size() > 1; }
};

/// All names of parts and machines, spelt as people spell them: case, spaces, hyphens and leading
/// brand words do not count ("rtx4090", "GeForce RTX 4090", "4090"), a plural s neither. A name may
/// be followed by words that single out forms: "a100 80gb", "A100-SXM4-80GB", "h100 pcie",
/// "a100-80". Names that several parts share (`families` of their files) mean all of them.
class HardwareNames {
public:
    /// Positions in the two lists that it was made of.
    struct Meaning {
        std::vector<std::size_t> accelerators;
        std::vector<std::size_t> machines;
    };

    HardwareNames() = default;
    HardwareNames(const std::vector<Accelerator>& accelerators,
                  const std::vector<Machine>& machines);

    /// What `text` names, as a whole: no counts, no other words.
    [[nodiscard]] Meaning find(std::string_view text) const;

private:
    [[nodiscard]] Meaning find_squeezed(const std::string& name) const;

    std::map<std::string, std::vector<std::size_t>, std::less<>> machines_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> parts_;
    std::vector<std::vector<std::string>> words_;  ///< of each part: what its forms are told by
};

/// Without its maker and what a name says in brackets: "NVIDIA GB300 (one Blackwell Ultra GPU)" is
/// "GB300".
std::string short_name(const Accelerator& accelerator);

/// "2 x NVIDIA L40S".
std::string cards_words(const Cluster& cluster);

}  // namespace ridgeline
