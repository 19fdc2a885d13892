#include "advise/reading/numbers/units.h"

#include <algorithm>
#include <string>

// The words beside a number that say what it counts, on either side of it.

namespace ridgeline::reading {
namespace {

/// A field and the phrases beside a number that fill it, each with its words joined.
struct Units {
    Field field;
    std::string_view phrases;
};

// clang-format off
/// Before the number: "batch size of 16". The longest phrase counts.
constexpr Units names_before[] = {
    {Field::sequence,
     "context contextlength contextwindow contextsize contextof ctx ctxlen ctxlength maxctx numctx len maxlen maxtoken "
     "sequence sequencelength sequencelen sequences seq seqlen seqlength maxseqlen maxlength maxmodellen sequencesof length "
     "lengthof"},
    {Field::input,
     "prompt prompts input inputs promptlength inputlength inputtoken prompttoken inputlen isl promptsize"},
    {Field::output,
     "horizon predictionlength output outputs outputlength outputtoken outputlen osl generate generating response responses "
     "answer answers completion completions reply replies replyof repliesof newtoken maxnewtoken"},
    {Field::batch,
     "batch batchsize bs bsz batches batchesof globalbatch globalbatchsize"},
    {Field::micro_batch,
     "micro microbatch microbatchsize mbs perdevicebatchsize perdevicetrainbatchsize pergpubatch pergpubatchsize"},
    {Field::group,
     "groupsize groupsizeof groupof numgenerations numbergenerations"},
    {Field::no_effect,
     "phase alpha loraalpha dropout loradropout seed lr learningrate warmup"},
    {Field::rank,
     "rank r lorarank lorar rankof"},
    {Field::users,
     "concurrency conc users concurrentusers concurrentrequests parallelrequests numparallel maxnumseqs maxnumberseqs "
     "maxseqs"},
    {Field::epochs,
     "epochs numepochs numtrainepochs"},
    {Field::per_second,
     "rps qps"},
    {Field::ttft,
     "ttft timetofirsttoken firsttoken firsttokenlatency firsttokenin"},
    {Field::tpot,
     "tpot itl intertokenlatency timeperoutputtoken timepertoken latencypertoken tokenlatency"},
    {Field::latency,
     "latency responsetime"},
    {Field::thousand_samples, "kimg kimgs"},
    {Field::pixels,
     "imagesize resolution imgsz"},
};

/// After the number: "16 users", "300B tokens", "20 rps".
constexpr Units units_after[] = {
    {Field::sequence,
     "context length len maxlen contexts ctxwindow windows contextlength contextwindow contextsize ctx ctxlen tokencontext "
     "tokencontextwindow ofcontext ofctx tokenofcontext tokenofctx tokenofcache tokenofkv tokenofkvcache tokenkv tokencontextlength tokenctx "
     "sequence sequencelength seq seqlen seqlength tokensequence tokensequences tokensequencelength tokenseq tokenseqs "
     "tokeneach tokenlong tokenperexample tokenpersample tokenpersequence tokenper tokenexamples tokensamples tokenperrow "
     "tokeneachlong token/example token/sample tokendocuments"},
    {Field::batch,
     "sequences batch batchsize bs seqs"},
    {Field::input,
     "prompt prompts tokenprompt tokenprompts prompttoken input inputs inputtoken tokeninput tokenin tokeninputs in "
     "tokenofinput tokenofprompt promptlength"},
    {Field::output,
     "output outputs outputtoken tokenoutput tokenoutputs tokenout out newtoken generatedtoken tokenofoutput tokenresponse "
     "tokenresponses tokenanswers tokenanswer tokenreplies tokenreply completiontoken tokencompletions tokengenerated "
     "tokencompletion completion generated"},
    {Field::rank,
     "rank lorarank"},
    {Field::users,
     "users user people ppl peopleatonce pplatonce folks employee persons staff staffmembers teammates pupils kids friends ofus "
     "writers editors nurses salespeople consultants scientists utilisateurs nutzer nutzern benutzer benutzern anwender "
     "anwendern personnes personas utenti usuarios leute personen persone pessoas person slots parallelslots concurrentslots "
     "decodeslots headcount players viewers analysts lawyers doctors teachers researchers programmers workers testers "
     "interns customers clients employees developers devs students agents sessions stream streams chats connections "
     "engineers colleagues coworkers requests request concurrent concurrentusers concurrentuser concurrentrequests concurrentsessions "
     "concurrentstreams concurrentchats concurrentclients concurrentpeople concurrentconnections concurrentcustomers "
     "concurrentagents concurrentdevelopers simultaneous simultaneoususers simultaneousrequests parallelrequests "
     "parallelusers parallel paralleluser parallelstreams parallelsessions simultaneouschats concurrency activeusers "
     "teammembers usersatonce usersatatime requestsatonce requestsatatime requestsinflight requestsinparallel coders seats "
     "conc members callers onlineusers callcenterlines callcentrelines centerlines supportlines phonelines phonecalls "
     "phoneline artists designers tenants callsatonce accounts subscribers visitors"},
    {Field::per_second,
     "requestspersecond requestpersecond requests/s req/s reqs/s rps qps requestsasecond requestspersec queriespersecond "
     "reqpersecond reqpersec callspersecond queries/s requesteverysecond requestseachsecond promptspersecond imagespersecond "
     "images/s imagesasecond img/s framespersecond fps frames/s inferencespersecond predictionspersecond samplespersecond "
     "samples/s stepspersecond steps/s stepsasecond stepspersec transcriptionspersecond imgs/s sequences/s seqs/s examples/s"},
    {Field::per_minute,
     "requestsperminute requests/min requests/minute rpm req/min requestsaminute queriesperminute callsperminute "
     "imagesperminute images/min imagesaminute images/minute picturesperminute"},
    {Field::per_hour,
     "requestsperhour requests/hour requests/h requestsanhour queriesperhour imagesperhour images/hour images/h imagesanhour"},
    {Field::per_day,
     "requestsperday requests/day requestsaday queriesperday requestsdaily callsperday dailyrequests queriesaday "
     "promptsperday imagesperday imagesaday images/day"},
    {Field::tokens,
     "token trainingtoken tokenoftext tokenofdata tokendataset tokencorpus tokenrun"},
    {Field::tokens_per_second,
     "tokenpersecond token/s t/s tps tokenpersec tokenasecond outputtokenpersecond outputtoken/s outputt/s outputtps "
     "outputtokenpersec outputtokenasecond generatedtokenpersecond generatedtoken/s totaltokenpersecond totaltoken/s "
     "aggregatetoken/s aggregatetokenpersecond"},
    {Field::samples,
     "samples sample examples ex exs rows row clips images pictures photos pairs conversations dialogues dialogs documents "
     "docs records instructions utterances sentences articles datapoints entries items instructionpairs trainingexamples "
     "trainingsamples examplesdataset lines tickets emails qapairs preferencepairs recordings trainingimages exampledataset "
     "sampledataset embeddings rollouts captions videos tweets chunks passages paragraphs pics descriptions exemples "
     "ejemplos beispiele beispielen exempel esempi posts comments reports contracts invoices pdfs abstracts datapairs "
     "demonstrations problems reviews messages files snippets papers pages questions chatlogs transcripts trainingpairs qas "
     "stories products sentence image picture photo document article utterance conversation recording trainingimage "
     "molecules compounds proteins series timeseries"},
    {Field::thousand_samples, "kimg kimgs"},
    {Field::epochs,
     "epochs epoch passes epochen epoques epocas eps ep"},
    {Field::memory,
     "gb gib gig gigs g gigabytes gbvram gbofvram gbcard gbcards gbgpu gbgpus gbgpumemory gbmemory gbofmemory gbofgpumemory "
     "gigsofvram"},
    {Field::host_terabytes,
     "tbram tbofram tbsystemram tbddr5 tbddr4 terabyteofram"},
    {Field::host_memory,
     "gbram gbofram gbsystemram gbddr5 gbddr4 gbsystemmemory gbofsystemram gbcpuram gigsofram gbhostmemory gbhostram "
     "gbofddr5 ram gigabytesofram gigsram gram gofram gbecc gbdram gbddr5ram gbddr4ram gbofddr4 gbmainmemory"},
    {Field::weight_bits,
     "bpw bitsperweight bits/weight bitperweight bits bit bitquant bitquantization"},
    {Field::steps,
     "steps trainingsteps optimizersteps iterations iters gradientsteps"},
    {Field::users_a_day,
     "users/day usersperday usersaday dailyusers dailyactiveusers dau usersdaily"},
    {Field::tokens_per_parameter,
     "tokenperparameter tokenperparam token/param token/parameter tokeneachparameter tokenforeachparameter"},
    {Field::group,
     "rolloutsperprompt rolloutseach generationsperprompt completionsperprompt samplesperprompt answersperprompt "
     "responsesperprompt rolloutsaprompt generationsaprompt answersaprompt rolloutsperquestion answersperquestion "
     "rollouts/prompt generations/prompt completions/prompt"},
    {Field::watts,
     "watt watts wtdp"},
    {Field::kilowatts,
     "kw kilowatts kilowatt kwrack"},
    {Field::pixels,
     "px res resolution pixels"},
    {Field::percent,
     "%utilization %utilisation %util %usage %load %occupancy % percent"},
};
// clang-format on

/// "tokens", "toks" and "tok" are one word of a phrase.
std::string_view spelt(std::string_view word) {
    return is_any(word, "toks tok")   ? "token"
           : word.ends_with("tokens") ? word.substr(0, word.size() - 1)
                                      : word;
}

template <std::size_t N>
Field field_of(const Units (&table)[N], std::string_view key) {
    for (const Units& units : table) {
        if (is_any(key, units.phrases)) {
            return units.field;
        }
    }
    return Field::none;
}

/// The longest phrase of the table that stands from token `at` on, after what is glued to a number.
template <std::size_t N>
Match longest(const Sentence& sentence, const Units (&table)[N], std::size_t at, std::string key,
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
        const bool slash = sentence.tokens[i].gap == Gap::slash && !(n == 0 && first_free);
        key += slash ? "/" : "";
        key +=
            slash && is_any(sentence.word(i), "sec second seconds") ? "s" : spelt(sentence.word(i));
        const Field field = field_of(table, key);
        // "512 tokens in, 128 out" has both, whatever sign parts them; "tokens in 30 days" is no
        // prompt.
        bool in = sentence.word(i) == "in";
        for (std::size_t k = i + 1; in && k < i + 5; ++k) {
            in = !is_any(sentence.word(k), "out output");
        }
        if (field != Field::none && !in) {
            best = {field, n + 1};
        }
    }
    return best;
}

}  // namespace

bool near_words(const Sentence& sentence, std::size_t from, std::size_t to,
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

Field field_named_before(std::string_view joined) { return field_of(names_before, spelt(joined)); }

Field field_named_after(std::string_view joined) { return field_of(units_after, spelt(joined)); }

bool names_number(std::string_view word) { return field_of(names_before, word) != Field::none; }

Match unit_after_number(const Sentence& sentence, std::size_t at, std::string_view glued) {
    // "200 millions de tokens", "200 milioni di token"
    const bool linked = glued.empty() && at > 0 && sentence.follows(at) &&
                        is_any(sentence.word(at), "de di") &&
                        scale_of_word(sentence.word(at - 1)) >= 1e6;
    if (linked) {
        Match match = longest(sentence, units_after, at + 1, "", false);
        match.length += match.field == Field::none ? 0 : 1;
        return match;
    }
    return longest(sentence, units_after, at, std::string(spelt(glued)), false);
}

}  // namespace ridgeline::reading
