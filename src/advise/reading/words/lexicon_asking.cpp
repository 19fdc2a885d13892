#include "advise/reading/words/lexicon.h"

// Phrases that tell the intents apart, and figures that are asked about.

namespace ridgeline::reading {

// clang-format off
std::span<const Meaning> asking_phrases() {
    static constexpr Meaning meanings[] = {
        {Means::ask, "hardware",
         "que gpu|que gpus|cual gpu|que tarjeta|que grafica|quel gpu|quelle gpu|quelle carte|quelle carte graphique|welche gpu|welche gpus|"
         "welche karte|welche grafikkarte|welke gpu|welke kaart|welke videokaart|welke grafische kaart|qual gpu|que placa|qual placa|qual placa de video|"
         "quale gpu|quale scheda|quale scheda video|cuantas gpus|combien de gpu|combien de gpus|wie viele gpus|wieviele gpus|hoeveel gpus|"
         "quantas gpus|quante gpu|welke hardware|welche hardware|"
         "what gpu|which gpu|what gpus|which gpus|what card|which card|what cards|which cards|what hardware|which hardware|"
         "how big a machine|how big of a machine|how large a machine|how large of a machine|how big a server|"
         "how big of a server|how large a server|how large of a server|how big a gpu|how big of a gpu|how large a gpu|"
         "how large of a gpu|how big a card|how big of a card|how large a card|how large of a card|how big a computer|"
         "how big of a computer|how large a computer|how large of a computer|how big a pc|how big of a pc|how large a pc|"
         "how large of a pc|how big a workstation|how big of a workstation|how large a workstation|"
         "how large of a workstation|how big a rig|how big of a rig|how large a rig|how large of a rig|how big a box|"
         "how big of a box|how large a box|how large of a box|how big must the machine|how big should the machine|"
         "how large must the machine|how large should the machine|how big must the server|how big should the server|"
         "how large must the server|how large should the server|how big must the gpu|how big should the gpu|"
         "how large must the gpu|how large should the gpu|how big must the card|how big should the card|"
         "how large must the card|how large should the card|"
         "what accelerator|which accelerator|best gpu|best gpus|best card|best hardware|best accelerator|best cards|good gpu|which ones|"
         "gpus needed|gpu needed|hardware needed|hardware requirements|gpu requirements|how many gpus|how many cards|"
         "how many accelerators|number of gpus|what do i need|what do we need|what would i need|what would we need|what will i need|"
         "what is needed|whats needed|what to rent|what to buy|what do i buy|what should i buy|what should we buy|what should i rent|what do i rent|what do we rent|"
         "what should we rent|what should i get|what should i look for|what should i use|what instance|which instance|what machine|"
         "which machine|what server|what setup|what cluster|what rig|what workstation|recommend|recommended|recommendation|"
         "recommendations|suggest|suggestion|suggestions|advise|advice|cheapest way|best way|fastest way|most efficient way|"
         "cheapest option|cheapest gpu|cheapest hardware|cheapest setup|cheapest card|smallest gpu|minimum gpu|smallest card|smallest box|"
         "smallest server|smallest machine|smallest setup|smallest rig|smallest hardware|smallest node|smallest computer|minimum hardware|min gpu|min gpus|minimum gpus|least gpus|no of gpus|fewest gpus|most energy efficient way|what do we buy|"
         "what vm|which vm|what instance type|which instance type|what box|what build|what computer|which computer|what pc|which server|"
         "which setup|which machines|what kind of gpu|which kind of gpu|what type of gpu|what kind of hardware|what would you recommend|"
         "what would you buy|what would you get|what should i choose|what should we use|what should we get|whats the best gpu|"
         "gpu recommendation|gpu recommendations|hardware recommendation|hardware recommendations|how many nodes|how many servers|"
         "how many machines|how many instances|shopping list|build list|sizing|size a cluster|cheapest cloud setup|cheapest cloud gpu|"
         "cheapest cloud instance|cheapest cloud option|cheapest cloud choice|cheapest cloud machine|cheapest cloud node|smallest accelerator|smallest graphics card"},
        {Means::ask, "which",
         "which one|which is better|which better|what is better|what better|whats better|which faster|which is best|which to choose|"
         "which to pick|which is faster|which is cheaper|which one is better|which one is faster|better choice|difference in|"
         "trade off between|pros and cons|which one is best|which is the best|which is the better|which would be better|"
         "which would be best|which of these|which of the two|which of them|which wins|who wins|better option|better pick|better buy|"
         "which should i get|which should i buy|which should i choose|which should i pick|which would you choose|which would you pick|"
         "which is quicker"},
        {Means::ask, "weak_hardware",
         "upgrade to|upgrade path|next step|what next|what now|successor|gpu for|do i need"},
        {Means::ask, "price",
         "cheapest way to rent|price|prices|pricing|priced|msrp|list price|used price|street price|purchase price|whats the price|"
         "hourly rate|hourly cost|hourly price|rental price|rental cost|cheapest cloud|cheapest provider|who offers|who has|who sells|"
         "who rents|cheapest place|cheapest place to rent|where to rent|where can i rent|where to buy|where can i get|going rate|"
         "monthly cost|monthly price|precio|preis|prix|prijs|preco|prezzo|price per hour|cost per hour|price per month|cost per month|price per gpu hour|"
         "how expensive|price range|going price|current price|todays price|market price|retail price|on demand rate|hourly rates|"
         "rental rate|rental rates|hire cost|cost to rent|price to rent|rent price|per hour price|per hour cost|cost of renting|"
         "price of renting|cheapest offer|best offer|cheapest listing|quotes|quote|run me|set me back|set us back|run us|buy price|"
         "buying price"},
        {Means::ask, "fit",
         "can|will|could|work|works|ok|okay|able to|puedo|kann|kan ik|kan|posso|puis je|load"},
        {Means::ask, "weak_fit",
         "would|does|is"},
        {Means::ask, "strong_fit",
         "enough|sufficient|suffice|fit|fits|fitting|possible|feasible|doable|handle|oom|ooms|out of memory|squeeze|too big|too small|"
         "too much|too little|run out|capable|viable|realistic|get away with|reicht|genug|ausreichend|passt|cabe|caben|tient|cut it|choke|suffices|cram|should be fine|crash|overkill|"
         "manage|cope|hold|holds|adequate|swallow"},
        {Means::ask, "memory",
         "vram|gpu memory|gpu ram|video memory|memory|graphics memory|footprint|mem|gpu mem|memoria|memoire|speicher|in memory|occupy|"
         "occupies|take up|takes up|video ram|grafikspeicher|videospeicher|grafikkartenspeicher|videogeheugen|memoire video|memoria de video|memoria video|memoria grafica|"
         "memoria da gpu|pamieci"},
        {Means::ask, "strong_memory",
         "memory footprint|memory usage|memory use|vram usage|vram requirements|vram requirement|memory requirements|memory requirement|"
         "memory needed|memory need|vram needed|vram need|how much vram|cuanta vram|cuanta memoria|combien de vram|combien de memoire|wie viel vram|wieviel vram|wie viel speicher|hoeveel vram|hoeveel geheugen|quanta vram|quanta memoria|how much memory|how much gpu memory|how much gpu ram|how much ram|"
         "how many gb|how many gigs|how many gigabytes|how much video memory|amount of vram|minimum vram|min vram|vram for|memory for|"
         "memory consumption|memory does|peak memory|speicherbedarf|vram bedarf|ram required|ram needed|ram usage|ram requirement|ram requirements|"
         "ram use|how much system ram|how much host memory|how much cpu memory|optimizer state size|optimizer state memory|"
         "optimizer memory|gradient memory|activation memory|weight memory|memory of the weights|size of the weights|weights size|"
         "weight size|how large are the weights|how big are the weights|how big is the file|file size|download size|size on disk|"
         "memory breakdown|memory per gpu|memory per card|vram per gpu|vram per card|per gpu memory|per gpu vram|per card memory|"
         "memory cost|memory budget|memory estimate|estimate memory|estimate vram|memory calculator|vram calculator|vram estimate|"
         "vram consumption|vram use|vram is needed|memory is needed|memory required|memory to hold|gpu memory to hold|vram to hold|"
         "ram to hold|memory to fit|gpu memory to fit|vram to fit|memory to store|gpu memory to store|vram to store|vram required|"
         "required vram|required memory|needed vram|needed memory|how many gib|gpu memory usage|gpu memory needed|gpu memory required|"
         "memory savings|memory saved|breakdown|activation footprint|in gb|in gib|in gigabytes|how much does it take in memory|"
         "take in memory|minimum gpu memory|gigs needed|gb needed|gib needed|gigabytes needed|gb required|gigs required|size on gpu|"
         "size in vram|space on gpu|min gpu memory|minimum memory|min memory|least vram|how little vram|how much video ram|"
         "how much graphics memory"},
        {Means::ask, "kv_cache",
         "kv cache size|size of the kv cache|how big is the kv cache|how large is the kv cache|kv cache memory|kv cache|kv footprint|"
         "kv size|kv memory|kv usage|per extra user|cache per user|kv per user|cache of a user|per additional user|each extra user|"
         "bytes per token|cache size per token|kv cache size per token|kv size per token|cache per token|kv cache per token|kv per token"},
        {Means::ask, "size_of",
         "how big|how large|how big is|how large is|how big are|how large are|how big would|how large would|size of|weights of|weight size of|"
         "size of the weights"},
        {Means::ask, "ram",
         "ram"},
        {Means::ask, "largest_model",
         "welche modelle|welches modell|welche llms|welches llm|quel modele|quels modeles|que modelos|quali modelli|plus grand modele|plus gros modele|modelo mas grande|modelo mais grande|maior modelo|modello piu grande|groste modell|"
         "grostes modell|groste llm|grosste modell|grosstes modell|grootste model|"
         "biggest model|largest model|biggest models|largest models|biggest llm|largest llm|best model|best models|best llm|"
         "max model size|maximum model size|max model|how big a model|how large a model|how big of a model|how large of a model|"
         "what size model|what model size|which model size|what size of model|what models|which models|what model|which model|what llm|"
         "what llms|which llm|which llms|biggest thing|how many parameters can|up to what size|largest parameter count|"
         "biggest parameter count|how large can the model be|how big can the model be|how big can i go|how large can i go|max parameters|"
         "maximum parameters|what parameter count|largest size|greatest size|greatest model|biggest size|how many billion parameters|"
         "how many parameters could|what is the biggest llm|biggest llms|largest network|biggest network|smartest model|"
         "most capable model|most powerful model|most powerful llm|strongest model|which sizes"},
        {Means::ask, "what_can",
         "welke modellen|welk model|que modelo|quais modelos|qual modelo|was lauft|was laeuft|was kann|que puedo|que peut|what can|what could|whats the most|what is the most|the most i can|biggest i can|largest i can|what would fit|what fits|"
         "what will fit"},
        {Means::ask, "superlative",
         "biggest|largest|maximum|longest|max|highest|what is the biggest"},
        {Means::ask, "what_can_do",
         "what could be pretrained|what could be trained|what can be pretrained|what can be trained|good for what|what is that good for|"
         "what are those good for|what could it do|what could they do|what can i do|what can we do|best i can do|best can i do|"
         "best we can do|what could i do|what could we do|what can one do|what can you do|what could one do|what might i do|"
         "what can be done|do anything|anything useful|how far does|how far will|how far would|how far can i get|what is possible|"
         "whats possible|what am i able to do|what are my options|doable with|whats doable|what is doable|achievable with|possible with|"
         "what could i use|what can i use|what could we use|what can we use|use them for|what are they good for|what is it good for|"
         "good for anything|what to do with|put them to use|fun to try|worth trying|what to try|what should i try|what can i try|anything fun|"
         "what to play with|what would you do with"},
        {Means::ask, "largest_sequence",
         "how much more context|double my context|double the context|longest context|max model len|max model length|max seq len|max sequence len|num ctx|max context|context length max|context max|context window max|ctx max|context maximum|context length maximum|"
         "maximum context|largest context|biggest context|longest sequence|max sequence|maximum sequence|max seq|max ctx|context limit|"
         "ceiling on context|context ceiling|limit of context|limit on context|context size limit|most context|how much context|"
         "how long a context|how long of a context|what context|how many tokens of context|how large a context|what context length|"
         "how big a context|maximum sequence length|max sequence length|what sequence length|longest prompt|max prompt|longest seq|"
         "max tokens|how long a sequence|longest ctx|largest ctx|biggest ctx|maximum ctx|how much ctx|what ctx|context can i get|"
         "context can i use|how far can i push the context|how long can the context be|how long can my context be|"
         "how large can the context be|how long can sequences be|how long can my sequences be|maximum context length|max context length|"
         "max context window|maximum context window|largest context window|longest context window"},
        {Means::ask, "largest_users",
         "how many users|largest batch of users|largest batch of requests|biggest batch of requests|largest number of users|largest number of requests|most users|most requests|max number seqs|max number sequences|max seqs|how many concurrent|how many concurrent users|how many simultaneous|how many parallel|how many people|"
         "how many requests|how many rps|how many qps|how many requests per second|how many req/s|max rps|max qps|how many tenants|"
         "max concurrency|maximum concurrency|max users|max concurrent|how many clients|how many streams|how many cameras|how many feeds|"
         "how many video streams|how many camera streams|how many channels|how many cams|how many sessions|how many chats|"
         "what concurrency|number of users|how many customers|how many developers|how much concurrency|highest concurrency|"
         "how many students|how many employees|most concurrent|how many seats|how many agents|how many devs|how many coders|"
         "how many calls|how many queries|how many engineers|how many colleagues|how many simultaneous users|how many parallel users|"
         "how many parallel requests|how many concurrent requests|user capacity|how much traffic|max number of users|"
         "max number of parallel users|max number of concurrent users|maximum number of users|maximum number of concurrent users|"
         "max parallel users|maximum users|max simultaneous users|max number of requests|maximum number of requests"},
        {Means::ask, "largest_batch",
         "max batch|max batch size|maximum batch|maximum batch size|largest batch|largest batch size|biggest batch|biggest batch size|"
         "what batch size|which batch size|what batch can|what batch fits|what batch for|which batch fits|how big a batch|how large a batch|how large can my batch be|how large can the batch be|"
         "how large can the batch size be|how big can my batch be|how big can the batch be|how big can my batch size be|"
         "how high can i set the batch|how many sequences per batch|largest micro batch|max micro batch"},
        {Means::ask, "largest_rank",
         "max rank|largest rank|highest rank|what rank|maximum rank|max lora rank|maximum lora rank|largest lora rank|highest lora rank|"
         "biggest lora rank"},
        {Means::ask, "duration",
         "how long|how long does|how long will|how many seconds|eta|how many hours|how many days|how many weeks|how many months|how many minutes|"
         "how many gpu hours|gpu hours|how many gpu days|gpu days|gpu day|training time|pretraining time|time to train|time to fine tune|time to pretrain|how much time|duration|when will|"
         "how quickly|time needed|time required|wall clock|walltime|wie lange|cuanto tiempo|cuanto tarda|combien de temps|hoe lang|hoelang|quanto tempo|total time|gpu hrs|"
         "accelerator hours|card hours|h/epoch|time per epoch|seconds per epoch|minutes per epoch|epoch time|per epoch time|hours per epoch|how much longer|"
         "how fast can i train|how fast could i train|time for|time it takes|run time|training duration|time to finish|time to completion|"
         "how many hrs|machine hours|node hours|wall clock time|compute time|length of the run|time to|minutes to|hours to|days to|weeks to|months to|hours for|days for|weeks for"},
        {Means::ask, "take",
         "take|takes"},
        {Means::ask, "days",
         "days"},
        {Means::ask, "cost",
         "cost|costs|how much does it cost|how much would it cost|expensive|how much money|total cost|cost of training|training cost|"
         "price tag|pay|charge|electricity costs|electricity cost|energy cost|power cost|how expensive is|how expensive are|"
         "what does it cost to rent|bill|the bill|invoice|invoices|the invoice|bill for|what would it cost|what will it cost|what does it cost|how much will it cost|"
         "how much does that cost|cuanto cuesta|cuanto custa|quanto custa|quanto costa|was kostet|wie viel kostet|wieviel kostet|"
         "wie teuer|wie teuer ist|wie teuer wird|combien coute|combien couterait|wat kost|hoeveel kost"},
        {Means::ask, "how_much",
         "how much"},
        {Means::ask, "price_of",
         "do i pay|would i pay|will i pay|do we pay|how much is|how much are|going for"},
        {Means::ask, "rent",
         "rental|rent|renting|rents|to rent|hire|keep paying|keep renting|lease|leasing|miete|mieten|louer|alquilar|huren|alugar|noleggiare|reserve|reserving|reserve them"},
        {Means::ask, "rented",
         "rented|gemietet|gemietete|gemieteten|angemietet|louees|louee|alquilado|alquilada|alquilados|alugado|alugada|noleggiato|noleggiata"},
        {Means::ask, "cloud",
         "cloud|clouds|the cloud"},
        {Means::ask, "per_hour",
         "per hour|per hr|an hr|an hour|hourly|per month|a month|monthly|per day|/hr|/h|/hour|per gpu hour|por hora|pro stunde|die stunde|par heure|de l heure|l heure|all ora|por mes|pro monat|par mois"},
        {Means::ask, "worth",
         "worth|worth it"},
        {Means::ask, "throughput",
         "iteration time|time per iteration|tokens/s/gpu|tok/s/gpu|tokens/sec/gpu|tokens per second per gpu|tokens/s per gpu|"
         "tok/s per gpu|tokens/s/card|tokens per gpu|throughput per gpu|queries per second|image per second|images/hr|videos per hour|"
         "videos per day|clips per hour|videos an hour|images/hour|images per hr|image/s|image/sec|sample per second|token per second|"
         "frame per second|queries/s|qps|requests per second|requests/s|req/s|rps|requests per minute|requests/min|requests a minute|requests per hour|requests/hour|requests an hour|samples per second|samples/s|samples/sec|"
         "steps per hour|steps/hour|steps/h|steps an hour|steps per day|steps a day|steps per minute|steps/min|steps a minute|rounds per hour|rounds an hour|rounds per day|iterations per hour|iterations an hour|inferences per second|sequences per second|steps per second|seconds per step|time per step|step time|iterations per second|iterations/sec|iterations/s|iter/s|it/s|"
         "debit|debits|velocidad|velocita|velocidade|vitesse|rapidite|geschwindigkeit|snelheid|wie schnell|hoe snel|que tan rapido|que tan rapida|"
         "cuan rapido|quao rapido|quanto veloce|cuantos tokens|combien de tokens|wie viele tokens|wieviele tokens|hoeveel tokens|"
         "quantos tokens|quanti token|cuantas imagenes|combien d images|wie viele bilder|"
         "tokens per second|tokens per sec|tokens/s|tokens/sec|tokens/second|token/s|token/sec|tok/s|tok/sec|toks/s|t/s|tps|tok per sec|"
         "tok per second|tput|numbers for|numbers on|tokens a second|tokens per minute|token rate|throughput|how fast|speed|speeds|inference speed|"
         "generation speed|training speed|training throughput|how many tokens|how many tokens/s|how many tokens/sec|"
         "how many tokens per second|how many tok/s|how many t/s|how many images|how many samples|benchmark|benchmarks|real time factor|hours of audio per hour|hours of audio an hour|audio hours per hour|hours of speech per hour|minutes of audio per minute|seconds of audio per second|"
         "decode speed|joules per token|joule per token|j per token|j/token|watt hours per token|wh per token|energy per token|"
         "energy per million tokens|kwh per million tokens|kwh per million|kwh per 1m tokens|wh per million tokens|"
         "electricity per million tokens|energy per 1m tokens|power per token|how fast can|how quick|how quick is|how slow|how slow is|"
         "crawl|crawls|crawling|sluggish|unbearable|bearable|painfully slow|unusably slow|will it be slow|will that be slow|"
         "how slow would|speed up|generation rate|decoding speed|decoding rate|processing speed|tks|tk/s|tok/s/user|tokens/s/user|"
         "tokens/sec/user|tokens per second per user|tok/sec/user|how many images/s|how many images per second|how many images per minute|"
         "how many images a minute|how many images/sec|how many samples per second|how many samples/s|how many frames per second|steps/s|"
         "steps/sec|s/step|s/it|sec/it|sec/kimg|s/kimg|seconds per kimg|sec per kimg|seconds per iteration|real time speed|rtf|rtfx|how many words per second|faster than real time|"
         "requests/sec|how many rps|how many qps|how many requests/s|sustained throughput|aggregate throughput|total throughput|imgs/s|"
         "imgs/sec|img/sec|imgs per second|max throughput|maximum throughput|peak throughput|most throughput|highest throughput|prefill tokens/s|prefill tps|prefill speed|"
         "prefill throughput|prefill rate|prefill tok/s|prefill t/s|prefill tokens per second|prompt processing speed|prompt processing|"
         "prompt speed|video generation time|image generation time|video generation speed|image generation speed|generation time|"
         "generation times|render time|inference time|time per video|seconds per video|minutes per video|time per clip|time to generate|"
         "processing time|toks/sec|tok/second|toks/second|toks per second|how snappy|how responsive|how speedy|steps/second|steps per sec|gcells/s|gcell/s|gcells per second|mlups|glups|"
         "steps a second|words per minute|words a minute|words/minute|words/min|wpm|words per second|words a second|words/second|words/sec|words/s|words per sec"},
        {Means::attribute, "words_per_minute",
         "words per minute|words a minute|words/minute|words/min|wpm"},
        {Means::attribute, "words_per_second",
         "words per second|words a second|words/second|words/sec|words/s|words per sec|how many words per second"},
        {Means::ask, "full_load",
         "queries/s|queries per second|qps|requests per second|requests/s|req/s|req/sec|rps|requests/sec|how many rps|how many qps|"
         "how many requests/s|how many req/s|how many requests per second|requests per minute|requests/min|requests/minute|req/min|"
         "requests a minute|how many requests/min|how many requests per minute|how many requests a minute|requests per hour|"
         "requests/hour|requests/h|requests an hour|how many requests/hour|how many requests per hour|how many requests an hour|max rps|max qps|max throughput|maximum throughput|peak throughput|most throughput|highest throughput|"
         "total throughput|aggregate throughput|sustained throughput|overall throughput|saturated|saturation|saturate|fully loaded|"
         "full load|heavy load|under load|full capacity|maxed|maxed out|as many users as possible|as many users as it can|as many as possible|"
         "to many users|for many users|to lots of users|for lots of users|to many people|for many people|many concurrent users|most users"},
        {Means::ask, "requests_per_minute",
         "requests per minute|requests/min|requests/minute|req/min|requests a minute|how many requests/min|how many req/min|"
         "how many requests per minute|how many requests a minute"},
        {Means::ask, "requests_per_hour",
         "requests per hour|requests/hour|requests/h|req/hour|requests an hour|how many requests/hour|how many requests per hour|"
         "how many requests an hour"},
        {Means::ask, "per_gpu",
         "tokens/s/gpu|tok/s/gpu|tokens/sec/gpu|tokens per second per gpu|tokens/s per gpu|tok/s per gpu|tokens/s/card|tokens per gpu|"
         "throughput per gpu|memory per gpu|memory per card|vram per gpu|vram per card|per gpu memory|per gpu vram|per card memory|"
         "per gpu|per card|on each gpu|on each card|of each gpu"},
        {Means::ask, "on_prem",
         "own server|own servers|own hardware|own machine|own machines|own data center|own premises|own infrastructure|air gapped|"
         "no internet|without internet|no internet access|without internet access|no internet connection|data to the internet|sent to the internet|"
         "leave the building|leave our building|leave the premises|leave our premises|leave our network|leave the network|leaves our network|leaves the building|"
         "leave the office|leave our office|leave the house|leaves the house|leaves the office|stay in the building|stays in the building|stay in our network|"
         "stays in our network|fully offline|completely offline|work offline|works offline|run offline|runs offline|offline chatbot|offline llm|offline ai|"
         "offline assistant|data stays local|data local|local only|inhouse|"
         "offline only|in our office|in our building|within the building|on prem|on premise|on premises|colocation|colocate|colocating|"
         "colo|in house"},
        {Means::ask, "images",
         "videos per hour|videos per day|clips per hour|videos an hour|images/hr|images/hour|images per hr|images per second|"
         "images per minute|images per hour|images/s|images/sec|img/s|images a second|images a minute|frames per second|fps|"
         "how many images/s|how many images per second|how many images per minute|how many images a minute|how many images/sec|"
         "how many frames per second|images/min|images/minute|images/h|frames/s|fps throughput|pictures per minute|pictures per hour|"
         "imgs/s|imgs/sec|img/sec|imgs per second|video generation time|image generation time|video generation speed|"
         "image generation speed|generation time|render time|time per video|seconds per video|minutes per video|time per clip|"
         "time to generate"},
        {Means::ask, "frames",
         "fps|frames per second"},
        {Means::ask, "one_at_a_time",
         "one image at a time|single image|image by image|frame by frame"},
        {Means::ask, "mfu",
         "mfu|flops utilization"},
        {Means::ask, "weak_throughput",
         "do i get|does it get|get with|get on|get in|gets with|gets on|performance|bench|benched|benchmarking|decode|decoding|decodes|prefill|prefilling|pp|tg|token generation|text generation"},
        {Means::ask, "ttft",
         "time to first token|first token|first token latency|ttft|prefill speed|prompt processing|prompt processing speed|prompt eval"},
        {Means::ask, "tpot",
         "tpot|itl|inter token latency|time per output token|time per token|latency per token|ms per token|ms/token|token latency"},
        {Means::ask, "per_token",
         "per token|per output token"},
        {Means::ask, "latency",
         "latency|response time|e2e latency|end to end latency|request latency|total latency|latency of a request|latency per request|latency for a request|time per request|time of a request|seconds per request|"
         "whole answer|entire answer|complete answer|full answer|full response|entire response|whole response|complete response|"
         "take to answer|takes to answer|take to respond|take to reply|take for an answer|take to write an answer"},
        {Means::ask, "whole_request",
         "e2e latency|end to end latency|request latency|total latency|latency of a request|latency per request|latency for a request|time per request|time of a request|seconds per request|"
         "whole answer|entire answer|complete answer|full answer|full response|entire response|whole response|complete response|"
         "take to answer|takes to answer|take to respond|take to reply|take for an answer|take to write an answer"},
        {Means::ask, "own",
         "rent or buy|buy or rent|rent vs buy|buy vs rent|renting vs buying|buying vs renting|rent versus buy|buy versus rent|"
         "own or hire|hire or own|buy or hire|hire or buy|hire vs buy|buy vs hire|renting or buying|buying or renting|own or rent|rent or own|own vs rent|rent vs own|owning|ownership|lease or buy|buy or lease|"
         "cloud or hardware|hardware or cloud|cloud vs hardware|hardware vs cloud|purchase or rent|rent or purchase|cloud or buy|buy or cloud|cloud vs buying|cloud vs own|owning vs renting|renting vs owning|"
         "cloud or on prem|on prem or cloud|on prem vs cloud|cloud vs on prem|tco|total cost of ownership|break even|break even point|"
         "payback|pay off|pays off|pay for itself|pays for itself|pay for themselves|pay themselves off|resale|resale value|worth buying|worth to buy|worth owning|save money buying|"
         "save money by buying|save by buying|buying worth|worth it to buy|should i own|should we own|sense to own|better to own|"
         "cheaper to own|pays to own|pay to own|pays to buy|pay to buy|worth purchasing|amortize|amortise|amortized|roi|capex or opex|opex or capex|capex and opex|capex plus opex|capex + opex|opex and capex|capex vs opex|opex vs capex|"
         "depreciation|duty cycle|make sense to buy|makes sense to buy|make sense buying|sense to purchase|own or cloud|cloud or own|"
         "buy or use cloud|buy or use the cloud|buying or cloud|cloud or buying|on premise or cloud|cloud or on premise|"
         "should i buy or rent|should we buy or rent|rent or buying|when does buying|when is buying|buying make sense|buying makes sense|"
         "when does it make sense to buy|cheaper to buy or rent|cheaper to rent or buy|economics of owning|cost of owning|cost to own|"
         "owning costs|breaks even|break-even point|payback time|payback period|pays back|depreciate|recoup|pay itself off|"
         "make sense to own|makes sense to own|instead of renting|rather than rent|rather than renting|instead of rent|instead of cloud|"
         "instead of the cloud|beats renting|beat renting|beats the cloud|amortisation|amortization|own vs cloud|owned vs cloud|"
         "owned vs rented|owning vs cloud|cloud vs owning|cloud vs owned|purchase or cloud|buying makes no sense|buying makes little sense|"
         "makes no sense to buy|no sense to buy|no sense buying|mistake to buy|silly to buy|dumb to buy|stupid to buy|buying is silly|"
         "buying is dumb|buying is stupid|is buying silly|is buying dumb|is buying stupid|is it dumb to buy|months until it pays|pays itself back"},
        {Means::ask, "buy",
         "shopping list|capex|capital cost|capital costs|capital expenditure|upfront cost|upfront costs|acquisition cost|what to buy|what do i buy|what should i buy|what should we buy|what do we buy|should we order|should i order|do we order|"
         "do i order|to order|can we order|purchase order|we are ordering|ordering|buy|buying|outright|purchase|purchasing|kauf|kaufen|acheter|comprar|compro|kopen"},
        {Means::ask, "budget",
         "budget|what do i get|what do we get|what can i get|what can we get|what can i buy|what could i buy|spend|what would i get|"
         "to spend"},
        {Means::ask, "weak_budget",
         "get me"},
        {Means::ask, "describe",
         "specs|spec|specifications|specification|spec sheet|what generation|which generation|datasheet|tell me about|details|"
         "what is in a|what is in|whats in a|whats inside|what is inside|whats in|describe|info|gpus in a|gpus in an|how many gpus in|"
         "how many gpus does|how many gpus are in|what is inside a"},
        {Means::ask, "weak_describe",
         "what is a|what is an|explain|what gpus are in|which gpus are in|what cards are in|which cards are in|what gpu is in|"
         "which gpu is in"},
        {Means::ask, "inside",
         "gpu in|gpus in|gpu inside|gpus inside|gpu inside a|gpu in a|card inside|cards inside|which gpus sit in|what gpus sit in|"
         "which gpu sits in|what gpu sits in|which cards sit in|what cards sit in"},
        {Means::ask, "support",
         "support|supports|supported"},
        {Means::ask, "which_quant",
         "which quant|what quant|which quants|which quantization|what quantization|which quantisation|which gguf|best quant"},
        {Means::ask, "how_fast",
         "how fast|how quick|how quickly|how fast can"},
        {Means::ask, "provider",
         "who has the cheapest|which provider|what provider|best cloud|best provider|best clouds|best providers|what clouds|"
         "what providers|where to rent|where can i rent|where do i rent|where should i rent|which cloud|what cloud|which clouds|"
         "which providers|where can i find|where do i get|where to get|where to find"},
        {Means::ask, "overkill",
         "overkill"},
        {Means::ask, "which_have",
         "which gpus have|what gpus have|which cards have|what cards have|which gpu has|what gpu has|which card has|which gpus support|"
         "what gpus support|which cards support|what cards support|which gpu supports|which accelerators support|which accelerators have|"
         "what accelerators have|gpus that support|cards that support|gpus supporting|gpus that have|cards that have|list of gpus|"
         "list gpus|list all gpus|which gpus offer|which gpus got|which cards got|which accelerators got|which gpus come with|"
         "which cards come with|which cards do|which gpus do|which chips have|which chips support|what chips have|what chips support|"
         "which parts have|what gpus offer|which card supports|gpus with support for|which gpus can do|what hardware supports|"
         "which hardware supports"},
        {Means::ask, "instance",
         "what instance|which instance|what vm|which vm"},
        {Means::ask, "smallest_part",
         "smallest number of|minimum number of|fewest|least number of|min number of|smallest gpu|smallest card|smallest box|smallest server|smallest machine|smallest setup|smallest rig|smallest hardware|smallest node|smallest computer|minimum gpu|min gpu|minimum gpus|min gpus|"
         "minimum hardware|smallest accelerator|smallest graphics card|least gpu|least card|least hardware|minimum setup|minimal setup|minimum card|minimum machine|"
         "minimum rig|minimal hardware|minimal gpu|minimal card|weakest gpu|weakest card|smallest possible gpu|smallest possible card|"
         "bare minimum hardware|bare minimum gpu|bare minimum setup"},
        {Means::ask, "prefill",
         "prefill tokens/s|prefill tps|prefill speed|prefill throughput|prefill rate|prefill tok/s|prefill t/s|prefill tokens per second|"
         "prompt processing speed|prompt processing|prompt speed|prompt heavy|long prompts|prompt heavy work|prompt heavy workloads|prompt heavy workload|"
         "prompt ingestion|mostly prompts|prefill heavy|long prompts short answers"},
        {Means::ask, "part_optimizer",
         "optimizer + gradients|gradients + optimizer|optimizer and gradients|gradients and optimizer|gradients and optimizer states|"
         "optimizer states|optimizer state|optimizer memory|optimizer state memory|optimizer state size|adam states|adam moments"},
        {Means::ask, "part_gradients",
         "optimizer + gradients|gradients + optimizer|optimizer and gradients|gradients and optimizer|gradients and optimizer states|"
         "gradients|gradient memory"},
        {Means::ask, "part_activations",
         "activation memory|activations|activation footprint"},
        {Means::ask, "time_to_make",
         "time to generate"},
        {Means::ask, "per_month",
         "per month|a month|monthly|monthly cost|monthly price|cost per month|price per month"},
        {Means::ask, "gpu_hours",
         "gpu hours|how many gpu hours|gpu days|how many gpu days|gpu day"},
        {Means::ask, "gpu_days",
         "gpu days|how many gpu days|gpu day"},
        {Means::ask, "largest_copies",
         "how many copies|how many instances|how many replicas|number of copies|number of replicas|how many models"},
        {Means::ask, "cache_per_token",
         "cache size per token|kv cache size per token|kv size per token|cache per token|kv cache per token|kv per token|bytes per token"},
        {Means::objective, "cost",
         "cheapest way|cheapest option|cheapest gpu|cheapest hardware|cheapest setup|cheapest card|cheapest cloud|cheapest provider|"
         "cheapest place|which is cheaper|which one is cheaper|cheapest cloud setup|cheapest cloud gpu|cheapest cloud instance|cheapest cloud option|cheapest cloud choice|cheapest cloud machine|cheapest cloud node"},
        {Means::objective, "time",
         "fastest way|which is faster|which is quicker|schneller"},
        {Means::objective, "energy",
         "most efficient way|most energy efficient way"},
        {Means::filler, "",
         "ideas|gb|most|finish|what does|get done|done by|finish in"},
        {Means::train, "full",
         "what could be pretrained|what can be pretrained|time to pretrain|pretraining time|pretraining duration"},
        {Means::train, "",
         "what could be trained|what can be trained|time to train|training time|cost of training|training cost|training speed|training throughput|"
         "activation memory|gradient memory|optimizer memory|"
         "optimizer state memory|optimizer state size|optimizer state|optimizer + gradients|gradients + optimizer|optimizer and gradients|"
         "gradients and optimizer|gradients and optimizer states|adam states|adam moments|activations|activation footprint"},
        {Means::train, "lora",
         "max lora rank|maximum lora rank|largest lora rank|highest lora rank|biggest lora rank"},
        {Means::tune, "",
         "time to fine tune"},
        {Means::attribute, "step_time",
         "it/s|it per second|iter/s|iters/s|iterations/s|iterations/sec|iterations/second|iterations a second|iterations per second|steps per second|steps/s|steps/sec|steps/second|steps per sec|steps a second|steps per hour|steps/hour|steps/h|steps an hour|steps per day|steps a day|steps per minute|steps/min|steps a minute|rounds per hour|rounds an hour|rounds per day|iterations per hour|iterations an hour|s/it|sec/it|"
         "step time|time per step|seconds per step|time per iteration|seconds per iteration|iteration time|step times|s/step|sec/step"},
        {Means::attribute, "domain",
         "nvlink domain|per nvlink domain|scale up domain"},
        {Means::attribute, "architecture",
         "architecture"},
        {Means::attribute, "bandwidth",
         "bw|mem bw|memory bw|bandwidth|memory bandwidth|memory and bandwidth|memory and memory bandwidth|mem bandwidth|vram bandwidth|"
         "hbm bandwidth|gb/s|memory speed|memory faster|faster memory|memory slower|slower memory|vram speed|faster vram|vram faster|"
         "fast memory|fast is the memory|ram speed"},
        {Means::attribute, "flash_attention",
         "flash attention|flashattention|flash attn|flash attention 2|flashattention 2|fa2"},
        {Means::attribute, "flash_attention_3",
         "flash attention 3|flashattention 3|flash attn 3|fa3|flash attention v3"},
        {Means::attribute, "memory",
         "memory and bandwidth|memory and memory bandwidth|memory size|memory capacity|how much hbm|hbm|hbm3|hbm3e|vram size|memory amount"},
        {Means::attribute, "memory_type",
         "memory type|type of memory|kind of memory|gddr or hbm|hbm or gddr|gddr6 or hbm|gddr7 or hbm|hbm or gddr6|hbm or gddr7|gddr6 or gddr7|gddr6 or gddr6x|hbm2 or hbm3|hbm3 or hbm3e"},
        {Means::attribute, "bus",
         "memory bus|bus width"},
        {Means::attribute, "energy",
         "mwh|gwh|electricity/cost|power/cost|electricity for|electricity of|electricity cost|electricity costs|in electricity|on electricity|electricity bill|cost of electricity|power bill|power cost|power costs|energy bill|"
         "energy cost|energy costs|energy use|electricity used|electricity use|how much electricity|energy used|kwh to train|kwh to pretrain|kwh to finetune|kwh to fine tune|mwh to train|mwh to pretrain|energy to train|energy to pretrain|energy to finetune|energy to fine tune|electricity to train|electricity to pretrain|energy of training|energy for training|"
         "carbon footprint|energy usage|energy consumption|how much energy|kwh|how many kwh|cost to power|cost of power|stromkosten|"
         "joules per token|joule per token|j per token|j/token|watt hours per token|wh per token|energy per token|"
         "energy per million tokens|kwh per million tokens|kwh per million|kwh per 1m tokens|wh per million tokens|"
         "electricity per million tokens|energy per 1m tokens|power per token"},
        {Means::attribute, "heat",
         "btu/h|btu/hr|btu per hour|btus per hour|btu|btus|heat output|heat load|cooling load|cooling capacity|cooling in btu/h|cooling in btu"},
        {Means::attribute, "power",
         "tdp|how many kw|how many kilowatts|how many watts|how much power|power hungry|how power hungry|energy hungry|power consumption|power draw|power usage|wattage|watts|"
         "power limit|how many watts|max power|power|tgp|thermal design power|power connector|external power|power cable|12vhpwr"},
        {Means::attribute, "flops",
         "tflops|gflops|gflop|flop|sparse or dense|dense or sparse|fp8 number|bf16 number|fp8 rate|bf16 rate|dense fp8|dense bf16|dense fp16|peak fp8|"
         "peak bf16|peak fp16|peak fp4|dense fp4|tflop/s|teraflops|flops|pflops|petaflops|tops|compute performance|peak performance|"
         "fp16 flops|transformer engine|tensor core tflops|tensor tflops"},
        {Means::attribute, "total",
         "total parameters|total vs active|total and active|active and total|active vs total"},
        {Means::attribute, "active",
         "total vs active|total and active|active and total|active vs total|active parameters|activated parameters|active params|"
         "how many active parameters|how many active params|how many parameters are active"},
        {Means::attribute, "ridge",
         "ridge point|ridge points|roofline ridge|roofline ridge point|roofline knee|machine balance|arithmetic intensity|operational intensity|flop/byte|flops/byte|flop per byte|flops per byte|ops per byte"},
        {Means::attribute, "cores",
         "cuda cores|sm count|how many sms|sms|streaming multiprocessors|compute units|cores|cuda core count|number of cuda cores|"
         "how many cores|how many tensor cores|how many gpcs"},
        {Means::attribute, "tensor_cores",
         "tensor cores|tensor core"},
        {Means::attribute, "clock",
         "clock|boost clock|clock speed"},
        {Means::attribute, "cache",
         "l2|l2 cache|cache size|l1 cache"},
        {Means::attribute, "capability",
         "compute capability|sm version"},
        {Means::attribute, "form",
         "form factor|pcie or oam|oam or pcie|which form factor|power connector|external power|power cable|12vhpwr|8 pin|6 pin|1u|2u|"
         "in a 1u|in a 2u|fits a 1u|fits a 2u"},
        {Means::attribute, "year",
         "release date|released|launch date|come out|came out|how old|release year|launch year|year of release"},
        {Means::attribute, "nvlink",
         "nvlink bandwidth|nvlink bw|nvlink rate|nvlink speed|interconnect|nvlink lanes|bidirectional bandwidth"},
        {Means::attribute, "pcie",
         "pcie gen|pcie version|pcie generation|pcie lanes"},
        {Means::attribute, "mig",
         "mig slices|mig instances"},
        {Means::attribute, "fp64",
         "fp64"},
        {Means::attribute, "parameters",
         "how many parameters|parameter count|number of parameters|parameter number|parameters number|how many params|parameters count|"
         "param count|total parameters"},
        {Means::attribute, "layers",
         "layers|how many layers|number of layers"},
        {Means::attribute, "hidden",
         "hidden size|hidden dimension|hidden dim|embedding size|d model"},
        {Means::attribute, "heads",
         "attention heads|heads|how many heads"},
        {Means::attribute, "kv_heads",
         "kv heads|key value heads|how many kv heads|gqa"},
        {Means::attribute, "vocabulary",
         "vocab|vocabulary|vocab size|vocabulary size"},
        {Means::attribute, "experts",
         "experts|how many experts|number of experts|active experts|activated experts|experts active|experts per token|experts are active|"
         "experts for each token|routed experts"},
        {Means::attribute, "macs",
         "macs|gmacs|gmac|multiply adds|multiply accumulates"},
        {Means::attribute, "context",
         "context length of|context window of|context size of|max position|native context"},
        {Means::attribute, "head_dim",
         "head dim"},
        {Means::attribute, "ffn",
         "ffn size|intermediate size|mlp size"},
        {Means::attribute, "process",
         "manufacturing process"},
        {Means::attribute, "weight",
         "weigh|weighs|how heavy|how hefty|how fat|how chunky|how light|how bulky|heavy|hefty|weight in gb|heaviness"},
        {Means::attribute, "dimensions",
         "dimensions|how long is the card|card length|slot width|how many slots"},
        {Means::attribute, "noise",
         "noise level|how loud|fan noise|fan noises|noisy fans|loud fans"},
        {Means::owned, "",
         "own server|own servers|own hardware|own machine|own machines|own data center|own premises|own infrastructure"},
        {Means::infer, "",
         "inference speed|generation speed|joules per token|joule per token|j per token|j/token|watt hours per token|wh per token|"
         "energy per token|energy per million tokens|kwh per million tokens|kwh per million|kwh per 1m tokens|wh per million tokens|"
         "electricity per million tokens|energy per 1m tokens|power per token|which quant|what quant|which quants|which quantization|"
         "what quantization|which quantisation|which gguf|best quant|prefill tokens/s|prefill tps|prefill speed|prefill tok/s|prompt processing|"
         "video generation time|image generation time|generation time|generation times|render time|inference time|time to generate"},
        {Means::feature, "nvlink",
         "nvlink generation|generation nvlink|what generation nvlink|which generation nvlink|what generation of nvlink|"
         "which generation of nvlink|nvlink version|which nvlink version"},
        {Means::price_kind, "purchase",
         "retail price|market price|used market"},
        {Means::price_kind, "reserved",
         "reserve|reserving|reserve them|reserved contract|year contract|years contract|annual contract|long term contract|rental contract"},
        {Means::gpu, "",
         "which gpus have|what gpus have|which cards have|what cards have|which gpu has|what gpu has|which card has|which gpus support|"
         "what gpus support|which cards support|what cards support|which gpu supports|which accelerators support|which accelerators have|"
         "what accelerators have|gpus that support|cards that support|gpus supporting|gpus that have|cards that have|list of gpus|"
         "list gpus|list all gpus|which gpus offer|gpus with support for|which gpus can do|what hardware supports|which hardware supports"},
    };
    return meanings;
}
// clang-format on

}  // namespace ridgeline::reading
