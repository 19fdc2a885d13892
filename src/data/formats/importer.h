#pragma once

#include "data/formats/import_files.h"
#include "data/formats/key_values.h"
#include "data/formats/shell_script.h"

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ridgeline {

/// Gathers what several files of one run say; the last word on a thing counts.
class Importer {
public:
    Importer(const std::vector<FormatTable>& formats, const ImportChoice& choice)
        : formats_(formats), choice_(choice) {}

    /// What is read from here on stands in another file.
    void begin_file() {
        runs_.clear();
        ++number_;
    }

    /// A configuration, a pod, a task or a model's own description.
    Result<void> read_tree(const nlohmann::json& tree, const std::string& where);
    /// Command lines with the files that they write.
    Result<void> read_script(const std::string& text, const std::string& where,
                             const std::map<std::string, std::string>& variables = {});
    /// "# asked: --input-tokens 1024 --on l40s:8": what no setting of a tool can say.
    void read_comments(const std::vector<std::string>& comments);
    /// Everything, with the defaults of the tools.
    Imported finish();

private:
    void add(const FormatTable& table, const KeyValues& settings, const std::string& where);
    void note_model(TableReading& reading);
    void add_virtual(const std::string& name, const std::string& value);
    /// What stands behind a launcher that takes a configuration: its file, and settings of it.
    void read_overrides(const FormatTable& launcher, const std::vector<ShellWord>& words,
                        std::size_t behind, const std::string& where);
    /// Whether the command starts something known.
    bool read_command(const std::vector<ShellWord>& words, const ShellScript& script,
                      const std::string& where);
    void read_sbatch(const std::vector<std::string>& words, const std::string& where);
    Result<void> read_weights(const nlohmann::json& tree, const std::string& where);
    bool read_model(const nlohmann::json& tree, const std::string& where);
    Result<void> read_sky(const nlohmann::json& tree, const std::string& where);
    Result<void> read_dstack(const nlohmann::json& tree, const std::string& where);
    Result<void> read_pods(const nlohmann::json& tree, const std::string& where);
    /// Slices of cards (MIG) among the limits of a container, whose card a pod does not say.
    static void note_slices(ImportedFile& file, const nlohmann::json& limits);
    bool read_pod(const nlohmann::json& spec, std::size_t file, const std::string& where);
    Result<void> read_compose(const nlohmann::json& tree, const std::string& where);
    bool read_container(const nlohmann::json& container, const std::string& where);
    /// Whether a command starts another run of its file than the one that is meant; it is only
    /// named then.
    bool is_other_run(const FormatTable& table, const KeyValues& settings,
                      const std::string& where);
    /// What a command says beyond that a tool that is known starts.
    void miss_script(ImportedFile& file, const std::string& name, const std::string& why);
    ImportedFile& list(const std::string& where, const std::string& kind, const std::string& name);
    void note_hardware(ImportedFile& file, const std::string& key, const nlohmann::json& value);
    void take_defaults();
    void settle_method();
    void settle_targets();
    void settle_storage();
    void settle_beside();
    void settle_kept();
    void settle_details(nlohmann::json& config);
    void settle_model();
    [[nodiscard]] std::string term_of(std::initializer_list<std::string> names) const;
    void settle_server();
    void settle_round();
    void settle_scoring(const std::string& algorithm);
    void settle_engine();
    void settle_batch();
    void settle_draft();
    void settle_tokens();

    const std::vector<FormatTable>& formats_;
    ImportChoice choice_;
    std::vector<ImportedRun> runs_;  ///< of the file that is read
    std::string cards_;              ///< that the command which is read sees, "0,1"
    std::string service_;            ///< of a compose file, which starts it
    bool other_run_ = false;         ///< the last command started another run
    Imported out_;
    int number_ = 0;        ///< of the file that is read
    int model_number_ = 0;  ///< of the file that named the model
    std::string model_of_;  ///< its name
    std::set<std::string> open_;
    struct Main {
        const FormatTable* table;
        std::size_t file;
    };
    std::vector<Main> mains_;
    /// What formats say in their own terms ("@context"), until the whole run is known.
    std::map<std::string, std::string> terms_;
};

}  // namespace ridgeline
