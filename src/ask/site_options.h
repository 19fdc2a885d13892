#pragma once

#include "advise/hardware/ownership.h"
#include "ask/request.h"
#include "base/help_text.h"
#include "base/result.h"

#include <span>
#include <string_view>

namespace ridgeline::ask {

/// A figure of the buyer's own: the flag, the figure's id, and what is allowed.
struct SiteFlag {
    std::string_view name;  ///< "--pue"
    std::string_view id;    ///< "pue", as in catalog/ownership.json or advise/hardware/ownership.h
    double least = 0;
    double most = 0;
    HelpText help;
};

/// All of them.
std::span<const SiteFlag> site_flag_table();

/// The figures that a request states.
Result<SiteFigures> site_figures_of(const Request& request);

}  // namespace ridgeline::ask
