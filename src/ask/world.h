#pragma once

#include "advise/placement/placement.h"
#include "advise/reading/reading.h"
#include "advise/search/kept_parts.h"
#include "base/result.h"
#include "data/file_tree.h"
#include "report/report.h"
#include "spec/catalog.h"
#include "spec/machine.h"
#include "spec/workload_document.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::ask {

/// Where the parts of a world lie.
struct WorldPlaces {
    TreePath catalog;
    TreePath profiles;
    std::vector<TreePath> prices;  ///< offers to add
    std::vector<TreePath>
        calibrations;     ///< measured efficiencies to add; one that fails is an error
    TreePath own_prices;  ///< folder of the user's price files, as own_folder
    TreePath own_folder;  ///< the user's calibrations; one that fails is left out with a note
};

class ModelShelf;
class QuestionWords;

/// What answers rest on: loaded once, never changed, shared by threads.
struct World {
    Catalog catalog;
    Profiles profiles;
    TreePath profiles_folder;
    TreePath own_folder;                   ///< calibrations of the user; empty: none
    std::vector<std::string> notes;        ///< about calibrations
    std::optional<Calibration> shipped;    ///< as it was before the user's own files; empty: none
    std::shared_ptr<ModelShelf> models;    ///< those parsed so far
    std::shared_ptr<QuestionWords> words;  ///< of questions; made when the first is read
    KeptParts kept;                        ///< what estimates share
};

/// What advice is made from; the world must outlive it.
/// today  as in Knowledge
Knowledge knowledge_of(const World& world, std::string_view today = {});

/// Reads the catalog, the profiles and what is added to them.
Result<World> load_world(const WorldPlaces& places);
/// The catalog and its prices alone, for commands that need no profiles.
Result<World> load_catalog_world(const WorldPlaces& places);

/// A bundled model; its file is read once.
Result<Architecture> model_named(const World& world, const std::string& id);

/// What a question may name. The world must outlive it.
Vocabulary vocabulary_of(const World& world);

/// The same, in which `word` names a model that the profiles lack.
Vocabulary vocabulary_with(const World& world, const std::string& word, Architecture model);

/// The architecture that a workload document names or holds; "70B" gives a typical one.
Result<Architecture> architecture_of(const WorkloadDocument& document, const World& world);

/// The architecture of a document, which gets what catalog and profiles know of it: a model is
/// served in the type in which it was published where nothing else is said (gpt-oss in MXFP4,
/// DeepSeek-V3 in FP8), and the storage that it names has its rates. errors  an unknown model or
/// storage
Result<Architecture> completed(WorkloadDocument& document, const World& world);

/// `h100-sxm5-80gb`, `h100-sxm5-80gb:8`, `h100-sxm5-80gb:8x4` (4 nodes of 8), also a machine's id.
///
/// local  whether "local" may mean the devices of this machine
Result<Cluster> cluster_named(const Catalog& catalog, std::string_view text, bool local);

/// The accelerator with that id, name or alias; the error names the nearest id.
Result<const Accelerator*> accelerator_named(const Catalog& catalog, std::string_view word,
                                             const std::string& where);

/// What `list` shows: the word after it or --kind, which must be one of `kinds`; the first when
/// neither is given.
Result<std::string> kind_to_list(std::string_view command, const std::string& word,
                                 const std::string& flag, const std::vector<std::string>& kinds);

/// What --plan says; best when it says nothing.
PlanChoice plan_choice(std::string_view word);

/// A provider, region or maker (or several with commas, "!" before one that may not be) that the
/// catalog knows.
///
/// errors  usage, with the nearest name
Result<std::string> site_name_of(std::string_view flag, const Catalog& catalog,
                                 std::string_view text);

/// A finite number within [least, most] given to a flag.
Result<double> number_of(std::string_view flag, std::string_view text, double least, double most);

/// Today as YYYY-MM-DD; SOURCE_DATE_EPOCH fixes it for reproducible output.
std::string today();
/// "note: ..." lines of a world, for Reply::messages.
std::string notes_of(const World& world);

report::Stamp stamp_of(const Catalog& catalog);

}  // namespace ridgeline::ask
