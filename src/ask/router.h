#pragma once

#include "advise/answers/answer.h"
#include "advise/hardware/ownership.h"
#include "advise/placement/placement.h"
#include "ask/question.h"
#include "ask/request.h"
#include "ask/world.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::ask {

/// A document, its text, and the reply that goes with it.
struct Routed {
    std::string json;
    std::string text;
    Answer reply;
    int exit_code = 0;
};

/// The accelerators of a list of ids that the catalog has.
std::vector<const Accelerator*> known_parts(const std::vector<std::string>& ids,
                                            const Catalog& catalog);

/// "Full" alone may be said of tuning: whether a run from scratch is named as one.
bool names_run_from_scratch(const std::vector<std::string>& question);

/// Why files of 4 bits are taken where nobody said who asks.
inline constexpr const char* files_of_one_person =
    "what one person runs, as no users were said; whole weights: --quantization none";

/// The files of 4 bits that one person runs.
inline constexpr const char* files_of_four_bits = "q4_k_m";

/// Takes a question in words to the document that answers its intent, and to the sentence above it.
class Router {
public:
    Router(const Request& request, Question& asked, const World& world);
    /// Networks without adapters train whole, where nobody said how.
    void settle_method();
    /// A run from scratch has a length, a batch and a type of products, said or assumed.
    void settle_pretraining();
    /// A run of which a part is done goes on with the step of all of it.
    void assume_step_of_whole(const Architecture& architecture);
    /// The step of a run from scratch, whose rate is asked without a batch.
    void assume_step_of_run(const Architecture& architecture);
    /// Lengths of texts that nobody said and the answer rests on, in the reading.
    void assume_lengths();
    Result<Routed> run();
    /// A single kernel on the hardware that was named, else on the best of the catalog.
    Result<Routed> kernel();
    /// The reading alone, where no document answers.
    Routed alone(Answer reply) const;
    /// A fit on a part with another memory than it is listed with, which no advice ranks: with its
    /// rates and the estimate where it fits, else alone.
    Routed on_made_part(Answer reply);
    /// Whether any accelerator with the memory that was said holds the model of the question.
    [[nodiscard]] Result<Answer> fit_by_memory() const;
    /// What the work needs, where the hardware that was named is not known.
    [[nodiscard]] Result<Answer> needed_memory() const;

private:
    [[nodiscard]] report::Stamp stamp() const { return stamp_of(world_.catalog); }
    [[nodiscard]] report::Style style() const { return request_.style; }
    /// `reply` with the advice as its document; none: the reply is the choice of the advice.
    Result<Routed> with_advice(std::optional<Answer> reply);
    /// The document of the advice, without what does not fit below a Yes.
    void add_document(Advice& advice, bool answered_yes, Routed& out) const;
    /// What a question asks beside the choice.
    void add_choice_words(const Advice& advice, Answer& reply);
    /// Of a number that is asked: how many hold it before what costs least, and who offers so many.
    void lead_with_number(const Advice& advice, Answer& reply);
    /// What holds it under a stack that takes less than the usual one.
    struct Leaner {
        std::string words;  ///< "Unsloth"
        WorkloadDocument document;
        Option option;
    };
    /// The smallest under such a stack, where that is smaller than what the usual one takes.
    [[nodiscard]] std::optional<Leaner> smallest_under_lean(const Option& usual) const;
    /// Where one side alone holds LoRA, which nobody asked for by name: QLoRA on both.
    void compare_in_four_bits(Answer& reply);
    /// "orpo vs dpo, 24 GB": whether each of the other ways of training that are named fits, behind
    /// the first, a sentence each; empty: one way was named.
    [[nodiscard]] std::string fits_of_other_methods() const;
    /// Takes such a stack where cards of a memory were asked for, `usual` takes several and fewer
    /// hold it under that stack: a sentence that says so; empty: it was not taken.
    std::string take_leaner_on_fewer(const Answer& usual);
    /// What is the smallest in weights of 16 bits where `told` is of files of 4, or the other way
    /// round, a sentence before another; empty: weights were said, or it is the same.
    [[nodiscard]] std::string smallest_in_other_weights(const Query& query,
                                                        const Option& told) const;
    /// Makes `second` the answer of the smallest that serves `other`; false: nothing does.
    bool smallest_served(Question other, Answer& second) const;
    /// What a machine of several cards makes where it serves more than the one user that was
    /// assumed, and for how much, a sentence; empty: users were said, or one uses it.
    [[nodiscard]] std::string busy_words(const Cluster& cluster) const;
    /// Of machines that are rented one by one, that the network between them is assumed, a
    /// sentence; empty: one holds all, or copies need none.
    [[nodiscard]] std::string joined_words(const Option& best) const;
    /// What is said first where a sum buys nothing for the method that was assumed, or nothing at
    /// all and was taken for rent; the reading follows.
    std::string quantised_instead();
    std::string rented_instead();
    /// What is sold for least, whatever the sum, that runs it, a sentence; empty: nothing is sold.
    [[nodiscard]] std::string cheapest_sold() const;
    /// Of when the price of a card to buy is, and what it does not pay.
    void assume_price(const Advice& advice);
    void assume_price(const Cluster& cluster);
    /// What the question asks of the best beside the choice: energy of the run, the sum of some
    /// months. " 40 at once take 8 of them, 5 on each.": what a run each of several people takes;
    /// empty: one trains.
    [[nodiscard]] std::string run_of_each(const Option& best) const;
    [[nodiscard]] std::string asked_besides(const Option& best) const;
    /// Of a month, or of so many, that are asked about: the sum first.
    void lead_with_bill(const Option& best, Answer& reply) const;
    /// Of when the price of a module to be built in is, and what it draws, sentences; empty: it is
    /// none.
    [[nodiscard]] std::string module_price(const Option& best) const;
    /// Why the stack that was named runs on nothing of the hardware or the maker that was; empty:
    /// it does, or nothing is known.
    [[nodiscard]] std::string without_a_build() const;
    /// Where nothing keeps all `limits`: what is nearest, by how much it misses which of them, or
    /// the wish that stands in the way; a sentence, empty: nothing is near.
    [[nodiscard]] std::string nearest_words(const Query& limits) const;
    /// The same in an answer that refuses: in place of its sentence, or behind it.
    void tell_nearest(const Query& limits, Answer& reply) const;
    Result<Routed> hardware();
    /// "how many h100 fit in a 15 kW rack": the number, without work; else parts for the kind of
    /// work.
    Result<Routed> only_a_rack();
    /// Serves many texts, tokens or recordings in bulk, which it tells; a full load is given its
    /// users.
    bool take_pile();
    /// What was refused: how many of a part are enough after all, else what comes near `limits`.
    void take_enough_or_tell_nearest(const Query& limits, Routed& refused);
    /// Of a price of an API: what buying costs beside it, before the choice.
    void lead_with_purchase(Answer& reply);
    /// What follows the choice: its machines, an API, adapters beside it, the kinds it is of.
    void tell_choice(Answer& reply);
    /// Has what is found do the work as fast as all that it replaces, half as fast again as what
    /// was said to be too slow for it; what is there makes of it today, a sentence behind another;
    /// empty: it is not known.
    std::string outdo_replaced();
    /// Keeps to what is rented for less than the parts that were named for their price; a sentence
    /// on those, empty: none were.
    std::string undercut_named();
    /// The same by the price of one to buy, where nobody rents it out.
    std::string undercut_price();
    /// What was refused for want of an offer of the kind that was said, from others.
    Result<Routed> without_kind(Routed refused);
    /// What was refused, with narrower weights or a rate of all users together, where that finds
    /// hardware.
    Result<Routed> held_otherwise(Routed refused);
    /// Of tokens of a job the time, before the choice of hardware.
    void lead_with_job(Answer& reply);
    /// Where 16-bit weights find no hardware: the widest type that does, which is then asked for.
    bool narrow_weights();
    /// Where one person's files are too slow on every one card: the weights with which a server's
    /// engine is fast enough for least, over several.
    bool take_weights_of_servers();
    /// Where no single stream is so fast, the rate that was asked is that of several users
    /// together; false: it was said to be each one's.
    bool take_rate_of_all();
    /// How many of the one part that was named hold it, where machines of it do not.
    [[nodiscard]] std::optional<Answer> enough_of_part();
    /// Where no cluster that is estimated ends a run in time: how many of the one part do, if it
    /// goes on scaling.
    [[nodiscard]] std::optional<Answer> enough_by_scaling();
    /// "Yes: ", "Barely: ", "No: " where it is asked whether a sum is enough; empty: it is not.
    [[nodiscard]] std::string within_sum(int exit_code) const;
    /// A number of accelerators in machines of the kind that was named, a sentence; empty: none
    /// was.
    [[nodiscard]] std::string in_machines(int count) const;
    /// Neither task was said: serving is answered beside training.
    void add_other_task(Answer& reply);
    /// No model: parts ranked for the kind of work.
    Result<Routed> kind_of_work();
    Result<Routed> fit();
    /// Limits the nodes of the part that was named to those that a rack feeds, and says how many;
    /// empty: no rack or part was named.
    std::string keep_to_rack();
    /// The same for a rate: it is that of all that the racks feed.
    std::string fill_racks();
    /// A server whose tokens have a price that was said is kept busy.
    void serve_for_a_price();
    /// "Below the $0.20 a million tokens asked: ", and from how many tokens a day on it beats the
    /// API that was told; empty: no price was said, or none of its own is known.
    [[nodiscard]] std::string kept_price(const Workload& workload, const Estimate& estimate) const;
    /// Where buying is weighed against an API: what it costs, and in how many months that pays it
    /// back, a sentence before another; empty: it is not.
    [[nodiscard]] std::string bought_beside_api(const Cluster& cluster, const Workload& workload,
                                                const Estimate& estimate);
    /// "$5000 credits, how long can I run a 70b": how long a sum rents what serves, a sentence
    /// behind another; empty: none was said, or it buys.
    [[nodiscard]] std::string hours_of_sum(const Answer& reply) const;
    /// "spot or on demand for an endpoint": what the choice costs by each kind of rent that was
    /// asked for, and which of them bears the work, a sentence behind another; empty: none was.
    [[nodiscard]] std::string kinds_of_choice(const Answer& reply) const;
    /// Of a name that leaves the size open, and whose largest does not fit: which of its sizes
    /// does, a sentence behind another; empty: none is known.
    [[nodiscard]] std::string held_of_family(const Answer& reply) const;
    /// "q4_k_m is the widest that fits. ", where the type of weights is asked for.
    [[nodiscard]] std::string type_first(const Answer& reply) const;
    /// That nobody lists it at the kind of price that was said, a sentence; empty: somebody does,
    /// or none was said.
    [[nodiscard]] std::string without_offer() const;
    /// Users at once are those of one way of sharing the model over the cards, which the row shows
    /// too: a faster way may leave some waiting.
    void share_as_placed(WorkloadDocument& work, const Architecture& architecture,
                         const AnswerChoice& choice) const;
    /// Whether the sum that was told for the hardware is a good price of it; it bounds nothing.
    std::string told_price();
    /// What is rented instead of one's own, where that is weighed.
    [[nodiscard]] std::string rented_beside_own() const;
    /// Where memory ran out and it is asked what to change: each change with what it leaves, before
    /// the verdict; empty: it is not asked, or nothing is known.
    std::string lever_words(Answer& reply);
    /// What a month of the hardware that was judged costs, where that is asked too.
    [[nodiscard]] std::string rent_beside(const Answer& reply) const;
    /// The verdict on one of two, where what is owned is judged before the other.
    [[nodiscard]] Result<Answer> fit_of_side(const ReadSide& side) const;
    /// "16 or 24 GB": judges the smaller of two memories, leaves the question with the one that
    /// decides, and says so; empty: none stands against another.
    std::string least_memory();
    /// The verdict on the work of the question beside that which runs at the same time: memory of
    /// both adds up.
    [[nodiscard]] Result<Answer> fit_of_both() const;
    /// Of models served side by side: limits the choice to cards that hold all, and says what they
    /// need; empty: one is served.
    std::string hold_together();
    /// Of models of pictures beside the first, the widest type of weights that a card holds, or
    /// one whose card costs less than half, or that the sum pays for.
    void narrow_pictures_beside(Reading& stored) const;
    /// The least that a card for a desk of so much memory costs today; 0: none is sold.
    [[nodiscard]] double cheapest_card_with(double gb) const;
    /// Weights of what runs beside the first model, where nobody said how they are stored: files of
    /// four bits of language models at a desk, else whole ones.
    void store_as_at_home(Reading& stored) const;
    /// What both need, where no hardware is judged.
    [[nodiscard]] Result<Answer> memory_of_both(const Reading& reading) const;
    Result<Routed> memory();
    /// Weights of models that make pictures, for a card that is bought for a desk: the widest that
    /// one holds, narrower where that halves its price.
    void settle_pictures_at_home();
    /// Adapters of models that make pictures, for one consumer card: on 4-bit weights where no such
    /// card holds 16-bit ones. Returns the words of what is rented for those; empty: all stays.
    std::string settle_adapters_at_home();
    Result<Routed> compare();
    /// The hardware of the sides; machines of several cards by the rates of many, where nobody said
    /// how many use them.
    Result<Answer> compare_sides();
    /// "Yes: ", where the question is whether one side is faster or slower than the other; else
    /// empty.
    [[nodiscard]] std::string yes_or_no(const Answer& reply) const;
    /// The sides weighed for each of the models, and which of them all the models decide for.
    [[nodiscard]] Result<Answer> compare_for_each();
    Result<Routed> largest();
    /// The table is of the largest amount on the hardware that the answer is of.
    void show_at_the_largest(const Answer& reply);
    /// What is recommended for the work; of a run from scratch what ends it within a usual time.
    Result<Advice> advice_in_usual_time();
    /// The estimate on the hardware that was named, else on what is recommended.
    Result<Placement> placed();
    /// The hardware that was named, else what is recommended, of which `document` takes the number
    /// served at once.
    Result<std::vector<Cluster>> clusters_asked(WorkloadDocument& document);
    /// Of the forms of one part that which does the work for least as it is offered, where what
    /// each costs is known; `other_forms_` then tells of the others.
    [[nodiscard]] Result<Placement> fastest_of(const std::vector<Cluster>& clusters,
                                               const WorkloadDocument& document,
                                               const Architecture& architecture);
    /// What rents a cluster at the kind of price that was said, by the providers and in the region
    /// that were; null: nobody does. `false`: at any kind, by anybody anywhere.
    [[nodiscard]] const Offer* offer_as_asked(const Cluster& cluster, bool of_kind,
                                              bool of_provider) const;
    /// The same, else with as little that is not as was asked as there is.
    [[nodiscard]] const Offer* offer_asked(const Cluster& cluster) const;
    /// That nobody lists so many at the kind of price, or by the provider, that was said, so that
    /// another was taken, a sentence; empty: somebody does.
    [[nodiscard]] std::string other_kind(const Placement& placement) const;
    /// The work as a stack does it that keeps less on the cards, where `usual` does not fit; the
    /// reading then says which. Such a stack makes the loss in pieces or leaves weights on the
    /// host.
    std::optional<Placement> held_by_leaner_way(const WorkloadDocument& document,
                                                const Architecture& architecture,
                                                const std::vector<Cluster>& clusters,
                                                const Placement& usual);
    /// The work on as many as hold it, which the reading then says. `refused`: one alone does not.
    std::optional<Placement> on_as_many_as_hold(const WorkloadDocument& document,
                                                const Architecture& architecture, bool refused);
    /// Has the document of a fit show the weights and the number that the sentence speaks of.
    void show_as_judged(const Answer& reply);
    /// Files of 4 bits for one person, where nobody said how weights are stored nor that others are
    /// served; false: they stay.
    bool take_files_of_one_person();
    /// Whether people run such a model in files of 4 bits: one of text, too large for any card in
    /// 16, and not published packed.
    [[nodiscard]] bool runs_in_four_bits(WorkloadDocument document) const;
    /// What one who buys takes for the same work, a sentence; empty: nothing is sold.
    [[nodiscard]] std::string bought_for_one();
    /// Of a server for a rate or for a rent: what keeps it with 8-bit or 4-bit weights, where that
    /// is cheaper or clearly faster. A sentence or nothing.
    [[nodiscard]] std::string in_narrow_weights(const Answer& reply) const;
    /// The document with the widest weights that the hardware holds, where nobody said how they are
    /// stored.
    [[nodiscard]] WorkloadDocument with_weights_for(const WorkloadDocument& document,
                                                    const Architecture& architecture,
                                                    const std::vector<Cluster>& clusters) const;
    Result<Routed> estimated(const std::function<Answer(const Placement&)>& reply);
    /// Of further parts that the question names, not forms of the one answered, the first figure
    /// each, which lead the sentence and join its values.
    void add_other_parts(const Placement& answered,
                         const std::function<Answer(const Placement&)>& reply_on, Answer& reply);
    /// A job that nobody waits for is served many at once.
    void serve_in_bulk();
    /// Where nobody said how many run at once: half as many until memory holds them.
    void serve_as_many_as_fit();
    /// Pictures on a card at home that does not hold the whole pipeline, where no stack was named:
    /// by the one that reads the rest from the host.
    void stream_if_short();
    /// Where images a second are asked: so many at once as keep the rate, of those that arrive
    /// within a tenth of a second.
    void gather_to_rate();
    /// What TensorRT makes of images whose rate is asked, and whether that keeps it.
    void add_engine(const Placement& eager, Answer& reply) const;
    /// Of requests that come at a rate what they wait, or how many of them are served; nothing where
    /// no rate was told or one was seen.
    void add_load_of_rate(const Placement& placement, Answer& reply);
    /// As many of a part as make tokens for the least money, where nobody said how many are rented.
    void rent_what_costs_least();
    Result<Routed> duration();
    /// How long a run takes on other hardware than that on which it was timed.
    Result<Routed> timed_elsewhere();
    [[nodiscard]] Error no_known_model() const;
    /// Samples and passes of a run of a network that nobody said.
    void assume_samples();
    /// "100M tokens" of a network that reads sequences: the sequences that they make; false: it
    /// reads none, or no tokens were told.
    bool take_tokens_as_sequences();
    /// The length of a run over text that nobody said. errors  the model is not known
    Result<void> assume_length();
    /// How long the run takes with the first kind of adapters that fits the hardware, a sentence;
    /// empty: none does.
    std::string time_with_adapters();
    Result<Routed> throughput();
    Result<Routed> price();
    Result<Routed> own();
    /// Hardware that nobody named: the cheapest that is sold and does the work becomes that of the
    /// reading; which one, in words.
    std::string choose_to_own();
    [[nodiscard]] std::optional<Cluster> cluster_of(const ReadSide& side) const;
    /// A cluster of each form of a side.
    [[nodiscard]] std::vector<Cluster> forms_of(ReadSide side) const;
    Result<Routed> own_or_rent_other(const SiteFigures& figures);
    /// How many of a side without a number hold the model of the question; as it is where none do.
    [[nodiscard]] ReadSide with_enough(ReadSide side) const;
    /// What the sides of a comparison cost to own for a time, with their electricity, where these
    /// are asked of cards for a desk, a sentence before another; empty: they are not, or no price
    /// of one is known.
    std::string owned_sides();
    /// What a choice that is bought saves against renting the same, with where that turns, a
    /// sentence before another; empty: nobody rents it out.
    std::string weighed_against_rent(const AnswerChoice& bought);
    /// Where the cheapest is sought and no length of a run says what that comes to: what is rented
    /// for clearly less an hour than what does the work for least, a sentence behind another;
    /// empty: nothing is.
    [[nodiscard]] std::string cheapest_of_an_hour(const Advice& advice) const;
    /// What does it for less on a marketplace, where the first choice is rented on demand; a
    /// sentence behind another, empty where nothing is clearly cheaper.
    [[nodiscard]] std::string on_markets(const Advice& advice) const;
    /// What the question says of the place: its power, its use, what the card costs.
    SiteFigures figures_said();
    /// The hours of a day that work which comes again and again takes on what is owned, where
    /// nobody said them.
    void take_use_of_work(const Cluster& cluster);
    /// What is owned costs its electricity, at the price that was said or a usual one, in the place
    /// of rent.
    void bill_electricity(Placement& placement);
    /// Dollars that are got back at the end, as a share of what is paid.
    void take_resale_said(SiteFigures& figures);
    /// The rent that was told, in the place of what is listed, where the cost of tokens is asked of
    /// hardware that is named.
    void pay_told_rent(Placement& placement);
    /// "No: 48 hours of it cost $120 at the least, $40 pay for 16. ": of a fit for a time and a sum
    /// that does not pay for it; empty: it does, or none was said.
    [[nodiscard]] std::string beyond_sum() const;
    /// The sum of the question as the price of one card, or of a whole server of modules.
    void take_price_said(SiteFigures& figures);
    /// All forms of the first part that has an answer, the one that compares best first; `problem`:
    /// of the first that has none.
    [[nodiscard]] std::vector<OwnershipAnswer> owned_forms(const std::vector<Cluster>& clusters,
                                                           const SiteFigures& figures,
                                                           std::optional<Error>& problem) const;
    /// What owning costs beside renting; `forms` tell what turns with the form of the part.
    Routed owning_told(OwnershipAnswer owned, const std::vector<OwnershipAnswer>& forms,
                       const SiteFigures& figures);
    /// What is known of one side is told, and what the other lacks: a price, or that at which
    /// owning turns.
    Result<Routed> only_rent(const Error& problem, const std::optional<OwnershipAnswer>& turning);
    Result<Routed> budget();
    Result<Routed> budget_of_an_hour();
    /// What a sum does for a model that was named.
    Result<Routed> budget_of_work();
    /// Has the question be of as many users at once as the money pays for; what is told first of
    /// them, nothing where it serves none.
    std::string serve_most_users();
    /// Whether a sum of every month is to serve as many as it can.
    [[nodiscard]] bool serves_by_the_month() const;
    void lead_with_users(const std::string& words, Answer& reply) const;
    /// What each of the parts that were named holds.
    Result<Routed> held_by_each();
    Result<Routed> describe();
    Result<Routed> describe_parts();
    Result<Routed> describe_model();
    /// Whether the sentence answers all that is asked of a part or model, so that the rest stays
    /// away.
    [[nodiscard]] bool asks_one_figure() const;

    std::string other_forms_;  ///< of the part that was named, what they take and cost, a sentence
    const Request& request_;
    Question& asked_;
    const World& world_;
    Reading& reading_;
    std::string date_;
    Knowledge knowledge_;
    AnswerTools tools_;
};

}  // namespace ridgeline::ask
