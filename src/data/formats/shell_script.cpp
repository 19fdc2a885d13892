#include "data/formats/shell_script.h"

#include "base/lists.h"
#include "base/text.h"
#include "data/formats/shell_words.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridgeline {
namespace {

using Words = std::vector<ShellWord>;

/// Of a value or an array: a script that doubles a variable line by line is not followed further.
constexpr std::size_t longest_value = 65'536;
constexpr std::size_t most_words = 20'000;
constexpr std::size_t most_followed = 4'000'000;
constexpr int deepest_value = 12;

class Splitter {
public:
    Splitter(std::string_view text, std::map<std::string, std::string> variables) : text_(text) {
        script_.variables = std::move(variables);
    }

    ShellScript split_all() {
        while (at_ < text_.size()) {
            read_line();
        }
        end_command();
        return std::move(script_);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }

    /// One token: blank, comment, separator or word.
    void read_line() {
        const char c = peek();
        if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            at_ += peek(1) == '\n' ? 2 : 3;
        } else if (c == '\n') {
            ++at_;
            end_command();
            read_pending_documents();
        } else if (c == ' ' || c == '\t' || c == '\r') {
            ++at_;
        } else if (c == '#') {
            read_comment();
        } else if (c == ';' || c == '&' || c == '|') {
            ++at_;
            end_command();
        } else if (c == '<' && peek(1) == '<') {
            read_document_mark();
        } else if (c == '>' || c == '<') {
            read_redirection();
        } else if (c == '(' || c == ')') {
            ++at_;
            if (c == ')' && !array_.empty()) {
                arrays_[array_] = std::move(words_);
                words_ = std::move(before_array_);
                array_.clear();
            }
        } else {
            read_word();
        }
    }

    void read_comment() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string line(text_.substr(at_, end - at_));
        at_ = end;
        if (line.rfind("#SBATCH", 0) == 0) {
            ShellScript words = shell_script(line.substr(7));
            for (const Words& command : words.commands) {
                for (const ShellWord& word : command) {
                    script_.sbatch.push_back(word.text);
                }
            }
            take_job_variables();
        } else if (words_.empty()) {
            script_.comments.push_back(line.substr(1));
        }
    }

    /// What Slurm sets in a job from its own options (sbatch(1), output environment variables).
    void take_job_variables() {
        std::string last;
        for (const std::string& word : script_.sbatch) {
            const std::size_t equals = word.find('=');
            const std::string name = equals != std::string::npos ? word.substr(0, equals) : last;
            const std::string value = word.substr(equals == std::string::npos ? 0 : equals + 1);
            if (name == "--nodes" || name == "-N") {
                script_.variables["SLURM_JOB_NUM_NODES"] = value;
                script_.variables["SLURM_NNODES"] = value;
            } else if (name == "--gpus-per-node") {
                script_.variables["SLURM_GPUS_PER_NODE"] = value.substr(value.rfind(':') + 1);
            }
            last = word;
        }
    }

    void read_redirection() {
        ++at_;
        while (peek() == '>' || peek() == '&' || peek() == ' ') {
            ++at_;
        }
        target_ = word_here().text;
    }

    /// "<<'EOF'": the document starts after this line.
    void read_document_mark() {
        at_ += 2;
        while (peek() == '-' || peek() == ' ' || peek() == '<') {
            ++at_;
        }
        pending_.push_back(word_here().text);
    }

    void read_pending_documents() {
        for (const std::string& mark : pending_) {
            std::string body;
            while (at_ < text_.size()) {
                const std::size_t end = std::min(text_.find('\n', at_), text_.size());
                const std::string line(text_.substr(at_, end - at_));
                at_ = std::min(end + 1, text_.size());
                const std::size_t start = line.find_first_not_of('\t');
                if (start != std::string::npos && line.substr(start) == mark) {
                    break;
                }
                body += line + "\n";
            }
            if (!last_target_.empty()) {
                script_.written_files[last_target_] = body;
            } else if (body.size() < longest_value && !script_.commands.empty() &&
                       script_.commands.back().front().text == "read") {
                script_.variables[script_.commands.back().back().text] = body;
            }
        }
        pending_.clear();
        last_target_.clear();
    }

    /// A variable may hold itself, or others that double: a bounded number of words is followed.
    bool may_follow(std::size_t size) {
        const std::size_t cost = size + 16 * script_.variables.size();
        const bool follows = depth_ < deepest_value && *left_ >= cost;
        *left_ -= follows ? cost : 0;
        return follows;
    }

    void read_word() {
        const std::size_t start = at_;
        const std::size_t name = assigned_name(text_.substr(at_));
        if (name > 0 && (words_.empty() || declares())) {
            read_assignment(name);
            return;
        }
        ShellWord word = word_here();
        const std::string raw(text_.substr(start, at_ - start));
        if (const Words* array = array_named(raw)) {
            if (words_.size() + array->size() > most_words) {
                return;
            }
            words_.insert(words_.end(), array->begin(), array->end());
            return;
        }
        // An unquoted variable is split at blanks, as the shell does.
        const bool words = !word.open || word.text.find(' ') != std::string::npos;
        if (!raw.empty() && raw.front() == '$' && raw.rfind("$(", 0) != 0 && words &&
            may_follow(word.text.size())) {
            Splitter inner(word.text, script_.variables);
            inner.depth_ = depth_ + 1;
            inner.left_ = left_;
            const ShellScript pieces = inner.split_all();
            for (const Words& command : pieces.commands) {
                words_.insert(words_.end(), command.begin(), command.end());
            }
            return;
        }
        if (at_ > start) {
            words_.push_back(std::move(word));
        } else {
            ++at_;  // a character that no rule knows
        }
    }

    /// "declare -a", "local": what follows assigns as it would alone.
    [[nodiscard]] bool declares() const {
        constexpr std::array<std::string_view, 4> words = {"declare", "typeset", "local",
                                                           "readonly"};
        return is_among(words_.front().text, words) &&
               std::all_of(words_.begin() + 1, words_.end(),
                           [](const ShellWord& word) { return word.text.starts_with('-'); });
    }

    void read_assignment(std::size_t name_length) {
        const std::string name(text_.substr(at_, name_length));
        const bool adds = peek(name_length) == '+';
        at_ += name_length + (adds ? 2 : 1);
        if (peek() == '(') {
            ++at_;
            array_ = name;
            before_array_ = std::move(words_);
            words_ = adds ? arrays_[name] : Words{};
            return;
        }
        const ShellWord value = word_here();
        // Of many words the known ones are kept: each is looked at where they are used.
        const bool kept = !value.open || value.text.find(' ') != std::string::npos;
        if (kept && script_.variables[name].size() < longest_value) {
            script_.variables[name] = adds ? script_.variables[name] + value.text : value.text;
        }
    }

    /// "${NAME[@]}" of a known array.
    const Words* array_named(std::string raw) const {
        if (raw.size() > 1 && raw.front() == '"' && raw.back() == '"') {
            raw = raw.substr(1, raw.size() - 2);
        }
        if (raw.rfind("${", 0) != 0 || !contains(raw, "[@]}")) {
            return nullptr;
        }
        const auto found = arrays_.find(raw.substr(2, raw.find('[') - 2));
        return found == arrays_.end() ? nullptr : &found->second;
    }

    ShellWord word_here() {
        ShellWord word;
        while (at_ < text_.size()) {
            const char c = peek();
            if (c == '\'') {
                const std::size_t end = std::min(text_.find('\'', at_ + 1), text_.size());
                word.text += text_.substr(at_ + 1, end - at_ - 1);
                at_ = std::min(end + 1, text_.size());
            } else if (c == '"') {
                read_quoted(word);
            } else if (c == '$') {
                read_variable(word);
            } else if (c == '`') {
                skip_computed(word, '`');
            } else if (c == '\\' && at_ + 1 < text_.size()) {
                if (peek(1) == '\n' || peek(1) == '\r') {
                    return word;
                }
                word.text += peek(1);
                at_ += 2;
            } else if (std::isspace(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view(";&|()<>").find(c) != std::string_view::npos) {
                return word;
            } else {
                word.text += c;
                ++at_;
            }
        }
        return word;
    }

    void read_quoted(ShellWord& word) {
        ++at_;
        while (at_ < text_.size() && peek() != '"') {
            if (peek() == '\\' &&
                std::string_view("\"\\$`").find(peek(1)) != std::string_view::npos) {
                word.text += peek(1);
                at_ += 2;
            } else if (peek() == '$') {
                read_variable(word);
            } else if (peek() == '`') {
                skip_computed(word, '`');
            } else {
                word.text += peek();
                ++at_;
            }
        }
        at_ = std::min(at_ + 1, text_.size());
    }

    void read_variable(ShellWord& word) {
        if (peek(1) == '(') {
            skip_computed(word, ')');
            return;
        }
        std::size_t end = at_ + 1;
        std::string name;
        std::string otherwise;
        bool has_default = false;
        if (peek(1) == '{') {
            end = closing_brace(text_, at_);
            name = std::string(text_.substr(at_ + 2, end - at_ - 2));
            end = std::min(end + 1, text_.size());
            const std::size_t mark = std::min(name.find(":-"), name.find(":="));
            if (mark != std::string::npos) {
                const bool keeps = name[mark + 1] == '=';
                otherwise = name.substr(mark + 2);
                std::erase(otherwise, '"');
                has_default = otherwise.find_first_of("$`") == std::string::npos;
                name.resize(mark);
                if (keeps && has_default) {
                    script_.variables.emplace(name, otherwise);
                }
            }
        } else {
            while (end < text_.size() && is_name_character(text_[end])) {
                ++end;
            }
            name = std::string(text_.substr(at_ + 1, end - at_ - 1));
        }
        const auto known = script_.variables.find(name);
        if (word.text.size() > longest_value) {
            word.open = true;
        } else if (known != script_.variables.end()) {
            word.text += known->second;
            word.open = word.open || known->second.find_first_of("$`") != std::string::npos;
        } else if (has_default) {
            word.text += otherwise;
        } else {
            word.text += text_.substr(at_, end - at_);
            word.open = true;
        }
        at_ = std::max(end, at_ + 1);
    }

    /// "$( ... )" or "` ... `", as written.
    void skip_computed(ShellWord& word, char close) {
        const std::size_t start = at_;
        int depth = 0;
        ++at_;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            depth += close == ')' && c == '(' ? 1 : 0;
            if (c == close && (close != ')' || --depth == 0)) {
                break;
            }
        }
        word.text += text_.substr(start, at_ - start);
        word.open = true;
    }

    void end_command() {
        if (!array_.empty()) {
            return;  // the words of an array may stand on many lines
        }
        if (!words_.empty()) {
            if (words_.front().text == "export") {
                take_exports();
            } else {
                script_.commands.push_back(std::move(words_));
                const auto cards = script_.variables.find("CUDA_VISIBLE_DEVICES");
                script_.cards.push_back(cards == script_.variables.end() ? "" : cards->second);
            }
        }
        words_.clear();
        last_target_ = target_.empty() ? last_target_ : target_;
        target_.clear();
    }

    void take_exports() {
        for (const ShellWord& word : words_) {
            const std::size_t length = assigned_name(word.text);
            if (length > 0 && (!word.open || word.text.find(' ') != std::string::npos)) {
                script_.variables[word.text.substr(0, length)] = word.text.substr(length + 1);
            }
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::size_t own_left_ = most_followed;
    std::size_t* left_ = &own_left_;
    ShellScript script_;
    Words words_;
    std::string target_;       ///< of a redirection in this command
    std::string last_target_;  ///< of the command whose documents follow
    std::vector<std::string> pending_;
    std::string array_;  ///< name of the array that is being read; empty: none
    Words before_array_;
    std::map<std::string, Words> arrays_;
};

}  // namespace

ShellScript shell_script(std::string_view text, std::map<std::string, std::string> variables) {
    return Splitter(text, std::move(variables)).split_all();
}

}  // namespace ridgeline
