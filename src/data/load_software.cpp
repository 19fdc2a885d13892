#include "base/text.h"
#include "data/profile_reader.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
    usual.method = entry.optional_choice("method", method_words());
    usual.weights = entry.text_or("weights", "");
    usual.network = entry.text_or("network", "");
    usual.rollouts = entry.optional_boolean("rollouts");
    usual.at_least = entry.integer_or("at_least", 1, count_from_one);
    entry.reject_unknown();
    return usual;
}

/// A profile with all its releases, oldest first.
std::vector<SoftwareProfile> releases_of(SoftwareProfile profile) {
    std::vector<SoftwareProfile> releases = std::exchange(profile.older, {});
    releases.push_back(std::move(profile));
    return releases;
}

/// The profile as it stood on a day: of releases the last one from it on or before.
const SoftwareProfile& on_day(const std::vector<SoftwareProfile>& releases, std::string_view day) {
    const SoftwareProfile* found = &releases.front();
    for (const SoftwareProfile& release : releases) {
        found = release.from <= day ? &release : found;
    }
    return *found;
}

/// Lays a document's own parts, and its releases from before `day` or of it, over what it inherits.
void lay_over(Reader& root, std::vector<Reader>& entries, std::string_view day,
              SoftwareProfile& profile) {
    read_software_parts(root, profile);
    for (Reader& entry : entries) {
        if (entry.text("from") > day) {
            break;
        }
        const std::vector<std::string> sources = entry.texts("sources");
        profile.sources.insert(profile.sources.end(), sources.begin(), sources.end());
        read_software_parts(entry, profile);
    }
}

/// The days from which on a document is another: those of its own releases and of those that it
/// inherits.
std::vector<std::string> release_days(std::vector<Reader>& entries,
                                      const std::vector<SoftwareProfile>& inherited) {
    std::vector<std::string> days;
    for (Reader& entry : entries) {
        const std::string day = entry.text("from");
        if (!days.empty() && day <= days.back()) {
            entry.fail("from", "is no later than the release before it, expected oldest first");
        }
        if (!days.empty() && entry.texts("sources").empty()) {
            entry.fail("sources", "names no source, expected where the change is seen");
        }
        days.push_back(day);
    }
    for (const SoftwareProfile& release : inherited) {
        if (!release.from.empty()) {
            days.push_back(release.from);
        }
    }
    std::sort(days.begin(), days.end());
    days.erase(std::unique(days.begin(), days.end()), days.end());
    return days;
}

/// Makes of `own`, which has what no release changes, the newest release with the older ones in it.
///
/// inherited  releases of the profile that it inherits; empty: none
SoftwareProfile with_releases(Reader& root, const SoftwareProfile& own,
                              const std::vector<SoftwareProfile>& inherited) {
    std::vector<Reader> entries = root.objects("releases");
    std::vector<std::string> days = release_days(entries, inherited);
    const bool one = days.empty();
    if (one) {
        days.emplace_back();
    }
    std::vector<SoftwareProfile> releases;
    for (const std::string& day : days) {
        SoftwareProfile release = inherited.empty() ? own : on_day(inherited, day);
        release.id = one ? own.id : fmt::format("{}@{}", own.id, day);
        release.name = own.name;
        release.inherits = own.inherits;
        release.from = day;
        release.older.clear();
        release.usual_for = own.usual_for;
        release.serves_with = own.serves_with;
        release.usual_method = own.usual_method;
        release.sources = own.sources;
        release.words = own.words;
        release.alike = own.alike;
        release.serves = own.serves;
        release.trains = own.trains;
        release.rollout = own.rollout;
        release.chips = own.chips;
        lay_over(root, entries, day, release);
        releases.push_back(std::move(release));
    }
    for (Reader& entry : entries) {
        entry.reject_unknown();
    }
    SoftwareProfile newest = std::move(releases.back());
    newest.id = own.id;
    releases.pop_back();
    newest.older = std::move(releases);
    return newest;
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
        std::vector<SoftwareProfile> inherited;
        if (!parent.empty()) {
            auto read = named(parent, raw.file + ": /inherits");
            if (!read) {
                return tl::unexpected(read.error());
            }
            profile = std::move(*read);
            // Code of its own that behaves alike has none of the other's releases: what one of
            // them changed on a day says nothing about it.
            const bool follows = root.boolean_or("follows_releases", true);
            if (!follows) {
                profile.older.clear();
                profile.from.clear();
            }
            inherited = releases_of(profile);
        }
        profile.id = id;
        profile.inherits = parent;
        profile.from.clear();
        profile.older.clear();
        read_head(root, profile);
        if (const std::string engine = root.text_or("rollout", ""); !engine.empty()) {
            auto read = named(engine, raw.file + ": /rollout");
            if (!read) {
                return tl::unexpected(read.error());
            }
            profile.rollout = std::make_shared<const SoftwareProfile>(std::move(*read));
        }
        profile = with_releases(root, profile, inherited);
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
    /// Another profile that is named at `where`, filled.
    Result<SoftwareProfile> named(const std::string& id, const std::string& where) {
        if (!raws_.contains(id)) {
            std::vector<std::string> names;
            for (const auto& [name, other] : raws_) {
                names.push_back(name);
            }
            return input_error(where, fmt::format("no software profile \"{}\"", printable(id)),
                               did_you_mean(id, names));
        }
        if (Result<void> read = resolve(id); !read) {
            return tl::unexpected(read.error());
        }
        return done_.at(id);
    }

    /// Name, sources and what else is not inherited; chips, of which what is not stated is.
    static void read_head(Reader& root, SoftwareProfile& profile) {
        root.ignore("schema");
        root.ignore("id");
        profile.name = root.text("name");
        profile.serves_with = root.text_or("serves_with", "");
        profile.usual_method = root.optional_choice("usual_method", method_words());
        profile.sources = root.texts("sources");
        root.texts("notes");
        profile.words = root.texts("words");
        profile.alike.clear();
        for (Reader& entry : root.objects("alike")) {
            profile.alike.push_back({entry.text("id"), entry.texts("words")});
            entry.reject_unknown();
        }
        profile.serves = profile.trains = false;
        for (const std::string& deed : root.texts("does")) {
            if (deed != "serves" && deed != "trains") {
                root.fail("does",
                          fmt::format("found \"{}\", expected serves or trains", printable(deed)));
            }
            (deed == "serves" ? profile.serves : profile.trains) = true;
        }
        if (profile.sources.empty()) {
            root.fail("sources", "names no source, expected where the defaults come from");
        }
        if (auto chips = root.optional_object("chips")) {
            read_chips(*chips, profile.chips);
        }
        profile.usual_for.clear();
        for (Reader& entry : root.objects("usual_for")) {
            profile.usual_for.push_back(read_usual(entry));
        }
    }

    std::map<std::string, Raw>& raws_;
    std::map<std::string, SoftwareProfile> done_;
    std::set<std::string> open_;
};

}  // namespace

Result<std::vector<SoftwareProfile>> read_software_profiles(const std::vector<TreePath>& files) {
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
