#pragma once

#include "spec/accelerator.h"
#include "spec/architecture.h"
#include "spec/calibration.h"
#include "spec/hardware_names.h"
#include "spec/machine.h"
#include "spec/offer.h"
#include "spec/ownership.h"
#include "spec/software_profile.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// One entry of catalog/sources.json.
struct SourceNote {
    std::string id;
    std::string what;
    std::string where;  ///< repository and path, or address
    friend bool operator==(const SourceNote&, const SourceNote&) = default;
};

/// What a widely read article gets wrong about a subject that is no single part.
struct Erratum {
    int number = 0;  ///< of the list of errata
    std::string article;
    std::string claim;
    std::string right;
    /// Ids of accelerators, machines or links, or names of architectures, that it concerns.
    std::vector<std::string> about;
    std::vector<std::string> sources;
    friend bool operator==(const Erratum&, const Erratum&) = default;
};

/// Everything of catalog/, read once and never changed.
struct Catalog {
    std::string version;                    ///< of catalog/catalog.json
    std::vector<Accelerator> accelerators;  ///< sorted by id
    std::vector<Accelerator> slices;        ///< MIG slices of those, each as a part ("ID/1g.10gb")
    std::vector<Machine> machines;
    std::vector<Link> links;
    std::vector<Storage> storage;
    std::vector<Offer> offers;
    std::string offers_date;  ///< newest snapshot date, YYYY-MM-DD
    std::vector<PriceClaim> price_claims;
    std::vector<Erratum> errata;  ///< beside those that parts and machines carry themselves
    OwnershipFacts ownership;
    std::map<std::string, SourceNote> sources;
    std::vector<std::string> notes;  ///< what a price file left out, to be shown with the prices
    HardwareNames names;             ///< of `accelerators` and `machines`, once both are read

    /// All that `text` names: a part, all forms of a family ("h100", "a100 80gb") or a machine with
    /// its part ("p5.48xlarge", "dgx h100"), however it is spelt; empty when there is none.
    [[nodiscard]] NamedHardware named(std::string_view text) const;
    /// By id, name or alias (case folded), a slice by its id, or what `named` finds where that is
    /// one part and no machine; null when there is none.
    [[nodiscard]] const Accelerator* accelerator(std::string_view word) const;
    /// By id, name or any spelling that means one machine alone; null when there is none.
    [[nodiscard]] const Machine* machine(std::string_view id) const;
    [[nodiscard]] const Offer* offer(std::string_view id) const;
    [[nodiscard]] const Link* link(std::string_view id) const;
    [[nodiscard]] const Storage* storage_kind(std::string_view id) const;
    /// What articles get wrong about `id`, each as one sentence; `architecture` may be empty.
    [[nodiscard]] std::vector<std::string> errata_about(std::string_view id,
                                                        std::string_view architecture) const;
};

/// How a kind of work weighs the figures of an accelerator (profiles/workloads).
struct WorkloadProfile {
    std::string id;
    std::string name;
    std::string critical_metric;
    std::vector<std::string> must_have;
    struct Weight {
        std::string metric;
        double weight = 0;
        friend bool operator==(const Weight&, const Weight&) = default;
    };
    std::vector<Weight> weights;
    std::string why;
    /// Whether double precision is what its work is measured by.
    [[nodiscard]] bool in_doubles() const { return critical_metric == "fp64_tflops"; }
    /// Whether what runs is kernels of a code, no models.
    [[nodiscard]] bool of_kernels() const {
        return in_doubles() || critical_metric == "fp32_tflops";
    }
    friend bool operator==(const WorkloadProfile&, const WorkloadProfile&) = default;
};

/// Everything of profiles/ but the models, which are read one by one when named.
/// A name that people type of what no profile describes: what is estimated in its place, or why
/// nothing is.
struct ModelStandIn {
    std::vector<std::string> names;
    std::string model;  ///< an id; empty: it is refused
    std::string why;    ///< of a model: what it is of the one named; else the reason, a clause
    std::optional<int>
        image_size;  ///< side at which the model has as many patches as the one named
};

struct Profiles {
    std::vector<SoftwareProfile> software;  ///< newest releases, inheritance applied, sorted by id
    std::vector<WorkloadProfile> workloads;
    Calibration calibration;
    std::vector<std::string> model_ids;  ///< sorted
    std::vector<ModelStandIn> stand_ins;

    /// The newest release of "torchtitan"; of "torchtitan@2024-12-26" the one in use that day, the
    /// oldest for days before it. A month or a year stands for its first day. nullptr: no such
    /// profile, or what follows the @ is no date.
    [[nodiscard]] const SoftwareProfile* software_profile(std::string_view name) const;
    /// What stands for a stack that nobody named: the profile that is usual for any question.
    /// nullptr: none is.
    [[nodiscard]] const SoftwareProfile* unnamed_software() const;
    [[nodiscard]] const WorkloadProfile* workload_profile(std::string_view id) const;
    /// Whether `id` is a kind of work that is measured in double precision.
    [[nodiscard]] bool in_doubles(std::string_view id) const;
};

}  // namespace ridgeline
