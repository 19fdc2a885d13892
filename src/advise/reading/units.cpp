#include "advise/reading/units.h"

#include <algorithm>
#include <string>

// The words beside a number that say what it counts, on either side of it.

namespace ridgeline::reading {
namespace {

/// A phrase and the field that the number beside it fills.
struct Unit {
    std::string_view words;
    Field field;
};

// clang-format off
/// Before the number: "batch size of 16". The longest phrase counts.
constexpr Unit names_before[] = {
    {"context", Field::sequence}, {"contextlength", Field::sequence}, {"contextwindow", Field::sequence}, {"contextsize", Field::sequence}, {"contextof", Field::sequence},
    {"ctx", Field::sequence}, {"ctxlen", Field::sequence}, {"ctxlength", Field::sequence}, {"maxctx", Field::sequence}, {"numctx", Field::sequence}, {"len", Field::sequence}, {"maxlen", Field::sequence}, {"maxtokens", Field::sequence},
    {"sequence", Field::sequence}, {"sequencelength", Field::sequence}, {"sequencelen", Field::sequence}, {"sequences", Field::sequence}, {"seq", Field::sequence}, {"seqlen", Field::sequence},
    {"seqlength", Field::sequence}, {"maxseqlen", Field::sequence}, {"maxlength", Field::sequence}, {"maxmodellen", Field::sequence}, {"sequencesof", Field::sequence},
    {"prompt", Field::input}, {"prompts", Field::input}, {"input", Field::input}, {"inputs", Field::input}, {"promptlength", Field::input}, {"inputlength", Field::input}, {"inputtokens", Field::input},
    {"prompttokens", Field::input}, {"inputlen", Field::input}, {"isl", Field::input}, {"promptsize", Field::input},
    {"output", Field::output}, {"outputs", Field::output}, {"outputlength", Field::output}, {"outputtokens", Field::output}, {"outputlen", Field::output}, {"osl", Field::output}, {"generate", Field::output},
    {"generating", Field::output}, {"response", Field::output}, {"responses", Field::output}, {"answer", Field::output}, {"answers", Field::output}, {"completion", Field::output}, {"completions", Field::output}, {"replies", Field::output}, {"length", Field::sequence}, {"lengthof", Field::sequence}, {"newtokens", Field::output}, {"maxnewtokens", Field::output},
    {"batch", Field::batch}, {"batchsize", Field::batch}, {"bs", Field::batch}, {"bsz", Field::batch}, {"batches", Field::batch}, {"batchesof", Field::batch}, {"globalbatch", Field::batch}, {"globalbatchsize", Field::batch},
    {"microbatch", Field::micro_batch}, {"microbatchsize", Field::micro_batch}, {"mbs", Field::micro_batch}, {"perdevicebatchsize", Field::micro_batch}, {"perdevicetrainbatchsize", Field::micro_batch}, {"pergpubatch", Field::micro_batch}, {"pergpubatchsize", Field::micro_batch},
    {"groupsize", Field::group}, {"groupsizeof", Field::group}, {"groupof", Field::group}, {"numgenerations", Field::group}, {"phase", Field::no_effect},
    {"alpha", Field::no_effect}, {"loraalpha", Field::no_effect}, {"dropout", Field::no_effect}, {"loradropout", Field::no_effect}, {"seed", Field::no_effect}, {"lr", Field::no_effect}, {"learningrate", Field::no_effect}, {"warmup", Field::no_effect},
    {"rank", Field::rank}, {"r", Field::rank}, {"lorarank", Field::rank}, {"lorar", Field::rank}, {"rankof", Field::rank},
    {"concurrency", Field::users}, {"conc", Field::users}, {"users", Field::users}, {"concurrentusers", Field::users}, {"concurrentrequests", Field::users}, {"parallelrequests", Field::users}, {"numparallel", Field::users}, {"maxnumseqs", Field::users}, {"maxnumberseqs", Field::users}, {"maxseqs", Field::users},
    {"epochs", Field::epochs}, {"numepochs", Field::epochs}, {"numtrainepochs", Field::epochs}, {"rps", Field::per_second}, {"qps", Field::per_second},
    {"ttft", Field::ttft}, {"timetofirsttoken", Field::ttft}, {"firsttoken", Field::ttft}, {"firsttokenlatency", Field::ttft}, {"firsttokenin", Field::ttft},
    {"tpot", Field::tpot}, {"itl", Field::tpot}, {"intertokenlatency", Field::tpot}, {"timeperoutputtoken", Field::tpot}, {"timepertoken", Field::tpot}, {"latencypertoken", Field::tpot}, {"tokenlatency", Field::tpot},
    {"latency", Field::latency}, {"responsetime", Field::latency}, {"imagesize", Field::pixels}, {"resolution", Field::pixels}, {"imgsz", Field::pixels},
};

/// After the number: "16 users", "300B tokens", "20 rps".
constexpr Unit units_after[] = {
    {"context", Field::sequence}, {"length", Field::sequence}, {"contexts", Field::sequence}, {"ctxwindow", Field::sequence}, {"windows", Field::sequence}, {"contextlength", Field::sequence}, {"contextwindow", Field::sequence}, {"contextsize", Field::sequence}, {"ctx", Field::sequence}, {"ctxlen", Field::sequence},
    {"tokencontext", Field::sequence}, {"tokenscontext", Field::sequence}, {"tokencontextwindow", Field::sequence}, {"tokensofcontext", Field::sequence}, {"tokencontextlength", Field::sequence}, {"tokenscontextlength", Field::sequence}, {"tokcontext", Field::sequence}, {"tokenctx", Field::sequence},
    {"sequence", Field::sequence}, {"sequences", Field::batch}, {"sequencelength", Field::sequence}, {"seq", Field::sequence}, {"seqlen", Field::sequence}, {"seqlength", Field::sequence}, {"tokensequence", Field::sequence}, {"tokensequences", Field::sequence}, {"tokenssequence", Field::sequence}, {"tokenssequences", Field::sequence}, {"tokensequencelength", Field::sequence}, {"tokenseq", Field::sequence}, {"tokensseq", Field::sequence}, {"tokenseqs", Field::sequence},
    {"tokenseach", Field::sequence}, {"tokenslong", Field::sequence}, {"tokensperexample", Field::sequence}, {"tokenspersample", Field::sequence}, {"tokenspersequence", Field::sequence}, {"tokensper", Field::sequence}, {"tokenexamples", Field::sequence}, {"tokensamples", Field::sequence}, {"tokensperrow", Field::sequence}, {"tokenssequencelength", Field::sequence}, {"tokenseachlong", Field::sequence}, {"tokens/example", Field::sequence}, {"tokens/sample", Field::sequence}, {"tokdocuments", Field::sequence}, {"tokendocuments", Field::sequence},
    {"prompt", Field::input}, {"prompts", Field::input}, {"tokenprompt", Field::input}, {"tokenprompts", Field::input}, {"tokensprompt", Field::input}, {"tokensprompts", Field::input}, {"prompttokens", Field::input}, {"input", Field::input}, {"inputs", Field::input}, {"inputtokens", Field::input}, {"tokeninput", Field::input}, {"tokensinput", Field::input}, {"tokensin", Field::input}, {"tokeninputs", Field::input}, {"in", Field::input}, {"tokensofinput", Field::input}, {"tokensofprompt", Field::input}, {"promptlength", Field::input},
    {"output", Field::output}, {"outputs", Field::output}, {"outputtokens", Field::output}, {"tokenoutput", Field::output}, {"tokensoutput", Field::output}, {"tokenoutputs", Field::output}, {"tokensout", Field::output}, {"out", Field::output}, {"newtokens", Field::output}, {"generatedtokens", Field::output}, {"tokensofoutput", Field::output}, {"tokenresponse", Field::output}, {"tokenresponses", Field::output}, {"tokenanswers", Field::output}, {"tokenanswer", Field::output}, {"tokenreplies", Field::output}, {"completiontokens", Field::output}, {"tokencompletions", Field::output}, {"tokensgenerated", Field::output},
    {"batch", Field::batch}, {"batchsize", Field::batch}, {"bs", Field::batch}, {"rank", Field::rank}, {"lorarank", Field::rank},
    {"users", Field::users}, {"user", Field::users}, {"people", Field::users}, {"ppl", Field::users}, {"peopleatonce", Field::users}, {"pplatonce", Field::users}, {"folks", Field::users}, {"employee", Field::users}, {"persons", Field::users}, {"staff", Field::users}, {"staffmembers", Field::users}, {"teammates", Field::users}, {"pupils", Field::users}, {"kids", Field::users}, {"friends", Field::users}, {"writers", Field::users}, {"editors", Field::users}, {"nurses", Field::users}, {"salespeople", Field::users}, {"consultants", Field::users}, {"scientists", Field::users}, {"utilisateurs", Field::users}, {"nutzer", Field::users}, {"benutzer", Field::users}, {"personnes", Field::users}, {"personas", Field::users}, {"utenti", Field::users}, {"usuarios", Field::users}, {"person", Field::users}, {"headcount", Field::users}, {"players", Field::users}, {"viewers", Field::users}, {"analysts", Field::users}, {"lawyers", Field::users}, {"doctors", Field::users}, {"teachers", Field::users}, {"researchers", Field::users}, {"programmers", Field::users}, {"workers", Field::users}, {"testers", Field::users}, {"interns", Field::users}, {"customers", Field::users}, {"clients", Field::users}, {"employees", Field::users}, {"developers", Field::users}, {"devs", Field::users}, {"students", Field::users}, {"agents", Field::users}, {"sessions", Field::users}, {"streams", Field::users}, {"chats", Field::users}, {"connections", Field::users}, {"engineers", Field::users}, {"colleagues", Field::users}, {"requests", Field::users}, {"request", Field::users}, {"concurrent", Field::users}, {"concurrentusers", Field::users}, {"concurrentuser", Field::users}, {"concurrentrequests", Field::users}, {"concurrentsessions", Field::users}, {"concurrentstreams", Field::users}, {"concurrentchats", Field::users}, {"concurrentclients", Field::users}, {"concurrentpeople", Field::users}, {"concurrentconnections", Field::users}, {"concurrentcustomers", Field::users}, {"concurrentagents", Field::users}, {"concurrentdevelopers", Field::users},
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
    {"epochs", Field::epochs}, {"epoch", Field::epochs}, {"passes", Field::epochs}, {"epochen", Field::epochs}, {"epoques", Field::epochs}, {"epocas", Field::epochs}, {"eps", Field::epochs},
    {"gb", Field::memory}, {"gib", Field::memory}, {"gig", Field::memory}, {"gigs", Field::memory}, {"g", Field::memory}, {"gigabytes", Field::memory}, {"gbvram", Field::memory}, {"gbofvram", Field::memory}, {"gbcard", Field::memory}, {"gbcards", Field::memory}, {"gbgpu", Field::memory}, {"gbgpus", Field::memory}, {"gbgpumemory", Field::memory}, {"gbmemory", Field::memory}, {"gbofmemory", Field::memory}, {"gbofgpumemory", Field::memory}, {"gbunifiedmemory", Field::memory}, {"gbunified", Field::memory}, {"gigsofvram", Field::memory}, {"vram", Field::none},
    {"tbram", Field::host_terabytes}, {"tbofram", Field::host_terabytes}, {"tbsystemram", Field::host_terabytes}, {"tbddr5", Field::host_terabytes}, {"tbddr4", Field::host_terabytes}, {"terabyteofram", Field::host_terabytes},
    {"gbram", Field::host_memory}, {"gbofram", Field::host_memory}, {"gbsystemram", Field::host_memory}, {"gbddr5", Field::host_memory}, {"gbddr4", Field::host_memory}, {"gbsystemmemory", Field::host_memory}, {"gbofsystemram", Field::host_memory}, {"gbcpuram", Field::host_memory}, {"gigsofram", Field::host_memory}, {"gbhostmemory", Field::host_memory}, {"gbhostram", Field::host_memory}, {"gbofddr5", Field::host_memory},
    {"ram", Field::host_memory}, {"gigabytesofram", Field::host_memory}, {"gigsram", Field::host_memory}, {"gram", Field::host_memory}, {"gofram", Field::host_memory}, {"gbecc", Field::host_memory}, {"gbdram", Field::host_memory}, {"gbddr5ram", Field::host_memory}, {"gbddr4ram", Field::host_memory}, {"gbofddr4", Field::host_memory}, {"gbmainmemory", Field::host_memory},
    {"bpw", Field::weight_bits}, {"bitsperweight", Field::weight_bits}, {"bits/weight", Field::weight_bits}, {"bitperweight", Field::weight_bits}, {"bits", Field::weight_bits}, {"bit", Field::weight_bits}, {"bitquant", Field::weight_bits}, {"bitquantization", Field::weight_bits},
    {"imagespersecond", Field::per_second}, {"images/s", Field::per_second}, {"images/sec", Field::per_second}, {"imagesasecond", Field::per_second}, {"img/s", Field::per_second}, {"framespersecond", Field::per_second}, {"fps", Field::per_second}, {"frames/s", Field::per_second}, {"inferencespersecond", Field::per_second}, {"predictionspersecond", Field::per_second}, {"samplespersecond", Field::per_second}, {"samples/s", Field::per_second}, {"transcriptionspersecond", Field::per_second},
    {"imagesperminute", Field::per_minute}, {"images/min", Field::per_minute}, {"imagesaminute", Field::per_minute}, {"images/minute", Field::per_minute}, {"picturesperminute", Field::per_minute},
    {"imagesperhour", Field::per_hour}, {"images/hour", Field::per_hour}, {"images/h", Field::per_hour}, {"imagesanhour", Field::per_hour}, {"imagesperday", Field::per_day}, {"imagesaday", Field::per_day}, {"images/day", Field::per_day},
    {"steps", Field::steps}, {"step", Field::none}, {"trainingsteps", Field::steps}, {"optimizersteps", Field::steps}, {"iterations", Field::steps}, {"iters", Field::steps}, {"gradientsteps", Field::steps},
    {"embeddings", Field::samples}, {"rollouts", Field::samples}, {"captions", Field::samples}, {"videos", Field::samples}, {"tweets", Field::samples}, {"chunks", Field::samples}, {"passages", Field::samples}, {"paragraphs", Field::samples}, {"pics", Field::samples}, {"descriptions", Field::samples}, {"exemples", Field::samples}, {"ejemplos", Field::samples}, {"beispiele", Field::samples}, {"beispielen", Field::samples}, {"exempel", Field::samples}, {"esempi", Field::samples}, {"posts", Field::samples}, {"comments", Field::samples}, {"reports", Field::samples}, {"contracts", Field::samples}, {"invoices", Field::samples}, {"pdfs", Field::samples}, {"abstracts", Field::samples}, {"datapairs", Field::samples}, {"demonstrations", Field::samples}, {"problems", Field::samples}, {"dialogs", Field::samples}, {"reviews", Field::samples}, {"messages", Field::samples}, {"files", Field::samples}, {"snippets", Field::samples}, {"papers", Field::samples}, {"pages", Field::samples}, {"questions", Field::samples}, {"chatlogs", Field::samples}, {"transcripts", Field::samples}, {"trainingpairs", Field::samples}, {"qas", Field::samples}, {"stories", Field::samples}, {"products", Field::samples},
    {"users/day", Field::users_a_day}, {"usersperday", Field::users_a_day}, {"usersaday", Field::users_a_day}, {"dailyusers", Field::users_a_day}, {"dailyactiveusers", Field::users_a_day}, {"dau", Field::users_a_day}, {"usersdaily", Field::users_a_day},
    {"tokensperparameter", Field::tokens_per_parameter}, {"tokensperparam", Field::tokens_per_parameter}, {"tokens/param", Field::tokens_per_parameter}, {"tokens/parameter", Field::tokens_per_parameter}, {"tokenseachparameter", Field::tokens_per_parameter}, {"tokensforeachparameter", Field::tokens_per_parameter}, {"tokperparam", Field::tokens_per_parameter},
    {"callcenterlines", Field::users}, {"callcentrelines", Field::users}, {"centerlines", Field::users}, {"supportlines", Field::users}, {"phonelines", Field::users}, {"phonecalls", Field::users}, {"phoneline", Field::users}, {"tenants", Field::users}, {"callsatonce", Field::users},
    {"seqs", Field::batch}, {"ep", Field::epochs},
    {"sentence", Field::samples}, {"image", Field::samples}, {"picture", Field::samples}, {"photo", Field::samples}, {"document", Field::samples}, {"article", Field::samples}, {"utterance", Field::samples}, {"conversation", Field::samples}, {"recording", Field::samples}, {"trainingimage", Field::samples},
    {"rolloutsperprompt", Field::group}, {"rolloutseach", Field::group}, {"generationsperprompt", Field::group}, {"completionsperprompt", Field::group}, {"samplesperprompt", Field::group}, {"answersperprompt", Field::group}, {"responsesperprompt", Field::group}, {"rolloutsaprompt", Field::group}, {"generationsaprompt", Field::group}, {"answersaprompt", Field::group}, {"rolloutsperquestion", Field::group}, {"answersperquestion", Field::group}, {"rollouts/prompt", Field::group}, {"generations/prompt", Field::group}, {"completions/prompt", Field::group},
    {"tokencompletion", Field::output}, {"tokencompletions", Field::output}, {"tokenanswers", Field::output}, {"tokenanswer", Field::output}, {"tokenresponses", Field::output}, {"tokenresponse", Field::output}, {"tokoutput", Field::output},
    {"imgs/s", Field::per_second}, {"imgs/sec", Field::per_second}, {"img/sec", Field::per_second},
    {"watt", Field::watts}, {"watts", Field::watts}, {"wtdp", Field::watts},
    {"kw", Field::kilowatts}, {"kilowatts", Field::kilowatts}, {"kilowatt", Field::kilowatts}, {"kwrack", Field::kilowatts}, {"px", Field::pixels}, {"res", Field::pixels}, {"resolution", Field::pixels},
    {"%utilization", Field::percent}, {"%utilisation", Field::percent}, {"%util", Field::percent}, {"%usage", Field::percent}, {"%load", Field::percent}, {"%occupancy", Field::percent},
    {"pixels", Field::pixels}, {"%", Field::percent}, {"percent", Field::percent},
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
            sentence.word(i) == "in" && !near_words(sentence, i, i + 5, "out output");
        if (field != Field::none && !in) {
            best = {field, n + 1};
        }
    }
    return best;
}

}  // namespace

bool near_words(const Sentence& sentence,
                std::size_t from,
                std::size_t to,
                std::string_view words) {
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

std::size_t clause_start(const Sentence& sentence, std::size_t at, std::size_t most) {
    std::size_t i = at;
    while (i > 0 && at - i < most && sentence.tokens[i].gap != Gap::stop) {
        --i;
    }
    return i;
}

Match name_before_number(const Sentence& sentence, std::size_t at) {
    return longest(sentence, names_before, at, "", true);
}

bool follows_numbers(const Sentence& sentence, std::size_t at) {
    return longest(sentence, units_after, at, "", true).field != Field::none;
}

bool names_number(std::string_view word) {
    return field_of(names_before, word) != Field::none;
}

Match unit_after_number(const Sentence& sentence, std::size_t at, std::string_view glued) {
    return longest(sentence, units_after, at, std::string(glued), false);
}

}  // namespace ridgeline::reading
