#include "cli/parse_parts.h"

#include "cli/workload_flags.h"

// Flags that several commands share.

namespace ridgeline::cli {

void add_workload_flags(CLI::App* command, WorkloadFlags& flags) {
    const auto table = workload_flag_table();
    flags.values.resize(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        command->add_option(std::string(table[i].name), flags.values[i], std::string(table[i].help))
            ->group("Workload")
            ->type_name(table[i].kind == FlagKind::number ? "N" : "TEXT");
    }
    command->add_option("--hf-config", flags.hf_config, "a Hugging Face config.json")
        ->group("Workload")
        ->type_name("FILE");
}

void add_common(CLI::App* command, CommonOptions& common) {
    command->add_flag("--json", common.json, "one JSON document on stdout, nothing else")
        ->group("Output");
    command->add_flag("--explain", common.explain, "show formulas with their inputs")
        ->group("Output");
    command->add_flag("--quiet", common.quiet, "no messages on stderr")->group("Output");
    command->add_option("--color", common.color, "auto, always or never")
        ->group("Output")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    command->add_option("--catalog", common.catalog, "folder to read instead of the catalog")
        ->group("Data")
        ->type_name("DIR");
    command->add_option("--profiles", common.profiles, "folder to read instead of the profiles")
        ->group("Data")
        ->type_name("DIR");
    command->add_option("--calibration", common.calibrations, "measured efficiencies (repeatable)")
        ->group("Data")
        ->type_name("FILE")
        ->expected(1)
        ->take_all();
    command->add_option("--prices", common.prices, "offers to add (repeatable)")
        ->group("Data")
        ->type_name("FILE")
        ->expected(1)
        ->take_all();
}

void add_question_flags(CLI::App* command, AdviseOptions& advise) {
    const auto add = [&](const char* name, std::string& value, const char* help) {
        command->add_option(name, value, help)->group("Question")->type_name("TEXT");
    };
    command->add_option("--on", advise.on, "only these accelerators (commas)")
        ->group("Question")
        ->delimiter(',')
        ->type_name("IDS");
    add("--objective", advise.objective, "cost, time, energy or price");
    add("--budget", advise.budget, "US dollars for the run, or 4/h for an hour of rent");
    add("--deadline",
        advise.deadline,
        "the run must end within (30d, 12h) or by a date (2027-03-01)");
    add("--accelerators", advise.count, "exactly so many");
    add("--max-accelerators", advise.max_accelerators, "at most so many");
    add("--memory", advise.memory, "memory of one accelerator (24GB)");
    add("--vendor", advise.vendor, "nvidia, amd, intel, google, apple");
    add("--provider", advise.provider, "rental provider");
    add("--profile", advise.profile, "kind of work that weighs the ranking");
    add("--ttft", advise.ttft, "seconds to the first token at most");
    add("--tpot", advise.tpot, "seconds per output token at most");
    add("--requests-per-s", advise.requests_per_s, "requests a second at least");
    add("--price", advise.price_kind, "on_demand, spot, reserved or marketplace");
    add("--region", advise.region, "rental region");
    add("--rack-kw", advise.rack_kw, "kW that one rack may draw: a machine must stay below");
    add("--top", advise.top, "how many options to print");
    command->add_option("--require", advise.require, "ecc, nvlink, mig (commas)")
        ->group("Question")
        ->delimiter(',')
        ->type_name("LIST");
    command->add_flag("--all", advise.all, "what nobody is known to sell or rent is ranked too")
        ->group("Question");
    command->add_flag("--ladder", advise.ladder, "each usual type of weights on one card, its speed")
        ->group("Question");
    command->add_flag("--owned", advise.owned, "the named accelerators are owned: no rent")
        ->group("Question");
    command->add_flag("--buy", advise.buy, "the budget is for buying, not for a run")
        ->group("Question");
}

}  // namespace ridgeline::cli
