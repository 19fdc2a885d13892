#pragma once

#include "base/result.h"
#include "data/file_tree.h"

#include <string>

namespace ridgeline::web {

struct PageParts {
    TreePath folder;     ///< index.html, style.css and the modules that main.js names
    std::string core;    ///< WebAssembly; empty: the page asks the server that sent it
    std::string bundle;  ///< of catalog and profiles
    std::string
        state;  ///< what it shows first: {"fragment": "#on=l40s", "files": [...]}; may be empty
    bool served = false;  ///< it may connect to where it came from
};

/// One HTML file in windows-1252 that needs nothing else, and the policy that its sender repeats in
/// a header.
struct PageFile {
    std::string html;
    std::string policy;
};

/// Puts the parts into one file: scripts as one module, core and data compressed, each script and
/// style named by its hash in the policy. errors  a part that cannot be read
Result<PageFile> page_file(const PageParts& parts);

}  // namespace ridgeline::web
