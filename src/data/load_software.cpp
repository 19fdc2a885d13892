#include "base/text.h"
#include "data/profile_reader.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>
#include <utility>

namespace ridgeline {
namespace {

struct Raw {
    Document document;
    std::string file;
};

UsualFor read_usual(Reader& entry) {
    UsualFor usual;
    usual.task = entry.optional_choice<Task>(
        "task", {{"train", Task::train}, {"inference", Task::inference}});
    usual.method = entry.optional_choice<Method>(
        "method", {{"full", Method::full}, {"lora", Method::lora}, {"qlora", Method::qlora}});
    usual.gguf = entry.boolean_or("gguf", false);
    usual.network = entry.text_or("network", "");
    usual.rollouts = entry.optional_boolean("rollouts");
    usual.at_least = entry.integer_or("at_least", 1, count_from_one);
    entry.reject_unknown();
    return usual;
}

/// Applies the releases of a document to its first state, each on the one before it, so that
/// `profile` becomes the newest and holds the older ones.
void read_releases(Reader& root, SoftwareProfile& profile) {
    const std::string id = profile.id;
    std::vector<SoftwareProfile> releases;
    for (Reader& entry : root.objects("releases")) {
        SoftwareProfile release = releases.empty() ? profile : releases.back();
        release.from = entry.text("from");
        if (!releases.empty() && release.from <= releases.back().from) {
            entry.fail("from", "is no later than the release before it, expected oldest first");
        }
        const std::vector<std::string> sources = entry.texts("sources");
        release.sources.insert(release.sources.end(), sources.begin(), sources.end());
        if (sources.empty() && !releases.empty()) {
            entry.fail("sources", "names no source, expected where the change is seen");
        }
        read_software_parts(entry, release);
        entry.reject_unknown();
        release.id = fmt::format("{}@{}", id, release.from);
        releases.push_back(std::move(release));
    }
    if (releases.empty()) {
        return;
    }
    profile = std::move(releases.back());
    profile.id = id;
    releases.pop_back();
    profile.older = std::move(releases);
}

/// Fills profiles in the order of inheritance, each once.
class Family {
public:
    explicit Family(std::map<std::string, Raw>& raws) : raws_(raws) {}

    Result<void> resolve(const std::string& id) {
        if (done_.contains(id)) {
            return {};
        }
        Raw& raw = raws_.at(id);
        if (!open_.insert(id).second) {
            return input_error(raw.file + ": /inherits", "inherits from itself");
        }
        Reader root = raw.document.root();
        const std::string parent = root.text_or("inherits", "");
        SoftwareProfile profile;
        if (!parent.empty()) {
            if (!raws_.contains(parent)) {
                std::vector<std::string> names;
                for (const auto& [name, other] : raws_) {
                    names.push_back(name);
                }
                return input_error(raw.file + ": /inherits",
                                   fmt::format("no software profile \"{}\"", printable(parent)),
                                   did_you_mean(parent, names));
            }
            if (Result<void> read = resolve(parent); !read) {
                return read;
            }
            profile = done_.at(parent);
        }
        profile.id = id;
        profile.inherits = parent;
        profile.from.clear();
        profile.older.clear();
        profile.usual_for.clear();
        root.ignore("schema");
        root.ignore("id");
        profile.name = root.text("name");
        profile.sources = root.texts("sources");
        root.texts("notes");
        if (profile.sources.empty()) {
            root.fail("sources", "names no source, expected where the defaults come from");
        }
        if (const auto least = root.optional_number("least_compute_capability", Range{1, 99})) {
            profile.least_compute_capability = least;
        }
        read_software_parts(root, profile);
        if (const std::string engine = root.text_or("rollout", ""); !engine.empty()) {
            if (!raws_.contains(engine)) {
                return input_error(raw.file + ": /rollout",
                                   fmt::format("no software profile \"{}\"", printable(engine)));
            }
            if (Result<void> read = resolve(engine); !read) {
                return read;
            }
            profile.rollout = std::make_shared<const SoftwareProfile>(done_.at(engine));
        }
        for (Reader& entry : root.objects("usual_for")) {
            profile.usual_for.push_back(read_usual(entry));
        }
        read_releases(root, profile);
        root.reject_unknown();
        if (Result<void> checked = raw.document.result(); !checked) {
            return checked;
        }
        done_.emplace(id, std::move(profile));
        return {};
    }

    std::vector<SoftwareProfile> take() {
        std::vector<SoftwareProfile> list;
        for (auto& [id, profile] : done_) {
            list.push_back(std::move(profile));
        }
        return list;
    }

private:
    std::map<std::string, Raw>& raws_;
    std::map<std::string, SoftwareProfile> done_;
    std::set<std::string> open_;
};

}  // namespace

Result<std::vector<SoftwareProfile>> read_software_profiles(
    const std::vector<TreePath>& files) {
    std::map<std::string, Raw> raws;
    for (const TreePath& file : files) {
        Result<Document> document = Document::read(file);
        if (!document) {
            return tl::unexpected(document.error());
        }
        Reader root = document->root();
        check_schema(root, "ridgeline/software-profile/1");
        const std::string id = root.text("id");
        if (!id.empty() && id != file.stem()) {
            root.fail("id", fmt::format("expected \"{}\", as the file", file.stem()));
        }
        if (Result<void> checked = document->result(); !checked) {
            return tl::unexpected(checked.error());
        }
        raws.emplace(id, Raw{std::move(*document), file.string()});
    }
    Family family(raws);
    for (const auto& [id, raw] : raws) {
        if (Result<void> read = family.resolve(id); !read) {
            return tl::unexpected(read.error());
        }
    }
    return family.take();
}

}  // namespace ridgeline
