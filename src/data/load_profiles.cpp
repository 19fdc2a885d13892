#include "data/load.h"
#include "data/profile_reader.h"

#include <utility>

namespace ridgeline {

WorkloadProfile read_workload_profile(Reader& document) {
    WorkloadProfile profile;
    check_schema(document, "ridgeline/workload-profile/1");
    profile.id = document.text("id");
    profile.name = document.text("name");
    profile.critical_metric = document.text("critical_metric");
    profile.must_have = document.texts("must_have");
    for (Reader& entry : document.objects("weights")) {
        WorkloadProfile::Weight weight;
        weight.metric = entry.text("metric");
        weight.weight = entry.number("weight", fraction);
        entry.ignore("why");
        entry.reject_unknown();
        profile.weights.push_back(std::move(weight));
    }
    profile.why = document.text("why");
    document.texts("sources");
    document.reject_unknown();
    return profile;
}

Result<void> load_stand_ins(const TreePath& file, std::vector<ModelStandIn>& stand_ins) {
    return read_document(file, [&stand_ins](Reader& root) {
        for (Reader& entry : root.objects("stand_ins")) {
            stand_ins.push_back({.names = entry.texts("names"),
                                 .model = entry.text_or("model", ""),
                                 .why = entry.text("why"),
                                 .image_size = {}});
            if (entry.has("image_size")) {
                stand_ins.back().image_size =
                    static_cast<int>(entry.number("image_size", Range{1, 1e5}));
            }
            entry.reject_unknown();
        }
        root.reject_unknown();
    });
}

Result<Profiles> load_profiles(const TreePath& folder) {
    Profiles profiles;
    const std::vector<TreePath> software = (folder / "software").json_files();
    if (software.empty()) {
        return input_error((folder / "software").string(),
                           "holds no software profile, expected *.json files",
                           "Name the profiles folder with --profiles.");
    }
    Result<std::vector<SoftwareProfile>> read = read_software_profiles(software);
    if (!read) {
        return tl::unexpected(read.error());
    }
    profiles.software = std::move(*read);
    for (const TreePath& file : (folder / "workloads").json_files()) {
        const Result<void> checked = read_document(file, [&profiles](Reader& root) {
            profiles.workloads.push_back(read_workload_profile(root));
        });
        if (!checked) {
            return tl::unexpected(checked.error());
        }
    }
    for (const TreePath& file : (folder / "calibration").json_files()) {
        if (Result<void> calibrated = load_calibration(file, profiles.calibration); !calibrated) {
            return tl::unexpected(calibrated.error());
        }
    }
    profiles.model_ids = list_models(folder);
    if (const auto read = load_stand_ins(folder / "model_stand_ins.json", profiles.stand_ins);
        !read) {
        return tl::unexpected(read.error());
    }
    return profiles;
}

}  // namespace ridgeline
