#pragma once

#include "advise/placement/placement.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace ridgeline::report {

/// A file in the form of another tool, and what its reader should know.
struct EmittedFile {
    std::string format;  ///< as `--to` names it, else the format that was chosen
    std::string path;    ///< where it is written; empty: to nobody, the text alone is told
    std::string text;
    std::vector<std::string> replace;  ///< words of it to replace before it runs
};
std::string emitted_json(const EmittedFile& file, const Placement& placed, const Stamp& stamp);

}  // namespace ridgeline::report
