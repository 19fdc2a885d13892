#include "cli/completion_scripts.h"

#include "base/text.h"

#include <fmt/format.h>

#include <vector>

namespace ridgeline::cli {
namespace {

// Words are cut at blanks: a "=" ends a word for bash, and what stands before it is no longer its.
constexpr const char* bash =
    R"(# bash completion for ridgeline: source it, or put it into bash-completion/completions.
_ridgeline() {
    local line=${COMP_LINE:0:COMP_POINT} words reply word
    read -r -a words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    mapfile -t reply < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
    word=${words[-1]}
    COMPREPLY=()
    local each
    for each in "${reply[@]}"; do
        each=${each%%$'\t'*}
        [[ $word == --*=* ]] && each=${each#*=}
        COMPREPLY+=("$each")
    done
}
complete -o default -F _ridgeline ridgeline
)";

constexpr const char* zsh = R"(#compdef ridgeline
# zsh completion for ridgeline: put it into a folder of $fpath as _ridgeline, or source it.
_ridgeline() {
    local -a lines described
    local line
    lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    for line in $lines; do
        [[ -n $line ]] && described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done
    if (( $#described )); then
        _describe -V 'ridgeline' described
    else
        _files
    fi
}
if [[ $funcstack[1] == _ridgeline ]]; then
    _ridgeline "$@"
else
    compdef _ridgeline ridgeline
fi
)";

constexpr const char* fish =
    R"(# fish completion for ridgeline: source it, or put it into vendor_completions.d.
function __ridgeline_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2>/dev/null
end
complete -c ridgeline -a '(__ridgeline_complete)'
)";

}  // namespace

Result<std::string> completion_script(const std::string& shell) {
    if (shell == "bash") {
        return std::string(bash);
    }
    if (shell == "zsh") {
        return std::string(zsh);
    }
    if (shell == "fish") {
        return std::string(fish);
    }
    return usage_error("ridgeline completions",
                       fmt::format("found \"{}\", expected bash, zsh or fish", shell),
                       did_you_mean(shell, std::vector<std::string>{"bash", "zsh", "fish"}));
}

}  // namespace ridgeline::cli
