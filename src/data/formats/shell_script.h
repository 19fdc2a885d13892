#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A word of a command line. `open` when the script computes it as it runs ($(...), `...`, a
/// variable that nothing sets): its text is then as written and says nothing.
struct ShellWord {
    std::string text;
    bool open = false;
};

/// What a script says without being run.
struct ShellScript {
    std::vector<std::vector<ShellWord>> commands;  ///< in order, comments and assignments left out
    std::vector<std::string> cards;  ///< CUDA_VISIBLE_DEVICES as each starts; empty: not set
    std::map<std::string, std::string> variables;      ///< assigned or exported, with known values
    std::map<std::string, std::string> written_files;  ///< `cat > NAME <<'EOF'`, by name
    std::vector<std::string> sbatch;                   ///< words of the #SBATCH lines
    std::vector<std::string> comments;                 ///< whole-line comments, without the mark
};

/// Splits a script into words as a POSIX shell would, and arrays as bash would. Nothing is run.
ShellScript shell_script(std::string_view text, std::map<std::string, std::string> variables = {});

}  // namespace ridgeline
