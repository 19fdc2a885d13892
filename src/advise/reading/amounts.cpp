#include "advise/reading/names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

// Numbers with a unit on either side: tokens, contexts, users, rates, latencies, examples, epochs,
// batches, ranks, memory, times.

namespace ridgeline::reading {
namespace {

enum class Field {
    none,
    sequence,
    input,
    output,
    batch,
    micro_batch,
    rank,
    users,
    per_second,
    per_minute,
    per_hour,
    per_day,
    tokens,
    tokens_per_second,
    tokens_per_minute,
    tokens_per_hour,
    tokens_per_day,
    samples,
    epochs,
    ttft,
    tpot,
    latency,
    memory,
    host_memory,
    nodes,
    kilowatts,
    percent,
    pixels,
};

/// A phrase and the field that the number beside it fills.
struct Unit {
    std::string_view words;
    Field field;
};

// clang-format off
/// Before the number: "batch size of 16". The longest phrase counts.
constexpr Unit names_before[] = {
    {"context", Field::sequence}, {"contextlength", Field::sequence}, {"contextwindow", Field::sequence}, {"contextsize", Field::sequence}, {"contextof", Field::sequence},
    {"ctx", Field::sequence}, {"ctxlen", Field::sequence}, {"ctxlength", Field::sequence}, {"maxctx", Field::sequence},
    {"sequence", Field::sequence}, {"sequencelength", Field::sequence}, {"sequencelen", Field::sequence}, {"sequences", Field::sequence}, {"seq", Field::sequence}, {"seqlen", Field::sequence},
    {"seqlength", Field::sequence}, {"maxseqlen", Field::sequence}, {"maxlength", Field::sequence}, {"maxmodellen", Field::sequence}, {"sequencesof", Field::sequence},
    {"prompt", Field::input}, {"prompts", Field::input}, {"input", Field::input}, {"inputs", Field::input}, {"promptlength", Field::input}, {"inputlength", Field::input}, {"inputtokens", Field::input},
    {"prompttokens", Field::input}, {"inputlen", Field::input}, {"isl", Field::input}, {"promptsize", Field::input},
    {"output", Field::output}, {"outputs", Field::output}, {"outputlength", Field::output}, {"outputtokens", Field::output}, {"outputlen", Field::output}, {"osl", Field::output}, {"generate", Field::output},
    {"generating", Field::output}, {"response", Field::output}, {"responses", Field::output}, {"answers", Field::output}, {"completion", Field::output}, {"completions", Field::output}, {"replies", Field::output}, {"length", Field::sequence}, {"lengthof", Field::sequence}, {"newtokens", Field::output}, {"maxnewtokens", Field::output},
    {"batch", Field::batch}, {"batchsize", Field::batch}, {"bs", Field::batch}, {"batches", Field::batch}, {"batchesof", Field::batch}, {"globalbatch", Field::batch}, {"globalbatchsize", Field::batch},
    {"microbatch", Field::micro_batch}, {"microbatchsize", Field::micro_batch}, {"mbs", Field::micro_batch}, {"perdevicebatchsize", Field::micro_batch}, {"perdevicetrainbatchsize", Field::micro_batch}, {"pergpubatch", Field::micro_batch}, {"pergpubatchsize", Field::micro_batch},
    {"rank", Field::rank}, {"r", Field::rank}, {"lorarank", Field::rank}, {"lorar", Field::rank}, {"rankof", Field::rank},
    {"concurrency", Field::users}, {"users", Field::users}, {"concurrentusers", Field::users}, {"concurrentrequests", Field::users}, {"parallelrequests", Field::users}, {"numparallel", Field::users}, {"maxnumseqs", Field::users},
    {"epochs", Field::epochs}, {"numepochs", Field::epochs}, {"numtrainepochs", Field::epochs}, {"rps", Field::per_second}, {"qps", Field::per_second},
    {"ttft", Field::ttft}, {"timetofirsttoken", Field::ttft}, {"firsttoken", Field::ttft}, {"firsttokenlatency", Field::ttft}, {"firsttokenin", Field::ttft},
    {"tpot", Field::tpot}, {"itl", Field::tpot}, {"intertokenlatency", Field::tpot}, {"timeperoutputtoken", Field::tpot}, {"timepertoken", Field::tpot}, {"latencypertoken", Field::tpot}, {"tokenlatency", Field::tpot},
    {"latency", Field::latency}, {"responsetime", Field::latency}, {"imagesize", Field::pixels}, {"resolution", Field::pixels}, {"imgsz", Field::pixels},
};

/// After the number: "16 users", "300B tokens", "20 rps".
constexpr Unit units_after[] = {
    {"context", Field::sequence}, {"length", Field::sequence}, {"contexts", Field::sequence}, {"ctxwindow", Field::sequence}, {"windows", Field::sequence}, {"contextlength", Field::sequence}, {"contextwindow", Field::sequence}, {"contextsize", Field::sequence}, {"ctx", Field::sequence}, {"ctxlen", Field::sequence},
    {"tokencontext", Field::sequence}, {"tokenscontext", Field::sequence}, {"tokencontextwindow", Field::sequence}, {"tokensofcontext", Field::sequence}, {"tokencontextlength", Field::sequence}, {"tokenscontextlength", Field::sequence}, {"tokcontext", Field::sequence}, {"tokenctx", Field::sequence},
    {"sequence", Field::sequence}, {"sequences", Field::sequence}, {"sequencelength", Field::sequence}, {"seq", Field::sequence}, {"seqlen", Field::sequence}, {"seqlength", Field::sequence}, {"tokensequence", Field::sequence}, {"tokensequences", Field::sequence}, {"tokenssequence", Field::sequence}, {"tokenssequences", Field::sequence}, {"tokensequencelength", Field::sequence}, {"tokenseq", Field::sequence}, {"tokensseq", Field::sequence}, {"tokenseqs", Field::sequence},
    {"tokenseach", Field::sequence}, {"tokenslong", Field::sequence}, {"tokensperexample", Field::sequence}, {"tokenspersample", Field::sequence}, {"tokenspersequence", Field::sequence}, {"tokensper", Field::sequence}, {"tokenexamples", Field::sequence}, {"tokensamples", Field::sequence}, {"tokensperrow", Field::sequence}, {"tokenssequencelength", Field::sequence}, {"tokenseachlong", Field::sequence}, {"tokens/example", Field::sequence}, {"tokens/sample", Field::sequence}, {"tokdocuments", Field::sequence}, {"tokendocuments", Field::sequence},
    {"prompt", Field::input}, {"prompts", Field::input}, {"tokenprompt", Field::input}, {"tokenprompts", Field::input}, {"tokensprompt", Field::input}, {"tokensprompts", Field::input}, {"prompttokens", Field::input}, {"input", Field::input}, {"inputs", Field::input}, {"inputtokens", Field::input}, {"tokeninput", Field::input}, {"tokensinput", Field::input}, {"tokensin", Field::input}, {"tokeninputs", Field::input}, {"in", Field::input}, {"tokensofinput", Field::input}, {"tokensofprompt", Field::input}, {"promptlength", Field::input},
    {"output", Field::output}, {"outputs", Field::output}, {"outputtokens", Field::output}, {"tokenoutput", Field::output}, {"tokensoutput", Field::output}, {"tokenoutputs", Field::output}, {"tokensout", Field::output}, {"out", Field::output}, {"newtokens", Field::output}, {"generatedtokens", Field::output}, {"tokensofoutput", Field::output}, {"tokenresponse", Field::output}, {"tokenresponses", Field::output}, {"tokenanswers", Field::output}, {"tokenanswer", Field::output}, {"tokenreplies", Field::output}, {"completiontokens", Field::output}, {"tokencompletions", Field::output}, {"tokensgenerated", Field::output},
    {"batch", Field::batch}, {"batchsize", Field::batch}, {"bs", Field::batch}, {"rank", Field::rank}, {"lorarank", Field::rank},
    {"users", Field::users}, {"user", Field::users}, {"people", Field::users}, {"ppl", Field::users}, {"peopleatonce", Field::users}, {"pplatonce", Field::users}, {"folks", Field::users}, {"employee", Field::users}, {"persons", Field::users}, {"customers", Field::users}, {"clients", Field::users}, {"employees", Field::users}, {"developers", Field::users}, {"devs", Field::users}, {"students", Field::users}, {"agents", Field::users}, {"sessions", Field::users}, {"streams", Field::users}, {"chats", Field::users}, {"connections", Field::users}, {"engineers", Field::users}, {"colleagues", Field::users}, {"requests", Field::users}, {"request", Field::users}, {"concurrent", Field::users}, {"concurrentusers", Field::users}, {"concurrentuser", Field::users}, {"concurrentrequests", Field::users}, {"concurrentsessions", Field::users}, {"concurrentstreams", Field::users}, {"concurrentchats", Field::users}, {"concurrentclients", Field::users}, {"concurrentpeople", Field::users}, {"concurrentconnections", Field::users}, {"concurrentcustomers", Field::users}, {"concurrentagents", Field::users}, {"concurrentdevelopers", Field::users},
    {"simultaneous", Field::users}, {"simultaneoususers", Field::users}, {"simultaneousrequests", Field::users}, {"parallelrequests", Field::users}, {"parallelusers", Field::users}, {"parallel", Field::users}, {"paralleluser", Field::users}, {"parallelstreams", Field::users}, {"parallelsessions", Field::users}, {"simultaneouschats", Field::users}, {"concurrency", Field::users}, {"activeusers", Field::users}, {"teammembers", Field::users}, {"usersatonce", Field::users}, {"usersatatime", Field::users}, {"requestsatonce", Field::users}, {"requestsatatime", Field::users}, {"requestsinflight", Field::users}, {"requestsinparallel", Field::users}, {"coders", Field::users}, {"seats", Field::users}, {"conc", Field::users}, {"members", Field::users}, {"callers", Field::users}, {"onlineusers", Field::users},
    {"requestspersecond", Field::per_second}, {"requestpersecond", Field::per_second}, {"requests/s", Field::per_second}, {"requests/sec", Field::per_second}, {"requests/second", Field::per_second}, {"req/s", Field::per_second}, {"req/sec", Field::per_second}, {"reqs/s", Field::per_second}, {"rps", Field::per_second}, {"qps", Field::per_second}, {"requestsasecond", Field::per_second}, {"requestspersec", Field::per_second}, {"queriespersecond", Field::per_second}, {"reqpersecond", Field::per_second}, {"reqpersec", Field::per_second}, {"callspersecond", Field::per_second}, {"queries/s", Field::per_second}, {"requesteverysecond", Field::per_second}, {"requestseachsecond", Field::per_second}, {"promptspersecond", Field::per_second},
    {"requestsperminute", Field::per_minute}, {"requests/min", Field::per_minute}, {"requests/minute", Field::per_minute}, {"rpm", Field::per_minute}, {"req/min", Field::per_minute}, {"requestsaminute", Field::per_minute}, {"queriesperminute", Field::per_minute}, {"callsperminute", Field::per_minute},
    {"requestsperhour", Field::per_hour}, {"requests/hour", Field::per_hour}, {"requests/h", Field::per_hour}, {"requestsanhour", Field::per_hour}, {"queriesperhour", Field::per_hour},
    {"requestsperday", Field::per_day}, {"requests/day", Field::per_day}, {"requestsaday", Field::per_day}, {"queriesperday", Field::per_day}, {"requestsdaily", Field::per_day}, {"callsperday", Field::per_day}, {"dailyrequests", Field::per_day}, {"queriesaday", Field::per_day}, {"promptsperday", Field::per_day},
    {"tokens", Field::tokens}, {"token", Field::tokens}, {"toks", Field::tokens}, {"tok", Field::tokens}, {"trainingtokens", Field::tokens}, {"tokensoftext", Field::tokens}, {"tokensofdata", Field::tokens}, {"tokendataset", Field::tokens}, {"tokencorpus", Field::tokens}, {"tokenrun", Field::tokens}, {"tokensdataset", Field::tokens},
    {"tokensperminute", Field::tokens_per_minute}, {"tokens/min", Field::tokens_per_minute}, {"tokens/minute", Field::tokens_per_minute}, {"tokensaminute", Field::tokens_per_minute}, {"tpm", Field::tokens_per_minute},
    {"tokensperhour", Field::tokens_per_hour}, {"tokens/hour", Field::tokens_per_hour}, {"tokens/h", Field::tokens_per_hour}, {"tokensanhour", Field::tokens_per_hour},
    {"tokensperday", Field::tokens_per_day}, {"tokens/day", Field::tokens_per_day}, {"tokensaday", Field::tokens_per_day}, {"tokensdaily", Field::tokens_per_day}, {"tokenseachday", Field::tokens_per_day},
    {"tokenspersecond", Field::tokens_per_second}, {"tokens/s", Field::tokens_per_second}, {"tokens/sec", Field::tokens_per_second}, {"tok/s", Field::tokens_per_second}, {"tok/sec", Field::tokens_per_second}, {"t/s", Field::tokens_per_second}, {"tps", Field::tokens_per_second}, {"tokens/second", Field::tokens_per_second}, {"tokenspersec", Field::tokens_per_second}, {"toks/s", Field::tokens_per_second}, {"tokensasecond", Field::tokens_per_second}, {"tokpersec", Field::tokens_per_second},
    {"samples", Field::samples}, {"sample", Field::samples}, {"examples", Field::samples}, {"rows", Field::samples}, {"row", Field::samples}, {"clips", Field::samples}, {"images", Field::samples}, {"pictures", Field::samples}, {"photos", Field::samples}, {"pairs", Field::samples}, {"conversations", Field::samples}, {"dialogues", Field::samples}, {"dialogs", Field::samples}, {"documents", Field::samples}, {"docs", Field::samples}, {"records", Field::samples}, {"instructions", Field::samples}, {"utterances", Field::samples}, {"sentences", Field::samples}, {"articles", Field::samples}, {"datapoints", Field::samples}, {"entries", Field::samples}, {"items", Field::samples}, {"instructionpairs", Field::samples}, {"trainingexamples", Field::samples}, {"trainingsamples", Field::samples}, {"examplesdataset", Field::samples}, {"lines", Field::samples}, {"tickets", Field::samples}, {"emails", Field::samples}, {"qapairs", Field::samples}, {"preferencepairs", Field::samples}, {"recordings", Field::samples}, {"trainingimages", Field::samples}, {"exampledataset", Field::samples}, {"sampledataset", Field::samples},
    {"epochs", Field::epochs}, {"epoch", Field::epochs}, {"passes", Field::epochs},
    {"gb", Field::memory}, {"gib", Field::memory}, {"gig", Field::memory}, {"gigs", Field::memory}, {"g", Field::memory}, {"gigabytes", Field::memory}, {"gbvram", Field::memory}, {"gbofvram", Field::memory}, {"gbcard", Field::memory}, {"gbcards", Field::memory}, {"gbgpu", Field::memory}, {"gbgpus", Field::memory}, {"gbgpumemory", Field::memory}, {"gbmemory", Field::memory}, {"gbofmemory", Field::memory}, {"gbofgpumemory", Field::memory}, {"gbunifiedmemory", Field::memory}, {"gbunified", Field::memory}, {"gigsofvram", Field::memory}, {"vram", Field::none},
    {"gbram", Field::host_memory}, {"gbofram", Field::host_memory}, {"gbsystemram", Field::host_memory}, {"gbddr5", Field::host_memory}, {"gbddr4", Field::host_memory}, {"gbsystemmemory", Field::host_memory}, {"gbofsystemram", Field::host_memory}, {"gbcpuram", Field::host_memory}, {"gigsofram", Field::host_memory}, {"gbhostmemory", Field::host_memory}, {"gbhostram", Field::host_memory}, {"gbofddr5", Field::host_memory},
    {"kw", Field::kilowatts}, {"kilowatts", Field::kilowatts}, {"kilowatt", Field::kilowatts}, {"kwrack", Field::kilowatts}, {"px", Field::pixels}, {"pixels", Field::pixels}, {"%", Field::percent}, {"percent", Field::percent},
};
// clang-format on

template <std::size_t N>
Field field_of(const Unit (&table)[N], std::string_view key) {
    for (const Unit& unit : table) {
        if (unit.words == key) {
            return unit.field;
        }
    }
    return Field::none;
}

bool near_words(const Sentence& sentence,
                std::size_t from,
                std::size_t to,
                std::initializer_list<std::string_view> words) {
    for (std::size_t i = from; i < std::min(to, sentence.tokens.size()); ++i) {
        if (i > from && sentence.tokens[i].gap == Gap::stop) {
            return false;
        }
        if (is_any(sentence.word(i), words)) {
            return true;
        }
    }
    return false;
}

struct Match {
    Field field = Field::none;
    std::size_t length = 0;
};

/// The longest phrase of the table that stands from token `at` on, after what is glued to a number.
template <std::size_t N>
Match longest(const Sentence& sentence,
              const Unit (&table)[N],
              std::size_t at,
              std::string key,
              bool first_free) {
    Match best;
    if (!key.empty() && field_of(table, key) != Field::none) {
        best = {field_of(table, key), 0};
    }
    for (std::size_t n = 0; n < 5; ++n) {
        const std::size_t i = at + n;
        if (i >= sentence.tokens.size() || (!sentence.open(i)) ||
            ((n > 0 || !first_free) && !sentence.follows(i))) {
            break;
        }
        if (sentence.tokens[i].gap == Gap::slash && !(n == 0 && first_free)) {
            key += '/';
        }
        key += sentence.word(i);
        const Field field = field_of(table, key);
        // "512 tokens in, 128 out" has both; "tokens in 30 days" is no prompt.
        const bool in =
            sentence.word(i) == "in" && !near_words(sentence, i, i + 5, {"out", "output"});
        if (field != Field::none && !in) {
            best = {field, n + 1};
        }
    }
    return best;
}

/// Lengths of sequences: "8k" is 8192, "10k" ten thousand.
double length_of(const Measure& measure) {
    if (measure.kilo) {
        const double thousands = measure.value / 1000;
        const bool round = std::fmod(thousands, 5) == 0;
        return round ? measure.value : thousands * 1024;
    }
    const bool millions =
        measure.scaled && std::fmod(measure.value, 1e6) == 0 && measure.value < 1e8;
    return millions ? measure.value / 1e6 * 1048576 : measure.value;
}

bool in_range(Sentence& sentence,
              std::size_t at,
              const Measure& measure,
              double least,
              double most,
              std::string_view what) {
    if (!measure.negative && measure.value >= least && measure.value <= most &&
        std::isfinite(measure.value)) {
        return true;
    }
    sentence.fail(fmt::format("found {}\"{}\" as {}, expected a number from {:g} to {:g}",
                              measure.negative ? "-" : "",
                              sentence.word(at),
                              what,
                              least,
                              most),
                  "Example: \"serve llama-3.1-8b to 64 users with 8k context\".");
    return false;
}

void set_count(Sentence& sentence,
               std::size_t at,
               const Measure& measure,
               std::optional<int>& target,
               double value,
               std::string_view what) {
    if (in_range(sentence, at, measure, 1, 1e8, what)) {
        target = static_cast<int>(std::llround(value));
    }
}

void set_positive(Sentence& sentence,
                  std::size_t at,
                  const Measure& measure,
                  std::optional<double>& target,
                  double value,
                  std::string_view what) {
    if (in_range(sentence, at, measure, 1e-9, 1e18, what)) {
        target = value;
    }
}

/// Tokens a second of all users together, as requests of the usual answer.
void set_rate(Sentence& sentence,
              std::size_t at,
              const Measure& measure,
              double tokens_per_second) {
    const double each = sentence.reading.output_tokens.value_or(Serving{}.output_tokens);
    set_positive(
        sentence, at, measure, sentence.reading.requests_per_s, tokens_per_second / each, "a rate");
    sentence.assume(
        "requests_per_s",
        fmt::format("{:.3g}", tokens_per_second / each),
        fmt::format("{:.3g} tokens a second in answers of {:g}", tokens_per_second, each));
}

/// Are many tokens those of a run? Those of one sequence are fewer.
constexpr double least_run_tokens = 2e5;

void take(Sentence& sentence, std::size_t at, const Measure& measure, Field field) {
    Reading& reading = sentence.reading;
    const double value = measure.value;
    switch (field) {
        case Field::sequence:
            set_count(sentence, at, measure, reading.sequence, length_of(measure), "a length");
            break;
        case Field::input:
            set_count(sentence,
                      at,
                      measure,
                      reading.input_tokens,
                      length_of(measure),
                      "a prompt's length");
            break;
        case Field::output:
            set_count(sentence,
                      at,
                      measure,
                      reading.output_tokens,
                      length_of(measure),
                      "an answer's length");
            break;
        case Field::batch:
            set_count(sentence, at, measure, reading.batch, value, "a batch");
            break;
        case Field::micro_batch:
            set_count(sentence, at, measure, reading.micro_batch, value, "a micro-batch");
            break;
        case Field::rank:
            set_count(sentence, at, measure, reading.rank, value, "a rank");
            break;
        case Field::users:
            set_count(sentence, at, measure, reading.concurrency, value, "a number of users");
            break;
        case Field::per_second:
            set_positive(sentence, at, measure, reading.requests_per_s, value, "a rate");
            break;
        case Field::per_minute:
            set_positive(sentence, at, measure, reading.requests_per_s, value / 60, "a rate");
            break;
        case Field::per_hour:
            set_positive(sentence, at, measure, reading.requests_per_s, value / 3600, "a rate");
            break;
        case Field::per_day:
            set_positive(sentence, at, measure, reading.requests_per_s, value / 86400, "a rate");
            break;
        case Field::tokens:
            if (value >= least_run_tokens) {
                set_positive(sentence, at, measure, reading.tokens, value, "a number of tokens");
            } else {
                set_count(sentence, at, measure, reading.sequence, length_of(measure), "a length");
            }
            break;
        case Field::tokens_per_second:
            set_positive(
                sentence, at, measure, reading.tpot_s, 1 / std::max(value, 1e-9), "a rate");
            sentence.assume("tpot_s",
                            fmt::format("{:.4g}", 1 / std::max(value, 1e-9)),
                            fmt::format("{:g} tokens a second for each user", value));
            break;
        case Field::tokens_per_minute:
            set_rate(sentence, at, measure, value / 60);
            break;
        case Field::tokens_per_hour:
            set_rate(sentence, at, measure, value / 3600);
            break;
        case Field::tokens_per_day:
            set_rate(sentence, at, measure, value / 86400);
            break;
        case Field::samples:
            set_positive(sentence, at, measure, reading.samples, value, "a number of examples");
            break;
        case Field::epochs:
            set_positive(sentence, at, measure, reading.epochs, value, "epochs");
            break;
        case Field::memory:
            set_positive(sentence, at, measure, reading.memory_gib, value, "a memory size");
            break;
        case Field::host_memory:
            sentence.assume(
                "host_memory_gib", fmt::format("{:g}", value), "memory of the host is not weighed");
            break;
        case Field::kilowatts:
            set_positive(sentence, at, measure, reading.rack_kw, value, "a power");
            break;
        case Field::percent:
            if (value <= 100 &&
                sentence.any_word(
                    {"utilization", "utilisation", "use", "usage", "busy", "load", "duty"})) {
                set_positive(sentence, at, measure, reading.hours_per_day, 0.24 * value, "a share");
                sentence.assume("hours_per_day",
                                fmt::format("{:g}", 0.24 * value),
                                fmt::format("{:g} % of the day", value));
            }
            break;
        default:
            break;
    }
}

// -- Times ------------------------------------------------------------------------------------

double seconds_of(std::string_view unit) {
    struct Name {
        std::string_view word;
        double seconds;
    };
    static constexpr double day = 86400;
    static constexpr Name names[] = {
        {"ms", 1e-3},
        {"msec", 1e-3},
        {"millisecond", 1e-3},
        {"milliseconds", 1e-3},
        {"millis", 1e-3},
        {"s", 1},
        {"sec", 1},
        {"secs", 1},
        {"second", 1},
        {"seconds", 1},
        {"min", 60},
        {"mins", 60},
        {"minute", 60},
        {"minutes", 60},
        {"h", 3600},
        {"hr", 3600},
        {"hrs", 3600},
        {"hour", 3600},
        {"hours", 3600},
        {"stunden", 3600},
        {"d", day},
        {"day", day},
        {"days", day},
        {"tage", day},
        {"week", 7 * day},
        {"weeks", 7 * day},
        {"wk", 7 * day},
        {"w", 7 * day},
        {"month", 30 * day},
        {"months", 30 * day},
        {"mo", 30 * day},
        {"mos", 30 * day},
        {"monate", 30 * day},
        {"meses", 30 * day},
        {"mois", 30 * day},
        {"year", 360 * day},
        {"years", 360 * day},
        {"yr", 360 * day},
        {"yrs", 360 * day},
        {"jahre", 360 * day},
        {"y", 360 * day},
        {"quarter", 90 * day},
    };
    for (const Name& name : names) {
        if (name.word == unit) {
            return name.seconds;
        }
    }
    return 0;
}

constexpr double month_s = 30 * 86400.0;

/// Tokens back from `at` within the same clause.
std::size_t clause_start(const Sentence& sentence, std::size_t at, std::size_t most) {
    std::size_t i = at;
    while (i > 0 && at - i < most && sentence.tokens[i].gap != Gap::stop) {
        --i;
    }
    return i;
}

/// Is renting weighed against owning?
bool weighs_owning(const Sentence& sentence) {
    const bool rents =
        sentence.any_word({"rent", "renting", "cloud", "rented", "lease", "leasing"});
    const bool buys = sentence.any_word({"buy", "buying", "purchase", "own", "owning", "prem"});
    return (rents && buys) ||
           sentence.any_word(
               {"tco", "even", "breakeven", "ownership", "owning", "amortize", "payback"});
}

enum class TimeRole { deadline, months, hours_per_day, ttft, tpot, latency, none };

TimeRole role_of(const Sentence& sentence, std::size_t at, std::size_t end, double unit_s) {
    const std::size_t before = clause_start(sentence, at, 4);
    const bool short_time = unit_s <= 1;
    if (unit_s == 3600 && sentence.follows(end) &&
        ((is_any(sentence.word(end), {"a", "per", "each", "every"}) &&
          is_any(sentence.word(end + 1), {"day", "daily"})) ||
         (sentence.tokens[end].gap == Gap::slash && is_any(sentence.word(end), {"day", "d"})) ||
         sentence.word(end) == "daily")) {
        return TimeRole::hours_per_day;
    }
    if (short_time) {
        if (near_words(sentence, end, end + 3, {"token", "tpot", "itl", "tok"}) &&
            !near_words(sentence, end, end + 3, {"first", "ttft"})) {
            return TimeRole::tpot;
        }
        if (near_words(sentence, end, end + 5, {"ttft", "first"})) {
            return TimeRole::ttft;
        }
        if (near_words(sentence, before, at, {"tpot", "itl"})) {
            return TimeRole::tpot;
        }
        if (near_words(sentence, before, at, {"ttft", "first"})) {
            return TimeRole::ttft;
        }
        return TimeRole::latency;
    }
    const bool within = near_words(
        sentence,
        before,
        at,
        {"in", "within", "under", "by", "deadline", "before", "than", "most", "finish", "max"});
    if (unit_s >= month_s) {
        return within && !weighs_owning(sentence) ? TimeRole::deadline : TimeRole::months;
    }
    return weighs_owning(sentence) && !within && unit_s >= 86400 ? TimeRole::months
                                                                 : TimeRole::deadline;
}

void take_time(Sentence& sentence,
               std::size_t at,
               std::size_t end,
               double amount,
               double unit_s,
               bool negative) {
    Measure measure;
    measure.value = amount;
    measure.negative = negative;
    if (!in_range(sentence, at, measure, 1e-9, 1e9, "a time")) {
        return;
    }
    Reading& reading = sentence.reading;
    const double seconds = amount * unit_s;
    switch (role_of(sentence, at, end, unit_s)) {
        case TimeRole::hours_per_day:
            reading.hours_per_day = amount;
            end += sentence.word(end) == "daily" || sentence.tokens[end].gap == Gap::slash ? 1 : 2;
            break;
        case TimeRole::months:
            reading.months = seconds / month_s;
            break;
        case TimeRole::deadline:
            reading.deadline_s = seconds;
            break;
        case TimeRole::tpot:
            reading.tpot_s = seconds;
            break;
        case TimeRole::ttft:
            reading.ttft_s = seconds;
            break;
        case TimeRole::latency:
            if (!reading.ttft_s) {
                reading.ttft_s = seconds;
                sentence.assume("ttft_s",
                                fmt::format("{:g}", seconds),
                                "a latency without a name is that of the first token");
            }
            break;
        case TimeRole::none:
            break;
    }
    sentence.claim(at, end - at);
    // The words that said which time it is.
    for (std::size_t i = end; i < end + 4 && sentence.open(i) && sentence.follows(i) &&
                              is_any(sentence.word(i),
                                     {"ttft",
                                      "tpot",
                                      "itl",
                                      "first",
                                      "token",
                                      "to",
                                      "per",
                                      "output",
                                      "latency",
                                      "tok",
                                      "the",
                                      "a"});
         ++i) {
        if (is_any(sentence.word(i),
                   {"ttft", "tpot", "itl", "first", "token", "output", "tok", "per", "latency"})) {
            sentence.claim(i);
        }
    }
}

bool match_time(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure || measure->scaled) {
        return false;
    }
    const bool glued = !measure->unit.empty();
    const std::size_t unit_at = at + measure->length;
    const double unit_s =
        glued ? seconds_of(measure->unit)
              : (sentence.follows(unit_at) ? seconds_of(sentence.word(unit_at)) : 0);
    // "4090s" are cards.
    if (unit_s == 0 || (glued && measure->unit == "s" && measure->value >= 100 &&
                        measure->value == std::floor(measure->value))) {
        return false;
    }
    const std::size_t end = unit_at + (glued ? 0 : 1);
    if (is_any(sentence.word(end), {"of"}) &&
        is_any(sentence.word(end + 1), {"audio", "video", "speech", "footage", "recordings"})) {
        return false;
    }
    take_time(sentence, at, end, measure->value, unit_s, measure->negative);
    return true;
}

/// "in a month", "for a year", "overnight", "24/7", "by 2027-03-01".
bool match_time_words(Sentence& sentence, std::size_t at) {
    const std::string_view word = sentence.word(at);
    if (word == "overnight") {
        sentence.reading.deadline_s = 12 * 3600.0;
        sentence.assume("deadline_s", "43200", "overnight was taken as 12 hours");
        sentence.claim(at);
        return true;
    }
    if (word == "24" && sentence.word(at + 1) == "7" && sentence.tokens[at + 1].gap == Gap::slash) {
        sentence.reading.hours_per_day = 24;
        sentence.claim(at, 2);
        return true;
    }
    const bool article =
        is_any(word, {"a", "an", "one"}) && at > 0 &&
        is_any(sentence.word(at - 1), {"in", "within", "for", "over", "after", "under"}) &&
        sentence.follows(at + 1);
    const double unit_s = article ? seconds_of(sentence.word(at + 1)) : 0;
    if (unit_s >= 3600) {
        take_time(sentence, at, at + 2, 1, unit_s, false);
        return true;
    }
    // A date: 2027-03-01.
    const bool date = word.size() == 4 && all_digits(word) && at + 2 < sentence.tokens.size() &&
                      sentence.tokens[at + 1].gap == Gap::joint &&
                      sentence.tokens[at + 2].gap == Gap::joint &&
                      sentence.word(at + 1).size() == 2 && sentence.word(at + 2).size() == 2 &&
                      all_digits(sentence.word(at + 1)) && all_digits(sentence.word(at + 2));
    if (date) {
        sentence.reading.deadline_date =
            fmt::format("{}-{}-{}", word, sentence.word(at + 1), sentence.word(at + 2));
        sentence.claim(at, 3);
        return true;
    }
    return false;
}

// -- Either side ---------------------------------------------------------------------------------

bool is_link(std::string_view word) {
    return is_any(
        word, {"of",    "is",      "size",  "length", "len",  "window", "at",   "most",   "to",
               "about", "around",  "under", "below",  "less", "than",   "up",   "target", "within",
               "max",   "maximum", "<",     "lower",  "need", "needs",  "must", "be",     "should",
               "in",    "limit",   "for",   "p99",    "p95",  "p50",    "say",  "budget"});
}

bool is_latency(Field field) {
    return field == Field::ttft || field == Field::tpot || field == Field::latency;
}

bool match_name_before(Sentence& sentence, std::size_t at) {
    const Match name = longest(sentence, names_before, at, "", true);
    // "20 users 8k context": the number before the name is its own.
    const bool own = at > 0 && sentence.open(at - 1) && sentence.follows(at) &&
                     amount_in(sentence.word(at - 1)) && !parameters_in(sentence.word(at - 1));
    if (name.field == Field::none || own) {
        return false;
    }
    std::size_t number = at + name.length;
    while (sentence.follows(number) && number < at + name.length + 5 &&
           is_link(sentence.word(number))) {
        ++number;
    }
    const auto measure = sentence.follows(number) && sentence.open(number)
                             ? measure_at(sentence, number)
                             : std::nullopt;
    if (!measure) {
        return false;
    }
    std::size_t end = number + measure->length;
    if (is_latency(name.field)) {
        const double unit_s = measure->unit.empty()
                                  ? (sentence.follows(end) ? seconds_of(sentence.word(end)) : 0)
                                  : seconds_of(measure->unit);
        if (unit_s == 0) {
            return false;
        }
        end += measure->unit.empty() ? 1 : 0;
        if (in_range(sentence, number, *measure, 1e-9, 1e7, "a latency")) {
            const double seconds = measure->value * unit_s;
            const bool per_token = near_words(sentence, end, end + 3, {"token"}) &&
                                   !near_words(sentence, end, end + 3, {"first"});
            if (name.field == Field::tpot || (name.field == Field::latency && per_token)) {
                sentence.reading.tpot_s = seconds;
            } else {
                sentence.reading.ttft_s = seconds;
                if (name.field == Field::latency) {
                    sentence.assume("ttft_s",
                                    fmt::format("{:g}", seconds),
                                    "a latency without a name is that of the first token");
                }
            }
        }
        sentence.claim(at, name.length);
        sentence.claim(number, end - number);
        return true;
    }
    const bool counted = is_any(sentence.word(end),
                                {"x",
                                 "gpu",
                                 "gpus",
                                 "card",
                                 "cards",
                                 "gb",
                                 "days",
                                 "hours",
                                 "users",
                                 "nodes",
                                 "examples",
                                 "samples",
                                 "epochs"});
    const bool mention = std::any_of(sentence.mentions.begin(),
                                     sentence.mentions.end(),
                                     [&](const Mention& each) { return each.at == end; });
    const bool prompt_like = name.field == Field::input || name.field == Field::output;
    if (!measure->unit.empty() || (counted && sentence.follows(end)) || mention ||
        (name.field == Field::users && name.length == 1 && sentence.word(at) == "users" &&
         number > at + 1)) {
        return false;
    }
    // "512 in 128 out": the first number has its name behind it.
    if (prompt_like && at > 0 && amount_in(sentence.word(at - 1)) && sentence.open(at - 1)) {
        return false;
    }
    take(sentence, number, *measure, name.field);
    sentence.claim(at, name.length);
    if (is_any(sentence.word(end), {"tokens", "token"}) && sentence.follows(end)) {
        ++end;
    }
    sentence.claim(number, end - number);
    return true;
}

bool match_unit_after(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    if (!measure) {
        return false;
    }
    // "hour daily users": people of a day are not at work at once.
    const Match unit = longest(sentence, units_after, at + measure->length, measure->unit, false);
    if (unit.field == Field::none || (measure->unit.empty() && unit.length == 0)) {
        return false;
    }
    if (unit.length == 1 && is_any(sentence.word(at + measure->length), {"in", "out"}) &&
        measure->value < 16) {
        return false;
    }
    const std::size_t end = at + measure->length + unit.length;
    const bool model_size = parameters_in(sentence.word(at)).has_value() &&
                            !is_any(sentence.word(at), {"1m", "2m", "10m"}) &&
                            (unit.field == Field::users || unit.field == Field::input ||
                             unit.field == Field::output || unit.field == Field::batch);
    if (model_size ||
        (unit.field == Field::memory && (measure->value < 1 || measure->value > 2000))) {
        return false;
    }
    // "images per second" is asked, not stated.
    if (unit.field == Field::samples && is_any(sentence.word(end), {"per", "a"}) &&
        is_any(sentence.word(end + 1), {"second", "minute", "hour", "sec"})) {
        return false;
    }
    Field field = unit.field;
    if (field == Field::tokens && sentence.reading.samples && measure->value < 2e6) {
        field = Field::sequence;  // "50k examples of 1024 tokens"
    }
    if (field == Field::tokens && at > 0 &&
        is_any(sentence.word(at - 1), {"generate", "output", "outputs", "generating", "produce"})) {
        field = Field::output;
    }
    take(sentence, at, *measure, field);
    sentence.claim(at, end - at);
    return true;
}

/// "at 128k", "with 32k": a length of tokens without its unit.
bool match_bare_length(Sentence& sentence, std::size_t at) {
    const auto measure = measure_at(sentence, at);
    const bool plain = measure && measure->kilo && measure->unit.empty() &&
                       measure->value >= 1000 && measure->value <= 4e6;
    if (!plain || sentence.reading.sequence || sentence.reading.input_tokens) {
        return false;
    }
    if (at == 0 ||
        !is_any(sentence.word(at - 1), {"at", "with", "to", "of", "up", "for", "using"})) {
        return false;
    }
    take(sentence, at, *measure, Field::sequence);
    sentence.claim(at, measure->length);
    sentence.assume("sequence",
                    std::to_string(sentence.reading.sequence.value_or(0)),
                    "a number of thousands without a unit is a context");
    return true;
}

/// "512x512", "1024px", "1080p".
bool match_pixels(Sentence& sentence, std::size_t at) {
    const auto pieces = split(sentence.word(at), 'x');
    const bool square = pieces.size() == 2 && all_digits(pieces[0]) && all_digits(pieces[1]) &&
                        pieces[0].size() >= 3 && pieces[1].size() >= 3;
    const std::string_view word = sentence.word(at);
    const bool lines = is_any(word, {"1080p", "720p", "1440p", "480p", "2160p"});
    if (!square && !lines) {
        return false;
    }
    sentence.assume("image_size", std::string(word), "the model's own size is estimated");
    sentence.claim(at);
    return true;
}

using Matcher = bool (*)(Sentence&, std::size_t);

}  // namespace

void recognise_amounts(Sentence& sentence) {
    // Names before the number first: "batch 8 seq 512" must not become 8 sequences.
    static constexpr std::array<Matcher, 6> matchers = {match_time_words,
                                                        match_name_before,
                                                        match_unit_after,
                                                        match_time,
                                                        match_bare_length,
                                                        match_pixels};
    for (const Matcher matcher : matchers) {
        for (std::size_t i = 0; i < sentence.tokens.size() && !sentence.error; ++i) {
            if (sentence.open(i) && !sentence.tokens[i].foreign) {
                matcher(sentence, i);
            }
        }
    }
}

}  // namespace ridgeline::reading
