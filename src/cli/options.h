#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ridgeline::cli {

/// What every command takes.
struct CommonOptions {
    bool json = false;
    bool explain = false;
    bool quiet = false;
    bool verbose = false;
    std::string catalog;
    std::string profiles;
    std::vector<std::string> calibrations;
    std::vector<std::string> prices;
    std::string color = "auto";
};

/// A workload as flags; texts are checked by the same reader that checks a workload file.
struct WorkloadFlags {
    std::string file;       ///< WORKLOAD.json, the flags override what it says
    std::string hf_config;  ///< --hf-config
    /// Text given for each flag of `workload_flag_table`, in its order; empty: not given.
    std::vector<std::optional<std::string>> values;
};

struct AdviseOptions {
    std::vector<std::string> question;
    WorkloadFlags workload;
    std::vector<std::string> on;
    std::string objective, budget, deadline, count, max_accelerators, memory, vendor, provider;
    std::string profile, ttft, tpot, requests_per_s, price_kind, top, region, rack_kw;
    std::vector<std::string> require;
    bool all = false;
    bool ladder = false;
    bool owned = false;
    bool buy = false;
};

struct EstimateOptions {
    WorkloadFlags workload;
    std::vector<std::string> beside;  ///< files of further workloads on the same accelerators
    std::string on;
    std::string plan;
    std::string max;
    std::string sweep;  ///< "accelerators=8..16384"
    std::string svg;    ///< file for the chart of the sweep
    std::string price_kind;
};

struct CompareOptions {
    std::vector<std::string> accelerators;
    std::string profile;
    std::string count = "1";
    std::vector<std::string> warranty;  ///< "rtx-4090=3"
    WorkloadFlags workload;
};

struct RemediesOptions {
    WorkloadFlags workload;
    std::string on;
};

struct RooflineOptions {
    WorkloadFlags workload;
    std::vector<std::string> on;
    std::string plan;
    std::string svg;  ///< file for the chart
};

struct OwnOptions {
    std::string on, provider, region, svg;
    std::vector<std::string> site;  ///< texts of `site_flag_table`, in its order
};

struct ReportOptions {
    AdviseOptions question;
    std::string format = "markdown";
    std::string output, title, author;
    std::vector<std::string> site;  ///< texts of `site_flag_table`, in its order
};

struct CatalogOptions {
    std::string verb;  ///< "list", "show", "check"
    std::string subject;
    std::string kind;  ///< list: "accelerators", "machines", "links", "storage", "offers"
    std::string part, count, provider, max_age;  ///< of the offers to list
};

struct PricesOptions {
    std::string verb;     ///< "import", "list", "sources", "remove"
    std::string subject;  ///< file, or name of what was imported
    std::string provider;
};

struct ProfilesOptions {
    std::string verb;
    std::string subject;
    std::string kind;  ///< list: "models", "software", "workloads", "calibration"
    std::string context;
};

struct ValidateOptions {
    std::vector<std::string> files;
    std::vector<std::string> fail_above;
    std::string worst;  ///< how many of the worst rows to print
    std::string only;   ///< rows whose id contains this
};

struct CalibrateOptions {
    std::string verb;  ///< "fit", "compare", "merge", "show"
    std::vector<std::string> files;
    std::string accelerator;
    std::string only;  ///< fit: rows of evidence whose id contains this
    std::string out;   ///< file to write
    std::string pace;  ///< merge: "median", "slowest"
    std::vector<std::string> against;  ///< show: parts to compare one product with
};

struct DetectOptions {};

struct ProbeOptions {
    std::string backend = "cpu";
    std::vector<std::string> kinds;
    bool quick = false;
    std::string out;     ///< file to write instead of one in the user's folder
    std::string device;  ///< ordinal of the accelerator
    std::string folder;  ///< where the storage probe makes its file
};

struct RehearseOptions {
    std::vector<std::string> on;
    std::vector<std::string> command;  ///< after "--"
    std::string steps = "2";
    std::string max;      ///< "batch=--batch"
    std::string limit = "900";
    std::string routing;  ///< "even", "skewed:1.5"
    std::string scratch;
    std::string snapshot;
    std::string trace;
};

struct Invocation {
    CommonOptions common;
    std::variant<AdviseOptions,
                 EstimateOptions,
                 CompareOptions,
                 RemediesOptions,
                 RooflineOptions,
                 OwnOptions,
                 ReportOptions,
                 CatalogOptions,
                 PricesOptions,
                 ProfilesOptions,
                 ValidateOptions,
                 CalibrateOptions,
                 DetectOptions,
                 ProbeOptions,
                 RehearseOptions>
        command;
};

}  // namespace ridgeline::cli
