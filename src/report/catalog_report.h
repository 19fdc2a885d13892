#pragma once

#include "estimate/families/transformer/parameters.h"
#include "report/report.h"
#include "spec/catalog.h"

#include <array>
#include <string>
#include <vector>

namespace ridgeline::report {

/// What `catalog list` lists; the first where nothing is said.
inline constexpr std::array<const char*, 7> catalog_kinds{
    "accelerators", "machines", "links", "storage", "offers", "claims", "errata"};
/// A list of one of them.
std::string catalog_list_text(const Catalog& catalog, std::string_view kind, const Style& style);
std::string catalog_list_json(const Catalog& catalog, std::string_view kind, const Stamp& stamp);
/// How many entries were read and are complete.
std::string catalog_check_json(const Catalog& catalog, const Stamp& stamp);

/// All forms of a family, one a line.
std::string family_text(const std::vector<const Accelerator*>& forms, const Style& style);
std::string family_json(const std::vector<const Accelerator*>& forms, const Stamp& stamp);

/// One entry with every figure that is stored, what articles get wrong about it, and its sources.
std::string accelerator_text(const Accelerator& part, const Catalog& catalog, const Style& style);
std::string accelerator_json(const Accelerator& accelerator, const Catalog& catalog,
                             const Stamp& stamp);
std::string machine_text(const Machine& machine, const Catalog& catalog, const Style& style);
std::string machine_json(const Machine& machine, const Stamp& stamp);
std::string link_text(const Link& link, const Catalog& catalog, const Style& style);
std::string link_json(const Link& link, const Catalog& catalog, const Stamp& stamp);
std::string storage_text(const Storage& storage, const Catalog& catalog, const Style& style);
std::string storage_json(const Storage& storage, const Stamp& stamp);
std::string offer_text(const Offer& offer, const Style& style);
std::string offer_json(const Offer& offer, const Stamp& stamp);
/// Everything that articles get wrong, those of parts and machines among it.
std::string errata_text(const Catalog& catalog, const Style& style);

/// A file of prices that the user imported.
struct PriceFile {
    std::string name;
    std::size_t offers = 0;
    std::string date;     ///< newest of its prices
    std::string problem;  ///< why it cannot be read; empty: it can
};
std::string price_files_text(const std::vector<PriceFile>& files, const Catalog& catalog,
                             const Style& style);
std::string price_files_json(const std::vector<PriceFile>& files, const Stamp& stamp);

/// Public price tables that can be imported, with licence and the line that fetches them.
std::string price_sources_text(const Style& style);
std::string price_sources_json(const Stamp& stamp);

/// A model with what follows from its shapes.
struct ModelAnswer {
    Architecture architecture;
    ParameterCount parameters;
    double kv_bytes_per_token = 0;  ///< 2 bytes an element
    double context = 0;             ///< tokens that forward_flops_per_token holds for
    double forward_flops_per_token = 0;
};
std::string model_text(const ModelAnswer& model, const Style& style);
std::string model_json(const ModelAnswer& model, const Stamp& stamp);

/// What `profiles list` lists.
inline constexpr std::array<const char*, 3> profile_kinds{"models", "software", "workloads"};
std::string profiles_list_text(const Profiles& profiles, std::string_view kind);
std::string profiles_list_json(const Profiles& profiles, std::string_view kind, const Stamp& stamp);
/// How many profiles were read and are complete.
std::string profiles_check_json(const Profiles& profiles, const Stamp& stamp);
std::string software_text(const SoftwareProfile& software);
std::string software_json(const SoftwareProfile& software, const Stamp& stamp);
std::string workload_profile_text(const WorkloadProfile& profile, const Style& style);
std::string workload_profile_json(const WorkloadProfile& profile, const Stamp& stamp);

}  // namespace ridgeline::report
