#pragma once

#include "advise/answers/answer.h"
#include "advise/comparisons/side.h"

#include <string>
#include <utility>
#include <vector>

namespace ridgeline {

/// The sides of a comparison of hardware, judged alike.
class SideBySide {
public:
    SideBySide(const Reading& reading, std::vector<ComparedSide> sides, const AnswerTools& tools)
        : reading_(reading), sides_(std::move(sides)), tools_(tools) {}

    /// By a workload: rates, with narrower weights or more of each where one side does not hold it.
    Result<Answer> by_work();
    /// Without a workload: what decides decoding, and what decides training and prompts; of
    /// scientific computing what decides its two kinds of kernels.
    Answer by_figures();

private:
    /// What decides which models run at all: the memory of all cards of a side, where it differs.
    /// And the part that has more; null: they are alike.
    [[nodiscard]] std::pair<std::string, const Accelerator*> room_words() const;
    /// How many of the first side one of the other is worth, where that is asked: by the rates of
    /// the work, else by those of the parts.
    [[nodiscard]] std::string matched_words(bool at_work) const;
    /// Double precision of the sides beside the first two, or of the matrix units that have it.
    [[nodiscard]] std::string units_words(bool products) const;
    /// Why work is not told for a dollar, where what one side costs is not known.
    [[nodiscard]] std::string without_price(const ComparedSide& best,
                                            const ComparedSide& other) const;
    /// Layers that lie on several cards one after the other, as llama.cpp has them, are read one
    /// after the other.
    static std::string apart_words(const ComparedSide& best, const ComparedSide& other);
    /// Judges every side with the same weights, the widest that all hold, else that one holds. A
    /// side without a number takes the fewest that hold the model, as a server of it would.
    WorkloadDocument judged_alike(const WorkloadDocument& document,
                                  const Architecture& architecture, const Query& query);
    /// The same, of half as many at once and half of that where so many as nobody said have no room
    /// on the cards that were counted.
    WorkloadDocument judged_in_room(const WorkloadDocument& document,
                                    const Architecture& architecture, const Query& query);
    /// Where numbers were said and a side does not hold the training: the ways to less memory that
    /// a fit tries too.
    void hold_in_less_memory(const WorkloadDocument& document, const Architecture& architecture,
                             const Query& query);
    /// Each side with a part of the model in the host's memory, and the weights that all then have;
    /// false: it suffices for none.
    bool share_with_host(WorkloadDocument& document, const Architecture& architecture,
                         const Query& query);
    /// Whether a number of one side was said.
    [[nodiscard]] bool is_counted() const;
    /// Whether all of them are sold for desks.
    [[nodiscard]] bool stands_at_desks() const;
    /// Whether a card for a home is among them.
    [[nodiscard]] bool stands_a_home() const;
    /// Where one side holds the model in fewer than the others, and nobody said how many: that in
    /// words, and every side with as many as the most that one takes, since a larger pile is no
    /// faster part.
    std::string put_on_as_many(const WorkloadDocument& document, const Architecture& architecture,
                               const Query& query);
    /// Where no side holds the work with as many as were said: each with so many times as many, and
    /// that in words; empty: one holds it, or none does with eight times as many.
    std::string put_on_more_of_each(const WorkloadDocument& document,
                                    const Architecture& architecture, const Query& query);
    /// Where the price of a token is weighed and nobody said how many of a side: twice as many as
    /// hold the model, as long as the room for more requests at once makes a token cheaper. Whether
    /// a side grew.
    bool grow_where_it_pays(const WorkloadDocument& document, const Architecture& architecture,
                            const Query& query);
    /// How many of each are compared, where nobody said a number and one does not hold it.
    ///
    /// least_words  " The least that trains ...", of a training; to stand behind
    [[nodiscard]] std::string cards_of_each(const WorkloadDocument& document,
                                            const Architecture& architecture, const Query& query,
                                            std::string& least_words) const;
    /// Training beside a card for a home, of which nobody said a number: one of each is meant, by a
    /// way that takes less memory where all hold it so. That in words, and the document with it;
    /// empty: the usual way does, or none.
    std::string hold_on_one_of_each(WorkloadDocument& document, const Architecture& architecture,
                                    const Query& query);
    /// Whether the rate of a side stands in the first sentence behind those of the best two.
    [[nodiscard]] bool is_told_first(const ComparedSide& side) const;
    /// ", 34.4 on 1 x ...": the rates of those.
    ///
    /// slow  told by what one sample takes
    [[nodiscard]] std::string rates_beside(bool slow) const;
    /// Where the sides run under different stacks since nobody named one: which, and the rates of
    /// all under one of them that runs on all; else empty.
    [[nodiscard]] std::string stacks_words(const WorkloadDocument& document,
                                           const Architecture& architecture,
                                           const Query& query) const;
    [[nodiscard]] bool every_side_holds() const;
    [[nodiscard]] bool two_sides_hold() const;
    [[nodiscard]] bool any_side_holds() const;
    /// Of the forms of a side the usual one, unless that holds nothing, or takes more cards, and
    /// another does better.
    void keep_usual_forms();
    /// A run from scratch goes on as many of each as end it within the longest run that is
    /// recommended: on fewer the states alone fill the memory, which no such run is held to. Their
    /// number in words; empty where it was said.
    std::string grown_for_the_run(const WorkloadDocument& document,
                                  const Architecture& architecture, const Query& query);
    /// Rates of the best two where both recompute as much, in micro-batches as small, as the one
    /// with less room has to: what a few GiB decide tells nothing of the parts. Nothing where their
    /// plans do alike, or where that changes little.
    void run_alike(const WorkloadDocument& document, const Architecture& architecture,
                   const Query& query);
    /// Whether it is asked which costs less.
    [[nodiscard]] bool weighs_cost() const;
    /// Where no side keeps the times and rates that were asked: how many of each would; else empty.
    [[nodiscard]] std::string target_words(const WorkloadDocument& document,
                                           const Architecture& architecture,
                                           const Query& query) const;
    /// "tokens/s", by card where that is asked.
    [[nodiscard]] std::string measure_of(const ComparedSide& side) const;
    /// The score, of one card where that is asked.
    [[nodiscard]] double rate_of(const ComparedSide& side) const;
    /// "; in batches of 8 ... the former is 1.4 times as fast (...)": the least that parts sides
    /// which the host that launches kernels keeps alike at the batch of the question; else empty.
    [[nodiscard]] std::string larger_batch_words(const WorkloadDocument& document,
                                                 const Architecture& architecture,
                                                 const Query& query) const;
    /// Which is faster, by how much, in what rates.
    [[nodiscard]] std::string speed_words(const ComparedSide& best, const ComparedSide& other,
                                          const std::string& work) const;
    /// How long each side takes for as much as was said, before what is compared; empty: no length
    /// was said.
    [[nodiscard]] std::string length_words(const ComparedSide& best, const ComparedSide& other,
                                           Answer& reply) const;
    void rank();
    /// The best of another side than the best.
    [[nodiscard]] const ComparedSide* second() const;
    /// Of the sides beside the best the cheapest to rent, the second where no other is.
    [[nodiscard]] const ComparedSide* cheapest_beside(const ComparedSide& second_best) const;
    /// What the sides do that stand in no sentence of the best two.
    [[nodiscard]] std::string other_sides() const;
    /// No figure for a side that holds nothing or whose rate nobody knows.
    void add_values(Answer& reply) const;
    /// What a month of each comes to, where that was asked; else empty.
    [[nodiscard]] std::string bills_of_sides(const ComparedSide& best,
                                             const ComparedSide& other) const;
    [[nodiscard]] Answer in_words(const std::string& stored, const std::string& larger_batch) const;

    const Reading& reading_;
    std::vector<ComparedSide> sides_;
    const AnswerTools& tools_;
};

}  // namespace ridgeline
