#pragma once

#include "base/result.h"
#include "data/formats/format_table.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// One line of what a file said: "micro_batch_size", "2", "--micro-batch 2".
struct ImportNote {
    std::string key;
    std::string value;
    std::string meaning;
};

/// A value with which no tool can run: "micro_batch_size", "0", "can be no size, expected ...".
struct ImpossibleValue {
    std::string key;
    std::string value;
    std::string why;
    std::string option;  ///< that it would set
};

/// What became of each key of one file.
struct ImportedFile {
    std::string where;
    std::string kind;  ///< id of the format
    std::string name;
    std::string version;  ///< of the tool whose defaults were taken
    std::vector<ImportNote> read;
    std::vector<ImportNote> defaulted;
    std::vector<ImportNote> ignored;
    std::vector<ImportNote> unknown;
    std::vector<ImportNote> uncounted;  ///< what moves memory and no estimate holds
    std::vector<ImpossibleValue> impossible;
    bool needs_less = false;  ///< some of that may take less memory than the estimate
};

/// A setting of a tool that no estimate asks for and its run needs: another configuration of the
/// same tool keeps it, one of another tool where it has a word for it.
struct KeptSetting {
    std::string format;  ///< id of its table
    std::string key;
    std::string word;  ///< what it says in other tools too (`FormatRow::carries`); may be empty
    std::string
        value;  ///< JSON text; empty: it is computed as the script runs, or no key of the tool
};

/// Accelerators of one machine as a file names them: "H100", "8".
struct ImportedParts {
    std::string accelerator;
    std::string count;
};

/// The answers of a round of a trainer that counts them by its batch; a figure of 0 was not said.
struct ImportedRound {
    bool of_global_batch = false;  ///< of steps of the global batch, else of micro-batches
    int steps = 0;                 ///< of those in a round
    int answers = 0;               ///< stated as such
    int group = 0;                 ///< answers to a prompt
    std::string key;               ///< that states the group, as the file has it
};

/// Hardware and batch of a file, which meet the workload once the accelerators are known.
struct ImportedHardware {
    std::string accelerator;  ///< as the file names it; empty: not said
    std::optional<int> accelerators, nodes, per_node;
    std::vector<ImportedParts> alternatives;  ///< all of which would do; empty: those above alone
    std::size_t chosen = 0;                   ///< of those, that is the accelerator above
    int copies = 1;                           ///< of what the file starts, each on as many
    std::optional<int> accumulation;          ///< micro-batches a step
    std::optional<int> least_batch;           ///< accumulated for, where nothing says how often
    std::optional<int> shared_micro;          ///< samples of a pass of all ranks together
    std::optional<ImportedRound> round;       ///< where the policy writes what it learns from
    std::string on;                           ///< --on of the question that wrote the file
    std::string evaluation_batch;  ///< samples a rank evaluates at once; empty: no evaluation
};

/// What a server admits.
struct ImportedServer {
    /// Tokens of its longest request; "model": as many as the model has positions; "room 1536":
    /// what its cache has room for, at least so many; "4096 23:32768": more from so many GiB of all
    /// its cards. Empty: not said.
    std::string longest;
    std::string length_key;       ///< of the format, which states it: "--max-model-len"
    bool refuses_longer = false;  ///< than the model has positions
    bool caps_longer = false;     ///< at the model's
    double shared_by = 1;         ///< requests that the length is of all together
};

/// Prompt and answer of a request, in tokens.
struct RequestLengths {
    double input = 0;
    double output = 0;
};

/// The longest request that a server admits: 512 tokens of it are the answer, of a short one a
/// quarter.
RequestLengths longest_lengths(double tokens);

/// A run that a file starts.
struct ImportedRun {
    std::string name;   ///< its tool and model
    std::string task;   ///< "train", "inference"
    std::string said;   ///< all of its settings
    std::string cards;  ///< numbers of those that it sees, "0,1"; empty: not said
    double share = 0;   ///< of each of them that its engine takes; 0: what it needs
    int ranks = 0;      ///< of those cards that it is spread over; 0: all
};

/// A configuration of another tool in terms of ridgeline's own options.
struct Imported {
    std::map<std::string, std::string> options;  ///< "micro-batch" -> "2"
    bool usual_type = false;   ///< nobody said how a repository's weights are stored
    std::string model_config;  ///< a config.json, where a file describes the model itself
    ImportedHardware hardware;
    std::string weights;  ///< repository of a GGUF file with its type, as it stands
    ImportedServer server;
    std::vector<KeptSetting> kept;
    std::vector<ImportedFile> files;
    /// Runs that one file starts, each by its tool and model; those of the file that has most.
    std::vector<ImportedRun> runs;
    std::size_t run = 0;  ///< of those the one that is read
};

/// Which of several runs of a file is meant, and which of the accelerators that would do.
struct ImportChoice {
    std::optional<std::size_t> run;  ///< empty: the first that trains, else the first
    std::size_t parts = 0;           ///< of those that a task would take, in the order of its file
};

/// A file as it is given: its name and its bytes.
struct GivenFile {
    std::string name;
    std::string text;
};

/// Reads configurations of other tools; a kind is told by its content, and later files win. What is
/// "auto", null or computed is listed as unknown and sets nothing.
///
/// errors  a text that is no configuration that `formats` knows, a pickle, one too large, a value
///         with which no tool can run
Result<Imported> import_files(const std::vector<GivenFile>& files,
                              const std::vector<FormatTable>& formats,
                              const ImportChoice& choice = {});

}  // namespace ridgeline
