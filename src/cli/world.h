#pragma once

#include "base/result.h"
#include "cli/options.h"
#include "report/report.h"
#include "spec/catalog.h"
#include "spec/machine.h"
#include "spec/workload_document.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::cli {

/// What a command prints and how it ends. Nothing is printed before the whole answer exists.
struct Answer {
    std::string out;
    std::string messages;  ///< for stderr
    int exit_code = 0;
};

/// Catalog and profiles as the options place them.
struct World {
    Catalog catalog;
    Profiles profiles;
    std::filesystem::path catalog_folder;
    std::filesystem::path profiles_folder;
    std::vector<std::string> notes;  ///< about calibrations, for stderr
    std::optional<Calibration> shipped;  ///< as it was before the user's own files; empty: none
};

/// Where catalog/ or profiles/ lies: the option, the environment variable, beside the installed
/// program, else the source tree that the program was built from.
///
/// name  "catalog" or "profiles"
Result<std::filesystem::path> find_folder(const std::string& option, std::string_view name);

/// Reads the catalog, the profiles and what --calibration and --prices add.
Result<World> load_world(const CommonOptions& options);
/// Reads the catalog alone.
Result<Catalog> load_catalog_of(const CommonOptions& options);

/// The architecture that a workload document names or holds; "70B" gives a typical one.
Result<Architecture> architecture_of(const WorkloadDocument& document,
                                     const std::filesystem::path& profiles_folder);

/// The architecture of a document, which gets what catalog and profiles know of it: a model is
/// served in the type in which it was published where nothing else is said (gpt-oss in MXFP4,
/// DeepSeek-V3 in FP8), and the storage that it names has its rates. errors  an unknown model or
/// storage
Result<Architecture> completed(WorkloadDocument& document, const World& world);

/// `h100-sxm5-80gb`, `h100-sxm5-80gb:8`, `h100-sxm5-80gb:8x4` (4 nodes of 8), also a machine's id.
Result<Cluster> cluster_named(const Catalog& catalog, std::string_view text);

/// The accelerator with that id, name or alias; the error names the nearest id.
Result<const Accelerator*> accelerator_named(const Catalog& catalog,
                                             std::string_view word,
                                             const std::string& where);

/// The software profile with that id; the error names the nearest.
Result<const SoftwareProfile*> software_named(const Profiles& profiles, std::string_view id);

/// What `list` shows: the word after it or --kind, which must be one of `kinds`; the first when
/// neither is given.
Result<std::string> kind_to_list(std::string_view command,
                                 const std::string& word,
                                 const std::string& flag,
                                 const std::vector<std::string>& kinds);

/// A finite number within [least, most] given to a flag.
Result<double> number_of(std::string_view flag, std::string_view text, double least, double most);

/// Today as YYYY-MM-DD; SOURCE_DATE_EPOCH fixes it for reproducible output.
std::string today();
/// "note: ..." lines of a world, for Answer::messages.
std::string notes_of(const World& world);

report::Stamp stamp_of(const Catalog& catalog);
report::Style style_of(const CommonOptions& options);

}  // namespace ridgeline::cli
