#pragma once

#include "advise/answers/answer.h"
#include "advise/answers/pace.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// One side of a comparison of hardware, as the work of the question runs on it.
struct ComparedSide {
    const ReadSide* side = nullptr;
    const Accelerator* part = nullptr;
    int count = 1;
    double score = 0;
    std::string verdict = {};
    std::string made = {};     ///< what is counted: "tokens", "images", "clips", "samples"
    std::string measure = {};  ///< as documents have it: "tokens/s", "samples/s", "samples/J"
    /// The measure in the words of what is counted: "images/s".
    [[nodiscard]] std::string told_measure() const {
        return made.empty() ? measure : made + measure.substr(measure.find('/'));
    }
    WorkloadDocument document = {};
    bool by_energy = false;       ///< the score is work for each joule
    bool by_prompt = false;       ///< the score is tokens of prompts a second
    bool counts_samples = false;  ///< each card answers one sample at a time
    double busy_with =
        0;  ///< requests at once that `usd` is of, where the rate is of fewer; 0: of the same
    std::optional<double> usd_alike = {};  ///< at `alike_with` requests on every side
    double alike_with = 0;                 ///< of the side that holds fewest; 0: `busy_with`
    bool filled = false;                   ///< judged with as many requests as it holds
    int at_once = 1;         ///< such samples that it makes beside each other, each in its own time
    bool lets_wait = false;  ///< requests that the memory does not hold wait for their turn
    double running = 0;      ///< requests that run while the others wait; 0: all do
    double load_each = 0;    ///< requests at once for each card; 0: as many as the question says
    RecomputeMode recompute = RecomputeMode::none;  ///< of the training plan that it runs
    int micro_batch = 1;                            ///< the same
    std::string framework = {};                     ///< the stack that it runs under
    std::string way = {};  ///< what makes it fit: "the weights in host memory (--offload...)"
    std::optional<double> alike = {};  ///< the score by the plan of the side with less room
    Seconds run;                       ///< of the whole training run, where its length is known
    Pace pace = {};                    ///< of the times and rates asked
    double usd_per_hour = 0;           ///< at the cheapest rent, all of them; 0: no rent is known
    std::optional<double> usd = {};    ///< of a million tokens or samples at that rent
    double watts = 0;                  ///< at the wall, with its share of the machine; 0: not known
    Bound bound = Bound::compute;
};

/// The price of the instance that a side names, on demand first; null: none was named, or nobody
/// lists it.
const Offer* offer_of_instance(const Catalog& catalog, const ReadSide& side);

/// "2 x NVIDIA L40S".
std::string words_of(const ComparedSide& side);

/// Runs the work on a side: its verdict, score, pace and rent.
void judge(ComparedSide& side, const WorkloadDocument& document, const Architecture& architecture,
           const Query& query, const AnswerTools& tools);

/// Verdict, score, pace and rent of a side by where its work was placed.
void score_by(ComparedSide& side, const Placement& placed, const Query& query,
              const Catalog& catalog);

/// What a million tokens or samples cost on each side.
///
/// paid_busy  a server that is rented is kept busy, where nobody said how many use it: each side by
/// as many as it holds, which is what a larger memory is for, and all by the fewest of these
void price_alike(std::vector<ComparedSide>& sides, const WorkloadDocument& document,
                 const Architecture& architecture, bool paid_busy, const AnswerTools& tools);

/// "A reserved is $8.40/h, $6,132 a month (...), B on demand ..." where the sides have kinds of
/// rent of their own; else empty.
std::string kinds_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog);

/// What the same work costs on both, which the faster one does not tell: by rents where both are
/// rented, else what both cost to buy; what a third side costs stands behind.
///
/// only_two  no other side is compared: "both"
std::string money_words(const ComparedSide& best, const ComparedSide& other, const Catalog& catalog,
                        const ComparedSide* third = nullptr, bool only_two = true);

/// " To buy, 2 x A cost $4,000, 1 x B $8,600." where both are sold today; else empty.
std::string bought_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog);

/// What the market paid for contracts of years, where the side is one and nobody lists that;
/// nothing: it is none, or nothing is known.
std::optional<Offer> contract_of(const ComparedSide& side, const Catalog& catalog);

/// An hour of all cards of a side, in dollars: as told, else at the cheapest rent of its kind; 0:
/// none is known.
double rent_of_side(const ComparedSide& side, const Catalog& catalog);

/// Which side does more for what it costs, by the scores: "Better value for decoding: ...". By
/// prices to buy where both are cards for a desk that are sold today, else by rents; nothing where
/// these are not known either.
std::string value_words(const ComparedSide& one, const ComparedSide& two, std::string_view what,
                        const Catalog& catalog);
/// Which of the sides cost more to buy than `sum` dollars, a sentence each; empty: none.
std::string above_sum_words(double sum, std::initializer_list<const ComparedSide*> sides,
                            const Catalog& catalog);

/// " Rent from $1.19/h against $0.35/h.": where both are rented; else empty.
std::string rents_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog);

/// "A draws at most 450 W, B 350 W (TDP). ": the limits of both, and what is drawn at the wall.
std::string watts_words(const ComparedSide& one, const ComparedSide& two);

/// What a larger memory is for in training: " A keeps all activations, B computes them again."
std::string recompute_words(const ComparedSide& best, const ComparedSide& other);

/// Whether the sides are as fast as each other since the host that launches kernels holds up the
/// one whose card could do more.
bool waits_for_launches(const ComparedSide& best, const ComparedSide& other);

/// What keeps sides alike that their cards would part.
std::string bound_words(const ComparedSide& best, const ComparedSide& other);

AnswerChoice choice_of(const ComparedSide& side);

}  // namespace ridgeline
