#pragma once

#include "advise/reading/words/sentence.h"

#include <string_view>

namespace ridgeline::reading {

/// What the rules of the intent look at.
struct Facts {
    const Sentence& s;
    const Reading& r;
    bool parts = false;     ///< hardware is named
    bool hardware = false;  ///< or described by its memory
    bool model = false;
    bool work = false;       ///< training or serving is spoken of or follows
    bool said_work = false;  ///< in so many words
    bool sum = false;
    bool how_many_parts = false;  ///< "how many h100"
    bool several = false;         ///< kinds, counts or forms of hardware
    bool sides_by_or = false;     ///< "mi300x or h200"
    bool from_to = false;         ///< "from a 3090 to a 5090"
    bool part_hours = false;      ///< "how many h100 hours"
    bool ends_in_time = false;    ///< "..., hours?"
    bool listed = false;          ///< three kinds of hardware or more, one after the other
    bool measured = false;        ///< "is 2x 5060 ti smarter than one 5080"
    bool instances = false;       ///< all that is named is rented by its name
    bool only_these = false;      ///< "only l4 or l40s", "h100 or h200 only"
    bool on_processor = false;    ///< no accelerator is named, or a CPU alone

    [[nodiscard]] bool asks(Signals signals) const { return s.asks(signals); }
    [[nodiscard]] bool attribute(FigureName name) const { return ridgeline::asks(r, name); }
    [[nodiscard]] bool largest() const {
        return asks(
            "largest_model largest_sequence largest_users largest_batch largest_rank "
            "largest_copies largest_image largest_frames");
    }
    /// "rent or buy an a100": renting is weighed against owning.
    [[nodiscard]] bool buys_or_rents() const;
    [[nodiscard]] bool buys_one_of_several() const;
    /// "at what hours a month does a 5090 beat runpod", "keep them or switch to renting l40s".
    [[nodiscard]] bool outdoes() const;
    /// "cost of a 4090 for a month running 24/7": how long hardware runs, and nothing that it does.
    [[nodiscard]] bool only_runs() const;
    /// Is owning weighed against renting, whatever the hardware?
    [[nodiscard]] bool weighs_owning() const;
    /// "is $1.99/h good for an h100", "2k for a used 3090, fair?": one kind of hardware, what it
    /// costs, and a word that judges it.
    [[nodiscard]] bool judges_price() const;
    /// "price of an rtx pro 6000 for comfyui", "runpod or vast for a 4090": what one kind of
    /// hardware costs, whatever it is for.
    [[nodiscard]] bool prices_a_part() const;
    /// "why is a 70b so slow on 2 a100", "how much slower at 300 w": a rate, by its asking word.
    [[nodiscard]] bool asks_why_slow() const;
    /// "does the a100 have fp8": a type is asked about, nothing runs in it.
    [[nodiscard]] bool asks_for_a_type() const {
        return s.any_word("does do has") && (!r.quantization.empty() || !r.compute.empty());
    }
    /// "a card that does fp8", "a gpu with nvlink": what hardware must have, whatever it runs.
    [[nodiscard]] bool requires_property() const;
    [[nodiscard]] bool demands(std::string_view word) const;
    [[nodiscard]] bool length() const {
        return r.tokens || r.samples || r.epochs || r.steps || r.audio_s;
    }
    [[nodiscard]] bool income() const { return r.usd_per_hour || r.usd_per_month; }
    /// "how many tokens can 8 h100 train a 7b on in a week", "max tokens i can train on for $5000".
    [[nodiscard]] bool tokens_of_run() const;
    [[nodiscard]] bool speed() const { return asks("throughput images mfu ttft tpot latency"); }
};

/// Whether what electricity emits is asked: by a word, or by what the grid emits.
inline bool asks_for_carbon(const Sentence& sentence) {
    return sentence.reading.grid_gco2_per_kwh ||
           sentence.any_word("co2 co2e carbon emissions gco2 gco2e");
}

Facts facts_of(const Sentence& sentence);

}  // namespace ridgeline::reading
