// Which files of a check are one run, and which are runs of their own.
#include "ask/runs.h"

#include "base/text.h"
#include "base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ridgeline::ask {
namespace {

/// Whether a text has the name of a file as a word or at the end of a path.
bool tells_name(std::string_view text, std::string_view name) {
    constexpr std::string_view of_names =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    if (!contains(name, ".")) {
        return false;  // a text that has no name
    }
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || of_names.find(text[at - 1]) == std::string_view::npos) &&
            (end == text.size() || of_names.find(text[end]) == std::string_view::npos)) {
            return true;
        }
    }
    return false;
}

/// What a file alone says of a model: its name beside what runs it, or only its name or sizes (an
/// adapter's or a model's config.json).
struct Named {
    bool model = false;
    bool sizes = false;
    bool broken = false;  ///< it cannot be read
};

Named named_by(const GivenFile& file, const std::vector<FormatTable>& formats) {
    if (is_own_document(file.text)) {
        return {.model = contains(file.text, "\"model\""), .sizes = false};
    }
    const auto imported = import_files({file}, formats);
    if (!imported) {
        return {.broken = true};
    }
    const bool model = imported->options.contains("model");
    const bool runs = imported->options.contains("framework");
    return {.model = model && runs, .sizes = model || !imported->model_config.empty()};
}

class Groups {
public:
    Groups(const std::vector<GivenFile>& files, const std::vector<FormatTable>& formats)
        : group_(files.size()) {
        std::iota(group_.begin(), group_.end(), std::size_t{0});
        for (std::size_t at = 0; at < files.size(); ++at) {
            for (std::size_t other = 0; other < files.size(); ++other) {
                if (other != at && tells_name(files[at].text, last_part(files[other].name))) {
                    join(group_[at], group_[other]);
                }
            }
        }
        std::vector<std::size_t> models;
        std::vector<std::size_t> sizes;
        for (std::size_t at = 0; at < files.size(); ++at) {
            const Named named = named_by(files[at], formats);
            if (!named.broken) {
                (named.model ? models : named.sizes ? sizes : rest_).push_back(at);
            }
        }
        if (models.empty()) {
            models.swap(sizes);
        }
        rest_.insert(rest_.end(), sizes.begin(), sizes.end());
        complete(models);
    }

    /// The group of each file, named by one of its files.
    [[nodiscard]] const std::vector<std::size_t>& of_files() const { return group_; }

private:
    std::vector<std::size_t> group_;
    std::vector<std::size_t> rest_;

    void join(std::size_t from, std::size_t to) {
        std::ranges::replace(group_, std::max(from, to), std::min(from, to));
    }

    /// Files that name no model go to the only run, or complete one another.
    void complete(const std::vector<std::size_t>& models) {
        std::vector<std::size_t> runs;
        for (const std::size_t at : models) {
            if (std::ranges::find(runs, group_[at]) == runs.end()) {
                runs.push_back(group_[at]);
            }
        }
        if (runs.size() > 1) {
            return;
        }
        for (const std::size_t at : rest_) {
            join(group_[at], group_[models.empty() ? rest_.front() : models.front()]);
        }
    }
};

}  // namespace

std::vector<Request> runs_of(const Request& request, const std::vector<FormatTable>& formats) {
    std::vector<GivenFile> files;
    for (const std::string& each : request.texts("from")) {
        files.push_back(given_file(request, each).value_or(GivenFile{each, ""}));
    }
    const Groups groups(files, formats);
    std::vector<Request> runs;
    for (std::size_t group = 0; group < files.size(); ++group) {
        std::vector<std::string> mine;
        for (std::size_t at = 0; at < files.size(); ++at) {
            if (groups.of_files()[at] == group) {
                mine.push_back(request.texts("from")[at]);
            }
        }
        if (!mine.empty()) {
            runs.push_back(request);
            runs.back().options["from"] = std::move(mine);
        }
    }
    return runs;
}

Reply reply_of_runs(const std::vector<Request>& runs, const std::vector<Result<Reply>>& replies,
                    const report::Stamp& stamp) {
    Reply all;
    const bool json = runs.front().json();
    for (std::size_t at = 0; at < runs.size(); ++at) {
        std::string subject;
        for (const std::string& file : runs[at].texts("from")) {
            const std::string name = runs[at].on_command_line ? file : "the configuration";
            append(subject, ", ", name);
        }
        const Result<Reply>& reply = replies[at];
        std::string body = reply ? reply->body : json ? json_of(reply.error()) + "\n" : "";
        if (!reply) {
            const std::string error = reply.error().text();
            const bool named = contains(error, subject);
            all.messages += fmt::format("error: {}{}\n", named ? "" : subject + ": ", error);
        }
        all.exit_code =
            std::max(all.exit_code, reply ? reply->exit_code : exit_code_of(reply.error()));
        all.messages += reply ? reply->messages : "";
        if (json && !body.empty()) {
            body.pop_back();  // its line end
        }
        all.body += (all.body.empty() || body.empty() ? "" : json ? ",\n" : "\n") + body;
    }
    if (json) {
        all.media_type = "application/json";
        all.body = fmt::format(
            "{{\n\"schema\": \"ridgeline/checks/1\",\n\"version\": {},\n\"catalog\": "
            "{{\"version\": {}, \"prices_date\": {}}},\n\"runs\": [\n{}\n]\n}}\n",
            json_string(stamp.version), json_string(stamp.catalog_version),
            json_string(stamp.prices_date), all.body);
    }
    return all;
}

}  // namespace ridgeline::ask
