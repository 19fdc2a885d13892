#pragma once

#include "advise/placement/placement.h"
#include "ask/request.h"
#include "ask/world.h"
#include "data/formats/write_config.h"

#include <map>
#include <string>

namespace ridgeline::ask {

/// Options of the resolved workload, and what formats ask for beside them ("@length": tokens of the
/// longest request, "@per-node": accelerators).
std::map<std::string, std::string> facts_of(const World& world, const Placement& placed,
                                            const PublishedModel& published);

/// Lays what the files of the request say beyond any estimate among the options of a text in the
/// form of `table`: its own keys as they stand, those of another tool where both have a word for
/// it, and the name of the weights. `companion` stands beside the text and may be null. Returns
/// "note: " lines of what the text does not say.
std::string keep_settings(const Request& request, const Placement& placed, const FormatTable& table,
                          const FormatTable* companion,
                          std::map<std::string, std::string>& options);

/// A "note: " line with the usual values that a translation has where its files state none; empty:
/// it has none, or nothing is translated.
std::string usual_values(const Request& request, const FormatTable& table,
                         const std::map<std::string, std::string>& options,
                         const std::string& text);

}  // namespace ridgeline::ask
