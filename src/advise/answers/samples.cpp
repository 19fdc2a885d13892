#include "advise/answers/pace.h"
#include "advise/answers/rate_words.h"
#include "advise/answers/throughput.h"
#include "advise/figure_words.h"
#include "base/text.h"
#include "estimate/families/families.h"

#include <fmt/format.h>

#include <algorithm>

// Of training, and of models that answer all at once: tokens, images or samples a second.

namespace ridgeline {
namespace {

/// Denoising steps that a picture or clip passes in a second, without the encoder and the decoder;
/// 0: it has none.
double denoised_per_second(const Placement& placement) {
    double seconds = 0;
    for (const TimeComponent& component : placement.estimate.time.components) {
        seconds += component.name == "denoiser" ? component.time / second : 0;
    }
    return seconds > 0 && placement.workload.task == Task::inference
               ? placement.workload.batch.steps / seconds
               : 0;
}

class SampleReply {
public:
    SampleReply(const Reading& reading, const Placement& placement, const std::string& where)
        : reading_(reading),
          placement_(placement),
          where_(where),
          time_(placement.estimate.time),
          images_(counts_images(placement.architecture)),
          clips_(frames_a_second(placement.architecture) > 0),
          tokens_(time_.tokens_per_second > 0 && !asks(reading, "images") && !images_ &&
                  !reading.answers_at_once && placement.architecture.kind != ModelKind::encoder),
          made_(made()),
          step_(time_value("step", time_.step, time_.band, "s", 1)) {}

    Answer reply();

private:
    AnswerValue made() const;
    /// An answer that is waited for leads with its time.
    void lead_with_latency();
    void lead_with_steps();
    void lead_with_clip();
    void add_picture_pace();
    /// "592 images an hour (294 to 716)", where they are asked by the hour or the day.
    void lead_with_period();
    /// "$0.0012 a picture": what one costs by rent, before how many are made.
    void lead_with_cost_of_one();
    void add_asked_rate();
    void add_share_of_peak();

    const Reading& reading_;
    const Placement& placement_;
    const std::string& where_;
    const TimeEstimate& time_;
    bool images_;
    bool clips_;
    bool tokens_;
    AnswerValue made_;
    AnswerValue step_;
    Answer reply_;
};

AnswerValue SampleReply::made() const {
    if (tokens_) {
        return rate("training", time_.tokens_per_second, time_.band, "tokens/s");
    }
    const std::string unit = has_program(placement_.architecture)
                                 ? std::string(unit_of(placement_.architecture)) + "/s"
                             : images_ ? "images/s"
                                       : "samples/s";
    return rate(placement_.workload.task == Task::inference ? "inference" : "training",
                time_.samples_per_second, time_.band, unit);
}

void SampleReply::lead_with_latency() {
    const double at_once = placement_.workload.serving.value_or(Serving{}).concurrency;
    const bool asked = asks(reading_, "latency");
    if (at_once > 1 && reading_.answered_in_one_pass) {
        reply_.headline += fmt::format(" in batches of {:.0f}", at_once / placement_.cluster.count);
        if (asked && reading_.concurrency) {
            reply_.headline = fmt::format("{}: {:g} at once take {}, {}", where_, at_once,
                                          lasts(step_), ranged(made_, made_.unit));
            std::swap(reply_.values[0], reply_.values[1]);
        }
    } else if (asked) {
        reply_.headline = fmt::format("{}: an answer takes {}, {}", where_, lasts(step_),
                                      ranged(made_, made_.unit));
        std::swap(reply_.values[0], reply_.values[1]);
    }
}

void SampleReply::lead_with_steps() {
    const bool trains = placement_.workload.task == Task::train;
    constexpr double slow_step = 10;  // seconds from which on people count the steps of an hour
    const bool slow = *step_.mid > slow_step;
    const std::string rhythm =
        trains ? fmt::format("{} {}, ", figure_words((slow ? 3600 : 1) / *step_.mid),
                             slow ? "steps an hour" : "steps/s")
               : std::string();
    reply_.headline = fmt::format("{}: a step takes {}, {}{}", where_, lasts(step_), rhythm,
                                  ranged(made_, made_.unit));
    if (trains) {
        reply_.values.insert(reply_.values.begin(),
                             rate("steps", second / time_.step, time_.band, "steps/s"));
    }
    const double denoised = denoised_per_second(placement_);
    if (denoised > 0) {
        const AnswerValue steps = rate("iterations", denoised, time_.band, "it/s");
        reply_.values.insert(reply_.values.begin(), steps);
        reply_.headline =
            fmt::format("{}: {}, {}", where_, ranged(steps, steps.unit), ranged(made_, made_.unit));
    }
}

void SampleReply::lead_with_clip() {
    reply_.headline = fmt::format("{}: a clip takes {}", where_, lasts(step_));
    if (placement_.workload.plan.data > 1) {  // each makes its own
        reply_.headline +=
            fmt::format(", {} are made at once, one every {}", placement_.workload.plan.data,
                        format_duration(1 / time_.samples_per_second));
    }
    if (const int sharing = placement_.workload.plan.context; sharing > 1) {
        reply_.headline += fmt::format(", whose steps {} cards share", sharing);
    }
}

void SampleReply::add_picture_pace() {
    constexpr double slow = 10;  // images a second; more are nobody's to wait for
    if (images_ && time_.samples_per_second < slow) {
        reply_.headline +=
            fmt::format(", {} a minute ({} each)", figure_words(60 * time_.samples_per_second),
                        format_duration(1 / time_.samples_per_second));
    }
}

void SampleReply::lead_with_period() {
    const bool day = !asks(reading_, "hourly");
    if (time_.samples_per_second <= 0 || (day && !asks(reading_, "all_day"))) {
        return;
    }
    const std::string made = clips_ ? "clips" : images_ ? "images" : "samples";
    const AnswerValue all =
        rate(reply_.values.front().quantity, (day ? 86400 : 3600) * time_.samples_per_second,
             time_.band, made + (day ? "/day" : "/h"));
    reply_.headline = fmt::format("{} {} {} ({} to {}). {}", figure_words(*all.mid), made,
                                  day ? "a day" : "an hour", figure_words(*all.low),
                                  figure_words(*all.high), reply_.headline);
    reply_.values.insert(reply_.values.begin(), all);
}

void SampleReply::lead_with_cost_of_one() {
    const CostEstimate& cost = placement_.estimate.cost;
    if (!asks(reading_, "per_sample") || cost.usd_per_hour <= 0 || time_.samples_per_second <= 0) {
        return;
    }
    const double usd = cost.usd_per_hour / 3600 / time_.samples_per_second;
    const double low = usd * time_.band.low;
    const double high = usd * time_.band.high;
    reply_.values.insert(reply_.values.begin(), {"cost", low, usd, high, "USD/sample", ""});
    reply_.headline = fmt::format("{} {} ({} to {}), {} a thousand{}: {}", format_usd(usd),
                                  clips_    ? "a clip"
                                  : images_ ? "a picture"
                                            : "a sample",
                                  format_usd(low), format_usd(high), format_usd(1000 * usd),
                                  cost.offer ? rented_words(placement_) : paid_words(placement_),
                                  reply_.headline);
}

void SampleReply::add_asked_rate() {
    if (tokens_ && asks(reading_, "per_gpu") && placement_.cluster.count > 1) {
        reply_.headline += fmt::format(
            ", {} on each", figure_words(time_.tokens_per_second / placement_.cluster.count));
    }
    if (!reading_.requests_per_s || tokens_) {
        return;
    }
    // The range decides, as it does of memory: its slow end keeps the rate, its middle alone, none.
    const double asked = *reading_.requests_per_s;
    const double slow = surely_served(time_);
    struct Kept {
        const char *verdict, *first, *words;
    };
    const Kept kept =
        slow >= asked ? Kept{"yes", "Yes", "the slow end of the range keeps too"}
        : time_.samples_per_second >= asked
            ? Kept{"barely", "Barely", "the middle of the range keeps, its slow end does not"}
            : Kept{"no", "No", "is not reached"};
    reply_.verdict = kept.verdict;
    reply_.headline =
        fmt::format("{}: {} under {}; {} a second are asked, which {}", kept.first, reply_.headline,
                    placement_.workload.framework, figure_words(asked), kept.words);
}

void SampleReply::add_share_of_peak() {
    if (time_.mfu <= 0 || placement_.workload.task != Task::train) {
        return;
    }
    const double slowest = time_.band.high > 0 ? time_.band.high : 1;
    const double fastest = time_.band.low > 0 ? time_.band.low : 1;
    reply_.values.push_back(
        {"mfu", time_.mfu / slowest, time_.mfu, time_.mfu / fastest, "ratio", ""});
    reply_.headline += fmt::format(", {:.0f} % of peak (MFU)", 100 * time_.mfu);
}

Answer SampleReply::reply() {
    reply_.values = {made_, step_};
    reply_.headline = fmt::format("{}: {}", where_, ranged(made_, made_.unit));
    if (placement_.workload.task == Task::inference && !tokens_ && !clips_) {
        lead_with_latency();
    }
    if (asks(reading_, "step_time")) {
        lead_with_steps();
    }
    if (time_.samples_per_second > 0) {
        if (clips_) {
            lead_with_clip();
        } else {
            add_picture_pace();
        }
    }
    add_asked_rate();
    add_share_of_peak();
    const std::string picture = picture_words(placement_);
    reply_.headline += picture.empty() ? "." : "; " + picture + ".";
    lead_with_period();
    lead_with_cost_of_one();
    return std::move(reply_);
}

}  // namespace

Answer sample_reply(const Reading& reading, const Placement& placement, const std::string& where) {
    return SampleReply(reading, placement, where).reply();
}

}  // namespace ridgeline
