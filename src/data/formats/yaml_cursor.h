#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgeline {

/// A place in a YAML text and the scalars that begin there. After a failure it stands at the end.
class YamlCursor {
public:
    explicit YamlCursor(std::string_view text) : text_(text) {}

    [[nodiscard]] bool good() const { return !failed_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    /// The first failure counts; its line is told.
    void fail(std::string_view problem);

    /// To the next document, over its mark; false at the end of the text.
    bool next_document();
    /// At the end of the text or of a document.
    [[nodiscard]] bool ended() const;
    /// Over blanks, line ends and comments; whether a new line began.
    bool skip();

    /// The character here; 0 at the end.
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void step() { at_ += at_ < text_.size() ? 1 : 0; }
    [[nodiscard]] std::size_t place() const { return at_; }
    void go_to(std::size_t place) { at_ = place; }
    /// Characters left of this one on its line.
    [[nodiscard]] int column() const;
    /// The same; a tab among them is a failure.
    int block_column();

    /// "- " and "? ", which begin an item or a key.
    [[nodiscard]] bool at_mark(char mark) const;
    /// Over blanks to the colon that ends a key, if one follows.
    bool at_colon(bool flow);

    /// Up to the next blank, and in flow to a bracket or comma: an anchor, an alias, a tag.
    std::string word(bool flow);
    /// In single or double quotes, its lines folded.
    std::string quoted();
    /// Without quotes, on this line.
    std::string plain_line(bool flow);
    /// Without quotes, with the lines below that stand at `indent` or deeper.
    std::string plain(int indent, bool flow);
    /// After | or >; its lines stand at `indent` or deeper.
    std::string block_text(int indent);

private:
    struct BlockHead {
        bool folded = false;
        char chomping = ' ';
        int indent = 0;  ///< that it states; 0: that of its first line
    };
    BlockHead block_head();
    std::string rest_of_line(bool flow);
    void escape(std::string& out);
    void hexadecimal(std::string& out, int digits);
    void fold(std::string& out);
    [[nodiscard]] bool at_blank(std::size_t ahead) const;

    std::string_view text_;
    std::size_t at_ = 0;
    bool failed_ = false;
    std::string problem_;
};

}  // namespace ridgeline
