// What a page does not use of the program: tables and pictures, which it draws itself from JSON,
// and commands over files and devices of a machine.
#include "advise/answers/rents.h"
#include "advise/answers/worth.h"
#include "advise/fits/memory_ways.h"
#include "advise/reading/amounts/steps.h"
#include "advise/reading/kernels/steps.h"
#include "advise/reading/money/worth.h"
#include "advise/reading/settling/steps.h"
#include "advise/reading/words/everyday_words.h"
#include "ask/commands.h"
#include "ask/explained.h"
#include "ask/idle_fields.h"
#include "ask/kernel_answer.h"
#include "ask/local_calibration.h"
#include "ask/newcomers.h"
#include "ask/router.h"
#include "ask/sweep.h"
#include "ask/traced.h"
#include "ask/two_works.h"
#include "data/import_huggingface.h"
#include "data/model_families.h"
#include "report/answer_report.h"
#include "report/budget_report.h"
#include "report/catalog_prices.h"
#include "report/catalog_report.h"
#include "report/kernel_report.h"
#include "report/ownership_report.h"
#include "report/procurement_report.h"
#include "report/report.h"
#include "report/roofline.h"
#include "report/sharing_report.h"
#include "report/svg.h"
#include "report/sweep.h"

#include <algorithm>

namespace ridgeline {

class BlockBuilder;
class NetworkBuilder;
struct FamilyInput;
struct FitCase;
struct Judged;
struct Way;
struct ImageShape;
struct NetworkSizes;
struct Program;
using ProgramLister = Program (*)(const FamilyInput&);

/// No model has such layers there (estimate/families/transformer/block_builder.h).
int add_state_mixer(BlockBuilder&, const StateMixer&, double, int input) { return input; }
void add_state_names(std::vector<std::string>&, const StateMixer&) {}
int add_attention_gate(BlockBuilder&, int context, int, double) { return context; }
std::optional<Architecture> import_state_model(const ConfigFields&, const std::string&) {
    return std::nullopt;
}
std::vector<std::string> state_model_types() { return {}; }

/// No model of a generator and a discriminator, of boxes over anchors, of graphs, of ids, of
/// recurrent layers or written out as a list is there (estimate/families/family.h).
ProgramLister adversarial_program(std::string_view) { return nullptr; }
ProgramLister graph_program(std::string_view) { return nullptr; }
ProgramLister listing_program(std::string_view) { return nullptr; }
ProgramLister recommender_program(std::string_view) { return nullptr; }
ProgramLister recurrent_program(std::string_view) { return nullptr; }
void list_detector(NetworkBuilder&, const NetworkSizes&, const ImageShape&) {}
void list_written(NetworkBuilder&, const NetworkSizes&, const ImageShape&, std::string_view) {}

/// What is weighed over years (advise/answers/own.h), and models over several kinds of cards
/// (advise/largest/replies.h).
bool is_kept(const Reading&) { return false; }
Answer reply_own(const Reading&, const OwnershipAnswer&) { return {}; }
void assume_owning(Reading&, const OwnershipAnswer&) {}
std::optional<Answer> reply_largest_joined(const Reading&, const AnswerTools&) {
    return std::nullopt;
}
Answer reply_second_card(const Reading&, const Query&, const AnswerTools&) {
    Answer answer;
    answer.headline = "Which card to add is not answered in a page: ask the program.";
    return answer;
}
Result<Answer> largest_pretrained(const Reading&, const Cluster&, const AnswerTools&) {
    return usage_error("question", "what is trained within a time is not answered in a page",
                       "The program answers it on a command line.");
}

/// Parts of a model's memory, which a page draws beside each answer, and settings compared
/// (advise/fits/memory_ways.h).
namespace {
tl::unexpected<Error> no_part_of_memory() {
    return usage_error("question", "a part of the memory by itself is not answered in a page",
                       "The bar of an estimate shows each part.");
}
}  // namespace
std::optional<Result<Answer>> reply_memory_parts(const Reading& reading, const AnswerTools&) {
    if (asks(reading, "part_weights") || asks(reading, "part_optimizer") ||
        asks(reading, "part_gradients") || asks(reading, "part_activations") ||
        asks(reading, "host_ram")) {
        return no_part_of_memory();
    }
    return std::nullopt;
}
Result<Answer> reply_optimizers(const Reading&, const AnswerTools&) { return no_part_of_memory(); }
/// One figure of several parts (advise/answers/answer.h).
Result<Answer> reply_figures(const Reading&, const AnswerTools&) {
    return usage_error("question", "parts are not compared by one figure in a page",
                       "The program answers it on a command line.");
}
/// Parts ranked by what a sum buys of them (advise/answers/worth.h).
bool asks_for_worth(const Reading&) { return false; }
Answer reply_worth(const Reading&, const AnswerTools&) { return {}; }
void add_served_adapters(const Reading&, const AnswerTools&, Answer&) {}
bool compares_settings(const Reading&) { return false; }
Result<Answer> reply_settings(const Reading&, const AnswerTools&) {
    return usage_error("question", "settings are not compared in a page",
                       "The program answers it on a command line.");
}
/// Whether a price is good (advise/answers/answer.h).
Answer reply_good_price(const Reading&, std::span<const Offer* const>, const Catalog&) {
    Answer answer;
    answer.headline = "Whether a price is good is not answered in a page: ask the program.";
    return answer;
}

/// Prices by themselves, which a page has beside each part (advise/answers/answer.h, rents.h).
Answer reply_price(const Reading&, const AnswerTools&) {
    Answer answer;
    answer.headline =
        "Prices by themselves are not answered in a page: its table of hardware shows each part's, "
        "the program answers the rest.";
    return answer;
}
/// What hardware draws in a time (advise/answers/answer.h).
bool asks_for_energy(const Reading& reading) {
    const bool period = asks(reading, "per_month") || reading.deadline_s || reading.months ||
                        reading.usd_per_kwh || reading.hours_per_day;
    return asks(reading, "energy") || (asks(reading, "power") && period);
}
Answer reply_energy(const Reading&, const Cluster&, const Catalog&) {
    Answer answer;
    answer.headline = "Energy and carbon by themselves are not answered in a page: ask the program.";
    return answer;
}
std::string carbon_words(const Reading&, double) { return ""; }
/// What a kWh costs is in a page's answers as in the program's.
double usd_of_kwh(const Reading& reading, const Catalog& catalog, bool home) {
    const OwnershipFigure* tariff =
        catalog.ownership.figure(home ? "usd_per_kwh_household" : "usd_per_kwh");
    return reading.usd_per_kwh.value_or(tariff != nullptr ? tariff->value.value_or(0) : 0);
}
bool buys(const Reading& reading) { return reading.price_kind == "purchase" || reading.buy; }
std::vector<const Accelerator*> sold_forms(const Reading&, const Catalog&) { return {}; }

/// A page names the flag that has the networks of a pipeline come in turn (advise/fits/in_turn.h).
void try_networks_in_turn(Judged&, const FitCase&) {}
std::string in_turn_words(const Way&, const Reading&, double, const Cluster&, const AnswerTools&) {
    return {};
}

}  // namespace ridgeline

namespace ridgeline::reading {

/// What newcomers say in other languages stays as it is.
void settle_everyday_words(std::vector<Token>&) {}
void settle_all_everyday_words(std::vector<Token>&) {}
/// A kernel is refused by the word that names it.
void recognise_kernels(Sentence& sentence) {
    constexpr std::string_view names =
        "gemm dgemm sgemm hgemm zgemm cgemm matmul gemv dgemv fft ffts dft stencil stencils spmv "
        "spmm nbody n-body hpl "
        "linpack hpcg daxpy saxpy gromacs lammps namd amber lbm jacobi trsm lu qr cholesky "
        "allreduce all-reduce";
    const auto named = std::ranges::find_if(
        sentence.tokens, [&](const Token& token) { return is_any(token.text, names); });
    if (named != sentence.tokens.end() && sentence.reading.model.empty()) {
        sentence.reading.kernel = Kernel{};
        sentence.reading.kernel->operation = "gemm";
    }
}
void recognise_kernel_sizes(Sentence&) {}
void settle_kernel(Sentence&) {}
/// Settings that are compared are read as those of one run.
bool recognise_settings_compared(Sentence&) { return false; }
/// A load is that of today; parts are not ranked by what a sum buys of them.
void recognise_growth(Sentence&) {}
void recognise_growth_periods(Sentence&) {}
/// Racks and grids are not read there, a part of the memory is told beside the others.
void recognise_sites(Sentence&) {}
void settle_racks(Sentence&) {}
void recognise_memory_parts(Sentence&) {}
void recognise_worth(Sentence&) {}
void settle_worth(Sentence&) {}
/// A share of a computer's memory is read as its memory.
void settle_memory_share(Sentence&) {}

}  // namespace ridgeline::reading

namespace ridgeline::ask {
namespace {

Result<Reply> refused(const Request& request) {
    return usage_error("ridgeline " + request.command, "is not answered in a page",
                       "The program answers it on a command line.");
}

}  // namespace

Result<Reply> answer_calibrate(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_check(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_compare(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_detect(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_own(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_rehearsed(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_report(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_trace(const World&, const Request& request) { return refused(request); }
Result<Reply> answer_validate(const World&, const Request& request) { return refused(request); }

Result<Reply> run_sweep(const Request&, const World&, const WorkloadDocument&, const Architecture&,
                        const Cluster&) {
    return usage_error("--sweep", "is not answered in a page",
                       "The program answers it on a command line.");
}

/// Kernels of scientific computing.
Result<report::KernelAnswer> kernel_asked(const World&, const Question&) {
    return usage_error("question", "a single kernel is not answered in a page",
                       "The program answers it on a command line.");
}
Reply kernel_reply(const World&, const Request&, const report::KernelAnswer&) { return {}; }
Result<Reply> answer_kernel_estimate(const World&, const Request& request,
                                     const WorkloadDocument&) {
    return refused(request);
}
/// What is weighed over years, or against an API.
Result<Routed> Router::own() {
    return usage_error("question", "owning against renting is not answered in a page",
                       "The program answers it on a command line.");
}
std::vector<OwnershipAnswer> Router::owned_forms(const std::vector<Cluster>&, const SiteFigures&,
                                                 std::optional<Error>&) const {
    return {};
}
std::optional<Cluster> Router::cluster_of(const ReadSide&) const { return std::nullopt; }
/// Several works on the same hardware.
Result<Answer> Router::fit_of_both() const {
    return usage_error("question", "several works at once are not answered in a page",
                       "The program answers it on a command line.");
}
Result<Answer> Router::memory_of_both(const Reading&) const { return fit_of_both(); }
std::string Router::hold_together() { return ""; }
std::string Router::kept_price(const Workload&, const Estimate&) const { return ""; }
std::string Router::bought_beside_api(const Cluster&, const Workload&, const Estimate&) {
    return "";
}
Result<Routed> Router::kernel() {
    return usage_error("question", "a single kernel is not answered in a page",
                       "The program answers it on a command line.");
}

/// What stands around the answers of newcomers.
void explain(const Request&, const Question&, const World&, Answer&) {}
std::optional<Supplement> supplement_of_newcomer(const std::string&, const Reading*) {
    return std::nullopt;
}

/// Of two works the first is answered.
std::optional<TwoWorks> two_works_of(const std::string&, const World&) { return std::nullopt; }
Result<Question> question_of_both(const TwoWorks&, const Request&, const World&) {
    return Question{};
}

/// What the page's controls state is never idle.
void tell_idle_fields(const World&, const WorkloadDocument&, report::EstimateAnswer&) {}
void tell_idle_fields(const World&, const WorkloadDocument&, const std::vector<Cluster>&,
                      report::KernelAnswer&) {}

/// No machine was measured here.
Result<void> add_calibrations(World&, const TreePath&, const std::vector<TreePath>&) { return {}; }

}  // namespace ridgeline::ask

namespace ridgeline::report {
namespace {

const char* const as_json = "A page answers as JSON: ask with \"json\": true.\n";

}  // namespace

std::string accelerator_text(const Accelerator&, const Catalog&, const Style&) { return as_json; }
std::string purchases_text(const Catalog&, const std::vector<const Accelerator*>&, int,
                           const Style&) {
    return as_json;
}
std::string advice_text(const Advice&, const Style&) { return as_json; }
std::string answer_text(const Reading&, const Answer&, const Style&) { return as_json; }
std::string budget_text(const BudgetAnswer&, const Style&) { return as_json; }
std::string catalog_list_text(const Catalog&, std::string_view, const Style&) { return as_json; }
std::string comparison_text(const Comparison&, std::string_view, const Style&) { return as_json; }
std::string estimate_text(const EstimateAnswer&, const Style&) { return as_json; }
std::string time_first_text(const EstimateAnswer&, const Style&) { return as_json; }
std::string family_text(const std::vector<const Accelerator*>&, const Style&) { return as_json; }
std::string kernel_text(const KernelAnswer&, const Style&, bool) { return as_json; }
std::string link_text(const Link&, const Catalog&, const Style&) { return as_json; }
std::string machine_text(const Machine&, const Catalog&, const Style&) { return as_json; }
std::string model_text(const ModelAnswer&, const Style&) { return as_json; }
std::string offer_text(const Offer&, const Style&) { return as_json; }
std::string ownership_text(const OwnershipAnswer&, const Style&) { return as_json; }
std::string profiles_list_text(const Profiles&, std::string_view) { return as_json; }
std::string remedies_text(const EstimateAnswer&, const std::vector<Remedy>&, const Style&) {
    return as_json;
}
std::string roofline_text(const RooflineAnswer&, const Style&) { return as_json; }
std::string sharing_text(const SharedCard&, const Style&) { return as_json; }
std::string software_text(const SoftwareProfile&) { return as_json; }
std::string storage_text(const Storage&, const Catalog&, const Style&) { return as_json; }
std::string sweep_text(const SweepAnswer&, const Style&) { return as_json; }
std::string workload_profile_text(const WorkloadProfile&, const Style&) { return as_json; }

// Files of pictures, which only a command line may name.
Plot break_even_plot(const OwnershipAnswer&) { return {}; }
std::string svg_of(const Plot&) { return {}; }

}  // namespace ridgeline::report
