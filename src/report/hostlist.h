#pragma once

#include <string>
#include <vector>

namespace ridgeline::report {

/// Names as a scheduler lists them: "gpu[07,09-11],head". Names that differ in the number at their
/// end are joined, in the order of the numbers; the width of a number with leading zeros is kept.
std::string hostlist(std::vector<std::string> names);

}  // namespace ridgeline::report
