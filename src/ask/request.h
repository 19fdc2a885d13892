#pragma once

#include "base/result.h"
#include "data/file_tree.h"
#include "report/report.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {
struct SearchControl;
}

namespace ridgeline::ask {

/// Called when a long search of plans starts; sets progress, stop and threads. What it returns
/// lives as long as the search.
using SearchWatcher = std::function<std::shared_ptr<void>(SearchControl&)>;

/// What a front asks: a command and its options, by their names in the option table (`sequence`).
struct Request {
    std::string command;
    /// Texts as given; a switch that is on holds "true".
    std::map<std::string, std::vector<std::string>, std::less<>> options;
    std::string workload;  ///< a workload document as JSON text, beside the options; empty: none
    /// Options may name files of this machine and `local` its devices. False for whatever does not
    /// come from a command line: such a path is an error.
    bool on_command_line = false;
    report::Style style;  ///< how text is drawn; `explain` comes from the options
    SearchWatcher watch_search;

    [[nodiscard]] bool given(std::string_view name) const;
    /// Whether a switch is on.
    [[nodiscard]] bool flag(std::string_view name) const { return text(name) == "true"; }
    /// The (first) text of an option; empty when it was not given.
    [[nodiscard]] const std::string& text(std::string_view name) const;
    [[nodiscard]] const std::vector<std::string>& texts(std::string_view name) const;
    [[nodiscard]] bool json() const { return flag("json"); }

    /// The file that `path` names; `option` is where it stands ("--prices"). errors  the request
    /// does not come from a command line
    [[nodiscard]] Result<TreePath> file(std::string_view option, const std::string& path) const;
};

/// A file that an answer is also written to, by whoever owns the disk.
struct OutputFile {
    std::string option;  ///< "--svg"
    std::string path;
    std::string text;
    bool measured =
        false;  ///< took long to make: its folder is made, and it is kept elsewhere if need be
};

/// An answer: nothing of it is shown before the whole of it exists.
struct Reply {
    int exit_code = 0;
    std::string media_type = "text/plain; charset=utf-8";
    std::string body;
    std::string messages;  ///< for people, beside the answer
    std::vector<OutputFile> files;
};

/// 0 for none; else 1, 2, 4 or 5 by the kind of error.
int exit_code_of(const Error& error);

/// {"error": {"code", "message", "path", "hint"}}, one line.
std::string json_of(const Error& error);

}  // namespace ridgeline::ask
